"""Stopping the service from a page or the panel: for good, or to start again."""

from __future__ import annotations

from collections.abc import Callable

from companion.core.messages import m


class Power:
    """``stop`` ends the service, where it was started as one: ``switched_off``, or ``restarting``."""

    def __init__(self) -> None:
        self.stop: Callable[[], None] | None = None
        self.switched_off = False  # what switches the power off then is in the owner's settings
        self.restarting = False

    def restart(self) -> str | None:
        """Stop and start again in the same way; a sentence when this box cannot do that."""
        if self.stop is None:
            return m("this box was not started as a service: start it again where it was started")
        self.restarting = True
        self.stop()
        return None

    def shut_down(self) -> str | None:
        """Stop everything safely; a sentence when this box cannot do that."""
        if self.stop is None:
            return m("this box was not started as a service: stop it where it was started")
        self.switched_off = True
        self.stop()
        return None
