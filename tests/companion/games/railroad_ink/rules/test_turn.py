"""What a seat may draw in a round: dice, duplicates, special routes, and being done."""

from __future__ import annotations

from copy import deepcopy
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.game.base import Refusal
from companion.games.railroad_ink.rules.boards.board import (
    SOURCES,
    Board,
    Drawing,
    Roll,
    Rules,
    Source,
    can_show,
    dice_left,
    duplicates_left,
    roll_refusal,
    rolled,
    specials_left,
    universities,
    villages,
)
from companion.games.railroad_ink.rules.boards.board import given as given_sheet
from companion.games.railroad_ink.rules.boards.placement import legal_routes
from companion.games.railroad_ink.rules.boards.position import Position, read_cells
from companion.games.railroad_ink.rules.boards.routes import VOCABULARY, Cells, shape_of
from companion.games.railroad_ink.rules.boards.walls import NO_WALLS, Walls, parse_walls
from companion.games.railroad_ink.rules.match.turn import Done, open_draws, try_done, try_draw
from companion.games.railroad_ink.rules.rulebook import DICE, EDITION, GRID, SPECIAL_SHAPES
from companion.games.railroad_ink.rules.turns.dice_search import complete_turns, most_dice
from tests.companion.games.railroad_ink.rules.boards import legal_positions

RULES = Rules()
CLASSIC = Rules(EDITION["classic"])
FACES = ("NS", "ns", "Ns*", "NS|ew")


def put(board: Board, roll: Roll, *moves: tuple[str, str, Source], rules: Rules = RULES) -> Board:
    """Draw one after the other; every one must be accepted."""
    for cell, route, source in moves:
        after = try_draw(rules, board, roll, Drawing(cell, route, source))
        assert isinstance(after, Board), after
        board = after
    return board


def code(board: Board, roll: Roll, cell: str, route: str, source: Source, rules: Rules = RULES) -> str | None:
    answer = try_draw(rules, board, roll, Drawing(cell, route, source))
    return answer.code if isinstance(answer, Refusal) else None


def start(**cells: str) -> Board:
    return given_sheet(read_cells(cells))


def drawn_in(round_: int, source: Source, **cells: str) -> Board:
    """A board with these drawings, made without asking anybody."""
    return Board(tuple(Drawing(cell, route, source, round_) for cell, route in cells.items()))


# --- "Roll the Route dice" ---


def test_the_route_dice_of_both_editions() -> None:
    assert roll_refusal(EDITION["challenge"], ["NS", "ns", "Ns*", "NS|ew"]) is None
    assert roll_refusal(EDITION["classic"], ["NS", "ns", "NE", "Ns*"]) is None


@pytest.mark.parametrize("faces", [["NS", "NS", "NS", "Ns*"], ["NS"], [], ["NS", "ns", "NS|ew", "NS|ew"]])
def test_a_roll_the_dice_cannot_show_is_refused(faces: list[str]) -> None:
    refusal = roll_refusal(EDITION["challenge"], faces)
    assert refusal is not None
    assert refusal.code == "impossible-roll"


@pytest.mark.parametrize("edition", ["challenge", "classic"])
def test_every_roll_of_the_dice_can_be_shown(edition: str) -> None:
    random = Random(edition)
    dice = EDITION[edition].dice
    for _ in range(200):
        faces = [random.choice(DICE[die]) for die in dice]
        random.shuffle(faces)
        assert roll_refusal(EDITION[edition], faces) is None


# --- "All players simultaneously draw the 4 Route die results, following placement rules" ---


def test_the_4_route_die_results_are_drawn() -> None:
    roll = rolled(1, FACES)
    board = put(
        Board(), roll, ("b1", "NS", "die"), ("d1", "ns", "die"), ("f1", "Ns*", "die"), ("g2", "NS|ew", "die")
    )
    assert dice_left(board, roll) == ()
    assert try_done(RULES, board, roll) == Done()


def test_a_die_is_drawn_once() -> None:
    roll = rolled(1, FACES)
    board = put(Board(), roll, ("b1", "NS", "die"))
    assert code(board, roll, "f1", "NS", "die") == "die-used"


def test_two_dice_with_the_same_face_are_drawn_twice() -> None:
    roll = rolled(1, ("NS", "NS", "Ns*", "NS|ew"))
    board = put(Board(), roll, ("b1", "NS", "die"), ("f1", "NS", "die"))
    assert code(board, roll, "b7", "NS", "die") == "die-used"


