"""Live updates."""

from __future__ import annotations

from flask import Response, request

from web.api.operations import operation
from web.exc import WebError
from web.limits import neighbourhood
from web.live import POLL_AGAIN
from web.people import person
from web.site import site
from web.speaking import language


@operation(
    "GET",
    "/stream",
    "Server-sent events: what changes, as it changes",
    None,
    kinds=("text/event-stream",),
    problems=(503,),
)
def stream() -> Response:
    """A first line at once; 503 when all streams are taken, and then the page polls.

    Those who play, the host and the table's screen get one before watchers do.
    """
    live, who = site().live, person()
    belongs = who.screen or who.seat is not None or who.guest is not None
    place = live.take(neighbourhood(request.remote_addr or ""), belongs=belongs, language=language())
    if place is None:
        message = "all live connections are taken: ask again later, and poll meanwhile"
        raise WebError(503, "no-stream", message, {"retry_after": POLL_AGAIN})
    answer = Response(live.stream(place), mimetype="text/event-stream")
    answer.headers["Cache-Control"] = "no-store"
    answer.call_on_close(lambda: live.give_back(place))
    return answer
