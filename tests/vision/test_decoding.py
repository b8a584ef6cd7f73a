import io

import cv2
import numpy as np
import pytest
from PIL import Image as Pillow

from vision.decoding import checked_header, decoded, decodings, pyramid
from vision.errors import PictureError


def a_picture(width: int, height: int) -> np.ndarray:
    across = np.linspace(0, 255, width)[None, :, None]
    down = np.linspace(0, 255, height)[:, None, None]
    return np.broadcast_to((across + down) / 2, (height, width, 3)).astype(np.uint8)


def packed(kind: str, width: int = 320, height: int = 200) -> bytes:
    return bytes(cv2.imencode(kind, a_picture(width, height))[1])


@pytest.mark.parametrize("kind", [".jpg", ".png", ".webp", ".bmp"])
def test_sizes_stand_in_the_header(kind: str) -> None:
    assert checked_header(packed(kind)).size == (320, 200)


def test_animated_pictures_and_vp8x_have_sizes() -> None:
    frame = Pillow.fromarray(a_picture(100, 90))
    for kind in ("GIF", "WEBP"):
        out = io.BytesIO()
        frame.save(
            out, kind, save_all=True, append_images=[frame.transpose(Pillow.Transpose.FLIP_LEFT_RIGHT)]
        )
        assert checked_header(out.getvalue()).size == (100, 90)


def test_a_big_jpeg_is_looked_at_from_coarse_to_fine() -> None:
    data = packed(".jpg", 4000, 3000)
    sizes = [(picture.reduction, picture.size) for picture in decodings(data)]
    assert sizes == [(2, (2000, 1500)), (1, (4000, 3000))]
    assert [picture.size for picture in pyramid(decoded(data, 1).image)] == [size for _, size in sizes]


def test_a_small_one_is_looked_at_once() -> None:
    assert [picture.reduction for picture in decodings(packed(".jpg"))] == [1]


def test_exif_turns_the_picture() -> None:
    exif = Pillow.Exif()
    exif[0x0112] = 6  # to be turned clockwise
    out = io.BytesIO()
    Pillow.fromarray(a_picture(320, 200)).save(out, "JPEG", exif=exif.tobytes())
    assert decoded(out.getvalue(), 1).size == (200, 320)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "no picture"),
        (b"\xff\xd8\xff", "first bytes"),
        (b"\x89PNG\r\n\x1a\n", "first bytes"),
        (b"\x00\x00\x00\x18ftypheic" + b"\x00" * 50, "HEIC"),
        (packed(".jpg")[:-10], "cut short"),
        (packed(".png", 20, 20), "too few"),
        (b"BM" + b"\x00" * 16 + b"\xff\xff\x00\x00" * 2 + b"\x00" * 40, "too many"),
    ],
)
def test_what_is_no_picture_is_refused_with_a_sentence(data: bytes, words: str) -> None:
    with pytest.raises(PictureError, match=words):
        list(decodings(data))


def test_pixels_must_be_in_colour() -> None:
    with pytest.raises(PictureError, match="three colours"):
        list(pyramid(np.zeros((100, 100), np.uint8)))
