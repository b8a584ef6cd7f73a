"""What ``read`` and ``teach`` do: see :mod:`companion.commands.reading` for their options."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from companion.commands.exits import BAD_INPUT, FINE, NOT_SO
from companion.commands.records import print_json
from companion.games.derailed.eye import commands as card_photographs
from companion.games.kit.errors import GameError, NotationError
from companion.games.kit.grid import quoted
from companion.games.kit.jsontext import as_object, read_json, shaped
from companion.games.railroad_ink.eye.answers import READABLE, Known, overlay_of, ruled_sheet
from companion.games.railroad_ink.eye.boards import teach as teach_board
from companion.games.railroad_ink.eye.reading import ReadWish, read_photo
from companion.games.railroad_ink.eye.readings import PhotoReading, SheetReading, reading_json
from companion.games.railroad_ink.eye.verdict import Ruling, ruling_json
from companion.games.railroad_ink.rules.board import rolled
from companion.games.railroad_ink.rules.position import Position, read_position
from companion.games.railroad_ink.rules.rulebook import EDITION
from vision.decoding import decoded
from vision.errors import VisionError
from vision.taught import TaughtBoard, load_taught, save_taught

_OVERLAY_ENDINGS = (".jpg", ".jpeg", ".png")
_TAUGHT = "taught"  # the folder of taught boards beside the matches


# --- read ---


@dataclass(frozen=True)
class _Task:
    """What to do with every photograph."""

    wish: ReadWish
    faces: tuple[str, ...] | None
    before: _Before | None
    overlay: Path | None
    text: bool
    cards: card_photographs.CardTask | None = None  # for a game of cards


@dataclass(frozen=True)
class _Before:
    """The positions before: one for whatever is in the picture, or one a seat from an earlier reading."""

    any_seat: Position | None
    by_seat: dict[tuple[str, int], Position]

    def of(self, sheet: SheetReading) -> Position | None:
        """The position of a sheet."""
        return self.any_seat or self.by_seat.get((sheet.edition, sheet.seat))


class _EarlierCell(msgspec.Struct, frozen=True):
    route: str | None = None
    round: int | None = None


class _EarlierRuling(msgspec.Struct, frozen=True):
    cells: dict[str, str]


class _EarlierSheet(msgspec.Struct, frozen=True):
    """What is used of a sheet in an earlier line of ``read``."""

    edition: str
    seat: int
    cells: dict[str, _EarlierCell]
    ruling: _EarlierRuling | None = None


class _EarlierLine(msgspec.Struct, frozen=True):
    sheets: list[_EarlierSheet]


def read(options: argparse.Namespace) -> int:
    """Read every photograph in turn; one that cannot be read gets an error of its own."""
    _check_game(options.game)
    corners, photos = _corners_and_photos(options)
    _check_overlay(options.overlay, photos)
    task = _card_task(options) if options.game == card_photographs.GAME else _board_task(options, corners)
    worst = FINE
    for number, photo in enumerate(photos, start=1):
        _progress(f"{number} of {len(photos)}: {photo}")
        worst = max(worst, _read_one(photo, task))
        sys.stdout.flush()
    _progress("")
    return worst


def _board_task(options: argparse.Namespace, corners: list[tuple[float, float]] | None) -> _Task:
    taught = tuple(load_taught(_taught_path(options.folder, name)) for name in options.taught)
    return _Task(
        wish=ReadWish(options.edition, options.seat, corners, taught),
        faces=_faces(options.rolled),
        before=_before(options.before),
        overlay=options.overlay,
        text=options.text,
    )


def _card_task(options: argparse.Namespace) -> _Task:
    cards = card_photographs.card_task(options)
    return _Task(ReadWish(), None, None, options.overlay, options.text, cards)


def _check_game(game: str) -> None:
    if game not in READABLE:
        message = f"photographs of {quoted(game)} cannot be read: choose {' or '.join(READABLE)}"
        raise NotationError("not-readable", message)


def _corners_and_photos(options: argparse.Namespace) -> tuple[list[tuple[float, float]] | None, list[str]]:
    """Photographs may stand behind the corners, where the parser cannot tell them apart."""
    photos = list(options.photos)
    numbers: list[float] = []
    for text in options.corners or ():
        if len(numbers) < 8:
            numbers += _numbers(text)
        else:
            photos.append(text)
    if not photos:
        raise NotationError("no-photo", "name at least one photograph")
    if options.corners is None:
        return None, photos
    if len(numbers) != 8:
        raise NotationError(
            "bad-corners", "four corners are needed: --corners X,Y X,Y X,Y X,Y, clockwise from the top left"
        )
    return [(numbers[n], numbers[n + 1]) for n in range(0, 8, 2)], photos


def _numbers(text: str) -> list[float]:
    try:
        return [float(part) for part in text.replace(",", " ").split()]
    except ValueError:
        raise NotationError("bad-corners", f"{quoted(text)} is no corner: write X,Y in pixels") from None


def _faces(text: str | None) -> tuple[str, ...] | None:
    if text is None:
        return None
    faces = text.replace(",", " ").split()
    rolled(0, faces)  # what is no face is said now
    if len(faces) != len(EDITION["challenge"].dice):
        raise NotationError(
            "bad-roll", f"{len(faces)} faces were given: a round has 4, such as NS,ne,Ns*,NES"
        )
    return tuple(faces)


def _before(path: Path | None) -> _Before | None:
    if path is None:
        return None
    try:
        value = as_object(read_json(path.read_bytes()))
    except OSError as problem:
        raise NotationError("no-file", f"{path}: {problem.strerror}") from None
    except NotationError as problem:
        raise NotationError(problem.code, f"{path}: {problem.message}") from None
    if "sheets" not in value:
        return _Before(read_position(value), {})
    line = shaped(value, _EarlierLine)
    return _Before(None, {(sheet.edition, sheet.seat): _position(sheet) for sheet in line.sheets})


def _position(sheet: _EarlierSheet) -> Position:
    """The position of a sheet in an earlier line of ``read``: as it was ruled, else as it was read."""
    as_read = {name: cell.route for name, cell in sheet.cells.items() if cell.route}
    cells = sheet.ruling.cells if sheet.ruling is not None else as_read
    rounds = {name: cell.round for name, cell in sheet.cells.items() if name in cells and cell.round}
    return read_position({"cells": cells, "rounds": rounds, "edition": sheet.edition})


def _check_overlay(overlay: Path | None, photos: Sequence[str]) -> None:
    if overlay is None or overlay.is_dir():
        return
    if overlay.suffix.lower() not in _OVERLAY_ENDINGS:
        raise NotationError("bad-overlay", f"{overlay}: call it .jpg or .png, for a JPEG or PNG")
    if len(photos) > 1:
        raise NotationError(
            "bad-overlay", "for several photographs --overlay has to be a folder that is there"
        )


def _read_one(photo: str, task: _Task) -> int:
    try:
        data = Path(photo).read_bytes()
        if task.cards is not None:
            return _read_cards(photo, data, task, task.cards)
        reading = read_photo(data, task.wish)
        rulings = _rulings(reading, task)
        if task.overlay is not None:
            _write_overlay(data, reading, rulings, _overlay_path(task.overlay, photo))
    except (OSError, VisionError, GameError) as problem:
        return _failed(photo, problem)
    if task.text:
        print("\n".join(_lines(photo, reading, rulings)), end="\n\n")
    else:
        print_json(reading_json(photo, reading, {n: ruling_json(one) for n, one in rulings.items()}))
    refused = any(ruling.outcome == "refused" for ruling in rulings.values())
    return NOT_SO if refused or not reading.sheets else FINE


def _read_cards(photo: str, data: bytes, task: _Task, cards: card_photographs.CardTask) -> int:
    read = card_photographs.read_one(data, cards)
    if task.overlay is not None:
        card_photographs.write_overlay(data, read, _overlay_path(task.overlay, photo))
    card_photographs.tell(photo, read, task.text)
    return read.result


def _failed(photo: str, problem: Exception) -> int:
    """One line of JSON in its place, one for people on standard error; the others are read all the same."""
    message = problem.strerror or str(problem) if isinstance(problem, OSError) else str(problem)
    code = getattr(problem, "code", "no-file" if isinstance(problem, OSError) else "bad-photo")
    print_json({"photo": photo, "error": {"code": code, "message": message}})
    print(f"stationmaster: {photo}: {message}", file=sys.stderr)
    return BAD_INPUT


def _rulings(reading: PhotoReading, task: _Task) -> dict[int, Ruling]:
    """By the sheet's place: a ruling for each sheet about which something is known."""
    rulings = {}
    for place, sheet in enumerate(reading.sheets):
        before = task.before.of(sheet) if task.before is not None else None
        known = Known(before, task.faces)
        if known.anything:
            rulings[place] = ruled_sheet(sheet, known)
    return rulings


