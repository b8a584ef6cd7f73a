"""Root's program: what it installs, what it refuses, and every place in which the power can fail."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.updates.installing import PACKAGE, PATIENCE, STATE, UNDER_WAY, WISH, Installer, Places, State
from tests.companion.updates.packages import Signer
from tests.companion.updates.pretended import PowerCut, Pretended


class Box(Pretended):
    """A machine that remembers: which version is installed, which ones work, what was asked of it."""

    def __init__(self) -> None:
        super().__init__()
        self.working = {"0.2.0", "0.3.0"}
        self.restorable = False
        self.restored = 0
        self.fails = ""
        self.calls = 0
        self.cut_at = -1
        self.log: list[str] = []

    def step(self, what: str) -> None:
        self.calls += 1
        self.log.append(what)
        if self.calls == self.cut_at:
            raise PowerCut

    def version_in(self, package: Path) -> str:
        return package.read_text()

    def install(self, package: Path, *, taking_back: bool = False) -> str:
        self.step(f"install {package.name}")
        if self.fails and not taking_back:
            return self.fails
        self.whole = False
        self.step("half way")
        packed = package.name in ("before.deb", "previous.deb")
        self.version = package.read_text() if packed else "0.3.0"
        self.whole = True
        self.step("installed")
        self.restart()
        return ""

    def restart(self) -> None:
        self.step("restart")
        self.running = self.version if self.version in self.working else ""

    def answers(self, version: str, port: int) -> bool:
        self.step("answers")
        return self.running == version

    def restore_older(self) -> str:
        if not self.restorable:
            return ""
        self.restored += 1
        self.working.add(self.version)
        return "before-0.3.0.zip"


@pytest.fixture(scope="module")
def signer(tmp_path_factory: pytest.TempPathFactory) -> Signer:
    return Signer(tmp_path_factory.mktemp("signer"))


@pytest.fixture(scope="module")
def update(signer: Signer, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return signer.package(tmp_path_factory.mktemp("made"), "0.3.0").read_bytes()


class Table:
    """The folders of a box, its machine, and what is wished for."""

    def __init__(self, folder: Path, signer: Signer, update: bytes) -> None:
        self.places = Places(folder / "update", folder / "own", (signer.keys,))
        self.places.inbox.mkdir()
        (self.places.inbox / PACKAGE).write_bytes(update)
        self.box = Box()

    def request(self, do: object = "install", port: object = 8080) -> None:
        (self.places.inbox / WISH).write_text(json.dumps({"do": do, "port": port}))

    def run(self) -> State:
        told: list[str] = []
        installer = Installer(self.places, self.box, told.append)
        installer.run()
        assert not (self.places.own / UNDER_WAY).exists()
        assert not (self.places.inbox / WISH).exists()
        return installer.state


@pytest.fixture
def table(tmp_path: Path, signer: Signer, update: bytes) -> Table:
    return Table(tmp_path, signer, update)


def test_a_signed_update_is_installed_and_one_tap_brings_the_old_one_back_and_the_new_one_again(
    table: Table,
) -> None:
    table.request()
    state = table.run()
    assert (state.phase, table.box.version, state.back_to) == ("installed", "0.3.0", "0.2.0")
    for version, other in (("0.2.0", "0.3.0"), ("0.3.0", "0.2.0")):
        table.request("back")
        state = table.run()
        assert (state.phase, table.box.version, state.back_to) == ("installed", version, other)
    assert json.loads((table.places.own / STATE).read_text())["phase"] == "installed"


def test_one_that_does_not_answer_is_taken_back_after_two_minutes(table: Table) -> None:
    table.box.working = {"0.2.0"}
    table.request()
    state = table.run()
    assert (state.phase, table.box.version, table.box.running) == ("taken-back", "0.2.0", "0.2.0")
    assert PATIENCE == 120
    assert PATIENCE <= table.box.seconds < PATIENCE + 30
    assert "did not answer within 120 seconds" in state.says
    assert state.back_to == ""


def test_one_that_answers_once_and_falls_over_is_taken_back(table: Table) -> None:
    always = table.box.answers
    table.box.answers = (  # type: ignore[method-assign]
        lambda version, port: always(version, port) and (version == "0.2.0" or table.box.seconds % 8 < 3)
    )
    table.request()
    assert table.run().phase == "taken-back"
    assert table.box.running == "0.2.0"


def test_one_that_cannot_be_installed_changes_nothing(table: Table) -> None:
    table.box.fails = "what is stored could not be backed up first"
    table.request()
    state = table.run()
    assert (state.phase, table.box.version) == ("taken-back", "0.2.0")
    assert "backed up first" in state.says
    assert "install before.deb" not in table.box.log


def test_what_a_newer_version_brought_up_is_brought_back_from_a_backup_for_the_older(table: Table) -> None:
    table.request()
    table.run()
    table.box.working, table.box.restorable = {"0.3.0"}, True  # 0.2.0 cannot open the database any more
    table.request("back")
    state = table.run()
    assert (state.phase, table.box.running, table.box.restored) == ("installed", "0.2.0", 1)


def _garbage(table: Table) -> None:
    (table.places.inbox / PACKAGE).write_bytes(b"!<arch>\nx" * 100)


def _link(table: Table) -> None:
    path = table.places.inbox / PACKAGE
    path.rename(path.with_name("elsewhere"))
    path.symlink_to(path.with_name("elsewhere"))


def _pipe(table: Table) -> None:
    (table.places.inbox / PACKAGE).unlink()
    os.mkfifo(table.places.inbox / PACKAGE)


def _nothing(table: Table) -> None:
    (table.places.inbox / PACKAGE).unlink()


def _half_installed(table: Table) -> None:
    table.box.whole = False


def _another_machine(table: Table) -> None:
    table.box.arch = lambda: "amd64"  # type: ignore[method-assign]


@pytest.mark.parametrize(
    "harm",
    [_garbage, _link, _pipe, _nothing, _half_installed, _another_machine],
    ids=lambda one: one.__name__,
)
def test_what_is_refused_is_one_sentence_and_changes_nothing(
    table: Table, harm: Callable[[Table], None]
) -> None:
    harm(table)
    table.request()
    state = table.run()
    assert state.phase == "refused"
    assert state.says
    assert "\n" not in state.says
    assert "install next.deb" not in table.box.log


@pytest.mark.parametrize("text", ["", "[]", '{"do":"rm"}', '{"do":["install"]}', "[" * 900, "x" * 2000])
def test_a_senseless_wish_is_none(table: Table, text: str) -> None:
    (table.places.inbox / WISH).write_text(text)
    assert table.run().phase == "idle"
    assert table.box.log == []


def test_no_way_back_from_the_first_version(table: Table) -> None:
    table.request("back")
    assert table.run().phase == "refused"


@pytest.mark.parametrize("works", [True, False], ids=["a good update", "one that does not work"])
def test_wherever_the_power_fails_the_box_ends_with_a_whole_version_that_answers(
    tmp_path: Path, signer: Signer, update: bytes, works: bool
) -> None:
    cut = 0
    for cut in range(1, 200):
        folder = tmp_path / str(cut)
        folder.mkdir()
        table = Table(folder, signer, update)
        if not works:
            table.box.working = {"0.2.0"}
        table.box.cut_at = cut
        table.request()
        try:
            table.run()
            break  # the power failed after all of it
        except PowerCut:
            table.box.running = table.box.version if table.box.whole else ""
        state = table.run()
        assert table.box.running == table.box.installed(), (cut, state)
        assert table.box.version in table.box.working, (cut, state)
        assert state.phase in ("installed", "taken-back", "idle"), cut
        assert (state.back_to == "0.2.0") == (table.box.version == "0.3.0"), cut
    assert cut > 10
