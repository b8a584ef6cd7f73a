"""The bot of Railroad Ink: its sketches agree with the scorer, it uses what there is, and it scores well."""

from __future__ import annotations

from random import Random

import pytest

from companion.core.chance import SeededChance
from companion.game.base import Action
from companion.games.railroad_ink.bot.features import PROMISES, promises
from companion.games.railroad_ink.bot.player import RailroadInkBot, best_turn, judge_of, seat_of
from companion.games.railroad_ink.bot.search import SearchEffort
from companion.games.railroad_ink.bot.sketch import ground_of, sketch_of, with_route
from companion.games.railroad_ink.rules.boards.placement import all_facing
from companion.games.railroad_ink.rules.boards.position import Position, WallEnds
from companion.games.railroad_ink.rules.boards.walls import parse_walls
from companion.games.railroad_ink.rules.rulebook import NETWORK_VALUES
from companion.games.railroad_ink.rules.scoring.scores import score
from lab.bots_bench import Match, played
from lab.railroad_ink.random_play import random_board
from tests.companion.games.railroad_ink.rules.boards import ALL_WALLS

BOT = RailroadInkBot()


@pytest.mark.parametrize("seed", range(40))
def test_a_sketch_says_what_the_scorer_says(seed: int) -> None:
    random = Random(seed)
    walls = parse_walls(random.sample(ALL_WALLS, seed % 3 * 4))
    ends: WallEnds = "error" if seed % 2 else "free"
    cells = random_board(random, walls=walls).cells
    ground, known = ground_of(walls, ends), score(Position(cells, walls=walls, wall_ends=ends))
    step_by_step = sketch_of({}, ground)
    for spot in cells.items():
        step_by_step = with_route(step_by_step, spot, ground)
    for sketch in (step_by_step, sketch_of(cells, ground)):
        assert sum(NETWORK_VALUES[joined] for joined in sketch.exits.values()) == known.exit_points
        assert sketch.lost + len(sketch.ends) == len(known.errors)
        assert sketch.facing == all_facing(cells, walls)
        assert sketch.empty.bit_count() == 49 - len(cells)
        assert len(promises(sketch, 3)) == len(PROMISES)


def rolled(options: dict[str, str], *faces: str, seats: int = 1) -> Match:
    """A match in its first round, with these dice."""
    match = Match.begun("railroad-ink", seats, options, seed=1)
    match.do(Action("roll", data={"faces": list(faces)}))
    return match


def test_four_straights_lead_inwards_from_exits() -> None:
    match = rolled({"edition": "classic"}, "NS", "NS", "ns", "NS|ew")
    turn = best_turn(seat_of(match.state, 1), judge_of(match.state, 1))
    assert len(turn.drawings) >= 4
    while (action := BOT.decide(match.state, 1, SeededChance(1))) is not None:
        match.do(action)
    assert match.state.round == 2


def test_more_search_never_finds_less_in_the_last_round() -> None:
    match = Match.begun("railroad-ink", 1, {"edition": "classic"}, seed=3)
    while match.state.round < 7 or not match.state.dice:
        match.step()
    seat, judge = seat_of(match.state, 1), judge_of(match.state, 1)
    little = best_turn(seat, judge, SearchEffort(beam=2, exact=4, extras=1)).judged
    much = best_turn(seat, judge).judged
    assert (much.worth, much.points) >= (little.worth, little.points)
    assert much.worth == much.points, "in the last round only the score counts"


def test_routes_that_nobody_has_to_draw_are_used() -> None:
    sources = {
        drawing.source
        for seed in range(1)
        for drawing in played("railroad-ink", 1, {}, seed).state.boards[1].drawings
    }
    assert {"die", "special", "factory"} <= sources


def test_who_must_draw_the_most_dice_does() -> None:
    match = Match.begun("railroad-ink", 2, {"must_draw": "most"}, seed=5)
    while match.state.round < 4:
        match.step()
    assert all(board.drawings for board in match.state.boards.values())


def test_classic_alone_makes_a_good_score() -> None:
    """The bench has hundreds of matches; these few are far from the 30 points of a greedy player."""
    totals = [played("railroad-ink", 1, {"edition": "classic"}, seed).totals[1] for seed in range(2)]
    assert sum(totals) / len(totals) > 38


def _looks(match: Match) -> list[frozenset[tuple[str, str]]]:
    boards = match.state.boards.values()
    return [frozenset((one.cell, one.route) for one in board.drawings) for board in boards]


@pytest.mark.parametrize("edition", ["classic", "challenge"])
@pytest.mark.parametrize("seed", range(3))
def test_six_bots_with_the_same_dice_draw_six_boards_from_the_first_round_on(edition: str, seed: int) -> None:
    match = Match.begun("railroad-ink", 6, {"edition": edition}, seed)
    while match.state.round == 1:
        match.step()
    assert len(set(_looks(match))) == 6


def test_bots_at_one_table_do_not_come_to_the_same_points() -> None:
    """Neither do they draw one board in a mirror: that comes to the same points, too."""
    match = played("railroad-ink", 3, {"edition": "classic"}, seed=2)
    assert len(set(_looks(match))) == 3
    assert len(set(match.totals.values())) > 1


def test_seats_decide_the_same_again_and_a_drawing_of_ones_own_is_gone_on_from() -> None:
    first, second = (Match.begun("railroad-ink", 3, {"edition": "classic"}, seed=4) for _ in range(2))
    for _ in range(12):
        assert first.step() == second.step()
    match = rolled({"edition": "classic"}, "NS", "NS", "ns", "NS|ew", seats=2)
    planned = BOT.decide(match.state, 2, SeededChance(1))
    assert planned is not None
    legal = [one for one in match.game.legal(match.state, 2) if one.kind == "draw"]
    match.do(next(one for one in legal if one.data["cell"] != planned.data["cell"]))
    while (action := BOT.decide(match.state, 2, SeededChance(1))) is not None:
        match.do(action)
    assert 2 in match.state.done


def test_a_child_misjudges_without_an_engine_too() -> None:
    totals = {
        level: sum(
            played("railroad-ink", 1, {"edition": "classic", "bots": level}, seed).totals[1]
            for seed in range(3)
        )
        for level in ("child", "good")
    }
    assert totals["child"] < totals["good"] - 10
