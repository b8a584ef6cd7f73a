"""Bytes to pixels: no bigger than allowed, no finer than needed, upright, in colour."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from struct import error as struct_error
from struct import unpack_from
from typing import Literal, TypeAlias

import cv2
import numpy as np

from vision.errors import PictureError
from vision.rectify import Image

MOST_BYTES = 60_000_000
MOST_PIXELS = 64_000_000  # of a JPEG, which can be decoded smaller; of anything else a quarter
MOST_WHOLE_PIXELS = MOST_PIXELS // 4
LONGEST_SIDE, SHORTEST_SIDE = 20_000, 48
_FINEST = 16e6  # pixels: more show nothing more, and cost memory
_COARSEST = 1.5e6  # pixels that suffice for most pictures; decoding fewer saves next to no time

Reduction: TypeAlias = Literal[1, 2, 4, 8]
REDUCTIONS: tuple[Reduction, ...] = (8, 4, 2, 1)
_FLAGS: dict[Reduction, int] = {
    1: cv2.IMREAD_COLOR,
    2: cv2.IMREAD_REDUCED_COLOR_2,
    4: cv2.IMREAD_REDUCED_COLOR_4,
    8: cv2.IMREAD_REDUCED_COLOR_8,
}
_END_OF_IMAGE = b"\xff\xd9"
_ALONE = frozenset({0x01, *range(0xD0, 0xD9)})  # markers without a length
_START_OF_FRAME = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})


@dataclass(frozen=True)
class Picture:
    """A decoded picture, blue first, ``reduction`` times smaller than the photograph."""

    image: Image
    reduction: Reduction
    whole: tuple[int, int]  # width and height of the photograph

    @property
    def enlarging(self) -> tuple[float, float]:
        """How many times bigger the photograph is, across and down."""
        return self.whole[0] / self.size[0], self.whole[1] / self.size[1]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.image.shape[1], self.image.shape[0]


@dataclass(frozen=True)
class Header:
    """What the first bytes say; the size as stored, before anything is turned upright."""

    kind: Literal["JPEG", "PNG", "WebP", "BMP", "GIF"]
    size: tuple[int, int]


def decodings(data: bytes) -> Iterator[Picture]:
    """The picture from coarse to fine, each decoded only when asked for; refuses what is no picture."""
    header = checked_header(data)
    pixels = header.size[0] * header.size[1]
    if header.kind != "JPEG":
        yield from _coarse_and_whole(decoded(data, 1))
        return
    steps = REDUCTIONS[REDUCTIONS.index(_first_step(pixels)) :]
    for step in [step for step in steps if pixels / step**2 <= _FINEST]:
        yield decoded(data, step, header.size)


def pyramid(image: Image) -> Iterator[Picture]:
    """The same from pixels: the picture reduced, then the picture itself."""
    if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8:
        raise PictureError("a picture must have three colours of 8 bits: convert it first")
    _check_size((image.shape[1], image.shape[0]), MOST_PIXELS)
    yield from _coarse_and_whole(Picture(image, 1, (image.shape[1], image.shape[0])))


def _coarse_and_whole(whole: Picture) -> Iterator[Picture]:
    pixels = whole.size[0] * whole.size[1]
    step = _first_step(pixels)
    if step > 1:
        size = (max(1, whole.size[0] // step), max(1, whole.size[1] // step))
        small = np.asarray(cv2.resize(whole.image, size, interpolation=cv2.INTER_AREA), np.uint8)
        yield Picture(small, step, whole.whole)
    yield whole


def _first_step(pixels: int) -> Reduction:
    for step in REDUCTIONS:
        if pixels / step**2 >= _COARSEST:
            return step
    return 1


def decoded(data: bytes, reduction: Reduction, stored: tuple[int, int] | None = None) -> Picture:
    """The picture so many times smaller, upright as its EXIF says; ``stored`` is its size before that."""
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), _FLAGS[reduction])
    except cv2.error as error:
        raise PictureError("the picture is damaged: take or send it again") from error
    if image is None or image.size == 0:
        raise PictureError("the picture is damaged: take or send it again")
    width, height = stored or (image.shape[1] * reduction, image.shape[0] * reduction)
    turned = (width > height) != (image.shape[1] > image.shape[0])
    return Picture(np.asarray(image, np.uint8), reduction, (height, width) if turned else (width, height))


# --- the header, before anything is decoded ---


def checked_header(data: bytes) -> Header:
    """What the picture says of itself, if that can be read and is allowed."""
    if len(data) > MOST_BYTES:
        raise PictureError(f"{len(data)} bytes are too many for a picture: send at most {MOST_BYTES}")
    try:
        header = _header(data)
    except (struct_error, IndexError) as error:
        raise PictureError("the picture ends in its first bytes: take or send it again") from error
    _check_size(header.size, MOST_PIXELS if header.kind == "JPEG" else MOST_WHOLE_PIXELS)
    return header


def _check_size(size: tuple[int, int], most: int) -> None:
    width, height = size
    if max(size) > LONGEST_SIDE or width * height > most:
        raise PictureError(
            f"{width} x {height} pixels are too many: send at most {most // 1_000_000} megapixels"
        )
    if min(size) < SHORTEST_SIDE:
        raise PictureError(f"{width} x {height} pixels are too few to show a board")


def _header(data: bytes) -> Header:
    if data[:2] == b"\xff\xd8":
        return Header("JPEG", _jpeg_size(data))
    if data[:8] == b"\x89PNG\r\n\x1a\n":
        return Header("PNG", unpack_from(">II", data, 16))
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return Header("WebP", _webp_size(data))
    if data[:2] == b"BM":
        width, height = unpack_from("<ii", data, 18)
        return Header("BMP", (width, abs(height)))
    if data[:4] == b"GIF8":
        return Header("GIF", unpack_from("<HH", data, 6))
    if data[4:12] in {b"ftypheic", b"ftypheix", b"ftypmif1", b"ftypavif"}:
        raise PictureError("this is an HEIC or AVIF picture: set the phone to JPEG, or send it as JPEG")
    raise PictureError("this is no picture that can be read: send a JPEG, PNG or WebP")


def _jpeg_size(data: bytes) -> tuple[int, int]:
    """From the first frame header; segments before it, such as EXIF, are stepped over."""
    place = 2
    while True:
        if data[place] != 0xFF:
            raise PictureError("the picture is damaged: take or send it again")
        marker = data[place + 1]
        if marker in _START_OF_FRAME:
            height, width = unpack_from(">HH", data, place + 5)
            if (
                data.rfind(_END_OF_IMAGE) < place
            ):  # what is missing would come out grey, as if nothing were there
                raise PictureError("the picture is cut short: take or send it again")
            return width, height
        if marker == 0xFF:  # padding
            place += 1
        elif marker in _ALONE:
            place += 2
        else:
            place += 2 + unpack_from(">H", data, place + 2)[0]


def _webp_size(data: bytes) -> tuple[int, int]:
    match data[12:16]:
        case b"VP8X":
            width, height = (int.from_bytes(data[place : place + 3], "little") + 1 for place in (24, 27))
            return width, height
        case b"VP8L":
            bits = unpack_from("<I", data, 21)[0]
            return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        case _:
            width, height = unpack_from("<HH", data, 26)
            return width & 0x3FFF, height & 0x3FFF
