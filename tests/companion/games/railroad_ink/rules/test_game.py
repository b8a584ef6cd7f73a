"""A match by the rules text: setup, the flow of a round, the end, and the two ways to play."""

from __future__ import annotations

import contextlib
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.errors import GameError, NotationError
from companion.core.jsontext import JsonObject, json_of
from companion.core.records import replaced
from companion.game.base import Action, Fact, MatchRequest, NoChance, Refusal
from companion.game.bots import any_action
from companion.games.railroad_ink.rules.boards.board import Board, Drawing
from companion.games.railroad_ink.rules.match.game import RailroadInk
from companion.games.railroad_ink.rules.match.results import goal_points
from companion.games.railroad_ink.rules.match.state import OPTIONS, Options, State
from companion.games.railroad_ink.rules.rulebook import DICE, EDITION, ROUNDS
from companion.games.railroad_ink.rules.scoring.goals import GOALS
from companion.table.chance import SeededChance

GAME = RailroadInk()


ROLL = ("NS", "NS", "N*", "NES")


def begun(seats: int = 2, mode: Any = "umpire", seed: int = 1, **options: Any) -> State:
    data = GAME.setup(MatchRequest(seats, mode, options), SeededChance(seed))
    assert not isinstance(data, Refusal), data
    return GAME.start(data)


def fact(state: State, kind: str, seat: int | None = None, **data: Any) -> Fact:
    decided = GAME.decide(state, Action(kind, seat, data), NoChance())
    assert not isinstance(decided, Refusal), decided
    return decided


def after(state: State, kind: str, seat: int | None = None, **data: Any) -> State:
    return GAME.apply(state, fact(state, kind, seat, **data))


def refusal(state: State, kind: str, seat: int | None = None, **data: Any) -> Refusal:
    decided = GAME.decide(state, Action(kind, seat, data), NoChance())
    assert isinstance(decided, Refusal), decided
    return decided


def rolled(state: State, *faces: str) -> State:
    return after(state, "roll", faces=list(faces))


def with_board(state: State, seat: int, **cells: str) -> State:
    board = Board(tuple(Drawing(cell, route, "die", state.round) for cell, route in cells.items()))
    return replaced(state, boards={**state.boards, seat: board})


# --- setup ---


def test_each_player_takes_one_board() -> None:
    assert begun(seats=4).boards == dict.fromkeys((1, 2, 3, 4), Board())


def test_the_white_route_dice_are_placed_in_the_centre() -> None:
    assert GAME.dice(begun()) == ("A", "A", "C", "D")
    assert GAME.dice(begun(edition="classic")) == ("A", "A", "A", "B")


def test_shuffle_basic_goal_cards_and_draw_3_randomly() -> None:
    draws = {begun(seed=seed).options.goals for seed in range(40)}
    assert len(draws) > 30
    assert all(len(set(goals)) == 3 and set(goals) <= set(GOALS) for goals in draws)
    assert {goal for goals in draws for goal in goals} == set(GOALS)


def test_play_without_goals_by_skipping_step_3_and_ignoring_goal_scoring() -> None:
    assert begun(goals="none").options.goals == ()
    assert begun(edition="classic").options.goals == ()


@pytest.mark.parametrize(("box", "cards"), [("green", set("ABCDEF")), ("yellow", set("GHIJKL"))])
def test_goals_are_drawn_from_the_box_on_the_table(box: str, cards: set[str]) -> None:
    draws = {begun(seed=seed, goals=box).options.goals for seed in range(40)}
    assert {goal for goals in draws for goal in goals} == cards


def test_the_cards_on_the_table_can_be_written_down() -> None:
    assert begun(goal_cards="a, F k").options.goals == ("A", "F", "K")
    assert len(begun(goal_cards="any").options.goals) == 3


@pytest.mark.parametrize(
    "walls", ["c4-c3, D3-d4", "name = 'Mine'\nabout = 'Two.'\nwalls = ['c3-c4', 'd3-d4']"]
)
def test_walls_of_ones_own_card_are_a_list_or_a_file(walls: str) -> None:
    state = begun(blueprint="own", walls=walls)
    assert state.options.blueprint == ("c3-c4", "d3-d4")
    assert state.options.walls
    assert GAME.option_faults({"walls": walls}) == []
    assert begun(blueprint="", walls=walls).options.blueprint == ()


