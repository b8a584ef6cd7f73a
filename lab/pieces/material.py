"""Views of segments from studio photographs, with what is on them: what the network learns from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.spike.rules.boards.board import SHIPPED, board_called
from companion.sheets.printing.png import MM_PER_INCH, picture
from companion.sheets.sheet import Sheet
from lab.pieces.boards import invented_board
from lab.pieces.painted import HIDDEN, NOTHING_TOLD, PIECE_TOLD, painted
from lab.spike.studio.board import manner_for, standing_board
from lab.spike.studio.positions import made_up
from lab.spike.studio.studio import board_level
from lab.studio.cameras import Camera, inverse, transformed
from lab.studio.darkroom import packed
from lab.studio.pieces import HELD_OUT, box_for, pieces_on
from lab.studio.solids import Solid
from lab.studio.tabletop import MarkedSheet, Tabletop, lay_table, photograph
from lab.studio.things import hand_over, pen, small_thing
from lab.studio.truth import drowned_in
from lab.training.files import Arrays, make_files
from vision.decoding import decoded
from vision.pieces.against_blank import compared
from vision.pieces.finding import look_strange
from vision.pieces.lean import camera_place, leans
from vision.pieces.network import NOTHING, ONE, TWO, UNSEEN
from vision.pieces.views import SIZE, Segments, cut_out
from vision.register.rectify import Image, Placement, straightened

WIDE = (SIZE[0] + 12, SIZE[1] + 12)  # pixels: room to push views about
LEFT_OUT = 255  # label of views of which nobody could say
_PIXELS = 42.0  # of a usual segment, in the straightened picture
_MEGAPIXELS = (1.6, 4.5)
# Views of a picture: empty ones that are strange, those that are not, and of all empty ones those that are
# painted on as well.
_KEPT_STRANGE, _KEPT_PLAIN, _PAINTED = 180, 30, 60
_DRAWN = "painted_"  # before the names of a file's arrays
_LEVELS = ("clean", "table", "table", "hard", "hard")


@dataclass(frozen=True, eq=False)
class Views:
    """Of one picture: views of picture and blank, what lies there, its top, and how it would lean."""

    even: Image  # (n, height, width, 3)
    blank: Image
    labels: NDArray[np.uint8]
    tops: NDArray[np.uint8]  # (n, height, width): 255 where a piece of this segment is seen from above
    lean: NDArray[np.float32]  # (n, 2): pixels for a height of a quarter of the segment


def make_material(folder: Path, first: int, count: int, processes: int) -> Path:
    """Make one file for each picture; those that are there already stay."""
    make_files(folder, range(first, first + count), _made, processes)
    return folder


def load_material(folder: Path) -> list[tuple[Views, bool]]:
    """The views of every picture in a folder, and its painted ones, which are marked True."""
    found = []
    for path in sorted(folder.glob("*.npz")):
        with np.load(path) as file:
            found += [(_from_file(file, ""), False), (_from_file(file, _DRAWN), True)]
    return found


def _from_file(file: Mapping[str, NDArray[Any]], which: str) -> Views:
    return Views(*(file[f"{which}{field.name}"] for field in fields(Views)))


def _painted(rng: np.random.Generator, views: Views) -> Views:
    which = rng.permutation(np.flatnonzero(views.labels == NOTHING))[:_PAINTED]
    found = [(n, painted(rng, views.even[n], views.blank[n], views.lean[n])) for n in which.tolist()]
    told = [(n, one) for n, one in found if one is not None]
    kept = np.array([n for n, _ in told], np.int64)
    same = Views(views.even[kept], views.blank[kept], views.labels[kept], views.tops[kept], views.lean[kept])
    for place, (_, (even, tops, label)) in enumerate(told):
        same.even[place], same.tops[place], same.labels[place] = even, tops, label
    return same


def joined(every: Sequence[Views]) -> Views:
    """Concatenate the views of several pictures."""
    return Views(
        np.concatenate([one.even for one in every]),
        np.concatenate([one.blank for one in every]),
        np.concatenate([one.labels for one in every]),
        np.concatenate([one.tops for one in every]),
        np.concatenate([one.lean for one in every]),
    )


def _made(seed: int) -> Arrays:
    views = take_views(seed)
    drawn = _painted(np.random.default_rng([seed, 78]), views)
    return {
        f"{which}{field.name}": getattr(some, field.name)
        for which, some in (("", views), (_DRAWN, drawn))
        for field in fields(Views)
    }


def take_views(seed: int, held_out: Sequence[str] = HELD_OUT) -> Views:
    """The views of one picture: of a game's board, or of an invented one."""
    rng = np.random.default_rng([seed, 77])
    level = _LEVELS[int(rng.integers(len(_LEVELS)))]
    megapixels = float(np.exp(rng.uniform(*np.log(_MEGAPIXELS))))
    marked, pieces = _game_board(rng, held_out) if seed % 2 else _invented(rng, held_out)
    table = _cluttered(rng, lay_table([marked], seed, level, megapixels, board_level(level)))
    seen = decoded(packed(photograph(table), table.sensor.jpeg), 1).image
    return _views(rng, table, seen, pieces)


