"""Pictures in the reader's process: decoded once; cleaning, reading and cutting out share the pixels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.core.messages import m
from companion.game.registry import find_studio
from companion.service.photos.camera_process import DistantCamera
from companion.service.photos.queries import Photo, Shot
from companion.table.exc import TableError

if TYPE_CHECKING:
    from companion.game.parts import Image

_LONGEST_SIDE = 5000  # pixels of a kept photograph
_QUALITY = 88  # of kept photographs as JPEG
ABOVE_QUALITY = 78  # of sheets seen from above


@dataclass
class OpenedPhoto:
    """A photograph in this process. A kept one is decoded only when somebody wants its pixels."""

    kept: Path | None = None
    pixels: Image | None = None

    @property
    def is_new(self) -> bool:
        """Return True if the picture has not been stored yet."""
        return self.kept is None

    @cached_property
    def image(self) -> Image:
        """Return the pixels, decoded from the stored file if need be."""
        if self.pixels is not None:
            return self.pixels
        assert self.kept is not None  # there is one or the other
        return decoded(self.kept.read_bytes())

    @cached_property
    def cleaned(self) -> bytes:
        """The picture encoded anew, without metadata."""
        return packed(self.image, _QUALITY)

    @cached_property
    def digest(self) -> str:
        """The SHA-256 under which the picture is stored."""
        return sha256(self.cleaned).hexdigest() if self.kept is None else self.kept.stem


def opened(
    photo: Photo, camera: DistantCamera, game: str, state: Any, *, glance: bool = False
) -> OpenedPhoto:
    """A photograph; one of the box's camera is taken now, of a demonstration's match by its game's studio."""
    match photo:
        case Path():
            return OpenedPhoto(kept=photo)
        case Shot(camera="studio"):
            return OpenedPhoto(pixels=decoded(find_studio(game).picture(state, photo.number)))
        case Shot():
            return OpenedPhoto(pixels=camera.glance(photo) if glance else camera.still(photo))
        case _:
            return OpenedPhoto(pixels=decoded(photo))


def decoded(photo: bytes) -> Image:
    """The pixels of a photograph, not many more than a photograph needs."""
    from vision.decoding import Reduction, checked_header
    from vision.decoding import decoded as pixels_of

    header = checked_header(photo)
    steps: tuple[Reduction, ...] = (1, 2, 4, 8) if header.kind in ("JPEG", "HEIC") else (1,)
    longest = max(header.size)
    step = next((step for step in steps if longest <= _LONGEST_SIDE * step), steps[-1])
    return pixels_of(photo, step).image


def shrunk_to(image: Image, longest: int) -> Image:
    """An image with no more than so many pixels on its longer side."""
    import cv2
    import numpy as np

    share = min(1.0, longest / max(image.shape[:2]))
    size = (round(image.shape[1] * share), round(image.shape[0] * share))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)


def packed(image: Image, quality: int) -> bytes:
    """Encode the image as JPEG of this quality (0 to 100)."""
    import cv2

    done, jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise TableError("bad-photo", m("that picture cannot be packed: take another one"))
    return bytes(jpeg)
