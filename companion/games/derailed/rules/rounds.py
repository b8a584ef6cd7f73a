"""What follows from an accepted action: arrivals, whose turn it is, the end of a round, the next one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.core.jsontext import JsonObject
from companion.core.messages import m
from companion.core.records import replaced
from companion.games.derailed.rules.columns import settled
from companion.games.derailed.rules.network import steps
from companion.games.derailed.rules.rulebook import HAND, POINTS, ROUNDS
from companion.games.derailed.rules.state import Arrival, Ending, State
from companion.sheets.decks import without

# --- arrivals ---


def with_arrivals(state: State, cell: str, by: int | None) -> State:
    """The state with every new arrival: one player's card may complete another's path."""
    newcomers = new_arrivals(state)
    if not newcomers:
        return state
    seats = tuple(newcomers)
    first = () if state.arrived else first_of(state, seats, by)
    found = tuple(
        Arrival(seat, state.round, tuple(newcomers[seat]), cell, by, first=seat in first) for seat in seats
    )
    return replaced(state, arrivals=state.arrivals + found)


def new_arrivals(state: State) -> dict[int, list[str]]:
    """The seats whose company has a path to its destination and had not arrived, with the path."""
    area = state.area()
    found = {}
    for seat in state.seats:
        if not state.has_arrived(seat) and seat not in state.out:
            path = area.arrival(state.start_lane(seat), state.destination_lane(seat))
            if path is not None:
                found[seat] = steps(area, path)
    return found


def first_of(state: State, seats: Sequence[int], by: int | None) -> tuple[int, ...]:
    """The seats that count as the first to arrive when one card lets several arrive together."""
    if by is None or state.options.first_together == "all":
        return tuple(seats)
    return (min(seats, key=lambda seat: (seat - by) % len(state.starts)),)


# --- turns ---


def with_turn_over(state: State) -> State:
    """The next company to lay a card is on turn; those that have arrived score on the way."""
    if state.enough_arrived:
        return _round_over(state, "arrivals")
    while state.idle < len(state.starts):
        state = replaced(state, turn=state.after(state.turn), phase="place")
        if not state.has_arrived(state.turn) and state.turn not in state.out:
            return state
        state = replaced(_with_extra_turn(state, state.turn), idle=state.idle + 1)
    return _round_over(state, "stalemate")


def leave(state: State, seat: int) -> State:
    """The seat's turns pass; its hand stays its own, and its company arrives nowhere."""
    if seat in state.out or state.phase == "over":
        return state
    state = replaced(state, out=tuple(sorted((*state.out, seat))))
    if state.mode == "scorekeeper" or state.phase == "between" or len(state.out) == len(state.seats):
        return state
    # Who leaves does nothing in the turn: it counts among those in which no card was laid.
    passing = replaced(state, idle=state.idle + (state.phase == "place"))
    return with_turn_over(passing) if state.turn == seat or state.enough_arrived else state


def come_back(state: State, seat: int) -> State:
    """The seat has turns again; if others have built its path meanwhile, its company arrives now."""
    if seat not in state.out:
        return state
    everybody_left = len(state.out) == len(state.seats)
    state = replaced(state, out=tuple(other for other in state.out if other != seat))
    state = with_arrivals(state, "", None)
    if state.mode == "scorekeeper" or state.phase in ("between", "over"):
        return state
    if everybody_left:
        state = replaced(state, turn=seat, phase="place")
    return with_turn_over(state) if state.enough_arrived or state.has_arrived(state.turn) else state


def _with_extra_turn(state: State, seat: int) -> State:
    return replaced(
        state,
        arrivals=tuple(
            replaced(arrival, turns=arrival.turns + 1)
            if (arrival.seat, arrival.round) == (seat, state.round)
            else arrival
            for arrival in state.arrivals
        ),
    )


def _round_over(state: State, ending: Ending) -> State:
    phase = "over" if state.round == ROUNDS else "between"
    return replaced(state, phase=phase, endings=(*state.endings, ending))


