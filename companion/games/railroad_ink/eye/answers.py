"""From a photograph to what the rules make of it: the one place where reading and ruling meet.

The command line and the service both come here; neither the camera nor the rules know of each other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from companion.games.contract import Action, Plain
from companion.games.derailed.eye import answers as card_reading
from companion.games.kit.words import listed
from companion.games.railroad_ink.eye.looks import Looks, with_answers
from companion.games.railroad_ink.eye.overlay import MarkedSheet, marked_cells, overlaid
from companion.games.railroad_ink.eye.reading import ReadWish, read_photo
from companion.games.railroad_ink.eye.readings import PhotoReading, SheetReading
from companion.games.railroad_ink.eye.ruling import board_of, rule_board, rule_turn
from companion.games.railroad_ink.eye.verdict import Ruling, moves_json, refused_outright, ruling_json
from companion.games.railroad_ink.rules.board import Board, Roll, Rules, roll_refusal, rolled
from companion.games.railroad_ink.rules.position import Position, print_cells, read_cells
from companion.games.railroad_ink.rules.rulebook import EDITION, GRID, ROUNDS
from companion.games.railroad_ink.rules.state import State
from companion.table.exc import TableError
from companion.table.match import Match
from vision.decoding import decoded
from vision.errors import VisionError
from vision.rectify import Image

BOARDS = "railroad-ink"  # the game whose boards are read here
READABLE = (BOARDS, card_reading.GAME)
_MOST_A_ROUND = 9  # four dice, three duplicates, two special routes
_SURE_NUMBER = 0.9


# --- photographs by themselves ---


@dataclass(frozen=True)
class Known:
    """What is known beside a photograph: the position before, and the dice of the round."""

    before: Position | None = None
    faces: tuple[str, ...] | None = None

    @property
    def anything(self) -> bool:
        """Is there anything for the rules to use?"""
        return self.before is not None or self.faces is not None


def ruled_sheet(sheet: SheetReading, known: Known) -> Ruling:
    """The rules' answer to one sheet."""
    edition = EDITION[sheet.edition]
    looks = sheet.looks
    if known.faces is not None:
        impossible = roll_refusal(edition, known.faces)
        if impossible is not None:
            return refused_outright(impossible.message)
    if known.before is not None:
        rules = Rules(edition, known.before.walls)
        return rule_turn(looks, rules, board_of(known.before), _roll(known), finished=known.faces is not None)
    return _ruled_by_dice(sheet, looks, known) or rule_board(looks, edition)


def _roll(known: Known) -> Roll:
    rounds = known.before.rounds.values() if known.before is not None else ()
    number = min(max(rounds, default=0) + 1, ROUNDS + 1)
    return Roll(number, None) if known.faces is None else rolled(number, known.faces)


def _ruled_by_dice(sheet: SheetReading, looks: Looks, known: Known) -> Ruling | None:
    """With the dice alone, the round numbers written on the board tell what was there before.

    Nothing when they do not, or when the dice do not fit what is newest.
    """
    if known.faces is None:
        return None
    ruling = rule_board(looks, EDITION[sheet.edition])
    numbers = {cell: sheet.cells[GRID.names[cell]].round or 0 for cell in ruling.cells}
    newest = max(numbers.values(), default=0)
    earlier = {cell: number for cell, number in numbers.items() if 0 < number < newest}
    if len(ruling.cells) - len(earlier) > _MOST_A_ROUND:
        return None
    cells = {cell: ruling.cells[cell] for cell in earlier}
    answer = ruled_sheet(sheet, replace(known, before=Position(cells, EDITION[sheet.edition], earlier)))
    return None if answer.outcome == "refused" else answer


# --- a seat's board in a match ---


@dataclass(frozen=True)
class BoardAnswer:
    """What became of a photograph of a seat's board.

    ``action`` is what to submit once nothing is in doubt; while the ruling asks, read again with answers.
    ``says`` are sentences for people: why there is no action, or what to do for a better picture.
    """

    photo: str
    ruling: Ruling | None
    action: Action | None
    says: tuple[str, ...] = ()
    sheet: SheetReading | None = None

    def as_json(self) -> Plain:
        """For the pages."""
        return {
            "photo": self.photo,
            "ruling": ruling_json(self.ruling) if self.ruling is not None else None,
            "action": self.action and {"kind": self.action.kind, "data": self.action.data},
            "says": list(self.says),
        }


