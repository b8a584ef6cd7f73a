"""Every constant is explained where it is set, and read somewhere."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import msgspec

from companion.games.derailed import reader as eye
from companion.games.derailed.reader.constants import CONSTANTS

TOML = (files(eye) / "constants.toml").read_text()
SECTIONS: dict[str, dict[str, float]] = msgspec.to_builtins(CONSTANTS)


def test_each_is_told_in_a_line() -> None:
    lines = [line for line in TOML.splitlines() if re.match(r"\w+ = ", line)]
    assert len(lines) == sum(map(len, SECTIONS.values()))
    assert [line for line in lines if "  # " not in line] == []


def test_each_is_read() -> None:
    unread = []
    sources = [path.read_text() for path in Path(str(files(eye))).rglob("*.py")]
    for section, numbers in SECTIONS.items():
        readers = [source for source in sources if f"CONSTANTS.{section}\n" in source]
        said = "".join(readers).replace("_C.", f"CONSTANTS.{section}.") + "".join(sources)
        unread += [
            f"{section}.{name}" for name in numbers if not re.search(rf"CONSTANTS\.{section}\.{name}\b", said)
        ]
    assert unread == []
