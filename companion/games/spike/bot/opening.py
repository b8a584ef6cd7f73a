"""What is decided before the first turn."""

from __future__ import annotations

from companion.game.base import Action
from companion.games.spike.bot.errands import FAR, hops_from, worth_of_a_city
from companion.games.spike.rules.match.opening_actions import legal_before
from companion.games.spike.rules.match.state import Held, State


def opening(state: State, seat: int) -> Action | None:
    """What a seat does before the turns, or after them; None where only people know."""
    legal = [action for action in legal_before(state, seat) if action.kind not in ("declare", "market")]
    if not legal or (state.phase == "reveal" and not state.by_box):
        return None
    if state.phase == "sides":
        return _sides(state, seat)
    if state.phase == "give":
        hand = dict(zip(state.options.on.suits, state.players[seat].hand, strict=True))
        return min(legal, key=lambda action: (hand[action.data["card"]], action.data["card"]))
    if state.phase == "place":
        board, contracts = state.options.on, state.players[seat].contracts
        return max(
            legal,
            key=lambda action: (
                worth_of_a_city(board, action.data["city"], contracts, state),
                action.data["city"],
            ),
        )
    return max(
        legal, key=lambda action: (_worth_of_a_route(state, seat, action.data["card"]), action.data["card"])
    )


def _sides(state: State, seat: int) -> Action:
    """Choose the more promising side of every contract."""
    own = state.players[seat].contracts
    contracts = state.options.pack.contracts
    turned = [
        held.name
        for held in own
        if _worth_of_a_side(state, contracts[held.name].turned) > _worth_of_a_side(state, held.name)
    ]
    return Action("sides", seat, {"turned": turned})


def _worth_of_a_side(state: State, name: str) -> float:
    board = state.options.on
    return max(worth_of_a_city(board, city, (Held(name),), state) for city in board.cities)


def _worth_of_a_route(state: State, seat: int, start: str) -> float:
    """What a route pays, less the way to it from where one's contracts lead."""
    board, pack = state.options.on, state.options.pack
    places = [city for held in state.players[seat].contracts for city in pack.contracts[held.name].pays]
    hops = hops_from(board, start)
    best = max(pays - 0.5 * hops.get(city, FAR) for city, pays in pack.routes[start].pays.items())
    return best - 0.2 * min([hops.get(city, FAR) for city in places], default=0)
