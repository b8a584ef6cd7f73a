"""Looks at a board as a perfect eye, or one that is in doubt, would have them."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.jsontext import JsonObject
from companion.games.spike.rules.boards.board import SHIPPED, board_called
from companion.games.spike.rules.boards.position import read_position
from companion.games.spike.rules.match.state import State
from companion.reading.evidence import Look, Looks

BOARD = board_called(SHIPPED[0])
# A line from Topeka to Tulsa, and one from there to Little Rock's side of the map.
TO_TULSA = ("topeka-i2", "i1-i2", "i1-j1", "tulsa-j1")


def looks(tracks: Mapping[int, tuple[str, ...]], seen: Mapping[str, Look] | None = None) -> Looks:
    """What is seen of tracks by seat; ``seen`` says otherwise of some."""
    sure: dict[str, Look] = {name: {"": 0.999, "1": 0.0005, "2": 0.0005} for name in BOARD.tracks}
    for seat, names in tracks.items():
        other = str(3 - seat)
        for name in names:
            sure[name] = {str(seat): 0.995, other: 0.003, "": 0.002}
    return {**sure, **(seen or {})}


def position(before: Mapping[int, tuple[str, ...]], turn: int = 1, **more: JsonObject) -> State:
    """The state with these tracks, as a position has it."""
    tracks = {str(seat): list(names) for seat, names in before.items()}
    trains = {str(seat): {"at": "topeka"} for seat, names in before.items() if not names}
    return read_position({"tracks": tracks, "turn": turn, "trains": trains, **more})
