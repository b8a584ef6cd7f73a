"""Drawing rail cards, and the time cards of people's own decks."""

from __future__ import annotations

import msgspec

from companion.core.errors import quoted
from companion.core.jsontext import JsonObject, shaped
from companion.core.messages import joined, m
from companion.core.records import replaced
from companion.game.base import Action, Chance, Fact, Refusal
from companion.games.spike.rules.match.flow import (
    Nothing,
    acted,
    action_refusal,
    listed_actions,
    no_turns,
    over,
    player_of,
    turn_refusal,
)
from companion.games.spike.rules.match.state import State, with_player
from companion.games.spike.rules.moves.payment import NONE
from companion.games.spike.rules.moves.rail_cards import (
    DECK,
    ShuffleWanted,
    after_draw,
    after_stop,
    can_draw,
    is_last_time,
    left_to_draw,
    order_fault,
    shuffled_for,
)
from companion.games.spike.rules.rulebook import BOOK
from companion.games.spike.rules.words import suit_words


class _Shuffles(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    decks: tuple[tuple[str, ...], ...] = ()


class _Draw(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    where: str = msgspec.field(name="from", default="")
    count: int = 0
    chance: _Shuffles = _Shuffles()
    source: JsonObject = {}


class _Stop(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    chance: _Shuffles = _Shuffles()
    source: JsonObject = {}


def decide_draw(state: State, action: Action, chance: Chance) -> Fact | Refusal:
    """One card from the row or the deck; or how many of people's own cards."""
    request = shaped(action.data, _Draw, "bad-action")
    refusal = turn_refusal(state, action.seat) if state.drawing else action_refusal(state, action.seat)
    if refusal is not None:
        return refusal
    if not state.by_box:
        return _counted_draw(state, action.seat, request)
    if request.where not in drawable(state):
        shown = joined(", ", map(suit_words, state.shown)) or m("nothing")
        return Refusal(
            "not-shown",
            m(
                "cards are drawn from the {deck} or the row ({shown}), not {where}",
                deck=DECK,
                shown=shown,
                where=quoted(request.where),
            ),
        )
    return _settled(
        state,
        Fact("draw", action.seat, {"from": request.where}),
        request.chance.decks,
        request.source,
        chance,
    )


def _counted_draw(state: State, seat: int | None, request: _Draw) -> Fact | Refusal:
    _, train = player_of(state, seat)
    if not 1 <= request.count <= train.power:
        return Refusal(
            "bad-count",
            m(
                "with this tender 1 to {power} cards are drawn, not {count}",
                power=train.power,
                count=request.count,
            ),
        )
    if request.count > _most(state):
        return Refusal(
            "bad-count", m("cards left to be drawn: {state}, the others are in hands", state=_most(state))
        )
    return Fact("draw", seat, {"count": request.count})


def _most(state: State) -> int:
    """How many cards people can draw from their own deck and row."""
    _, train = player_of(state, state.turn)
    return min(train.power, left_to_draw(state)) if state.counts_cards else train.power


def drawable(state: State) -> list[str]:
    """The sources from which a card can be drawn now."""
    deck = [DECK] if state.deck or (can_draw(state) and not state.shown) else []
    return [*dict.fromkeys(state.shown), *deck]


def _settled(
    state: State, fact: Fact, given: tuple[tuple[str, ...], ...], source: JsonObject, chance: Chance
) -> Fact | Refusal:
    """The fact with the order of every deck that has to be shuffled on the way."""
    orders: list[list[str]] = []
    while (wanted := _wanted(state, fact, orders)) is not None:
        known = len(orders) < len(given)
        order = list(given[len(orders)]) if known else shuffled_for(wanted, chance)
        fault = order_fault(wanted, order)
        if fault is not None:
            return fault
        orders.append(order)
        source = source if known else chance.source
    shuffles = {"chance": {"decks": orders}, "source": source} if orders else {}
    return Fact(fact.kind, fact.seat, {**fact.data, **shuffles})


def _wanted(state: State, fact: Fact, orders: list[list[str]]) -> ShuffleWanted | None:
    try:
        _played(state, fact, orders)
    except ShuffleWanted as wanted:
        return wanted
    return None


def _played(state: State, fact: Fact, orders: list[list[str]]) -> State:
    left = list(orders)
    return after_draw(state, fact.data["from"], left) if fact.kind == "draw" else after_stop(state, left)


def apply_draw(state: State, fact: Fact) -> State:
    """The state after drawing: hand and row filled up, and a round or the match perhaps over."""
    if "count" in fact.data:
        held = state.player.held + fact.data["count"]
        return acted(with_player(state, state.turn, held=held, hand=()))  # which cards they are is not known
    return _after_cards(_played(state, fact, fact.data.get("chance", {}).get("decks", [])))


def decide_stop(state: State, action: Action, chance: Chance) -> Fact | Refusal:
    """Stop drawing cards in this turn."""
    request = shaped(action.data, _Stop, "bad-action")
    refusal = turn_refusal(state, action.seat)
    if refusal is not None:
        return refusal
    if not state.drawing:
        return Refusal("not-drawing", m("you are not drawing cards"))
    return _settled(state, Fact("stop", action.seat, {}), request.chance.decks, request.source, chance)


def decide_time(state: State, action: Action, _chance: Chance) -> Fact | Refusal:
    """A time card was turned over on the table."""
    shaped(action.data, Nothing, "bad-action")
    if state.by_box:
        return Refusal("not-now", m("the box turns the time cards itself"))
    if state.phase != "play":
        return Refusal("not-now", no_turns(state))
    return Fact("time", action.seat, {})


def apply_time(state: State, _fact: Fact) -> State:
    """The next round; in the last one the third time card ends the match."""
    if state.round < BOOK.rounds:
        return replaced(state, round=state.round + 1, discards=NONE)
    state = replaced(state, times=state.times + 1)
    return over(state) if is_last_time(state) else state


def _after_cards(state: State) -> State:
    """Cards were drawn: perhaps the third time card came up, perhaps the turn is over."""
    if is_last_time(state):
        return over(state)
    return state if state.drawing else acted(state)


def legal_draws(state: State) -> list[Action]:
    """Every way to draw now."""
    if state.acted and not state.drawing:
        return []
    if state.by_box:
        return listed_actions("draw", "from", drawable(state), state)
    return [Action("draw", state.turn, {"count": count}) for count in range(1, _most(state) + 1)]
