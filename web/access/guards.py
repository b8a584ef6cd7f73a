"""Validation of every request, and security headers of every answer.

A page from the Internet that makes a visitor's browser talk to this box has to use a name (DNS rebinding) or
another origin. So names are checked against our own; an address as Host is fine, because no foreign page has
our address as its origin. Writes are accepted from our own pages only.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from ipaddress import ip_address
from urllib.parse import urlsplit

from flask import Flask, Response, request

from companion.core.messages import m
from web.access.captive import probe_answer
from web.exc import WebError
from web.pages.assets import style_hash

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        f"style-src 'self' '{style_hash()}'",
        "img-src 'self' blob: data:",
        "font-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
MOST_ADDRESS = 2000  # letters of a path and what is asked with it; ours are a tenth of that
HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), microphone=(), geolocation=(), payment=()",
}


def install(
    app: Flask, names: Callable[[], frozenset[str]], in_own_network: Callable[[], bool] = lambda: False
) -> None:
    """Check every request and mark every answer.

    ``names`` are those that this box goes by at the moment. In its own network phones ask for pages of the
    Internet to see whether it is there: these few are answered under any name.
    """

    @app.before_request
    def check() -> Response | None:
        if len(request.path) + len(request.query_string) > MOST_ADDRESS:
            return _too_long()
        probe = probe_answer() if in_own_network() else None
        if probe is not None:
            return probe
        _check_host(names)
        if request.method not in ("GET", "HEAD", "OPTIONS"):
            _check_origin()
        return None

    @app.after_request
    def mark(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        if "Cache-Control" not in response.headers:
            response.headers["Cache-Control"] = "no-cache"
        return response


def _too_long() -> Response:
    """Return a 414 for an address that is too long, before a page repeats it in its links."""
    text = f"An address has up to {MOST_ADDRESS:,} letters here.\n"
    return Response(text, 414, mimetype="text/plain")


def is_own_host(header: str, names: Callable[[], frozenset[str]]) -> bool:
    """True if a Host header names an address, or one of our own names."""
    host = host_name(header).rstrip(".")
    return _is_address(host) or host in names()


def _check_host(names: Callable[[], frozenset[str]]) -> None:
    if not is_own_host(request.headers.get("Host", ""), names):
        raise WebError(
            421,
            "foreign-host",
            m("this box does not have that name: open the address that was printed when it started"),
        )


def host_name(host: str) -> str:
    """The name in a Host header, without the port.

    >>> host_name("Table.local:8080"), host_name("[fe80::1]:80"), host_name("[broken"), host_name("a@::1")
    ('table.local', 'fe80::1', '', '')
    """
    if "@" in host:  # what stands before it is no part of a Host
        return ""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def _is_address(host: str) -> bool:
    """Return True for an IP address; an IPv6 one may have the name of a local interface appended."""
    address, zoned, zone = host.partition("%")
    try:
        ip_address(address)
    except ValueError:
        return False
    return not zoned or zone.removeprefix("25") in {name for _, name in socket.if_nameindex()}


def _check_origin() -> None:
    origin = request.headers.get("Origin")
    site = request.headers.get("Sec-Fetch-Site", "none")
    same = origin is None or urlsplit(origin).netloc == request.headers.get("Host")
    if not same or site not in ("same-origin", "none"):
        raise WebError(403, "foreign-origin", m("only the box's own pages may change anything here"))
