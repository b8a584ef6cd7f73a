"""Updates of the box on the shelf: dpkg, systemd and the power as root's installer sees them, in fast motion.

A version is a format of the database; the program of a version opens that format and every older one.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.table import database, recovery
from companion.table.backup import backup
from companion.table.exc import NewerVersionError
from companion.table.folder import BACKUPS, DATABASE
from companion.table.recovery import made_anew
from companion.table.store import Store
from companion.updates.installing import PACKAGE, WISH, Installer, Places, State
from tests.companion.updates.packages import Signer
from tests.companion.updates.pretended import PowerCut, Pretended

FORMATS = {"0.2.0": 1, "0.3.0": 1, "0.4.0": 2, "0.5.0": 3, "0.6.0": 2}
FALLS_OVER = ("0.5.0",)  # after it has brought the database up
_STEPS = 6  # of an update in which the power can fail


class Machine(Pretended):
    """What ``Debian`` is on a box; ``on`` switches the table on and looks whether everything is there."""

    def __init__(
        self,
        on: Callable[[], AbstractContextManager[Any]],
        folder: Callable[[], Path],
        now: Callable[[], datetime],
        patch: pytest.MonkeyPatch,
    ) -> None:
        self._on, self._folder, self._now, self._patch = on, folder, now, patch
        super().__init__()
        self.coming = ""
        self.cut_in = 0  # steps until the power fails; 0: it does not
        self.made_anew = 0

    def program(self) -> None:
        """From now on the program is that of the installed version."""
        newest = FORMATS[self.version]
        for module in (database, recovery):
            self._patch.setattr(module, "VERSION", newest)
        self._patch.setattr(database, "STEPS", dict.fromkeys(range(1, newest), "SELECT 1"))
        database._wanted.cache_clear()

    def step(self, what: str) -> None:
        self.cut_in -= 1
        if self.cut_in == 0:
            raise PowerCut

    def version_in(self, package: Path) -> str:
        content = package.read_bytes()
        return self.coming if content.startswith(b"!<arch>") else content.decode()

    def install(self, package: Path, *, taking_back: bool = False) -> str:
        place = self._folder() / BACKUPS / "versions"
        place.mkdir(parents=True, exist_ok=True)
        self.step("backup")
        try:
            with Store(self._folder(), read_only=True) as store:
                backup(store, place / f"{len(list(place.iterdir()))}.zip", self._now())
        except NewerVersionError:
            if not taking_back:
                return "what is stored could not be backed up first"
        self.step("install")
        self.whole = False
        self.step("half way")
        self.version, self.whole = self.version_in(package), True
        self.program()
        self.step("installed")
        self.restart()
        return ""

    def restart(self) -> None:
        self.running = ""
        self.step("restart")
        try:
            with self._on():
                pass
        except NewerVersionError:
            return
        if self.version not in FALLS_OVER:
            self.running = self.version

    def answers(self, version: str, port: int) -> bool:
        return self.running == version

    def restore_older(self) -> str:
        try:
            database.version_of(self._folder() / DATABASE)
        except NewerVersionError:
            made_anew(self._folder(), self._now())
            self.made_anew += 1
            return "journals"
        return ""


class Updater:
    """MatchRequest of the host's, and root's program, which goes on after power cuts."""

    def __init__(self, place: Path, machine: Machine, chance: Random, cut: Callable[[], None]) -> None:
        self.machine, self._chance, self._cut = machine, chance, cut
        self._signer = Signer(place / "signer")
        self._made = place / "made"
        self._places = Places(place / "wishes", place / "own", (self._signer.keys,))
        self._places.inbox.mkdir()
        self.cuts = 0

    def update(self, version: str, *, cut: bool = False) -> State:
        """A signed package, installed; ``cut``: the power fails somewhere on the way."""
        self.machine.coming = version
        package = self._signer.package(self._made, version)
        (self._places.inbox / PACKAGE).write_bytes(package.read_bytes())
        return self._wished("install", cut)

    def back(self, *, cut: bool = False) -> State:
        """One tap."""
        return self._wished("back", cut)

    def _wished(self, do: str, cut: bool) -> State:
        (self._places.inbox / WISH).write_text(json.dumps({"do": do}))
        self.machine.cut_in = self._chance.randint(1, _STEPS) if cut else 0
        while True:
            installer = Installer(self._places, self.machine, lambda _: None)
            try:
                installer.run()
            except PowerCut:
                self.cuts += 1
                self._cut()
                continue
            assert self.machine.running == self.machine.installed() == self.machine.version
            return installer.state
