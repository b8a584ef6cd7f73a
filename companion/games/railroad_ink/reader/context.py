"""Rules on photographs without a match, by what the caller knows besides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import msgspec

from companion.core.errors import NotationError
from companion.core.jsontext import JsonObject, shaped
from companion.games.railroad_ink.reader.orienting import as_before
from companion.games.railroad_ink.reader.readings import SheetReading
from companion.games.railroad_ink.reader.ruling.answer import BoardRuling
from companion.games.railroad_ink.reader.ruling.probabilities import SlotProbabilities
from companion.games.railroad_ink.reader.ruling.rule import BoardContext, board_of, rule
from companion.games.railroad_ink.rules.boards.board import Roll, Rules, roll_refusal, rolled
from companion.games.railroad_ink.rules.boards.position import Position, read_position
from companion.games.railroad_ink.rules.boards.walls import Walls, parse_walls
from companion.games.railroad_ink.rules.expansions.actions import faces_refusal
from companion.games.railroad_ink.rules.expansions.tables import TABLES
from companion.games.railroad_ink.rules.rulebook import EDITION, ROUNDS, edition_with
from companion.reading.base import Context
from companion.reading.report import EarlierLine

# --- what is known beside a photograph ---


class _EarlierCell(msgspec.Struct, frozen=True):
    route: str | None = None
    round: int | None = None


class _EarlierMark(msgspec.Struct, frozen=True):
    mark: str | None = None


class _EarlierRuling(msgspec.Struct, frozen=True):
    cells: dict[str, str]
    marks: dict[str, str] | None = None


class _EarlierSheet(msgspec.Struct, frozen=True):
    """The fields used of a sheet in an earlier line of ``read``."""

    edition: str
    seat: int
    cells: dict[str, _EarlierCell]
    expansion: str = ""
    marks: dict[str, _EarlierMark] = {}
    ruling: _EarlierRuling | None = None


@dataclass(frozen=True)
class BoardsContext(Context[SheetReading, BoardRuling]):
    """The dice of the round and the earlier position, one for all sheets or one for each.

    ``extra``: the faces of the dice of the ``expansion`` that is played.
    """

    faces: tuple[str, ...] | None = None
    extra: tuple[str, ...] | None = None
    expansion: str = ""
    any_seat: Position | None = None
    by_seat: Mapping[tuple[str, int], Position] | None = None  # by edition and seat

    def after(self, before: JsonObject) -> BoardsContext:
        """The caller's knowledge with an earlier position, in notation or as a line of ``read --json``."""
        if "sheets" not in before:
            return replace(self, any_seat=read_position(before), by_seat=None)
        line = shaped(before, EarlierLine[_EarlierSheet])
        earlier = {(sheet.edition, sheet.seat): _position(sheet) for sheet in line.sheets}
        return replace(self, any_seat=None, by_seat=earlier)

    def of(self, sheet: SheetReading) -> PhotoContext:
        """What is known about one sheet."""
        before = self.any_seat or (self.by_seat or {}).get((sheet.edition, sheet.seat))
        return PhotoContext(before, self.faces, self.extra, self.expansion)

    def rule(self, sheet: SheetReading) -> tuple[SheetReading, BoardRuling | None]:
        """Rule on the sheets about which something is known, except cards."""
        known = self.of(sheet)
        if known.before is not None:
            sheet = as_before(sheet, known.before.cells)
        return sheet, ruled_sheet(sheet, known) if known.anything and not sheet.is_card else None


def read_faces(text: str, expansion: str = "") -> tuple[tuple[str, ...], tuple[str, ...] | None]:
    """Parse the dice of a round as written for ``--rolled``, with those of an expansion.

    >>> read_faces("NS,ne,trees,Ns*,NES,NE+trees", "forest")
    (('NS', 'ne', 'Ns*', 'NES'), ('trees', 'NE+trees'))
    """
    table = TABLES.get(expansion)
    told = text.replace(",", " ").split()
    own = tuple(face for face in told if table is not None and face in table.faces)
    faces = tuple(face for face in told if face not in own)
    rolled(0, faces)  # what is no face is said now
    if len(faces) != len(EDITION["challenge"].dice):
        raise NotationError(
            "bad-roll", f"{len(faces)} faces were given: a round has 4, such as NS,ne,Ns*,NES"
        )
    if table is None or not own:
        return faces, None
    refusal = faces_refusal(table.roll, own)
    if refusal is not None:
        raise NotationError("bad-roll", refusal.message)
    return faces, own


def _position(sheet: _EarlierSheet) -> Position:
    """The position of a sheet in an earlier line of ``read``: as ruled on, or else as read."""
    as_read = {name: cell.route for name, cell in sheet.cells.items() if cell.route}
    cells = sheet.ruling.cells if sheet.ruling is not None else as_read
    rounds = {name: cell.round for name, cell in sheet.cells.items() if name in cells and cell.round}
    position = {"cells": cells, "rounds": rounds, "edition": sheet.edition}
    if sheet.expansion:
        seen = {place: one.mark for place, one in sheet.marks.items() if one.mark}
        ruled = sheet.ruling.marks if sheet.ruling is not None else None
        marks = seen if ruled is None else ruled
        position["expansion"] = {"name": sheet.expansion, "marks": marks}
    return read_position(position)


# --- the rules' answer to one sheet ---


@dataclass(frozen=True)
class PhotoContext:
    """What is known about one sheet: the position before, and the dice of the round."""

    before: Position | None = None
    faces: tuple[str, ...] | None = None
    extra: tuple[str, ...] | None = None
    expansion: str = ""

    @property
    def anything(self) -> bool:
        """Return True if anything is known that the rules can use."""
        return self.before is not None or self.faces is not None


def ruled_sheet(sheet: SheetReading, known: PhotoContext) -> BoardRuling:
    """The rules' answer to one sheet."""
    edition, before = edition_with(sheet.edition, known.expansion or sheet.expansion), known.before
    if known.faces is not None:
        impossible = roll_refusal(edition, known.faces)
        if impossible is not None:
            return BoardRuling.refused_outright(impossible.message)
    if before is not None and sheet.expansion and before.expansion not in ("", sheet.expansion):
        raise NotationError(
            "bad-expansion", f"the position before is one of {before.expansion}, not of {sheet.expansion}"
        )
    rules = Rules(edition, before.walls if before is not None else _walls(sheet), expansion=sheet.expansion)
    board = board_of(before) if before is not None else None
    context = BoardContext(rules, board, _roll(known), known.extra)
    return rule(context, SlotProbabilities.of(sheet))


def _walls(sheet: SheetReading) -> Walls:
    """The walls that are printed on the board."""
    return parse_walls(sheet.walls or ())


def _roll(known: PhotoContext) -> Roll:
    rounds = known.before.rounds.values() if known.before is not None else ()
    number = min(max(rounds, default=0) + 1, ROUNDS + 1)
    return Roll(number, None) if known.faces is None else rolled(number, known.faces)