def _game_board(
    rng: np.random.Generator, held_out: Sequence[str]
) -> tuple[MarkedSheet, dict[str, list[Solid]]]:
    laid = made_up(rng, board_called(SHIPPED[0]))
    box = box_for(rng, len(laid.tracks), held_out)
    return standing_board(laid, box, manner_for(rng, box, laid), int(rng.integers(2**31)))


def _invented(
    rng: np.random.Generator, held_out: Sequence[str]
) -> tuple[MarkedSheet, dict[str, list[Solid]]]:
    sheet = invented_board(rng)
    box = box_for(rng, int(rng.integers(1, 6)), held_out)
    share, both = rng.uniform(0, 0.7), rng.uniform(0, 0.15)
    pieces: dict[str, list[Solid]] = {}
    for name, slot in sheet.slots.items():
        if rng.random() < share:
            count = 2 if rng.random() < both else 1
            colours = [str(colour) for colour in rng.choice(list(box.paints), count)]
            pieces[name] = pieces_on(rng, box, slot.quad, colours)
    solids = tuple(solid for some in pieces.values() for solid in some)
    return MarkedSheet(sheet, {}, partial(_unchanged), solids), pieces


def _cluttered(rng: np.random.Generator, table: Tabletop) -> Tabletop:
    """Lay things and hands on the board itself in every third picture."""
    if rng.random() > 0.35:
        return table
    one, things = table.sheets[0], list(table.things)
    size = np.asarray(one.marked.sheet.size)
    for _ in range(int(rng.integers(1, 7))):
        at = transformed(one.to_table, (rng.uniform(0.05, 0.95, 2) * size)[None])[0]
        things.append(pen(rng, at) if rng.random() < 0.3 else small_thing(rng, at, over=True))
    if rng.random() < 0.6:
        tip = transformed(one.to_table, (rng.uniform(0.2, 0.8, 2) * size)[None])[0]
        middle = transformed(one.to_table, size[None] / 2)[0]
        angle = rng.uniform(0, 2 * np.pi)
        things.append(hand_over(rng, tip, middle + 900 * np.array([np.cos(angle), np.sin(angle)])))
    return replace(table, things=things)


def _unchanged(blank: Image, _scale: float) -> Image:
    return blank


def _views(
    rng: np.random.Generator, table: Tabletop, seen: Image, pieces: Mapping[str, list[Solid]]
) -> Views:
    sheet, to_table, camera = table.sheets[0].marked.sheet, table.sheets[0].to_table, table.camera
    names = [name for name, slot in sheet.slots.items() if slot.kind == "track"]
    segments = Segments({name: sheet.slots[name].quad for name in names})
    scale = _PIXELS / float(np.median(segments.lengths))
    placement = _nearly(rng, sheet, camera, camera.table_to_ideal @ to_table)
    straight = straightened(seen, placement, sheet, scale)
    blank = _blank(rng, sheet, scale)
    whole = compared(straight, blank)
    pixels = segments.pixels(scale, WIDE)
    even, expected = cut_out(whole.even, pixels), whole.expected(cut_out(blank, pixels))
    lean = segments.in_views(leans(camera_place(placement, camera.size), segments.middles))
    lean *= segments.lengths[:, None] * 0.25
    labels, tops = _truth(table, segments, names, pieces)
    kept = np.sort(np.concatenate([
        np.flatnonzero((labels != LEFT_OUT) & (labels != NOTHING)),
        *_some_empty(rng, labels == NOTHING, even, expected),
    ]))  # fmt: skip
    return Views(even[kept], expected[kept], labels[kept], tops[kept], lean[kept].astype(np.float32))