def test_a_face_that_was_not_rolled_is_refused() -> None:
    answer = try_draw(RULES, Board(), rolled(2, FACES), Drawing("b1", "NE"))
    assert isinstance(answer, Refusal)
    assert answer.message == (
        "no die of round 2 shows the highway curve; "
        "left to draw: straight highway, straight railway, straight station and overpass"
    )


def test_placement_rules_are_followed() -> None:
    roll = rolled(1, FACES)
    assert code(Board(), roll, "d4", "NS", "die") == "not-connected"
    assert code(Board(), roll, "d1", "NS", "die") == "types-meet"
    assert code(put(Board(), roll, ("b1", "NS", "die")), roll, "b1", "Ns*", "die") == "occupied"


def test_mark_round_writes_the_number_of_the_roll() -> None:
    board = put(Board(), rolled(4, FACES), ("b1", "SN", "die"))
    assert board.drawings == (Drawing("b1", "NS", "die", 4),)
    assert board.rounds() == {GRID.cell("b1"): 4}


# --- "All 4 die results must be drawn if possible" / "Can I skip a die result? No" ---


def test_can_i_skip_a_die_result_no() -> None:
    roll = rolled(1, FACES)
    board = put(Board(), roll, ("b1", "NS", "die"), ("d1", "ns", "die"), ("g2", "NS|ew", "die"))
    refusal = try_done(RULES, board, roll)
    assert isinstance(refusal, Refusal)
    assert refusal.code == "die-fits"
    spots = legal_routes(board.cells(), NO_WALLS, "Ns*")
    assert refusal.detail["die"] == "Ns*"
    assert refusal.detail["fits"] == [
        {"cell": GRID.names[cell], "route": route.text} for cell, route in spots
    ]
    assert refusal.message.startswith("the straight station is not drawn yet and fits, in f1 say (there are ")


# Every exit has a terminal but d1.
CLOSED = {
    "b1": "N*", "f1": "N*", "a2": "w*", "g2": "e*", "a4": "W*", "g4": "E*", "a6": "w*", "g6": "e*",
    "b7": "S*", "f7": "S*", "d7": "s*",
}  # fmt: skip


def test_a_die_that_fits_nowhere_is_skipped() -> None:
    roll = rolled(3, ("NS", "NE", "N*", "NES"))
    board = start(**CLOSED)
    assert try_done(RULES, board, roll) == Done(("NS", "NE", "N*", "NES"))


def test_all_4_must_be_drawn_if_possible_is_decided_by_search() -> None:
    """With d1 the only way on, the railway curve first leaves a place for the terminal, the terminal none."""
    roll = rolled(3, ("ne", "n*", "NS", "NE|SW"))
    board = put(start(**CLOSED), roll, ("d1", "n*", "die"))
    answer = try_done(RULES, board, roll)
    assert isinstance(answer, Done)
    assert answer.skipped == ("ne", "NS", "NE|SW")
    assert [drawing.shape for drawing in answer.better] == ["ne", "n*"]
    assert answer.remark.startswith("2 of the dice could have been drawn this round instead of 1: ")


def test_must_draw_most_refuses_the_shorter_line() -> None:
    roll = rolled(3, ("ne", "n*", "NS", "NE|SW"))
    rules = Rules(must_draw="most")
    board = put(start(**CLOSED), roll, ("d1", "n*", "die"))
    refusal = try_done(rules, board, roll)
    assert isinstance(refusal, Refusal)
    assert refusal.code == "more-dice"
    better = put(
        start(**CLOSED), roll, *((spot["cell"], spot["route"], "die") for spot in refusal.detail["better"])
    )
    assert try_done(rules, better, roll) == Done(("NS", "NE|SW"))


@pytest.mark.parametrize(
    ("dice", "count"),
    [
        (["NS", "Ne*"], 2),  # the station at d1 gives the highway its place
        (["NS", "NES", "NE", "Ns*"], 4),
        (["N*", "NE", "NS|ew", "Ns*"], 4),
        (["NS", "NE", "ns", "ne"], 2),
        (["n*", "ns", "ne", "NE|SW"], 3),
    ],
)
def test_dice_that_lead_to_each_other_are_found(dice: list[str], count: int) -> None:
    cells = read_cells(CLOSED)
    assert len(most_dice(cells, dice)) == count == slow_most(cells, dice, NO_WALLS)


def test_a_special_route_is_not_counted_as_a_die() -> None:
    roll = rolled(3, ("ne", "n*", "NS", "NE|SW"))
    board = put(start(**CLOSED), roll, ("d1", "nesw", "special"))
    refusal = try_done(RULES, board, roll)
    assert isinstance(refusal, Refusal)
    assert refusal.detail["die"] == "ne"


