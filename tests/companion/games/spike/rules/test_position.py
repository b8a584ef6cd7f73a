"""Positions, move lists, and the build that explains the difference between two positions."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.errors import NotationError
from companion.core.jsontext import JsonObject
from companion.core.records import replaced
from companion.game.base import MatchRequest, Refusal
from companion.games.spike.rules.boards.difference import builds_of, explain_difference
from companion.games.spike.rules.boards.position import print_position, read_position
from companion.games.spike.rules.match.state import State
from companion.games.spike.rules.moves.builds import Build, ground_of
from companion.table.chance import SeededChance
from lab.spike.randomplay import random_match, random_start
from tests.companion.games.spike.rules.matches import BOARD, GAME, playing, way, with_network

TULSA = way("topeka", "tulsa")
DALLAS = way("tulsa", "dallas")


# --- score ---


def test_a_position_is_scored_with_places() -> None:
    answer = GAME.score_position({"tracks": {"1": TULSA, "2": []}, "money": {"1": 5, "2": 9}})
    assert [(row["seat"], row["place"], row["total"]) for row in answer["seats"]] == [(2, 1, 9), (1, 2, 5)]
    assert answer["seats"][1]["cities"] == 2
    assert answer["seats"][1]["tracks_left"] == 45 - len(TULSA)


def test_routes_count_in_a_position() -> None:
    card = next(route for route in read_position({"tracks": {"1": []}}).options.pack.routes.values())
    near = min(card.pays, key=lambda city: card.pays[city])
    answer = GAME.score_position({"tracks": {"1": _chain(card.route, near)}, "routes": {"1": card.route}})
    assert answer["seats"][0]["route"] >= card.pays[near]


def _chain(start: str, end: str) -> list[str]:
    hops = BOARD.hops(end)
    path, here = [], start
    while here != end:
        step = min(BOARD.ways[here], key=lambda one: hops[one.to])
        path.append(step.track)
        here = step.to
    return path


def test_the_lines_explain_the_score() -> None:
    lines = GAME.explain_position({"tracks": {"1": TULSA}, "money": {"1": 4}, "routes": {"1": "topeka"}})
    assert lines[0] == "place 1: seat 1"
    assert "  money: $4" in lines
    assert any(line.startswith("  route from Topeka") for line in lines)


def test_tracks_may_be_said_from_either_end() -> None:
    one, other = BOARD.tracks[TULSA[0]].track
    assert read_position({"tracks": {"1": [f"{other}-{one}"]}}).players[1].tracks == (TULSA[0],)


WRONG: list[tuple[JsonObject, str]] = [
    ({}, "'tracks' is missing"),
    ({"tracks": {}}, "there is no seat ''"),
    ({"tracks": {"5": []}}, "there is no seat '5': seats are 1 to 4"),
    ({"tracks": {"1": ["topeka-paris"]}}, "there is no track 'topeka-paris' on the board Eastern States"),
    ({"tracks": {"1": [TULSA[0], TULSA[0]]}}, f"seat 1 has the track {TULSA[0]} twice"),
    ({"tracks": {"1": list(BOARD.tracks)[:46]}}, "seat 1 has 46 tracks: there are 45 of each colour"),
    ({"tracks": {"1": TULSA, "2": TULSA[:1]}}, f"the seats 1 and 2 both have {TULSA[0]}"),
    ({"tracks": {"1": []}, "money": {"1": -1}}, "expected a whole number, at least 0"),
    ({"tracks": {"1": []}, "routes": {"1": "paris"}}, "there is no route card of 'paris'"),
    ({"tracks": {"1": []}, "contracts": {"1": ["pigs-9z"]}}, "there is no contract 'pigs-9z'"),
    (
        {"tracks": {"1": []}, "contracts": {"1": [{"name": "pigs-1a", "delivered": "norfolk"}]}},
        "pigs-1a does not name 'norfolk'",
    ),
    ({"tracks": {"1": []}, "hands": {"1": {"pink": 1}}}, "the hand of seat 1 has 'pink'"),
    (
        {"tracks": {"1": []}, "trains": {"1": {"at": "topeka", "speed": 4}}},
        "the speed of a train is one of 1, 2, 3",
    ),
    ({"tracks": {"1": []}, "trains": {"1": {"at": "nowhere"}}}, "there is no track 'nowhere'"),
    (
        {"tracks": {"1": []}, "trains": {"1": {"at": "topeka", "aboard": ["pigs", "coal"]}}},
        "2 goods on 1 freight cars",
    ),
    ({"tracks": {"1": []}, "market": [["pigs"]]}, "the market has 4 columns of 3 chips"),
    ({"tracks": {"1": []}, "turn": 3}, "it cannot be the turn of seat 3"),
    ({"tracks": {"1": []}, "colour": "red"}, "'colour' is not known here"),
]


@pytest.mark.parametrize(("position", "said"), WRONG, ids=[said for _, said in WRONG])
def test_a_position_that_cannot_be(position: JsonObject, said: str) -> None:
    with pytest.raises(NotationError) as problem:
        GAME.score_position(position)
    assert said in problem.value.message


def test_shared_segments_are_an_option() -> None:
    GAME.score_position({"tracks": {"1": TULSA, "2": TULSA}, "segments": "shared"})


def table_view_of(state: State) -> State:
    """What a position keeps of a state: everything that lies open."""
    players = {
        seat: replaced(player, hand=(), scored=0, route=None, offered=())
        for seat, player in state.players.items()
    }
    return replaced(
        state,
        players=players,
        options=replaced(state.options, deal="table", first=0),
        deck=(),
        shown=(),
        discards=(0,) * 6,
        round=1,
        times=0,
        first=state.turn,
        moved=False,
        acted=False,
        drawing=0,
        phase="play",
        last_turns=None,
        revision=1,
    )


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6), steps=st.integers(5, 300))
def test_what_lies_open_goes_into_a_position_and_back(seed: int, steps: int) -> None:
    now = some_state(seed, steps)
    assert read_position(print_position(now)) == table_view_of(now)


def some_state(seed: int, steps: int, **options: Any) -> State:
    chance = SeededChance(seed)
    match = random_match(random_start(MatchRequest(2 + seed % 3, "umpire", options), chance), chance)
    states = [state for _, (_, state) in zip(range(steps + 20), match, strict=False)]
    played = [state for state in states if state.phase == "play"]
    return played[-1]


# --- check ---


def checked(*moves: JsonObject, **position: Any) -> JsonObject:
    start = {"tracks": {"1": [], "2": []}, "trains": {"1": {"at": "topeka"}, "2": {"at": "norfolk"}}}
    return GAME.check_moves({**start, **position, "moves": list(moves)})


def test_a_legal_list_of_moves() -> None:
    raleigh = way("norfolk", "raleigh")
    answer = checked(
        {"do": "build", "path": TULSA},
        {"seat": 2, "do": "build", "path": raleigh},
        {"seat": 1, "do": "motion", "to": TULSA[0]},
        {"do": "draw", "count": 2},
        {"do": "boost", "to": TULSA[1]},
    )
    assert answer == {"valid": True}


@pytest.mark.parametrize(
    ("moves", "at", "code"),
    [
        ([{"do": "build", "path": TULSA}, {"do": "build", "path": TULSA}], 1, "taken"),
        ([{"seat": 2, "do": "draw", "count": 1}], 0, "not-your-turn"),
        ([{"do": "draw", "count": 3}], 0, "bad-count"),
        ([{"do": "build", "path": TULSA[:2]}], 0, "no-city"),
        ([{"do": "motion", "to": TULSA[0]}], 0, "too-far"),
        ([{"do": "upgrade", "part": "speed"}], 0, "no-money"),
    ],
)
def test_the_first_illegal_move_and_why(moves: list[JsonObject], at: int, code: str) -> None:
    answer = checked(*moves)
    assert (answer["valid"], answer["at"], answer["code"]) == (False, at, code)
    assert answer["message"]


def test_hands_are_judged_where_they_are_known() -> None:
    build = {"do": "build", "path": TULSA}
    assert checked(build, hands={"1": {"white": 1}})["code"] == "cannot-pay"
    assert checked(build, held={"1": 2})["code"] == "not-in-hand"
    assert checked({**build, "cards": {"white": 9}})["code"] == "wrong-cards"
    cards = {BOARD.tracks[track].suit: 1 for track in TULSA}
    assert checked({**build, "cards": cards}, hands={"1": cards}) == {"valid": True}


@pytest.mark.parametrize(
    ("moves", "said"),
    [
        ([{"do": "fly"}], "one of sides"),
        ([{"do": "draw", "seat": 4, "count": 1}], "there is no seat '4'"),
        ([{"do": "build", "path": ["x"]}], "there is no track 'x'"),
        ([{"do": "build"}], "'path' is missing"),
    ],
)
def test_moves_that_cannot_be_read(moves: list[JsonObject], said: str) -> None:
    with pytest.raises(NotationError, match=said):
        checked(*moves)


def test_a_seat_without_a_train_is_asked_for_it() -> None:
    with pytest.raises(NotationError, match="say under trains where it begins"):
        GAME.check_moves({"tracks": {"1": []}, "moves": [{"do": "draw", "count": 1}]})


# --- difference ---


def difference(state: State, **tracks: list[str]) -> dict[int, list[Build]] | Refusal:
    after = {seat: list(player.tracks) for seat, player in state.players.items()}
    return explain_difference(state, after | {int(seat[1:]): names for seat, names in tracks.items()})


def test_the_rules_say_which_build_explains_the_difference() -> None:
    found = difference(playing("topeka", "norfolk"), s1=TULSA[::-1])
    assert isinstance(found, dict)
    assert [build.path for build in found[1]] == [tuple(TULSA)]


def test_several_builds_are_put_in_an_order_that_the_rules_allow() -> None:
    found = difference(playing("topeka", "norfolk"), s1=sorted([*TULSA, *DALLAS]))
    assert isinstance(found, dict)
    assert [build.cities for build in found[1]] == [("tulsa",), ("dallas",)]


def test_nothing_new_is_no_build() -> None:
    assert difference(playing("topeka", "norfolk")) == {}


@pytest.mark.parametrize(
    ("tracks", "code"),
    [
        ({"s1": TULSA[:-1]}, "unexplained"),
        ({"s1": DALLAS}, "unexplained"),
        ({"s1": TULSA, "s2": TULSA}, "taken"),
    ],
)
def test_a_difference_that_no_build_explains(tracks: dict[str, list[str]], code: str) -> None:
    found = difference(playing("topeka", "norfolk"), **tracks)
    assert isinstance(found, Refusal)
    assert found.code == code
    assert found.detail["tracks"]


def test_track_that_vanished_is_said() -> None:
    state = with_network(playing("topeka", "norfolk"), 1, "topeka", "tulsa")
    found = difference(state, s1=TULSA[1:])
    assert isinstance(found, Refusal)
    assert (found.code, found.detail) == ("vanished", {"tracks": [TULSA[0]]})


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), first=st.integers(5, 200), more=st.integers(0, 60), data=st.data())
def test_positions_of_a_match_are_explained_by_builds_that_make_up_the_difference(
    seed: int, first: int, more: int, data: st.DataObject
) -> None:
    before, later = some_state(seed, first), some_state(seed, first + more)
    after = {seat: data.draw(st.permutations(player.tracks)) for seat, player in later.players.items()}
    found = explain_difference(before, after)
    assert isinstance(found, dict), found
    for seat, player in later.players.items():
        laid = {track for build in found.get(seat, []) for track in build.path}
        assert laid == set(player.tracks) - set(before.players[seat].tracks)


def test_a_single_players_new_tracks_are_taken_apart() -> None:
    ground = ground_of(playing("topeka", "norfolk"), 1)
    builds = builds_of(ground, [*DALLAS, *TULSA])
    assert not isinstance(builds, Refusal)
    assert sum(len(build.path) for build in builds) == len(TULSA) + len(DALLAS)