def _some_empty(
    rng: np.random.Generator, empty: NDArray[np.bool_], even: Image, expected: Image
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Indices of the empty views to keep: those that reading asks about, and a few others."""
    x, y = (WIDE[0] - SIZE[0]) // 2, (WIDE[1] - SIZE[1]) // 2
    there = np.s_[:, y : y + SIZE[1], x : x + SIZE[0]]
    strange = look_strange(even[there], expected[there])
    some, others = (rng.permutation(np.flatnonzero(empty & which)) for which in (strange, ~strange))
    return some[:_KEPT_STRANGE], others[:_KEPT_PLAIN]


def _nearly(
    rng: np.random.Generator, sheet: Sheet, camera: Camera, homography: NDArray[np.float64]
) -> Placement:
    """The true placement with an error as registration leaves it."""
    corners = np.array(sheet.outline, np.float32)
    moved = corners + rng.normal(0, 0.25, (4, 2)).astype(np.float32)
    wrong = np.asarray(cv2.getPerspectiveTransform(moved, corners), np.float64)
    x, y = camera.centre.tolist()
    return Placement(homography @ wrong, (x, y), camera.focal, camera.k1)


def _blank(rng: np.random.Generator, sheet: Sheet, scale: float) -> Image:
    """The blank as it is drawn; of boards that nobody has also as a photograph has it."""
    print_ = np.ascontiguousarray(np.asarray(picture(sheet.blank, scale * MM_PER_INCH))[:, :, ::-1])
    size = (round(sheet.size[0] * scale), round(sheet.size[1] * scale))
    print_ = np.asarray(cv2.resize(print_, size, interpolation=cv2.INTER_AREA), np.uint8)
    if sheet.tags or rng.random() < 0.3:
        return print_
    soft = cv2.GaussianBlur(print_, (0, 0), float(rng.uniform(0.3, 1.3))).astype(np.float32) / 255
    ends = rng.uniform(0.6, 1.0, 2)
    light = np.linspace(ends[0], ends[1], soft.shape[1])[None, :, None] * rng.uniform(0.85, 1, 3)
    toned = soft ** float(rng.uniform(0.8, 1.25)) * light
    grainy = toned * 255 + rng.normal(0, rng.uniform(0, 5), toned.shape)
    return np.asarray(np.clip(grainy, 0, 255), np.uint8)


# --- the truth ---


def _truth(
    table: Tabletop, segments: Segments, names: Sequence[str], pieces: Mapping[str, list[Solid]]
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """The class of every segment, and a mask of its pieces' tops."""
    one, camera = table.sheets[0], table.camera
    back = inverse(one.to_table)
    covers = _covers(table, [piece for some in pieces.values() for piece in some])
    hidden = _shares(covers, segments, back)
    labels = np.zeros(len(names), np.uint8)
    tops = np.zeros((len(names), WIDE[1], WIDE[0]), np.uint8)
    tall = _tall_shares(table, segments, pieces, names)
    for n, name in enumerate(names):
        own = [piece.moved(one.to_table) for piece in pieces.get(name, ())]
        labels[n] = (NOTHING, ONE, TWO)[min(len(own), 2)]
        for piece in own:
            seen = transformed(back, camera.lifted(piece.outline, piece.height))
            ways = segments.in_view(n, seen)
            cv2.fillPoly(tops[n], [_cells(ways + (np.array(WIDE) - 1) / 2)], 255, cv2.LINE_AA, 4)
    nothing = labels == NOTHING
    labels[np.maximum(hidden, tall) > np.where(nothing, NOTHING_TOLD, PIECE_TOLD)] = LEFT_OUT
    labels[(hidden > HIDDEN) | (nothing & (tall > HIDDEN))] = UNSEEN
    return labels, tops


def _cells(outline: NDArray[np.float64]) -> NDArray[np.int32]:
    return np.rint(np.clip(outline, -500, 500) * 16).astype(np.int32)


def _covers(table: Tabletop, pieces: Sequence[Solid]) -> list[NDArray[np.float64]]:
    """Outlines on the table of whatever hides it: things, pawns, glare."""
    own = {id(piece) for piece in pieces}
    marked, to_table = table.sheets[0].marked, table.sheets[0].to_table
    things = [surface.outline for thing in table.things if thing.over for surface in thing.surfaces]
    glare = drowned_in(table)
    pawns = [
        _silhouette(solid.moved(to_table), table.camera) for solid in marked.solids if id(solid) not in own
    ]
    return [*things, *glare, *pawns]


def _silhouette(solid: Solid, camera: Camera) -> NDArray[np.float64]:
    both = np.concatenate([solid.outline, camera.lifted(solid.outline, solid.height)])
    return np.asarray(cv2.convexHull(both.astype(np.float32)), np.float64).reshape(-1, 2)


def _shares(
    covers: Sequence[NDArray[np.float64]], segments: Segments, back: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The covered share of each segment, counted at the pixels of its middle."""
    core = segments.places((24, 8))
    hidden = np.zeros(core.shape[:3], np.bool_)
    for outline in covers:
        ring = transformed(back, outline).astype(np.float32).reshape(-1, 1, 2)
        low, high = ring.min(axis=(0, 1)), ring.max(axis=(0, 1))
        near = ((core > low) & (core < high)).all(axis=-1)
        for n in np.flatnonzero(near.any(axis=(1, 2))).tolist():
            for y, x in np.argwhere(near[n]).tolist():
                place = float(core[n, y, x, 0]), float(core[n, y, x, 1])
                hidden[n, y, x] |= cv2.pointPolygonTest(ring, place, False) >= 0
    return np.asarray(hidden.mean(axis=(1, 2)), np.float64)


def _tall_shares(
    table: Tabletop, segments: Segments, pieces: Mapping[str, list[Solid]], names: Sequence[str]
) -> NDArray[np.float64]:
    """The share of each segment that is hidden by the tall pieces of other segments."""
    one = table.sheets[0]
    back = inverse(one.to_table)
    outlines = {
        name: [_silhouette(piece.moved(one.to_table), table.camera) for piece in some]
        for name, some in pieces.items()
    }
    shares = np.zeros(len(names))
    numbers = {name: n for n, name in enumerate(names)}
    for name, some in outlines.items():
        middle = segments.middles[numbers[name]]
        near = np.flatnonzero(np.hypot(*(segments.middles - middle).T) < 45)
        near = near[near != numbers[name]]
        few = Segments({names[n]: segments.quads[names[n]] for n in near.tolist()})
        if len(near):
            shares[near] = np.maximum(shares[near], _shares(some, few, back))
    return shares