def test_without_faces_nobody_can_say_that_a_die_is_left() -> None:
    assert try_done(RULES, Board(), Roll(1, None)) == Done()


# --- "Special Routes: 3 available per game, 1 per round; each can be used only once" ---


def test_special_routes_are_the_six_shapes_in_any_turning() -> None:
    roll = rolled(1, FACES)
    offered = {shape_of(draw.drawn) for draw in open_draws(RULES, Board(), roll) if draw.source == "special"}
    assert offered == set(SPECIAL_SHAPES)
    assert code(Board(), roll, "b1", "NS", "special") == "not-special"


def test_can_i_use_multiple_special_routes_in_one_round_no_maximum_one_per_round() -> None:
    roll = rolled(1, FACES)
    board = put(Board(), roll, ("b1", "NESW", "special"))
    assert code(board, roll, "d1", "nesw", "special") == "special-this-round"
    assert code(board, rolled(2, FACES), "d1", "nesw", "special") is None


def test_each_special_route_can_be_used_only_once() -> None:
    board = put(Board(), rolled(1, FACES), ("b1", "NESW", "special"))
    assert code(board, rolled(2, FACES), "f1", "NESW", "special") == "special-crossed-off"
    assert "NESW" not in specials_left(board)


def test_3_special_routes_are_available_per_game() -> None:
    board = Board()
    for number, (cell, route) in enumerate([("b1", "NESW"), ("d1", "nesw"), ("f1", "NEsW*")], 1):
        board = put(board, rolled(number, FACES), (cell, route, "special"))
    assert code(board, rolled(4, FACES), "b7", "nESw*", "special") == "specials-used-up"


def test_special_routes_are_optional() -> None:
    roll = rolled(1, FACES)
    board = put(
        Board(), roll, ("b1", "NS", "die"), ("d1", "ns", "die"), ("f1", "Ns*", "die"), ("g2", "NS|ew", "die")
    )
    assert any(draw.source == "special" for draw in open_draws(RULES, board, roll))
    assert try_done(RULES, board, roll) == Done()


def test_a_special_route_may_come_before_the_dice() -> None:
    roll = rolled(1, FACES)
    put(Board(), roll, ("b1", "NESW", "special"), ("b2", "NS", "die"))


# --- "Factory: activate by drawing a Route. Duplicate one die result this round" ---


def on_factory(roll: Roll) -> Board:
    """a1 is a Factory: reached from the railway exit of a2."""
    return put(start(a2="nw"), roll, ("a1", "ns", "die"))


def test_factory_duplicates_one_die_result_this_round() -> None:
    roll = rolled(1, FACES)
    board = on_factory(roll)
    assert duplicates_left(RULES, board, roll) == 1
    after = put(board, roll, ("b1", "NS", "die"), ("f1", "NS", "factory"))
    assert duplicates_left(RULES, after, roll) == 0
    assert code(after, roll, "b7", "NS", "factory") == "no-factory"


def test_factory_may_duplicate_a_die_that_is_not_drawn_yet() -> None:
    roll = rolled(1, FACES)
    put(on_factory(roll), roll, ("b1", "NS", "factory"), ("f1", "NS", "die"))


def test_factory_duplicates_only_what_was_rolled() -> None:
    roll = rolled(1, FACES)
    assert code(on_factory(roll), roll, "b1", "NE", "factory") == "not-rolled"


def test_without_a_factory_nothing_is_duplicated() -> None:
    roll = rolled(1, FACES)
    assert code(Board(), roll, "b1", "NS", "factory") == "no-factory"
    assert not any(draw.source == "factory" for draw in open_draws(RULES, Board(), roll))


def test_a_duplicate_is_lost_when_the_round_ends() -> None:
    board = on_factory(rolled(1, FACES))
    assert code(board, rolled(2, FACES), "b1", "NS", "factory") == "no-factory"


def test_do_duplicated_dice_trigger_special_buildings_again_yes() -> None:
    roll = rolled(1, FACES)
    board = put(
        start(a2="nw", g4="ES"), roll, ("a1", "ns", "die"), ("g5", "NS", "factory"), ("b1", "NS", "die")
    )
    assert duplicates_left(RULES, board, roll) == 1
    put(board, roll, ("f1", "Ns*", "factory"))


def test_a_special_route_activates_the_factory_too() -> None:
    roll = rolled(1, FACES)
    board = put(start(a2="nw"), roll, ("a1", "nesw", "special"))
    assert duplicates_left(RULES, board, roll) == 1


