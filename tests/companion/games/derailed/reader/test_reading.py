"""Photographs of card tables in, cards out: ours and drawn ones, on the mat and bare; or whatever is sent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.core.jsontext import JsonObject
from companion.games.derailed.reader import reading
from companion.games.derailed.reader.cards.classification import ImagePyramid, class_probabilities
from companion.games.derailed.reader.cards.faces import CLASS_NUMBER, CLASSES, half_turned, mirrored
from companion.games.derailed.reader.cards.views import card_views, evened
from companion.games.derailed.reader.grids.tables import Expected, TablesFound, find_tables
from companion.games.derailed.reader.overlay import table_above
from companion.games.derailed.reader.reader import DerailedReader
from companion.games.derailed.reader.reading import read_cards
from companion.games.derailed.reader.readings import CardReading, seen_from_the_other_end
from companion.games.derailed.reader.ruling import AreaRuling
from companion.games.derailed.rules.cards import FACES
from companion.games.derailed.rules.network import grid_of
from companion.reading.evidence import Doubt, photo_json
from lab.derailed.reading_bench import foreign_to
from lab.derailed.studio.hands import HELD_OUT
from lab.derailed.studio.output import take_card_picture
from lab.derailed.studio.positions import CardTable, any_columns, played_table
from lab.derailed.studio.scenes import CardSpec
from lab.foreign import MAKERS
from lab.railroad_ink.studio.output import take_picture
from lab.railroad_ink.studio.scenes import SceneSpec
from lab.reading_bench import fault_of
from vision.errors import PictureError
from vision.register.rectify import Image, Places


def table(cards: int = 9, lanes: int = 3) -> CardTable:
    return played_table(np.random.default_rng(4), lanes, cards)


def picture(spec: CardSpec, level: str = "clean", seed: int = 3) -> tuple[bytes, JsonObject]:
    return take_card_picture(seed, level, spec=spec)


def only_sheet(data: bytes) -> CardReading:
    (sheet,) = read_cards(data).sheets
    return sheet


def cards_of(sheet: CardReading) -> dict[str, str]:
    return {name: cell.best for name, cell in sheet.cells.items() if cell.best and cell.cannot_see is None}


@pytest.mark.parametrize("hand", ["printed", "designer", *HELD_OUT])
@pytest.mark.parametrize("mat", [True, False])
def test_every_card_of_a_clean_table(hand: str, mat: bool) -> None:
    shown = table()
    sheet = only_sheet(picture(CardSpec(cards=shown, hand=hand, mat=mat, megapixels=1.5))[0])
    assert cards_of(sheet) == shown.grid
    assert sheet.columns == (shown.starts, shown.destinations)
    assert (sheet.mat is not None) == mat


def test_every_face_of_the_deck() -> None:
    faces = sorted(FACES)
    right = 0
    for first in range(0, len(faces), 24):
        stacks = {
            name: (face,) for name, face in zip(grid_of(6).names, faces[first : first + 24], strict=False)
        }
        columns = any_columns(np.random.default_rng(1), 6)
        shown = CardTable(columns.starts, columns.destinations, dict(stacks))
        sheet = only_sheet(
            picture(CardSpec(cards=shown, hand="printed", mat=True, megapixels=3.0, table_pixels=128))[0]
        )
        right += sum(sheet.cells[name].best == stack[-1] for name, stack in stacks.items())
    assert right == len(faces)


def test_an_empty_mat_is_empty() -> None:
    columns = any_columns(np.random.default_rng(1), 4)
    sheet = only_sheet(
        picture(CardSpec(cards=columns, hand="printed", mat=True, megapixels=1.2, table_pixels=128))[0]
    )
    assert (cards_of(sheet), sheet.doubtful) == ({}, ())


def test_a_card_that_lies_askew_is_said() -> None:
    spec = CardSpec(
        cards=any_columns(np.random.default_rng(1), 3), hand="printed", mat=True, odd="askew", megapixels=2.0
    )
    data, truth = picture(spec)
    cell = truth["sheets"][0]["odd"][0]["place"]
    photo = read_cards(data)
    assert photo.sheets[0].cells[cell].cannot_see is not None
    assert cell in photo.sheets[0].doubtful
    marked = DerailedReader().annotations(photo.sheets[0], None)
    assert cell not in marked.uncertain  # crossed out, not asked about
    assert any(cell in note and "straighten it" in note for note in photo.notes)


@pytest.mark.parametrize(
    "number", [5, 14, 25, *(pytest.param(number, marks=pytest.mark.slow) for number in (24, 28, 30))]
)
def test_a_card_half_over_two_places_is_said(number: int) -> None:
    """Also where nothing was detected there, or it was taken for the card of one of them."""
    rng = np.random.default_rng([88, number])
    lanes = int(rng.integers(2, 5))
    shown = played_table(rng, lanes, int(rng.integers(1, 3 * lanes)))
    hand = ("printed", "schoolchild", "stamper", "calligrapher")[number // 2 % 4]
    spec = CardSpec(cards=shown, hand=hand, mat=number % 2 == 0, megapixels=2.0, odd="between", turned=True)
    data, _ = picture(spec, "table", 90_000 + number)
    photo = read_cards(data, Expected((lanes,)))
    assert any("between places" in note and "straighten it" in note for note in photo.notes)
    assert any("between places" in (cell.cannot_see or "") for cell in photo.sheets[0].cells.values())


@pytest.mark.parametrize("mat", [True, False])
def test_a_card_beside_the_lanes_is_said(mat: bool) -> None:
    """Of the size of a card, that is: print of a bare mat was said to be one, see the empty sheets."""
    cards = played_table(np.random.default_rng(3), 3, 5)
    data, _ = picture(CardSpec(cards=cards, hand="printed", mat=mat, odd="outside", megapixels=2.0))
    (sheet,) = read_cards(data, Expected((3,))).sheets
    assert any("outside the lanes" in note.sentence for note in sheet.notes)


def test_a_card_face_down_is_said() -> None:
    spec = CardSpec(
        cards=any_columns(np.random.default_rng(1), 3), hand="printed", mat=True, odd="back", megapixels=2.0
    )
    data, truth = picture(spec)
    cell = truth["sheets"][0]["odd"][0]["place"]
    assert f"A card lies face down at {cell}." in read_cards(data).notes


def test_a_lane_of_a_mat_whose_stations_are_not_seen_is_spoken_of() -> None:
    shown = table(14, 4)
    spec = CardSpec(cards=shown, hand="printed", mat=True, megapixels=1.5, table_pixels=128)
    data, truth = picture(spec)
    image = np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR), np.uint8)
    last = [name for name in shown.grid if name[0] == "d"]
    for name in ("d-start", "d-destination"):
        corners = np.array(truth["sheets"][0]["places"][name]["corners"])
        wider = corners.mean(axis=0) + 1.05 * (corners - corners.mean(axis=0))
        cv2.fillPoly(image, [np.rint(wider).astype(np.int32)], (225, 228, 230))
    photo = read_cards(image)
    assert last
    assert photo.sheets[0].lanes == 3
    assert any("stations cannot be seen" in note for note in photo.notes)
    assert not any("stations cannot be seen" in note for note in read_cards(data).notes)


@pytest.mark.parametrize("megapixels", [1.0, 4.0])
def test_a_mirror_image_of_a_mat_is_said(megapixels: float) -> None:
    data, _ = picture(CardSpec(cards=table(), hand="printed", mat=True, megapixels=megapixels), "table")
    image = np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR), np.uint8)
    photo = read_cards(np.ascontiguousarray(image[:, ::-1]))
    assert photo.sheets == ()
    assert "mirror image" in photo.notes[0]


def test_the_promised_line() -> None:
    shown = table()
    data, _ = picture(CardSpec(cards=shown, hand="printed", mat=True, megapixels=1.5, table_pixels=128))
    told = photo_json("a.jpg", read_cards(data))
    (sheet,) = told["sheets"]
    assert (told["photo"], told["width"] * told["height"] > 1_000_000) == ("a.jpg", True)
    assert (sheet["sheet"], sheet["starts"]) == ("derailed", list(shown.starts))
    assert sheet["cells"].keys() == set(grid_of(3).names)
    assert sheet["slots"].keys() == sheet["cells"].keys() | sheet["stations"].keys()
    assert all("mark" in slot or "cannot_see" in slot for slot in sheet["slots"].values())
    for name, cell in sheet["cells"].items():
        assert cell["card"] == shown.grid.get(name)
        assert 0 < cell["p"] <= 1


def test_overlays() -> None:
    data, _ = picture(CardSpec(cards=table(), hand="printed", mat=True, megapixels=1.0, table_pixels=128))
    sheet = only_sheet(data)
    photo = np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR), np.uint8)
    reader = DerailedReader()
    drawn = reader.annotated(photo, [(sheet, None)])
    assert drawn.shape == photo.shape
    assert (drawn != photo).any()
    above = table_above(photo, sheet)
    assert above.shape[1] == 3 * 130
    doubts = (Doubt("a1", (("TB", 0.5), (None, 0.5))),)
    ruling = AreaRuling("ask", cards_of(sheet), doubts=doubts)
    assert (reader.annotated_sheet(above, sheet, ruling) != above).any()


def test_views_have_paper_of_one_brightness() -> None:
    image = np.full((300, 300, 3), (90, 100, 110), np.uint8)
    quads = np.array([[(50, 50), (113, 50), (113, 138), (50, 138)]], np.float64)
    views = evened(card_views(image, quads))
    assert views.shape == (1, 88, 64, 3)
    assert views.max() == pytest.approx(205, abs=2)
    assert class_probabilities(ImagePyramid(image), []).shape[0] == 0


def test_views_are_as_bright_as_a_percentile_of_their_pixels_says() -> None:
    views = np.random.default_rng(4).integers(0, 180, (6, 88, 64, 3)).astype(np.uint8)
    bright = np.percentile(views.max(axis=3).reshape(len(views), -1), 88, axis=1)
    slowly = np.clip(np.rint(views * (205 / bright)[:, None, None, None]), 0, 255)
    assert np.abs(evened(views) - slowly).max() <= 2


def test_what_a_place_looks_like_is_remembered_whatever_else_is_asked() -> None:
    image = np.random.default_rng(3).integers(60, 250, (300, 300, 3)).astype(np.uint8)
    quads = [np.array([(x, 50), (x + 63, 50), (x + 63, 138), (x, 138)], np.float64) for x in (10, 90, 200)]
    copies = ImagePyramid(image)
    first = class_probabilities(copies, quads[1:])
    assert (class_probabilities(copies, [*quads, quads[2]])[[1, 3]] == first).all()
    assert np.allclose(
        class_probabilities(copies, quads), class_probabilities(ImagePyramid(image), quads), atol=1e-4
    )


DEAD_ENDS = ("LTB|r", "LT|r", "TRB|l", "TR|l", "RB|l", "LB|r", "TB|l", "TB|r", "LTB", "TRB", "TB", "LTRB")


@lru_cache(maxsize=2)
def table_of_dead_ends(mat: bool) -> tuple[CardTable, bytes]:
    columns = any_columns(np.random.default_rng(1), 3)
    stacks: dict[str, tuple[str, ...]] = {
        name: (face,) for name, face in zip(grid_of(3).names, DEAD_ENDS, strict=True)
    }
    shown = CardTable(columns.starts, columns.destinations, stacks)
    return shown, picture(CardSpec(cards=shown, hand="calligrapher", mat=mat, megapixels=2.0), "table", 5)[0]


@pytest.mark.parametrize(
    "width", [0.6, 1.2, *(pytest.param(width, marks=pytest.mark.slow) for width in (0.7, 0.9))]
)
@pytest.mark.parametrize("mat", [True, False])
def test_a_dead_end_outside_the_outline_that_was_detected(
    monkeypatch: pytest.MonkeyPatch, mat: bool, width: float
) -> None:
    def of_that_width(photo: bytes | Image, expected: Expected) -> TablesFound:
        found = find_tables(photo, expected)
        (table,) = found.tables
        cards = {
            node: replace(card, short=card.short * width, exact=None)
            for node, card in table.lattice.cards.items()
        }
        return replace(found, tables=[replace(table, lattice=replace(table.lattice, cards=cards))])

    monkeypatch.setattr(reading, "find_tables", of_that_width)
    shown, data = table_of_dead_ends(mat)
    (sheet,) = read_cards(data, Expected((3,))).sheets
    ways = [cards_of(sheet), cards_of(seen_from_the_other_end(sheet))]
    assert shown.grid in (ways[:1] if mat else ways)


# --- whatever else is sent ---


@lru_cache(maxsize=1)
def samples() -> tuple[list[bytes], list[bytes]]:
    small = CardSpec(megapixels=0.8, table_pixels=128, mat=True)
    boards = take_picture(3_100_001, "table", spec=SceneSpec(sheets=1, megapixels=0.9, table_pixels=128))[0]
    return [picture(small, "table")[0]], [boards]


@pytest.mark.parametrize("kind", range(len(MAKERS)))
@pytest.mark.parametrize("turn", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_a_clear_answer_and_no_table_made_up(kind: int, turn: int) -> None:
    tables, boards = samples()
    assert fault_of(foreign_to(tables, boards), kind + turn * len(MAKERS)) is None


def test_what_is_no_picture() -> None:
    with pytest.raises(PictureError, match="cannot be read"):
        read_cards(b"nothing of the kind")


def test_one_look_that_is_wrong_and_sure_is_outvoted(monkeypatch: pytest.MonkeyPatch) -> None:
    quad = np.array([[0.0, 0.0], [63, 0], [63, 88], [0, 88]])
    looks = {(0.0, 0.0): ("LTRB", 0.98), (63.0, 88.0): ("LR|TB", 0.99), (63.0, 0.0): ("LR|TB", 0.97)}

    def shown(face: str, p: float) -> NDArray[np.float64]:
        own = np.full(len(CLASSES), (1 - p) / (len(CLASSES) - 1))
        own[CLASS_NUMBER[face]] = p
        return own

    def probabilities(_: ImagePyramid, quads: Sequence[Places]) -> NDArray[np.float64]:
        return np.array([shown(*looks.get((one[0][0], one[0][1]), ("LR|TB", 0.9))) for one in quads])

    monkeypatch.setattr(reading, "class_probabilities", probabilities)
    pyramid = ImagePyramid(np.zeros((100, 100, 3), np.uint8))
    read = {(0, 1): (quad, shown("LTRB", 0.98)), (0, 0): (quad, shown("A", 0.98))}
    own = reading.turned_and_mirrored(pyramid, read)
    assert own.keys() == {(0, 1)}  # a letter in a mirror is none
    assert CLASSES[own[0, 1][1].argmax()] == "LR|TB"
    assert own[0, 1][1].max() < 0.999


def test_faces_seen_another_way_round_keep_their_names(monkeypatch: pytest.MonkeyPatch) -> None:
    quad = np.array([[0.0, 0.0], [63, 0], [63, 88], [0, 88]])
    seen = {(63.0, 88.0): half_turned("LB|TR"), (63.0, 0.0): mirrored("LB|TR")}
    seen[0.0, 88.0] = mirrored(half_turned("LB|TR"))

    def probabilities(_: ImagePyramid, quads: Sequence[Places]) -> NDArray[np.float64]:
        return np.eye(len(CLASSES))[[CLASS_NUMBER[seen[one[0][0], one[0][1]]] for one in quads]]

    monkeypatch.setattr(reading, "class_probabilities", probabilities)
    pyramid = ImagePyramid(np.zeros((100, 100, 3), np.uint8))
    read = {(0, 1): (quad, np.eye(len(CLASSES))[CLASS_NUMBER["LB|TR"]])}
    assert reading.turned_and_mirrored(pyramid, read)[0, 1][1][CLASS_NUMBER["LB|TR"]] > 0.99


@pytest.mark.parametrize("mat", [True, False])
def test_a_reading_says_which_look_decided_every_place(mat: bool) -> None:
    shown = table()
    sheet = only_sheet(picture(CardSpec(cards=shown, hand="printed", mat=mat, megapixels=1.5))[0])
    told = sheet.explained()
    assert told["places"].keys() == sheet.slots.keys()
    for name, looks in told["places"].items():
        assert looks, name
        if sheet.slots[name].cannot_see is None:
            assert looks[-1]["mark"] == sheet.slots[name].best, name
    assert {looks[-1]["cut"] for looks in told["places"].values()} <= {
        "card",
        "grid",
        "moved",
        "mirrored",
        "no card",
    }
    assert bool(told["grids"]) == (not mat)
    # Seen from the other end the looks go with their places
    turned = seen_from_the_other_end(sheet).explained()
    first, last = (f"{lane}{row}" for lane, row in (("a", 1), ("c", 4)))
    assert [look["p"] for look in turned["places"][last]] == [look["p"] for look in told["places"][first]]
