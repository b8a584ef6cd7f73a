"""What a board promises, as numbers: the features that a linear model makes into expected points."""

from __future__ import annotations

from companion.games.railroad_ink.bot.sketch import ALL_CELLS, FREE_EXITS, Sketch
from companion.games.railroad_ink.rules.rulebook import GRID, NETWORK_VALUES

FARTHEST = 5  # steps of the flood; what lies farther counts as not to be reached
PROMISES = (
    "exit points",
    *(f"terminal at {steps}" for steps in range(1, FARTHEST + 1)),
    "terminal beyond",
    "exit shut",
    "network without ends",
    "end lost",
    "end open",
    "end of the main network",
    "clash",
    "meeting",
    "crowded end",
    "special left",
)
_COLUMN = sum(1 << (row * GRID.columns) for row in range(GRID.rows))
_NOT_FIRST = ALL_CELLS & ~_COLUMN
_NOT_LAST = ALL_CELLS & ~(_COLUMN << (GRID.columns - 1))


def around(cells: int) -> int:
    """The cells beside these, a bit for each."""
    return (
        (cells << 1) & _NOT_FIRST
        | (cells >> 1) & _NOT_LAST
        | (cells << GRID.columns) & ALL_CELLS
        | cells >> GRID.columns
    )


def promises(sketch: Sketch, specials: int) -> list[float]:
    """The features of a board, in the order of :data:`PROMISES`.

    Terminals are what can still be joined for points: networks with an exit, and exits that are free. The
    flood begins at the open ends of the best network and takes in whatever it reaches.
    """
    exits, ends = sketch.exits, sketch.ends
    places: dict[int, int] = {}
    counts: dict[int, int] = {}
    for end, network in ends.items():
        places[network] = places.get(network, 0) | 1 << (end >> 3)
        counts[network] = counts.get(network, 0) + 1
    main = max(exits, key=lambda number: (number in places, exits[number], counts.get(number, 0)), default=0)
    others = [number for number, joined in exits.items() if joined and number != main]
    terminals = [1 << (end >> 3) for end in FREE_EXITS if sketch.empty >> (end >> 3) & 1]
    terminals += [places[number] for number in others if number in places]
    return [
        sum([NETWORK_VALUES[joined] for joined in exits.values()]),
        *_flooded(places.get(main, 0), terminals, sketch.empty),
        sketch.shut,
        sum([number not in places for number in others]),
        sketch.lost,
        len(ends),
        min(6, counts.get(main, 0)),
        *_crowds(sketch),
        specials,
    ]


def _flooded(flood: int, terminals: list[int], empty: int) -> list[float]:
    """How many terminals the flood comes to in each step, and how many lie beyond the last one."""
    if not flood and terminals:
        flood = terminals.pop()
    found: list[float] = []
    for _ in range(FARTHEST):
        beyond = [cells for cells in terminals if not cells & flood]
        found.append(len(terminals) - len(beyond))
        if found[-1]:
            for cells in terminals:
                if cells & flood:
                    flood |= cells
            terminals = beyond
        flood |= around(flood) & empty
    return [*found, len(terminals)]


def _crowds(sketch: Sketch) -> tuple[int, int, int]:
    """Cells where both types arrive, where more ends of one type do, and where one does that cannot go on."""
    clash = meeting = crowded = 0
    for cell in {end >> 3 for end in sketch.ends}:
        mask = sketch.facing[cell]
        if mask & 15 and mask >> 4:
            clash += 1
        elif mask.bit_count() > 1:
            meeting += 1
        elif not around(1 << cell) & sketch.empty:
            crowded += 1
    return clash, meeting, crowded
