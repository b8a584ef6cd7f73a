"""Photographs by themselves, without a match: what is known beside them, and the rules' answer."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from math import prod

import msgspec

from companion.games.contract import Plain
from companion.games.kit.errors import NotationError
from companion.games.kit.evidence import Looks
from companion.games.kit.jsontext import shaped
from companion.games.railroad_ink.eye.mark_costs import MarkedLooks
from companion.games.railroad_ink.eye.readings import SheetReading
from companion.games.railroad_ink.eye.ruling import board_of, rule_board, rule_turn, unless_cut
from companion.games.railroad_ink.eye.ruling_marks import rule_marked_board, rule_marked_turn
from companion.games.railroad_ink.eye.ruling_order import Throw
from companion.games.railroad_ink.eye.verdict import BoardRuling
from companion.games.railroad_ink.rules.board import Roll, Rules, roll_refusal, rolled
from companion.games.railroad_ink.rules.expansions.actions import faces_refusal
from companion.games.railroad_ink.rules.expansions.tables import TABLES
from companion.games.railroad_ink.rules.position import Position, read_position
from companion.games.railroad_ink.rules.rulebook import EDITION, GRID, ROUNDS, edition_with
from companion.games.railroad_ink.rules.walls import Walls, parse_walls
from companion.reading.base import Context
from companion.reading.report import EarlierLine

_MOST_A_ROUND = 9  # four dice, three duplicates, two special routes


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
    """What is used of a sheet in an earlier line of ``read``."""

    edition: str
    seat: int
    cells: dict[str, _EarlierCell]
    expansion: str = ""
    marks: dict[str, _EarlierMark] = {}
    ruling: _EarlierRuling | None = None


@dataclass(frozen=True)
class KnownBoards(Context[SheetReading, BoardRuling]):
    """The dice of the round; the position before, for whatever is in the picture or one a sheet.

    ``extra``: the faces of the dice of the ``expansion`` that is played.
    """

    faces: tuple[str, ...] | None = None
    extra: tuple[str, ...] | None = None
    expansion: str = ""
    any_seat: Position | None = None
    by_seat: Mapping[tuple[str, int], Position] | None = None  # by edition and seat

    def after(self, before: Plain) -> KnownBoards:
        """The same with the position before: in notation, or an earlier line of ``read --json``."""
        if "sheets" not in before:
            return replace(self, any_seat=read_position(before), by_seat=None)
        line = shaped(before, EarlierLine[_EarlierSheet])
        earlier = {(sheet.edition, sheet.seat): _position(sheet) for sheet in line.sheets}
        return replace(self, any_seat=None, by_seat=earlier)

    def of(self, sheet: SheetReading) -> Known:
        """What is known about one sheet."""
        before = self.any_seat or (self.by_seat or {}).get((sheet.edition, sheet.seat))
        return Known(before, self.faces, self.extra, self.expansion)

    def rule(self, sheet: SheetReading) -> tuple[SheetReading, BoardRuling | None]:
        """Ruled on where something is known about it, and where it is no card."""
        known = self.of(sheet)
        return sheet, ruled_sheet(sheet, known) if known.anything and not sheet.is_card else None


def read_faces(text: str, expansion: str = "") -> tuple[tuple[str, ...], tuple[str, ...] | None]:
    """The dice of a round as they are written for ``--rolled``; an expansion's are told along.

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
    """The position of a sheet in an earlier line of ``read``: as it was ruled, else as it was read."""
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
class Known:
    """What is known about one sheet: the position before, and the dice of the round."""

    before: Position | None = None
    faces: tuple[str, ...] | None = None
    extra: tuple[str, ...] | None = None
    expansion: str = ""

    @property
    def anything(self) -> bool:
        """Is there anything for the rules to use?"""
        return self.before is not None or self.faces is not None


