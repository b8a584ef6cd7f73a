"""The rules of placement once more, from the rules text alone and with names only: slow and obvious."""

from __future__ import annotations

from collections.abc import Iterable

from companion.games.railroad_ink.rules.boards.routes import VOCABULARY

SIDES = {"N": (0, -1, "S"), "E": (1, 0, "W"), "S": (0, 1, "N"), "W": (-1, 0, "E")}
NAMES = [f"{column}{row}" for row in range(1, 8) for column in "abcdefg"]
# (cell, side) -> the letter an end there must have: a capital for a highway, a small letter for a railway.
EXITS = {
    ("b1", "N"): "N", ("d1", "N"): "n", ("f1", "N"): "N",
    ("b7", "S"): "S", ("d7", "S"): "s", ("f7", "S"): "S",
    ("a2", "W"): "w", ("a4", "W"): "W", ("a6", "W"): "w",
    ("g2", "E"): "e", ("g4", "E"): "E", ("g6", "E"): "e",
}  # fmt: skip


def beyond(cell: str, side: str) -> str | None:
    """The name of the next cell, or nothing beyond the border."""
    columns, rows, _ = SIDES[side]
    name = chr(ord(cell[0]) + columns) + str(int(cell[1]) + rows)
    return name if name in NAMES else None


def may_draw(cells: dict[str, str], walls: Iterable[str], cell: str, route: str) -> bool:
    """Taken? Does an end face the other type? Does at least one end meet its own type?"""
    if cell in cells:
        return False
    met = [meeting(cells, walls, cell, end) for end in route if end.upper() in SIDES]
    return "clash" not in met and "join" in met


def meeting(cells: dict[str, str], walls: Iterable[str], cell: str, end: str) -> str:
    """What one end of a route meets: ``join``, ``clash`` or ``nothing``."""
    side = end.upper()
    if (cell, side) in EXITS:
        return "join" if EXITS[cell, side] == end else "clash"
    other = beyond(cell, side)
    if other is None or {f"{cell}-{other}", f"{other}-{cell}"} & set(walls):
        return "nothing"
    back = SIDES[side][2]
    answer = back if end.isupper() else back.lower()
    if answer in cells.get(other, ""):
        return "join"
    return "clash" if answer.swapcase() in cells.get(other, "") else "nothing"


def all_legal(cells: dict[str, str], walls: Iterable[str] = ()) -> set[tuple[str, str]]:
    """Every cell with every route of the vocabulary, tried one by one."""
    return {
        (cell, route.text)
        for cell in NAMES
        for route in VOCABULARY
        if may_draw(cells, walls, cell, route.text)
    }
