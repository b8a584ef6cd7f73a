"""Reads a photograph of a card table: every card with its probability. The one entry of this package."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from companion.core.messages import m
from companion.games.derailed.reader.cards.classification import (
    ImagePyramid,
    Probabilities,
    as_found,
    class_probabilities,
    strong_colours,
)
from companion.games.derailed.reader.cards.detection import DetectedCard
from companion.games.derailed.reader.cards.faces import (
    BACK,
    CLASS_NUMBER,
    CLASSES,
    COVERED,
    EMPTY,
    FACE_CLASSES,
    FACES_OF,
    HALF_TURNED,
    MIRRORED,
    STATION_CLASSES,
    STATIONS_OF,
)
from companion.games.derailed.reader.cards.outliers import outlier_notes, spoilt_places, touched_cells
from companion.games.derailed.reader.cards.surface import as_empty, like_the_table
from companion.games.derailed.reader.constants import CONSTANTS
from companion.games.derailed.reader.decks.comparison import (
    compared_with_deck,
    compared_with_references,
    likeliest_deck,
    placed_with_deck,
)
from companion.games.derailed.reader.decks.matching import Match
from companion.games.derailed.reader.decks.placement import Placement
from companion.games.derailed.reader.grids.columns import compared, likeliest_columns
from companion.games.derailed.reader.grids.lattice import CARD_SHARE, UNIT, Lattice, Node, field_of, moved
from companion.games.derailed.reader.grids.tables import (
    FROM_ABOVE,
    NOTHING_KNOWN,
    Expected,
    FoundTable,
    find_tables,
    scale_of,
)
from companion.games.derailed.reader.grids.tilt import tilt_of
from companion.games.derailed.reader.readings import CardReading, CardsPhoto, Note, PlaceReading, card_reading
from companion.games.derailed.reader.trace import Read, Trace
from companion.games.derailed.rules.network import grid_of
from companion.games.derailed.rules.rulebook import ARRIVALS_TO_END, ROWS
from companion.reading.evidence import Quality
from companion.sheets.drawing import Quad
from vision.decoding import Picture
from vision.register.rectify import Image, Places

_C = CONSTANTS.reading


_MORE_LANES = m(
    "Cards lie in a lane whose stations cannot be seen: it was left out. Uncover its "
    "stations, or say how many lanes are played."
)
_OTHER_DECK = m("These cards look like none of the taught decks: they were read without one.")

# A card's corners from those of another way round, and the classes that it then shows: turned by half,
# mirrored, both.
_OTHER_WAYS_ROUND = (
    ([2, 3, 0, 1], list(HALF_TURNED)),
    ([1, 0, 3, 2], list(MIRRORED)),
    ([3, 2, 1, 0], [MIRRORED[number] for number in HALF_TURNED]),
)
_FACE_UP = CLASS_NUMBER[BACK]  # so many classes are faces and stations


def read_cards(photo: bytes | Image, expected: Expected = NOTHING_KNOWN) -> CardsPhoto:
    """Read a photograph: packed bytes, or pixels (blue first).

    Raises :class:`~vision.errors.PictureError` for what is no picture. A picture without a card table is a
    reading without sheets, and a note says so.
    """
    found = find_tables(photo, expected)
    pyramid, notes, sheets = found.pyramid, list(found.notes), []
    for table in found.tables:
        if scale_of(table) < _C.unreadable:
            notes.append(m("The cards are too small in the picture to be read: go nearer."))
            continue
        sheet = _read_table(found.picture, pyramid, table, expected)
        sheets.append(sheet)
        notes += sheet.sentences(minor=bool(sheet.doubtful))
    return CardsPhoto(*found.picture.whole, tuple(sheets), tuple(dict.fromkeys(notes)))


def _read_table(
    picture: Picture, pyramid: ImagePyramid, table: FoundTable, expected: Expected
) -> CardReading:
    trace = Trace()
    if table.mat is not None:
        pyramid.deck = likeliest_deck(pyramid, table, expected.decks)
        places = _read_places(pyramid, table, {}, trace)
    elif ways := placed_with_deck(pyramid, table, expected.decks, expected.lanes):
        traces = [trace, *(Trace() for _ in ways[1:])]
        read = [
            _markerless_places(pyramid, way.table, way.matches, own)
            for way, own in zip(ways, traces, strict=True)
        ]
        table, places = _weighed(ways, read)
        if len(ways) > 1:
            trace.add("grids", places)
    else:
        places = _markerless_places(pyramid, table, {}, trace)
    if expected.references is not None and pyramid.deck is None:
        told = compared_with_references(pyramid, table, places, expected.references)
        trace.add("match", told)
        places |= told
    outliers = _true_outliers(pyramid, table, places)  # of a mat also by its print in lanes that nobody plays
    notes: list[Note] = []
    if table.mat is not None:
        first, lanes = _lanes_in_use(places, table.lanes, expected.lanes)
        if len(expected.lanes) > 1 and _is_anything_beside(table, places, range(first, first + lanes)):
            notes.append(Note(_MORE_LANES))
        table = replace(table, lanes=lanes, lattice=moved(table.lattice, first, 0))
        trace = trace.moved(first)
        places = {
            (lane - first, row): own for (lane, row), own in places.items() if 0 <= lane - first < lanes
        }
    spoilt = spoilt_places(table.lattice, table.lanes, [card for card, _ in outliers])
    reading = _reading(picture, pyramid, table, places, spoilt, expected.companies, trace)
    tilt = tilt_of(table.lattice.matrix, picture.size)
    notes += outlier_notes(table.lattice, table.lanes, outliers)
    if expected.decks and pyramid.deck is None:
        notes.append(Note(_OTHER_DECK))
    return replace(reading, notes=(*notes, *_notes(reading, tilt)), tried=table.tried)


def _is_anything_beside(table: FoundTable, places: dict[Node, Read], used: range) -> bool:
    """Return True if a rail card was detected on a mat in a lane without stations and read as one."""
    return any(
        node[0] not in used and places[node][1][FACES_OF].sum() > _C.well_read for node in table.lattice.cards
    )


def _markerless_places(
    picture: ImagePyramid, table: FoundTable, known: Mapping[Node, Match], trace: Trace
) -> dict[Node, Read]:
    """The places of a table without a mat; ``known``: those that were compared with the deck."""
    places = _read_places(picture, table, known, trace)
    bare = _uncovered(picture, table, places)
    trace.add("table", bare)
    places |= bare
    undetected = {
        node: (quad, _less_likely(own))
        for node, (quad, own) in places.items()
        if node not in table.lattice.cards
    }
    trace.add("no card", undetected)
    return places | undetected


def _weighed(
    ways: Sequence[Placement], read: Sequence[dict[Node, Read]]
) -> tuple[FoundTable, dict[Node, Read]]:
    """The likeliest grid, with class probabilities averaged over all grids by their probability.

    Where hardly any card is recognised in the likeliest grid, all of them may be wrong, and no cell is sure.
    """
    shares = np.array([way.share(ways[0].value) for way in ways])
    if ways[0].vague:
        shares, read = np.append(shares, _C.no_grid * shares.sum()), [*read, {}]
    nothing = np.full(len(CLASSES), 1 / len(CLASSES))
    places = {
        node: (
            quad,
            np.average([other[node][1] if node in other else nothing for other in read], 0, shares),
        )
        for node, (quad, _) in read[0].items()
    }
    return ways[0].table, places


def _read_places(
    picture: ImagePyramid, table: FoundTable, known: Mapping[Node, Match], trace: Trace
) -> dict[Node, Read]:
    """Classify every place, by its detected card's corners or as the lattice cuts it out.

    The lattice's cut is used if no card was detected, or if the detection's is uncertain; the more certain
    counts, but a place that the lattice clearly shows as empty stays so. Uncertain places get a second look.
    ``known``: the places matched with the deck.
    """
    lattice = table.lattice
    nodes = [(lane, row) for row in range(ROWS + 2) for lane in range(table.lanes)]
    detected = _shown(picture, {node: as_found(lattice, node) for node in lattice.cards})
    sure = {node: read for node, read in detected.items() if read[1][:_FACE_UP].max() > _C.plain}
    as_laid = _shown(picture, {node: lattice.quad(node) for node in nodes if node not in sure})
    best = as_laid | sure
    for node, read in detected.items():
        if _sureness(read[1]) > _sureness(best[node][1]) and not _is_bare(best[node][1]):
            best[node] = read
    by_deck = compared_with_deck(picture, table, {node: own for node, (_, own) in best.items()}, known)
    unsure = {
        node: read for node, read in best.items() if read[1].max() < _C.second_look and node not in by_deck
    }
    again = _looked_at_again(picture, unsure)
    mirrored = {} if picture.deck is not None else turned_and_mirrored(picture, best | again)
    contested = _contested(best | again | mirrored, detected, as_laid)
    # In the order in which they count
    trace.add("grid", as_laid)
    trace.add("card", detected)
    trace.add(
        "grid", {node: as_laid[node] for node in detected.keys() & as_laid if best[node] is as_laid[node]}
    )
    trace.add("moved", again)
    trace.add("mirrored", mirrored)
    trace.add("both", contested)
    trace.add("deck", by_deck)
    return best | again | mirrored | contested | by_deck


def _contested(
    best: dict[Node, Read], detected: dict[Node, Read], as_laid: dict[Node, Read]
) -> dict[Node, Read]:
    """The places where both ways of cutting them out show different faces: neither is certain."""
    contested = {}
    for node in detected.keys() & as_laid.keys():
        faces = [read[node][1][FACES_OF] for read in (detected, as_laid)]
        if min(one.max() for one in faces) > 0.5 and faces[0].argmax() != faces[1].argmax():
            quad, own = best[node]
            contested[node] = quad, np.mean([own, detected[node][1], as_laid[node][1]], axis=0)
    return contested


def _shown(picture: ImagePyramid, quads: dict[Node, Places]) -> dict[Node, Read]:
    shown = class_probabilities(picture, list(quads.values()))
    return {node: (quad, own) for (node, quad), own in zip(quads.items(), shown, strict=True)}


def _uncovered(picture: ImagePyramid, table: FoundTable, places: dict[Node, Read]) -> dict[Node, Read]:
    """The cells of a bare table that are called covered, but look as the table does around the lanes."""
    doubted = [
        (lane, row)
        for (lane, row), (_, own) in places.items()
        if 0 < row <= ROWS
        and (lane, row) not in table.lattice.cards
        and own.argmax() == CLASS_NUMBER[COVERED]
    ]
    outliers = {table.lattice.node_at(card.middle) for card in table.outliers}
    bare = like_the_table(picture, table.lattice, range(table.lanes), doubted, outliers)
    return {node: (places[node][0], as_empty(places[node][1])) for node in doubted if bare[node]}


def _less_likely(own: Probabilities) -> Probabilities:
    """Scale down P(rail card) in a place where no card was detected: stripes of a cloth look like track."""
    own = own.copy()
    own[FACES_OF] *= _C.without_outline
    return np.asarray(own / own.sum())


def _is_bare(own: Probabilities) -> bool:
    """True if a place cut out by the lattice is clearly empty: a card detected there is part of the table."""
    return bool(own[CLASS_NUMBER[EMPTY]] > _C.well_read)


def _sureness(own: Probabilities) -> float:
    """How sure the classification is: P(best card), with a cautious bonus for P(empty)."""
    return float(own[:_FACE_UP].max() + 0.5 * own[CLASS_NUMBER[EMPTY]])


def _looked_at_again(picture: ImagePyramid, unsure: dict[Node, Read]) -> dict[Node, Read]:
    """Test-time augmentation: shift the cut of each unsure place, keep the surest, average it with others."""
    found = {node: read for node, read in unsure.items() if read[1][CLASS_NUMBER[EMPTY]] < _C.maybe_empty}
    for step in (_C.first_step, _C.second_step):
        cuts = [(node, cut) for node, (quad, _) in found.items() for cut in _other_cuts(quad, step)]
        shown = class_probabilities(picture, [cut for _, cut in cuts])
        for node, (quad, own) in list(found.items()):
            others = [(cut, more) for (name, cut), more in zip(cuts, shown, strict=True) if name == node]
            found[node] = max([(quad, own), *others], key=lambda read: _sureness(read[1]))
    moved_to = {node: read for node, read in found.items() if _sureness(read[1]) > _C.worth_moving}
    return _averaged(picture, unsure | moved_to)


def turned_and_mirrored(picture: ImagePyramid, read: dict[Node, Read]) -> dict[Node, Read]:
    """Every card also seen upside down, in a mirror, and both: the geometric mean of the four.

    The network knows faces that way round, too, and where one look is wrong and sure the others seldom are.
    """
    cards = {node: (quad, own) for node, (quad, own) in read.items() if own.argmax() < FACES_OF.stop}
    logs = [np.log(np.array([own for _, own in cards.values()]).reshape(-1, len(CLASSES)) + _C.floor)]
    for corners, classes in _OTHER_WAYS_ROUND:
        shown = class_probabilities(picture, [quad[corners] for quad, _ in cards.values()])
        logs.append(np.log(shown[:, classes] + _C.floor))
    mean = np.exp(np.mean(logs, axis=0))
    mean /= mean.sum(axis=1, keepdims=True)
    return {node: (quad, own) for (node, (quad, _)), own in zip(cards.items(), mean, strict=True)}


def _averaged(picture: ImagePyramid, read: dict[Node, Read]) -> dict[Node, Read]:
    """Average each place's class probabilities with those of slightly shifted cuts."""
    cuts = [cut for quad, _ in read.values() for cut in _other_cuts(quad, _C.last_step)]
    around = class_probabilities(picture, cuts).reshape(
        len(read), len(cuts) // max(len(read), 1), len(CLASSES)
    )
    return {
        node: (quad, np.mean([own, *others], axis=0))
        for (node, (quad, own)), others in zip(read.items(), around, strict=True)
    }


