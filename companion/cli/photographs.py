"""The work of ``read``, ``teach`` and ``teach-deck``; their options are in the modules of those names."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from companion.cli.bulk import (
    PHOTOGRAPHS,
    Bulk,
    content_of,
    done_all,
    error_of,
    exit_code_of,
    fault_of,
    name_of,
)
from companion.cli.output import FINE, NOT_SO, print_json
from companion.cli.taught import (
    NO_GAME,
    SegmentTeacher,
    described_slots,
    is_of_segments,
    outlined,
    read_slots,
    taught_boards,
    text_of,
)
from companion.core.errors import NotationError, quoted
from companion.core.jsontext import JsonObject, as_object, read_json
from companion.game.parts import DECK_ENDING
from companion.game.registry import find_reader, games_with_eyes
from companion.game.teaching import check_is_empty_board, segmented_printables
from companion.reading.base import Context, Reader
from companion.reading.evidence import PhotoReading
from companion.reading.report import ReadReport
from companion.reading.types import Corners, ReadHints
from companion.sheets.tags import SEATS
from vision.decoding import decoded
from vision.errors import VisionError

_OVERLAY_ENDINGS = (".jpg", ".jpeg", ".png")
_TAUGHT = "taught"  # the folder of taught boards beside the matches


# --- read ---


@dataclass(frozen=True)
class Asked:
    """What is asked of every photograph; small, as it travels to other processes."""

    game: str
    hints: ReadHints
    rolled: str | None
    before: Path | None


@dataclass(frozen=True)
class _Task:
    """What to do with every photograph."""

    reader: Reader[Any, Any, Any]
    hints: ReadHints
    context: Context[Any, Any]
    overlay: Path | None = None
    text: bool = False
    explain: bool = False

    def report(self, reading: PhotoReading[Any]) -> ReadReport[Any, Any]:
        """What is reported of a photograph."""
        return self.reader.report(reading, self.context)


def read(options: argparse.Namespace) -> int:
    """Read every photograph in turn; one that cannot be read gets an error of its own."""
    corners, photos = _corners_and_photos(options)
    _check_overlay(options.overlay, photos)
    if options.text and options.explain:
        raise NotationError("bad-options", "--explain adds to the JSON: leave out --text")
    task = replace(
        _prepared(_asked(options, corners), options.overlay, options.text), explain=options.explain
    )
    if options.join:
        return _read_joined(photos, task)
    worst = FINE
    for number, photo in enumerate(photos, start=1):
        _progress(f"{number} of {len(photos)}: {photo}")
        worst = max(worst, _read_one(photo, task))
        sys.stdout.flush()
    _progress("")
    return worst


def read_all(options: argparse.Namespace, bulk: Bulk) -> int:
    """Read every photograph of a folder, side by side."""
    corners, photos = _corners_and_names(options)
    if photos or options.overlay is not None or options.text or options.join or options.explain:
        message = "--all-in reads a folder's photographs, each by itself, as JSON: leave out {}"
        extra = "--overlay, --text, --join and --explain" if not photos else f"{quoted(photos[0])}"
        raise NotationError("bad-options", message.format(extra))
    asked = _asked(options, corners)
    _prepared(asked)  # what cannot be is said once, and not of every photograph
    return done_all(bulk, PHOTOGRAPHS, partial(read_one, asked))


def read_one(asked: Asked, file: str) -> JsonObject:
    """What is on one photograph, as ``read`` prints it."""
    name, task = name_of(file), _task_of_process(asked)
    try:
        report = task.report(task.reader.read(content_of(file), task.hints))
        return {**report.to_json(name), "photo": name}
    except Exception as problem:  # noqa: BLE001 - told, and the others go on
        return {"photo": name, "error": error_of(problem)}


@lru_cache(maxsize=1)
def _task_of_process(asked: Asked) -> _Task:
    """Return this process's task, creating its reader once."""
    import cv2

    cv2.setNumThreads(1)  # the processes are what is at work side by side
    return _prepared(asked)