def test_a_duplicate_and_a_special_route_in_one_round() -> None:
    roll = rolled(1, FACES)
    put(on_factory(roll), roll, ("b1", "NS", "factory"), ("f1", "NESW", "special"))


def test_duplicating_is_optional() -> None:
    roll = rolled(1, FACES)
    board = put(on_factory(roll), roll, ("b1", "NS", "die"), ("f1", "Ns*", "die"), ("g2", "NS|ew", "die"))
    assert try_done(RULES, board, roll) == Done()


def test_classic_has_no_buildings() -> None:
    roll = rolled(1, ("NS", "ns", "NE", "Ns*"))
    board = put(start(a2="nw"), roll, ("a1", "ns", "die"), rules=CLASSIC)
    assert code(board, roll, "b1", "NS", "factory", CLASSIC) == "no-factory"


# --- "Village: activate by drawing a Station" ---


def test_village_is_activated_by_drawing_a_station() -> None:
    board = put(start(b1="NE", f1="NS"), rolled(1, FACES), ("c1", "eW*", "die"), ("f2", "NS", "die"))
    assert villages(RULES, board) == ("c1",)
    assert villages(CLASSIC, board) == ()


def test_village_counts_a_station_from_any_source() -> None:
    for source in ("die", "factory", "special", "university"):
        assert villages(RULES, drawn_in(1, source, f2="NEsW*")) == ("f2",)


# --- "University: when third is marked, gain one free Special Route" ---

TWO_UNIVERSITIES = {"a4": "NW", "b7": "NS", "b6": "NS", "a3": "NS", "b5": "NS"}


def at_third_university(round_: int) -> Board:
    """a3 and b5 are marked before; d4 is reached from c4 and marked in ``round_``."""
    before = start(**TWO_UNIVERSITIES, g4="EW", f4="EW", e4="EW")
    return put(before, rolled(round_, FACES), ("d4", "EW", "die"))


def test_university_is_marked_by_any_route() -> None:
    board = start(**TWO_UNIVERSITIES)
    assert [drawing.cell for drawing in universities(RULES, board)] == ["a3", "b5"]


def test_third_university_grants_one_additional_free_special_route() -> None:
    roll = rolled(4, FACES)
    board = at_third_university(4)
    after = put(board, roll, ("f1", "NESW", "university"))
    assert code(after, roll, "b1", "NESw*", "university") == "free-special-used"


def test_the_free_special_route_does_not_count_toward_the_1_per_round_limit() -> None:
    roll = rolled(4, FACES)
    put(at_third_university(4), roll, ("f1", "NESW", "university"), ("d1", "nesw", "special"))
    put(at_third_university(4), roll, ("d1", "nesw", "special"), ("f1", "NESW", "university"))


def test_the_free_special_route_is_still_marked_as_used() -> None:
    board = put(at_third_university(4), rolled(4, FACES), ("f1", "NESW", "university"))
    assert "NESW" not in specials_left(board)
    assert code(board, rolled(5, FACES), "b1", "NESW", "special") == "special-crossed-off"


def test_the_free_special_route_is_a_fourth_one() -> None:
    board = at_third_university(4)
    board = put(board, rolled(4, FACES), ("f1", "NESW", "university"))
    for number, (cell, route) in enumerate([("d1", "nesw"), ("b1", "NEsW*"), ("d7", "nEsW*")], 5):
        board = put(board, rolled(number, FACES), (cell, route, "special"))
    assert code(board, rolled(8, FACES), "f7", "nESw*", "special") == "specials-used-up"


def test_two_universities_give_nothing() -> None:
    roll = rolled(4, FACES)
    board = start(**TWO_UNIVERSITIES)
    assert code(board, roll, "f1", "NESW", "university") == "no-free-special"


def test_the_free_special_route_is_used_at_once_or_lost() -> None:
    board = at_third_university(4)
    assert code(board, rolled(5, FACES), "f1", "NESW", "university") == "free-special-lost"


def test_the_free_special_route_may_wait_when_the_option_says_so() -> None:
    board = at_third_university(4)
    assert code(board, rolled(5, FACES), "f1", "NESW", "university", Rules(free_special="match")) is None


def test_the_fourth_university_finds_no_circle() -> None:
    roll = rolled(5, FACES)
    board = put(
        Board((*at_third_university(4).drawings, Drawing("g6", "es", "given"))), roll, ("g7", "ns", "die")
    )
    assert [drawing.cell for drawing in universities(RULES, board)] == ["a3", "b5", "d4"]
    assert code(board, roll, "f1", "NESW", "university") == "free-special-lost"


