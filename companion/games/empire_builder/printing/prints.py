"""What can be printed for Empire Builder: the map on many pages or on one, cards, loco cards and chips."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from math import ceil

from companion.core.messages import vocabulary
from companion.game.parts import Printables
from companion.games.empire_builder.printing.card_art import (
    chip_drawing,
    demand_drawing,
    event_drawing,
    loco_drawing,
)
from companion.games.empire_builder.printing.map_art import map_drawing
from companion.games.empire_builder.printing.printed import map_size
from companion.games.empire_builder.printing.sheets import map_sheet
from companion.games.empire_builder.rules.boards.board import board
from companion.games.empire_builder.rules.cards.demands import own_cards
from companion.games.empire_builder.rules.cards.events import EVENTS
from companion.games.empire_builder.rules.rulebook import RULES, TrainKind
from companion.sheets.drawing import Drawing, Point
from companion.sheets.printing.paper import (
    PAPER_SIZES,
    Leaf,
    PaperName,
    impose,
    one_sided,
    piece_on_page,
    two_sided,
)
from companion.sheets.sheet import Sheet

_AROUND = 8.0  # of paper that is cut away around a piece of the map
_LOCO_CARDS = 6  # of each pair of sides
_LOCO_SIDES: tuple[tuple[TrainKind, TrainKind], ...] = (("freight", "fast"), ("heavy", "super"))


class EmpireBuilderPrintables(Printables):
    """The map is photographed; everything else is cut out of card."""

    title = "Empire Builder"
    parts = ("map", "poster", "cards", "locos", "chips")
    editions = ("map",)
    words = vocabulary("sheets", "map", "poster", "cards", "locos", "chips")

    def leaves(self, part: str, edition: str, paper: PaperName) -> list[Leaf]:
        """A part on paper; the poster is one page as big as the map."""
        makers: dict[str, Callable[[], list[Leaf]]] = {
            "map": lambda: one_sided(map_pages(paper)),
            "poster": lambda: one_sided([map_drawing(board())]),
            "cards": lambda: one_sided(impose(_cards(), paper)),
            "locos": lambda: loco_leaves(paper),
            "chips": lambda: one_sided(impose(_chips(), paper)),
        }
        return makers[part]()

    def sheet(self, seat: int, edition: str) -> Sheet:
        return replace(map_sheet(), seat=seat)

    def photographed(self) -> Sequence[Sheet]:
        """The printed map, the only sheet that is photographed."""
        return [map_sheet()]


def map_pages(paper: PaperName) -> list[Drawing]:
    """The map cut into equal pieces, row after row, on as few pages as it takes."""
    size = map_size()
    page = min((PAPER_SIZES[paper], PAPER_SIZES[paper][::-1]), key=lambda page: _count(size, page))
    xs, ys = _cuts(size[0], page[0]), _cuts(size[1], page[1])
    drawing = map_drawing(board())
    return [
        piece_on_page(drawing, (left, top), (right, bottom), page)
        for top, bottom in pairwise(ys)
        for left, right in pairwise(xs)
    ]


def _count(size: Point, page: Point) -> int:
    return (len(_cuts(size[0], page[0])) - 1) * (len(_cuts(size[1], page[1])) - 1)


def _cuts(length: float, paper: float) -> list[float]:
    pieces = ceil(length / (paper - 2 * _AROUND))
    return [length * piece / pieces for piece in range(pieces + 1)]


def _cards() -> list[Drawing]:
    demands = [demand_drawing(card) for card in own_cards()]
    return [*demands, *(event_drawing(event) for event in EVENTS.values())]


def loco_leaves(paper: PaperName) -> list[Leaf]:
    """Each kind of train, and behind it the one that it becomes."""
    count = _LOCO_CARDS
    return [
        leaf
        for front, back in _LOCO_SIDES
        for leaf in two_sided([loco_drawing(front)] * count, [loco_drawing(back)] * count, paper)
    ]


def _chips() -> list[Drawing]:
    return [chip_drawing(load) for load, count in RULES.chips.items() for _ in range(count)]
