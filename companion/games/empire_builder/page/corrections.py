"""The page on which owners make the map agree with their own: mileposts, ways, cities, over a photograph."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from flask import Blueprint, render_template

from companion.games.contract import Plain
from companion.games.empire_builder.page.ground import ground
from companion.games.empire_builder.page.plane import spot_of
from companion.games.empire_builder.rules.board import Board, City, board
from companion.games.empire_builder.rules.rulebook import CITY_SIZES, LOADS
from web.owners import kept_options
from web.people import person
from web.site import site

GAME = "empire-builder"
ADDRESS = f"/host/map/{GAME}"

_NAMES = {"CAN": "Canada", "MEX": "Mexico"}

corrections = Blueprint("empire_builder_corrections", __name__)


@corrections.get(ADDRESS)
def correct_map() -> str:
    """The host's page: the map with the kept corrections."""
    if not person().host:
        return render_template("host_pin.html")
    game = site().house.games[GAME]
    kept = kept_options(site().house, game)["map"]
    told = _told(board(kept))
    return render_template(
        "empire-builder/corrections.html", game=game, kept=kept, ground=ground(kept), told=told
    )


def _told(on: Board) -> Plain:
    """What may be chosen, and what is there already."""
    return {
        "cities": {
            city.name: {"at": on.names[city.middle], "size": city.size, "loads": list(city.loads)}
            for city in on.cities.values()
        },
        "sizes": list(CITY_SIZES),
        "loads": list(LOADS),
        "rivers": [river.name for river in on.data.rivers],
        "countries": {code: _NAMES.get(code, code) for code in sorted(set(on.country))},
        "seas": [coast.sea for coast in on.data.coasts],
        "landmarks": [[city.name, on.names[city.middle]] for city in landmarks(on)],
    }


def landmarks(on: Board) -> list[City]:
    """The three major cities that span the largest triangle: a photograph is laid by them."""

    def area(three: Iterable[City]) -> float:
        (ax, ay), (bx, by), (cx, cy) = (spot_of(on.places[city.middle]) for city in three)
        return abs((bx - ax) * (cy - ay) - (cx - ax) * (by - ay))

    return list(max(combinations(on.majors, 3), key=area, default=()))