@pytest.mark.parametrize("walls", ["c3-c5", "c3", "walls = 3", "z9-z8"])
def test_walls_that_are_none_are_said_in_a_sentence(walls: str) -> None:
    (fault,) = GAME.option_faults({"walls": walls})
    assert fault.startswith("walls, ")
    with pytest.raises(GameError):
        GAME.setup(MatchRequest(2, "umpire", {"blueprint": "own", "walls": walls}), SeededChance(1))


def test_goals_can_be_chosen() -> None:
    assert begun(goals=["A", "L"]).options.goals == ("A", "L")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"goals": ["A", "Z"]}, "there is no goal 'Z'"),
        ({"goals": ["A", "A"]}, "different goals"),
        ({"goals": ["A", "B", "C", "D"]}, "up to 3"),
    ],
)
def test_goals_that_cannot_be_chosen(options: JsonObject, said: str) -> None:
    answer = GAME.setup(MatchRequest(2, "umpire", options), SeededChance(1))
    assert isinstance(answer, Refusal)
    assert said in answer.message


def test_every_option_is_listed_with_its_default() -> None:
    fields = {field.name: field.default for field in msgspec.structs.fields(Options)}
    only_asked = {"goal_cards", "walls", "more"}  # they become goals, blueprint and expansion
    assert set(fields) == {option.name for option in OPTIONS} - only_asked
    for option in OPTIONS:
        if option.name not in {"goals", "blueprint", "labs", *only_asked}:
            assert option.default == fields[option.name]
    everything = {option.name: option.default for option in OPTIONS}
    assert not isinstance(GAME.setup(MatchRequest(2, "umpire", everything), SeededChance(1)), Refusal)


# --- gameplay flow ---


def test_a_game_lasts_7_rounds() -> None:
    state = begun(seats=1)
    for number in range(1, ROUNDS + 1):
        assert (state.round, state.finished) == (number, False)
        state = finish_round(rolled(state, "NS", "ns", "N*", "NES"))
    assert state.finished


def finish_round(state: State) -> State:
    """Every seat draws anything that fits until it may stop."""
    chance = SeededChance(1)
    here = state.round
    while not state.finished and state.round == here:
        for seat in state.boards:
            action = any_action(GAME, state, seat, chance)
            if action is not None and action.kind != "roll" and state.round == here:
                state = GAME.apply(state, action)
    return state


def test_roll_the_route_dice_and_display_results() -> None:
    state = rolled(begun(), "ne", "EW", "Ns*", "NS|ew")
    assert sorted(state.dice) == sorted(["ne", "NS", "Ns*", "NS|ew"])
    assert GAME.view(state, None)["dice"] == list(state.dice)


@given(seed=st.integers(0, 10**6))
def test_the_box_rolls_faces_that_the_dice_have(seed: int) -> None:
    state = begun()
    decided = GAME.decide(state, Action("roll"), SeededChance(seed))
    assert not isinstance(decided, Refusal)
    for die, face in zip(EDITION["challenge"].dice, decided.data["faces"], strict=True):
        assert face in DICE[die]
    assert GAME.decide(state, decided, NoChance()) == decided


def test_faces_the_dice_cannot_show_are_refused() -> None:
    assert refusal(begun(), "roll", faces=["NS", "NS", "NS", "NS"]).code == "impossible-roll"


def test_the_dice_are_rolled_once_a_round() -> None:
    state = rolled(begun(), "NS", "NS", "N*", "NES")
    answer = refusal(state, "roll")
    assert answer.code == "already-rolled"
    assert "the seats 1 and 2" in answer.message


def test_nothing_is_drawn_before_the_roll() -> None:
    assert refusal(begun(), "draw", 1, cell="b1", route="NS").code == "not-rolled"
    assert refusal(begun(), "done", 1).code == "not-rolled"


