"""What happens when cards are drawn: events are done at once, until a demand card comes up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from companion.core.records import replaced
from companion.games.empire_builder.rules.boards.tracks import edges_of, linked_from
from companion.games.empire_builder.rules.cards.events import (
    INSTANT,
    Derailment,
    EventCard,
    Flood,
    Tax,
    derailed_area,
)
from companion.games.empire_builder.rules.match.state import (
    InForce,
    State,
    is_event,
    with_money,
    with_player,
    with_train,
    with_turn,
)


def drawn_cards(deck: Sequence[str]) -> list[str] | None:
    """The cards from the top down to the first demand card; None when there is none left."""
    for place, card in enumerate(deck):
        if not is_event(card):
            return list(deck[: place + 1])
    return None


def with_drawn(state: State, seat: int, order: Sequence[str] = ()) -> State:
    """One demand card drawn. ``order`` is the shuffled discards: they come under what is left of the deck."""
    if order:
        state = replaced(state, deck=(*state.deck, *order), discards=())
    cards = drawn_cards(state.deck) or []
    state = replaced(state, deck=state.deck[len(cards) :])
    for card in cards:
        if is_event(card):
            state = after_event(state, seat, state.events[card])
        else:
            state = with_player(state, seat, hand=(*state.players[seat].hand, card))
    return state


# --- events ---


def after_event(state: State, seat: int, event: EventCard) -> State:
    """An event that a seat has drawn takes effect."""
    if isinstance(event, INSTANT):
        state = replaced(state, discards=(*state.discards, event.card))
    else:
        ends = InForce(event.card, seat, state.round + 1)
        state = replaced(state, in_force=(*state.in_force, ends))
    match event:
        case Flood():
            return _after_flood(state, event)
        case Derailment():
            return _after_derailment(state, seat, event)
        case Tax():
            return _after_tax(state, event)
        case _:
            return state


def _after_flood(state: State, event: Flood) -> State:
    """The state without the bridges over a river, the groups of their owners made anew."""
    river = set(state.board.river_edges.get(event.river, ()))
    track = {edge: owner for edge, owner in state.track.items() if edge not in river}
    hit = {owner for edge, owner in state.track.items() if edge in river}
    state = replaced(state, track=track)
    for seat in hit:
        state = with_player(state, seat, linked=linked_from(state.board, edges_of(track, seat)))
    return state


def _after_tax(state: State, event: Tax) -> State:
    for seat, player in state.players.items():
        state = with_money(state, seat, tax=event.due(player.cash))
    return state


def _after_derailment(state: State, drawer: int, event: Derailment) -> State:
    """Trains in the area lose a load and a turn; who drew the card loses the rest of this turn, too."""
    area = derailed_area(state.board, event)
    for seat, player in state.players.items():
        if player.train.at in area:
            state = _derailed(state, seat)
            if seat == drawer:
                state = with_turn(state, phase="stopped")
    return state


def _derailed(state: State, seat: int) -> State:
    player = state.players[seat]
    state = with_player(state, seat, lost_turns=player.lost_turns + 1)
    kinds = Counter(player.train.loads)
    to_lose = state.losing.get(seat, 0) + 1
    if len(kinds) <= 1 or to_lose >= len(player.train.loads):
        left = player.train.loads[to_lose:]
        others = {other: count for other, count in state.losing.items() if other != seat}
        return replaced(with_train(state, seat, loads=left), losing=others)
    return replaced(state, losing={**state.losing, seat: to_lose})