def _other_cuts(quad: Places, step: float) -> Iterator[Places]:
    """Cuts shifted by a share of a card's width in eight directions."""
    across, down = (quad[1] - quad[0]) * step, (quad[3] - quad[0]) * step * 0.7
    for x, y in ((1, 1), (1, -1), (-1, 1), (-1, -1), (1, 0), (-1, 0), (0, 1), (0, -1)):
        yield quad + x * across + y * down


def _is_a_card(own: Probabilities) -> bool:
    return bool(own[FACES_OF].sum() + own[STATIONS_OF].sum() + own[CLASS_NUMBER[BACK]] > 0.7)


def _true_outliers(
    pyramid: ImagePyramid, table: FoundTable, places: dict[Node, Read]
) -> list[tuple[DetectedCard, Probabilities]]:
    """The cards in no place, with their class probabilities, without false detections."""
    shown = class_probabilities(pyramid, [card.quad for card in table.outliers])
    found = [
        (card, own)
        for card, own in zip(table.outliers, shown, strict=True)
        if _is_a_card(own) and not _is_imagined(table, card, own, places)
    ]
    return found + (_half_over(pyramid, table, places) if table.mat is not None else [])


def _half_over(
    pyramid: ImagePyramid, table: FoundTable, places: dict[Node, Read]
) -> list[tuple[DetectedCard, Probabilities]]:
    """Cards halfway between two places of a mat: undetected, or taken for one in its place.

    On a bare table what lies between may be anything, and only what was detected counts.
    """
    lattice = table.lattice
    pairs = [((lane, row), (lane, row + 1)) for lane in range(table.lanes) for row in range(ROWS + 1)]
    pairs += [((lane, row), (lane + 1, row)) for lane in range(table.lanes - 1) for row in range(1, ROWS + 1)]
    lying = {node for node in lattice.cards if _lies_there(lattice, node, places[node][1])}
    known = [lattice.places(card.middle) for card in table.outliers]
    halves = {pair: np.mean(pair, axis=0) for pair in pairs if not lying.intersection(pair)}
    halves = {
        pair: at for pair, at in halves.items() if not any(np.abs(at - one).max() < _C.taken for one in known)
    }
    shown = class_probabilities(pyramid, [lattice.pixels(at + UNIT * CARD_SHARE) for at in halves.values()])
    return [
        (_card_at(lattice, at), own)
        for (pair, at), own in zip(halves.items(), shown, strict=True)
        if own[FACES_OF].max() > max(_C.half_over, *(places[node][1][FACES_OF].max() for node in pair))
    ]