def test_all_players_simultaneously_draw() -> None:
    state = rolled(begun(), "NS", "NS", "N*", "NES")
    state = after(state, "draw", 2, cell="b1", route="NS")
    state = after(state, "draw", 1, cell="f1", route="NS")
    state = after(state, "draw", 2, cell="a4", route="EW")
    assert [len(board.drawings) for board in state.boards.values()] == [1, 2]


def test_use_special_routes_optional() -> None:
    state = rolled(begun(), "NS", "NS", "N*", "NES")
    assert refusal(state, "draw", 1, cell="b1", route="NESW").code == "not-rolled"
    state = after(state, "draw", 1, **{"cell": "b1", "route": "NESW", "from": "special"})
    assert GAME.view(state, 1)["boards"]["1"]["specials"] == ["NESW"]


def test_mark_round_in_all_newly_drawn_spaces() -> None:
    state = replaced(begun(seats=1), round=3)
    state = after(rolled(state, "NS", "NS", "N*", "NES"), "draw", 1, cell="b1", route="NS")
    assert GAME.view(state, 1)["boards"]["1"]["rounds"] == {"b1": 3}


def test_a_seat_that_is_done_draws_no_more() -> None:
    state = rolled(begun(), "NS", "NS", "N*", "NES")
    state = replaced(state, done=(1,))
    assert refusal(state, "draw", 1, cell="b1", route="NS").code == "done"


def test_next_round_begins_when_all_are_done() -> None:
    state = finish_round(rolled(begun(seats=3), "NS", "NS", "N*", "NES"))
    assert (state.round, state.dice, state.done) == (2, (), ())
    assert GAME.dice(state)


# --- goals ---


def with_corners(state: State, *seats: int) -> State:
    corners = {"a1": "ES", "g1": "SW", "a7": "NE", "g7": "NW"}
    for seat in seats:
        state = with_board(state, seat, **corners)
    return state


def goal_round(state: State) -> State:
    """The round ends for everybody, whatever is left of the dice."""
    state = rolled(state, "NS", "NS", "N*", "NES")
    for seat in state.boards:
        state = GAME.apply(state, Fact("done", seat, {}))
    return state


def test_players_declare_achieved_goals_and_score_the_highest_remaining_value() -> None:
    state = goal_round(with_corners(begun(seats=3, goals=["D"]), 2))
    assert goal_points(state) == {"D": {2: 4}}


def test_multiple_players_can_score_the_same_goal_in_the_same_round() -> None:
    state = goal_round(with_corners(begun(seats=3, goals=["D"]), 1, 3))
    assert goal_points(state) == {"D": {1: 4, 3: 4}}


def test_mark_the_scored_value_reducing_future_rewards() -> None:
    state = goal_round(with_corners(begun(seats=4, goals=["D"]), 1, 2))
    state = goal_round(with_corners(state, 3))
    state = goal_round(with_corners(state, 4))
    assert goal_points(state) == {"D": {1: 4, 2: 4, 3: 2, 4: 1}}


def test_goal_points_are_in_the_score() -> None:
    state = goal_round(with_corners(begun(seats=2, goals=["D"]), 2))
    assert {row["seat"]: row["goals"] for row in GAME.score(state)} == {1: 0, 2: 4}


@pytest.mark.parametrize("goals", [["D", "A", "B"], ["A", "D", "B"], ["A", "B", "D"]])
def test_solo_goals_have_deadlines_in_the_order_they_were_drawn(goals: list[str]) -> None:
    deadline = 3 + goals.index("D")
    for number, points in ((deadline, 4), (deadline + 1, 1)):
        assert goal_points(_achieved_in(begun(seats=1, goals=goals), number))["D"] == {1: points}


def _achieved_in(state: State, number: int) -> State:
    return goal_round(with_corners(replaced(state, round=number), 1))


# --- the end ---


def test_most_points_wins_ties_are_broken_by_fewest_errors_then_shared() -> None:
    state = with_board(begun(seats=3, goals="none"), 1, b1="NS")
    state = with_board(with_board(state, 2, b1="NS"), 3, a4="EW", b4="EW")
    assert [(row["seat"], row["place"]) for row in GAME.score(state)] == [(3, 1), (1, 2), (2, 2)]


