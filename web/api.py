"""JSON under ``/api/v1``: everything the pages do, and nothing else is there for them."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, request

from web.exc import WebError
from web.live import POLL_AGAIN
from web.site import find_match, site

api = Blueprint("api", __name__, url_prefix="/api/v1")


@api.get("/pieces")
def pieces() -> Response:
    """The changing parts of a page as the box draws them."""
    match = find_match(request.args.get("match"))
    made = site().pieces.pieces(match, "watch", None)
    answer = jsonify({"match": made.match, "version": made.version, "pieces": made.html})
    answer.set_etag(f"{made.match}.{made.version}.watch")
    answer.make_conditional(request)
    return answer


@api.get("/events")
def events() -> Response:
    """Server-sent events: what changes, as it changes."""
    live = site().live
    if not live.take():
        raise WebError(
            503,
            "no-stream",
            "all live connections are taken: ask again later, and poll meanwhile",
            {"retry_after": POLL_AGAIN},
        )
    answer = Response(live.stream(), mimetype="text/event-stream")
    answer.headers["Cache-Control"] = "no-store"
    answer.call_on_close(live.give_back)
    return answer
