"""The positions at which every edge of a map is looked at, computed once for all photographs of it.

The map is straightened to :data:`SCALE` pixels a mm. An edge's *view* is its surroundings turned upright, the
edge in the middle from left to right. Before that its *corridor*, few samples along its middle part, says
whether there is anything to look at.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pillow

from companion.games.empire_builder.printing.printed import spot
from companion.games.empire_builder.printing.sheets import map_sheet
from companion.games.empire_builder.rules.boards.board import Board, board
from companion.sheets.printing.png import MM_PER_INCH, picture
from companion.sheets.sheet import Sheet
from vision.pieces.views import cut_out
from vision.register.print_drift import BlankTiles
from vision.register.rectify import Image, Placement, Places, straightened

SCALE = 1.5  # pixels per mm
HEADINGS = np.radians([-30.0, 30.0, 90.0])  # of edges: the lattice has three
VIEW = (40, 24)  # pixels of a view, along the edge and across it
_FINER = 4 / 3  # times as fine is the print painted before it is straightened
CORRIDOR = (7, 9)  # samples along and across
_ALONG, _ACROSS = 4.0, 6.0  # mm from the edge's middle that they reach
_RINGS, _RING_SAMPLES = (1.2, 3.2, 5.3, 7.0), 10  # mm around a milepost, places on each
_AT_ONCE = 500  # views
_TILES_SHRUNK = 1.25


@dataclass(frozen=True, eq=False)
class EdgePlaces:
    """The blank and, for every edge that can be built, its corridor and its view.

    ``edges``: the board's numbers, in the order of all arrays; ``ends``: their mileposts.
    """

    on: Board
    sheet: Sheet
    blank: Image
    tiles: BlankTiles
    spots: Places  # of every milepost, in mm
    posts: Mapping[str, int]  # the mileposts by name
    edges: NDArray[np.int64]
    numbers: Mapping[int, int]  # their places in the arrays, by the board's number
    ends: NDArray[np.int64]  # (n, 2)
    middles: NDArray[np.float32]  # in pixels of the straightened map
    corridor: NDArray[np.float32]  # (n, across, along, 2)
    blank_corridor: tuple[Image, Image, Image]  # the darkest, usual and lightest print there, in shades
    headings: NDArray[np.int64]  # which of :data:`HEADINGS` the edges have
    blank_views: Image  # in shades, (n, height, width)
    shades: Image  # (256, 3): the colours of the print

    @cached_property
    def blank_around_posts(self) -> Image:
        """The print on circles around the mileposts, (mileposts, circles, samples, 3)."""
        return cut_out(self.blank, map_pixels(self.spots)[:, None, None] + ring_pixels())


@lru_cache(maxsize=1)
def edge_places() -> EdgePlaces:
    """The views and corridors of all edges of our printed map."""
    on, sheet = board(), map_sheet()
    fine = SCALE * _FINER
    painted = np.ascontiguousarray(np.asarray(picture(sheet.blank, fine * MM_PER_INCH))[:, :, ::-1])
    blank = map_seen(painted, Placement(np.diag([fine, fine, 1.0])), sheet)
    spots = np.array([spot(on, milepost) for milepost in range(len(on.places))])
    return places_on(on, sheet, spots, blank)


def places_on(on: Board, sheet: Sheet, spots: Places, blank: Image) -> EdgePlaces:
    """The views and corridors of a map: its mileposts in mm, and the whole of it empty, straightened."""
    edges = np.array([edge for edge in range(len(on.edges)) if not on.red[edge]])
    ends = np.array(on.edges)[edges]
    one, other = spots[ends[:, 0]], spots[ends[:, 1]]
    # The 256 colours that approximate the print best (median cut), for which tones are computed
    small = Pillow.fromarray(blank).quantize(256, Pillow.Quantize.MEDIANCUT)
    shades = np.zeros((256, 3), np.uint8)
    found = np.asarray(small.getpalette(), np.uint8).reshape(-1, 3)
    shades[: len(found)] = found
    along, across = np.linspace(-_ALONG, _ALONG, CORRIDOR[0]), np.linspace(-_ACROSS, _ACROSS, CORRIDOR[1])
    corridor = map_pixels(_grids(one, other, along, across))
    middles = map_pixels((one + other) / 2)
    # The nearest of the lattice's three headings
    headings = np.asarray(
        np.abs((other - one) @ np.stack([np.cos(HEADINGS), np.sin(HEADINGS)])).argmax(axis=1), np.int64
    )
    # The views of the blank as indices of shades, computed in batches because their maps are large
    parts = [slice(first, first + _AT_ONCE) for first in range(0, len(middles), _AT_ONCE)]
    views = (cut_out(blank, view_pixels(middles[part], headings[part])) for part in parts)
    return EdgePlaces(
        on=on,
        sheet=sheet,
        blank=blank,
        tiles=BlankTiles.of(blank, _TILES_SHRUNK),
        spots=spots,
        posts={name: number for number, name in enumerate(on.names)},
        edges=edges,
        numbers={int(edge): n for n, edge in enumerate(edges)},
        ends=ends,
        middles=middles,
        corridor=corridor,
        blank_corridor=(
            _shaded(cut_out(_darkest(blank), corridor), shades),
            _shaded(cut_out(softened(blank), corridor), shades),
            _shaded(cut_out(_lightest(blank), corridor), shades),
        ),
        headings=headings,
        blank_views=np.concatenate([_shaded(view, shades) for view in views]),
        shades=shades,
    )


@lru_cache(maxsize=1)
def _around() -> NDArray[np.float32]:
    """The pixels of a view around the centre of its edge, for each heading, (3, height, width, 2)."""
    x, y = (np.arange(length) - (length - 1) / 2 for length in VIEW)
    along = np.stack([np.cos(HEADINGS), np.sin(HEADINGS)], axis=1)[:, None, None]
    aside = np.stack([-np.sin(HEADINGS), np.cos(HEADINGS)], axis=1)[:, None, None]
    return np.asarray(along * x[None, None, :, None] + aside * y[None, :, None, None], np.float32)


def view_pixels(middles: NDArray[np.float32], headings: NDArray[np.int64]) -> NDArray[np.float32]:
    """The sampling map of the views in the straightened map, (n, height, width, 2), at its own scale."""
    places: NDArray[np.float32] = _around()[headings]
    places += middles[:, None, None]
    return places


@lru_cache(maxsize=1)
def ring_pixels() -> NDArray[np.float32]:
    """Samples on circles around a milepost, (circles, samples, 2)."""
    turn = np.linspace(0, 2 * np.pi, _RING_SAMPLES, endpoint=False)
    ring = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    return np.asarray(np.stack([radius * SCALE * ring for radius in _RINGS]), np.float32)


def map_seen(image: Image, placement: Placement, sheet: Sheet) -> Image:
    """The whole map in a photograph as seen from straight above."""
    return straightened(image, placement, sheet, SCALE, 0, sheet.outline)


def _darkest(blank: Image) -> Image:
    return np.asarray(cv2.erode(blank, np.ones((3, 3), np.uint8)), np.uint8)


def _lightest(blank: Image) -> Image:
    return np.asarray(cv2.dilate(blank, np.ones((3, 3), np.uint8)), np.uint8)


def softened(image: Image) -> Image:
    """Denoise a picture for the first pass over all edges."""
    return np.asarray(cv2.blur(image, (3, 3)), np.uint8)


def map_pixels(places: Places) -> NDArray[np.float32]:
    """Convert places in mm to pixels of the straightened map in OpenCV's convention."""
    return np.ascontiguousarray(places * SCALE - 0.5, np.float32)


def _shaded(views: Image, shades: Image) -> Image:
    """Views as indices of shades."""
    palette = Pillow.new("P", (1, 1))
    palette.putpalette(shades.ravel().tolist())
    flat = Pillow.fromarray(views.reshape(-1, views.shape[-2], 3))
    numbers = flat.quantize(palette=palette, dither=Pillow.Dither.NONE)
    return np.asarray(numbers, np.uint8).reshape(views.shape[:-1])


def _grids(one: Places, other: Places, along: NDArray[np.float64], across: NDArray[np.float64]) -> Places:
    """Sampling grids around the centre of every edge, (n, across, along, 2)."""
    way = (other - one) / np.hypot(*(other - one).T)[:, None]
    aside = np.stack([-way[:, 1], way[:, 0]], axis=1)
    middles = ((one + other) / 2)[:, None, None]
    along_way = way[:, None, None] * along[None, None, :, None]
    places: Places = middles + along_way + aside[:, None, None] * across[None, :, None, None]
    return places
