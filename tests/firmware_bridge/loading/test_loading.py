"""From a new Pico to a dice roller, on a board made of software."""

from __future__ import annotations

import io
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from firmware_bridge.exc import LoadingError
from firmware_bridge.loading import loader as loading
from firmware_bridge.loading.drives import Machine, drive_at, pico_drive
from firmware_bridge.loading.loader import FIRMWARE, Loader, Wiring
from firmware_bridge.loading.uf2 import chip_of
from firmware_bridge.roller import DiceRoller
from firmware_bridge.wireless import PAIRED, read_pairings
from tests.firmware_bridge.loading.pico import UID, Pico, uf2


def loader(pico: Pico, folder: Path, **more: object) -> tuple[Loader, list[str]]:
    said: list[str] = []
    packaged = folder / "packaged"
    packaged.mkdir(exist_ok=True)
    machine = Machine(pico.mounts, folder / "no-labels")
    made = Loader(said.append, pico.ports, machine=machine, packaged=packaged)
    for name, value in more.items():
        setattr(made, name, value)
    return made, said


@pytest.mark.parametrize("chip", ["RP2040", "RP2350"])
def test_a_new_pico_becomes_a_roller(tmp_path: Path, chip: str) -> None:
    with Pico(tmp_path, chip) as pico:
        made, said = loader(pico, tmp_path, wiring=Wiring("oled", 8))
        (made.packaged / "RPI_PICO-1.24.uf2").write_bytes(uf2("RP2040"))
        (made.packaged / "RPI_PICO2-1.24.uf2").write_bytes(uf2("RP2350"))
        told = made.load()
        assert told.startswith("Dice roller e6614c311b7e2c2f, firmware 1.2.0 at ")
        settings = (pico.files / "roller/settings.py").read_text()
        assert 'SCREEN = "oled"' in settings
        assert "DICE_PLACES = 8" in settings
        assert (pico.files / "main.py").read_bytes() == (FIRMWARE / "main.py").read_bytes()
        assert f"({chip})" in said[0]


def test_a_board_with_micropython_gets_only_what_has_changed(tmp_path: Path) -> None:
    with Pico(tmp_path, held=False) as pico:
        roller = pico.files / "roller"
        roller.mkdir()
        for path in (FIRMWARE / "roller").glob("*.py"):
            (roller / path.name).write_bytes(path.read_bytes())
        (roller / "dice.py").write_text("an old file\n")
        (roller / "app.py").write_text("an old version\n")
        made, said = loader(pico, tmp_path)
        made.load()
        assert said[-1].endswith("2 of them new."), said
        assert pico.is_roller()
        assert not (roller / "dice.py").exists()


def _full(pico: Pico) -> str:
    pico.full = True
    return "ENOSPC"


def _too_old(pico: Pico) -> str:
    pico.version = (1, 19, 1)
    return "1.19.1 is too old"


def _deaf(pico: Pico) -> str:
    pico.deaf_after = 20
    return "does not answer any more"