def _write_overlay(data: bytes, reading: PhotoReading, rulings: dict[int, Ruling], path: Path) -> None:
    import cv2

    image = overlay_of(data, [(sheet, rulings.get(place)) for place, sheet in enumerate(reading.sheets)])
    packed = cv2.imencode(path.suffix.lower(), image)[1]
    path.write_bytes(packed.tobytes())


def _overlay_path(overlay: Path, photo: str) -> Path:
    return overlay / f"{Path(photo).stem}-read.jpg" if overlay.is_dir() else overlay


def _lines(photo: str, reading: PhotoReading, rulings: dict[int, Ruling]) -> Iterator[str]:
    """What a person wants to know."""
    yield f"{photo}: {len(reading.sheets)} board(s)"
    for place, sheet in enumerate(reading.sheets):
        ruling = rulings.get(place)
        yield f"seat {sheet.seat} ({sheet.edition}), found by {sheet.quality.found_by}"
        yield from _board_lines(sheet, ruling)
        if ruling is not None:
            answer = ruling_json(ruling)
            yield f"  ruling: {ruling.outcome}; new: {' '.join(answer['changed']) or 'nothing'}"
            yield from (f"  against the rules: {sentence}" for sentence in ruling.against)
        doubtful = ruling_json(ruling)["doubtful"] if ruling is not None else sheet.doubtful
        if doubtful:
            yield f"  please check: {' '.join(doubtful)}"
    yield from reading.notes


