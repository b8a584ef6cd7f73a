"""The page on which owners make the map agree with their own, milepost by milepost."""

from __future__ import annotations

from flask import Blueprint, render_template

from companion.games.empire_builder.ui.ground import ground
from web.access.people import person
from web.pages.owners import kept_options
from web.site import site

GAME = "empire-builder"
ADDRESS = f"/host/map/{GAME}"

corrections = Blueprint("empire_builder_corrections", __name__)


@corrections.get(ADDRESS)
def correct_map() -> str:
    """The host's page: the map with the kept corrections."""
    if not person().host:
        return render_template("host_pin.html")
    game = site().service.games[GAME]
    kept = kept_options(site().service.store, game)["map"]
    return render_template("empire-builder/corrections.html", game=game, kept=kept, ground=ground(kept))
