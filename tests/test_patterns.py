"""Shapes of texts from outside: a ``$`` alone would let a line break through at the end."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from companion.club.messages import MatchName

ROOT = Path(__file__).parents[1]
_PATTERN = re.compile(r"msgspec\.Meta\(pattern=[rf]*\"([^\"]*)\"")
_WHOLE = r"(?!\n)$"


def test_every_shape_of_a_text_ends_where_the_text_does() -> None:
    files = [
        file
        for part in ("companion", "web", "hub", "firmware_bridge")
        for file in (ROOT / part).rglob("*.py")
    ]
    found = [(file, shape) for file in files for shape in _PATTERN.findall(file.read_text(encoding="utf-8"))]
    assert len(found) > 20
    assert [str(file.relative_to(ROOT)) for file, shape in found if not shape.endswith(_WHOLE)] == []


def test_a_line_break_is_no_part_of_a_name() -> None:
    assert msgspec.convert("m1", MatchName) == "m1"
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert("m1\n", MatchName)
