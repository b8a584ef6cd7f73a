"""Pictures of eight by eight dots, drawn as text: what a dice roller's small displays show.

A picture begins with a line ``= name``; its eight rows have ``#`` for a lit dot and ``.`` for a dark one.
Lines that begin with ``# `` and empty lines between pictures are for people.
"""

from __future__ import annotations

from companion.core.errors import RulesDataError
from companion.core.messages import m

SIDE = 8


def read_dots(text: str, source: str) -> dict[str, str]:
    """Each picture by name, as 16 hex digits: row by row from the top, the leftmost dot first.

    >>> read_dots("= bar" + chr(10) + chr(10).join(["#......."] * 8), "example")
    {'bar': '8080808080808080'}
    """
    pictures: dict[str, list[str]] = {}
    name = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith("= "):
            name = line.removeprefix("= ").strip()
            pictures[name] = []
        elif line and not line.startswith("# "):
            if not name or len(line) != SIDE or set(line) - set("#."):
                raise RulesDataError(
                    "bad-picture",
                    m("{source}, line {number}: a row is eight of # and .", source=source, number=number),
                )
            pictures[name].append(line)
    for name, rows in pictures.items():
        if len(rows) != SIDE:
            raise RulesDataError(
                "bad-picture",
                m(
                    "{source}: picture {name} has {rows} rows, not {side}",
                    source=source,
                    name=name,
                    rows=len(rows),
                    side=SIDE,
                ),
            )
    return {name: "".join(f"{_row(row):02x}" for row in rows) for name, rows in pictures.items()}


def _row(row: str) -> int:
    return int(row.replace("#", "1").replace(".", "0"), 2)