def read_board(
    photo: bytes,
    match: Match,
    seat: int,
    answers: Mapping[str, str] | None = None,
    wish: ReadWish | None = None,
) -> BoardAnswer:
    """Read the board of one seat and rule on it as the match stands; ``answers`` settle doubtful cells.

    What is no picture is a :class:`TableError`.
    """
    reading = _read(photo, match, wish)
    return _answer(reading, sha256(photo).hexdigest(), match, seat, dict(answers or {}))


def read_table(photo: bytes, match: Match) -> dict[int, BoardAnswer]:
    """Read every board of the match that is in the picture, by its seat."""
    reading = _read(photo, match, None)
    digest = sha256(photo).hexdigest()
    seen = {sheet.seat for sheet in reading.sheets} & match.players.keys()
    return {seat: _answer(reading, digest, match, seat, {}) for seat in sorted(seen)}


def _answer(
    reading: PhotoReading, digest: str, match: Match, seat: int, settled: dict[str, str]
) -> BoardAnswer:
    state: State = match.state
    sheet = _own_sheet(reading, state, seat)
    if isinstance(sheet, str):
        return BoardAnswer(digest, None, None, (sheet, *reading.notes))
    ruling = _ruled_in_match(with_answers(sheet.looks, settled), state, seat)
    picture = {"photo": digest, "settled": settled}
    action = _action(ruling, sheet, state, seat, picture) if ruling.outcome == "accepted" else None
    return BoardAnswer(digest, ruling, action, (*ruling.against, *reading.notes), sheet)


def _read(photo: bytes, match: Match, wish: ReadWish | None) -> PhotoReading:
    if match.game.name != BOARDS:
        raise TableError("not-readable", f"boards of {match.game.title} cannot be read from photographs yet")
    try:
        return read_photo(photo, wish)
    except VisionError as problem:
        raise TableError("bad-photo", str(problem)) from problem


def _own_sheet(reading: PhotoReading, state: State, seat: int) -> SheetReading | str:
    """The seat's sheet in the picture, or the sentence why there is none."""
    own = [sheet for sheet in reading.sheets if sheet.seat == seat]
    if len(own) > 1:
        return f"two boards of seat {seat} are in the picture: photograph yours alone"
    if not own:
        others = listed([str(other) for other in sorted({sheet.seat for sheet in reading.sheets})])
        seen = f"only that of seat {others} is" if others else "none is"
        return f"the board of seat {seat} is not in the picture; {seen}"
    if own[0].edition != state.options.edition:
        wanted = state.options.edition
        return f"this is a board of the {own[0].edition} edition; the match is played with the {wanted} one"
    return own[0]


def _ruled_in_match(looks: Looks, state: State, seat: int) -> Ruling:
    rules, board = state.rules, state.boards[seat]
    if state.mode == "umpire":
        if not state.dice:
            return refused_outright(f"first the dice of round {state.round} are rolled")
        return rule_turn(looks, rules, board, state.roll)
    ruling = rule_turn(looks, rules, _earlier(board, state), state.roll) if state.dice else None
    if ruling is not None and ruling.outcome != "refused":
        return ruling
    # People play on their own here, and perhaps several rounds since the last picture.
    return rule_board(looks, rules.edition, rules.walls)


def _earlier(board: Board, state: State) -> Board:
    """What was reported before this round: a board may be photographed again and again."""
    return board.before_round(state.round)


def _action(ruling: Ruling, sheet: SheetReading, state: State, seat: int, picture: Plain) -> Action | None:
    if state.mode == "scorekeeper":
        cells = print_cells(ruling.cells)
        rounds = {name: number for name in cells if (number := _sure_round(sheet, name)) is not None}
        return Action("report", seat, {"cells": cells, "rounds": rounds, "picture": picture})
    moves = [{key: move[key] for key in ("cell", "route", "from")} for move in moves_json(ruling)]
    return Action("turn", seat, {"moves": moves, "picture": picture}) if moves else None


def _sure_round(sheet: SheetReading, name: str) -> int | None:
    cell = sheet.cells[name]
    known = cell.round is not None and 1 <= cell.round <= ROUNDS and cell.round_p >= _SURE_NUMBER
    return cell.round if known else None


# --- for people to look at ---


def overlay_of(photo: Image | bytes, rulings: Sequence[tuple[SheetReading, Ruling | None]]) -> Image:
    """The photograph with everything that was read drawn on it."""
    image = decoded(photo, 1).image if isinstance(photo, bytes) else photo
    return overlaid(image, [_marked(sheet, ruling) for sheet, ruling in rulings])


def _marked(sheet: SheetReading, ruling: Ruling | None) -> MarkedSheet:
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