def _asked(options: argparse.Namespace, corners: Corners | None) -> Asked:
    if options.taught:
        _check_teachable(options.game)
    taught = tuple(_known_path(options.folder, name) for name in options.taught)
    hints = ReadHints(
        options.edition, options.seat, corners, taught, _players(options.players), options.expansion
    )
    return Asked(options.game, hints, options.rolled, options.before)


def _prepared(asked: Asked, overlay: Path | None = None, text: bool = False) -> _Task:
    """Return the reader and the context given on the command line."""
    hints = asked.hints
    reader: Reader[Any, Any, Any]
    reader = taught_boards(hints.taught) if asked.game == NO_GAME else find_reader(asked.game)
    reader.check_expansion(asked.game, hints.expansion)
    context = reader.context(hints, asked.rolled)
    if asked.before is not None:
        context = _after(context, asked.before)
        hints = context.narrowed(hints)
    return _Task(reader, hints, context, overlay, text)


def _read_joined(photos: Sequence[str], task: _Task) -> int:
    """Read all photographs as one: what one does not show, another may."""
    if not task.reader.joins_photos:
        raise NotationError("not-joined", "photographs of this game are read one by one: leave out --join")
    if task.overlay is not None:
        raise NotationError("bad-overlay", "--overlay shows one photograph: leave it out with --join")
    readings, names, worst = [], [], FINE
    for number, photo in enumerate(photos, start=1):
        _progress(f"{number} of {len(photos)}: {photo}")
        try:
            readings.append(task.reader.read(Path(photo).read_bytes(), task.hints))
            names.append(photo)
        except Exception as problem:  # noqa: BLE001 - told, and the others go on
            worst = max(worst, _failed(photo, problem))
    _progress("")
    if not readings:
        return worst
    try:
        reading = task.reader.joined(readings)
        report = task.report(reading)
    except Exception as problem:  # noqa: BLE001 - told, and the others go on
        return max(worst, _failed(names[0], problem))
    if task.text:
        print("\n".join(report.lines(" + ".join(names))), end="\n\n")
    else:
        print_json(report.to_json(names[0], task.explain) | {"photos": names})
    return max(worst, NOT_SO if report.refused or not reading.sheets else FINE)


def _corners_and_photos(options: argparse.Namespace) -> tuple[Corners | None, list[str]]:
    """Return corners and photographs, of which there must be at least one."""
    corners, photos = _corners_and_names(options)
    if not photos:
        raise NotationError("no-photo", "name at least one photograph")
    return corners, photos


def _corners_and_names(options: argparse.Namespace) -> tuple[Corners | None, list[str]]:
    """Photographs may stand behind the corners, where the parser cannot tell them apart."""
    photos = list(options.photos)
    numbers: list[float] = []
    for text in options.corners or ():
        if len(numbers) < 8:
            numbers += _numbers(text)
        else:
            photos.append(text)
    if options.corners is None:
        return None, photos
    if len(numbers) != 8:
        raise NotationError(
            "bad-corners", "four corners are needed: --corners X,Y X,Y X,Y X,Y, clockwise from the top left"
        )
    return tuple((numbers[n], numbers[n + 1]) for n in range(0, 8, 2)), photos


def _check_teachable(game: str) -> None:
    """Refuse ``--taught`` for a reader to which taught boards are of no use."""
    if game == NO_GAME or game in segmented_printables():
        return
    reader = find_reader(game)
    if not (reader.learns_boards or reader.learns_decks):
        message = (
            f"{game} is read on its own printed sheet, and nothing can be taught for it: leave out --taught"
        )
        raise NotationError("not-teachable", message)


def _players(text: str | None) -> tuple[tuple[str, int], ...]:
    """Which seat plays which colour.

    >>> _players("red=1, light blue=2")
    (('red', 1), ('light blue', 2))
    """
    found: dict[str, int] = {}
    for part in text.split(",") if text else ():
        colour, equals, seat = (word.strip() for word in part.partition("="))
        if not colour or not equals or not seat.isdecimal() or not 1 <= int(seat) <= SEATS:
            message = f"{quoted(part.strip())} says not whose colour it is: write red=1,blue=2"
            raise NotationError("bad-players", message)
        if colour.lower() in found or int(seat) in found.values():
            raise NotationError(
                "bad-players", f"{quoted(part.strip())}: every colour has one seat, every seat one colour"
            )
        found[colour.lower()] = int(seat)
    return tuple(found.items())


