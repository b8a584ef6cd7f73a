"""Paying and building: the fast listing against slow, obvious ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.game.base import MatchRequest, Refusal
from companion.games.spike.rules.match.state import State, with_player
from companion.games.spike.rules.moves import build_search
from companion.games.spike.rules.moves.build_search import open_builds, priced_builds
from companion.games.spike.rules.moves.builds import Build, Ground, ground_of, judge_build, needed
from companion.games.spike.rules.moves.payment import Counts, payable, payments, pays_exactly
from companion.table.chance import SeededChance
from lab.spike.randomplay import random_match, random_start
from tests.companion.games.spike.rules.matches import BOARD, GAME, playing, way, with_network

COUNTS = st.lists(st.integers(0, 4), min_size=6, max_size=6).map(tuple)
SMALL = st.lists(st.integers(0, 2), min_size=6, max_size=6).map(tuple)


# --- payment ---


def slow_payments(hand: Counts, need: Counts) -> set[Counts]:
    """Every set of cards from the hand that can be divided into plain cards and wild sets without waste."""
    return {
        paid
        for paid in product(*(range(count + 1) for count in hand))
        if sum(paid) >= sum(need) and slow_pays(paid, need)
    }


def slow_pays(paid: Counts, need: Counts) -> bool:
    """Plain cards first; then every way to turn a surplus into what is lacking, one set after the other."""
    surplus = {
        suit: have - want for suit, (have, want) in enumerate(zip(paid, need, strict=True)) if have > want
    }
    lacking = {
        suit: want - have for suit, (have, want) in enumerate(zip(paid, need, strict=True)) if want > have
    }
    return any(not left for left in _turned(surplus, lacking, frozenset()))


def _turned(
    surplus: dict[int, int], lacking: dict[int, int], used: frozenset[tuple[int, int]]
) -> Iterator[dict[int, int]]:
    if not lacking:
        yield surplus
        return
    for source, cards in surplus.items():
        for target, wanted in lacking.items():
            if (source, target) in used:
                continue
            for got in range(1, min(wanted, cards - 1) + 1):
                left = {**surplus, source: cards - got - 1}
                still = {**lacking, target: wanted - got}
                yield from _turned(
                    {suit: count for suit, count in left.items() if count},
                    {suit: count for suit, count in still.items() if count},
                    used | {(source, target)},
                )


@settings(max_examples=150, deadline=None)
@given(hand=COUNTS, need=SMALL)
def test_payments_are_those_that_an_obvious_search_finds(hand: Counts, need: Counts) -> None:
    hand = tuple(min(count, 3) for count in hand)
    if sum(need) > 5:
        return
    slow = slow_payments(hand, need)
    assert payable(hand, need) == bool(slow)
    direct = tuple(map(min, hand, need))
    plain_first = {paid for paid in slow if all(used >= own for used, own in zip(paid, direct, strict=True))}
    assert set(payments(hand, need)) == plain_first


@given(hand=COUNTS, need=SMALL)
def test_the_first_payment_is_a_cheapest_and_every_one_pays_exactly(hand: Counts, need: Counts) -> None:
    if not payable(hand, need):
        assert payments(hand, need) == ()
        return
    ways = payments(hand, need)
    assert sum(ways[0]) == min(map(sum, ways))
    for paid in ways:
        assert pays_exactly(paid, need)
        assert all(used <= have for used, have in zip(paid, hand, strict=True))


@given(hand=COUNTS, need=SMALL, suit=st.integers(0, 5))
def test_a_card_more_never_hurts_and_a_track_more_never_helps(hand: Counts, need: Counts, suit: int) -> None:
    richer = tuple(count + (number == suit) for number, count in enumerate(hand))
    dearer = tuple(count + (number == suit) for number, count in enumerate(need))
    assert payable(hand, need) <= payable(richer, need)
    assert payable(hand, dearer) <= payable(hand, need)


def test_a_card_that_would_fit_may_be_kept_for_later() -> None:
    """The listing plays wanted cards as themselves; who names the cards may trade in others instead."""
    hand, need = (1, 2, 0, 0, 0, 0), (1, 0, 0, 0, 0, 0)
    assert payments(hand, need) == ((1, 0, 0, 0, 0, 0),)
    assert pays_exactly((0, 2, 0, 0, 0, 0), need)


# --- building ---


def slow_builds(ground: Ground, hand: Counts, longest: int) -> set[tuple[str, ...]]:
    """Every walk of tracks up to a length, kept where nothing is against it and the hand pays."""
    found = set()
    waiting: list[tuple[str, tuple[str, ...]]] = [(place, ()) for place in ground.mine]
    while waiting:
        here, path = waiting.pop()
        for one in ground.board.ways[here]:
            longer = (*path, one.track)
            if one.track in path:
                continue
            if not isinstance(judge_build(ground, longer), Refusal) and payable(
                hand, needed(ground.board, longer)
            ):
                found.add(longer)
            if len(longer) < longest:
                waiting.append((one.to, longer))
    return found


def some_state(seed: int, steps: int, **options: Any) -> State:
    """A position out of a random match."""
    chance = SeededChance(seed)
    state = random_start(MatchRequest(2 + seed % 3, "umpire", options), chance)
    now = state
    for number, (_, now) in enumerate(random_match(state, chance)):
        if number >= steps and now.phase == "play" and not now.acted:
            break
    return now


@settings(max_examples=12, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    steps=st.integers(10, 150),
    reach=st.sampled_from(["one", "several"]),
    rejoin=st.sampled_from(["no", "yes"]),
    segments=st.sampled_from(["exclusive", "shared"]),
)
def test_the_listing_is_complete_and_nothing_in_it_is_refused(seed: int, steps: int, **options: str) -> None:
    state = some_state(seed, steps, **options)
    if state.finished:
        return
    hand = tuple(min(count, 2) for count in state.player.hand)
    while sum(hand) > 4:
        hand = tuple(max(0, count - (number == hand.index(max(hand)))) for number, count in enumerate(hand))
    ground = ground_of(state, state.turn)
    listed = open_builds(ground, hand)
    paths = [build.path for build in listed]
    assert len(set(paths)) == len(paths)
    assert set(paths) == slow_builds(ground, hand, sum(hand))
    for build in listed:
        assert judge_build(ground, build.path) == build or options["rejoin"] == "yes"


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6), steps=st.integers(10, 250))
def test_everything_listed_as_legal_is_accepted_and_applied(seed: int, steps: int) -> None:
    state = some_state(seed, steps)
    for seat in state.players:
        for action in GAME.legal(state, seat)[::7]:
            decided = GAME.decide(state, action, SeededChance(seed))
            assert not isinstance(decided, Refusal), (action, decided)
            assert GAME.faults(GAME.apply(state, decided)) == []


def test_with_as_many_cards_as_one_likes_every_city_around_is_open() -> None:
    state = playing("nashville", "norfolk")
    rich = with_player(state, 1, hand=(3,) * 6, held=18)
    cities = {build.cities[-1] for build in open_builds(ground_of(rich, 1), (3,) * 6)}
    assert {"memphis", "knoxville", "louisville", "birmingham"} <= cities


def test_of_too_many_builds_all_the_shorter_ones_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    ground = ground_of(playing("nashville", "norfolk"), 1)
    everything = open_builds(ground, (2,) * 6)
    monkeypatch.setattr(build_search, "MOST_LISTED", len(everything) // 3)
    some = open_builds(ground, (2,) * 6)
    longest = max(len(build.path) for build in some)
    assert 0 < len(some) <= len(everything) // 3
    assert set(some) == {build for build in everything if len(build.path) <= longest}


def test_a_hoard_of_all_cards_is_listed_in_reasonable_time() -> None:
    state = playing("nashville", "norfolk", reach="several")
    state = with_network(state, 1, "nashville", "memphis", "little-rock")
    builds = open_builds(ground_of(state, 1), (10,) * 6)
    assert 500 < len(builds) <= build_search.MOST_LISTED
    longer = way("nashville", "knoxville") + way("knoxville", "charleston") + way("charleston", "pittsburgh")
    assert not isinstance(judge_build(ground_of(state, 1), longer), Refusal)


def test_no_build_is_longer_than_the_pieces_left() -> None:
    state = playing("nashville", "norfolk")
    ground = ground_of(state, 1)
    short = Ground(BOARD, state.options, ground.mine, ground.closed, 2)
    assert all(len(build.path) <= 2 for build in open_builds(short, (3,) * 6))


def test_a_build_says_its_cities_and_the_cards_it_needs() -> None:
    path = tuple(way("norfolk", "raleigh"))
    judged = judge_build(ground_of(playing("norfolk", "topeka"), 1), path)
    assert judged == Build(path, ("raleigh",), needed(BOARD, path))


# --- the fast listing against the plain one it took the place of ---


def plain_listing(ground: Ground, hand: Counts) -> set[tuple[Build, tuple[Counts, ...]]]:
    """Every way followed track by track for as long as the hand can pay, and every payment looked up anew."""
    longest, found = min(ground.pieces, sum(hand)), set[tuple[Build, tuple[Counts, ...]]]()
    waiting: list[tuple[str, tuple[str, ...], tuple[str, ...]]] = [(start, (), ()) for start in ground.mine]
    while waiting:
        here, path, been = waiting.pop()
        for one in ground.board.ways[here]:
            longer = (*path, one.track)
            need = needed(ground.board, longer)
            if one.track in ground.closed or one.to in (*been, here) or not payable(hand, need):
                continue
            judged = judge_build(ground, longer)
            if isinstance(judged, Build):
                found.add((judged, payments(hand, need)))
            if len(longer) < longest and goes_on(ground, one.to):
                waiting.append((one.to, longer, (*been, here)))
    return found


def goes_on(ground: Ground, place: str) -> bool:
    """May a build lead on from here?"""
    through = place not in ground.board.cities or ground.options.reach == "several"
    return through and place not in ground.mine


@settings(max_examples=15, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    steps=st.integers(10, 150),
    hand=st.lists(st.integers(0, 5), min_size=7, max_size=7),
    pieces=st.integers(2, 20),
    options=st.fixed_dictionaries(
        {
            "reach": st.sampled_from(["one", "several"]),
            "rejoin": st.sampled_from(["no", "yes"]),
            "segments": st.sampled_from(["exclusive", "shared"]),
        }
    ),
)
def test_what_is_listed_with_its_payments_is_what_a_plain_search_finds(
    seed: int, steps: int, hand: list[int], pieces: int, options: dict[str, str]
) -> None:
    state = some_state(seed, steps, **options)
    ground = replace(ground_of(state, state.turn), pieces=pieces)
    cards = tuple(hand.count(suit) for suit in range(6))
    listed = priced_builds(ground, cards)
    assert len({build.path for build, _ in listed}) == len(listed)
    assert set(listed) == plain_listing(ground, cards)
