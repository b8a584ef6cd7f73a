"""Whole matches: what a seat may see does not depend on what it must not know.

At moments of random matches everything hidden from a seat is exchanged: other hands are dealt anew, the deck
is shuffled again, routes are swapped. Whatever that seat (or a watcher) is shown must be the same as before.
"""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from companion.core.errors import GameError
from companion.core.jsontext import JsonObject
from companion.core.records import replaced
from companion.game.base import Action, Fact, MatchRequest, NoChance, Refusal
from companion.games.spike.rules.match.state import State, with_player
from companion.games.spike.rules.moves.rail_cards import counted, spelled, suits_of
from companion.games.spike.rules.rulebook import TIME
from companion.games.spike.ui.controls import controls
from companion.table.chance import SeededChance
from lab.spike.randomplay import random_match
from tests.companion.games.spike.rules.matches import GAME, after, begun, playing


def exchanged(state: State, seat: int | None, random: Random) -> State:
    """Another match that looks the same to the seat."""
    suits = suits_of(state)
    others = [other for other in state.players if other != seat]
    cards = [card for other in others for card in spelled(suits, state.players[other].hand)]
    cards += [card for card in state.deck if card != TIME]
    random.shuffle(cards)
    for other in others:
        held = state.players[other].held
        hand, cards = cards[:held], cards[held:]
        state = with_player(state, other, hand=counted(suits, hand), held=held)
    deck = [TIME] * state.deck.count(TIME) + cards
    random.shuffle(deck)
    state = replaced(state, deck=tuple(deck))
    return _other_routes(state, seat, random)


def _other_routes(state: State, seat: int | None, random: Random) -> State:
    own = state.players[seat] if seat is not None else None
    taken = {own.route, *own.offered} if own else set()
    free = [card for card in state.options.pack.routes if card not in taken]
    random.shuffle(free)
    for other, player in state.players.items():
        if other == seat:
            continue
        offered = tuple(free.pop() for _ in player.offered)
        route = free.pop() if player.route else None
        state = with_player(state, other, route=route, offered=offered)
    return state


def shown(state: State, seat: int | None) -> str:
    """Everything the table says to a seat about this state."""
    legal = [] if seat is None else GAME.legal(state, seat)
    said = [
        GAME.view(state, seat),
        GAME.score(state),
        [(one.kind, one.data) for one in legal],
        GAME.faults(state),
    ]
    return json.dumps(said)


def refusals(state: State, seat: int, random: Random) -> list[str]:
    """What a seat hears when it asks for what it cannot have."""
    train = state.players[seat].train
    asked: list[tuple[str, JsonObject]] = [
        ("draw", {"from": random.choice(["deck", "red", "blue", "nothing"])}),
        ("build", {"path": [random.choice(list(state.options.on.tracks))]}),
        ("move", {"to": random.choice(list(state.options.on.cities))}),
        ("deliver", {"good": random.choice(list(state.options.on.goods))}),
        ("upgrade", {"part": "speed"}),
        ("give", {"card": "red"}),
        ("route", {"card": random.choice(list(state.options.pack.routes))}),
        ("boost", {"to": train.at if train else "topeka"}),
    ]
    return [said for kind, data in asked if (said := _refused(state, Action(kind, seat, data)))]


def _refused(state: State, action: Action) -> str:
    try:
        answer = GAME.decide(state, action, NoChance())
    except LookupError:  # accepted, but for a shuffle
        return ""
    except GameError as problem:
        return problem.message
    return json.dumps([answer.code, answer.message, answer.detail]) if isinstance(answer, Refusal) else ""


@pytest.mark.parametrize(("seats", "seed"), [(2, 1), (2, 2), (3, 3), (3, 4), (4, 5), (4, 6)])
@pytest.mark.parametrize("play", ["basic", "advanced"])
def test_nothing_shown_to_a_seat_depends_on_other_hands_routes_or_the_deck(
    seats: int, seed: int, play: str
) -> None:
    random, chance = Random(seed), SeededChance(seed)
    for number, (_, state) in enumerate(random_match(begun(seats, seed=seed, play=play), chance)):
        if state.finished or number % 9:
            continue
        for seat in (None, *state.players):
            other = exchanged(state, seat, random)
            assert GAME.faults(other) == []
            assert shown(other, seat) == shown(state, seat)
            if seat is not None:
                again = random.random()
                assert refusals(other, seat, Random(again)) == refusals(state, seat, Random(again))


