"""Every port has one line: a roller, or a sentence."""

import os
from pathlib import Path

from firmware_bridge.asks import Timing
from firmware_bridge.ports import SerialWire, ports_like
from firmware_bridge.simulator import VirtualPort, VirtualRoller
from firmware_bridge.survey import survey


def test_each_port_is_told_apart(tmp_path: Path) -> None:
    far, near = os.openpty()
    with VirtualPort(VirtualRoller(uid="cafe")) as good, VirtualPort() as newer, VirtualPort() as held:
        newer.roller.faults.newer_protocol = True
        for name, device in (("1", good.name), ("2", newer.name), ("3", held.name), ("4", os.ttyname(near))):
            (tmp_path / f"tty{name}").symlink_to(device)
        holder = SerialWire(held.name)
        found = survey(ports_like(f"{tmp_path}/tty*"), timing=Timing(greeting=0.3))
        holder.close()
    os.close(far)
    os.close(near)
    assert [(Path(port.device).name, port.roller is not None) for port in found] == [
        ("tty1", True),
        ("tty2", False),
        ("tty3", False),
        ("tty4", False),
    ]
    assert found[0].sentence == "Dice roller cafe, firmware 1.2.0."
    assert "speaks protocol 2.0" in found[1].sentence
    assert "Another program is using" in found[2].sentence
    assert "does not answer as a dice roller" in found[3].sentence
