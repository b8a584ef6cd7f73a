"""The promised line of `read --json`."""

from dataclasses import replace

import pytest

from companion.games.railroad_ink.reader.readings import (
    CellReading,
    GoalReading,
    PanelReading,
    PhotoReading,
    SheetQuality,
    SheetReading,
)
from companion.games.railroad_ink.reader.ruling.answer import BoardRuling
from companion.reading.evidence import SlotReading, photo_json


def a_reading() -> PhotoReading:
    cells = {
        "a1": CellReading({"NS": 0.998, "NSe*": 0.001, "": 0.0006, "ns": 0.0004}, round=2, round_p=0.9),
        "b1": CellReading({"": 0.999, "NS": 0.001}),
        "c1": CellReading({"": 0.5, "NS": 0.5}, cannot_see="glare"),
        "e1": CellReading({"": 0.8, "NS": 0.2}, cannot_see="covered", glimpsed=0.5),
        "d1": CellReading({"NS": 0.6, "": 0.4}),
    }
    sheet = SheetReading(
        sheet="railroad-ink",
        edition="challenge",
        seat=1,
        corners_px=((1.234, 2), (3, 4), (5, 6), (7, 8)),
        slots=cells,
        quality=SheetQuality("tags", 5.0, light=0.7, sharpness=0.8, contrast=0.4, glare=0.0),
        panel=PanelReading(
            {"NESW": 0.9, "nesw": 0.1}, (0.9, 0.2), (0.1,), (GoalReading("A", 0.97, 4), None, None)
        ),
    )
    return PhotoReading(640, 480, (sheet,), ("a note",))


def test_the_promised_line() -> None:
    line = photo_json("p.jpg", a_reading())
    assert (line["photo"], line["width"], line["height"], line["notes"]) == ("p.jpg", 640, 480, ["a note"])
    (sheet,) = line["sheets"]
    assert sheet["cells"] == {
        "a1": {"route": "NS", "p": 0.998, "round": 2, "others": [["NSe*", 0.001]]},
        "b1": {"route": None, "p": 0.999, "others": [["NS", 0.001]]},
        "c1": {"cannot_see": "glare"},
        "e1": {"cannot_see": "covered"},
        "d1": {"route": "NS", "p": 0.6, "others": [[None, 0.4]]},
    }
    assert sheet["slots"]["d1"] == {"mark": "NS", "p": 0.6, "others": [[None, 0.4]]}
    assert (sheet["slots"]["b1"]["mark"], sheet["slots"]["c1"]) == (None, {"cannot_see": "glare"})
    assert sheet["doubtful"] == ["c1", "e1", "d1"]
    assert (sheet["specials"], sheet["villages"], sheet["universities"]) == (["NESW"], 1, 0)
    assert sheet["goals"] == [{"goal": "A", "p": 0.97, "points": 4}, None, None]
    assert "ruling" not in sheet


def test_a_guess_at_a_half_hidden_cell_is_told_to_the_rules_alone() -> None:
    (sheet,) = a_reading().sheets
    assert sheet.probabilities["e1"] is None
    assert sheet.glimpses == {"e1": pytest.approx({"": 0.65, "NS": 0.35})}


def test_a_ruling_stands_at_its_sheet() -> None:
    ruling = BoardRuling.refused_outright("first the dice are rolled")
    (sheet,) = photo_json("p.jpg", a_reading(), {0: ruling})["sheets"]
    assert sheet["ruling"] == {
        "outcome": "refused",
        "cells": {},
        "p": 0.0,
        "margin": 0.0,
        "changed": [],
        "doubtful": [],
        "questions": {},
        "against_the_rules": ["first the dice are rolled"],
        "alternatives": [],
    }


def test_a_space_that_a_mark_fills_is_told_without_a_route() -> None:
    """A river along which the network of routes sees a curve; beside a route, or less sure, it stays."""
    (sheet,) = a_reading().sheets
    cells = {name: CellReading({"NE": 0.9996, "": 0.0004}) for name in ("a1", "b1", "c1", "d1")}
    marks = {
        "a1": SlotReading({"river:ES": 0.99, "": 0.01}),
        "b1": SlotReading({"+river:EW": 0.99, "": 0.01}),
        "c1": SlotReading({"river:ES": 0.6, "": 0.4}),
        "d1": SlotReading({"river:ES": 0.99, "": 0.01}, "glare"),
    }
    told = replace(sheet, slots=cells, expansion="river", marks=marks).as_json()
    assert {name: cell["route"] for name, cell in told["cells"].items()} == {
        "a1": None,
        "b1": "NE",
        "c1": "NE",
        "d1": "NE",
    }
    assert told["slots"]["a1"]["mark"] is None
    assert told["doubtful"] == []
