"""Photographs: of a seat's board in a match, or of finished boards without one."""

from __future__ import annotations

import dataclasses
from base64 import b64encode
from typing import Any

from flask import Response, render_template, request, send_file
from msgspec.structs import replace

from companion.core.errors import GameError
from companion.core.messages import joined, listed, m
from companion.game.base import Game
from companion.reading.types import BoardReading, FoundBoard, ReadHints, SeatPhoto
from companion.service.photos.queries import PhotoQuery
from companion.table.events import Actor
from companion.table.match import Match
from companion.table.sitting import taken_seats
from web.access.limits import WORK
from web.access.people import host_only, person
from web.api.matches import accepted_or_problem, done, idempotency_key
from web.api.operations import operation
from web.api.photo_shapes import (
    Answers,
    CornersEntry,
    LaidOver,
    MarkWords,
    OtherBoard,
    PhotoAnswer,
    PhotoBoard,
    Photographing,
    PhotoScores,
    Proposal,
    TableBoard,
    ViewAnswer,
)
from web.api.room import seats_kept
from web.api.shapes import Empty, Said, ScoreRequest
from web.exc import WebError
from web.site import find_match, site
from web.ui import presenter_of
from web.ui.naming import by_name, told_by_name
from web.ui.wording import for_people

PICTURES = ("image/jpeg", "image/heic", "image/heif", "image/png", "image/webp")
MOST_BYTES = 20 * 2**20


def _own_seat(match: Match) -> int:
    seat = person().seat_in(match)
    if seat is None:
        raise WebError(403, "no-seat", m("take a seat first"))
    return seat


def slowly() -> None:
    """Apply the rate limit for expensive work to the reading of pictures."""
    address = request.remote_addr or ""
    site().limiter.take("work", address, WORK)


def check_size(content: bytes) -> None:
    """Refuse a photograph that is too large."""
    if len(content) > MOST_BYTES:
        raise WebError(413, "too-large", m("that is too large: a photograph may have up to 20 MB"))


@operation(
    "POST",
    "/matches/<match>/photos",
    "Read a photograph of your board, and enter it when nothing is in doubt (a seat)",
    PhotoAnswer,
    sent=PICTURES,
    query=Photographing,
    problems=(403, 404, 409, 429, 503),
)
def send_photo(match: str, content: bytes, query: Photographing) -> PhotoAnswer:
    """Read a photograph taken with a phone."""
    found = find_match(match)
    seat = _own_seat(found)
    check_size(content)
    slowly()
    return _told(found, seat, query, site().service.photos.read(found, seat, content, _wish(query)))


@operation(
    "POST",
    "/matches/<match>/photos/camera",
    "The same with the box's own camera (a seat)",
    PhotoAnswer,
    body=Photographing,
    problems=(403, 404, 409, 429, 503),
)
def use_camera(match: str, body: Photographing) -> PhotoAnswer:
    """Take a picture with the box's camera, once nothing moves, and read it."""
    found = find_match(match)
    seat = _own_seat(found)
    slowly()
    return _told(found, seat, body, site().service.photos.take(found, seat, _wish(body)))


@operation(
    "POST",
    "/matches/<match>/photos/<photo>/answers",
    "Settle the doubtful slots of your photograph (a seat)",
    PhotoAnswer,
    body=Answers,
    problems=(403, 404, 409, 429, 503),
)
def settle(match: str, photo: str, body: Answers) -> PhotoAnswer:
    """Rule on a photograph again with these answers; enter it once nothing is in doubt."""
    found = find_match(match)
    seat = body.seat if body.seat is not None and person().host else _own_seat(found)
    if body.seat is not None and body.seat != seat:
        if body.seat not in _enterable(found):
            message = m("you can enter boards of your own seats, and of those at which no phone sits")
            raise WebError(403, "not-your-seat", message)
        seat = body.seat
    slowly()
    photos = site().service.photos
    about = dataclasses.replace(_wish(body), answers=body.answers, corners=body.corners)
    told = _told(found, seat, body, photos.settle(found, seat, photo, about))
    if told.done is not None and seat not in site().joining.looked_after(found).union(person().seats):
        photos.finish_turn(found, seat, Actor("player", seat))
    return told


