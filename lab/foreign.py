"""Pictures as they should not be: damaged, foreign, turned, without a board. For tests and the bench."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pillow

from vision.decoding import decoded
from vision.register.rectify import Image

Rng = np.random.Generator
Maker = Callable[[Rng, bytes], bytes]


def foreign_picture(number: int, photos: Sequence[bytes]) -> tuple[str, bytes]:
    """A name of what was done, and the bytes, by number; ``photos`` are good photographs to start from."""
    rng = np.random.default_rng([number, 404])
    names = list(MAKERS)
    name = names[number % len(names)]
    return name, MAKERS[name](rng, photos[int(rng.integers(len(photos)))])


def _jpeg(image: NDArray[np.uint8], quality: int = 85) -> bytes:
    return bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1])


def _pixels(photo: bytes) -> Image:
    return decoded(photo, 2).image


def _pillow(photo: bytes) -> Pillow.Image:
    return Pillow.fromarray(np.ascontiguousarray(_pixels(photo)[:, :, ::-1]))


def _saved(picture: Pillow.Image, kind: str, **options: object) -> bytes:
    out = io.BytesIO()
    picture.save(out, kind, **options)
    return out.getvalue()


# --- bytes ---


def _noise(rng: Rng, _: bytes) -> bytes:
    return rng.bytes(int(rng.integers(0, 3000)))


def _text(rng: Rng, _: bytes) -> bytes:
    return b"{'cells': {}} " * int(rng.integers(0, 200))


def _truncated(rng: Rng, photo: bytes) -> bytes:
    return photo[: int(rng.integers(0, len(photo)))]


def _flipped_bytes(rng: Rng, photo: bytes) -> bytes:
    data = bytearray(photo)
    for place in rng.integers(0, len(data), int(rng.integers(1, 40))):
        data[place] = int(rng.integers(256))
    return bytes(data)


def _damaged_header(rng: Rng, photo: bytes) -> bytes:
    data = bytearray(photo)
    for place in rng.integers(2, 700, int(rng.integers(1, 6))):
        data[place] = int(rng.integers(256))
    return bytes(data)


def _cut_and_glued(rng: Rng, photo: bytes) -> bytes:
    first, last = np.sort(rng.integers(0, len(photo), 2))
    return photo[:first] + photo[last:]


def _metadata(rng: Rng, photo: bytes) -> bytes:
    """Segments of anything before the picture itself."""
    segments = b""
    for _ in range(int(rng.integers(1, 60))):
        length = int(rng.integers(2, 65535))
        segments += b"\xff" + bytes([int(rng.integers(0xE1, 0xEF))]) + struct.pack(">H", length)
        segments += b"\x00" * (length - 2)
    return photo[:2] + segments + photo[2:]


def _bomb(rng: Rng, _: bytes) -> bytes:
    """A PNG of a few bytes that claims to be huge."""
    width, height = (int(side) for side in rng.integers(15_000, 60_000, 2))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    body = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\x00" * 5000)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


def _jpeg_bomb(rng: Rng, photo: bytes) -> bytes:
    """A small JPEG whose frame claims 30,000 pixels a side."""
    data, place = bytearray(photo), photo.find(b"\xff\xc0")
    if place >= 0:
        data[place + 5 : place + 9] = struct.pack(">HH", 30_000, int(rng.integers(20_000, 65_000)))
    return bytes(data)


# --- other formats, colours, sizes ---


def _one_pixel(rng: Rng, _: bytes) -> bytes:
    size = int(rng.integers(1, 60)), int(rng.integers(1, 60))
    return _jpeg(rng.integers(0, 255, (*size, 3), dtype=np.uint8))


def _cmyk(_: Rng, photo: bytes) -> bytes:
    return _saved(_pillow(photo).convert("CMYK"), "JPEG")


def _grey(_: Rng, photo: bytes) -> bytes:
    return _saved(_pillow(photo).convert("L"), "JPEG")


def _see_through(_: Rng, photo: bytes) -> bytes:
    picture = _pillow(photo).resize((640, 480)).convert("RGBA")
    return _saved(picture, "PNG", compress_level=1)


def _deep(rng: Rng, _: bytes) -> bytes:
    values = rng.integers(0, 65535, (120, 160)).astype(np.uint16)
    return bytes(cv2.imencode(".png", values)[1])


def _webp(_: Rng, photo: bytes) -> bytes:
    return _saved(_pillow(photo), "WEBP", quality=70)


def _animated(rng: Rng, photo: bytes) -> bytes:
    frames = [_pillow(photo).resize((320, 240)).convert("P") for _ in range(int(rng.integers(2, 5)))]
    return _saved(frames[0], "GIF", save_all=True, append_images=frames[1:])


def _turned_by_exif(rng: Rng, photo: bytes) -> bytes:
    exif = Pillow.Exif()
    exif[0x0112] = int(rng.integers(0, 12))
    return _saved(_pillow(photo), "JPEG", exif=exif.tobytes())


# --- pictures of something else ---


def _without_board(rng: Rng, _: bytes) -> bytes:
    small = rng.integers(0, 255, (int(rng.integers(2, 40)), int(rng.integers(2, 40)), 3), dtype=np.uint8)
    how = cv2.INTER_NEAREST if rng.random() < 0.5 else cv2.INTER_CUBIC
    return _jpeg(np.asarray(cv2.resize(small, (800, 600), interpolation=how), np.uint8))


def _plain(rng: Rng, _: bytes) -> bytes:
    return _jpeg(np.full((480, 640, 3), int(rng.integers(256)), np.uint8))


def _grid_without_tags(rng: Rng, _: bytes) -> bytes:
    image = np.full((700, 700, 3), 235, np.uint8)
    for line in range(50, 701, int(rng.integers(60, 100))):
        cv2.line(image, (line, 50), (line, 650), (90, 90, 90), 2)
        cv2.line(image, (50, line), (650, line), (90, 90, 90), 2)
    return _jpeg(image)


def _other_tags(rng: Rng, _: bytes) -> bytes:
    """Tags that no sheet of ours carries, laid out as ours are."""
    family = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36H11)
    image = np.full((900, 640, 3), 240, np.uint8)
    for place, number in zip(
        ((30, 30), (540, 30), (540, 800), (30, 800)), rng.integers(250, 580, 4), strict=True
    ):
        tag = cv2.aruco.generateImageMarker(family, int(number), 70)
        image[place[1] : place[1] + 70, place[0] : place[0] + 70] = tag[..., None]
    return _jpeg(image)


def _scattered_tags(rng: Rng, _: bytes) -> bytes:
    """Tags of ours, but anywhere and turned anyhow: no sheet carries them so."""
    family = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36H11)
    image = np.full((900, 900, 3), 240, np.uint8)
    for number in range(int(rng.integers(1, 5))):
        left, top = (int(place) for place in rng.integers(10, 780, 2))
        tag = np.rot90(cv2.aruco.generateImageMarker(family, number, 90), int(rng.integers(4)))
        image[top : top + 90, left : left + 90] = tag[..., None]
    return _jpeg(image)


# --- the board, but not so ---


def _half(rng: Rng, photo: bytes) -> bytes:
    image = _pixels(photo)
    height, width = image.shape[:2]
    cut = float(rng.uniform(0.3, 0.6))
    sides = (
        image[: int(height * cut)],
        image[int(height * cut) :],
        image[:, : int(width * cut)],
        image[:, int(width * cut) :],
    )
    return _jpeg(np.ascontiguousarray(sides[int(rng.integers(4))]))


def _mirrored(_: Rng, photo: bytes) -> bytes:
    return _jpeg(np.ascontiguousarray(_pixels(photo)[:, ::-1]))


def _twice(_: Rng, photo: bytes) -> bytes:
    image = _pixels(photo)
    return _jpeg(np.concatenate([image, image], axis=1))


def _drowned(rng: Rng, photo: bytes) -> bytes:
    """Far too dark, far too bright, or a fog."""
    image = _pixels(photo).astype(np.float32)
    gain, veil = ((0.03, 0), (6.0, 0), (0.08, 210))[int(rng.integers(3))]
    return _jpeg(np.clip(image * gain + veil + rng.normal(0, 4, image.shape), 0, 255).astype(np.uint8))


def _smeared(rng: Rng, photo: bytes) -> bytes:
    return _jpeg(np.asarray(cv2.GaussianBlur(_pixels(photo), (0, 0), float(rng.uniform(4, 25))), np.uint8))


def _tiny(rng: Rng, photo: bytes) -> bytes:
    image = _pixels(photo)
    share = float(rng.uniform(0.05, 0.2))
    small = cv2.resize(image, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    return _jpeg(np.asarray(small, np.uint8))


def _scribbled_over(rng: Rng, photo: bytes) -> bytes:
    image = np.ascontiguousarray(_pixels(photo))
    for _ in range(int(rng.integers(1, 30))):
        ends = rng.integers(0, max(image.shape[:2]), 4).tolist()
        colour = rng.integers(0, 255, 3).tolist()
        cv2.line(image, (ends[0], ends[1]), (ends[2], ends[3]), colour, int(rng.integers(1, 60)))
    return _jpeg(image)


MAKERS: dict[str, Maker] = {
    "noise": _noise,
    "text": _text,
    "truncated": _truncated,
    "flipped bytes": _flipped_bytes,
    "damaged header": _damaged_header,
    "cut and glued": _cut_and_glued,
    "much metadata": _metadata,
    "bomb": _bomb,
    "JPEG bomb": _jpeg_bomb,
    "few pixels": _one_pixel,
    "CMYK": _cmyk,
    "grey": _grey,
    "see-through": _see_through,
    "16 bits": _deep,
    "WebP": _webp,
    "animated": _animated,
    "turned by EXIF": _turned_by_exif,
    "without a board": _without_board,
    "plain": _plain,
    "a grid without tags": _grid_without_tags,
    "other tags": _other_tags,
    "scattered tags": _scattered_tags,
    "half a board": _half,
    "mirrored": _mirrored,
    "twice the same": _twice,
    "drowned": _drowned,
    "smeared": _smeared,
    "tiny": _tiny,
    "scribbled over": _scribbled_over,
}

# In these nothing may be found, whatever else happens.
BOARDLESS = frozenset(
    {"noise", "text", "bomb", "JPEG bomb", "few pixels", "16 bits", "without a board", "plain",
     "a grid without tags", "other tags", "scattered tags", "mirrored"}
)  # fmt: skip
