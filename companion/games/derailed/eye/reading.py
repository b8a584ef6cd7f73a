"""A photograph of a card table in, every card with its probability out: the one entry of this package."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.derailed.eye.bare_table import (
    LaneEvidence,
    LikelyCard,
    LikelyGrid,
    bare_grids,
    most_likely_lanes,
)
from companion.games.derailed.eye.columns import likeliest_columns
from companion.games.derailed.eye.faces import (
    BACK,
    CLASS_NUMBER,
    CLASSES,
    COVERED,
    EMPTY,
    FACE_CLASSES,
    STATION_CLASSES,
)
from companion.games.derailed.eye.finding import SeenCard, find_cards
from companion.games.derailed.eye.lattice import FoundMat, Lattice, Node, find_mats, moved, with_cards
from companion.games.derailed.eye.readings import CardReading, CardsPhoto, PlaceReading, card_reading
from companion.games.derailed.eye.strays import said_of_strays, spoilt_places, touched_cells
from companion.games.derailed.eye.views import card_views, evened
from companion.games.derailed.paper.printed import PRINTED
from companion.games.derailed.rules.network import grid_of
from companion.games.derailed.rules.rulebook import ARRIVALS_TO_END, ROWS
from companion.games.kit.drawing import Quad
from companion.games.kit.evidence import Quality
from vision.decoding import Picture, decodings, pyramid
from vision.nets import scores, shares
from vision.rectify import Image, Places
from vision.tags import THOROUGH, numbered_quads

MODEL = Path(__file__).with_name("read.onnx")
_ENOUGH = 1.05  # pixels per mm at which cards are read well
_TOO_FINE = 1.9  # beyond it pixels would be skipped when cards are cut out
_COMFORTABLE = 1.35
_UNREADABLE = 0.5
_FACES = slice(0, len(FACE_CLASSES))
_STATIONS = slice(len(FACE_CLASSES), len(FACE_CLASSES) + len(STATION_CLASSES))
_CARD_MM = float(np.sqrt(PRINTED.card.size[0] * PRINTED.card.size[1]))
_SECOND_LOOK = 0.97  # a place less sure than this is cut out in other ways, too
_STEPS = (0.08, 0.045)  # of a card's width, by which such places are moved first and then
_LAST_STEP = 0.02
_MAYBE_EMPTY, _WORTH_MOVING = 0.25, 0.85
_WELL_READ = 0.95  # of a place: what was found across it is imagined
_WITHOUT_OUTLINE = 0.03  # by so much is a card less likely where none was found
_OUTSIDE = 0.2  # share of a place that may be cut off
_CLOSER = (832, 1152)  # pixels of the longer side in which smaller cards are looked for
_LEAST_VALUE = 0.5  # value a lane of a table; boards of other games have less
_PLAIN = 3.4  # value a lane from which a grid needs no closer look
_NO_CARD = 0.8  # how likely something is no card that is left out when the grid is looked for
Shares = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class FoundTable:
    """A table with its lattice: lanes from 0, the starts in row 0; ``strays`` lie in none of its places."""

    mat: FoundMat | None
    lanes: int
    lattice: Lattice
    strays: tuple[SeenCard, ...]


def read_cards(photo: bytes | Image) -> CardsPhoto:
    """Read a photograph: packed bytes, or pixels (blue first).

    Raises :class:`~vision.errors.PictureError` for what is no picture. A picture without a card table is a
    reading without sheets, and a note says so.
    """
    tables: list[FoundTable] = []
    notes: list[str] = []
    picture: Picture | None = None
    for picture in decodings(photo) if isinstance(photo, bytes) else pyramid(photo):
        tables, notes = _found(picture.image)
        if tables and min(_scale(table) for table in tables) >= _ENOUGH:
            break
    assert picture is not None  # there is always one look
    sheets = []
    for table in tables:
        if _scale(table) < _UNREADABLE:
            notes.append("The cards are too small in the picture to be read: go nearer.")
            continue
        sheet, more = _read_table(picture, table)
        sheets.append(sheet)
        notes += more
    return CardsPhoto(*picture.whole, tuple(sheets), tuple(dict.fromkeys(notes)))


def _scale(table: FoundTable) -> float:
    """Pixels per mm in the middle of a table."""
    return pixels_per_mm(table.lattice.quad((table.lanes // 2, 2)))


def pixels_per_mm(quad: Places) -> float:
    """The scale of a picture by the corners of a card."""
    return float(np.sqrt(abs(cv2.contourArea(quad.astype(np.float32))))) / _CARD_MM


# --- finding ---


def _found(image: Image) -> tuple[list[FoundTable], list[str]]:
    """All tables of a picture (those with a mat, or else the one that the cards span), and notes."""
    cards = find_cards(image)
    mats = find_mats(numbered_quads(image)) or find_mats(numbered_quads(image, THOROUGH))
    tables = []
    for mat in mats:
        lattice, cards = with_cards(mat.lattice, cards, range(mat.lanes))
        tables.append(FoundTable(mat, mat.lanes, lattice, ()))
    if not mats:
        table = _bare_table(image, cards)
        return ([], [_NOTHING]) if table is None else ([table], [])
    near = [tuple(card for card in cards if n == 0) for n in range(len(tables))]
    return [replace(table, strays=strays) for table, strays in zip(tables, near, strict=True)], []


_NOTHING = (
    "No card table was found: all four corner tags of the mat, or both columns of station cards, "
    "must be in the picture, uncovered and not too small."
)


@dataclass(frozen=True, eq=False)
class _BareTable:
    """A grid among cards with its most table-like lanes: their value, the first of them, how many."""

    value: float
    first: int
    lanes: int
    lattice: Lattice
    cards: list[SeenCard]


def _bare_table(image: Image, cards: list[SeenCard]) -> FoundTable | None:
    """The table that both rows of stations span; if it is not plain, cards are detected again, enlarged."""
    best = _best_grid(image, cards)
    for side in _CLOSER:
        if best is not None and best.value > _PLAIN * best.lanes:
            break
        closer = _best_grid(image, find_cards(image, side))
        best = max((one for one in (best, closer) if one), key=lambda one: one.value, default=None)
    if best is None:
        return None
    lattice, strays = with_cards(moved(best.lattice, best.first, 0), best.cards, range(best.lanes))
    return FoundTable(None, best.lanes, lattice, tuple(strays))


def _best_grid(image: Image, cards: list[SeenCard]) -> _BareTable | None:
    """The most table-like grid of some cards; detections that are classified as no card are left out."""
    shown = place_shares(image, [card.quad for card in cards])
    likely = [
        LikelyCard(card, float(own[_STATIONS].sum()))
        for card, own in zip(cards, shown, strict=True)
        if own[CLASS_NUMBER[EMPTY]] + own[CLASS_NUMBER[COVERED]] < _NO_CARD
    ]
    found = []
    for grid in bare_grids(likely):
        lanes = most_likely_lanes(_lane_evidence(image, grid, cards))
        if lanes is not None and lanes[0] > _LEAST_VALUE * lanes[2]:
            found.append(_BareTable(*lanes, grid.lattice, cards))
    return max(found, key=lambda one: one.value, default=None)


def _lane_evidence(image: Image, grid: LikelyGrid, cards: list[SeenCard]) -> dict[int, LaneEvidence]:
    """Evidence for the lanes of a grid, and for one more on either side."""
    lanes = range(-1, grid.lanes + 1)
    lattice = with_cards(grid.lattice, cards, lanes)[0]
    nodes = [(lane, row) for lane in lanes for row in range(ROWS + 2)]
    shown = place_shares(image, [_as_found(lattice, node) for node in nodes])
    lanes_seen = {}
    for n, lane in enumerate(lanes):
        own = shown[n * (ROWS + 2) : (n + 1) * (ROWS + 2)]
        first, last = (
            dict(zip(STATION_CLASSES, own[row][_STATIONS].tolist(), strict=True)) for row in (0, -1)
        )
        hidden = (float(own[0][CLASS_NUMBER[COVERED]]), float(own[-1][CLASS_NUMBER[COVERED]]))
        clear = [max(float(one[_FACES].max()), float(one[CLASS_NUMBER[EMPTY]])) for one in own[1:-1]]
        lanes_seen[lane] = LaneEvidence((first, last), hidden, clear)
    return lanes_seen


def _as_found(lattice: Lattice, node: Node) -> Places:
    """The corners of the card that was detected in a place, or of the place if there is none."""
    nominal = lattice.quad(node)
    return _as_placed(lattice.cards[node].quad, nominal) if node in lattice.cards else nominal


# --- reading ---


def place_shares(image: Image, quads: Sequence[Places]) -> Shares:
    """The probability of every class in each place, (n, classes)."""
    if not quads:
        return np.zeros((0, len(CLASSES)))
    finest = max(pixels_per_mm(quad) for quad in quads)
    share = 1.0
    if finest > _TOO_FINE:
        share = _COMFORTABLE / finest
        image = np.asarray(
            cv2.resize(image, None, fx=share, fy=share, interpolation=cv2.INTER_AREA), np.uint8
        )
    return shares(scores(MODEL, evened(card_views(image, np.array(quads) * share))))


Read = tuple[Places, Shares]  # where a card or a place was cut out, and what it looks like


def _read_table(picture: Picture, table: FoundTable) -> tuple[CardReading, list[str]]:
    nodes = [(lane, row) for row in range(ROWS + 2) for lane in range(table.lanes)]
    places = _read_places(picture.image, table.lattice, nodes)
    if table.mat is None:
        places = {node: (quad, _less_likely(own) if node not in table.lattice.cards else own)
                  for node, (quad, own) in places.items()}  # fmt: skip
    else:
        first, lanes = _lanes_in_use(places, table.lanes)
        table = replace(table, lanes=lanes, lattice=moved(table.lattice, first, 0))
        places = {
            (lane - first, row): own for (lane, row), own in places.items() if 0 <= lane - first < lanes
        }
    shown = place_shares(picture.image, [card.quad for card in table.strays])
    strays = [
        (card, own)
        for card, own in zip(table.strays, shown, strict=True)
        if _is_a_card(own) and not _is_imagined(table, card, own, places)
    ]
    spoilt = spoilt_places(table.lattice, table.lanes, [card for card, _ in strays])
    reading = _reading(picture, table, places, spoilt)
    return reading, said_of_strays(table.lattice, table.lanes, strays) + list(_notes(reading))


def _read_places(image: Image, lattice: Lattice, nodes: Sequence[Node]) -> dict[Node, Read]:
    """Classify every place as the lattice cuts it out and, where a card was detected, by its corners.

    The surer one counts, but a place that the lattice shows clearly empty stays so. Unsure places are looked
    at again.
    """
    cuts = [(node, lattice.quad(node)) for node in nodes]
    cuts += [(node, _as_found(lattice, node)) for node in lattice.cards]
    best: dict[Node, Read] = {}
    for (node, quad), own in zip(cuts, place_shares(image, [quad for _, quad in cuts]), strict=True):
        if node not in best or (_sureness(own) > _sureness(best[node][1]) and not _is_bare(best[node][1])):
            best[node] = quad, own
    unsure = {node: read for node, read in best.items() if read[1].max() < _SECOND_LOOK}
    return best | _looked_at_again(image, unsure)


def _less_likely(own: Shares) -> Shares:
    """Scale down P(rail card) in a place where no card was detected: stripes of a cloth look like track."""
    own = own.copy()
    own[_FACES] *= _WITHOUT_OUTLINE
    return np.asarray(own / own.sum())


def _as_placed(quad: Places, nominal: Places) -> Places:
    """The corners of a card, rotated so that each is nearest to the same corner of its place."""
    turns = [np.roll(quad, -n, axis=0) for n in range(4)]
    return min(turns, key=lambda turn: float(np.abs(turn - nominal).sum()))


def _is_bare(own: Shares) -> bool:
    """True if a place cut out by the lattice is clearly empty: a card detected there is part of the table."""
    return bool(own[CLASS_NUMBER[EMPTY]] > _WELL_READ)


def _sureness(own: Shares) -> float:
    """How sure the classification is: P(best card), with a cautious bonus for P(empty)."""
    return float(own[: CLASS_NUMBER[BACK]].max() + 0.5 * own[CLASS_NUMBER[EMPTY]])


def _looked_at_again(image: Image, unsure: dict[Node, Read]) -> dict[Node, Read]:
    """Test-time augmentation: shift the cut of each unsure place, keep the surest, average it with others."""
    found = {node: read for node, read in unsure.items() if read[1][CLASS_NUMBER[EMPTY]] < _MAYBE_EMPTY}
    for step in _STEPS:
        cuts = [(node, cut) for node, (quad, _) in found.items() for cut in _other_cuts(quad, step)]
        shown = place_shares(image, [cut for _, cut in cuts])
        for node, (quad, own) in list(found.items()):
            others = [(cut, more) for (name, cut), more in zip(cuts, shown, strict=True) if name == node]
            found[node] = max([(quad, own), *others], key=lambda read: _sureness(read[1]))
    moved_to = {node: read for node, read in found.items() if _sureness(read[1]) > _WORTH_MOVING}
    return {node: _averaged(image, *read) for node, read in (unsure | moved_to).items()}


def _averaged(image: Image, quad: Places, own: Shares) -> Read:
    around = place_shares(image, list(_other_cuts(quad, _LAST_STEP)))
    return quad, np.mean([own, *around], axis=0)


def _other_cuts(quad: Places, step: float) -> Iterator[Places]:
    """The cut shifted by a share of a card's width in eight directions."""
    across, down = (quad[1] - quad[0]) * step, (quad[3] - quad[0]) * step * 0.7
    for x, y in ((1, 1), (1, -1), (-1, 1), (-1, -1), (1, 0), (-1, 0), (0, 1), (0, -1)):
        yield quad + x * across + y * down


