"""Rules on photographs of card tables without a match, by what the caller knows besides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import msgspec

from companion.core.jsontext import JsonObject, shaped
from companion.games.derailed.reader.facing import ruled_facing
from companion.games.derailed.reader.readings import CardReading, CardsPhoto, notes_about
from companion.games.derailed.reader.ruling import AreaRuling, rule_area, rule_moves
from companion.games.derailed.reader.seats import known_area, known_ends
from companion.games.derailed.rules.position import read_position
from companion.games.derailed.rules.state import State
from companion.reading.base import Context
from companion.reading.report import EarlierLine
from companion.reading.types import ReadHints


class _EarlierCell(msgspec.Struct, frozen=True):
    card: str | None = None


class _EarlierRuling(msgspec.Struct, frozen=True):
    cells: dict[str, str]


class _EarlierTable(msgspec.Struct, frozen=True):
    """The fields used of a table in an earlier line of ``read``."""

    starts: list[str]
    destinations: list[str]
    cells: dict[str, _EarlierCell]
    ruling: _EarlierRuling | None = None


@dataclass(frozen=True)
class TableContext(Context[CardReading, AreaRuling]):
    """The earlier position of the table, if it was given."""

    before: State | None = None

    def after(self, before: JsonObject) -> TableContext:
        """The caller's knowledge with an earlier position, in notation or as a line of ``read --json``."""
        position = _position(shaped(before, EarlierLine[_EarlierTable])) if "sheets" in before else before
        return TableContext(read_position(position))

    def narrowed(self, hints: ReadHints) -> ReadHints:
        """Restrict the search to as many lanes as companies play, and to these companies."""
        if self.before is None:
            return hints
        players = tuple((company, seat) for seat, company in enumerate(sorted(self.before.starts), 1))
        return replace(hints, edition=hints.edition or f"lanes-{len(self.before.starts)}", players=players)

    def rule(self, sheet: CardReading) -> tuple[CardReading, AreaRuling | None]:
        """Rule on the table if its earlier position is known, which also tells the starting end."""
        return (sheet, None) if self.before is None else ruled_cards(sheet, self.before)

    def rule_all(self, reading: CardsPhoto) -> tuple[CardsPhoto, Mapping[int, AreaRuling]]:
        """Rule on all tables, and name places in the notes as the turned tables name them."""
        ruled, rulings = super().rule_all(reading)
        if not rulings:
            return ruled, rulings
        clear = all(ruling.outcome == "accepted" for ruling in rulings.values())
        return replace(ruled, notes=notes_about(reading, ruled.sheets, minor=not clear)), rulings


def _position(line: EarlierLine[_EarlierTable]) -> dict[str, object]:
    """The position of an earlier reading: as it was ruled, else as it was read."""
    sheet = line.only("no-table")
    as_read = {name: cell.card for name, cell in sheet.cells.items() if cell.card}
    grid = sheet.ruling.cells if sheet.ruling is not None else as_read
    return {"starts": sheet.starts, "destinations": sheet.destinations, "grid": grid, "tunnels": True}


def ruled_cards(sheet: CardReading, before: State | None) -> tuple[CardReading, AreaRuling]:
    """The rules' answer to one table; the position before also tells which end is the start."""
    if before is None:
        return ruled_facing(sheet, None, lambda way: rule_area(way.probabilities, way.lanes))
    if sheet.lanes != len(before.starts):
        lanes = f"{sheet.lanes} lanes are in the picture, {len(before.starts)} in the position before"
        return sheet, AreaRuling.refused_outright(lanes)
    return ruled_facing(
        sheet, known_ends(before), lambda way: rule_moves(way.probabilities, known_area(before))
    )
