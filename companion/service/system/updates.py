"""Updates, seen from the service: a package comes in, is checked, and root's program is asked for it.

The service may install nothing itself (see :mod:`companion.updates.installing`); its check of the signature
only spares people a wait. A table that was not installed as a package has no such program, and says so.
"""

from __future__ import annotations

import json
import os
import platform
import re
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import urljoin

from companion.core.messages import m
from companion.service.parts import Part
from companion.table.exc import TableError, translated
from companion.table.folder import sync_folder
from companion.updates.installing import PACKAGE, WISH, Places, State, read_state
from companion.updates.signed import (
    LARGEST,
    LONGEST_NOTE,
    Statement,
    UpdateError,
    check_package,
    is_newer,
    read_note,
)

FOLDER = "update"
ARCHES = {"aarch64": "arm64", "x86_64": "amd64"}
_HALF = "package.part"
_SILENT = 20.0  # seconds without a byte from an address

Opener: TypeAlias = Callable[[str, float], Any]


def _open(address: str, patience: float) -> Any:
    return urllib.request.urlopen(address, timeout=patience)


def _usual_places() -> Path | None:
    """Where root's program tells what it did; set by the package's unit."""
    told = os.environ.get("STATIONMASTER_UPDATES")
    return Path(told) if told else None


def updates_of(folder: Path, usual: Places | None = None) -> Updates:
    """Those of a table's folder for who is not the service: the doctor, in a terminal."""
    usual = usual or Places()
    is_packaged = folder.absolute() == usual.inbox.parent and usual.own.is_dir()
    return Updates(folder, usual.own) if is_packaged else Updates(folder)