def _wish(asked: Photographing) -> PhotoQuery:
    return PhotoQuery(scope=asked.scope, parts=tuple(asked.parts.split(",")) if asked.parts else ())


def _enterable(match: Match) -> list[int]:
    """The seats whose boards this browser may enter from a photograph."""
    if person().host:
        return list(match.players)
    taken, mine = taken_seats(match) | seats_kept(match), person().seats
    return [seat for seat in match.players if seat in mine or seat not in taken]


def _others(match: Match, seat: int, reading: BoardReading) -> list[OtherBoard]:
    """Boards in the picture that may be entered instead, where the seat's own is not there."""
    if reading.ruling is not None or not reading.photo:
        return []
    allowed = [one for one in _enterable(match) if one != seat and match.holder(one).by == "person"]
    there = set(site().service.photos.seats_in(match, reading.photo)) if allowed else set()
    return [OtherBoard(one, match.players[one].name) for one in allowed if one in there]


@operation(
    "POST",
    "/matches/<match>/photos/<photo>/teach",
    "Teach an empty board of the owner's own (a seat)",
    Said,
    body=CornersEntry,
    problems=(403, 404, 409, 429, 503),
)
def teach(match: str, photo: str, body: CornersEntry) -> Said:
    """Teach a board; later photographs of it need no marked corners."""
    found = find_match(match)
    seat = _own_seat(found)
    slowly()
    taught = site().service.taught.teach_board(found, seat, photo, body.corners)
    return Said(joined(". ", [m("remembered as {name}", name=taught.name), *filter(None, [taught.says])]))


@operation(
    "GET",
    "/host/camera",
    "A picture from the box's camera (host)",
    ViewAnswer,
    problems=(403, 409, 429, 503),
    allowed=host_only,
)
def look() -> ViewAnswer:
    """Report which boards the camera sees, and how well, to help in placing it."""
    slowly()
    seen, match = site().service.photos.look(), site().service.table.current
    players = match.players if match else {}
    sheets = [replace(sheet, name=by_name(sheet.name, players)) for sheet in seen.view.sheets]
    return ViewAnswer(data_address(seen.picture), sheets, [by_name(one, players) for one in seen.view.notes])


_EVERY_BOARD = PhotoQuery(pictures=True)


@operation(
    "POST",
    "/matches/<match>/photos/table",
    "Read a picture of the whole table taken with the box's camera (host)",
    list[TableBoard],
    body=Empty,
    problems=(403, 404, 409, 429, 503),
    allowed=host_only,
)
def photograph_table(match: str) -> list[TableBoard]:
    """Photograph the table; read every board, and enter those without doubts."""
    return _table_read(match, None)


@operation(
    "POST",
    "/matches/<match>/photos/table/sent",
    "The same with a picture that a phone has taken (host)",
    list[TableBoard],
    sent=PICTURES,
    problems=(403, 404, 409, 429, 503),
    allowed=host_only,
)
def send_table_photo(match: str, content: bytes) -> list[TableBoard]:
    """Read every board in a picture taken with a phone, and enter those without doubts."""
    check_size(content)
    return _table_read(match, content)


def _table_read(match: str, content: bytes | None) -> list[TableBoard]:
    slowly()
    found = find_match(match)
    return [_on_table(found, one) for one in site().service.photos.read_table(found, content, _EVERY_BOARD)]


def _on_table(match: Match, one: SeatPhoto) -> TableBoard:
    reading, player = one.reading, match.players[one.seat]
    return TableBoard(
        one.seat,
        player.name,
        player.colour,
        one.entered,
        reading.photo,
        reading.outcome,
        told_by_name(reading.ruling.told, match.players) if reading.ruling else None,
        [for_people(said, match) for said in one.says],
        data_address(reading.picture),
        _laid_over(match, reading),
    )


