"""What a machine tells of itself, from made-up files."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.service.parts import Part
from companion.service.system.doctor import is_served, look_at_everything
from companion.service.system.health import Machine, health
from companion.table.store import Store

FINE = {
    "proc/device-tree/model": "Raspberry Pi 4 Model B Rev 1.5\0",
    "proc/meminfo": "MemTotal: 945000 kB\nMemAvailable: 500000 kB\nOdd\n",
    "sys/class/thermal/thermal_zone0/temp": "51234\n",
    "sys/fs/ext4/mmcblk0p2/errors_count": "0\n",
}


def told(
    folder: Path, files: dict[str, str], throttled: str = "0x0", service: str = "inactive"
) -> dict[str, Part]:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    answers = {"vcgencmd": f"throttled={throttled}\n", "systemctl": f"{service}\n"}
    return {part.name: part for part in health(Machine(folder, lambda command: answers[command[0]]))}


def test_a_pi_in_good_order(tmp_path: Path) -> None:
    parts = told(tmp_path, FINE)
    assert [part.name for part in parts.values() if part.state == "bad"] == []
    assert parts["machine"].says == "Raspberry Pi 4 Model B Rev 1.5"
    assert parts["temperature"].says == "51 °C"
    assert parts["memory"].says == "488 of 923 MB available"
    assert "service" not in parts


@pytest.mark.parametrize(
    ("files", "throttled", "service", "name", "says"),
    [
        (
            {},
            "0x50005",
            "inactive",
            "power supply",
            "too weak now, the power supply was too weak, slowed down now",
        ),
        ({"sys/class/thermal/thermal_zone0/temp": "83000"}, "0x0", "inactive", "temperature", "83 °C"),
        ({"proc/meminfo": "MemAvailable: 90000 kB"}, "0x0", "inactive", "memory", "88 of 0 MB"),
        ({"sys/fs/ext4/mmcblk0p2/errors_count": "3"}, "0x0", "inactive", "memory card", "mmcblk0p2: 3"),
        ({}, "0x0", "failed", "service", "does not run (failed)"),
    ],
)
def test_trouble_is_bad_and_says_what_to_do(
    tmp_path: Path, files: dict[str, str], throttled: str, service: str, name: str, says: str
) -> None:
    part = told(tmp_path, {**FINE, **files}, throttled, service)[name]
    assert part.state == "bad"
    assert says in part.says
    assert part.do


def test_a_machine_that_tells_nothing(tmp_path: Path) -> None:
    parts = told(tmp_path, {}, "no idea", "unknown")
    assert {"power supply", "temperature", "memory", "memory card", "machine", "service"}.isdisjoint(parts)


def test_beside_a_service_the_devices_are_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not is_served(tmp_path)
    with Store(tmp_path):
        assert is_served(tmp_path)
        monkeypatch.setattr("companion.service.system.doctor.open_panel", None)
        parts = {part.name: part for part in look_at_everything(tmp_path)}
        assert all("in use by the service" in parts[name].says for name in ("roller", "panel", "camera"))
    assert not is_served(tmp_path)
