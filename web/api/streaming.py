"""Live updates of a match, streamed to open pages as server-sent events."""

from __future__ import annotations

from flask import Response

from web.access.people import person
from web.api.operations import operation
from web.live.stream_answer import stream_answer
from web.site import site


@operation(
    "GET",
    "/stream",
    "Live changes as server-sent events",
    None,
    kinds=("text/event-stream",),
    problems=(503,),
)
def stream() -> Response:
    """A first line at once; 503 when all streams are taken, and then the page polls.

    Those who play, the host and the table's screen get one before watchers do.
    """
    who = person()
    belongs = who.screen or who.seat is not None or who.guest is not None
    return stream_answer(site().live, belongs=belongs)
