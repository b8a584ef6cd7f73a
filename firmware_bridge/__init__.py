"""The dice roller and the panel, independent of games.

`DiceRoller` is what the table uses; `firmware_bridge.simulator.VirtualPort` is the same roller without
hardware; `open_panel` opens the buttons and lamps on the box. The wire is described in
docs/serial-protocol.md, the hardware in docs/hardware.md.
"""

from firmware_bridge.dice import Die, Roll, histograms
from firmware_bridge.exc import BridgeError
from firmware_bridge.fairness import FairnessTest, recompute, verify_roll
from firmware_bridge.log import RollLog
from firmware_bridge.panel import Panel, PanelSettings, open_panel
from firmware_bridge.ports import Port, PortProvider, ports_like, usb_ports, with_standby
from firmware_bridge.roller import DiceRoller, RollerHealth, RollerState
from firmware_bridge.survey import Surveyed, survey

__all__ = [
    "BridgeError",
    "DiceRoller",
    "Die",
    "FairnessTest",
    "Panel",
    "PanelSettings",
    "Port",
    "PortProvider",
    "Roll",
    "RollLog",
    "RollerHealth",
    "RollerState",
    "Surveyed",
    "histograms",
    "open_panel",
    "ports_like",
    "recompute",
    "survey",
    "usb_ports",
    "verify_roll",
    "with_standby",
]