def _numbers(text: str) -> list[float]:
    try:
        return [float(part) for part in text.replace(",", " ").split()]
    except ValueError:
        raise NotationError("bad-corners", f"{quoted(text)} is no corner: write X,Y in pixels") from None


def _after(context: Context[Any, Any], path: Path) -> Context[Any, Any]:
    """Return the context with the previous position, read from a file."""
    try:
        return context.after(as_object(read_json(path.read_bytes())))
    except OSError as problem:
        raise NotationError("no-file", f"{path}: {problem.strerror}") from None
    except NotationError as problem:
        raise NotationError(problem.code, f"{path}: {problem.message}") from None


def _check_overlay(overlay: Path | None, photos: Sequence[str]) -> None:
    if overlay is None or overlay.is_dir():
        return
    if overlay.suffix.lower() not in _OVERLAY_ENDINGS:
        raise NotationError("bad-overlay", f"{overlay}: call it .jpg or .png, for a JPEG or PNG")
    if len(photos) > 1:
        raise NotationError(
            "bad-overlay", "for several photographs --overlay has to be a folder that is there"
        )


def _overlay_of(photo: str, overlay: Path) -> Path:
    """Where the picture of a photograph goes: that file, or one in that folder."""
    return overlay / f"{Path(photo).stem}-read.jpg" if overlay.is_dir() else overlay


def _read_one(photo: str, task: _Task) -> int:
    try:
        data = Path(photo).read_bytes()
        reading = task.reader.read(data, task.hints)
        report = task.report(reading)
        if task.overlay is not None:
            _write_picture(report.annotated(decoded(data, 1).image), _overlay_of(photo, task.overlay))
    except Exception as problem:  # noqa: BLE001 - told, and the others go on
        return _failed(photo, problem)
    if task.text:
        print("\n".join(report.lines(photo)), end="\n\n")
    else:
        print_json(report.to_json(photo, task.explain))
    return NOT_SO if report.refused or not reading.sheets else FINE


def _failed(photo: str, problem: Exception) -> int:
    """Report a failed photograph in a line of JSON and one on standard error; reading goes on."""
    error = fault_of(problem)
    if not error:
        message = problem.strerror or str(problem) if isinstance(problem, OSError) else str(problem)
        code = getattr(problem, "code", "no-file" if isinstance(problem, OSError) else "bad-photo")
        error = {"code": code, "message": message}
    line = {"photo": photo, "error": error}
    print_json(line)
    print(f"stationmaster: {photo}: {error['message']}", file=sys.stderr)
    return exit_code_of(line)


def _write_picture(image: Any, path: Path) -> None:
    import cv2

    path.write_bytes(cv2.imencode(path.suffix.lower(), image)[1].tobytes())


