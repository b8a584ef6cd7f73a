"""``read derailed``: photographs of card tables; see :mod:`companion.commands.reading` for the options."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import msgspec

from companion.commands.exits import FINE, NOT_SO
from companion.commands.records import print_json
from companion.games.derailed.eye.answers import ruled_cards
from companion.games.derailed.eye.overlay import Marks, cards_overlaid, marks_of
from companion.games.derailed.eye.reading import read_cards
from companion.games.derailed.eye.readings import CardReading, CardsPhoto, cards_json
from companion.games.derailed.eye.ruling import AreaRuling, area_ruling_json
from companion.games.derailed.rules.network import lane_name
from companion.games.derailed.rules.position import read_position
from companion.games.derailed.rules.rulebook import ROWS
from companion.games.derailed.rules.state import State
from companion.games.kit.errors import NotationError
from companion.games.kit.jsontext import as_object, read_json, shaped
from vision.decoding import decoded

GAME = "derailed"


@dataclass(frozen=True)
class CardTask:
    """What to do with every photograph."""

    before: State | None
    text: bool


class _EarlierCell(msgspec.Struct, frozen=True):
    card: str | None = None


class _EarlierRuling(msgspec.Struct, frozen=True):
    cells: dict[str, str]


class _EarlierTable(msgspec.Struct, frozen=True):
    """What is used of a table in an earlier line of ``read``."""

    starts: list[str]
    destinations: list[str]
    cells: dict[str, _EarlierCell]
    ruling: _EarlierRuling | None = None


class _EarlierLine(msgspec.Struct, frozen=True):
    sheets: list[_EarlierTable]


def card_task(options: argparse.Namespace) -> CardTask:
    """The options that make sense for cards; what does not is said."""
    for name in ("rolled", "corners", "taught"):
        if getattr(options, name):
            message = f"--{name} is for boards: {GAME} has no dice, and its cards are found by themselves"
            raise NotationError("bad-option", message)
    return CardTask(_before(options.before), options.text)


def _before(path: Path | None) -> State | None:
    if path is None:
        return None
    try:
        value = as_object(read_json(path.read_bytes()))
        return read_position(_position(shaped(value, _EarlierLine)) if "sheets" in value else value)
    except OSError as problem:
        raise NotationError("no-file", f"{path}: {problem.strerror}") from None
    except NotationError as problem:
        raise NotationError(problem.code, f"{path}: {problem.message}") from None


def _position(line: _EarlierLine) -> dict[str, object]:
    """The position of an earlier reading: as it was ruled, else as it was read."""
    if len(line.sheets) != 1:
        raise NotationError("no-table", f"{len(line.sheets)} card tables are in it: one is needed")
    sheet = line.sheets[0]
    as_read = {name: cell.card for name, cell in sheet.cells.items() if cell.card}
    grid = sheet.ruling.cells if sheet.ruling is not None else as_read
    return {"starts": sheet.starts, "destinations": sheet.destinations, "grid": grid, "tunnels": True}


@dataclass(frozen=True)
class CardsRead:
    """A photograph as it was read and ruled."""

    reading: CardsPhoto
    rulings: dict[int, AreaRuling]

    @property
    def result(self) -> int:
        """The exit code it stands for."""
        refused = any(ruling.outcome == "refused" for ruling in self.rulings.values())
        return NOT_SO if refused or not self.reading.sheets else FINE


def read_one(data: bytes, task: CardTask) -> CardsRead:
    """Read and rule on one photograph."""
    reading = read_cards(data)
    if task.before is None:
        return CardsRead(reading, {})
    ruled = [ruled_cards(sheet, task.before) for sheet in reading.sheets]
    sheets = tuple(sheet for sheet, _ in ruled)
    turned = CardsPhoto(reading.width, reading.height, sheets, reading.notes)
    return CardsRead(turned, {n: ruling for n, (_, ruling) in enumerate(ruled)})


def tell(photo: str, read: CardsRead, text: bool) -> None:
    """One line of JSON, or lines for people."""
    if text:
        print("\n".join(_lines(photo, read)), end="\n\n")
    else:
        rulings = {n: area_ruling_json(ruling) for n, ruling in read.rulings.items()}
        print_json(cards_json(photo, read.reading, rulings))


def write_overlay(data: bytes, read: CardsRead, path: Path) -> None:
    """The photograph with what was read on it."""
    marked = [(sheet, _marks(sheet, read.rulings.get(n))) for n, sheet in enumerate(read.reading.sheets)]
    packed = cv2.imencode(path.suffix.lower(), cards_overlaid(decoded(data, 1).image, marked))[1]
    path.write_bytes(packed.tobytes())


def _marks(sheet: CardReading, ruling: AreaRuling | None) -> Marks:
    if ruling is None:
        return marks_of(sheet)
    refused = ruling.outcome == "refused"
    return Marks(ruling.cells, ruling.doubtful, ruling.changed, ruling.outcome, refused)


def _lines(photo: str, read: CardsRead) -> Iterator[str]:
    yield f"{photo}: {len(read.reading.sheets)} card table(s)"
    for n, sheet in enumerate(read.reading.sheets):
        yield from _table_lines(sheet, read.rulings.get(n))
    yield from read.reading.notes


def _table_lines(sheet: CardReading, ruling: AreaRuling | None) -> Iterator[str]:
    yield f"{sheet.lanes} lanes, found by {sheet.quality.found_by}"
    yield "  " + "".join(f"{letter:10}" for letter in sheet.columns[0]).rstrip()
    for row in range(1, ROWS + 1):
        names = [f"{lane_name(lane)}{row}" for lane in range(sheet.lanes)]
        yield "  " + "".join(f"{_shown(sheet, ruling, name):10}" for name in names).rstrip()
    yield "  " + "".join(f"{letter:10}" for letter in sheet.columns[1]).rstrip()
    if ruling is not None:
        yield f"  ruling: {ruling.outcome}; new: {' '.join(ruling.changed) or 'nothing'}"
        yield from (f"  against the rules: {sentence}" for sentence in ruling.against)
    doubtful = ruling.doubtful if ruling is not None else sheet.doubtful
    if doubtful:
        yield f"  please check: {' '.join(doubtful)}"


def _shown(sheet: CardReading, ruling: AreaRuling | None, name: str) -> str:
    if ruling is not None:
        return ruling.cells.get(name, ".")
    cell = sheet.cells[name]
    return "?" if cell.cannot_see else cell.best or "."
