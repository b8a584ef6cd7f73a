"""Updates of the box's program: uploaded or fetched, checked, installed, rolled back."""

from __future__ import annotations

from typing import Annotated

import msgspec
from flask import request

from companion import __version__
from companion.core.messages import m
from companion.service.system.updates import is_news
from companion.updates.signed import Statement
from web.access.limits import WORK
from web.access.people import host_only
from web.api.operations import operation
from web.api.shapes import Empty, Said
from web.site import site


class UpdateView(msgspec.Struct, frozen=True):
    """How the program's updates stand; ``possible``: this box was installed as a package."""

    version: str
    possible: bool
    under_way: bool
    ready: str  # the version that lies here to be installed
    back_to: str  # the version of before
    phase: str  # of the last update
    says: str


class PartPlace(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where in the package this part begins."""

    at: Annotated[int, msgspec.Meta(ge=0, le=2**40)] = 0


class PartTaken(msgspec.Struct, frozen=True):
    """How many bytes of the package are here."""

    there: int


@operation(
    "GET",
    "/host/update",
    "The state of program updates (host)",
    UpdateView,
    problems=(403,),
    allowed=host_only,
)
def update_state() -> UpdateView:
    """Return the running version, the one ready to install, and the one to go back to."""
    updates = site().service.updates
    state, ready = updates.state, updates.ready
    return UpdateView(
        __version__,
        updates.possible,
        updates.waiting,
        ready.version if ready else "",
        state.back_to,
        state.phase,
        state.says,
    )


@operation(
    "POST",
    "/host/update/parts",
    "Send a part of an update (host)",
    PartTaken,
    query=PartPlace,
    sent=("application/octet-stream", "application/vnd.debian.binary-package"),
    problems=(403, 409, 503),
    allowed=host_only,
)
def send_part(query: PartPlace, content: bytes) -> PartTaken:
    """Upload a part of a package, in order from byte 0; 409 says where to continue."""
    return PartTaken(site().service.updates.receive(query.at, content))


@operation(
    "POST",
    "/host/update/complete",
    "Complete an update that was sent in parts (host)",
    Said,
    body=Empty,
    problems=(403, 409, 429, 503),
    allowed=host_only,
)
def complete() -> Said:
    """Check an uploaded package (complete, signed, for this machine) and make it ready to install."""
    site().limiter.take("work", request.remote_addr or "", WORK)
    return _lies_ready(site().service.updates.complete())


@operation(
    "POST",
    "/host/update/fetch",
    "Look for a newer version at the address for updates, and download it (host)",
    Said,
    body=Empty,
    problems=(403, 409, 429, 503),
    allowed=host_only,
)
def fetch() -> Said:
    """Fetch the newest package from the address in the settings, which is contacted only here."""
    site().limiter.take("work", request.remote_addr or "", WORK)
    updates, address = site().service.updates, site().service.settings.now.updates.address
    found = updates.look(address)
    if not is_news(found, __version__):
        return Said(m("this box has the newest version, {version}", version=__version__))
    return _lies_ready(updates.fetch(address))


@operation(
    "POST",
    "/host/update/install",
    "Install the downloaded update (host)",
    Said,
    body=Empty,
    problems=(403, 409, 503),
    allowed=host_only,
)
def install() -> Said:
    """Install the update after a backup; it is rolled back if it does not answer in two minutes."""
    statement = site().service.updates.install()
    return Said(
        m(
            "version {version} is being installed: this page comes back in a minute or two",
            version=statement.version,
        )
    )


@operation(
    "POST",
    "/host/update/back",
    "Go back to the previous version (host)",
    Said,
    body=Empty,
    problems=(403, 409, 503),
    allowed=host_only,
)
def go_back() -> Said:
    """Go back to the previous version; a backup is made first, as for an update."""
    before = site().service.updates.go_back()
    return Said(
        m("the box goes back to version {before}: this page comes back in a minute or two", before=before)
    )


def _lies_ready(statement: Statement) -> Said:
    return Said(
        m(
            "version {version} is complete and its signature is valid: it can be installed",
            version=statement.version,
        )
    )