@operation(
    "DELETE",
    "/host/taught/<name>",
    "Forget a taught board (host)",
    Said,
    problems=(403, 404),
    allowed=host_only,
)
def forget(name: str) -> Said:
    """Forget a taught board: its photographs need corner tags or marked corners again."""
    if not site().service.taught.forget_board(name):
        raise WebError(404, "no-board", m("there is no such taught board"))
    return Said(m("{name} is forgotten", name=name))


def _told(match: Match, seat: int, asked: Photographing, reading: BoardReading) -> PhotoAnswer:
    entered, proposed = None, None
    waits = asked.propose == "always" or (asked.propose == "parts" and bool(reading.shown.missing))
    if reading.action is not None and waits:
        proposed = Proposal(reading.action.kind, reading.action.data)
    elif reading.action is not None:
        actor = Actor("player", seat)  # whose board it is; that this browser may say so has been checked
        answer = site().service.table.submit(reading.action, actor, idempotency_key(), match=match.id)
        entered = done(accepted_or_problem(answer))
    return PhotoAnswer(
        photo=reading.photo,
        outcome=reading.outcome,
        ruling=told_by_name(reading.ruling.told, match.players) if reading.ruling else None,
        says=[for_people(one, match) for one in reading.says],
        picture=data_address(reading.picture),
        done=entered,
        others=_others(match, seat, reading),
        proposed=proposed,
        overlay=_laid_over(match, reading),
        shown=reading.shown,
    )


def _laid_over(match: Match, reading: BoardReading) -> LaidOver | None:
    """The slots that matter, called as people call them."""
    if reading.overlay is None:
        return None
    slots = {
        name: replace(slot, says=slot.says or for_people(joined("", [name]), match))
        for name, slot in reading.overlay.slots.items()
    }
    marks = {
        mark: MarkWords(
            listed(match.players[seat].name for seat in seats),
            [match.players[seat].colour for seat in seats],
        )
        for mark, seats in reading.overlay.owners.items()
        if all(seat in match.players for seat in seats)
    }
    return LaidOver(reading.size, slots, marks)


def data_address(picture: bytes | None) -> str:
    """A picture as an address that has it in itself."""
    return f"data:image/jpeg;base64,{b64encode(picture).decode()}" if picture else ""


@operation("GET", "/photos/<photo>", "A photograph of a match", None, kinds=("image/jpeg",), problems=(404,))
def photo(photo: str) -> Response:
    """Return a stored photograph, without metadata."""
    path = site().service.photos.find(photo)
    if path is None:
        raise WebError(404, "no-photo", m("there is no such photograph"))
    answer = send_file(path, mimetype="image/jpeg")
    answer.headers["Cache-Control"] = "private, max-age=31536000, immutable"
    return answer


@operation(
    "POST",
    "/scores/photos",
    "The scores of all boards in a photograph, without a match",
    PhotoScores,
    sent=PICTURES,
    query=ScoreRequest,
    problems=(409, 429),
)
def score_photo(content: bytes, query: ScoreRequest) -> PhotoScores:
    """Read and score the boards on a photograph; neither photograph nor scores are stored."""
    check_size(content)
    slowly()
    found = site().service.photos.score(content, query.game, ReadHints(expansion=query.expansion))
    game = site().service.games[found.game]
    boards = [_scored(game, number, board) for number, board in enumerate(found.boards)]
    return PhotoScores(boards, list(found.notes))


def _scored(game: Game[Any], number: int, board: FoundBoard) -> PhotoBoard:
    score, html = None, ""
    says = list(board.says)
    if board.outcome != "refused":
        try:
            score = game.score_position(board.position)
            rows = presenter_of(game).position_rows(board.position)
            html = render_template(
                "pieces/score.html", rows=rows, total=score.get("total"), prefix=f"photo-{number}"
            )
        except GameError as problem:
            says.append(problem.message)
    return PhotoBoard(
        board.seat,
        board.position,
        dict(board.marks),
        board.outcome,
        list(board.doubtful),
        says,
        data_address(board.picture),
        score,
        html,
    )
