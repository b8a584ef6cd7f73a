"""The pages. Each is complete as it is sent; JavaScript only keeps it fresh."""

from __future__ import annotations

from flask import Blueprint, render_template, request

from web.scene import scene_of
from web.show import SHOWS
from web.site import find_match, site

pages = Blueprint("pages", __name__)


@pages.get("/")
def watch() -> str:
    """Everybody's boards and scores."""
    if site().house.table.current is None:
        return render_template("empty.html")
    match = find_match(request.args.get("match"))
    return render_template(
        "watch.html",
        scene=scene_of(match, None),
        pieces=site().pieces.pieces(match, "watch", None).html,
        sprite=SHOWS[match.game.name].sprite,
        followed=request.args.get("match", ""),
    )