def _is_a_card(own: Shares) -> bool:
    return bool(own[_FACES].sum() + own[_STATIONS].sum() + own[CLASS_NUMBER[BACK]] > 0.7)


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


def _lanes_in_use(places: dict[Node, Read], lanes: int) -> tuple[int, int]:
    """The lanes of a mat that are played: the first with a station, and how many; all if none has one."""
    used = [
        lane
        for lane in range(lanes)
        if max(float(places[lane, row][1][_STATIONS].sum()) for row in (0, ROWS + 1)) > 0.5
    ]
    if not used or used[-1] - used[0] + 1 not in ARRIVALS_TO_END:
        return 0, lanes
    return used[0], used[-1] - used[0] + 1


def _reading(
    picture: Picture, table: FoundTable, places: dict[Node, Read], spoilt: dict[Node, str]
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
    columns = likeliest_columns(*([one.probabilities for one in column] for column in (starts, destinations)))
    area = lattice.pixels(
        np.array([(-0.5, -0.5), (lanes - 0.5, -0.5), (lanes - 0.5, ROWS + 1.5), (-0.5, ROWS + 1.5)])
    )
    scale = _scale(table) * float(np.sqrt(enlarging[0] * enlarging[1]))
    quality = Quality("cards" if table.mat is None else "tags", scale, _light(picture.image, area))
    mat = table.mat.lanes if table.mat else None
    return card_reading(mat, _corners(area * enlarging), cells, (starts, destinations), quality, columns)


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


def _notes(reading: CardReading) -> Iterator[str]:
    """Sentences for people."""
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
    if reading.quality.light < 0.2:
        yield "The picture is dark: more light, please."
