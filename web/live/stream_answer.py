"""The answer to a request for a live stream, of a box or of a hub."""

from __future__ import annotations

from flask import Response, request

from companion.core.messages import m
from web.access.limits import neighbourhood
from web.exc import WebError
from web.live.streams import POLL_AGAIN, Live
from web.ui.speaking import language


def stream_answer(live: Live, *, belongs: bool) -> Response:
    """Server-sent events for as long as the browser listens; a 503 when all streams are taken."""
    place = live.take(neighbourhood(request.remote_addr or ""), belongs=belongs, language=language())
    if place is None:
        message = m("all live connections are in use: try again later, and poll until then")
        raise WebError(503, "no-stream", message, {"retry_after": POLL_AGAIN})
    answer = Response(live.stream(place), mimetype="text/event-stream")
    answer.headers["Cache-Control"] = "no-store"
    answer.call_on_close(lambda: live.give_back(place))
    return answer
