"""Matches set up by hand for the tests: track, money, trains and cards wherever a test wants them."""

from __future__ import annotations

import csv
import io
from itertools import pairwise
from typing import Any

import msgspec

from companion.core.jsontext import json_of
from companion.core.records import replaced
from companion.game.base import Action, Fact, MatchRequest, NoChance, Refusal
from companion.games.empire_builder.rules.boards.board import Board, board
from companion.games.empire_builder.rules.boards.paths import cheapest_path
from companion.games.empire_builder.rules.boards.tracks import edges_of, linked_from
from companion.games.empire_builder.rules.cards.demands import COLUMNS, DemandCard
from companion.games.empire_builder.rules.cards.draws import after_event
from companion.games.empire_builder.rules.cards.events import EVENTS
from companion.games.empire_builder.rules.match.game import EmpireBuilder
from companion.games.empire_builder.rules.match.state import State, Turn, with_money, with_player, with_train
from companion.table.chance import SeededChance

GAME = EmpireBuilder()
BOARD: Board = board()
NOTHING = NoChance()


def cards_csv(cards: tuple[DemandCard, ...]) -> str:
    """Cards as a file that an owner may keep."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for card in cards:
        writer.writerows((card.card, demand.city, demand.load, demand.payout) for demand in card.demands)
    return out.getvalue()


def begun(seats: int = 2, seed: int = 1, mode: Any = "umpire", **options: Any) -> State:
    """A new match; seat 1 begins, whatever was dealt."""
    data = GAME.setup(MatchRequest(seats, mode, options), SeededChance(seed))
    assert not isinstance(data, Refusal), data
    return replaced(GAME.start(data), order=tuple(range(1, seats + 1)))


def running(seats: int = 2, seed: int = 1) -> State:
    """A match in its third round: trains run."""
    return replaced(begun(seats, seed), round=3, turn=Turn())


def way(one: str, other: str) -> list[str]:
    """The mileposts of the cheapest line from city to city, the red areas at its ends left out."""
    found = cheapest_path(BOARD, BOARD.cities[one].mileposts, set(BOARD.cities[other].mileposts))
    assert found is not None
    return [BOARD.names[milepost] for milepost in found.mileposts]


def laid(state: State, seat: int, *lines: list[str]) -> State:
    """The state with track of a seat along these lines."""
    numbers = [[state.board.numbers[name] for name in line] for line in lines]
    edges = [state.board.edge_numbers[pair] for line in numbers for pair in pairwise(line)]
    track = {**state.track, **{edge: seat for edge in edges if not state.board.red[edge]}}
    state = replaced(state, track=track)
    return with_player(state, seat, linked=linked_from(state.board, edges_of(track, seat)))


def train_at(state: State, seat: int, name: str, **changes: Any) -> State:
    """The state with a seat's train somewhere."""
    return with_train(state, seat, at=state.board.milepost(name), **changes)


def with_cash(state: State, seat: int, cash: int) -> State:
    """The state with so much money before a seat."""
    return with_money(state, seat, counted=cash - state.players[seat].cash)


def holding(state: State, seat: int, *cards: str) -> State:
    """The state with these demand cards before a seat; the others go under the deck."""
    before = state.players[seat].hand
    deck = (
        *(card for card in state.deck if card not in cards),
        *(card for card in before if card not in cards),
    )
    return replaced(with_player(state, seat, hand=cards), deck=deck)


def card_for(city: str, load: str) -> str:
    """A card that asks for this load in this city."""
    return next(
        card.card
        for card in begun().cards.values()
        if any((demand.city, demand.load) == (city, load) for demand in card.demands)
    )


def decided(state: State, kind: str, seat: int, **data: Any) -> Fact | Refusal:
    """What the rules make of an action."""
    return GAME.decide(state, Action(kind, seat, data), SeededChance(7))


def after(state: State, kind: str, seat: int, **data: Any) -> State:
    """The state after a legal action; a stored fact is decided again as it stands."""
    fact = decided(state, kind, seat, **data)
    assert not isinstance(fact, Refusal), fact
    assert GAME.decide(state, msgspec.json.decode(json_of(fact), type=Action), NOTHING) == fact
    return GAME.apply(state, fact)


def refused(state: State, kind: str, seat: int, **data: Any) -> Refusal:
    """Why the rules refuse an action."""
    found = decided(state, kind, seat, **data)
    assert isinstance(found, Refusal), found
    return found


def struck(state: State, seat: int, card: str) -> State:
    """The state after a seat has drawn an event."""
    deck = tuple(other for other in state.deck if other != card)
    return after_event(replaced(state, deck=deck), seat, EVENTS[card])


def ended(state: State, turns: int = 1) -> State:
    """The state after so many turns in which nothing was done."""
    for _ in range(turns):
        state = after(state, "done", state.seat)
    return state
