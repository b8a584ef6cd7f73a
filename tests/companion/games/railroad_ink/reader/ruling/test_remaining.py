"""One question about everything that an expansion's dice drew and nobody can read."""

from __future__ import annotations

from collections import Counter

import pytest

from companion.game.base import Fact, NoChance
from companion.games.railroad_ink.reader.reader import RailroadInkReader
from companion.games.railroad_ink.reader.reading import read_photo
from companion.games.railroad_ink.reader.ruling.probabilities import SlotProbabilities
from companion.games.railroad_ink.reader.ruling.remaining import NOTHING_MORE, REST
from companion.games.railroad_ink.reader.ruling.rule import BoardContext, rule
from companion.games.railroad_ink.rules.match.game import RailroadInk
from lab.railroad_ink.rest_bench import outcome, played_rounds, told
from lab.railroad_ink.studio.boards import GivenBoard, SheetMarks
from lab.railroad_ink.studio.output import take_picture
from lab.railroad_ink.studio.scenes import SceneSpec
from tests.companion.games.asking import answering

answer_for_seat = answering(RailroadInkReader())

GAME = RailroadInk()
PHOTO = "0" * 64


def test_most_rounds_are_entered_by_one_tap_at_most() -> None:
    names = ("city-builder", "alien-farmer", "weather", "airline", "portal", "investigation")
    counts = Counter(outcome(*one) for name in names for one in played_rounds(name, 0))
    assert counts["otherwise"] <= counts.total() / 7, counts


def test_the_question_is_one_and_its_answer_is_kept_with_the_picture() -> None:
    for begun, after in played_rounds("weather", 1):
        answer = answer_for_seat(told(after), begun, 1, {}, PHOTO)
        assert answer.action is None
        assert answer.ruling is not None
        assert answer.ruling.outcome == "ask"
        assert list(answer.ruling.questions) == [REST]
        *options, (none, _) = answer.ruling.questions[REST]
        assert none is None
        assert 1 <= len(options) <= 5
        assert sum(share for _, share in options) == pytest.approx(1, abs=0.01)
        text = options[0][0]
        again = answer_for_seat(told(after), begun, 1, {REST: text}, PHOTO)
        assert again.action is not None
        fact = GAME.decide(begun, again.action, NoChance())
        assert isinstance(fact, Fact)
        assert fact.data["picture"]["settled"] == {REST: text}
        by_hand = answer_for_seat(told(after), begun, 1, {REST: ""}, PHOTO)  # none of these: it is tapped
        assert by_hand.action is not None
        assert by_hand.says[0].startswith("now tap what the other dice drew")
        return


def test_dice_that_were_plainly_left_out_are_no_question() -> None:
    """A tetromino that nobody outlined: the round is entered, and the die may still be tapped."""
    for begun, after in played_rounds("tetromino", 0):
        if after.boards[1].placed != begun.boards[1].placed:
            continue
        answer = answer_for_seat(told(after), begun, 1, {}, PHOTO)
        assert answer.action is not None
        assert answer.says[0].startswith("now tap what the other dice drew: tetromino")
        assert NOTHING_MORE not in str(answer.action.data)
        return
    pytest.fail("the player always outlined one")


def test_boards_with_routes_that_only_an_expansion_draws_are_ruled_on() -> None:
    """Ink that the reader has no name for says nothing, and breaks nothing."""
    ruled = 0
    for begun, after in played_rounds("street-lamps", 0):
        strange = {"NS|EW", "EW|NS", "NE|SW"} & {route.text for route in begun.boards[1].cells().values()}
        answer = answer_for_seat(told(after), begun, 1, {}, PHOTO)
        ruled += bool(strange) and answer.ruling is not None
    assert ruled


@pytest.mark.parametrize("number", [1, *(pytest.param(number, marks=pytest.mark.slow) for number in (2, 3))])
def test_two_curves_of_unlike_type_are_found_in_a_photograph(number: int) -> None:
    """A drawing that the reader has no name for: its ends are seen, and the die says what it is."""
    begun, after = next(played_rounds("separation", number))
    board = after.boards[1]
    given = GivenBoard(1, SheetMarks("challenge", board.cells(), board.rounds()), 8_400_000 + number)
    data, _ = take_picture(8_400_000 + number, "clean", spec=SceneSpec(boards=(given,), megapixels=4.0))
    reading = read_photo(data)
    answer = answer_for_seat(reading, begun, 1, {}, PHOTO)
    options = answer.ruling.questions.get(REST, ()) if answer.ruling else ()
    chosen = [answer_for_seat(reading, begun, 1, {REST: text}, PHOTO) for text, _ in options if text]
    facts = [GAME.decide(begun, one.action, NoChance()) for one in (answer, *chosen) if one.action]
    entered = [GAME.apply(begun, fact) for fact in facts if isinstance(fact, Fact)]
    assert board.cells() in [state.boards[1].cells() for state in entered]


def test_a_route_that_was_taken_away_is_no_move_of_a_later_round() -> None:
    """Where a die destroyed a drawing and another one was drawn there, only the new one is entered."""
    redrawn = 0
    for begun, after in played_rounds("construction", 0):
        slots = SlotProbabilities.of(told(after).sheets[0])
        ruling = rule(BoardContext.of(begun, 1), slots)
        assert {move.get("round", begun.round) for move in ruling.moves} <= {begun.round}
        redrawn += any(one.erased and one.erased < begun.round for one in begun.boards[1].drawings)
    assert redrawn
