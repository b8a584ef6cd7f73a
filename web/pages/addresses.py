"""Addresses as phones have to use them, and their QR codes."""

from __future__ import annotations

from io import BytesIO
from ipaddress import ip_address
from urllib.parse import urlsplit

import segno
from flask import request
from markupsafe import Markup

from companion.core.messages import m
from companion.service.system.interfaces import address_towards
from web.access.guards import host_name
from web.site import site
from web.ui.speaking import spoken


def base_address() -> str:
    """Return the box's address for people in the same network as this page's reader.

    That is the one the page was opened with, but for two kinds of names. Opened on the box itself
    (``localhost``), it is the best of its addresses at this moment. And names of the local network
    (``.local``) do not work on every phone, so that the address stands for them.
    """
    name = host_name(request.host)
    if _only_here(name):
        links = site().service.links
        return links[0] if links else request.host_url
    if name.endswith(".local"):
        address = address_towards(request.remote_addr or "127.0.0.1")
        if address is not None and ":" not in address:
            port = urlsplit(request.host_url).port
            return f"{request.scheme}://{address}{f':{port}' if port else ''}/"
    return request.host_url


def short_address() -> str:
    """Return the base address without scheme and trailing slash, as people type it."""
    return base_address().partition("//")[2].rstrip("/")


def is_reachable() -> bool:
    """Return True if other devices can reach this box over some network."""
    return not _only_here(host_name(request.host)) or bool(site().service.links)


def _only_here(name: str) -> bool:
    """Return True if this name or address is local to each machine (loopback or link-local).

    >>> [_only_here(name) for name in ("localhost", "127.0.0.1", "::1", "192.168.1.20", "table.local")]
    [True, True, True, False, False]
    >>> _only_here("fe80::1%wlan0")
    True
    """
    try:
        address = ip_address(name.partition("%")[0])
        return address.is_loopback or (address.version == 6 and address.is_link_local)
    except ValueError:
        return name in ("localhost", "")


def join_link(code: str) -> str:
    """Return the link that a phone opens to join."""
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
        title=spoken(m("QR code: {text}", text=text)),
    )
    return Markup(picture.getvalue().decode())
