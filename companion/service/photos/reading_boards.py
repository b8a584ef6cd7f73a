"""In the reader's process: from photographs of a match to what its rules make of the boards in them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import structs

from companion.core.messages import m
from companion.game.packages import find_package
from companion.game.registry import find_reader
from companion.game.teaching import serving
from companion.reading.answer import SeatQuery
from companion.reading.base import Reader
from companion.reading.evidence import PhotoReading
from companion.reading.types import BoardReading, Corners, ReadHints, SeatAnswer
from companion.service.photos.from_above import joined_above, whole_above
from companion.service.photos.pictures import ABOVE_QUALITY, OpenedPhoto, opened, packed, shrunk_to
from companion.service.photos.queries import NO_QUERY, MatchContext, Photo, PhotoQuery, PhotoRead
from companion.service.photos.worker import KeptReading, Worker
from companion.service.watching.looks import WatchedPhoto, WatchedQuery
from companion.table.exc import TableError

_COVERED = m("covered by something")
RECORDED, RECORDED_QUALITY = 480, 60  # pixels of the longer side of a recorded board, and as JPEG


def read_boards(
    worker: Worker,
    match: MatchContext,
    photos: Sequence[Photo],
    seat: int | None,
    query: PhotoQuery = NO_QUERY,
) -> PhotoRead:
    """Read a seat's board; without a seat every board in a picture of the whole table, from one reading.

    The last photograph is the one that is asked about; those before it are kept ones of other parts of the
    same table, read with it as one.
    """
    reader = find_reader(match.game)
    pictures = [opened(photo, worker.camera, match.game, match.state) for photo in photos]
    asked = pictures[-1]
    hints = _known_before(worker, reader, match, seat, query.corners, asked.digest)
    # Reading knows no rules, and is done once.
    kept = _reading(worker, reader, match.game, pictures, hints)
    # The rules' answer, seat by seat.
    boards = {}
    for ruled in reader.seats(match.state) if seat is None else [seat]:
        answer = reader.answer(
            SeatQuery(
                kept.reading, match.state, ruled, query.answers, asked.digest, query.scope, seat is not None
            )
        )
        if answer.action is not None:
            _remember(worker, reader, match, asked, answer, query.answers)
        if answer.action is not None and kept.parts:
            parts = [picture.digest for picture in pictures[:-1]]
            picture = {**answer.action.data["picture"], "parts": parts}
            action = structs.replace(answer.action, data={**answer.action.data, "picture": picture})
            answer = replace(answer, action=action)
        summary = answer.ruling.summary if answer.ruling else None
        board = BoardReading(asked.digest, summary, answer.action, answer.says)
        drawn = answer.sheet is not None and (seat is not None or query.pictures)
        boards[ruled] = _with_picture(board, reader, kept, pictures, answer) if drawn else board
    return PhotoRead(asked.digest, asked.cleaned if asked.is_new else None, boards)


def read_watched(worker: Worker, match: MatchContext, photo: Path, asked: WatchedQuery) -> WatchedPhoto:
    """Read a sheet that came to rest under a watching camera, and rule on it for some seats."""
    reader = find_reader(match.game)
    picture = opened(photo, worker.camera, match.game, match.state)
    own = asked.seats
    seats = dict.fromkeys(reader.seats(own[0].state), own[0]) if 0 in own else dict(own)
    alone = next(iter(seats)) if len(seats) == 1 else None
    hints = _known_before(worker, reader, match, alone, None, picture.digest)
    kept = _reading(worker, reader, match.game, [picture], hints)
    reading = without_hidden(kept.reading, frozenset(asked.hidden))
    boards, above = {}, b""
    for seat, one in seats.items():
        query = SeatQuery(reading, one.state, seat, one.answers, picture.digest, "", alone is not None)
        boards[seat] = reader.watched(query)
        if boards[seat].meaning == "complete" and reader.remembers:
            _remember(worker, reader, match, picture, reader.answer(query), one.answers)
        sheet = reader.seat_sheet(query) if asked.small else ()
        if not isinstance(sheet, tuple):
            above = packed(
                shrunk_to(reader.rectified_sheet(picture.image, sheet), RECORDED), RECORDED_QUALITY
            )
    return WatchedPhoto(boards, reader.proposes, above)


def without_hidden(reading: PhotoReading[Any], hidden: Collection[str]) -> PhotoReading[Any]:
    """A reading in which slots that something covered were not seen: never empty, nor anything else."""
    if not hidden:
        return reading
    sheets = []
    for sheet in reading.sheets:
        slots = {
            name: replace(slot, cannot_see=_COVERED) if name in hidden and not slot.cannot_see else slot
            for name, slot in sheet.slots.items()
        }
        sheets.append(replace(sheet, slots=slots))
    return replace(reading, sheets=tuple(sheets))


def _known_before(
    worker: Worker,
    reader: Reader[Any, Any, Any],
    match: MatchContext,
    seat: int | None,
    corners: Corners | None,
    digest: str,
) -> ReadHints:
    """What is known of a photograph before anything is read."""
    hints = reader.hints(match.state, seat, corners, serving(reader, match.taught))
    if not hints.players:  # a game that knows its players by something else than colours has said so
        hints = replace(hints, players=match.players)
    if match.match and reader.remembers:
        references = worker.memory.references(reader, match.match, digest, match.state)
        hints = replace(hints, references=references)
    return hints


def _remember(
    worker: Worker,
    reader: Reader[Any, Any, Any],
    match: MatchContext,
    picture: OpenedPhoto,
    answer: SeatAnswer[Any, Any],
    settled: Mapping[str, str],
) -> None:
    """Keep what an accepted photograph showed for the next ones of the match."""
    if match.match and reader.remembers:
        shown = reader.shown(picture.image, answer.sheet, answer.ruling, settled)
        worker.memory.keep(match.match, picture.digest, shown)


def _reading(
    worker: Worker, reader: Reader[Any, Any, Any], game: str, pictures: list[OpenedPhoto], hints: ReadHints
) -> KeptReading:
    """Join the photographs into one reading; only the last if it has nothing to join."""
    each = [
        worker.readings.get((game, picture.digest, hints), partial(_read_one, reader, picture, hints))
        for picture in pictures
    ]
    if len(each) == 1 or not each[-1].reading.sheets:
        return each[-1]
    if not reader.joins_photos:
        title = find_package(game).title
        raise TableError("not-joined", m("photographs of {title} are read one by one", title=title))
    return worker.readings.get(
        (game, " ".join(picture.digest for picture in pictures), hints),
        lambda: KeptReading(reader.joined([one.reading for one in each]), parts=tuple(each)),
    )


def _read_one(reader: Reader[Any, Any, Any], picture: OpenedPhoto, hints: ReadHints) -> KeptReading:
    return KeptReading(reader.read(picture.image, hints))


def _with_picture(
    board: BoardReading,
    reader: Reader[Any, Any, Any],
    kept: KeptReading,
    pictures: list[OpenedPhoto],
    answer: SeatAnswer[Any, Any],
) -> BoardReading:
    """With the sheet seen from above, and either what a page lays over it or what was ruled drawn on it."""
    sheet: Any = answer.sheet
    if kept.above is None or kept.above.sheet != sheet:
        if kept.parts:
            pairs = [
                (picture.image, one)
                for picture, part in zip(pictures, kept.parts, strict=True)
                for one in part.reading.sheets
                if (one.sheet, one.edition, one.seat) == (sheet.sheet, sheet.edition, sheet.seat)
            ]
            kept.above = joined_above(reader, sheet, pairs)
        else:
            kept.above = whole_above(reader, pictures[-1].image, sheet)
    above = kept.above
    board = replace(board, size=(above.image.shape[1], above.image.shape[0]), shown=above.shown)
    overlay = reader.overlay(sheet, answer.ruling) if answer.ruling else None
    if overlay is not None:
        return replace(board, picture=above.packed, overlay=overlay)
    drawn = reader.annotated_sheet(above.image, sheet, answer.ruling)
    return replace(board, picture=above.packed if drawn is above.image else packed(drawn, ABOVE_QUALITY))
