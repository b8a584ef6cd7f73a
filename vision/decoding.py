"""Decodes pictures to pixels: limited in size, no finer than needed, upright, in colour."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import Literal, TypeAlias

import cv2
import numpy as np
from PIL.BmpImagePlugin import BmpImageFile
from PIL.GifImagePlugin import GifImageFile
from PIL.Image import DecompressionBombError
from PIL.ImageFile import ImageFile
from PIL.JpegImagePlugin import JpegImageFile
from PIL.PngImagePlugin import PngImageFile
from PIL.WebPImagePlugin import WebPImageFile

from companion.core.messages import m
from vision.errors import PictureError
from vision.register.rectify import Image

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

Kind: TypeAlias = Literal["JPEG", "PNG", "WebP", "BMP", "GIF", "HEIC"]
_READERS: tuple[tuple[bytes, Kind, type[ImageFile]], ...] = (
    (b"\xff\xd8", "JPEG", JpegImageFile),
    (b"\x89PNG\r\n\x1a\n", "PNG", PngImageFile),
    (b"RIFF", "WebP", WebPImageFile),
    (b"BM", "BMP", BmpImageFile),
    (b"GIF8", "GIF", GifImageFile),
)
_HEIC_BRANDS = frozenset({b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"})
_MOST_PIXELS_OF: dict[Kind, int] = {"JPEG": MOST_PIXELS, "HEIC": MOST_PIXELS // 2}
_END_OF_IMAGE = b"\xff\xd9"
# What Pillow's readers raise when bytes are not what they seem.
_DAMAGED = (OSError, SyntaxError, ValueError, RuntimeError, EOFError, ArithmeticError)


@dataclass(frozen=True)
class Picture:
    """A decoded picture in BGR order, ``reduction`` times smaller than the photograph."""

    image: Image
    reduction: Reduction
    whole: tuple[int, int]  # width and height of the photograph

    @property
    def enlarging(self) -> tuple[float, float]:
        """The factors from this picture to the photograph, across and down."""
        return self.whole[0] / self.size[0], self.whole[1] / self.size[1]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.image.shape[1], self.image.shape[0]


@dataclass(frozen=True)
class Header:
    """The format and size in a picture's header; the size as stored, before any rotation."""

    kind: Kind
    size: tuple[int, int]


def decodings(data: bytes) -> Iterator[Picture]:
    """Decode a picture from coarse to fine, each step only on demand; raises PictureError if it is none."""
    header = checked_header(data)
    pixels = header.size[0] * header.size[1]
    if header.kind not in _MOST_PIXELS_OF:
        yield from _coarse_and_whole(decoded(data, 1))
        return
    steps = REDUCTIONS[REDUCTIONS.index(_first_step(pixels)) :]
    steps = tuple(step for step in steps if pixels / step**2 <= _FINEST)
    if header.kind == "JPEG":  # decoded smaller in less time
        yield from (decoded(data, step, header.size) for step in steps)
        return
    whole = decoded(data, 1)
    yield from (Picture(_reduced(whole.image, step), step, whole.whole) for step in steps)


def pyramid(image: Image) -> Iterator[Picture]:
    """Yield an already decoded picture, reduced first and then in full."""
    if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8:
        raise PictureError(m("a picture must have three colours of 8 bits: convert it first"))
    _check_size((image.shape[1], image.shape[0]), MOST_PIXELS)
    yield from _coarse_and_whole(Picture(image, 1, (image.shape[1], image.shape[0])))


def _coarse_and_whole(whole: Picture) -> Iterator[Picture]:
    pixels = whole.size[0] * whole.size[1]
    step = _first_step(pixels)
    if step > 1:
        yield Picture(_reduced(whole.image, step), step, whole.whole)
    yield whole


def _first_step(pixels: int) -> Reduction:
    for step in REDUCTIONS:
        if pixels / step**2 >= _COARSEST:
            return step
    return 1


