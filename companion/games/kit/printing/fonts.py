"""The two fonts of everything that is printed.

Bitstream Vera comes inside the ReportLab package; its licence allows use and redistribution
(``reportlab/fonts/bitstream-vera-license.txt``), so no font file lies in this repository.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

FAMILY = "Bitstream Vera Sans"
_FILES = {False: "Vera.ttf", True: "VeraBd.ttf"}


def font_path(bold: bool) -> Path:
    """Where the font lies."""
    spec = find_spec("reportlab")
    if spec is None or spec.origin is None:
        raise FileNotFoundError("the reportlab package is not installed: run make setup")
    return Path(spec.origin).parent / "fonts" / _FILES[bold]
