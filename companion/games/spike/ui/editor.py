"""The page on which owners describe their genuine SPIKE board: over a photograph of it, tap by tap."""

from __future__ import annotations

from flask import Blueprint, render_template

from companion.games.spike.rules.boards.board import PATTERNS, SHIPPED, board_text, shipped_text
from companion.games.spike.rules.rulebook import BOOK
from web.access.people import person
from web.pages.owners import kept_options
from web.site import site

editor = Blueprint("editor", __name__)


@editor.get("/host/spike")
def edit() -> str:
    """The host's page: the kept files, or an empty board to begin with."""
    if not person().host:
        return render_template("host_pin.html")
    kept = kept_options(site().service.store, site().service.games["spike"])
    return render_template(
        "spike/editor.html",
        board=kept["board"] or empty_board(),
        cards=kept["cards"],
        shipped={"board": board_text(SHIPPED[0]), "cards": shipped_text(SHIPPED[0], "cards")},
        patterns=PATTERNS,
        sides=BOOK.sides,
        cards_a_good=BOOK.contract_cards,
    )


def empty_board() -> str:
    """The lines every board needs: title and size, six suits and twelve goods as ours are called."""
    lines = board_text(SHIPPED[0]).splitlines()
    same = [line for line in lines if line.startswith(('{"suit"', '{"good"'))]
    return "\n".join(['{"board": "My board", "format": 1, "size": [508, 571.5]}', *same, ""])
