"""Errors between the table and its devices.

:mod:`companion.core.errors` draws the tree of all errors. That and messages are all that the bridge
imports of the house, on the host's side: what lies in ``firmware_bridge/firmware`` runs on the roller alone.
"""
# The names say what is wrong; "Error" behind each would only make them longer.
# ruff: noqa: N818

from __future__ import annotations

from companion.core.errors import StationmasterError
from companion.core.messages import m


class BridgeError(StationmasterError):
    """Base of all errors of this package; its text is one sentence for the owner."""

    @property
    def message(self) -> str:
        """The sentence; a message where owners read it on a page."""
        text = self.args[0] if self.args else ""
        return text if isinstance(text, str) else str(self)


class BadLine(BridgeError, ValueError):
    """A line that is not a message; `reason` is the drop counter it belongs to."""

    def __init__(self, reason: str, line: bytes) -> None:
        super().__init__(f"dropped a line ({reason.replace('_', ' ')}): {line[:60]!r}")
        self.reason = reason


class BadDice(BridgeError, ValueError):
    """Dice that the roller could not throw or name."""


class PortError(BridgeError):
    """A port that cannot be used."""

    def __init__(self, port: str, sentence: str) -> None:
        super().__init__(sentence)
        self.port = port


class PortMissing(PortError):
    """The port is gone."""

    def __init__(self, port: str) -> None:
        super().__init__(port, m("The port {port} is gone: plug the dice roller in again.", port=port))


class PortForbidden(PortError):
    """This user may not open the port."""

    def __init__(self, port: str) -> None:
        super().__init__(
            port,
            m(
                "This user may not open {port}: run 'sudo usermod -aG dialout $USER' and log in again.",
                port=port,
            ),
        )


class PortBusy(PortError):
    """Another program holds the port."""

    def __init__(self, port: str) -> None:
        super().__init__(
            port,
            m(
                "Another program is using {port}: close it (a serial terminal, ModemManager or a second "
                "Stationmaster) and the roller connects by itself.",
                port=port,
            ),
        )


class PortBroken(PortError):
    """The port opened, then reading or writing failed; mostly the cable was pulled."""

    def __init__(self, port: str, detail: object) -> None:
        said = m(
            "The dice roller at {port} was unplugged or its cable failed ({detail}).",
            port=port,
            detail=str(detail),
        )
        super().__init__(port, said)


class RollerError(BridgeError):
    """A device that cannot be used as the dice roller."""


class NotARoller(RollerError):
    """The device does not answer the greeting."""

    def __init__(self, port: str) -> None:
        super().__init__(
            m(
                "The device at {port} does not answer as a dice roller: plug the roller in there, or load "
                "its firmware as docs/hardware.md says.",
                port=port,
            )
        )


class WrongRoller(RollerError):
    """Another roller than the one in the settings."""

    def __init__(self, port: str, found: str, wanted: str) -> None:
        super().__init__(
            m(
                "The roller at {port} is {found}, the settings ask for {wanted}: plug in that one or change "
                "the roller's uid in the settings.",
                port=port,
                found=found,
                wanted=wanted,
            )
        )


class ProtocolTooNew(RollerError):
    """The roller speaks a major version of the protocol that this program does not know."""

    def __init__(self, port: str, found: tuple[int, int], known: int) -> None:
        super().__init__(
            m(
                "The roller at {port} speaks protocol {found}, this program understands {known}: "
                "update Stationmaster, or load the firmware that came with it onto the roller.",
                port=port,
                found=f"{found[0]}.{found[1]}",
                known=known,
            )
        )


class RollerSilent(RollerError):
    """The roller stopped answering."""

    def __init__(self, port: str, seconds: float) -> None:
        super().__init__(
            m(
                "The roller at {port} has been silent for {seconds} seconds: it is being opened again; "
                "if that does not help, unplug it and plug it in again.",
                port=port,
                seconds=f"{seconds:.1f}",
            )
        )


class NoPseudoPort(BridgeError):
    """Where virtual dice would be plugged in, as in a container without ``/dev/pts``."""

    def __init__(self, why: str) -> None:
        super().__init__(m("There is no pseudo-terminal for the virtual dice ({why}).", why=why))


class LoadingError(BridgeError):
    """A new board that could not be made a roller."""


class NoAnswer(BridgeError, TimeoutError):
    """A request that was not answered in time."""


class RollRefused(BridgeError):
    """The roller understood the request and said no; `code` is the protocol's word for it."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
