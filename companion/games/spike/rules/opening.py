"""What is open to a seat before the first turn, and when only the routes are missing."""

from __future__ import annotations

from itertools import combinations

from companion.games.contract import Action
from companion.games.spike.rules.rail_cards import suits_of
from companion.games.spike.rules.state import State


def legal_before(state: State, seat: int) -> list[Action]:
    """Every action open to a seat outside the turns.

    What people's own cards are cannot be listed: then the actions are named with nothing in them.
    """
    if state.phase in ("give", "place"):
        return _in_turn(state) if seat == state.turn else []
    market = [Action("market", seat)] if state.phase == "declare" else []
    return market + (_waited_for(state, seat) if seat in state.waiting else [])


def _waited_for(state: State, seat: int) -> list[Action]:
    if state.phase == "declare":
        return [Action("declare", seat)]
    if state.phase == "sides":
        return _sides(state, seat)
    taken = {player.route for player in state.players.values()}
    cards = state.players[seat].offered if state.by_box else state.options.pack.routes
    return [Action("route", seat, {"card": card}) for card in cards if card not in taken]


def _in_turn(state: State) -> list[Action]:
    if state.phase == "place":
        return [Action("place", state.turn, {"city": city}) for city in state.options.on.cities]
    hand = zip(suits_of(state), state.player.hand, strict=True)
    return [Action("give", state.turn, {"card": suit}) for suit, count in hand if count]


def _sides(state: State, seat: int) -> list[Action]:
    own = [held.name for held in state.players[seat].contracts]
    choices = (chosen for count in range(len(own) + 1) for chosen in combinations(own, count))
    return [Action("sides", seat, {"turned": list(chosen)}) for chosen in choices]