def _board_lines(sheet: SheetReading, ruling: Ruling | None) -> Iterator[str]:
    ruled = ruling_json(ruling)["cells"] if ruling is not None else {}
    texts = {
        name: ruled.get(name, "") if ruling is not None else "?" if cell.cannot_see else cell.best
        for name, cell in sheet.cells.items()
    }
    for row in "1234567":
        yield "  " + "".join(f"{texts[column + row] or '.':7}" for column in "abcdefg").rstrip()


def _progress(text: str) -> None:
    """A line that is written over, and only for somebody who is looking."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


# --- teach ---


def teach(options: argparse.Namespace) -> int:
    """Learn a board and keep it."""
    corners, photos = _corners_and_photos(options)
    if corners is None:
        raise NotationError(
            "no-corners", "say where the grid is: --corners X,Y X,Y X,Y X,Y, from its top left"
        )
    if len(photos) != 1:
        raise NotationError("one-photo", "a board is taught from one photograph")
    path = _taught_path(options.folder, options.name)
    try:
        image = decoded(Path(photos[0]).read_bytes(), 1).image
        board: TaughtBoard = teach_board(options.name, image, corners, options.seat, options.edition)
    except VisionError as problem:
        raise NotationError("bad-photo", f"{photos[0]}: {problem}") from problem
    path.parent.mkdir(parents=True, exist_ok=True)
    save_taught(board, path)
    told = f"{options.name} is taught; read --taught {options.name} looks for it"
    print_json({"taught": options.name, "file": str(path)}) if options.json else print(told)
    return FINE


def _taught_path(folder: Path, name: str) -> Path:
    if not name.replace("-", "").replace("_", "").isalnum() or len(name) > 60:
        raise NotationError("bad-name", f"{quoted(name)} is no name for a board: letters, digits, - and _")
    return folder / _TAUGHT / f"{name}.json"
