"""``python -m lab.spike.making.writing``: writes the shipped board and cards anew.

The same choices and geography give the same files, byte for byte; the suite holds them to that.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.games.spike import rules
from companion.games.spike.printing.choices import CHOICES, Choices, Paper
from companion.games.spike.printing.geography import read_geography
from companion.games.spike.rules.boards.board import read_board
from companion.games.spike.rules.rulebook import BOOK
from companion.sheets.drawing import Point
from companion.sheets.lattice import Place
from lab.spike.making.dealing import contracts, routes
from lab.spike.making.mapping import Plan, plan

DATA = Path(rules.__path__[0]) / "data"
NAME = "eastern-states"

# Colour and line pattern of the six suits, in the order of their numbers.
_SUITS = (
    ("white", "#f4f1e6", "solid"),
    ("blue", "#2b6cb8", "dotted"),
    ("red", "#c5372c", "dashed"),
    ("green", "#2e8b4f", "double"),
    ("yellow", "#e3a812", "ties"),
    ("black", "#2b2f33", "studded"),
)
_GOODS = (
    "cloth",
    "coal",
    "corn",
    "cotton",
    "cows",
    "flour",
    "fruit",
    "oil",
    "pigs",
    "steel",
    "wheat",
    "wood",
)


def slug(name: str) -> str:
    """A city's name as it is written in files and moves.

    >>> slug("St. Louis")
    'st-louis'
    """
    return name.lower().replace(".", "").replace(" ", "-")


def board_lines(choices: Choices, made: Plan) -> Iterator[dict[str, Any]]:
    """The lines of the board file, as plain data."""
    about = "Our own map. Geography: Natural Earth, public domain. Made by lab.spike.making."
    yield {"board": choices.title, "format": 1, "size": list(choices.paper.size), "about": about}
    for suit, colour, pattern in _SUITS:
        yield {"suit": suit, "colour": colour, "pattern": pattern}
    for good in _GOODS:
        yield {"good": good, "name": good.capitalize()}
    names = {place: slug(city) for city, place in made.cities.items()} | _point_names(made.points)
    for city, place in made.cities.items():
        at = choices.paper.at(made.lattice.at(place))
        yield {"city": slug(city), "name": city, "good": made.goods[city], "at": list(at)}
    for place in made.points:
        yield {"point": names[place], "at": list(choices.paper.at(made.lattice.at(place)))}
    for ends, number in made.tracks.items():
        one, other = sorted((names[end] for end in ends), key=lambda name: (_is_point(name), name))
        yield {"track": [one, other], "suit": _SUITS[number][0]}
    yield from _fixtures(choices.paper)


def _point_names(points: list[Place]) -> dict[Place, str]:
    """A letter for the row, from the top, and a number along it, from the left.

    >>> _point_names([(3, 0), (5, 0), (1, 1)])
    {(3, 0): 'a1', (5, 0): 'a2', (1, 1): 'b1'}
    """
    rows = sorted({row for _, row in points})
    found: dict[Place, str] = {}
    for letter, row in zip("abcdefghijklmnopqrstuvwxyz", rows, strict=False):
        for number, place in enumerate(sorted(place for place in points if place[1] == row), start=1):
            found[place] = f"{letter}{number}"
    return found


def _is_point(name: str) -> bool:
    """True for a point's name, a letter and a number; in a track's name the city comes first."""
    return name[1:].isdigit()


def _fixtures(paper: Paper) -> Iterator[dict[str, Any]]:
    for column in range(BOOK.columns):
        for row, price in enumerate(BOOK.prices):
            at = _stepped(paper.market, paper.market_step, (column, row))
            yield {"market": [column + 1, price], "at": at}
    for number in range(1, BOOK.time_cards + 1):
        yield {"time": number, "at": _stepped(paper.time, paper.time_step, (number - 1, number - 1))}
    for number, (x, y) in enumerate(score_spaces(paper)):
        yield {"space": number, "at": [round(x, 2), round(y, 2)]}


def _stepped(start: Point, step: Point, times: tuple[int, int]) -> list[float]:
    return [round(start[i] + step[i] * times[i], 2) for i in (0, 1)]


def score_spaces(paper: Paper) -> list[Point]:
    """The middles of the score track's spaces: along the rim, clockwise from the upper left corner."""
    (width, height), rim = paper.size, paper.rim
    along = [rim + (n + 0.5) * (width - 2 * rim) / paper.across for n in range(paper.across)]
    beside = [rim + (n + 0.5) * (height - 2 * rim) / paper.down for n in range(paper.down)]
    half = rim / 2
    return [
        *((x, half) for x in along),
        *((width - half, y) for y in beside),
        *((x, height - half) for x in reversed(along)),
        *((half, y) for y in reversed(beside)),
    ]


def card_lines(board_text: str, choices: Choices) -> Iterator[dict[str, Any]]:
    """The card file that goes with a board file."""
    board = read_board(board_text)
    about = "Our own cards for our own map. Made by lab.spike.making."
    yield {"cards": choices.title, "format": 1, "about": about}
    yield from contracts(board, choices)
    yield from routes(board, choices)


def written(lines: Iterator[dict[str, Any]]) -> str:
    """Write objects as JSON, one a line."""
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def made() -> dict[str, str]:
    """The text of every file, by its name."""
    board = written(board_lines(CHOICES, plan(CHOICES, read_geography())))
    return {f"{NAME}.board.jsonl": board, f"{NAME}.cards.jsonl": written(card_lines(board, CHOICES))}


def main() -> None:
    """Make the board and its cards and write their files."""
    for name, text in made().items():
        (DATA / name).write_text(text)
        sys.stdout.write(f"{name}: {len(text.splitlines())} lines\n")


if __name__ == "__main__":
    main()
