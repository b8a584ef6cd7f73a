"""Loading, dumping and delivering."""

from __future__ import annotations

import msgspec

from companion.core.errors import quoted
from companion.core.jsontext import shaped
from companion.core.messages import m
from companion.core.records import replaced
from companion.game.base import Action, Chance, Fact, Refusal
from companion.games.spike.rules.match.flow import acted, free_refusal, listed_actions, player_of, with_train
from companion.games.spike.rules.match.state import Player, State, Train, with_player
from companion.games.spike.rules.moves.trains import (
    contract_of,
    deliverable,
    has_room,
    in_city,
    loadable,
    price_of,
)
from companion.games.spike.rules.words import good_words


class Good(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The data of an action that names a good."""

    good: str


def decide_load(state: State, action: Action, _chance: Chance) -> Fact | Refusal:
    """Take a good aboard in a city that supplies it."""
    good = shaped(action.data, Good, "bad-action").good
    refusal = free_refusal(state, action.seat)
    if refusal is not None:
        return refusal
    player, train = player_of(state, action.seat)
    if good != loadable(state, player):
        return _load_refusal(state, player, good)
    if not has_room(train):
        return Refusal(
            "full", m("all {cargo} freight cars are full: dump something first", cargo=train.cargo)
        )
    return Fact("load", action.seat, {"good": good})


def _load_refusal(state: State, player: Player, good: str) -> Refusal:
    _, train = player_of(state, state.turn)
    city = in_city(state.options.on, train)
    if city is None:
        return Refusal("not-in-city", m("cargo is loaded in a city"))
    supplies = state.options.on.cities[city].good
    if good != supplies:
        return Refusal(
            "not-supplied",
            m(
                "{city} supplies {supplies}, not {good}",
                city=city,
                supplies=good_words(supplies),
                good=quoted(good),
            ),
        )
    held = contract_of(state, player, good)
    if held is None:
        return Refusal("no-contract", m("you have no contract for {good}", good=good_words(good)))
    return Refusal(
        "no-token",
        (
            m("your {good} is delivered already", good=good_words(good))
            if held.delivered
            else m("your {good} is on your train already", good=good_words(good))
        ),
    )


def apply_load(state: State, fact: Fact) -> State:
    """The state with the good on the train."""
    return with_train(state, aboard=(*player_of(state, state.turn)[1].aboard, fact.data["good"]))


def decide_dump(state: State, action: Action, _chance: Chance) -> Fact | Refusal:
    """Put a good back onto its contract, to make room for another."""
    good = shaped(action.data, Good, "bad-action").good
    refusal = free_refusal(state, action.seat)
    if refusal is not None:
        return refusal
    _, train = player_of(state, action.seat)
    if good not in train.aboard:
        return Refusal("not-aboard", m("there is no {good} on your train", good=quoted(good)))
    if good not in dumps(state):
        return Refusal("no-need", m("cargo is dumped to make room for what is loaded here"))
    return Fact("dump", action.seat, {"good": good})


def dumps(state: State) -> list[str]:
    """The goods aboard that may be put back now."""
    player, train = player_of(state, state.turn)
    making_room = loadable(state, player) is not None and not has_room(train)
    return list(train.aboard) if making_room else []


def apply_dump(state: State, fact: Fact) -> State:
    """The state with the good back on its contract."""
    aboard = tuple(good for good in player_of(state, state.turn)[1].aboard if good != fact.data["good"])
    return with_train(state, aboard=aboard)


def decide_deliver(state: State, action: Action, _chance: Chance) -> Fact | Refusal:
    """Deliver a good where the train is."""
    good = shaped(action.data, Good, "bad-action").good
    refusal = free_refusal(state, action.seat)
    if refusal is not None:
        return refusal
    player, train = player_of(state, action.seat)
    if good in deliverable(state, player):
        return Fact("deliver", action.seat, {"good": good})
    return _deliver_refusal(state, player, train, good)


def _deliver_refusal(state: State, player: Player, train: Train, good: str) -> Refusal:
    if good not in train.aboard:
        return Refusal("not-aboard", m("there is no {good} on your train", good=quoted(good)))
    city = in_city(state.options.on, train)
    if city is None:
        return Refusal("not-in-city", m("cargo is delivered in a city"))
    if city in player.delivered_to:
        return Refusal("one-a-city", m("you have delivered to {city} before: one cargo a city", city=city))
    message = m("your contract for {good} does not name {city}", good=good_words(good), city=city)
    return Refusal("not-named", message)


def apply_deliver(state: State, fact: Fact) -> State:
    """The state after a delivery: paid for, the city marked, the good gone from the train."""
    player, train = player_of(state, state.turn)
    good = fact.data["good"]
    dollars = price_of(state, player, good, train.at) or 0
    paid = contract_of(state, player, good)
    contracts = tuple(
        replaced(held, delivered=train.at) if held == paid else held for held in player.contracts
    )
    after = with_player(state, state.turn, contracts=contracts, money=player.money + dollars)
    after = with_train(after, aboard=tuple(other for other in train.aboard if other != good))
    return acted(after) if state.acted else after


def legal_loads(state: State) -> list[Action]:
    """The good of this city, if there is room for it."""
    player, train = player_of(state, state.turn)
    good = loadable(state, player)
    return listed_actions(
        "load", "good", [good] if good and has_room(train) and not state.drawing else [], state
    )
