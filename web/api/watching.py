"""What a camera over the table asks and proposes, and what people say to it."""

from __future__ import annotations

from typing import Annotated

import msgspec
from flask import Response, request, send_file

from companion.core.messages import m
from companion.service.photos.sent_pictures import PHONE
from companion.service.watching.table_watch import TableWatch
from companion.table.match import Match
from web.access.people import host_only
from web.api.matches import accepted_or_problem, done
from web.api.operations import operation
from web.api.shapes import Answered, Done, Sent
from web.exc import WebError
from web.pages.watching import may_speak_for
from web.site import find_match, playing, site
from web.ui.wording import for_people

PICTURES = ((40, 20.0),)  # of one address
MOST_BYTES = 8 * 2**20
_LIVELY, _CALM = 0.7, 5.0  # seconds between two pictures: in a match, and else
_Photo = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}(?!\n)$")]


class SlotAnswer(Sent, frozen=True):
    """What is in a doubtful slot of a board, of those that were offered; empty for nothing."""

    photo: _Photo
    slot: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    mark: Annotated[str, msgspec.Meta(max_length=40)] = ""


class Agreement(Sent, frozen=True):
    """The photograph from which something was proposed."""

    photo: _Photo


class Sender(Sent, frozen=True):
    """Which phone sends the pictures: a name that it made up for itself."""

    sender: Annotated[str, msgspec.Meta(pattern="^[0-9a-zA-Z_-]{8,64}(?!\n)$")]


class PictureTaken(Answered, frozen=True):
    """In how many seconds the next picture is wanted, and what became of this one."""

    again: float
    says: str


class WatchedSeatView(Answered, frozen=True):
    """A seat's board as the camera sees it; ``questions``: what may be in its doubtful slots."""

    seat: int
    state: str
    says: list[str]
    photo: str
    questions: dict[str, list[str]]


class WatchView(Answered, frozen=True):
    """What the camera over the table sees; ``trouble``: why it sees nothing."""

    watching: bool
    trouble: str
    seats: list[WatchedSeatView]


@operation(
    "POST",
    "/host/camera/pictures",
    "A picture from the phone that stands over the table (host)",
    PictureTaken,
    sent=("image/jpeg",),
    query=Sender,
    problems=(403, 409, 413, 429),
    allowed=host_only,
)
def take_picture(content: bytes, query: Sender) -> PictureTaken:
    """Keep the picture in memory, in the place of the one before, until the camera's part looks at it."""
    site().limiter.take("pictures", request.remote_addr or "", PICTURES)
    if len(content) > MOST_BYTES:
        raise WebError(413, "too-large", m("that is too large: a picture may have up to 8 MB"))
    if not content.startswith(b"\xff\xd8\xff"):
        raise WebError(415, "not-a-picture", m("send one of {kinds}", kinds="image/jpeg"))
    service = site().service
    if service.camera.name != PHONE:
        raise WebError(409, "no-camera", m("the table's camera is another one: choose phone in the settings"))
    if not service.camera.sent.put(query.sender, content):
        raise WebError(409, "other-camera", m("another phone is the table's camera: close its page first"))
    match = playing()
    if match is None:
        return PictureTaken(_CALM, m("The box waits for a match."))
    watch = service.watch
    trouble = watch.news.trouble if watch is not None else ""
    return PictureTaken(_LIVELY, trouble or m("The box looks at the table."))


@operation("GET", "/matches/<match>/watch", "What the camera over the table sees", WatchView, problems=(404,))
def watched(match: str) -> WatchView:
    """Tell of every board that the camera follows."""
    found = find_match(match)
    watch = site().service.watch
    if watch is None or watch.news.match != found.id:
        return WatchView(watching=False, trouble="", seats=[])
    seats = [
        WatchedSeatView(
            one.seat,
            one.state,
            [for_people(said, found) for said in one.says],
            one.photo,
            {slot: [mark or "" for mark, _ in options] for slot, options in one.questions.items()},
        )
        for one in watch.news.seats
    ]
    return WatchView(watching=True, trouble=watch.news.trouble, seats=seats)


@operation(
    "POST",
    "/matches/<match>/watch/<int:seat>/answers",
    "Say what is in a doubtful slot (the seat, the table's screen, the host)",
    WatchView,
    body=SlotAnswer,
    problems=(403, 404, 409),
)
def answer(match: str, seat: int, body: SlotAnswer) -> WatchView:
    """Settle a slot; the board is entered once nothing is in doubt."""
    found, watch = _spoken_for(match, seat)
    if not watch.answer(found, seat, body.photo, body.slot, body.mark):
        raise _not_asked()
    return watched(match)


@operation(
    "POST",
    "/matches/<match>/watch/<int:seat>/agreement",
    "Agree to what the camera proposes (the seat, the table's screen, the host)",
    Done,
    body=Agreement,
    problems=(403, 404, 409),
)
def agree(match: str, seat: int, body: Agreement) -> Done:
    """Enter what is new on the board of all for the seat whose turn it is."""
    found, watch = _spoken_for(match, seat)
    answered = watch.agree(found, seat, body.photo)
    if answered is None:
        raise _not_asked()
    return done(accepted_or_problem(answered))


@operation(
    "GET",
    "/matches/<match>/recording/<int:number>/<int:seat>",
    "A board at the end of a round, as the camera recorded it",
    None,
    kinds=("image/jpeg",),
    problems=(404,),
)
def recorded(match: str, number: int, seat: int) -> Response:
    """Return a small picture, if a recording was wanted."""
    path = site().service.recording.find(find_match(match).id, number, seat)
    if path is None:
        raise WebError(404, "no-photo", m("there is no such photograph"))
    return send_file(path, mimetype="image/jpeg")


def _spoken_for(match_id: str, seat: int) -> tuple[Match, TableWatch]:
    match, watch = find_match(match_id), site().service.watch
    if watch is None:
        raise _not_asked()
    if not may_speak_for(match, seat):
        raise WebError(
            403, "not-your-seat", m("only those who sit there can say that, the screen or the host")
        )
    return match, watch


def _not_asked() -> WebError:
    return WebError(409, "not-asked", m("nobody asks for that any more: look at the board as it is now"))