def test_after_round_7_nothing_is_rolled() -> None:
    state = replaced(begun(seats=1), round=7)
    state = finish_round(rolled(state, "NS", "NS", "N*", "NES"))
    assert state.finished
    assert GAME.dice(state) == ()


# --- the scorekeeper ---


def test_a_board_is_reported_at_any_time() -> None:
    state = begun(mode="scorekeeper")
    state = after(state, "report", 1, cells={"b1": "NS", "b2": "NE"})
    assert GAME.score(state)[0]["seat"] == 1
    state = after(state, "report", 1, cells={"b1": "NS", "b2": "NE", "c2": "EW"})
    assert len(state.boards[1].drawings) == 3


def test_an_impossible_board_is_refused() -> None:
    with pytest.raises(ValueError, match="join only in a station"):
        fact(begun(mode="scorekeeper"), "report", 1, cells={"b1": "NS", "b2": "ns"})


def test_what_looks_wrong_is_remarked_not_put_right() -> None:
    state = after(begun(mode="scorekeeper"), "report", 1, cells={"b1": "NS", "b2": "NE"}, round=1)
    second = fact(state, "report", 1, cells={"b1": "NE", "d4": "ns"}, round=1)
    assert second.data["remarks"] == [
        "drawn earlier and gone now: b2",
        "drawn differently than before: b1",
        "joined to no exit, so it could not have been drawn: d4",
    ]
    assert second.data["cells"] == {"b1": "NE", "d4": "ns"}


def test_rounds_are_kept_from_report_to_report() -> None:
    state = begun(mode="scorekeeper")
    state = after(state, "report", 1, cells={"b1": "NS"}, rounds={"b1": 1})
    state = rolled(rolled(state, "NS", "NS", "N*", "NES"), "NS", "NS", "N*", "NES")
    assert state.round == 2
    board = after(state, "report", 1, cells={"b1": "NS", "b2": "NS"}).boards[1]
    assert {drawing.cell: drawing.round for drawing in board.drawings} == {"b1": 1, "b2": 2}


def test_goals_of_reported_boards_are_judged_by_their_round_numbers() -> None:
    state = begun(seats=3, mode="scorekeeper", goals=["D"])
    corners = {"a1": "ES", "g1": "SW", "a7": "NE", "g7": "NW"}
    for seat, last in ((1, 3), (2, 2), (3, 3)):
        rounds = dict.fromkeys(corners, 1) | {"a1": last, "g1": last}
        state = after(state, "report", seat, cells=corners, rounds=rounds)
    assert goal_points(state) == {"D": {1: 2, 2: 4, 3: 2}}


CORNERS = {"a1": "ES", "g1": "SW", "a7": "NE", "g7": "NW"}


def test_the_race_is_right_when_reports_say_their_round() -> None:
    state = begun(seats=3, mode="scorekeeper", goals=["D"])
    for seat, number in ((1, 5), (2, 4), (3, 6)):
        state = after(state, "report", seat, cells=CORNERS, round=number)
    assert goal_points(state) == {"D": {1: 2, 2: 4, 3: 1}}


def test_a_report_after_a_roll_through_the_box_is_of_that_round() -> None:
    state = rolled(rolled(begun(mode="scorekeeper"), *ROLL), *ROLL)
    assert fact(state, "report", 1, cells={"b1": "NS"}).data["round"] == 2


def test_where_nobody_says_the_round_the_race_is_said_to_be_unknown() -> None:
    state = begun(seats=2, mode="scorekeeper", goals=["D"])
    report = fact(state, "report", 1, cells=CORNERS)
    assert "in which round 4 routes are new was not said" in report.data["remarks"][-1]
    state = after(GAME.apply(state, report), "report", 2, cells=CORNERS, round=3)
    why = {row["seat"]: row["parts"]["goals"][0]["why"] for row in GAME.score(state)}
    assert why == {
        1: "in which round is not known: 4 if it was early enough",
        2: "in round 3; whether another seat was earlier is not known",
    }