def _lies_there(lattice: Lattice, node: Node, own: Probabilities) -> bool:
    """Return True if the card detected in a place was read as a card and lies close to its centre."""
    off = np.abs(lattice.places(lattice.cards[node].middle) - node).max()
    card = max(own[FACES_OF].max(), own[STATIONS_OF].max(), own[CLASS_NUMBER[BACK]])
    return bool(off < _C.in_place and card > _C.well_read)


def _card_at(lattice: Lattice, at: Places) -> DetectedCard:
    quad = lattice.pixels(at + UNIT * CARD_SHARE)
    middle = lattice.pixels(at)
    return DetectedCard(middle, (quad[1] - quad[0]) / 2, (quad[3] - quad[0]) / 2, 1.0, 0.0, quad)


def _is_imagined(table: FoundTable, card: DetectedCard, own: Probabilities, places: dict[Node, Read]) -> bool:
    """True if a place below the middle of this outlier detection was read with more confidence than the
    detection itself: the detection is probably false.

    Where it clearly shows a face, an empty place says nothing against it: half of that is still to be seen.
    """
    shown = [places[node][1] for node in touched_cells(table.lattice, table.lanes, card)]
    if not shown:
        return False
    if own[FACES_OF].max() > _C.half_over:
        return max(float(one[:_FACE_UP].max()) for one in shown) > float(own[FACES_OF].max())
    known = max(float(one[: CLASS_NUMBER[COVERED]].max()) for one in shown)
    return known > min(_C.well_read, _sureness(own))


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
    pyramid: ImagePyramid,
    table: FoundTable,
    places: dict[Node, Read],
    spoilt: dict[Node, str],
    companies: tuple[str, ...],
    trace: Trace,
) -> CardReading:
    lattice, lanes = table.lattice, table.lanes
    enlarging = np.array(picture.enlarging)

    def place(node: Node, marks: tuple[str, ...], possible: tuple[str, ...]) -> PlaceReading:
        quad, own = places[node]
        reason = spoilt.get(node) or _why_unseen(picture, quad, own, marks)
        corners = _corners(quad * enlarging)
        return PlaceReading(_ranked(own, possible), reason, corners=corners, looks=trace.of(node))

    played = tuple(letter for letter in STATION_CLASSES if letter in companies) or STATION_CLASSES
    starts, destinations = (
        [place((lane, row), STATION_CLASSES, played) for lane in range(lanes)] for row in (0, ROWS + 1)
    )
    names, marks = grid_of(lanes).names, (*FACE_CLASSES, EMPTY)
    cells = {name: place((n % lanes, n // lanes + 1), marks, marks) for n, name in enumerate(names)}
    seen = [one.probabilities for one in starts], [one.probabilities for one in destinations]
    stations = [places[lane, row][0] for row in (0, ROWS + 1) for lane in range(lanes)]
    colours = strong_colours(pyramid, stations)
    columns = compared(likeliest_columns(*seen, companies), seen, (colours[:lanes], colours[lanes:]))
    area = lattice.pixels(field_of(lanes))
    scale = scale_of(table) * float(np.sqrt(enlarging[0] * enlarging[1]))
    quality = Quality(table.found_by, scale, _light(picture.image, area))
    return card_reading(
        table.mat, _corners(area * enlarging), cells, (starts, destinations), quality, columns
    )


def _ranked(own: Probabilities, possible: tuple[str, ...]) -> dict[str, float]:
    numbers = np.array([CLASS_NUMBER[name] for name in possible])
    known = own[numbers] + 1e-9
    known = known / known.sum()
    order = np.argsort(-known, kind="stable")
    return {possible[n]: float(known[n]) for n in order}


def _corners(quad: Places) -> Quad:
    (a, b), (c, d), (e, f), (g, h) = quad.tolist()
    return (a, b), (c, d), (e, f), (g, h)


def _why_unseen(picture: Picture, quad: Places, own: Probabilities, possible: tuple[str, ...]) -> str | None:
    """The reason why a place cannot be read; None when it can."""
    if _cut_off(picture, quad) > _C.outside:
        return m("outside the picture")
    if possible[-1] == EMPTY and own[CLASS_NUMBER[BACK]] > _C.maybe_back:
        # A station has no business in a cell: what might be a back and looks so is a back.
        own = own.copy()
        own[CLASS_NUMBER[BACK]] += own[STATIONS_OF].sum()
        own[STATIONS_OF] = 0.0
    best = CLASSES[int(own.argmax())]
    if best == COVERED:
        return "covered"
    if best == BACK:
        return m("face down")
    if best not in possible and not (best == EMPTY and possible is STATION_CLASSES):
        return m("no rail card") if possible[-1] == EMPTY else m("no station card")
    return m("no station card") if best == EMPTY and possible == STATION_CLASSES else None


def _cut_off(picture: Picture, quad: Places) -> float:
    steps = (np.arange(6) + 0.5) / 6
    across, down = np.meshgrid(steps, steps)
    top = quad[0] + (quad[1] - quad[0]) * across[..., None]
    bottom = quad[3] + (quad[2] - quad[3]) * across[..., None]
    places = top + (bottom - top) * down[..., None]
    return float(((places < 0) | (places > np.array(picture.size))).any(axis=-1).mean())


def _light(image: Image, area: Places) -> float:
    """The brightness of the brightest tenth of the area."""
    low = np.clip(area.min(axis=0), 0, None).astype(int)
    high = np.maximum(area.max(axis=0).astype(int), low + 8)
    part = image[low[1] : high[1] : 8, low[0] : high[0] : 8]
    return float(np.percentile(part.max(axis=2), 90)) / 255 if part.size else 0.0


def _notes(reading: CardReading, tilt: float) -> Iterator[Note]:
    """Sentences for people; ``tilt``: of the camera, in radians."""
    for name, place in reading.cells.items():
        if place.cannot_see == "face down":
            yield Note(lambda name: m("A card lies face down at {name}.", name=name), (name,))
        elif place.cannot_see == "no rail card":
            yield Note(lambda name: m("What lies at {name} is not a rail card.", name=name), (name,))
    hidden = tuple(name for name, place in reading.cells.items() if place.cannot_see == "covered")
    if hidden:
        yield Note(_cannot_be_seen, hidden)
    missing = tuple(name for name, place in reading.stations.items() if place.cannot_see is not None)
    if missing:
        yield Note(lambda missing: m("No station card can be seen at {missing}.", missing=missing), missing)
    if reading.quality.pixels_per_mm < 0.8:
        yield Note(m("The cards are small in the picture: go nearer for a more reliable reading."))
    if tilt > CONSTANTS.tables.steep:
        yield Note(FROM_ABOVE, minor=True)
    if reading.quality.light < 0.2:
        yield Note(m("The picture is dark: more light, please."))


def _cannot_be_seen(hidden: str) -> str:
    return m(
        "What lies at {hidden} cannot be seen: take away what covers it, or straighten it.", hidden=hidden
    )
