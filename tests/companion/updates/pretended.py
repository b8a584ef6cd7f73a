"""What pretended machines of root's installer share: a version, a clock of their own, and power cuts."""

from __future__ import annotations

from pathlib import Path


class PowerCut(BaseException):
    """Nothing after this happens."""


class Pretended:
    """A machine with a version installed; ``whole`` is false while dpkg is half way."""

    def __init__(self) -> None:
        self.version, self.running = "0.2.0", "0.2.0"
        self.whole = True
        self.seconds = 0.0

    def step(self, what: str) -> None:
        """Here the power can fail."""
        raise NotImplementedError

    def arch(self) -> str:
        return "arm64"

    def installed(self) -> str:
        return self.version if self.whole else ""

    def repack(self, target: Path) -> None:
        self.step("repack")
        target.write_text(self.version)

    def clock(self) -> float:
        return self.seconds

    def sleep(self, seconds: float) -> None:
        self.seconds += seconds
