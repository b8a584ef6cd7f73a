"""Answers to phones' connectivity checks (captive portal probes).

In the box's own network nothing leads to the Internet. A phone that gets no answer to its probe leaves for
mobile data, and the page is gone; so probes are answered as the Internet would.
"""

from __future__ import annotations

from flask import Response, request

_APPLE = "<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>"
# By path: status, kind and content, as each maker's probe expects them.
_ANSWERS: dict[str, tuple[int, str, str]] = {
    "/generate_204": (204, "text/plain", ""),  # Android, ChromeOS
    "/gen_204": (204, "text/plain", ""),
    "/hotspot-detect.html": (200, "text/html", _APPLE),
    "/library/test/success.html": (200, "text/html", _APPLE),
    "/connecttest.txt": (200, "text/plain", "Microsoft Connect Test"),
    "/ncsi.txt": (200, "text/plain", "Microsoft NCSI"),
    "/success.txt": (200, "text/plain", "success\n"),  # Firefox
    "/canonical.html": (
        200,
        "text/html",
        '<meta http-equiv="refresh" content="0;url=https://support.mozilla.org/kb/captive-portal"/>',
    ),
    "/check_network_status.txt": (200, "text/plain", "NetworkManager is online\n"),
}


def probe_answer() -> Response | None:
    """The answer to this request, if it is a phone's probe."""
    known = _ANSWERS.get(request.path) if request.method in ("GET", "HEAD") else None
    if known is None:
        return None
    status, kind, content = known
    answer = Response(content, status, mimetype=kind)
    answer.headers["Cache-Control"] = "no-store"
    return answer
