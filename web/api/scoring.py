"""Quick score: scores a board without a match."""

from __future__ import annotations

from flask import render_template

from companion.core.errors import GameError
from companion.game.registry import find_game
from web.api.operations import operation
from web.api.shapes import PositionQuery, Scored
from web.exc import WebError
from web.ui import presenter_of


@operation("POST", "/scores", "The score of a board", Scored, body=PositionQuery)
def score(body: PositionQuery) -> Scored:
    """Score a position in the game's notation, with explanations."""
    try:
        game = find_game(body.game)
        told = game.score_position(body.position)
        lines = game.explain_position(body.position)
        rows = presenter_of(game).position_rows(body.position)
    except GameError as problem:
        raise WebError(422, problem.code, problem.message) from None
    html = render_template("pieces/score.html", rows=rows, total=told.get("total"), prefix="quick")
    return Scored(told, lines, html)
