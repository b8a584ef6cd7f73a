"""What readers and rulings of all games share."""

from __future__ import annotations

import pytest

from companion.reading.evidence import (
    MAX_NLL,
    OF_ANOTHER_BOARD,
    OUTLIER_RATE,
    Doubt,
    PhotoReading,
    Quality,
    Ruling,
    SheetReading,
    SlotReading,
    asked_within_reason,
    costs_of,
    photo_json,
    ranked,
    stray_share,
    with_answers,
)

CORNERS = ((1.234, 2.0), (3.0, 4.0), (5.0, 6.0), (7.0, 8.0))


def a_sheet() -> SheetReading[SlotReading]:
    slots = {
        "clear": SlotReading({"X": 0.98, "": 0.02}),
        "empty": SlotReading({"": 0.999, "X": 0.001}),
        "unclear": SlotReading({"X": 0.6, "": 0.4}),
        "clear-but-covered": SlotReading({"X": 0.98, "": 0.02}, "covered"),
    }
    return SheetReading("shuttle", "", 2, CORNERS, slots, Quality("tags", 3.14159, 0.777))


def test_doubtful_is_what_somebody_should_look_at() -> None:
    assert a_sheet().doubtful == ("unclear", "clear-but-covered")


def test_what_cannot_be_seen_says_nothing() -> None:
    probabilities = a_sheet().probabilities
    assert probabilities["clear-but-covered"] is None
    assert probabilities["clear"] == {"X": 0.98, "": 0.02}


def test_a_line_of_a_game_without_names_of_its_own() -> None:
    doubt = Doubt("clear", (("X", 0.91234), (None, 0.08766)))
    ruling = Ruling.ruled({"clear": "X"}, 0.912345, {}, (doubt,))
    line = photo_json("p.jpg", PhotoReading(640, 480, (a_sheet(),), ("a note",)), {0: ruling})
    assert line == {
        "photo": "p.jpg",
        "width": 640,
        "height": 480,
        "sheets": [
            {
                "sheet": "shuttle",
                "edition": None,
                "seat": 2,
                "corners": [[1.23, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]],
                "slots": {
                    "clear": {"mark": "X", "p": 0.98, "others": [[None, 0.02]]},
                    "empty": {"mark": None, "p": 0.999, "others": [["X", 0.001]]},
                    "unclear": {"mark": "X", "p": 0.6, "others": [[None, 0.4]]},
                    "clear-but-covered": {"cannot_see": "covered"},
                },
                "doubtful": ["unclear", "clear-but-covered"],
                "quality": {"found_by": "tags", "pixels_per_mm": 3.14, "light": 0.78},
                "ruling": {
                    "outcome": "ask",
                    "cells": {"clear": "X"},
                    "p": 0.9123,
                    "changed": ["clear"],
                    "doubtful": ["clear"],
                    "questions": {"clear": [["X", 0.9123], [None, 0.0877]]},
                    "against_the_rules": [],
                },
            }
        ],
        "notes": ["a note"],
    }


def test_five_other_marks_worth_telling() -> None:
    many = {"A": 0.5, "B": 0.2, "C": 0.1, "D": 0.1, "E": 0.0501, "F": 0.049, "G": 0.0009}
    few = {"A": 0.9989, "B": 0.001, "C": 0.0001}
    slots = {"many": SlotReading(many), "few": SlotReading(few)}
    sheet = SheetReading("shuttle", "", 1, CORNERS, slots, Quality("tags", 1.0, 1.0))
    told = sheet.as_json()["slots"]
    assert [mark for mark, _ in told["many"]["others"]] == ["B", "C", "D", "E", "F"]
    assert told["few"]["others"] == [["B", 0.001]]


def test_costs_are_bounded_by_how_often_a_picture_fools_the_reader() -> None:
    sure = costs_of({"X": 1.0, "": 0.0}, 2)
    assert sure["X"] == 0
    assert sure[""] == pytest.approx(7.6, abs=0.01)
    assert costs_of({"X": 30.0, "": 10.0}, 2) == pytest.approx(costs_of({"X": 0.75, "": 0.25}, 2))
    assert max(costs_of({"X": 1.0, "": 0.0}, 100).values()) > max(sure.values())
    assert OUTLIER_RATE < 0.01


def test_an_answer_settles_a_slot_and_leaves_the_others() -> None:
    probabilities = {"a1": {"X": 0.6, "": 0.4}, "b1": None}
    assert with_answers(probabilities, {"a1": ""}, str, str) == {"a1": {"": 1.0}, "b1": None}


def test_a_broken_rule_is_as_likely_as_a_bad_reading_at_the_reach() -> None:
    assert stray_share(MAX_NLL) == 0.5
    assert stray_share(9.0, reach=9.0) == 0.5
    assert stray_share(1e9) == pytest.approx(1)
    assert stray_share(-1e9) == pytest.approx(0)


def test_a_ruling_without_doubts_is_accepted() -> None:
    ruling = Ruling.ruled({"a1": "X", "b1": "O"}, 0.99, {"b1": "X", "c1": "X"}, ())
    assert (ruling.outcome, ruling.changed, ruling.doubtful) == ("accepted", ("a1", "b1", "c1"), ())


def test_a_ruling_with_doubts_asks() -> None:
    doubt = Doubt("a1", (("X", 0.9), (None, 0.1)))
    ruling = Ruling.ruled({"a1": "X"}, 0.9, {}, (doubt,))
    assert (ruling.outcome, ruling.doubtful, ruling.doubts) == ("ask", ("a1",), (doubt,))


def test_a_refusal_shows_the_picture_and_says_why() -> None:
    refused = Ruling.refused({2: "X"}, {1: "X"}, ["no"])
    assert (refused.outcome, refused.p, refused.changed, refused.against) == ("refused", 0.0, (1, 2), ("no",))
    assert Ruling[int, str].refused_outright("roll first").cells == {}


def test_options_are_the_five_most_probable() -> None:
    shares = {"A": 0.1, "B": 0.4, "C": 0.2, "D": 0.15, "E": 0.149, "F": 0.001}
    assert [mark for mark, _ in ranked(shares)] == ["B", "C", "D", "E", "A"]
    assert ranked({"A": 0.999, "B": 0.001}, least=0.002) == (("A", 0.999),)


def test_nobody_is_asked_more_than_they_want_to_answer() -> None:
    doubts = [Doubt(f"a{n}", (("1", 0.6), ("", 0.4))) for n in range(13)]
    few = Ruling.ruled({"a0": "1"}, 0.5, {}, doubts[:12])
    assert asked_within_reason(few) is few
    many = asked_within_reason(Ruling.ruled({"a0": "1"}, 0.5, {}, doubts))
    assert (many.outcome, many.doubts, many.against) == ("refused", (), (OF_ANOTHER_BOARD,))
    colour = Doubt("colour:pink", (("1", 0.6), ("2", 0.4)))
    asked = asked_within_reason(Ruling.ruled({"a0": "1"}, 0.5, {}, doubts), (colour,))
    assert (asked.outcome, asked.doubtful, asked.against) == ("ask", ("colour:pink",), ())
