"""The actions before the first turn (and showing the routes, after the last one): decided, applied, listed.

======= ============================ =======================================================================
action  data                         means
======= ============================ =======================================================================
sides   ``turned``                   these contracts are used from their other side (advanced play)
give    ``card``                     the seat that begins gives a rail card to the player on its right
route   ``card``                     the route that is kept (advanced play); at the end: the route I had
place   ``city``                     where my locomotive begins
declare ``contracts``                the contracts I was dealt (people's own cards)
market  ``columns``                  how the chips lie, the highest price first (people's own cards)
======= ============================ =======================================================================
"""

from __future__ import annotations

from itertools import combinations

import msgspec

from companion.core.errors import quoted
from companion.core.jsontext import shaped
from companion.core.messages import Seat, m
from companion.core.records import replaced
from companion.game.base import Action, Chance, Fact, Refusal
from companion.games.spike.rules.match.state import (
    Held,
    Phase,
    State,
    Train,
    in_turn_order,
    right_of,
    with_player,
)
from companion.games.spike.rules.moves.market import Market, market_fault
from companion.games.spike.rules.moves.rail_cards import suits_of
from companion.games.spike.rules.words import good_words


class _Sides(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    turned: tuple[str, ...] = ()


class _Card(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    card: str


class _Place(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    city: str


class _Declare(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    contracts: tuple[str, ...]


class _Market(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    columns: Market


def _not_waiting(state: State, seat: int | None, phase: Phase, what: str) -> Refusal | None:
    if state.phase != phase:
        return Refusal("not-now", m("{what} is not asked for now", what=what))
    if seat not in state.waiting:
        return Refusal("done", m("{seat} has done this already", seat=Seat(seat or 0)))
    return None


def _done(state: State, seat: int, following: Phase) -> State:
    """The state with this seat no longer waited for; after the last one the next phase begins."""
    waiting = tuple(other for other in state.waiting if other != seat)
    return replaced(state, waiting=waiting) if waiting else begun(state, following)


def begun(state: State, phase: Phase) -> State:
    """The state at the beginning of a phase: every seat is waited for, or the seats act in turn."""
    everybody = phase in ("sides", "routes", "reveal")
    return replaced(
        state, phase=phase, turn=state.first, waiting=tuple(sorted(state.players)) if everybody else ()
    )


# --- contract sides ---


def decide_sides(state: State, action: Action, _chance: Chance) -> Fact | Refusal:
    """Choose the sides of all one's contracts at once."""
    request = shaped(action.data, _Sides, "bad-action")
    refusal = _not_waiting(state, action.seat, "sides", m("which sides of the contracts are used"))
    if refusal is not None:
        return refusal
    own = [held.name for held in state.players[action.seat or 0].contracts]
    stranger = next((name for name in request.turned if name not in own), None)
    if stranger is not None:
        return Refusal(
            "not-yours",
            m(
                "you have no contract {stranger}: yours are {own}",
                stranger=quoted(stranger),
                own=", ".join(own),
            ),
        )
    turned = [name for name in own if name in request.turned]
    return Fact("sides", action.seat, {"turned": turned})


def apply_sides(state: State, fact: Fact) -> State:
    """The contracts with the chosen sides up."""
    seat, contracts = fact.seat or 0, state.options.pack.contracts
    chosen = tuple(
        Held(contracts[held.name].turned) if held.name in fact.data["turned"] else held
        for held in state.players[seat].contracts
    )
    return _done(with_player(state, seat, contracts=chosen), seat, "give")


# --- the card to the right ---


def decide_give(state: State, action: Action, _chance: Chance) -> Fact | Refusal:
    """The seat that begins gives away one card."""
    request = shaped(action.data, _Card, "bad-action")
    if state.phase != "give" or action.seat != state.first:
        return Refusal(
            "not-now",
            m("{first} gives one card to the right, at the beginning only", first=Seat(state.first)),
        )
    suits = suits_of(state)
    if request.card not in suits or not state.players[state.first].hand[suits.index(request.card)]:
        return Refusal("not-in-hand", m("you have no {card} card to give", card=quoted(request.card)))
    return Fact("give", action.seat, {"card": request.card})


def apply_give(state: State, fact: Fact) -> State:
    """Move the card from the first player's hand to the player on the right."""
    giver, taker = state.first, right_of(state, state.first)
    place = suits_of(state).index(fact.data["card"])
    for seat, change in ((giver, -1), (taker, 1)):
        player = state.players[seat]
        hand = tuple(count + change * (number == place) for number, count in enumerate(player.hand))
        state = with_player(state, seat, hand=hand, held=player.held + change)
    return begun(state, "routes" if state.options.play == "advanced" else "place")


# --- routes ---


def decide_route(state: State, action: Action, _chance: Chance) -> Fact | Refusal:
    """Keep one of two routes; or show one's own card at the end."""
    request = shaped(action.data, _Card, "bad-action")
    phase: Phase = "routes" if state.by_box else "reveal"
    refusal = _not_waiting(state, action.seat, phase, m("a route card"))
    if refusal is not None:
        return refusal
    offered = state.players[action.seat or 0].offered
    if state.by_box and request.card not in offered:
        return Refusal("not-yours", m("you were not dealt the route of {card}", card=quoted(request.card)))
    card = state.options.pack.find_route(request.card).route
    taken = [seat for seat, player in state.players.items() if player.route == card]
    if not state.by_box and taken:
        return Refusal(
            "taken",
            m(
                "{taken} has the route of {card}: every route card is there once",
                taken=Seat(taken[0]),
                card=card,
            ),
        )
    return Fact("route", action.seat, {"card": card})


def apply_route(state: State, fact: Fact) -> State:
    """The route is this player's."""
    seat = fact.seat or 0
    after = with_player(state, seat, route=fact.data["card"], offered=())
    return _done(after, seat, "place" if state.phase == "routes" else "over")


# --- people's own cards ---


def decide_declare(state: State, action: Action, _chance: Chance) -> Fact | Refusal:
    """Say which contracts one was dealt on the table."""
    request = shaped(action.data, _Declare, "bad-action")
    refusal = _not_waiting(state, action.seat, "declare", m("which contracts were dealt"))
    if refusal is not None:
        return refusal
    pack, each = state.options.pack, len(state.options.on.goods) // len(state.players)
    goods = [pack.find_contract(name).contract for name in request.contracts]
    others = {
        pack.contracts[held.name].contract for player in state.players.values() for held in player.contracts
    }
    if len(set(goods)) != each or len(goods) != each:
        message = m(
            "with {players} players everybody has contracts for {each} different goods",
            players=len(state.players),
            each=each,
        )
        return Refusal("bad-contracts", message)
    twice = next((good for good in goods if good in others), None)
    if twice is not None:
        return Refusal(
            "bad-contracts", m("somebody has the contract for {twice} already", twice=good_words(twice))
        )
    return Fact("declare", action.seat, {"contracts": list(request.contracts)})


def apply_declare(state: State, fact: Fact) -> State:
    """The contracts lie in front of their player."""
    seat = fact.seat or 0
    state = with_player(state, seat, contracts=tuple(Held(name) for name in fact.data["contracts"]))
    return with_all_declared(
        replaced(state, waiting=tuple(other for other in state.waiting if other != seat))
    )


def decide_market(state: State, action: Action, _chance: Chance) -> Fact | Refusal:
    """Say how the chips were placed."""
    request = shaped(action.data, _Market, "bad-action")
    if state.phase != "declare":
        return Refusal("not-now", m("the market is declared before the first turn"))
    refusal = market_fault(state.options.on, request.columns)
    return refusal or Fact("market", action.seat, {"columns": [list(column) for column in request.columns]})


def apply_market(state: State, fact: Fact) -> State:
    """The chips as they lie."""
    return with_all_declared(replaced(state, market=tuple(tuple(column) for column in fact.data["columns"])))


def with_all_declared(state: State) -> State:
    """Turns begin when everybody has declared his contracts, and the market lies there."""
    return state if state.waiting or not state.market else begun(state, "place")


# --- locomotives ---


def decide_place(state: State, action: Action, _chance: Chance) -> Fact | Refusal:
    """Put the locomotive into a city."""
    request = shaped(action.data, _Place, "bad-action")
    if state.phase != "place":
        return Refusal("not-now", m("locomotives are placed once, before the first turn"))
    if action.seat != state.turn:
        return Refusal("not-your-turn", m("{turn} places its locomotive now", turn=Seat(state.turn)))
    return Fact("place", action.seat, {"city": state.options.on.find_city(request.city)})


def apply_place(state: State, fact: Fact) -> State:
    """The train stands in its city, in turn order."""
    state = with_player(state, fact.seat or 0, train=Train(fact.data["city"]))
    left = [seat for seat in in_turn_order(state) if state.players[seat].train is None]
    return replaced(state, turn=left[0]) if left else begun(state, "play")


# --- listing ---


def legal_before(state: State, seat: int) -> list[Action]:
    """Every action open to a seat outside the turns.

    Which cards people have on the table is not known here: those actions are listed without data.
    """
    if state.phase in ("give", "place"):
        return _one_after_the_other(state) if seat == state.turn else []
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


def _one_after_the_other(state: State) -> list[Action]:
    if state.phase == "place":
        return [Action("place", state.turn, {"city": city}) for city in state.options.on.cities]
    hand = zip(suits_of(state), state.player.hand, strict=True)
    return [Action("give", state.turn, {"card": suit}) for suit, count in hand if count]


def _sides(state: State, seat: int) -> list[Action]:
    own = [held.name for held in state.players[seat].contracts]
    choices = (chosen for count in range(len(own) + 1) for chosen in combinations(own, count))
    return [Action("sides", seat, {"turned": list(chosen)}) for chosen in choices]