def decoded(data: bytes, reduction: Reduction, stored: tuple[int, int] | None = None) -> Picture:
    """Decode a picture ``reduction`` times smaller and upright by its EXIF orientation."""
    kind, reader = _reader(data)
    image: np.ndarray | None
    try:
        if kind == "HEIC":
            image = _reduced(_by_pillow(reader, data), reduction)
        else:
            image = cv2.imdecode(np.frombuffer(data, np.uint8), _FLAGS[reduction])
    except (cv2.error, *_DAMAGED) as error:
        raise PictureError(m("the picture is damaged: take or send it again")) from error
    if image is None or image.size == 0:
        raise PictureError(m("the picture is damaged: take or send it again"))
    width, height = stored or (image.shape[1] * reduction, image.shape[0] * reduction)
    turned = (width > height) != (image.shape[1] > image.shape[0])
    return Picture(np.asarray(image, np.uint8), reduction, (height, width) if turned else (width, height))


def _by_pillow(reader: type[ImageFile], data: bytes) -> Image:
    with reader(BytesIO(data)) as picture:
        in_colour = picture if picture.mode == "RGB" else picture.convert("RGB")
        return np.asarray(cv2.cvtColor(np.asarray(in_colour), cv2.COLOR_RGB2BGR), np.uint8)


def _reduced(image: Image, step: int) -> Image:
    if step == 1:
        return image
    size = (max(1, image.shape[1] // step), max(1, image.shape[0] // step))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)


# --- the header, before anything is decoded ---


def checked_header(data: bytes) -> Header:
    """The header of a picture, checked against the limits on format and size."""
    if len(data) > MOST_BYTES:
        raise PictureError(
            m(
                "{data} bytes are too many for a picture: send at most {most_bytes}",
                data=len(data),
                most_bytes=MOST_BYTES,
            )
        )
    # The format by the magic bytes, the size by Pillow's header parser, without decoding any pixels
    kind, reader = _reader(data)
    file = BytesIO(data)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about EXIF entries that nobody asked for
            with reader(file) as picture:
                size, end = picture.size, file.tell()
    except DecompressionBombError as error:
        most = _most_pixels(kind) // 1_000_000
        raise PictureError(
            m("the picture has too many pixels: send at most {most} megapixels", most=most)
        ) from error
    except _DAMAGED as error:
        raise PictureError(m("the picture is damaged in its first bytes: take or send it again")) from error
    if kind == "JPEG" and data.rfind(_END_OF_IMAGE) < end:
        # What is missing would come out grey, as if nothing were there.
        raise PictureError(m("the picture is cut short: take or send it again"))
    header = Header(kind, size)
    _check_size(header.size, _most_pixels(header.kind))
    return header


def _most_pixels(kind: Kind) -> int:
    return _MOST_PIXELS_OF.get(kind, MOST_WHOLE_PIXELS)


def _check_size(size: tuple[int, int], most: int) -> None:
    width, height = size
    if max(size) > LONGEST_SIDE or width * height > most:
        raise PictureError(
            m(
                "{width} x {height} pixels are too many: send at most {most} megapixels",
                width=width,
                height=height,
                most=most // 1000000,
            )
        )
    if min(size) < SHORTEST_SIDE:
        raise PictureError(
            m("{width} x {height} pixels are too few to show a board", width=width, height=height)
        )


def _reader(data: bytes) -> tuple[Kind, type[ImageFile]]:
    for start, kind, reader in _READERS:
        if data.startswith(start):
            return kind, reader
    if data[4:8] == b"ftyp" and data[8:12] in _HEIC_BRANDS:
        return "HEIC", _heic_reader()
    if data[4:12] == b"ftypavif":
        raise PictureError(m("this is an AVIF picture: send it as JPEG"))
    raise PictureError(m("this picture cannot be read: send a JPEG, HEIC, PNG or WebP"))


def _heic_reader() -> type[ImageFile]:
    """The HEIC decoder, which is available on some machines only."""
    try:
        from pi_heif import HeifImageFile
    except ImportError as error:
        message = m("this is an HEIC picture, and this box cannot read them (pi-heif): set the phone to JPEG")
        raise PictureError(message) from error
    reader: type[ImageFile] = HeifImageFile
    return reader
