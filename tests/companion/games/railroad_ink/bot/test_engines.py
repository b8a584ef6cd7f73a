"""The fast player: its boards agree with the scorer, and every turn of it is one that the rules allow."""

from __future__ import annotations

from random import Random
from typing import Any, get_args

import numpy as np
import pytest

from companion.games.railroad_ink.bot import player
from companion.games.railroad_ink.bot.engines import Engine, Lockstep, MachineCode, warmed_up
from companion.games.railroad_ink.bot.question import question_of
from companion.games.railroad_ink.bot.tables import NETWORKS, rolls, start, tables_of
from companion.games.railroad_ink.bot.thinking import Effort, table_for, thoughts
from companion.games.railroad_ink.bot.worth import Weight, with_score
from companion.games.railroad_ink.rules.boards.board import Board
from companion.games.railroad_ink.rules.boards.position import Position
from companion.games.railroad_ink.rules.boards.routes import VOCABULARY
from companion.games.railroad_ink.rules.boards.walls import parse_walls
from companion.games.railroad_ink.rules.match.state import BotLevel
from companion.games.railroad_ink.rules.rulebook import EDITION
from companion.games.railroad_ink.rules.scoring.goals import GOALS, achieved
from companion.games.railroad_ink.rules.scoring.scores import score
from lab.bots_bench import Match, played
from tests.companion.games.railroad_ink.rules.boards import ALL_WALLS


@pytest.fixture(scope="module")
def machine_code() -> Engine:
    pytest.importorskip("numba", reason="machine code needs numba")
    return warmed_up(MachineCode())


@pytest.fixture
def engine(machine_code: Engine, monkeypatch: pytest.MonkeyPatch) -> Engine:
    monkeypatch.setattr(player, "engine", lambda: machine_code)
    return machine_code


pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]  # compiling takes a minute, once


@pytest.mark.parametrize("edition", ["classic", "challenge"])
@pytest.mark.parametrize("seed", range(6))
def test_a_board_in_the_making_is_what_the_rules_say(machine_code: Engine, edition: str, seed: int) -> None:
    """Points, ends, goals and longest routes, after every drawing of a match at random."""
    random = Random(seed)
    walls = parse_walls(random.sample(ALL_WALLS, seed % 3 * 4))
    board_edition = EDITION[edition]
    table = tables_of(board_edition, walls).copy()
    table["weights"][0] = with_score(np.zeros((7, len(Weight))))[-1]
    table["goal_count"], table["prize"] = 1, 100.0
    head, body = start(walls)
    for number in range(7):
        machine_code.begin(head, body, int(rolls(board_edition, 1, 1, 50 * seed + number)[0, 0]), table)
        heads, bodies = machine_code.complete(head, body, 3, 3, 0, table)
        place = random.randrange(len(heads))
        head, body = heads[place : place + 1], bodies[place : place + 1]
        cells = {cell: VOCABULARY[route - 1] for cell, route in enumerate(body["route"][0]) if route}
        position = Position(cells, board_edition, walls=walls)
        assert int(head["lost"][0] + head["ends"][0][_live(head)].sum()) == len(score(position).errors)
        for at, code in enumerate(GOALS):
            table["goal"][0, 0] = at
            worth = machine_code.promise(head, 0, table)
            assert worth == score(position).total + 100 * achieved(position, code), (code, cells)


@pytest.mark.parametrize("edition", ["classic", "challenge"])
def test_in_step_boards_are_the_same_as_one_by_one(machine_code: Engine, edition: str) -> None:
    """All but longest walks after a loop was closed; and what boards promise, so far."""
    table = table_for(question_of(Match.begun("railroad-ink", 1, {"edition": edition}, seed=3).state, 1))
    for seed in range(4):
        engines = (machine_code, Lockstep())
        boards = [start(body=engine.body) for engine in engines]
        for number, dice in enumerate(rolls(EDITION[edition], 1, 7, seed)[0]):
            for engine, (head, body) in zip(engines, boards, strict=True):
                engine.begin(head, body, int(dice), table)
            _, turns = machine_code.complete(*boards[0], 3, 3, number, table)
            turn = turns[seed % len(turns)]
            for move in turn["moves"][: turn["drawn"]]:
                for engine, (head, body) in zip(engines, boards, strict=True):
                    engine.draw(head, body, int(move), table)
            (known, one), (same, other) = boards
            for name in ("facing", "empty", "lost", "shut", "bank", "closed", "villages", "universities"):
                assert (known[name] == same[name]).all(), name
            for name in ("left", "duplicates", "special_now", "free", "used"):
                assert (one[name] == other[name]).all(), name
            assert (same["longest"] <= known["longest"]).all()
            if known["shown"][0] & 1:  # a loop
                break
            assert (known["longest"] == same["longest"]).all()
            assert machine_code.promise(known, number, table) == pytest.approx(
                engines[1].promise(same, number, table)
            )


def _live(head: Any) -> list[int]:
    return [network for network in range(NETWORKS) if int(head["live"][0]) >> network & 1]


@pytest.mark.parametrize("level", get_args(BotLevel))
@pytest.mark.parametrize(
    "options", [{"edition": "classic"}, {}, {"blueprint": "old-town", "must_draw": "most"}]
)
def test_every_turn_is_legal_at_every_level(engine: Engine, level: BotLevel, options: dict[str, str]) -> None:
    match = played("railroad-ink", 2, {**options, "bots": level}, seed=8)
    assert match.state.finished, "a refused action would have raised"
    assert len(set(map(looks, match.state.boards.values()))) == 2


def looks(board: Board) -> frozenset[tuple[str, str]]:
    return frozenset((drawing.cell, drawing.route) for drawing in board.drawings)


def test_playouts_are_worth_points(engine: Engine) -> None:
    """The bench has hundreds of matches; these few are far from the 48 points of the search without them."""
    totals = [
        played("railroad-ink", 1, {"edition": "classic", "bots": "good"}, seed).totals[1] for seed in range(6)
    ]
    assert sum(totals) / len(totals) > 50


def test_the_same_is_thought_twice(engine: Engine) -> None:
    match = Match.begun("railroad-ink", 1, {"edition": "classic"}, seed=3)
    match.step()
    asked = question_of(match.state, 1)
    first, second = (
        thoughts(asked, Effort(6, 6, playouts=30, next_beam=2, last_beam=2), engine) for _ in range(2)
    )
    assert first == second
    assert first[0].playouts == max(one.playouts for one in first)


def test_six_bots_draw_six_boards_that_differ_in_a_mirror_too(engine: Engine) -> None:
    match = Match.begun("railroad-ink", 6, {"edition": "classic"}, seed=2)
    while match.state.round == 1:
        match.step()
    boards = [frozenset(player.images(board)) for board in match.state.boards.values()]
    assert len(set(boards)) == 6
