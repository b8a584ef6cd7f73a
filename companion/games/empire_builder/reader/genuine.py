"""Genuine maps: taught from one photograph without track, with the owner's map; found again by their print.

What is taught is straightened so that its mileposts lie on the lattice of our own print, 12.7 mm apart: from
there on a genuine map is read as ours is.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

from companion.core.messages import m
from companion.games.empire_builder.printing.printed import KIND, PRINTED, slot_quads, spot
from companion.games.empire_builder.printing.sheets import map_sheet
from companion.games.empire_builder.reader.mileposts import by_spots, on_marks
from companion.games.empire_builder.reader.places import SCALE, EdgePlaces, map_pixels, places_on
from companion.games.empire_builder.rules.boards.board import Board, board
from companion.games.empire_builder.rules.boards.spots import Spots, divided_spots
from companion.games.empire_builder.rules.boards.wholemap import is_whole
from companion.reading.types import Corners
from companion.sheets.drawing import Drawing, Quad, rectangle
from companion.sheets.lattice import Lattice
from companion.sheets.sheet import Sheet, Slot
from vision.errors import PlacementError
from vision.register.placing import weighted_homography
from vision.register.rectify import Image, Placement, Places
from vision.taught.boards import TaughtBoard, load_taught, placed_by_corners, taught_blank, teach_placed

EDITION = "genuine"
_AROUND = 1.0  # steps of the lattice that a map reaches beyond its outermost mileposts
_LEAST_MARKS = 0.25  # how much oftener marks have to be seen at mileposts than where there are none
_HEADROOM = 0.94  # of the light of our land, so that what is lighter than the land of a genuine map has room
_MANY = 60  # places of the lattice without a milepost that tell an upside down map from an upright one


@lru_cache(maxsize=4)
def genuine_sheet(text: str) -> Sheet:
    """The sheet of an owner's map (a whole one, or corrections to ours) as it is taught."""
    on = board(text)
    corner, spots = _corner(text), _spots(text)
    width, height = (spots.max(axis=0) + _AROUND * PRINTED.map.pitch).tolist()
    kinds = dict.fromkeys(on.names, "milepost")
    slots = {
        name: Slot(_shifted(quad, corner), kinds.get(name, "edge")) for name, quad in slot_quads(on).items()
    }
    outline = rectangle((0.0, 0.0), (width, height))
    return Sheet(KIND, EDITION, 1, (width, height), {}, slots, outline, lambda: Drawing((width, height), ()))


def _spots(text: str) -> Places:
    """The mileposts of a map on its sheet, in mm."""
    on = board(text)
    spots: Places = np.array([spot(on, milepost) for milepost in range(len(on.places))])
    spots -= np.array(_corner(text))
    return spots


def _elsewhere(text: str, sheet: Sheet) -> Places:
    """Places of the lattice without a milepost, in mm; of a map that is full, the middles of its edges."""
    on, (width, height) = board(text), sheet.size
    spots, lattice = _spots(text), Lattice(PRINTED.map.pitch, upright=True)
    shift = spots[0] - np.array(lattice.at(on.places[0]))
    (low_a, low_b), (high_a, high_b) = np.min(on.places, axis=0), np.max(on.places, axis=0)
    free = {(a, b) for a in range(low_a, high_a + 1) for b in range(low_b, high_b + 1)}.difference(on.places)
    places: Places = np.array([lattice.at(place) for place in sorted(free)]).reshape(-1, 2)
    places += shift
    places = places[((places > 0) & (places < (width, height))).all(axis=1)]
    middles: Places = spots[np.array(on.edges)].mean(axis=1)
    return places if len(places) >= _MANY else middles


@lru_cache(maxsize=4)
def _corner(text: str) -> tuple[float, float]:
    """The corner of a genuine map's sheet on ours."""
    on = board(text)
    left, top = np.min([spot(on, milepost) for milepost in range(len(on.places))], axis=0)
    around = _AROUND * PRINTED.map.pitch
    return float(left) - around, float(top) - around


def _shifted(quad: Quad, corner: tuple[float, float]) -> Quad:
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = quad
    x, y = corner
    return (ax - x, ay - y), (bx - x, by - y), (cx - x, cy - y), (dx - x, dy - y)


# --- teaching ---


def placed_map(image: Image, corners: Corners | None, text: str) -> tuple[str, Sheet, Placement]:
    """The map of an owner's text, its sheet, and where that lies in the photograph of the empty map."""
    map_text, told = divided_spots(text)
    sheet, spots = genuine_sheet(map_text), _spots(map_text)
    start = _start(image, corners, map_text, sheet, told)
    elsewhere = _elsewhere(map_text, sheet)
    fit = on_marks(image, sheet, spots, elsewhere, start, whole_steps=not told.places)
    if fit.marks < _LEAST_MARKS and not told.places:
        raise PlacementError(
            m(
                "no mileposts are seen where these corners put them: give the map's corners, its own top "
                "left first, or say where some twenty mileposts are"
            )
        )
    return map_text, sheet, fit.placement


