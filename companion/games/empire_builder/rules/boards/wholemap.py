"""A whole map of an owner: JSON as ours is shipped (``data/north_america.json``), or a table.

The table is CSV with one line a thing, ``what,where,kind,name,loads``, its first line naming the columns::

    what,where,kind,name,loads
    milepost,ao38,clear,USA
    city,ao38,major,Chicago,tourists
    city,ah38,small,Omaha,oats wheat
    river,am40-an39,,Missouri
    channel,am40-an39,,Soo Locks
    closed,am40-an39
    coast,bi30,,Atlantic

After either of them a line ``corrections:`` may begin corrections of that map (:mod:`.boardfile`).
"""

from __future__ import annotations

import msgspec

from companion.core.errors import NotationError, quoted
from companion.core.jsontext import builtins_of
from companion.core.messages import m
from companion.core.records import replaced
from companion.games.empire_builder.rules.boards.boardfile import (
    BoardData,
    ChannelData,
    CityData,
    CoastData,
    RiverData,
    board_faults,
)
from companion.games.empire_builder.rules.boards.names import edge_called, edge_name, place_called, place_name
from companion.games.empire_builder.rules.boards.tables import grouped, meant, plain, rows
from companion.games.empire_builder.rules.rulebook import CITY_SIZES, LOADS, RULES, TERRAINS
from companion.sheets.lattice import to_doubled

COLUMNS = ("what", "where", "kind", "name", "loads")
CORRECTIONS = "corrections:"
_KINDS = ("milepost", "city", "river", "channel", "closed", "coast")


def is_whole(text: str) -> bool:
    """Return True if the text is a whole map, and not corrections to a board of ours."""
    first = next((line for line in text.removeprefix("\ufeff").splitlines() if line.strip()), "")
    return first.lstrip().startswith("{") or plain(first).startswith("what where")


def divided(text: str) -> tuple[str, str]:
    """A whole map, and the corrections after it: their lines keep their numbers."""
    lines = text.removeprefix("\ufeff").splitlines()
    for number, line in enumerate(lines):
        if line.strip().lower() == CORRECTIONS:
            return "\n".join(lines[:number]), "\n" * (number + 1) + "\n".join(lines[number + 1 :])
    return "\n".join(lines), ""


def read_map(text: str) -> BoardData:
    """The map, or the first fault."""
    data, faults = _read(text)
    if data is None or faults:
        raise NotationError("bad-map", faults[0])
    return data


def map_faults(text: str) -> list[str]:
    """Everything that is wrong with a whole map."""
    return _read(text)[1]


def _read(text: str) -> tuple[BoardData | None, list[str]]:
    faults: list[tuple[int, str]] = []
    try:
        data = _from_json(text) if text.lstrip().startswith("{") else _from_table(text, faults)
        if faults:
            return None, grouped(faults)
        data = _written_alike(data)
        wrong = list(board_faults(data))
    except NotationError as problem:
        return None, [problem.message]
    majors = sum(city.size == "major" for city in data.cities)
    if majors < RULES.match.majors_to_win:
        wrong.append(
            m(
                "the map has {majors} major cities: {majors_to_win} have to be connected to win",
                majors=majors,
                majors_to_win=RULES.match.majors_to_win,
            )
        )
    return data, wrong


def _from_json(text: str) -> BoardData:
    try:
        return msgspec.json.decode(text, type=BoardData)
    except msgspec.ValidationError as problem:
        raise NotationError(
            "bad-map", m("the map is not written as ours is: {problem}", problem=problem)
        ) from None
    except msgspec.DecodeError as problem:
        raise NotationError("bad-map", m("the map is not JSON: {problem}", problem=problem)) from None


def _written_alike(data: BoardData) -> BoardData:
    """The map with all edges in canonical notation, and its size computed from its mileposts."""

    def usual(name: str) -> str:
        return edge_name(edge_called(name))

    spots = [to_doubled(place_called(name)) for name, _, _ in data.mileposts]
    return replaced(
        data,
        columns=1 + max((column for column, _ in spots), default=0),
        rows=1 + max((row for _, row in spots), default=0),
        rivers=tuple(RiverData(one.name, tuple(dict.fromkeys(map(usual, one.edges)))) for one in data.rivers),
        channels=tuple(ChannelData(one.name, usual(one.edge)) for one in data.channels),
        closed=tuple(dict.fromkeys(map(usual, data.closed))),
    )


def _from_table(text: str, faults: list[tuple[int, str]]) -> BoardData:
    mileposts: dict[str, tuple[str, str, str]] = {}
    cities: dict[str, CityData] = {}
    edges: dict[str, dict[str, list[str]]] = {"river": {}, "channel": {}, "closed": {}, "coast": {}}
    for line, row in rows(text, COLUMNS, {}, faults):
        what, where, kind, name, loads = [*row, "", "", "", ""][: len(COLUMNS)]
        try:
            what = meant(what, _KINDS, "kind of line")
            if what == "milepost":
                at = place_name(place_called(where.lower()))
                mileposts[at] = (at, meant(kind, TERRAINS, "terrain"), name or "USA")
            elif what == "city":
                if not name or name in cities:
                    raise NotationError(
                        "bad-map", m("the city {name} has no name, or is given twice", name=quoted(name))
                    )
                has = tuple(meant(one, LOADS, "load") for one in loads.replace("/", " ").split())
                size = meant(kind, CITY_SIZES, "size of a city")
                cities[name] = msgspec.convert(
                    {"name": name, "size": size, "at": place_name(place_called(where.lower())), "loads": has},
                    CityData,
                )
            else:
                edges[what].setdefault(name, []).append(where.lower())
        except NotationError as problem:
            faults.append((line, problem.message))
    data = {
        "name": m("An owner's map"),
        "columns": 1,
        "rows": 1,
        "mileposts": list(mileposts.values()),
        "rivers": [RiverData(name, tuple(found)) for name, found in edges["river"].items()],
        "channels": [ChannelData(name, one) for name, found in edges["channel"].items() for one in found],
        "closed": [one for found in edges["closed"].values() for one in found],
        "coasts": [CoastData(name, tuple(found)) for name, found in edges["coast"].items()],
    }
    return msgspec.convert(builtins_of({**data, "cities": list(cities.values())}), BoardData)


def map_table(data: BoardData) -> str:
    """A map as the table that :func:`read_map` reads."""
    lines = [",".join(COLUMNS)]
    lines += [f"milepost,{name},{terrain},{country}" for name, terrain, country in data.mileposts]
    lines += [f"city,{city.at},{city.size},{city.name},{' '.join(city.loads)}" for city in data.cities]
    lines += [f"river,{edge},,{river.name}" for river in data.rivers for edge in river.edges]
    lines += [f"channel,{channel.edge},,{channel.name}" for channel in data.channels]
    lines += [f"closed,{edge}" for edge in data.closed]
    lines += [f"coast,{name},,{coast.sea}" for coast in data.coasts for name in coast.mileposts]
    return "\n".join(lines) + "\n"
