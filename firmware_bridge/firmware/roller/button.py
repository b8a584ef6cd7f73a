"""The button that asks for a roll."""

SETTLE_MS = 20  # how long the level must hold


class Button:
    """A button that counts once its level has held for SETTLE_MS."""

    def __init__(self) -> None:
        self._down = False
        self._level = False
        self._since = 0

    def step(self, level: bool, now: int) -> str:
        """`down` or `up` when that just became sure, else nothing."""
        if level != self._level:
            self._level, self._since = level, now
        if self._level == self._down or now - self._since < SETTLE_MS:
            return ""
        self._down = self._level
        return "down" if self._down else "up"
