"""lgpio, the library for a Raspberry Pi's pins: it comes with the system, not from the package index.

A virtual environment does not see the system's libraries. This one is let in by itself, where its Python is
the same: without it a Pi 5 has no pins at all.
"""

from __future__ import annotations

import importlib
import importlib.util
import logging
import sys
from pathlib import Path

logger = logging.getLogger(__name__)
SYSTEM = Path("/usr/lib/python3/dist-packages")
_MODEL = Path("/proc/device-tree/model")
ADVICE = "sudo apt install python3-lgpio"


def is_raspberry(model: Path = _MODEL) -> bool:
    """Return True if this machine is a Raspberry Pi."""
    try:
        return b"Raspberry Pi" in model.read_bytes()
    except OSError:
        return False


def let_lgpio_in(system: Path = SYSTEM) -> bool:
    """Make the system's lgpio importable, if there is one; return True if ``import lgpio`` works."""
    if importlib.util.find_spec("lgpio") is not None:
        return True
    if not (system / "lgpio.py").exists():
        return False
    sys.path.append(str(system))
    try:
        importlib.import_module("lgpio")
    except Exception as fault:  # noqa: BLE001 - built for another Python, or no pins: whatever it says
        logger.info("The system's lgpio cannot be used: %s", fault)
        return False
    else:
        return True
    finally:
        sys.path.remove(str(system))