def test_hands_are_seen_after_the_sides_and_the_row_after_the_card_to_the_right() -> None:
    """Steps 4 to 7 of the setup, though all of it is shuffled at once."""
    state = begun(3, play="advanced", first=1)
    assert state.phase == "sides"
    every_rail = sum(player.held for player in state.players.values()) + len(state.deck) + len(state.shown)
    view = GAME.view(state, 1)
    assert (view["hand"], view["shown"], view["deck"]) == (None, [], every_rail)
    assert {player["cards"] for player in view["seats"].values()} == {0}
    assert controls(state, 1).told["hand"] == []
    while state.phase == "sides":
        state = after(state, "sides", state.waiting[0], turned=[])
    view = GAME.view(state, 1)
    assert (sum(view["hand"].values()), view["shown"], view["deck"]) == (5, [], every_rail - 15)
    card = next(name for name, count in view["hand"].items() if count)
    state = after(state, "give", 1, card=card)
    view = GAME.view(state, 1)
    assert (len(view["shown"]), view["deck"]) == (4, every_rail - 19)


# --- events ---


def hidden_words(value: Any, key: str = "") -> list[str]:
    """Every key under which an event could carry what is hidden."""
    if isinstance(value, dict):
        return [word for name, inner in value.items() for word in (name, *hidden_words(inner, name))]
    if isinstance(value, list | tuple):
        return [word for inner in value for word in hidden_words(inner, key)]
    return []


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_no_event_shows_a_deck_a_route_or_a_card_that_was_given(seats: int) -> None:
    chance = SeededChance(seats)
    data = GAME.setup(MatchRequest(seats, "umpire", {"play": "advanced"}), chance)
    assert not isinstance(data, Refusal)
    start = Fact("start", None, {"game": "spike", "mode": "umpire", "players": [], "setup": data})
    facts = [start]
    for fact, state in random_match(GAME.start(data), chance):
        facts.append(fact)
        if state.finished:
            break
        for seat in (None, *state.players):
            _looks_clean(state, fact, seat)
    assert any("chance" in fact.data for fact in facts)
    before = begun(seats)
    for seat in (None, *before.players):
        _looks_clean(before, start, seat)


def _looks_clean(state: State, fact: Fact, seat: int | None) -> None:
    shown_fact = GAME.seen(state, fact, seat)
    words = hidden_words(shown_fact.data)
    assert "chance" not in words
    assert not {"rails", "routes", "decks"} & set(words)
    if fact.kind in ("give", "route") and seat != fact.seat:
        right = seat is not None and fact.kind == "give" and "card" in shown_fact.data
        assert right or "card" not in words


def test_a_card_that_is_given_is_seen_by_giver_and_receiver_only() -> None:
    state = begun(4, first=2)
    fact = Fact("give", 2, {"card": "red"})
    assert [GAME.seen(state, fact, seat).data for seat in (None, 1, 2, 3, 4)] == [
        {},
        {"card": "red"},
        {"card": "red"},
        {},
        {},
    ]


def test_corrections_hide_what_their_events_hide() -> None:
    state = begun(3, first=1)
    fact = Fact("correct", 1, {"seq": 3, "data": {"card": "red", "chance": {"decks": [["red"]]}}})
    assert GAME.seen(state, fact, 2).data == {"seq": 3, "data": {}}
    assert GAME.seen(state, fact, 1).data == {"seq": 3, "data": {"card": "red"}}


def test_at_the_end_everything_may_be_seen() -> None:
    state = replaced(begun(2), phase="over")
    fact = Fact("give", 1, {"card": "red"})
    assert GAME.seen(state, fact, None) == fact


def test_an_own_hand_is_shown_to_its_owner() -> None:
    state = playing("topeka", "norfolk")
    hand = GAME.view(state, 2)["hand"]
    assert sum(hand.values()) == state.players[2].held
    assert "hand" not in GAME.view(state, None)