@pytest.mark.parametrize("harm", [_full, _too_old, _deaf], ids=lambda one: one.__name__)
def test_what_goes_wrong_is_one_sentence_and_leaves_no_half_a_roller(
    tmp_path: Path, harm: Callable[[Pico], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware_bridge.loading.raw_repl.ANSWER_SECONDS", 0.5)
    with Pico(tmp_path, held=False) as pico:
        says = harm(pico)
        made, _ = loader(pico, tmp_path)
        with pytest.raises(LoadingError, match=says):
            made.load()
        assert not (pico.files / "main.py").exists()


def test_power_cut_anywhere_and_once_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware_bridge.loading.raw_repl.ANSWER_SECONDS", 0.3)
    with Pico(tmp_path, held=False) as pico:
        made, _ = loader(pico, tmp_path)
        for cut in (5, 40, 60):
            pico.statements.clear()
            pico.deaf_after = cut
            with pytest.raises(LoadingError):
                made.load()
            assert not pico.is_roller()
            pico.deaf_after = 0
            pico.plug_in_again()
        made.load()
        assert pico.is_roller()


def test_which_drive_is_a_pico(tmp_path: Path) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    assert drive_at(stick) is None
    (stick / "INFO_UF2.TXT").write_text("UF2 Bootloader\nBoard-ID: SAMD21\n")
    assert drive_at(stick) is None
    assert drive_at(tmp_path / "none") is None
    with pico_drive(Machine(tmp_path / "no-mounts", tmp_path / "no-labels")) as found:
        assert found is None


def test_no_pico_two_picos_and_no_file_for_it(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / name).mkdir()
    with Pico(tmp_path / "a") as one, Pico(tmp_path / "b") as two:
        made, _ = loader(one, tmp_path)
        with pytest.raises(LoadingError, match="There is no MicroPython for RP2040 here"):
            made.load()
        one.mounts.write_text(one.mounts.read_text() + two.mounts.read_text())
        with pytest.raises(LoadingError, match="Two Picos"):
            made.load()
        one.mounts.write_text("")
        with pytest.raises(LoadingError, match="hold its BOOTSEL button"):
            made.load()


def test_a_drive_that_takes_the_file_and_never_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loading, "APPEARS_WITHIN", 0.5)
    with Pico(tmp_path) as pico:
        pico.takes = False
        file = tmp_path / "x.uf2"
        file.write_bytes(uf2())
        made, _ = loader(pico, tmp_path, micropython=file)
        with pytest.raises(LoadingError, match="did not come back"):
            made.load()


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "no whole UF2"),
        (uf2()[:-7], "no whole UF2"),
        (bytes(1024), "no UF2 file, or damaged"),
        (uf2()[:512] + b"x" + uf2()[513:], "damaged"),
        (uf2(family=0x68ED2B88), "not for a Raspberry Pi Pico"),
        (uf2("RP2040") + uf2("RP2350"), "not for a Raspberry Pi Pico"),
    ],
)
def test_a_file_is_looked_at_before_it_is_copied(tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "x.uf2"
    path.write_bytes(content)
    with pytest.raises(LoadingError, match=says):
        chip_of(path)


def test_a_file_for_another_chip(tmp_path: Path) -> None:
    file = tmp_path / "x.uf2"
    file.write_bytes(uf2("RP2350"))
    assert chip_of(file) == "RP2350"
    with Pico(tmp_path, "RP2040") as pico:
        made, _ = loader(pico, tmp_path, micropython=file)
        with pytest.raises(LoadingError, match=r"x\.uf2 is for RP2350, and this Pico has RP2040"):
            made.load()


def test_the_command_says_what_to_do_without_a_pico(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loading, "boards", list)
    assert main(["roller", "install", "--screen", "oled"]) == 2
    assert "BOOTSEL" in capsys.readouterr().err


def test_a_pico_w_is_paired_over_its_cable_and_put_back_to_a_cable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("it's a secret\n"))
    table = tmp_path / "table"
    table.mkdir()
    with Pico(tmp_path, held=False) as pico:
        pico.radio = True
        monkeypatch.setattr(loading, "boards", pico.ports)
        assert main(["roller", "install", "--wifi", "Home", "--folder", str(table)]) == 0
        assert "It is paired" in capsys.readouterr().out
        told: dict[str, Any] = {}
        exec((pico.files / "roller/settings.py").read_text(), told)
        assert told["WIFI"] == [("Home", "it's a secret"), ("Stationmaster", "stationmaster")]
        uid, key = "e6614c311b7e2c2f", bytes.fromhex(told["WIFI_KEY"])
        assert read_pairings(table / PAIRED) == {uid: key}
        (pico.files / "main.py").unlink()
        pico.plug_in_again()
        assert main(["roller", "install", "--folder", str(table)]) == 0
        assert read_pairings(table / PAIRED) == {}
        assert 'WIFI_KEY = ""' in (pico.files / "roller/settings.py").read_text()


def test_a_pico_without_wifi_is_told_and_not_paired(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with Pico(tmp_path, held=False) as pico:
        monkeypatch.setattr(loading, "boards", pico.ports)
        assert not (pico.files / "main.py").exists()
        for password, words in (("short\n", "8 to 63"), ("long enough\n", "has no Wi-Fi")):
            monkeypatch.setattr("sys.stdin", io.StringIO(password))
            assert main(["roller", "install", "--wifi", "Home", "--folder", str(tmp_path)]) != 0
            assert words in capsys.readouterr().err
        assert read_pairings(tmp_path / PAIRED) == {}
    assert main(["roller", "install", "--wifi", "Home", "--folder", str(tmp_path / "none")]) != 0
    assert "cannot be written" in capsys.readouterr().err


def test_micropython_with_wifi_is_for_rollers_with_wifi(tmp_path: Path) -> None:
    with Pico(tmp_path) as pico:
        made, _ = loader(pico, tmp_path)
        (made.packaged / "RPI_PICO_W-1.24.uf2").write_bytes(uf2())
        with pytest.raises(LoadingError, match="There is no MicroPython for RP2040 here"):
            made.load()
        made.wiring = Wiring(networks=(("Home", "password"),), key=b"k")
        assert made._file_for("RP2040").name == "RPI_PICO_W-1.24.uf2"


def test_a_table_that_is_running_lets_the_board_be_loaded_and_then_takes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loading, "TAKEN_AFTER", 1.0)
    with Pico(tmp_path, held=False) as pico:
        table = DiceRoller(pico.ports)
        table.start(lambda roll: None)
        try:
            made, said = loader(pico, tmp_path)
            told = made.load()
            assert f"Dice roller {UID}" in told
            assert pico.is_roller()
            assert "files are there" in said[-1]
            deadline = time.monotonic() + 20
            while not table.state().connected:
                assert time.monotonic() < deadline
                time.sleep(0.01)
            monkeypatch.setattr(loading, "LET_GO_WITHIN", 0.2)
            with pytest.raises(LoadingError, match="The table that is running"):
                made.load()
            assert table.roll([("A", 6)]).n == 1
        finally:
            table.stop()
