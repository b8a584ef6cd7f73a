"""The bot of Railroad Ink: its sketches agree with the scorer, it uses what there is, and it scores well."""

from __future__ import annotations

import pytest

from companion.core.chance import SeededChance
from companion.game.base import Action
from companion.games.railroad_ink.bot.engines import engine
from companion.games.railroad_ink.bot.player import RailroadInkBot
from companion.games.railroad_ink.bot.question import question_of
from companion.games.railroad_ink.bot.thinking import Effort, thoughts
from lab.bots_bench import Match, played

BOT = RailroadInkBot()


def rolled(options: dict[str, str], *faces: str, seats: int = 1) -> Match:
    """A match in its first round, with these dice."""
    match = Match.begun("railroad-ink", seats, options, seed=1)
    match.do(Action("roll", data={"faces": list(faces)}))
    return match


def test_four_straights_lead_inwards_from_exits() -> None:
    match = rolled({"edition": "classic"}, "NS", "NS", "ns", "NS|ew")
    assert len(thoughts(question_of(match.state, 1), Effort(6, 6), engine())[0].drawings) >= 4
    while (action := BOT.decide(match.state, 1, SeededChance(1))) is not None:
        match.do(action)
    assert match.state.round == 2


def test_in_the_last_round_only_the_score_counts() -> None:
    match = Match.begun("railroad-ink", 1, {"edition": "classic", "bots": "casual"}, seed=3)
    while match.state.round < 7 or not match.state.dice:
        match.step()
    best = thoughts(question_of(match.state, 1), Effort(40, 40, playouts=30), engine())[0]
    while not match.over:
        match.step()
    assert best.worth == match.totals[1]


def test_routes_that_nobody_has_to_draw_are_used() -> None:
    sources = {
        drawing.source
        for seed in range(1)
        for drawing in played("railroad-ink", 1, {"bots": "casual"}, seed).state.boards[1].drawings
    }
    assert {"die", "special", "factory"} <= sources


def test_who_must_draw_the_most_dice_does() -> None:
    match = Match.begun("railroad-ink", 2, {"must_draw": "most", "bots": "casual"}, seed=5)
    while match.state.round < 4:
        match.step()
    assert all(board.drawings for board in match.state.boards.values())


def test_classic_alone_makes_a_good_score() -> None:
    """The bench has hundreds of matches; these few are far from the 30 points of a greedy player."""
    totals = [played("railroad-ink", 1, {"edition": "classic"}, seed).totals[1] for seed in range(2)]
    assert sum(totals) / len(totals) > 50


def _looks(match: Match) -> list[frozenset[tuple[str, str]]]:
    boards = match.state.boards.values()
    return [frozenset((one.cell, one.route) for one in board.drawings) for board in boards]


@pytest.mark.parametrize(
    ("edition", "level", "seed"),
    [("classic", "casual", 0), ("challenge", "casual", 1), ("challenge", "good", 2)],
)
def test_six_bots_with_the_same_dice_draw_six_boards_from_the_first_round_on(
    edition: str, level: str, seed: int
) -> None:
    match = Match.begun("railroad-ink", 6, {"edition": edition, "bots": level}, seed)
    while match.state.round == 1:
        match.step()
    assert len(set(_looks(match))) == 6


def test_bots_at_one_table_do_not_come_to_the_same_points() -> None:
    """Neither do they draw one board in a mirror: that comes to the same points, too."""
    match = played("railroad-ink", 3, {"edition": "classic", "bots": "casual"}, seed=2)
    assert len(set(_looks(match))) == 3
    assert len(set(match.totals.values())) > 1


def test_seats_decide_the_same_again_and_a_drawing_of_ones_own_is_gone_on_from() -> None:
    options = {"edition": "classic", "bots": "casual"}
    first, second = (Match.begun("railroad-ink", 3, options, seed=4) for _ in range(2))
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


def test_a_child_misjudges() -> None:
    totals = {
        level: sum(
            played("railroad-ink", 1, {"edition": "classic", "bots": level}, seed).totals[1]
            for seed in range(3)
        )
        for level in ("child", "casual")
    }
    assert totals["child"] < totals["casual"]
