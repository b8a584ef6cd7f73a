"""What was read, drawn on the photograph or on the board seen from above.

A track has a bar in the colour of its piece with a rim; a doubtful one a magenta frame, one that could not be
seen a grey cross, a new one a green frame. Pawns are rings, chips and cards have their names.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.messages import m
from companion.games.contract import Plain
from companion.games.kit.drawing import Quad
from companion.games.kit.sheet import Sheet
from companion.games.sight import LaidSlot, Overlay
from companion.games.spike.eye.readings import BoardReading, colour_code
from companion.games.spike.eye.verdict import seats_of
from companion.games.spike.paper.sheets import board_sheet
from companion.games.spike.rules.board import SHIPPED
from vision.rectify import Image, Places

_MAGENTA, _GREEN, _GREY, _RED = (200, 0, 230), (60, 170, 0), (110, 110, 110), (40, 40, 210)
_WHITE, _BLACK = (255, 255, 255), (20, 20, 20)
_LARGEST = 2600  # pixels of the longer side of what is written
_ABOVE = 3.2  # pixels per mm of the board seen from above

ToPixels = Callable[[Places], Places]
Colour = tuple[int, int, int]


@dataclass(frozen=True)
class MarkedBoard:
    """A board of the photograph and what to draw on it; marks are colours' names."""

    sheet: BoardReading
    marks: Mapping[str, str]
    doubtful: Collection[str] = ()
    changed: Collection[str] = ()
    bad: bool = False  # against the rules


def overlaid(photo: Image, boards: Iterable[MarkedBoard]) -> Image:
    """The photograph, smaller if it is big, with everything drawn on it."""
    share = min(1.0, _LARGEST / max(photo.shape[:2]))
    size = (round(photo.shape[1] * share), round(photo.shape[0] * share))
    image = np.array(cv2.resize(photo, size, interpolation=cv2.INTER_AREA), np.uint8)
    for board in boards:
        outline = np.array(_sheet(board.sheet).outline, np.float32)
        corners = (np.array(board.sheet.corners_px) * share).astype(np.float32)
        to_photo = cv2.getPerspectiveTransform(outline, corners)
        draw_board(image, board, _through(np.asarray(to_photo, np.float64)))
        frame = _RED if board.bad else _GREEN
        cv2.polylines(image, [np.rint(corners).astype(np.int32)], True, frame, 3, cv2.LINE_AA)
    return image


def _through(homography: NDArray[np.float64]) -> ToPixels:
    def pixels(places: Places) -> Places:
        flat = np.asarray(places, np.float64).reshape(-1, 1, 2)
        return np.asarray(cv2.perspectiveTransform(flat, homography), np.float64).reshape(-1, 2)

    return pixels


def board_above(image: Image, sheet: BoardReading) -> Image:
    """The board seen from straight above."""
    width, height = _sheet(sheet).size
    size = (round(width * _ABOVE), round(height * _ABOVE))
    square = np.array([(0, 0), (size[0], 0), size, (0, size[1])], np.float32)
    straight = cv2.getPerspectiveTransform(np.array(sheet.corners_px, np.float32), square)
    return np.asarray(cv2.warpPerspective(image, straight, size), np.uint8)


def laid_over(sheet: BoardReading, ruling: Plain) -> Overlay:
    """What a page draws on that picture: tracks that are new, in doubt or gone."""
    new = "wrong" if ruling.get("outcome") == "refused" else "new"
    looks = dict.fromkeys(ruling.get("doubtful", ()), "") | dict.fromkeys(ruling.get("changed", ()), new)
    looks |= dict.fromkeys(ruling.get("gone", ()), "gone")
    tracks = _sheet(sheet).slots
    slots = {
        name: LaidSlot(_middle_line(tracks[name].quad), look)
        for name, look in looks.items()
        if name in tracks
    }
    slots |= {
        name: LaidSlot(
            (), "", m("the {partition} pieces", partition=name.partition(":")[2])
        )  # whose colour it is
        for name in looks
        if name not in tracks
    }
    asked = {mark or "" for options in ruling.get("questions", {}).values() for mark, _ in options}
    marks = {*asked, *(ruling.get("cells", {}).get(name, "") for name in looks)}
    return Overlay(slots, {mark: tuple(seats_of(mark)) for mark in marks if mark and _is_seats(mark)})


