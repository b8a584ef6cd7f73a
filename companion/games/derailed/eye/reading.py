"""A photograph of a card table in, every card with its probability out: the one entry of this package."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from companion.games.derailed.eye.bare_finding import BareTable, find_marked_table, search_bare_table
from companion.games.derailed.eye.columns import compared, likeliest_columns
from companion.games.derailed.eye.faces import (
    BACK,
    CLASS_NUMBER,
    CLASSES,
    COVERED,
    EMPTY,
    FACE_CLASSES,
    FACES_OF,
    STATION_CLASSES,
    STATIONS_OF,
)
from companion.games.derailed.eye.few_tags import find_mat_by_cards
from companion.games.derailed.eye.finding import SeenCard, find_cards, seen_through
from companion.games.derailed.eye.lattice import (
    FoundMat,
    Lattice,
    Node,
    field_of,
    find_mats,
    lattice_through,
    mat_tags,
    moved,
    with_cards,
)
from companion.games.derailed.eye.looking import (
    Copies,
    Shares,
    as_found,
    pixels_per_mm,
    place_shares,
    strong_colours,
)
from companion.games.derailed.eye.readings import CardReading, CardsPhoto, PlaceReading, card_reading
from companion.games.derailed.eye.slant import likeliest_slant
from companion.games.derailed.eye.strays import said_of_strays, spoilt_places, touched_cells
from companion.games.derailed.eye.surface import like_the_table
from companion.games.derailed.rules.network import grid_of
from companion.games.derailed.rules.rulebook import ARRIVALS_TO_END, ROWS
from companion.games.kit.drawing import Quad
from companion.games.kit.evidence import Quality
from companion.games.sight import Corners
from vision.decoding import Picture, decodings, pyramid
from vision.errors import PlacementError
from vision.rectify import Image, Places
from vision.tags import THOROUGH, numbered_quads

_ENOUGH = 1.05  # pixels per mm at which cards are read well
_UNREADABLE = 0.5
_SECOND_LOOK = 0.97  # a place less sure than this is cut out in other ways, too
_STEPS = (0.08, 0.045)  # of a card's width, by which such places are moved first and then
_LAST_STEP = 0.02
_MAYBE_EMPTY, _WORTH_MOVING = 0.25, 0.85
_WELL_READ = 0.95  # of a place: what was found across it is imagined
_WITHOUT_OUTLINE = 0.03  # by so much is a card less likely where none was found
_LEAST_TURN = 100.0  # square pixels by which a marked field must bend to the right at every corner
_NO_FIELD = (
    "these corners make no field of cards: give its four outer corners clockwise, stations included,"
    " beginning beside the first lane's start"
)
_FINER = 1.5  # times as many pixels a side from which cards are looked for again
_MAYBE_BACK = 0.002  # P(back) from which a cell that looks like a station shows one
_STEEP = 0.6  # radians of tilt from which a slant is spoken of
_OUTSIDE = 0.2  # share of a place that may be cut off


@dataclass(frozen=True, eq=False)
class FoundTable:
    """A table with its lattice: lanes from 0, the starts in row 0; ``strays`` lie in none of its places.

    ``mat``: how many lanes the mat has on which it lies; None where there is no mat.
    """

    mat: int | None
    lanes: int
    lattice: Lattice
    strays: tuple[SeenCard, ...]
    found_by: str = "tags"


@dataclass(frozen=True)
class Expected:
    """What is known of a table before its photograph is read.

    ``lanes``: how many there may be; ``corners``: of the field of cards as somebody marked it, both columns
    of stations included, in pixels of the photograph, clockwise from beside the first lane's start.
    """

    lanes: Collection[int] = tuple(sorted(ARRIVALS_TO_END))
    corners: Corners | None = None

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
        if not (turns > _LEAST_TURN).all():
            raise PlacementError(_NO_FIELD)
        return np.asarray(corners / np.array(picture.enlarging), np.float64)


NOTHING_KNOWN = Expected()


def read_cards(photo: bytes | Image, expected: Expected = NOTHING_KNOWN) -> CardsPhoto:
    """Read a photograph: packed bytes, or pixels (blue first).

    Raises :class:`~vision.errors.PictureError` for what is no picture. A picture without a card table is a
    reading without sheets, and a note says so.
    """
    tables: list[FoundTable] = []
    look = _Look(expected)
    picture: Picture | None = None
    for finer in decodings(photo) if isinstance(photo, bytes) else pyramid(photo):
        if picture is not None:
            share = finer.size[0] / picture.size[0], finer.size[1] / picture.size[1]
            tables = [_enlarged(table, share) for table in tables]
            look.enlarge(share)
        picture = finer
        tables = tables or look.at(picture)
        if tables and min(_scale(table) for table in tables) >= _ENOUGH:
            break
    assert picture is not None  # there is always one look
    tables = tables or look.once_more(picture)
    notes = [] if tables else list(look.why_nothing())
    sheets = []
    for table in tables:
        if _scale(table) < _UNREADABLE:
            notes.append("The cards are too small in the picture to be read: go nearer.")
            continue
        sheet, more = _read_table(picture, table, expected)
        sheets.append(sheet)
        notes += more
    return CardsPhoto(*picture.whole, tuple(sheets), tuple(dict.fromkeys(notes)))


def _scale(table: FoundTable) -> float:
    """Pixels per mm in the middle of a table."""
    return pixels_per_mm(table.lattice.quad((table.lanes // 2, 2)))


# --- finding ---


Table = TypeVar("Table", FoundTable, BareTable)


def _enlarged(table: Table, share: tuple[float, float]) -> Table:
    """The same table in a finer decoding of the picture."""
    matrix = np.diag([*share, 1.0])
    strays = tuple(seen_through(card, matrix) for card in table.strays)
    return replace(table, lattice=lattice_through(table.lattice, matrix), strays=strays)


class _Look:
    """What is looked for in a photograph, from the coarsest decoding to the finest.

    Mats come first, by their tags. Without any tag the cards alone may make a table, which is looked for in
    the coarsest decoding; one that is not plain has to wait until no decoding shows a mat.
    """

    def __init__(self, expected: Expected) -> None:
        self.expected = expected
        self.bare: BareTable | None = None
        self.tags: list[tuple[int, Places]] = []  # of mats of which too few are seen
        self.tilt = 0.0
        self._looked_at = 0.0  # pixels of the longer side of the decoding in which cards were looked for

    def enlarge(self, share: tuple[float, float]) -> None:
        """What was found, in a finer decoding."""
        self.tags = [(number, quad * share) for number, quad in self.tags]
        self.bare = None if self.bare is None else _enlarged(self.bare, share)

    def at(self, picture: Picture) -> list[FoundTable]:
        """The tables of one decoding."""
        image, copies = picture.image, Copies(picture.image)
        tags = numbered_quads(image)
        mats = find_mats(tags)
        if not mats and not mat_tags(tags) and self.expected.corners is None and not self._looked_at:
            self._look_for_cards(copies)
            if self.bare is not None and self.bare.plain:
                return [_of_bare(self.bare)]
        if not mats:
            tags = numbered_quads(image, THOROUGH)
            mats = find_mats(tags)
        if mats:
            return _tables_of(image, mats)
        self.tags = max(self.tags, [one for own in mat_tags(tags).values() for one in own], key=len)
        field = self.expected.field(picture)
        if field is not None:
            table = find_marked_table(copies, field, self.expected.lanes)
            return [] if table is None else [_of_bare(table, "corners")]
        return []

    def once_more(self, picture: Picture) -> list[FoundTable]:
        """The last look, in the finest decoding: at a mat with few tags, else at any cards."""
        copies = Copies(picture.image)
        if max(picture.size) > _FINER * self._looked_at and (self.bare is None or self.tags):
            self._look_for_cards(copies)
        if self.tags:
            by_lanes = mat_tags(self.tags)
            mats = [find_mat_by_cards(copies, lanes, own, self.bare) for lanes, own in by_lanes.items()]
            return _tables_of(picture.image, [mat for mat in mats if mat is not None])
        return [] if self.bare is None else [_of_bare(self.bare)]

    def _look_for_cards(self, picture: Copies) -> None:
        self._looked_at = max(picture.image.shape[:2])
        search = search_bare_table(picture, self.expected.lanes)
        self.bare, self.tilt = search.table, search.tilt

    def why_nothing(self) -> Iterator[str]:
        """Sentences for people about a picture without a table."""
        yield _TOO_FEW_TAGS if self.tags else _NOTHING
        if self.tilt > _STEEP:
            yield _FROM_ABOVE


def _of_bare(table: BareTable, found_by: str = "cards") -> FoundTable:
    return FoundTable(None, table.lanes, table.lattice, table.strays, found_by)


def _tables_of(image: Image, mats: Sequence[FoundMat]) -> list[FoundTable]:
    """Mats with the cards on them; cards beside them are told with the first."""
    cards = find_cards(image) if mats else []
    tables = []
    for mat in mats:
        lattice, cards = with_cards(mat.lattice, cards, range(mat.lanes))
        tables.append(FoundTable(mat.lanes, mat.lanes, lattice, ()))
    return [replace(table, strays=tuple(cards) if n == 0 else ()) for n, table in enumerate(tables)]


_NOTHING = (
    "No card table was found: all four corner tags of the mat, or both columns of station cards, "
    "must be in the picture, uncovered and not too small."
)
_TOO_FEW_TAGS = (
    "Too few of the mat's corner tags are seen: all four must be in the picture, uncovered and not too small."
)
_FROM_ABOVE = "The cards are seen at a slant: hold the phone higher, more from above."


# --- reading ---


Read = tuple[Places, Shares]  # where a card or a place was cut out, and what it looks like


def _read_table(picture: Picture, table: FoundTable, expected: Expected) -> tuple[CardReading, list[str]]:
    nodes = [(lane, row) for row in range(ROWS + 2) for lane in range(table.lanes)]
    copies = Copies(picture.image)
    places = _read_places(copies, table.lattice, nodes)
    if table.mat is None:
        places |= _uncovered(copies, table, places)
        places |= {
            node: (quad, _less_likely(own))
            for node, (quad, own) in places.items()
            if node not in table.lattice.cards
        }
    else:
        first, lanes = _lanes_in_use(places, table.lanes, expected.lanes)
        table = replace(table, lanes=lanes, lattice=moved(table.lattice, first, 0))
        places = {
            (lane - first, row): own for (lane, row), own in places.items() if 0 <= lane - first < lanes
        }
    shown = place_shares(copies, [card.quad for card in table.strays])
    strays = [
        (card, own)
        for card, own in zip(table.strays, shown, strict=True)
        if _is_a_card(own) and not _is_imagined(table, card, own, places)
    ]
    spoilt = spoilt_places(table.lattice, table.lanes, [card for card, _ in strays])
    reading = _reading(picture, copies, table, places, spoilt)
    tilt = likeliest_slant(np.array([table.lattice.quad(node) for node in nodes]), picture.size).tilt
    return reading, said_of_strays(table.lattice, table.lanes, strays) + list(_notes(reading, tilt))


def _read_places(picture: Copies, lattice: Lattice, nodes: Sequence[Node]) -> dict[Node, Read]:
    """Classify every place as the lattice cuts it out and, where a card was detected, by its corners.

    The surer one counts, but a place that the lattice shows clearly empty stays so. Unsure places are looked
    at again.
    """
    cuts = [(node, lattice.quad(node)) for node in nodes]
    cuts += [(node, as_found(lattice, node)) for node in lattice.cards]
    best: dict[Node, Read] = {}
    for (node, quad), own in zip(cuts, place_shares(picture, [quad for _, quad in cuts]), strict=True):
        if node not in best or (_sureness(own) > _sureness(best[node][1]) and not _is_bare(best[node][1])):
            best[node] = quad, own
    unsure = {node: read for node, read in best.items() if read[1].max() < _SECOND_LOOK}
    return best | _looked_at_again(picture, unsure)


def _uncovered(picture: Copies, table: FoundTable, places: dict[Node, Read]) -> dict[Node, Read]:
    """The cells of a bare table that are called covered, but look as the table does around the lanes."""
    doubted = [
        (lane, row)
        for (lane, row), (_, own) in places.items()
        if 0 < row <= ROWS
        and (lane, row) not in table.lattice.cards
        and own.argmax() == CLASS_NUMBER[COVERED]
    ]
    strays = {_nearest(table.lattice, card) for card in table.strays}
    bare = like_the_table(picture, table.lattice, table.lanes, doubted, strays)
    return {node: (places[node][0], _as_empty(places[node][1])) for node in doubted if bare[node]}


def _nearest(lattice: Lattice, card: SeenCard) -> Node:
    lane, row = np.rint(lattice.places(card.middle)).astype(int).tolist()
    return lane, row


def _as_empty(own: Shares) -> Shares:
    """What was said of something covering the place, said of the empty place."""
    own = own.copy()
    own[CLASS_NUMBER[EMPTY]] += own[CLASS_NUMBER[COVERED]]
    own[CLASS_NUMBER[COVERED]] = 0.0
    return own


def _less_likely(own: Shares) -> Shares:
    """Scale down P(rail card) in a place where no card was detected: stripes of a cloth look like track."""
    own = own.copy()
    own[FACES_OF] *= _WITHOUT_OUTLINE
    return np.asarray(own / own.sum())


def _is_bare(own: Shares) -> bool:
    """True if a place cut out by the lattice is clearly empty: a card detected there is part of the table."""
    return bool(own[CLASS_NUMBER[EMPTY]] > _WELL_READ)


def _sureness(own: Shares) -> float:
    """How sure the classification is: P(best card), with a cautious bonus for P(empty)."""
    return float(own[: CLASS_NUMBER[BACK]].max() + 0.5 * own[CLASS_NUMBER[EMPTY]])


def _looked_at_again(picture: Copies, unsure: dict[Node, Read]) -> dict[Node, Read]:
    """Test-time augmentation: shift the cut of each unsure place, keep the surest, average it with others."""
    found = {node: read for node, read in unsure.items() if read[1][CLASS_NUMBER[EMPTY]] < _MAYBE_EMPTY}
    for step in _STEPS:
        cuts = [(node, cut) for node, (quad, _) in found.items() for cut in _other_cuts(quad, step)]
        shown = place_shares(picture, [cut for _, cut in cuts])
        for node, (quad, own) in list(found.items()):
            others = [(cut, more) for (name, cut), more in zip(cuts, shown, strict=True) if name == node]
            found[node] = max([(quad, own), *others], key=lambda read: _sureness(read[1]))
    moved_to = {node: read for node, read in found.items() if _sureness(read[1]) > _WORTH_MOVING}
    return _averaged(picture, unsure | moved_to)


def _averaged(picture: Copies, read: dict[Node, Read]) -> dict[Node, Read]:
    """The mean of each place's classification and those of cuts close around it."""
    cuts = [cut for quad, _ in read.values() for cut in _other_cuts(quad, _LAST_STEP)]
    around = place_shares(picture, cuts).reshape(len(read), len(cuts) // max(len(read), 1), len(CLASSES))
    return {
        node: (quad, np.mean([own, *others], axis=0))
        for (node, (quad, own)), others in zip(read.items(), around, strict=True)
    }


def _other_cuts(quad: Places, step: float) -> Iterator[Places]:
    """The cut shifted by a share of a card's width in eight directions."""
    across, down = (quad[1] - quad[0]) * step, (quad[3] - quad[0]) * step * 0.7
    for x, y in ((1, 1), (1, -1), (-1, 1), (-1, -1), (1, 0), (-1, 0), (0, 1), (0, -1)):
        yield quad + x * across + y * down


def _is_a_card(own: Shares) -> bool:
    return bool(own[FACES_OF].sum() + own[STATIONS_OF].sum() + own[CLASS_NUMBER[BACK]] > 0.7)


def _is_imagined(table: FoundTable, card: SeenCard, own: Shares, places: dict[Node, Read]) -> bool:
    """True if the slot below the centre of this stray detection was read with more confidence than the
    detection itself: the detection is probably false.
    """
    touched = touched_cells(table.lattice, table.lanes, card)
    shown = [places[node][1] for node in touched]
    if not shown:
        return False
    known = max(float(one[: CLASS_NUMBER[COVERED]].max()) for one in shown)
    return known > min(_WELL_READ, _sureness(own))


def _lanes_in_use(places: dict[Node, Read], lanes: int, possible: Collection[int]) -> tuple[int, int]:
    """The lanes of a mat that are played: the first with a station, and how many; all if none has one.

    Where it is known how many play, the neighbouring lanes that show most of both columns.
    """
    stations = [
        [float(places[lane, row][1][STATIONS_OF].sum()) for row in (0, ROWS + 1)] for lane in range(lanes)
    ]
    used = [lane for lane, ends in enumerate(stations) if max(ends) > 0.5]
    if len(possible) == 1 and used:
        (count,) = possible
        shown = [sum(map(sum, stations[first : first + count])) for first in range(lanes - count + 1)]
        return (int(np.argmax(shown)), count) if shown else (0, lanes)
    if not used or used[-1] - used[0] + 1 not in ARRIVALS_TO_END:
        return 0, lanes
    return used[0], used[-1] - used[0] + 1


def _reading(
    picture: Picture,
    copies: Copies,
    table: FoundTable,
    places: dict[Node, Read],
    spoilt: dict[Node, str],
) -> CardReading:
    lattice, lanes = table.lattice, table.lanes
    enlarging = np.array(picture.enlarging)

    def place(node: Node, possible: tuple[str, ...]) -> PlaceReading:
        quad, own = places[node]
        reason = spoilt.get(node) or _why_unseen(picture, quad, own, possible)
        return PlaceReading(_ranked(own, possible), reason, corners=_corners(quad * enlarging))

    starts, destinations = (
        [place((lane, row), STATION_CLASSES) for lane in range(lanes)] for row in (0, ROWS + 1)
    )
    names = grid_of(lanes).names
    cells = {name: place((n % lanes, n // lanes + 1), (*FACE_CLASSES, EMPTY)) for n, name in enumerate(names)}
    seen = [one.probabilities for one in starts], [one.probabilities for one in destinations]
    stations = [places[lane, row][0] for row in (0, ROWS + 1) for lane in range(lanes)]
    colours = strong_colours(copies, stations)
    columns = compared(likeliest_columns(*seen), seen, (colours[:lanes], colours[lanes:]))
    area = lattice.pixels(field_of(lanes))
    scale = _scale(table) * float(np.sqrt(enlarging[0] * enlarging[1]))
    quality = Quality(table.found_by, scale, _light(picture.image, area))
    return card_reading(
        table.mat, _corners(area * enlarging), cells, (starts, destinations), quality, columns
    )


def _ranked(own: Shares, possible: tuple[str, ...]) -> dict[str, float]:
    numbers = np.array([CLASS_NUMBER[name] for name in possible])
    known = own[numbers] + 1e-9
    known = known / known.sum()
    order = np.argsort(-known, kind="stable")
    return {possible[n]: float(known[n]) for n in order}


def _corners(quad: Places) -> Quad:
    (a, b), (c, d), (e, f), (g, h) = quad.tolist()
    return (a, b), (c, d), (e, f), (g, h)


def _why_unseen(picture: Picture, quad: Places, own: Shares, possible: tuple[str, ...]) -> str | None:
    """The reason why a place cannot be read; None when it can."""
    if _cut_off(picture, quad) > _OUTSIDE:
        return "outside the picture"
    if possible[-1] == EMPTY and own[CLASS_NUMBER[BACK]] > _MAYBE_BACK:
        # A station has no business in a cell: what might be a back and looks so is a back.
        own = own.copy()
        own[CLASS_NUMBER[BACK]] += own[STATIONS_OF].sum()
        own[STATIONS_OF] = 0.0
    best = CLASSES[int(own.argmax())]
    if best == COVERED:
        return "covered"
    if best == BACK:
        return "face down"
    if best not in possible and not (best == EMPTY and possible is STATION_CLASSES):
        return "no rail card" if possible[-1] == EMPTY else "no station card"
    return "no station card" if best == EMPTY and possible == STATION_CLASSES else None


def _cut_off(picture: Picture, quad: Places) -> float:
    steps = (np.arange(6) + 0.5) / 6
    across, down = np.meshgrid(steps, steps)
    top = quad[0] + (quad[1] - quad[0]) * across[..., None]
    bottom = quad[3] + (quad[2] - quad[3]) * across[..., None]
    places = top + (bottom - top) * down[..., None]
    return float(((places < 0) | (places > np.array(picture.size))).any(axis=-1).mean())


def _light(image: Image, area: Places) -> float:
    """How bright the brightest tenth of the area is."""
    low = np.clip(area.min(axis=0), 0, None).astype(int)
    high = np.maximum(area.max(axis=0).astype(int), low + 8)
    part = image[low[1] : high[1] : 8, low[0] : high[0] : 8]
    return float(np.percentile(part.max(axis=2), 90)) / 255 if part.size else 0.0


def _notes(reading: CardReading, tilt: float) -> Iterator[str]:
    """Sentences for people; ``tilt``: of the camera, in radians."""
    for name, place in reading.cells.items():
        if place.cannot_see == "face down":
            yield f"A card lies face down at {name}."
        elif place.cannot_see == "no rail card":
            yield f"What lies at {name} is no rail card."
    hidden = [name for name, place in reading.cells.items() if place.cannot_see == "covered"]
    if hidden:
        yield f"What lies at {', '.join(hidden)} cannot be seen: take away what covers it, or straighten it."
    missing = [name for name, place in reading.stations.items() if place.cannot_see is not None]
    if missing:
        yield f"No station card can be seen at {', '.join(missing)}."
    if reading.quality.pixels_per_mm < 0.8:
        yield "The cards are small in the picture: go nearer for a safer reading."
    if tilt > _STEEP:
        yield _FROM_ABOVE
    if reading.quality.light < 0.2:
        yield "The picture is dark: more light, please."
