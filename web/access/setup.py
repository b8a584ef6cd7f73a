"""Setting up a new box: for ten minutes, the first to open the setup page becomes its owner.

A box that nobody has ever been the host of takes a PIN from the first phone that comes. That ends when it is
done, when somebody enters the PIN that the box has printed, and ten minutes after the start. A box that was
never set up opens the page again at its next start: whoever can pull its plug owns it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

SECONDS = 600.0
SETUP_SETTING = "setup"
NEW, _DONE = "new", "done"
State: TypeAlias = Literal["open", "closed", "done"]


@dataclass
class Setup:
    """``kept`` and ``keep`` are where it is remembered beside the matches."""

    kept: Callable[[str], str | None]
    keep: Callable[[str, str], None]
    clock: Callable[[], float] = time.monotonic
    _until: float = 0.0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self._until = self.clock() + SECONDS

    @property
    def state(self) -> State:
        """``closed``: nobody has set it up, and the ten minutes are over."""
        if self.kept(SETUP_SETTING) != NEW:
            return "done"
        return "open" if self.clock() < self._until else "closed"

    @property
    def minutes_left(self) -> int:
        """Whole minutes, rounded up; 0 when it is not open."""
        return -int((self.clock() - self._until) // 60) if self.state == "open" else 0

    def take(self) -> bool:
        """Claim the setup; return False if somebody else was first or the time is over."""
        with self._lock:
            if self.state != "open":
                return False
            self.keep(SETUP_SETTING, _DONE)
            return True

    def done(self) -> None:
        """Close the setup: the box has an owner."""
        if self.state != "done":
            self.keep(SETUP_SETTING, _DONE)
