"""A deck of the owner's own: taught from its cards in the printed order, and read by what was taught."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli import main
from companion.game.parts import DECK_ENDING
from companion.games.derailed.printing.deck_order import deck_order, deck_order_pages, photographs_needed
from companion.games.derailed.printing.prints import DerailedPrintables
from companion.games.derailed.reader.decks.taught import known_deck, load_deck
from companion.games.derailed.reader.decks.teaching import teach_photograph
from companion.games.derailed.reader.grids.tables import Expected
from companion.games.derailed.reader.reading import read_cards
from companion.games.derailed.rules.cards import DECK, card_of
from companion.games.derailed.rules.network import grid_of
from lab.derailed.studio.output import take_card_picture
from lab.derailed.studio.positions import CardTable
from lab.derailed.studio.scenes import CardSpec
from vision.decoding import decoded
from vision.errors import PlacementError
from vision.register.rectify import Image

LANES = 4
NAMES = grid_of(LANES).names


@lru_cache(maxsize=8)
def photograph(
    hand: str, cells: tuple[str, ...], seed: int, columns: str = "ABCD", deck: int = 5, mat: bool = True
) -> bytes:
    """Cards of a deck, row by row on the mat; nothing lies in a cell called so."""
    stacks: dict[str, tuple[str, ...]] = {
        name: (card,) for name, card in zip(NAMES, cells, strict=True) if card
    }
    shown = CardTable(tuple(columns), tuple(columns), stacks)
    spec = CardSpec(
        cards=shown, hand=hand, deck_seed=deck, mat=mat, megapixels=2.0, table_pixels=128, tilt=(0, 12)
    )
    return take_card_picture(seed, "clean", spec=spec)[0]


def in_order(number: int = 1) -> tuple[str, ...]:
    order = deck_order(number, LANES)
    return tuple(order[name] for name in NAMES)


def pixels(data: bytes) -> Image:
    return decoded(data, 1).image


def test_every_kind_is_in_the_photographs_that_are_needed() -> None:
    for lanes in (2, 3, 4, 5, 6):
        orders = [deck_order(number, lanes) for number in range(1, photographs_needed(lanes) + 1)]
        shown = {card_of(mark) for order in orders for mark in order.values() if len(mark) > 1}
        assert shown == set(DECK)
        assert len(deck_order_pages(lanes, (210, 297))) == photographs_needed(lanes) + 1
        for order in orders:  # a table that can be laid: the same companies in both columns
            ends = [
                sorted(order[name] for name in order if name.endswith(end)) for end in ("start", "nation")
            ]
            assert ends[0] == ends[1]
            assert len(set(ends[0])) == lanes
    assert len(DerailedPrintables().leaves("deck-order", "lanes-6", "a4")) == 3


@pytest.mark.parametrize(
    ("hand", "deck"), [("single-line", 2), pytest.param("broad-gauge", 0, marks=pytest.mark.slow)]
)
def test_a_strange_deck_is_read_by_what_was_taught(hand: str, deck: int, tmp_path: Path) -> None:
    path = tmp_path / f"ours{DECK_ENDING}"
    first = pixels(photograph(hand, in_order(), 11, deck=deck))
    assert "Photograph 2" in teach_photograph(path, 1, first, Expected((LANES,)))
    later = tuple(map(str, np.random.default_rng(4).permutation(in_order())))
    data = photograph(hand, later, 12, "DBCA", deck)
    right = []
    for decks in ((), (known_deck(path),)):
        (sheet,) = read_cards(data, Expected((LANES,), None, decks)).sheets
        right.append(sum(sheet.cells[name].best == card for name, card in zip(NAMES, later, strict=True)))
    assert right[0] < right[1] == len(NAMES)
    assert sheet.columns[0] == ("D", "B", "C", "A")


def test_a_deck_that_was_taught_does_not_serve_for_others(tmp_path: Path) -> None:
    path = tmp_path / f"ours{DECK_ENDING}"
    teach_photograph(path, 1, pixels(photograph("single-line", in_order(), 11)), Expected((LANES,)))
    cells = in_order()
    (plain,) = read_cards(photograph("printed", cells, 13), Expected((LANES,))).sheets
    taught = read_cards(photograph("printed", cells, 13), Expected((LANES,), None, (known_deck(path),)))
    for name in NAMES:
        assert taught.sheets[0].cells[name].best == plain.cells[name].best == cells[NAMES.index(name)]


def test_what_cannot_teach_is_refused_and_nothing_is_kept(tmp_path: Path) -> None:
    path = tmp_path / f"ours{DECK_ENDING}"
    fine = photograph("printed", in_order(), 13)
    without = photograph("printed", (*in_order()[:5], "", *in_order()[6:]), 14)
    swapped = list(in_order())
    swapped[1], swapped[6] = swapped[6], swapped[1]
    for data, number, says in (
        (without, 1, "no card is seen at b2"),
        (photograph("printed", tuple(swapped), 15), 1, "b1 and c2 seem to be exchanged"),
        (photograph("printed", in_order()[::-1], 16), 1, "printed order"),
        (fine, 9, "no photograph 9"),
    ):
        with pytest.raises(PlacementError, match=says):
            teach_photograph(path, number, pixels(data), Expected((LANES,)))
    with pytest.raises(PlacementError, match="No card table"):
        teach_photograph(path, 1, np.full((400, 600, 3), 90, np.uint8), Expected((LANES,)))
    assert not path.exists()
    path.write_text('{"deck": "ours"}')
    with pytest.raises(PlacementError, match="teach it again"):
        teach_photograph(path, 1, pixels(fine), Expected((LANES,)))


def test_the_command_teaches_reads_and_says_what_is_no_board(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    photo, plain = tmp_path / "first.jpg", tmp_path / "plain.png"
    photo.write_bytes(photograph("printed", in_order(), 13))
    cv2.imwrite(str(plain), np.full((300, 400, 3), 90, np.uint8))
    folder = ["--folder", str(tmp_path)]
    assert main(["teach-deck", "ours", str(photo), "--edition", "lanes-4", *folder]) == 0
    assert "deck ours is taught" in capsys.readouterr().out
    kept = tmp_path / "taught" / "ours.deck.json"
    assert list(load_deck(kept).photographs) == [1]
    assert main(["read", "derailed", "--text", str(photo), "--taught", "ours", *folder]) == 0
    assert "LTRB" in capsys.readouterr().out
    for words, says in (
        (["teach-deck", "b", str(plain), *folder], "photograph 1: No card table"),
        (["teach-deck", "b", str(plain), "--game", "railroad-ink", *folder], "cannot be taught"),
        (["teach", "b", str(photo), "--game", "derailed", "--corners", "1,1", "9,1", "9,9", "1,9", *folder],
         "teach-deck learns its cards"),
        (["teach", "b", str(photo), "--corners", "10,10", "900,10", "900,900", "10,900", *folder],
         "taught with teach-deck"),
        (["read", "derailed", str(photo), "--taught", "none", *folder], "no taught board and no deck"),
    ):  # fmt: skip
        assert main(words) != 0
        assert says in capsys.readouterr().err
