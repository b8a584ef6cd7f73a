"""What every reader has from its base class: the smallest there can be, of a sheet with two slots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from msgspec import Struct

from companion.core.errors import NotationError
from companion.core.jsontext import JsonObject
from companion.game.base import Action
from companion.reading.annotation import GREEN, MAGENTA
from companion.reading.answer import SeatQuery, SeatRuling
from companion.reading.base import Context, Reader
from companion.reading.evidence import Doubt, PhotoReading, Quality, Ruling, SheetReading, SlotReading
from companion.reading.report import EarlierLine
from companion.reading.types import ReadHints
from companion.sheets.drawing import Drawing, Quad, rectangle
from companion.sheets.sheet import Sheet, Slot
from vision.register.rectify import Image

SIZE = (60.0, 40.0)  # mm
LEFTS = {"left": 10.0, "right": 35.0}  # mm
SLOTS = {name: Slot(rectangle((left, 10.0), (15.0, 20.0)), "box") for name, left in LEFTS.items()}
PRINTED = Sheet("pair", "", 1, SIZE, {}, SLOTS, rectangle((5, 5), (50, 30)), lambda: Drawing(SIZE, ()))
CORNERS: Quad = ((20.0, 30.0), (260.0, 30.0), (260.0, 190.0), (20.0, 190.0))  # 4 pixels a mm, upright
PHOTO = np.full((220, 280, 3), 230, np.uint8)
Pair = SheetReading[SlotReading]
PairRuling = Ruling[str, str]
REFUSED = PairRuling.refused({"left": "x"}, {}, ["two in a row"])
ASKING = PairRuling.ruled({"left": "x"}, 0.7, {}, [Doubt("right", (("x", 0.6), (None, 0.4)))])
ACCEPTED = PairRuling.ruled({"left": "x", "right": "x"}, 0.99, {"left": "x"}, ())


class Seen(Struct, frozen=True):
    """What this game would use of a sheet in an earlier line."""

    slots: dict[str, JsonObject]


class Given(Context[Pair, PairRuling]):
    """A ruling that is known before."""

    def __init__(self, ruling: PairRuling | None = None) -> None:
        self.ruling = ruling

    def after(self, before: JsonObject) -> Given:
        return self

    def rule(self, sheet: Pair) -> tuple[Pair, PairRuling | None]:
        return sheet, self.ruling


class PairReader(Reader[PairRuling | None, Pair, PairRuling]):
    """The state of its match is the ruling itself."""

    def read(self, photo: bytes | Image, hints: ReadHints) -> PhotoReading[Pair]:
        return photo_of(sheet())

    def printed(self, sheet: Pair) -> Sheet:
        return PRINTED

    def seats(self, state: PairRuling | None) -> Sequence[int]:
        return (1, 2)

    def context(self, hints: ReadHints, rolled: str | None) -> Given:
        return Given()

    def rule_seat(
        self, query: SeatQuery[PairRuling | None, Pair], sheet: Pair
    ) -> SeatRuling[Pair, PairRuling]:
        action = Action("report", query.seat, {"picture": query.picture})
        return SeatRuling(sheet, query.state, action, ("look again",))


def sheet(seat: int = 1, light: float = 0.9) -> Pair:
    slots = {"left": SlotReading({"x": 0.95, "": 0.05}), "right": SlotReading({"": 0.6, "x": 0.4}, "glare")}
    return Pair("pair", "", seat, CORNERS, slots, Quality("tags", 4.0, light))


def photo_of(*sheets: Pair) -> PhotoReading[Pair]:
    return PhotoReading(280, 220, sheets, ("one is cut off",))


READER = PairReader()


# --- the answer for a seat ---


@pytest.mark.parametrize(("ruling", "entered"), [(ACCEPTED, True), (ASKING, False), (REFUSED, False)])
def test_only_what_is_accepted_becomes_an_action(ruling: PairRuling, entered: bool) -> None:
    query = SeatQuery(photo_of(sheet(2), sheet(1)), ruling, 1, {"left": "x"}, "abc")
    answer = READER.answer(query)
    assert (answer.ruling, answer.sheet) == (ruling, sheet(1))
    assert answer.says == (*ruling.against, "look again", "one is cut off")
    assert (answer.action is not None) == entered
    if answer.action is not None:
        assert answer.action.data["picture"] == {"photo": "abc", "settled": {"left": "x"}}


@pytest.mark.parametrize(("seats", "why"), [((2,), "not in the picture"), ((1, 1), "more than once")])
def test_a_seat_has_one_sheet_in_the_picture(seats: Sequence[int], why: str) -> None:
    answer = READER.answer(SeatQuery(photo_of(*map(sheet, seats)), ACCEPTED, 1))
    assert (answer.ruling, answer.action, answer.sheet) == (None, None, None)
    assert why in answer.says[0]
    assert answer.says[1:] == ("one is cut off",)


def test_where_no_sheet_is_found_the_reason_alone_is_said() -> None:
    """That the sheet is not in the picture would send people to look for what is wrong with the sheet."""
    answer = READER.answer(SeatQuery(photo_of(), ACCEPTED, 1))
    assert (answer.ruling, answer.says) == (None, ("one is cut off",))


def test_a_sheet_for_all_is_everybodys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PairReader, "one_for_all", True)
    assert READER.answer(SeatQuery(photo_of(sheet(1)), ACCEPTED, 2)).ruling == ACCEPTED


def test_a_sheet_on_which_nobody_can_rule_is_shown_all_the_same() -> None:
    answer = READER.answer(SeatQuery(photo_of(sheet(1)), None, 1))
    assert (answer.ruling, answer.action, answer.sheet) == (None, None, sheet(1))
    assert answer.says == ("look again", "one is cut off")


def test_what_leaves_the_readers_process_has_no_type_of_the_game() -> None:
    summary = ASKING.summary
    assert (summary.outcome, dict(summary.labels), summary.changes) == ("ask", {"left": "x"}, ("left",))
    assert (summary.uncertain, summary.questions) == (("right",), {"right": (("x", 0.6), (None, 0.4))})
    assert summary.told == ASKING.as_json()


# --- the report ---


def test_a_report_without_rules_says_what_was_read() -> None:
    report = READER.report(photo_of(sheet(3)), Given())
    assert not report.refused
    assert "ruling" not in report.to_json("a.jpg")["sheets"][0]
    assert list(report.lines("a.jpg")) == [
        "a.jpg: 1 sheet",
        "Seat 3, found by tags",
        "  read: left:x",
        "  please check: right",
        "one is cut off",
    ]


def test_a_report_with_the_rules_answer() -> None:
    report = READER.report(photo_of(sheet()), Given(REFUSED))
    assert report.refused
    assert report.to_json("a.jpg")["sheets"][0]["ruling"] == REFUSED.as_json()
    assert "  ruling: refused; new: left" in report.lines("a.jpg")
    assert "  against the rules: two in a row" in report.lines("a.jpg")
    asking = READER.report(photo_of(sheet()), Given(ASKING))
    assert "  please check: right" in asking.lines("a.jpg")


def test_an_earlier_line_is_of_one_sheet() -> None:
    line: EarlierLine[Seen] = EarlierLine([])
    with pytest.raises(NotationError, match="0 sheets are in it: exactly one is needed"):
        line.only("no-pair")


# --- pictures ---


def pixel(picture: Image, x: float, y: float) -> list[int]:
    """At a place of the sheet in mm, on its photograph."""
    found: list[int] = picture[round(30 + 4 * y), round(20 + 4 * x)].tolist()
    return found


def test_labels_and_signs_are_drawn_where_their_slots_are() -> None:
    picture = READER.annotated(PHOTO, [(sheet(), ASKING)])
    assert pixel(picture, 10, 20) == list(GREEN)  # the frame of what lies there
    assert pixel(picture, 35 + 1.5, 20) == list(MAGENTA)  # and that of what is asked, inside
    assert pixel(picture, 30, 20) == [230, 230, 230]
    unseen = READER.annotated(PHOTO, [(sheet(), None)])
    assert max(pixel(unseen, 42.5, 20)) < 150  # crossed out
    assert (PHOTO == 230).all()


def test_a_sheet_is_seen_from_above_as_it_is_printed() -> None:
    photo = PHOTO.copy()
    photo[30 + 4 * 10 : 30 + 4 * 30, 20 + 4 * 10 : 20 + 4 * 25] = 0  # the left slot is black
    above = READER.rectified_sheet(photo, sheet())
    assert above.shape == (120, 200, 3)
    assert above[20 + 40, 20 + 30].tolist() == [0, 0, 0]
    assert above[20 + 40, 20 + 130].tolist() == [230, 230, 230]
    drawn = READER.annotated_sheet(above, sheet(), ACCEPTED)
    assert drawn[20 + 40, 20].tolist() == list(GREEN)


def test_a_big_photograph_is_made_smaller() -> None:
    big = np.full((3000, 4000, 3), 128, np.uint8)
    assert READER.annotated(big, []).shape == (1800, 2400, 3)


# --- what a camera sees ---


def test_what_is_in_view_has_a_name_and_advice() -> None:
    seen = READER.view(photo_of(sheet(2), replace(sheet(1, light=0.1), corners_px=CORNERS)))
    assert [one.name for one in seen.sheets] == ["Seat 2", "Seat 1"]
    assert seen.sheets[0].corners[0] == (20 / 280, 30 / 220)
    assert [one.says for one in seen.sheets] == [(), ("too dark: more light",)]
    assert seen.notes == ("one is cut off",)


def test_only_what_can_be_played_along_is_an_expansion(monkeypatch: pytest.MonkeyPatch) -> None:
    READER.check_expansion("pairs", "")
    with pytest.raises(NotationError, match="pairs has no expansions"):
        READER.check_expansion("pairs", "forest")
    monkeypatch.setattr(PairReader, "expansions", ("lake", "river"))
    READER.check_expansion("pairs", "lake")
    with pytest.raises(NotationError, match="pairs has no expansion 'forest': choose one of lake, river"):
        READER.check_expansion("pairs", "forest")