def _is_seats(mark: str) -> bool:
    return all(part.isdecimal() for part in mark.split("+"))


def _middle_line(quad: Quad) -> tuple[tuple[float, float], ...]:
    """Along a track, in pixels of the board seen from above."""
    places = np.array(quad) * _ABOVE
    one, other = (places[[0, 3]].mean(axis=0), places[[1, 2]].mean(axis=0))
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in (one, other))


def drawn_above(above: Image, board: MarkedBoard) -> Image:
    """That picture with everything drawn on it."""
    image = above.copy()
    draw_board(image, board, lambda places: np.asarray(places, np.float64).reshape(-1, 2) * _ABOVE)
    return image


def draw_board(image: Image, board: MarkedBoard, pixels: ToPixels) -> None:
    """Everything that is marked, doubtful, new or unseen."""
    sheet = _sheet(board.sheet)
    for name, slot in sheet.slots.items():
        quad = pixels(np.array(slot.quad))
        mark = board.marks.get(name, "")
        if mark and slot.kind == "track":
            _bars(image, quad, [_colour(board.sheet, part) for part in mark.split("+")])
        elif mark and slot.kind in ("city", "space"):
            middle, radius = quad.mean(axis=0), float(np.hypot(*(quad[1] - quad[0]))) * 0.42
            at = (int(middle[0]), int(middle[1]))
            cv2.circle(image, at, int(radius), _WHITE, 6, cv2.LINE_AA)
            cv2.circle(image, at, int(radius), _colour(board.sheet, mark.split("+")[0]), 3, cv2.LINE_AA)
        elif mark:
            _words(image, quad, mark)
        if name in board.doubtful:
            _frame(image, quad, _MAGENTA)
        elif name in board.changed:
            _frame(image, quad, _GREEN)
        if slot.kind == "track" and board.sheet.slots[name].cannot_see is not None:
            _cross(image, quad)


def _sheet(sheet: BoardReading) -> Sheet:
    return board_sheet(sheet.board or SHIPPED[0])


def _colour(sheet: BoardReading, name: str) -> Colour:
    colour = sheet.palette.colours.get(name)
    if colour is None:
        return _GREY
    code = colour_code(colour)
    return int(code[5:7], 16), int(code[3:5], 16), int(code[1:3], 16)


def _bars(image: Image, quad: Places, colours: list[Colour]) -> None:
    ends = quad[[0, 3]].mean(axis=0), quad[[1, 2]].mean(axis=0)
    steps = np.linspace(0.12, 0.88, len(colours) + 1)
    thick = max(2, round(float(np.hypot(*(quad[3] - quad[0]))) * 0.42))
    for n, colour in enumerate(colours):
        a, b = (ends[0] + (ends[1] - ends[0]) * share for share in (steps[n], steps[n + 1]))
        for ink, width in ((_BLACK, thick + 4), (_WHITE, thick + 2), (colour, thick)):
            cv2.line(image, (int(a[0]), int(a[1])), (int(b[0]), int(b[1])), ink, width, cv2.LINE_AA)


def _frame(image: Image, quad: Places, colour: Colour) -> None:
    middle = quad.mean(axis=0)
    outline = np.rint(middle + (quad - middle) * 1.25).astype(np.int32)
    cv2.polylines(image, [outline], True, colour, 3, cv2.LINE_AA)


def _cross(image: Image, quad: Places) -> None:
    for one, other in ((0, 2), (1, 3)):
        a, b = quad[one], quad[other]
        cv2.line(image, (int(a[0]), int(a[1])), (int(b[0]), int(b[1])), _GREY, 2, cv2.LINE_AA)


def _words(image: Image, quad: Places, words: str) -> None:
    x, y = quad.mean(axis=0) - [4 * len(words), -4]
    for ink, width in ((_WHITE, 4), (_BLACK, 1)):
        cv2.putText(image, words, (int(x), int(y)), cv2.FONT_HERSHEY_SIMPLEX, 0.45, ink, width, cv2.LINE_AA)
