"""Addresses as phones have to use them, and their QR codes."""

from __future__ import annotations

from io import BytesIO
from ipaddress import ip_address

import segno
from flask import request
from markupsafe import Markup

from web.guards import host_name
from web.site import site


def base_address() -> str:
    """The address this page was opened with; opened on the box itself, the one other devices can use."""
    links = site().house.links
    return links[0] if links and _only_here(host_name(request.host)) else request.host_url


def _only_here(name: str) -> bool:
    """Does this name mean something else on every machine?

    >>> [_only_here(name) for name in ("localhost", "127.0.0.1", "::1", "192.168.1.20", "table.local")]
    [True, True, True, False, False]
    """
    try:
        return ip_address(name.partition("%")[0]).is_loopback
    except ValueError:
        return name in ("localhost", "")


def join_link(code: str) -> str:
    """What a phone opens to join."""
    return f"{base_address()}j/{code}"


def qr(text: str) -> Markup:
    """A QR code as a picture in the page."""
    picture = BytesIO()
    segno.make(text, micro=False).save(
        picture,
        kind="svg",
        xmldecl=False,
        svgns=True,
        nl=False,
        omitsize=True,
        svgclass="qr",
        lineclass=None,
        title=f"QR code: {text}",
    )
    return Markup(picture.getvalue().decode())
