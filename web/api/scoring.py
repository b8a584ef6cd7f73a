"""Quick score: scores a board without a match."""

from __future__ import annotations

from typing import Any

from flask import render_template, request

from companion.core.errors import GameError
from companion.core.jsontext import JsonObject
from companion.core.messages import m
from companion.game.base import Game
from companion.game.bots import own_bot
from companion.game.registry import find_game
from web.access.limits import WORK
from web.access.people import person
from web.api.operations import operation
from web.api.shapes import Advised, PositionQuery, Scored
from web.exc import WebError
from web.pages.owners import kept_options
from web.site import site
from web.ui import presenter_of

_LONG = 1000  # letters of an option's text


@operation("POST", "/scores", "The score of a board", Scored, body=PositionQuery, problems=(403,))
def score(body: PositionQuery) -> Scored:
    """Score a position in the game's notation, with explanations."""
    try:
        game = _game_asked(body)
        told = game.score_position(body.position)
        lines = game.explain_position(body.position)
        rows = presenter_of(game).position_rows(body.position)
    except GameError as problem:
        raise WebError(422, problem.code, problem.message) from None
    html = render_template("pieces/score.html", rows=rows, total=told.get("total"), prefix="quick")
    return Scored(told, lines, html)


@operation(
    "POST",
    "/advice",
    "What the latest round of a board cost",
    Advised,
    body=PositionQuery,
    problems=(403, 429),
)
def advice(body: PositionQuery) -> Advised:
    """Compare what was drawn in the latest round that is noted on a board with the best that is found."""
    site().limiter.take("work", request.remote_addr or "", WORK)
    try:
        game = _game_asked(body)
        bot, presenter = own_bot(game), presenter_of(game)
        told = bot.advice(body.position) if bot is not None else None
        if told is None:
            raise GameError("no-coach", m("nobody here can tell what was best on such a board"))
        boards = [presenter.position_board(one, label) for one, label in _both(body.position, told)]
    except GameError as problem:
        raise WebError(422, problem.code, problem.message) from None
    return Advised(told, render_template("pieces/advice.html", one=told, boards=boards))


def _game_asked(body: PositionQuery) -> Game[Any]:
    """The game. A whole file of an owner's in a position costs much to read: only the host may bring one."""
    game = find_game(body.game)
    kept = kept_options(site().service.store, game)
    for option in game.file_options:
        text = body.position.get(option, "")
        if len(str(text)) > _LONG and text != kept[option] and not person().host:
            raise WebError(
                403, "not-kept", m("an owner's {option} counts once the host has kept it here", option=option)
            )
    return game


def _both(position: JsonObject, told: JsonObject) -> list[tuple[JsonObject, str]]:
    """The board as it was drawn, and as it would have been best."""
    rounds = position.get("rounds", {})
    kept = {cell: route for cell, route in position["cells"].items() if rounds.get(cell) != told["round"]}
    best = {move["cell"]: move["route"] for move in told["best"]}
    noted = {cell: number for cell, number in rounds.items() if cell in kept}
    better = {
        **position,
        "cells": {**kept, **best},
        "rounds": {**noted, **dict.fromkeys(best, told["round"])},
    }
    return [(position, m("As it was drawn")), (better, m("The best that was found"))]