def test_can_i_use_a_special_route_after_activating_university_yes() -> None:
    offered = open_draws(RULES, at_third_university(4), rolled(4, FACES))
    assert {draw.source for draw in offered} == {"die", "special", "university"}


def test_nothing_can_be_drawn_as_a_start_position() -> None:
    assert code(Board(), rolled(1, FACES), "b1", "NS", "given") == "not-a-source"


# --- without faces ---


def test_without_faces_the_dice_of_the_edition_are_the_limit() -> None:
    roll = Roll(1, None)
    board = put(Board(), roll, ("b1", "NS", "die"), ("f1", "NS", "die"))
    assert code(board, roll, "b7", "NS", "die") == "impossible-roll"
    board = put(board, roll, ("b7", "NES", "die"), ("d1", "n*", "die"))
    assert code(board, roll, "d7", "ns", "die") == "too-many-dice"


# --- properties ---

seeds = st.integers(0, 2**32)


def in_play(seed: int) -> tuple[Rules, Board, Roll]:
    """A board in the middle of some round of a random match."""
    random = Random(seed)
    rules = Rules(EDITION[random.choice(["challenge", "classic"])], parse_walls(["c3-d3", "e5-e6"]))
    board = Board()
    rounds = random.randint(1, 7)
    for number in range(1, rounds + 1):
        roll = rolled(number, [random.choice(DICE[die]) for die in rules.edition.dice])
        for _ in range(random.randint(0, 6) if number == rounds else 6):
            offered = open_draws(rules, board, roll)
            if offered:
                after = try_draw(rules, board, roll, random.choice(offered))
                assert isinstance(after, Board)
                board = after
    return rules, board, roll


@settings(max_examples=12, deadline=None)
@given(seeds)
def test_the_open_list_is_exactly_what_is_accepted(seed: int) -> None:
    rules, board, roll = in_play(seed)
    offered = open_draws(rules, board, roll)
    assert len(offered) == len(set(offered))
    accepted = {
        drawing
        for name in GRID.names
        for route in VOCABULARY
        for source in SOURCES
        for drawing in [Drawing(name, route.text, source, roll.round)]
        if isinstance(try_draw(rules, board, roll, drawing), Board)
    }
    assert accepted == set(offered)


@settings(max_examples=20, deadline=None)
@given(seeds)
def test_a_refused_drawing_changes_nothing(seed: int) -> None:
    rules, board, roll = in_play(seed)
    before = deepcopy(board)
    refused = 0
    for route in VOCABULARY:
        refused += isinstance(try_draw(rules, board, roll, Drawing("d4", route.text, "special")), Refusal)
    assert refused
    assert board == before


@settings(max_examples=30, deadline=None)
@given(seeds)
def test_done_is_refused_exactly_while_a_die_fits(seed: int) -> None:
    rules, board, roll = in_play(seed)
    die_open = any(draw.source == "die" for draw in open_draws(rules, board, roll))
    assert isinstance(try_done(rules, board, roll), Refusal) == die_open


@settings(max_examples=30, deadline=None)
@given(seeds)
def test_limits_hold_in_every_random_match(seed: int) -> None:
    _, board, _ = in_play(seed)
    specials = [drawing for drawing in board.drawings if drawing.source == "special"]
    assert len(specials) <= 3
    assert len({drawing.round for drawing in specials}) == len(specials)
    assert len({drawing.shape for drawing in specials}) == len(specials)


@settings(max_examples=25, deadline=None)
@given(legal_positions(), seeds)
def test_the_best_line_is_as_long_as_a_slow_search_finds(position: Position, seed: int) -> None:
    cells, walls = position.cells, position.walls
    random = Random(seed)
    faces = [random.choice(["N*", "n*", "NE|SW", "NES", "Ne*", "ne", "NS"]) for _ in range(3)]
    best = most_dice(cells, faces, walls)
    assert len(best) == slow_most(cells, faces, walls)
    assert frozenset(best) in complete_turns(cells, faces, walls) or not best


def slow_most(cells: Cells, faces: list[str], walls: Walls) -> int:
    """Every order, every place; no memory, no bound."""
    return max(
        (
            1 + slow_most({**cells, cell: route}, faces[:at] + faces[at + 1 :], walls)
            for at, face in enumerate(faces)
            for cell, route in legal_routes(cells, walls, face)
        ),
        default=0,
    )


def test_can_show_needs_a_die_of_its_own_for_every_face() -> None:
    assert can_show(("A", "A", "C", "D"), ("NS|ew",))
    assert not can_show(("A", "A", "C", "D"), ("NS|ew", "NS|ew"))
