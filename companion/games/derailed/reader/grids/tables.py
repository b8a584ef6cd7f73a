"""Finds the card tables in a picture: on mats, by their tags, or bare, by the cards alone."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from companion.core.messages import m
from companion.games.derailed.reader.cards.classification import ImagePyramid, pixels_per_mm
from companion.games.derailed.reader.cards.detection import DetectedCard, card_through, detect_cards
from companion.games.derailed.reader.constants import CONSTANTS
from companion.games.derailed.reader.decks.references import ReferenceCards
from companion.games.derailed.reader.decks.taught import DeckModel
from companion.games.derailed.reader.grids.lattice import (
    FoundMat,
    Lattice,
    find_mats,
    lattice_through,
    mat_tags,
    tag_places,
    with_cards,
)
from companion.games.derailed.reader.grids.search import (
    LikelyTable,
    find_marked_table,
    find_mat_by_cards,
    search_table,
)
from companion.games.derailed.reader.trace import TriedGrid
from companion.games.derailed.rules.rulebook import ARRIVALS_TO_END
from companion.reading.types import Corners
from vision.decoding import Picture, decodings
from vision.decoding import pyramid as image_pyramid
from vision.errors import PlacementError
from vision.find.tags import THOROUGH, numbered_quads
from vision.quality import why_unclear
from vision.register.rectify import Image, Places

_C = CONSTANTS.tables

_NO_FIELD = m(
    "these corners do not enclose a field of cards: give its four outer corners "
    "clockwise, stations included, beginning beside the first lane's start"
)
_NOTHING = m(
    "No card table was found: all four corner tags of the mat, or both columns of "
    "station cards, must be in the picture, uncovered and not too small."
)
_TOO_FEW_TAGS = m(
    "Too few of the mat's corner tags are seen: all four must be in the picture, uncovered and not too small."
)
_MIRRORED = m("The picture is a mirror image: take it as it is, with the camera at the back of the phone.")
FROM_ABOVE = m("The cards are seen at a slant: hold the phone higher, more from above.")


@dataclass(frozen=True, eq=False)
class FoundTable:
    """A table with its lattice: lanes from 0, the starts in row 0; ``outliers`` lie in none of its places.

    ``mat``: how many lanes the mat has on which it lies; None where there is no mat. ``tried``: the grids
    that were weighed among cards.
    """

    mat: int | None
    lanes: int
    lattice: Lattice
    outliers: tuple[DetectedCard, ...]
    found_by: str = "tags"
    tried: tuple[TriedGrid, ...] = ()


@dataclass(frozen=True)
class Expected:
    """What is known of a table before its photograph is read.

    ``lanes``: how many there may be; ``corners``: of the field of cards as somebody marked it, both columns
    of stations included, in pixels of the photograph, clockwise from beside the first lane's start;
    ``decks``: taught ones, of which one may lie there; ``companies``: the letters of those that play;
    ``references``: cards of this match that were settled before, for where none of the decks lies.
    """

    lanes: Collection[int] = tuple(sorted(ARRIVALS_TO_END))
    corners: Corners | None = None
    decks: tuple[DeckModel, ...] = ()
    companies: tuple[str, ...] = ()
    references: ReferenceCards | None = None

    def field(self, picture: Picture) -> Places | None:
        """The marked corners in pixels of a decoding, if there are any.

        Raises :class:`~vision.errors.PlacementError` if they span nothing.
        """
        if self.corners is None:
            return None
        corners = np.asarray(self.corners, np.float64)
        if corners.shape != (4, 2) or not np.isfinite(corners).all():
            raise PlacementError(_NO_FIELD)
        sides = np.roll(corners, -1, axis=0) - corners
        following = np.roll(sides, -1, axis=0)
        turns = sides[:, 0] * following[:, 1] - sides[:, 1] * following[:, 0]
        if not (turns > _C.least_turn).all():
            raise PlacementError(_NO_FIELD)
        return np.asarray(corners / np.array(picture.enlarging), np.float64)


NOTHING_KNOWN = Expected()


@dataclass(frozen=True, eq=False)
class TablesFound:
    """The tables of a photograph in its first decoding that is fine enough, or notes for people.

    ``copies``: the pyramid of that decoding.
    """

    picture: Picture
    pyramid: ImagePyramid
    tables: list[FoundTable]
    notes: list[str]


def find_tables(photo: bytes | Image, expected: Expected) -> TablesFound:
    """Find the card tables in a photograph: encoded bytes, or pixels (BGR)."""
    tables: list[FoundTable] = []
    look = _Look(expected)
    picture: Picture | None = None
    for finer in decodings(photo) if isinstance(photo, bytes) else image_pyramid(photo):
        if picture is not None:
            share = finer.size[0] / picture.size[0], finer.size[1] / picture.size[1]
            tables = [_enlarged(table, share) for table in tables]
            look.enlarge(share)
        picture, pyramid = finer, ImagePyramid(finer.image)
        tables = tables or look.at(picture, pyramid)
        if tables and min(scale_of(table) for table in tables) >= _C.enough:
            break
    assert picture is not None  # there is always one look
    tables = tables or look.once_more(picture, pyramid)
    return TablesFound(picture, pyramid, tables, [] if tables else list(look.why_nothing(picture)))


def scale_of(table: FoundTable) -> float:
    """Pixels per mm at the centre of a table."""
    return pixels_per_mm(table.lattice.quad((table.lanes // 2, 2)))


Table = TypeVar("Table", FoundTable, LikelyTable)


def _enlarged(table: Table, share: tuple[float, float]) -> Table:
    """The table in a finer decoding of the picture, larger by these factors across and down."""
    matrix = np.diag([*share, 1.0])
    outliers = tuple(card_through(card, matrix) for card in table.outliers)
    return replace(table, lattice=lattice_through(table.lattice, matrix), outliers=outliers)


class _Look:
    """A search through the decodings of a photograph, from the coarsest to the finest.

    Mats come first, by their tags. Without any tag the cards alone may make a table, searched for in the
    coarsest decoding; an uncertain one has to wait until no decoding shows a mat.
    """

    def __init__(self, expected: Expected) -> None:
        self.expected = expected
        self.among_cards: LikelyTable | None = None
        self.tags: list[tuple[int, Places]] = []  # of mats of which too few are seen
        self.tilt = 0.0
        self._looked_at = False
        self._mirrored = False  # a mat is seen in it, and cards whose faces are others

    def enlarge(self, share: tuple[float, float]) -> None:
        """Transfer what was found to a finer decoding."""
        self.tags = [(number, quad * share) for number, quad in self.tags]
        self.among_cards = None if self.among_cards is None else _enlarged(self.among_cards, share)

    def at(self, picture: Picture, pyramid: ImagePyramid) -> list[FoundTable]:
        """The tables of one decoding."""
        image = picture.image
        tags = numbered_quads(image)
        mats = find_mats(tags)
        if not mats and not mat_tags(tags):
            self._mirrored = bool(find_mats(numbered_quads(np.ascontiguousarray(image[:, ::-1]))))
        if self._mirrored:
            return []
        if not mats and not mat_tags(tags) and self.expected.corners is None and not self._looked_at:
            self._look_for_cards(pyramid)
            if self.among_cards is not None and self.among_cards.plain:
                return [_without_mat(self.among_cards)]
        if not mats:
            tags = numbered_quads(image, THOROUGH)
            mats = find_mats(tags)
        if mats:
            return _tables_of(image, mats)
        if self.among_cards is not None and self.among_cards.likely and not mat_tags(tags):
            return [_without_mat(self.among_cards)]
        self.tags = max(self.tags, [one for own in mat_tags(tags).values() for one in own], key=len)
        field = self.expected.field(picture)
        if field is not None:
            table = find_marked_table(pyramid, field, self.expected.lanes)
            return [] if table is None else [_without_mat(table, "corners")]
        return []

    def once_more(self, picture: Picture, pyramid: ImagePyramid) -> list[FoundTable]:
        """The last look, in the finest decoding: at a mat with few tags, else at any cards."""
        if self._mirrored:
            return []
        if not self._looked_at:
            self._look_for_cards(pyramid)
        if self.tags:
            by_lanes = mat_tags(self.tags)
            mats = [
                find_mat_by_cards(pyramid, lanes, own, self.among_cards) for lanes, own in by_lanes.items()
            ]
            return _tables_of(picture.image, [mat for mat in mats if mat is not None])
        return [] if self.among_cards is None else [_without_mat(self.among_cards)]

    def _look_for_cards(self, picture: ImagePyramid) -> None:
        self._looked_at = True
        search = search_table(picture, self.expected.lanes)
        self.among_cards, self.tilt = search.table, search.tilt

    def why_nothing(self, picture: Picture) -> Iterator[str]:
        """Sentences for people about a picture without a table."""
        if self._mirrored:
            yield _MIRRORED
            return
        yield _TOO_FEW_TAGS if self.tags else why_unclear(picture.image) or _NOTHING
        if self.tilt > _C.steep:
            yield FROM_ABOVE


def _without_mat(table: LikelyTable, found_by: str = "cards") -> FoundTable:
    return FoundTable(None, table.lanes, table.lattice, table.outliers, found_by, table.tried)


def _tables_of(image: Image, mats: Sequence[FoundMat]) -> list[FoundTable]:
    """Mats with the cards on them; cards beside the mats are reported with the first."""
    cards = detect_cards(image) if mats else []
    tables = []
    for mat in mats:
        cards = [card for card in cards if not _is_a_tag(mat, card)]
        lattice, cards = with_cards(mat.lattice, cards, range(mat.lanes))
        tables.append(FoundTable(mat.lanes, mat.lanes, lattice, ()))
    return [replace(table, outliers=tuple(cards) if n == 0 else ()) for n, table in enumerate(tables)]


def _is_a_tag(mat: FoundMat, card: DetectedCard) -> bool:
    """True if what was taken for a card is one of the mat's corner tags."""
    at = mat.lattice.places(card.middle)
    return any(np.abs(at - quad.mean(axis=0)).max() < _C.at_a_tag for quad in tag_places(mat.lanes).values())