def how_it_ended(state: State) -> str:
    """Why this round is over."""
    if state.endings[-1:] == ("stalemate",):
        return m("everybody has had a turn and nobody could lay a card")
    return m("{arrived} of {needed} have arrived", arrived=len(state.arrived), needed=state.needed)


# --- cards ---


def with_card_laid(state: State, cell: str, face: str) -> State:
    """The area with one card more; on top of what was there."""
    stack = (*state.grid.get(cell, ()), face)
    return replaced(state, grid={**state.grid, cell: stack}, last=cell, idle=0)


def without_cards(state: State, seat: int, cards: Sequence[str]) -> State:
    """A seat's hand less these cards."""
    hand = state.hands[seat]
    for card in cards:
        hand = without(hand, card)
    return replaced(state, hands={**state.hands, seat: hand})


def wanted(state: State, seat: int) -> int:
    """How many cards a hand lacks."""
    return HAND - len(state.hands[seat])


def can_take(state: State, seat: int) -> bool:
    """True if there is a card to take and room for it in the hand."""
    return wanted(state, seat) > 0 and bool(state.deck or state.discards)


def with_hand_filled(state: State, seat: int, reshuffled: Sequence[str] | None) -> State:
    """The hand filled up from the deck; ``reshuffled`` is the discard pile as the deck after the deck."""
    deck, discards = state.deck, state.discards
    if reshuffled is not None:
        deck, discards = (*deck, *reshuffled), ()
    count = wanted(state, seat)
    hands = {**state.hands, seat: (*state.hands[seat], *deck[:count])}
    return replaced(state, hands=hands, deck=deck[count:], discards=discards)


# --- the next round ---


def with_next_round(state: State, destinations: Sequence[str]) -> State:
    """The board reset: cards to the discard pile, the destinations become the starts."""
    if state.round == ROUNDS:  # a scorekeeper's match: nobody else says that the last round is over
        return _round_over(state, "called")
    endings = state.endings if state.phase == "between" else (*state.endings, "called")
    starts = state.destinations
    settled_destinations, swaps = settled(starts, destinations)
    return replaced(
        state,
        starts=starts,
        destinations=settled_destinations,
        swaps=swaps,
        discards=(*state.discards, *state.laid) if state.dealt else (),
        grid={},
        turn=next_starter(state),
        round=state.round + 1,
        phase="place",
        idle=0,
        endings=endings,
        last="",
        changed=(),
    )


def next_starter(state: State) -> int:
    """Who starts the next round: play goes on clockwise, or who made the fewest points in this one."""
    following = _playing_from(state, state.after(state.turn))
    if state.options.next_start == "clockwise":
        return following
    points = totals(state, of=state.round if state.revision >= 2 else None)
    return fewest({**points, **dict.fromkeys(state.out, sum(points.values()) + 1)}, following)


def _playing_from(state: State, seat: int) -> int:
    """This seat or the next one clockwise that somebody plays; itself where everybody has left."""
    clockwise = [1 + (seat - 1 + step) % len(state.starts) for step in range(len(state.starts))]
    return next((one for one in clockwise if one not in state.out), seat)


def fewest(points: Mapping[int, int], from_seat: int) -> int:
    """The seat with the fewest points; among equals the first one clockwise from a seat.

    >>> fewest({1: 4, 2: 0, 3: 0}, 3)
    3
    """
    return min(points, key=lambda seat: (points[seat], (seat - from_seat) % len(points)))


# --- points ---


def arrival_points(arrival: Arrival) -> JsonObject:
    """What an arrival has brought so far, by rule."""
    parts = {
        "arrival": POINTS.arrival,
        "first": POINTS.first if arrival.first else 0,
        "turns": POINTS.turn * arrival.turns,
    }
    return {**parts, "points": sum(parts.values())}


def totals(state: State, of: int | None = None) -> dict[int, int]:
    """Every seat's points so far, or those of one round."""
    points = dict.fromkeys(state.seats, 0)
    for arrival in state.arrivals:
        if of in (None, arrival.round):
            points[arrival.seat] += arrival_points(arrival)["points"]
    return points