def _start(image: Image, corners: Corners | None, text: str, sheet: Sheet, told: Spots) -> Placement:
    """Roughly where the map lies, by the places of mileposts or by its corners alone."""
    size = (image.shape[1], image.shape[0])
    on = board(text)
    if not told.places:
        if corners is None:
            raise PlacementError(m("say where the map's corners are, or some twenty of its mileposts"))
        if is_whole(text):
            return placed_by_corners(corners, sheet, size)
        ours = placed_by_corners(corners, map_sheet(), size)  # of the frame around our map
        shift = np.eye(3)
        shift[:2, 2] = _corner(text)
        return Placement(ours.homography @ shift)
    if unknown := [name for name in told.places if name not in on.numbers]:
        raise PlacementError(m("there is no milepost {name} on this map", name=unknown[0]))
    places = {name: _spots(text)[on.numbers[name]] for name in told.places}
    pixels = told.places
    if told.size is not None:
        if corners is None:
            raise PlacementError(m("say where the corners of the plane are in which mileposts were measured"))
        plane = np.array(rectangle((0.0, 0.0), told.size))
        homography = weighted_homography(plane, np.array(corners, np.float64))
        if homography is None:
            raise PlacementError(m("these corners make no board"))
        seen = Placement(homography).pixels(np.array(list(told.places.values())))
        pixels = dict(zip(told.places, map(tuple, seen.tolist()), strict=True))
    return by_spots(sheet, places, pixels)


def teach_map(name: str, image: Image, corners: Corners | None, text: str) -> TaughtBoard:
    """Teach a map without track from a photograph of it, with the owner's text of what is printed on it."""
    map_text, sheet, placement = placed_map(image, corners, text)
    return teach_placed(name, image, placement, sheet, map_text)


def map_outlines(image: Image, corners: Corners | None, text: str) -> list[Places]:
    """The map's rim and every edge and milepost, in pixels of the photograph that would teach it."""
    _, sheet, placement = placed_map(image, corners, text)
    quads = [sheet.area, *(slot.quad for slot in sheet.slots.values())]
    return list(placement.pixels(np.array(quads)))


# --- reading ---


def load_map(path: Path) -> TaughtBoard:
    """A taught map from its file; another board is refused."""
    taught = load_taught(path)
    if not is_map(taught):
        raise PlacementError(
            m("{name} is no map: teach it with --game empire-builder", name=taught.name or path.stem)
        )
    return taught


def is_map(taught: TaughtBoard) -> bool:
    """Return True if this board was taught as a map."""
    return taught.edition == EDITION and taught.segments is None


def serves(path: Path, edges: Collection[str]) -> bool:
    """Return True if this file is a taught map with exactly these edges."""
    try:
        taught = load_taught(path)
    except PlacementError:
        return False
    return is_map(taught) and set(board(taught.described).edge_names) == set(edges)


def genuine_places(taught: TaughtBoard) -> EdgePlaces:
    """The views and corridors of a taught map."""
    return _places(taught.picture, taught.scale, taught.rim, taught.described)


@lru_cache(maxsize=2)
def _places(picture: str, scale: float, rim: float, text: str) -> EdgePlaces:
    sheet = genuine_sheet(text)
    taught = TaughtBoard("", 1, EDITION, picture, {}, scale, rim)
    on, spots = board(text), _spots(text)
    return places_on(on, sheet, spots, _as_ours(taught_blank(taught, sheet, SCALE), on, spots))


def _as_ours(blank: Image, on: Board, spots: Places) -> Image:
    """A blank with its usual ground as light and of the colour of our land, which the networks know.

    Light that is taken out of photographs is measured against the blank, whatever colour that has.
    """
    x, y = np.rint(map_pixels(spots[np.array(on.edges)].mean(axis=1))).astype(int).T
    ground = np.maximum(np.median(blank[y, x], axis=0), 8.0)
    ours = np.array([int(PRINTED.ink["land"][n : n + 2], 16) for n in (5, 3, 1)]) * _HEADROOM
    return np.asarray(np.clip(np.rint(blank * (ours / ground)), 0, 255), np.uint8)


def maps_of(paths: Sequence[Path]) -> list[tuple[TaughtBoard, Sheet]]:
    """The taught maps of these files, each with its sheet."""
    return [(taught, genuine_sheet(taught.described)) for taught in map(load_map, paths)]
