"""The turn: who may do what when, its end, upgrades, and who wins."""

from __future__ import annotations

import msgspec

from companion.core.jsontext import shaped
from companion.core.messages import Seat, listed, m, table_text
from companion.core.records import replaced
from companion.game.base import Action, Chance, Fact, Refusal
from companion.games.empire_builder.rules.boards.tracks import connected_majors
from companion.games.empire_builder.rules.match.state import (
    State,
    Turn,
    with_money,
    with_player,
    with_standing,
    with_train,
    with_turn,
)
from companion.games.empire_builder.rules.rulebook import RULES, TrainKind

OPERATIONS = ("place", "move", "pickup", "drop", "deliver")


class _Upgrade(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    to: TrainKind
    price: int = 0


class _Nothing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pass


# --- who may do what ---


def not_now(state: State, seat: int | None, kind: str) -> Refusal | None:
    """Why a seat cannot do this kind of thing at this moment."""
    if seat not in state.players:
        return Refusal("no-seat", m("say for which seat"))
    if kind == "lose":
        return None
    if state.losing:
        waiting = listed(map(Seat, sorted(state.losing)))
        return Refusal(
            "derailed",
            m("first {waiting} has to choose which load the derailed train has lost", waiting=waiting),
        )
    if seat != state.seat:
        return Refusal("not-your-turn", m("it is the turn of {seat}", seat=Seat(state.seat)))
    return _phase_refusal(state, kind)


def _phase_refusal(state: State, kind: str) -> Refusal | None:
    if kind in ("done", "event", "repay"):
        return None
    if state.turn.phase == "stopped":
        return Refusal("stopped", m("your train has derailed: the rest of this turn is lost"))
    if kind in OPERATIONS and state.building_only:
        count = RULES.building.building_turns
        return Refusal(
            "building-only",
            m("the first {count} turns are for building: trains begin in the next", count=count),
        )
    if kind in OPERATIONS and state.turn.phase == "build":
        return Refusal("building-now", m("you have begun to build: trains run before that"))
    return None


# --- upgrading ---


def upgrades(state: State, seat: int) -> dict[TrainKind, int]:
    """The loco cards a seat may buy now, with their prices."""
    prices = state.players[seat].train.card.upgrades
    if state.turn.spent or state.turn.upgraded:
        return {}
    return {kind: price for kind, price in prices.items() if price <= state.players[seat].cash}


def decide_upgrade(state: State, action: Action, _chance: Chance) -> Fact | Refusal:
    """Buy a better loco card instead of building."""
    kind, seat = shaped(action.data, _Upgrade, "bad-action").to, action.seat or 0
    train = state.players[seat].train
    if kind not in train.card.upgrades:
        possible = listed([table_text(RULES.trains[other].title) for other in train.card.upgrades], "or")
        after = m("becomes a {possible}", possible=possible) if possible else m("cannot be improved")
        return Refusal(
            "no-upgrade",
            m(
                "a {title} {after}, no {title2}",
                title=table_text(train.card.title),
                after=after,
                title2=table_text(RULES.trains[kind].title),
            ),
        )
    if state.turn.upgraded or state.turn.spent:
        return Refusal(
            "built", m("in one turn you build track or upgrade the train, not both, and only once")
        )
    price, cash = train.card.upgrades[kind], state.players[seat].cash
    if price > cash:
        return Refusal(
            "no-money",
            m(
                "a {title} costs {price} million and you have {cash}",
                title=table_text(RULES.trains[kind].title),
                price=price,
                cash=cash,
            ),
        )
    return Fact("upgrade", seat, {"to": kind, "price": price})


def after_upgrade(state: State, fact: Fact) -> State:
    """The state with the new loco card, paid for."""
    seat = fact.seat or 0
    state = with_money(state, seat, trains=fact.data["price"])
    return with_turn(with_train(state, seat, kind=fact.data["to"]), phase="build", upgraded=True)


# --- the end of a turn ---


def decide_done(_state: State, action: Action, _chance: Chance) -> Fact | Refusal:
    """End the turn of the seat."""
    shaped(action.data, _Nothing, "bad-action")
    return Fact("done", action.seat, {})


def after_done(state: State, _fact: Fact) -> State:
    """The next player's turn; players who lose theirs, or have left, are passed over."""
    state = _turn_ended(state)
    while not state.finished and _passed_over(state):
        lost = state.players[state.seat].lost_turns
        state = _turn_ended(with_player(state, state.seat, lost_turns=max(lost - 1, 0)))
    return state


def _passed_over(state: State) -> bool:
    """Return True if the current seat's turn is skipped.

    When all seats have left, the turn stays where it is.
    """
    everybody_left = len(state.out) == len(state.players)
    return (state.seat in state.out and not everybody_left) or bool(state.players[state.seat].lost_turns)


def leave(state: State, seat: int) -> State:
    """The seat's turns pass from now on; its loads go back to the supply, its track and money stay."""
    if seat in state.out or state.finished:
        return state
    state = replaced(
        state,
        out=tuple(sorted((*state.out, seat))),
        losing={other: count for other, count in state.losing.items() if other != seat},
        qualified=tuple(other for other in state.qualified if other != seat),
    )
    state = with_train(state, seat, loads=())
    return after_done(state, Fact("done", seat)) if state.seat == seat and _passed_over(state) else state


def come_back(state: State, seat: int) -> State:
    """The seat has turns again, from its next one on."""
    state = replaced(state, out=tuple(other for other in state.out if other != seat))
    return after_done(state, Fact("done", state.seat)) if _passed_over(state) else state


def _turn_ended(state: State) -> State:
    seat = state.seat
    player = state.players[seat]
    state = with_player(state, seat, history=(*player.history, player.cash))
    state = _events_over(_qualifying(state, seat), seat)
    if state.place + 1 < len(state.order):
        return _begun(replaced(state, place=state.place + 1))
    state = _judged(state)
    return _begun(replaced(state, place=0, round=state.round + 1))


def _begun(state: State) -> State:
    return with_standing(replaced(state, turn=Turn("build" if state.building_only else "operate")))


def _events_over(state: State, seat: int) -> State:
    """The events in force without those that this seat drew in an earlier turn: they last until now."""
    over = [event for event in state.in_force if event.seat == seat and state.round >= event.round]
    return replaced(
        state,
        in_force=tuple(event for event in state.in_force if event not in over),
        discards=(*state.discards, *(event.card for event in over)),
    )


# --- winning ---


def has_won(state: State, seat: int) -> bool:
    """Return True if a seat now meets both conditions of victory and owes nothing."""
    player = state.players[seat]
    majors = connected_majors(state.board, player.linked)
    connected = len(majors) >= RULES.match.majors_to_win
    return connected and player.cash >= state.goal and not player.owed


def _qualifying(state: State, seat: int) -> State:
    """The state after a turn: who fulfils both conditions then qualifies, whatever others draw later."""
    if seat in state.qualified or seat in state.out or not has_won(state, seat):
        return state
    return replaced(state, qualified=(*state.qualified, seat))


def _judged(state: State) -> State:
    """Find the winner after equally many turns: the richest who qualifies; a tie raises the goal."""
    if not state.qualified:
        return state
    most = max(state.players[seat].cash for seat in state.qualified)
    best = [seat for seat in state.qualified if state.players[seat].cash == most]
    if len(best) == 1:
        return replaced(state, winner=best[0])
    return replaced(state, goal=RULES.money.win_after_tie, qualified=())
