"""Bare tables that look the same from both ends: ruled on both ways round, and never taken for new cards."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.games.derailed.reader.facing import EITHER_WAY, EndsContext, ruled_facing
from companion.games.derailed.reader.readings import (
    CardReading,
    PlaceReading,
    card_reading,
    seen_from_the_other_end,
)
from companion.games.derailed.reader.ruling import AreaRuling, RulingContext, rule_area, rule_moves
from companion.games.derailed.rules.network import grid_of
from companion.reading.evidence import EMPTY, Quality
from lab.derailed.studio.positions import CardTable, one_more, played_table

CORNERS = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


def seen(table: CardTable, p: float = 0.9995, found_by: str = "cards") -> CardReading:
    """A reading of a table that names everything rightly, as surely as asked."""

    def place(mark: str, other: str) -> PlaceReading:
        return PlaceReading({mark: p, other: 1 - p}, corners=CORNERS)

    cells = {
        name: place(table.grid[name], EMPTY) if name in table.grid else place(EMPTY, "TB")
        for name in grid_of(table.lanes).names
    }
    columns = table.starts, table.destinations
    stations = [place(letter, "H") for letter in columns[0]], [place(letter, "H") for letter in columns[1]]
    return card_reading(None, CORNERS, cells, (stations[0], stations[1]), Quality(found_by, 2, 0.8), columns)


def mirrored_table(seed: int, lanes: int, cards: int) -> tuple[CardTable, CardTable]:
    """Before and after one more card; both columns look the same from either end."""
    rng = np.random.default_rng(seed)
    table = replace(played_table(rng, lanes, 0), starts=("A", "B", "C", "D", "E", "F")[:lanes])
    table = replace(table, destinations=table.starts[::-1])
    for _ in range(cards):
        table = one_more(rng, table) or table
    after = one_more(rng, table)
    assert after is not None
    return table, after


def ruled(sheet: CardReading, before: CardTable, most: int = 8) -> tuple[CardReading, AreaRuling]:
    known = EndsContext((before.starts, before.destinations), before.grid)
    area = RulingContext(before.starts, before.stacks, most=most)
    return ruled_facing(sheet, known, lambda way: rule_moves(way.probabilities, area))


@pytest.mark.parametrize("lanes", [2, 4, 6])
@pytest.mark.parametrize("cards", [0, 1, 4, 9])
@pytest.mark.parametrize("turned", [False, True])
def test_mirrored_columns_are_ruled_the_right_way_round(lanes: int, cards: int, turned: bool) -> None:
    for seed in range(6):
        before, after = mirrored_table(100 * lanes + 10 * cards + seed, lanes, cards)
        sheet = seen_from_the_other_end(seen(after)) if turned else seen(after)
        way, ruling = ruled(sheet, before)
        if EITHER_WAY in ruling.against:
            assert not before.grid  # with a card known it is never open
            continue
        assert (ruling.outcome, ruling.cells) == ("accepted", after.grid)
        assert way.cells[next(iter(after.grid))].best


def test_a_grid_turned_round_is_never_taken_for_new_cards() -> None:
    """One that nobody can tell the ends of, and one whose right way was misread."""
    before, after = mirrored_table(7, 2, 5)
    sheet = seen_from_the_other_end(seen(after))
    cell = next(name for name in before.grid if name != after.moves[-1].cell)
    wrong = next(face for face in ("LTRB", "TB", "LR") if face != before.grid[cell])
    spoilt = replace(after, stacks=after.stacks | {cell: (wrong,)}, moves=after.moves)
    for reading in (sheet, seen(after), seen(spoilt), seen_from_the_other_end(seen(spoilt))):
        ruling = ruled(reading, before)[1]
        assert ruling.outcome != "accepted" or len(ruling.changed) <= 2


def test_what_fits_either_way_is_not_accepted() -> None:
    table = CardTable(
        ("A", "B"),
        ("B", "A"),
        dict(zip(("a1", "a2", "a3", "a4"), (("TB",), ("LTRB",), ("LTRB",), ("TB",)), strict=True)),
    )
    nothing = replace(table, stacks={})
    ruling = ruled(seen(table), nothing)[1]
    assert (ruling.outcome, ruling.against) == ("refused", (EITHER_WAY,))
    told = ruled(seen(table, found_by="corners"), nothing)[1]
    assert (told.outcome, told.cells) == ("accepted", table.grid)  # somebody said where the starts are


def test_nothing_known_and_the_cards_tell() -> None:
    """Tracks begin at the starts: the way round with fewer loose cards is the likelier."""
    table = CardTable(("A", "B", "C"), ("B", "C", "A"), {"a1": ("LTRB",), "a2": ("TB",), "b1": ("LTB",)})
    for sheet in (seen(table), seen_from_the_other_end(seen(table))):
        way, ruling = ruled_facing(sheet, None, lambda one: rule_area(one.probabilities, one.lanes))
        assert (way.columns, ruling.cells) == ((table.starts, table.destinations), table.grid)
