"""Stands in for MicroPython's `network` on a Pico W: it joins the network whose password is right."""

STA_IF = 0


class WLAN:
    def __init__(self, interface: int) -> None:
        self._joined = False

    def active(self, on: bool) -> None:
        """Switched on."""

    def config(self, **settings: object) -> None:
        """Its power."""

    def isconnected(self) -> bool:
        return self._joined

    def connect(self, name: str, password: str | None) -> None:
        self._joined = password == "the right one"

    def disconnect(self) -> None:
        self._joined = False
