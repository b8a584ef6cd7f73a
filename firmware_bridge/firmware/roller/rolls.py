"""The rolls this roller still knows."""

KEPT_ROLLS = 32


class KeptRolls:
    """The last rolls with the very lines that told of them, so a repeated answer is the same to the byte."""

    def __init__(self) -> None:
        self.last = 0
        self._rolls: list[tuple[int, str | None, bytes]] = []

    @property
    def first(self) -> int:
        """The oldest number still kept; one more than the last when there is none."""
        return self._rolls[0][0] if self._rolls else self.last + 1

    def add(self, request: str | None, line: bytes) -> None:
        """Keep the roll with the next number."""
        self.last += 1
        self._rolls.append((self.last, request, line))
        if len(self._rolls) > KEPT_ROLLS:
            self._rolls.pop(0)

    def of_request(self, request: str) -> bytes | None:
        """The line of the roll that this request got, if it got one."""
        for _, asked, line in self._rolls:
            if asked == request:
                return line
        return None

    def since(self, n: int) -> list[bytes]:
        """The lines of all kept rolls after number `n`."""
        return [line for number, _, line in self._rolls if number > n]