def _progress(text: str) -> None:
    """Show progress in a line that is overwritten, on a terminal only."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


# --- teach ---


def teach(options: argparse.Namespace) -> int:
    """Learn a board and keep it."""
    teacher, described = _teacher(options)
    corners, photos = _corners_and_photos(options)
    if corners is None and not described:
        raise NotationError(
            "no-corners", "say where the board is: --corners X,Y X,Y X,Y X,Y, from its top left clockwise"
        )
    if len(photos) != 1:
        raise NotationError("one-photo", "a board is taught from one photograph")
    _check_overlay(options.overlay, photos)
    hints = ReadHints(options.edition, options.seat, corners, described=described)
    path = _taught_path(options.folder, options.name)
    data = Path(photos[0]).read_bytes()
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        image = decoded(data, 1).image
        check_is_empty_board(image, teacher)
        if options.overlay is not None:
            drawn = outlined(image, teacher.outlines(image, hints))
            _write_picture(drawn, _overlay_of(photos[0], options.overlay))
        says = teacher.teach(path, image, hints)
    except VisionError as problem:
        raise NotationError("bad-photo", f"{photos[0]}: {problem}") from problem
    called = options.game or (NO_GAME if isinstance(teacher, SegmentTeacher) else "GAME")
    told = f"{options.name} is taught; read {called} --taught {options.name} looks for it"
    if options.json:
        print_json({"taught": options.name, "file": str(path), "notes": [says] if says else []})
    else:
        print("\n".join([told, says] if says else [told]))
    return FINE


def teach_deck(options: argparse.Namespace) -> int:
    """Learn the cards of one photograph after the other, and keep the deck."""
    teacher = _deck_teacher(options.game)
    corners, photos = _corners_and_photos(options)
    if corners is not None and len(photos) != 1:
        raise NotationError("one-photo", "corners are those of one photograph: teach the others without them")
    path = _deck_path(options.folder, options.name)
    path.parent.mkdir(parents=True, exist_ok=True)
    says = ""
    for number, photo in enumerate(photos, start=options.first):
        _progress(f"{photo}")
        try:
            image = decoded(Path(photo).read_bytes(), 1).image
            says = teacher.teach_deck(path, number, image, ReadHints(options.edition, corners=corners))
        except VisionError as problem:
            raise NotationError("bad-photo", f"{photo}, photograph {number}: {problem}") from problem
    _progress("")
    told = f"deck {options.name} is taught; read GAME --taught {options.name} compares cards with it"
    if options.json:
        print_json({"taught": options.name, "file": str(path), "notes": [says] if says else []})
    else:
        print("\n".join([told, says] if says else [told]))
    return FINE


def _deck_teacher(game: str | None) -> Reader[Any, Any, Any]:
    """The reader to be taught: that of the game named, else the first that can learn decks."""
    for reader in map(find_reader, games_with_eyes() if game is None else [game]):
        if reader.learns_decks:
            return reader
    raise NotationError("not-teachable", f"decks of {quoted(game or '')} cannot be taught")


def _teacher(options: argparse.Namespace) -> tuple[Reader[Any, Any, Any] | SegmentTeacher, str]:
    """What learns the board, and what its owner wrote of it for its game.

    Without a game those boards are meant that are usually taught so, or with --slots one of no game.
    """
    game, slots, colours = options.game, options.slots, options.colours
    if game is None and slots is not None:
        return SegmentTeacher(read_slots(slots, colours)), ""
    if game in segmented_printables():
        text = "" if slots is None else text_of(slots)
        if is_of_segments(text):
            return SegmentTeacher(read_slots(slots, colours)), ""
        return SegmentTeacher(described_slots(game, slots, text, colours)), text
    if colours is not None:
        raise NotationError(
            "bad-colours", "--colours are those of pieces: say with --slots where they may lie"
        )
    for reader in map(find_reader, games_with_eyes() if game is None else [game]):
        if reader.learns_boards and (game is not None or reader.learns_unnamed):
            return reader, "" if slots is None else text_of(slots)
    decks = "; teach-deck learns its cards" if game and find_reader(game).learns_decks else ""
    raise NotationError("not-teachable", f"boards of {quoted(game or '')} cannot be taught{decks}")


def _known_path(folder: Path, name: str) -> Path:
    """The file of what was taught under this name: a deck, or a board."""
    found = next(
        (path for path in (_deck_path(folder, name), _taught_path(folder, name)) if path.exists()), None
    )
    if found is None:
        message = f"{quoted(name)} is no taught board and no deck in {folder}: teach it first"
        raise NotationError("not-taught", message)
    return found


def _deck_path(folder: Path, name: str) -> Path:
    return _taught_path(folder, name).with_name(f"{name}{DECK_ENDING}")


def _taught_path(folder: Path, name: str) -> Path:
    if not name.replace("-", "").replace("_", "").isalnum() or len(name) > 60:
        raise NotationError("bad-name", f"{quoted(name)} is no name for a board: letters, digits, - and _")
    return folder / _TAUGHT / f"{name}.json"