@pytest.mark.parametrize(
    ("cells", "says"),
    [
        ({"b1": "NES", "f1": "NES"}, "round 1: f1: the highway T of this round is already drawn"),
        ({"d1": "nes"}, "round 1: d1: no die of round 1 shows the railway T"),
        ({"b1": "NESW", "f1": "NESW"}, "the highway crossroads is drawn 2 times"),
        ({"b1": "NESW", "d1": "nesw"}, "round 1: d1: a special route was already used in round 1"),
        ({f"{column}4": "EW" for column in "abcdefg"} | {"b1": "NS", "b7": "NS", "f1": "NS"}, "at most 9"),
    ],
)
def test_a_typed_report_is_checked_like_a_photograph(cells: dict[str, str], says: str) -> None:
    state = rolled(begun(mode="scorekeeper", goals="none"), "NES", "ns", "N*", "NS|ew")
    remarks = fact(state, "report", 1, cells=cells).data["remarks"]
    assert any(says in remark for remark in remarks), remarks


def test_without_dice_only_what_no_dice_can_show_is_remarked() -> None:
    state = begun(mode="scorekeeper", goals="none")
    fine = {"b1": "NES", "f1": "NES"}
    assert fact(state, "report", 1, cells=fine, round=1).data["remarks"] == []
    remarks = fact(state, "report", 1, cells={**fine, "b7": "NES", "f7": "NES"}, round=1).data["remarks"]
    assert any("cannot show" in remark for remark in remarks)


def test_a_report_stored_before_reports_had_a_round_stands_as_it_was() -> None:
    stored = {"cells": {"b1": "NS"}, "rounds": {"b1": 1}, "remarks": []}
    assert fact(begun(mode="scorekeeper"), "report", 1, **stored).data == stored


def test_a_stored_report_decided_again_is_the_same() -> None:
    state = begun(mode="scorekeeper")
    for data in ({"cells": CORNERS}, {"cells": CORNERS, "round": 2}):
        first = fact(state, "report", 1, **data)
        assert fact(state, "report", 1, **first.data) == first


def test_a_scorekeepers_match_is_over_when_every_board_is_final() -> None:
    state = after(after(begun(mode="scorekeeper"), "done", 1), "done", 2)
    assert state.finished


def test_each_way_to_play_has_its_own_actions() -> None:
    assert refusal(begun(), "report", 1, cells={}).code == "not-scorekeeper"
    keeper = begun(mode="scorekeeper")
    assert refusal(keeper, "draw", 1, cell="b1", route="NS").code == "not-umpire"
    assert {action.kind for action in GAME.legal(keeper, 1)} == {"report", "done"}


# --- properties ---


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10**6), seats=st.integers(1, 4), edition=st.sampled_from(["challenge", "classic"]))
def test_everything_listed_as_legal_is_accepted_and_leaves_a_possible_match(
    seed: int, seats: int, edition: str
) -> None:
    chance = SeededChance(seed)
    state = begun(seats=seats, seed=seed, edition=edition)
    for _ in range(12 * seats):
        seat = 1 + chance.below(seats)
        for action in GAME.legal(state, seat)[:40]:
            decided = GAME.decide(state, action, chance)
            assert not isinstance(decided, Refusal), (action, decided)
        chosen = any_action(GAME, state, seat, chance)
        if chosen is not None:
            decided = GAME.decide(state, chosen, chance)
            assert not isinstance(decided, Refusal)
            state = GAME.apply(state, decided)
            assert GAME.faults(state) == []
            assert msgspec.json.decode(json_of(state), type=State) == state


@given(cell=st.text(max_size=3), route=st.text(max_size=6), source=st.text(max_size=8))
def test_any_nonsense_is_refused_in_a_sentence(cell: str, route: str, source: str) -> None:
    state = rolled(begun(), "NS", "NS", "N*", "NES")
    action = Action("draw", 1, {"cell": cell, "route": route, "from": source})
    with contextlib.suppress(NotationError):
        assert isinstance(GAME.decide(state, action, NoChance()), Refusal)


def test_a_scorekeeper_may_roll_every_round_without_saying_done() -> None:
    state = begun(mode="scorekeeper")
    for number in range(1, ROUNDS + 1):
        assert GAME.dice(state) == ("A", "A", "C", "D")
        state = rolled(state, "NS", "NS", "N*", "NES")
        assert state.round == number
    assert GAME.dice(state) == ()
    assert refusal(state, "roll").code == "last-round"