@dataclass
class Updates:
    """``folder`` is the table's; ``told`` where root's program writes, None where there is none."""

    folder: Path
    told: Path | None = field(default_factory=_usual_places)
    keys: tuple[Path, ...] = Places.keys
    arch: str = ARCHES.get(platform.machine(), "")
    opener: Opener = _open
    port: int = 80
    _known: tuple[tuple[int, int, int], Statement] | None = None

    @property
    def possible(self) -> bool:
        """Return True if this box can be updated from its page."""
        return self.told is not None

    @property
    def state(self) -> State:
        """The state of the last update."""
        return read_state(self.told) if self.told else State()

    @property
    def waiting(self) -> bool:
        """Return True if an update was requested that root's program has not finished."""
        return (self._place / WISH).exists() or self.state.is_under_way

    @property
    def ready(self) -> Statement | None:
        """The checked package that waits to be installed."""
        try:
            about = (self._place / PACKAGE).stat()
            which = (about.st_ino, about.st_size, about.st_mtime_ns)
            if self._known is None or self._known[0] != which:  # reading all of it takes a moment
                self._known = which, self._checked(self._place / PACKAGE)
            return self._known[1]
        except (UpdateError, OSError):
            return None

    def receive(self, at: int, content: bytes) -> int:
        """A part of a package that begins at this byte; how much is there then. From 0 on it is a new one."""
        self._needs_program()
        half = self._place / _HALF
        with translated(self._place):
            self._place.mkdir(mode=0o700, exist_ok=True)
            there = half.stat().st_size if half.exists() and at else 0
            if at != there:
                message = m("a part is missing: continue at byte {there}", there=there)
                raise TableError("part-missing", message)
            if there + len(content) > LARGEST:
                raise TableError(
                    "too-large", m("no update is larger than {largest} MB", largest=LARGEST // 2**20)
                )
            with half.open("ab" if at else "wb") as file:
                file.write(content)
        return there + len(content)

    def complete(self) -> Statement:
        """Finish an upload: check signature and machine, and make the package ready to install."""
        self._needs_program()
        half = self._place / _HALF
        if not half.exists():
            raise TableError("no-update", m("nothing was sent that could be installed"))
        with translated(half), _refused():
            try:
                statement = self._checked(half)
            except UpdateError:
                half.unlink(missing_ok=True)
                raise
            half.replace(self._place / PACKAGE)
            sync_folder(self._place)
        return statement

    def look(self, address: str) -> Statement:
        """Return what an address offers for this machine, by its signed statement."""
        self._needs_program()
        if not re.match(r"https?://", address):
            message = m("there is no address for updates: All settings, Updates")
            raise TableError("no-address", message)
        with _refused(), self._asked(_beside(address, f"stationmaster_{self.arch}.update")) as answer:
            return read_note(answer.read(LONGEST_NOTE + 1), self._all_keys())

    def fetch(self, address: str) -> Statement:
        """Download the package from the address and make it ready to install."""
        wanted = self.look(address)
        with self._asked(_beside(address, wanted.file)) as answer:
            at = 0
            while part := answer.read(1 << 20):
                at = self.receive(at, part)
        if not at:
            raise TableError("no-answer", m("the address for updates sent nothing"))
        return self.complete()

    def install(self) -> Statement:
        """Request the installation of the package that is ready."""
        statement = self.ready
        if statement is None:
            raise TableError("no-update", m("no update lies ready here: send one or fetch it first"))
        self._wish("install")
        return statement

    def go_back(self) -> str:
        """Request the previous version, and return which one that is."""
        before = self.state.back_to
        if not before:
            raise TableError("no-way-back", m("there is no version before this one to go back to"))
        self._wish("back")
        return before

    def part(self) -> Part:
        """For the doctor and the host's page: how the last one went, and which version is one tap away."""
        state = self.state
        if not self.possible:
            return Part(
                m("updates"),
                "missing",
                m("not installed as a package"),
                m("update it the way it was installed"),
            )
        if state.phase in ("taken-back", "refused"):
            return Part(m("updates"), "bad", state.says, m("journalctl -u stationmaster-update says more"))
        if self.waiting:
            return Part(m("updates"), "ok", m("one is being installed just now"))
        if self.ready is not None:
            return Part(
                m("updates"), "ok", m("{version} lies ready to be installed", version=self.ready.version)
            )
        if state.back_to:
            says = m(
                "{after} is installed; one tap goes back to {back_to}",
                after=state.after,
                back_to=state.back_to,
            )
            return Part(m("updates"), "ok", says)
        return Part(m("updates"), "ok", m("none was installed from the page yet"))

    def _wish(self, what: str) -> None:
        self._needs_program()
        if self.waiting:
            raise TableError("under-way", m("an update is being installed just now: wait for it"))
        half = self._place / f"{WISH}.half"
        with translated(self._place):
            self._place.mkdir(mode=0o700, exist_ok=True)
            half.write_text(json.dumps({"do": what, "port": self.port}))
            half.replace(self._place / WISH)
            sync_folder(self._place)

    def _checked(self, path: Path) -> Statement:
        statement = check_package(path, self._all_keys())
        if statement.arch != self.arch:
            message = m(
                "this update is for {arch}, and this box is {arch2}", arch=statement.arch, arch2=self.arch
            )
            raise UpdateError("wrong-machine", message)
        return statement

    @contextmanager
    def _asked(self, address: str) -> Iterator[Any]:
        try:
            with self.opener(address, _SILENT) as answer:
                yield answer
        except (OSError, ValueError, urllib.error.URLError) as problem:
            if isinstance(problem, TableError):
                raise
            why = getattr(problem, "reason", None) or problem
            raise TableError(
                "no-answer", m("the address for updates does not answer: {why}", why=why)
            ) from None

    def _all_keys(self) -> list[Path]:
        return Places(keys=self.keys).all_keys()

    @property
    def _place(self) -> Path:
        return self.folder / FOLDER

    def _needs_program(self) -> None:
        if not self.possible:
            message = m("this table was not installed as a package: update it the way it was installed")
            raise TableError("no-package", message)


def is_news(statement: Statement, version: str) -> bool:
    """Return True if the statement is about a newer version than the running one."""
    return is_newer(statement.version, version)


def _beside(address: str, file: str) -> str:
    return urljoin(address if address.endswith("/") else f"{address}/", file)


@contextmanager
def _refused() -> Iterator[None]:
    try:
        yield
    except UpdateError as problem:
        raise TableError(problem.code, problem.message) from None
