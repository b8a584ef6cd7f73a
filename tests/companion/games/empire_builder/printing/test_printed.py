"""The printed map, cards and chips: every edge and milepost a slot, nothing outside its sheet."""

from __future__ import annotations

from math import dist

import pytest

from companion.games.empire_builder.printing.card_art import (
    chip_drawing,
    contrast,
    demand_drawing,
    event_drawing,
    loco_drawing,
)
from companion.games.empire_builder.printing.labels import placed_labels
from companion.games.empire_builder.printing.map_art import map_drawing
from companion.games.empire_builder.printing.printed import (
    PRINTED,
    edge_line,
    map_size,
    slot_quads,
    spot,
    tag_quads,
)
from companion.games.empire_builder.printing.prints import EmpireBuilderPrintables, map_pages
from companion.games.empire_builder.rules.boards.board import board
from companion.games.empire_builder.rules.cards.demands import own_cards
from companion.games.empire_builder.rules.cards.events import EVENTS
from companion.games.empire_builder.rules.rulebook import LOADS, TRAIN_KINDS
from companion.sheets.drawing import Drawing, Prose, Text, outline, rectangle
from companion.sheets.layouts import sheet_layout
from tests.companion.games.empire_builder.rules.tables import BOARD

SHEETS = EmpireBuilderPrintables()


def test_every_edge_and_milepost_is_a_slot() -> None:
    slots = slot_quads(BOARD)
    buildable = [name for edge, name in enumerate(BOARD.edge_names) if not BOARD.red[edge]]
    assert set(slots) == {*BOARD.names, *buildable}
    width, height = map_size()
    for quad in slots.values():
        assert all(0 < x < width and 0 < y < height for x, y in quad)


def test_neighbours_lie_a_pitch_apart_and_track_between_them() -> None:
    for edge, (one, other) in enumerate(BOARD.edges):
        assert dist(spot(BOARD, one), spot(BOARD, other)) == pytest.approx(PRINTED.map.pitch)
        assert dist(*edge_line(BOARD, edge)) == pytest.approx(PRINTED.map.pitch - 2 * PRINTED.map.slot_rim)


def test_tags_lie_in_the_corners_away_from_every_slot() -> None:
    mileposts = [spot(BOARD, milepost) for milepost in range(len(BOARD.places))]
    for quad in tag_quads().values():
        for x, y in quad:
            assert min(dist((x, y), at) for at in mileposts) > 8


def test_the_layout_gives_millimetres_and_pixels() -> None:
    layout = sheet_layout(SHEETS.sheet(1, "map"), 100)
    assert layout["size_mm"] == list(map_size())
    one = layout["slots"][BOARD.names[0]]
    assert one["px"][0][0] == pytest.approx(one["mm"][0][0] * 100 / 25.4, abs=0.01)
    assert len(layout["tags"]) == 4


def test_every_city_is_named_on_the_map_and_no_two_names_lie_on_each_other() -> None:
    labels = placed_labels(BOARD)
    assert {label.city.name for label in labels} == set(BOARD.cities)
    for place, one in enumerate(labels):
        for other in labels[place + 1 :]:
            a, b = one.box, other.box
            wide, high = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
            assert min(wide, high) < 0.5, (one.city.name, other.city.name)


def inside(drawing: Drawing) -> bool:
    width, height = drawing.size
    points = [
        point
        for shape in drawing.shapes
        for point in (
            [shape.at]
            if isinstance(shape, Text)
            else rectangle(shape.corner, shape.size)
            if isinstance(shape, Prose)
            else outline(shape)
        )
    ]
    return all(-0.5 <= x <= width + 0.5 and -0.5 <= y <= height + 0.5 for x, y in points)


def test_nothing_is_drawn_outside_its_sheet() -> None:
    assert inside(map_drawing(board()))
    assert all(inside(demand_drawing(card)) for card in own_cards())
    assert all(inside(event_drawing(event)) for event in EVENTS.values())
    assert all(inside(loco_drawing(kind)) for kind in TRAIN_KINDS)
    assert all(inside(chip_drawing(load)) for load in LOADS)


def test_loads_are_told_apart_by_their_first_letters() -> None:
    assert len({load[:3] for load in LOADS}) == len(LOADS)
    assert set(PRINTED.loads) == set(LOADS)


def test_a_card_shows_its_demands() -> None:
    card = own_cards()[0]
    words = {shape.words for shape in demand_drawing(card).shapes if isinstance(shape, Text)}
    for demand in card.demands:
        assert {demand.city, demand.load, str(demand.payout)} <= words


def test_the_map_fits_on_pages_of_either_paper() -> None:
    assert len(map_pages("letter")) in (12, 15, 16)
    assert len(map_pages("a4")) == 12


def test_all_parts_can_be_printed() -> None:
    counts = {part: len(SHEETS.leaves(part, "map", "a4")) for part in SHEETS.parts if part != "map"}
    assert counts["poster"] == 1
    assert counts["locos"] == 2
    assert counts["cards"] * 18 >= 156
    assert SHEETS.sheet(1, "map").size == map_size()
    assert sheet_layout(SHEETS.sheet(1, "map"), 100)["sheet"] == "empire-builder"


@pytest.mark.parametrize("load", PRINTED.loads)
def test_names_of_loads_stand_out_on_cards_and_chips(load: str) -> None:
    """4.5 is what pages ask of small letters; a name on a colour is also told by that colour."""
    card = next(card for card in own_cards() if any(demand.load == load for demand in card.demands))
    words = {shape.words: shape.colour for shape in demand_drawing(card).shapes if isinstance(shape, Text)}
    assert contrast(words[load], "#ffffff") >= 4.5
    colour = PRINTED.loads[load]
    on_chip = {shape.words: shape.colour for shape in chip_drawing(load).shapes if isinstance(shape, Text)}
    for letters in (words[load[:3].upper()], on_chip[load], on_chip[load[:3].upper()]):
        assert contrast(letters, colour) >= 3.5