def ruled_sheet(sheet: SheetReading, known: Known) -> BoardRuling:
    """The rules' answer to one sheet, if what matters of it is in the picture."""
    before = board_of(known.before).cells() if known.before is not None else {}
    return unless_cut(_ruled(sheet, known), sheet.looks, before, sheet.outside)


def _ruled(sheet: SheetReading, known: Known) -> BoardRuling:
    edition = edition_with(sheet.edition, known.expansion)
    looks = sheet.looks
    if known.faces is not None:
        impossible = roll_refusal(edition, known.faces)
        if impossible is not None:
            return BoardRuling.refused_outright(impossible.message)
    if sheet.expansion:
        return _ruled_with_marks(sheet, known)
    if known.before is not None:
        rules = Rules(edition, known.before.walls)
        before, finished = board_of(known.before), known.faces is not None
        hints = sheet.hints if finished else replace(sheet.hints, glimpses={})
        return rule_turn(looks, rules, before, _roll(known), finished=finished, hints=hints)
    return _ruled_by_dice(sheet, looks, known) or rule_board(looks, edition, _walls(sheet))


def _walls(sheet: SheetReading) -> Walls:
    """The walls that are printed on the board."""
    return parse_walls(sheet.walls or ())


def _ruled_with_marks(sheet: SheetReading, known: Known) -> BoardRuling:
    """The same for a board with an expansion's marks."""
    looks = MarkedLooks.of(sheet)
    edition, before = edition_with(sheet.edition, sheet.expansion), known.before
    if before is None:
        return rule_marked_board(looks, edition, _walls(sheet))
    if before.expansion not in ("", sheet.expansion):
        raise NotationError(
            "bad-expansion", f"the position before is one of {before.expansion}, not of {sheet.expansion}"
        )
    rules = Rules(edition, before.walls, expansion=sheet.expansion)
    board, throw = board_of(before), Throw(_roll(known), known.extra)
    return rule_marked_turn(looks, rules, board, throw, finished=known.faces is not None)


def _roll(known: Known) -> Roll:
    rounds = known.before.rounds.values() if known.before is not None else ()
    number = min(max(rounds, default=0) + 1, ROUNDS + 1)
    return Roll(number, None) if known.faces is None else rolled(number, known.faces)


def _ruled_by_dice(sheet: SheetReading, looks: Looks, known: Known) -> BoardRuling | None:
    """With the dice alone, the round numbers written on the board tell what was there before.

    Nothing when they do not, or when the dice do not fit what is newest. What was there before is only known
    from the same picture, so what is doubtful of it stays so.
    """
    if known.faces is None:
        return None
    ruling = rule_board(looks, EDITION[sheet.edition], _walls(sheet))
    numbers = {cell: sheet.cells[GRID.names[cell]].round or 0 for cell in ruling.cells}
    newest = max(numbers.values(), default=0)
    earlier = {cell: number for cell, number in numbers.items() if 0 < number < newest}
    if len(ruling.cells) - len(earlier) > _MOST_A_ROUND:
        return None
    cells = {cell: ruling.cells[cell] for cell in earlier}
    before = Position(cells, EDITION[sheet.edition], earlier, walls=_walls(sheet))
    answer = ruled_sheet(sheet, replace(known, before=before))
    return None if answer.outcome == "refused" else _doubting(answer, ruling, earlier)


def _doubting(answer: BoardRuling, by_itself: BoardRuling, earlier: Collection[int]) -> BoardRuling:
    """The answer with the doubts of the board by itself about earlier cells."""
    doubts = tuple(doubt for doubt in by_itself.doubts if doubt.slot in earlier)
    if not doubts:
        return answer
    sure = prod(dict(doubt.options).get(answer.cells.get(doubt.slot), 0.0) for doubt in doubts)
    asked = {doubt.slot for doubt in doubts}
    kept = tuple(doubt for doubt in answer.doubts if doubt.slot not in asked)
    return replace(answer, outcome="ask", p=answer.p * sure, doubts=doubts + kept)
