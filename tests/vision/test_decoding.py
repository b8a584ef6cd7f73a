import io
import struct
import sys
import zlib

import cv2
import numpy as np
import pytest
from PIL import Image as Pillow
from pillow_heif import from_pillow

from vision import decoding
from vision.decoding import checked_header, decoded, decodings, pyramid
from vision.errors import PictureError


def a_picture(width: int, height: int) -> np.ndarray:
    across = np.linspace(0, 255, width)[None, :, None]
    down = np.linspace(0, 255, height)[:, None, None]
    return np.broadcast_to((across + down) / 2, (height, width, 3)).astype(np.uint8)


def packed(kind: str, width: int = 320, height: int = 200) -> bytes:
    return bytes(cv2.imencode(kind, a_picture(width, height))[1])


def resized_header(data: bytes, form: str, at: int, side: int, crc: int | None = None) -> bytes:
    """The same bytes, saying that the picture is very large: a decompression bomb."""
    changed = bytearray(data)
    struct.pack_into(form, changed, at, side, side)
    if crc is not None:
        struct.pack_into(">I", changed, crc, zlib.crc32(bytes(changed[12:crc])))
    return bytes(changed)


def vast_webp() -> bytes:
    """A film whose frames are small and whose canvas is 16 million pixels wide."""
    out = io.BytesIO()
    frame = Pillow.fromarray(a_picture(100, 90))
    frame.save(out, "WEBP", save_all=True, append_images=[frame.transpose(Pillow.Transpose.ROTATE_180)])
    changed = bytearray(out.getvalue())
    changed[24:27] = b"\xff\xff\xff"
    return bytes(changed)


def heic(width: int = 320, height: int = 200, **options: object) -> bytes:
    """What an iPhone sends."""
    out = io.BytesIO()
    from_pillow(Pillow.fromarray(a_picture(width, height)[:, :, ::-1])).save(out, quality=90, **options)
    return out.getvalue()


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
        (b"", "cannot be read"),
        (b"\xff\xd8\xff", "first bytes"),
        (b"\x89PNG\r\n\x1a\n", "first bytes"),
        (b"\x00\x00\x00\x18ftypheic" + b"\x00" * 50, "first bytes"),
        (b"\x00\x00\x00\x18ftypavif" + b"\x00" * 50, "AVIF"),
        (b"RIFF\x10\x00\x00\x00WAVEfmt " + b"\x00" * 50, "first bytes"),
        (packed(".jpg")[:-10], "cut short"),
        (packed(".png", 20, 20), "too few"),
        (resized_header(packed(".bmp"), "<ii", 18, 65_535), "65535 x 65535 pixels are too many"),
        (resized_header(packed(".png"), ">II", 16, 65_535, crc=29), "65535 x 65535 pixels are too many"),
        (resized_header(packed(".jpg"), ">HH", packed(".jpg").index(b"\xff\xc0") + 5, 65_535), "too many"),
        (vast_webp(), "too many pixels: send at most 16 megapixels"),
    ],
)
def test_what_is_no_picture_is_refused_with_a_sentence(data: bytes, words: str) -> None:
    with pytest.raises(PictureError, match=words):
        list(decodings(data))


def test_pixels_must_be_in_colour() -> None:
    with pytest.raises(PictureError, match="three colours"):
        list(pyramid(np.zeros((100, 100), np.uint8)))


# --- HEIC ---


def test_heic_is_decoded_as_it_looks() -> None:
    data = heic()
    assert checked_header(data) == decoding.Header("HEIC", (320, 200))
    (picture,) = decodings(data)
    assert (picture.size, picture.whole) == ((320, 200), (320, 200))
    assert np.abs(picture.image.astype(int) - a_picture(320, 200)).mean() < 2


def test_colours_of_heic_are_blue_first() -> None:
    blue = np.zeros((200, 320, 3), np.uint8)
    blue[:, :, 2] = 255
    out = io.BytesIO()
    from_pillow(Pillow.fromarray(blue)).save(out, quality=90)
    assert decoded(out.getvalue(), 1).image[100, 100, 0] > 240


def test_heic_is_turned_upright() -> None:
    exif = Pillow.Exif()
    exif[0x0112] = 6
    data = heic(exif=exif.tobytes())
    assert decoded(data, 1).size == (200, 320)
    assert decoded(data, 1).image[0, -1].mean() < decoded(data, 1).image[-1, 0].mean()
    upright = np.rot90(a_picture(320, 200), -1)
    assert np.abs(decoded(data, 1).image.astype(int) - upright).mean() < 2


def test_a_big_heic_is_looked_at_from_coarse_to_fine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decoding, "_COARSEST", 1e5)
    data = heic(800, 600)
    sizes = [(picture.reduction, picture.size, picture.whole) for picture in decodings(data)]
    assert sizes == [(2, (400, 300), (800, 600)), (1, (800, 600), (800, 600))]
    assert decoded(data, 4).size == (200, 150)


def test_a_heic_of_more_pixels_than_memory_allows_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(decoding._MOST_PIXELS_OF, "HEIC", 60_000)
    with pytest.raises(PictureError, match="320 x 200 pixels are too many"):
        list(decodings(heic()))


@pytest.mark.parametrize("share", [0.1, 0.5, 0.99])
def test_a_heic_that_is_cut_short_is_refused(share: float) -> None:
    data = heic()
    with pytest.raises(PictureError, match="damaged"):
        list(decodings(data[: int(share * len(data))]))


def test_without_the_library_heic_is_refused_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    data = heic()
    monkeypatch.setitem(sys.modules, "pi_heif", None)
    with pytest.raises(PictureError, match="set the phone to JPEG"):
        list(decodings(data))
