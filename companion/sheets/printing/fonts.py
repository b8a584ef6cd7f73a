"""The two fonts of everything that is printed.

Bitstream Vera comes inside the ReportLab package; its licence allows use and redistribution
(``reportlab/fonts/bitstream-vera-license.txt``), so no font file lies in this repository.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from companion.core.remembering import remembered

if TYPE_CHECKING:
    from PIL import ImageFont

FAMILY = "Bitstream Vera Sans"
_FILES = {False: "Vera.ttf", True: "VeraBd.ttf"}
_MEASURED = 200  # pixels: the height at which words are measured


def font_path(bold: bool) -> Path:
    """The path of the font file."""
    spec = find_spec("reportlab")
    if spec is None or spec.origin is None:
        raise FileNotFoundError("the reportlab package is not installed: run make setup")
    return Path(spec.origin).parent / "fonts" / _FILES[bold]


def width_of(words: str, size: float, *, bold: bool) -> float:
    """The length of a line of words, in units of the letters' height.

    >>> round(width_of("mm", 10, bold=False), 1)
    19.5
    """
    return _length(words, bold) * size / _MEASURED


@remembered(4096)
def _length(words: str, bold: bool) -> float:
    return _measure(bold).getlength(words)


@lru_cache(maxsize=2)
def _measure(bold: bool) -> ImageFont.FreeTypeFont:
    from PIL import ImageFont  # takes a while to load, and pages draw without it

    return ImageFont.truetype(font_path(bold), _MEASURED)
