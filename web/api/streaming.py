"""Live updates."""

from __future__ import annotations

from flask import Response

from web.api.operations import operation
from web.exc import WebError
from web.live import POLL_AGAIN
from web.site import site


@operation(
    "GET",
    "/stream",
    "Server-sent events: what changes, as it changes",
    None,
    kinds=("text/event-stream",),
    problems=(503,),
)
def stream() -> Response:
    """A first line at once; 503 when all streams are taken, and then the page polls."""
    live = site().live
    if not live.take():
        message = "all live connections are taken: ask again later, and poll meanwhile"
        raise WebError(503, "no-stream", message, {"retry_after": POLL_AGAIN})
    answer = Response(live.stream(), mimetype="text/event-stream")
    answer.headers["Cache-Control"] = "no-store"
    answer.call_on_close(live.give_back)
    return answer
