"""One table as its watch page, from the position that its box sent while somebody looked."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import msgspec
from markupsafe import Markup

from companion.club.messages import Standing, TableState
from companion.core.errors import GameError
from companion.core.jsontext import JsonObject
from companion.game.base import Game, MatchRequest
from companion.game.registry import GAMES
from companion.table.chance import SystemChance
from companion.table.events import canonical
from companion.table.seats import COLOURS, SHAPES, Player, default_player
from web.ui import presenter_of
from web.ui.parts import Aside, Die
from web.ui.scene import SeatScene
from web.ui.speaking import language
from web.ui.words import place_words


@dataclass(frozen=True)
class WatchScene:
    """What the templates of the watch page need; see :class:`web.ui.scene.Scene`."""

    headline: str
    status: str
    finished: bool
    dice: list[Die]
    blank_dice: int
    dice_source: str
    ground: Markup
    shared_board: Markup
    shared_words: list[tuple[str, str]]
    beside_shared: Markup
    seats: list[SeatScene]
    players: dict[int, Player]
    asides: list[Aside]
    asides_title: str


def watch_scene(state: TableState, view: JsonObject) -> WatchScene:
    """The scene of a position. A box of another version may show a position that this hub cannot draw."""
    game = GAMES[state.game]
    presenter = presenter_of(game)
    players = {one.seat: _player(one) for one in state.seats}
    rows = {row["seat"]: row for row in view["scores"]}
    places = [one.place for one in state.seats]
    absent = {
        one.seat: "" if one.place is not None else str(rows[one.seat].get("absent", "left"))
        for one in state.seats
    }
    seats = [
        SeatScene(
            number=one.seat,
            player=players[one.seat],
            place=one.place if one.place is not None else len(players),
            total=one.total,
            note="",
            place_said=place_words(one.place or 0, places.count(one.place) > 1, absent[one.seat]),
            absent=absent[one.seat],
            bot=False,
            awaited=False,
            board=presenter.board(view, one.seat, one.name),
            words=presenter.board_words(view, one.seat),
            beside=presenter.beside_board(view, one.seat),
            rows=presenter.score_rows(rows[one.seat]),
            on_turn=Markup(""),
        )
        for one in sorted(state.seats, key=lambda one: one.seat)
    ]
    return WatchScene(
        state.headline,
        state.status,
        state.finished,
        presenter.dice(view),
        presenter.blank_dice(view),
        "",
        _ground(state.game, len(players), canonical(state.options), language()),
        presenter.shared_board(view, players),
        presenter.shared_words(view, players),
        presenter.beside_shared(view, players),
        seats,
        players,
        presenter.asides(view),
        presenter.asides_title,
    )


def _player(one: Standing) -> Player:
    usual = default_player(one.seat)
    colour = one.colour if one.colour in COLOURS else usual.colour
    return Player(one.name, colour, one.shape if one.shape in SHAPES else usual.shape)


@lru_cache(16)
def _ground(name: str, seats: int, options: bytes, _language: str) -> Markup:
    """What lies under the board: a fresh match with the same options has the same, in each language."""
    game: Game[Any] = GAMES[name]
    request = MatchRequest(max(seats, game.seats[0]), options=msgspec.json.decode(options))
    try:
        setup = game.setup(request, SystemChance())
    except GameError:
        return Markup("")
    return presenter_of(game).ground(game.start(setup)) if isinstance(setup, dict) else Markup("")
