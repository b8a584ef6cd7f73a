"""Photographs by themselves, without a match: what is known beside them, and how they are told.

The line of ``stationmaster read --json``, the lines for people, the photograph with what was read on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import msgspec

from companion.games.contract import Plain
from companion.games.kit.errors import NotationError
from companion.games.kit.evidence import photo_json
from companion.games.kit.jsontext import shaped
from companion.games.parts import Context
from companion.games.railroad_ink.eye.overlay import MarkedSheet, marked_cells, overlaid
from companion.games.railroad_ink.eye.readings import PhotoReading, SheetReading
from companion.games.railroad_ink.eye.ruling.answer import BoardRuling
from companion.games.railroad_ink.eye.ruling.probabilities import SlotProbabilities
from companion.games.railroad_ink.eye.ruling.rule import BoardContext, board_of, rule
from companion.games.railroad_ink.rules.blueprints import blueprint_named
from companion.games.railroad_ink.rules.board import Roll, Rules, roll_refusal, rolled
from companion.games.railroad_ink.rules.expansions.actions import faces_refusal
from companion.games.railroad_ink.rules.expansions.tables import TABLES
from companion.games.railroad_ink.rules.position import Position, read_cells, read_position
from companion.games.railroad_ink.rules.rulebook import EDITION, ROUNDS, edition_with
from companion.games.railroad_ink.rules.walls import Walls, parse_walls
from vision.rectify import Image

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


class _EarlierLine(msgspec.Struct, frozen=True):
    sheets: list[_EarlierSheet]


@dataclass(frozen=True)
class KnownBoards(Context[SheetReading]):
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
        line = shaped(before, _EarlierLine)
        earlier = {(sheet.edition, sheet.seat): _position(sheet) for sheet in line.sheets}
        return replace(self, any_seat=None, by_seat=earlier)

    def of(self, sheet: SheetReading) -> Known:
        """What is known about one sheet."""
        before = self.any_seat or (self.by_seat or {}).get((sheet.edition, sheet.seat))
        return Known(before, self.faces, self.extra, self.expansion)

    def told(self, reading: PhotoReading) -> ToldBoards:
        """The photograph, with a ruling for each sheet about which something is known."""
        known = {place: self.of(sheet) for place, sheet in enumerate(reading.sheets)}
        rulings = {
            place: ruled_sheet(reading.sheets[place], one)
            for place, one in known.items()
            if one.anything and not reading.sheets[place].is_card
        }
        return ToldBoards(reading, rulings)


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


def _roll(known: Known) -> Roll:
    rounds = known.before.rounds.values() if known.before is not None else ()
    number = min(max(rounds, default=0) + 1, ROUNDS + 1)
    return Roll(number, None) if known.faces is None else rolled(number, known.faces)


# --- how it is told ---


@dataclass(frozen=True)
class ToldBoards:
    """A photograph of boards with the rulings on them, by the sheet's place in the reading."""

    reading: PhotoReading
    rulings: Mapping[int, BoardRuling]

    @property
    def refused(self) -> bool:
        """Is something on a board against the rules?"""
        return any(ruling.outcome == "refused" for ruling in self.rulings.values())

    def as_json(self, photo: str) -> Plain:
        """The line of ``read --json``."""
        return photo_json(photo, self.reading, self.rulings)

    def lines(self, photo: str) -> Iterator[str]:
        """What a person wants to know."""
        yield f"{photo}: {len(self.reading.sheets)} board(s)"
        for place, sheet in enumerate(self.reading.sheets):
            ruling = self.rulings.get(place)
            answer = ruling.as_json() if ruling is not None else None
            if sheet.is_card:
                yield f"a blueprint card: {_walls_words(sheet)}"
                continue
            yield f"seat {sheet.seat} ({sheet.edition}), found by {sheet.quality.found_by}"
            if sheet.walls:
                yield f"  walls: {_walls_words(sheet)}"
            yield from _board_lines(sheet, answer)
            if answer is not None:
                yield f"  ruling: {answer['outcome']}; new: {' '.join(answer['changed']) or 'nothing'}"
                yield from _mark_lines(answer)
                yield from (f"  against the rules: {sentence}" for sentence in answer["against_the_rules"])
            doubtful = answer["doubtful"] if answer is not None else sheet.doubtful
            if doubtful:
                yield f"  please check: {' '.join(doubtful)}"
        yield from self.reading.notes

    def overlay(self, image: Image) -> Image:
        """The photograph with everything that was read drawn on it."""
        return overlay_of(
            image, [(sheet, self.rulings.get(n)) for n, sheet in enumerate(self.reading.sheets)]
        )


def _walls_words(sheet: SheetReading) -> str:
    """The walls, and whose they are if they come along."""
    name = blueprint_named(_walls(sheet))
    told = " ".join(sheet.walls or ())
    return f"{name} ({told})" if name else told


def _mark_lines(answer: Plain) -> Iterator[str]:
    told = [f"{place} {text}" for place, text in answer.get("marks", {}).items()]
    if told:
        yield f"  marks: {', '.join(told)}"


def _board_lines(sheet: SheetReading, answer: Plain | None) -> Iterator[str]:
    texts = {
        name: answer["cells"].get(name, "") if answer is not None else "?" if cell.cannot_see else cell.best
        for name, cell in sheet.cells.items()
    }
    for row in "1234567":
        yield "  " + "".join(f"{texts[column + row] or '.':7}" for column in "abcdefg").rstrip()


def overlay_of(image: Image, rulings: Sequence[tuple[SheetReading, BoardRuling | None]]) -> Image:
    """The photograph with sheets and the rulings on them drawn on it."""
    return overlaid(image, [_marked(sheet, ruling) for sheet, ruling in rulings])


def _marked(sheet: SheetReading, ruling: BoardRuling | None) -> MarkedSheet:
    unseen = marked_cells(name for name, cell in sheet.cells.items() if cell.cannot_see is not None)
    if ruling is None:
        texts = {
            name: cell.best for name, cell in sheet.cells.items() if cell.best and cell.cannot_see is None
        }
        doubtful = marked_cells(name for name in sheet.doubtful) - unseen
        return MarkedSheet(sheet.corners_px, read_cells(texts), doubtful, unseen, (), f"seat {sheet.seat}")
    title = f"seat {sheet.seat}: {ruling.outcome}"
    return MarkedSheet(
        sheet.corners_px,
        ruling.cells,
        ruling.doubtful,
        unseen,
        ruling.changed,
        title,
        ruling.outcome == "refused",
    )
