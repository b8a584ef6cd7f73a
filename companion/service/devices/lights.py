"""The work lamps of the panel: from which sides the table is kept lit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from companion.core.messages import m
from companion.table.exc import TableError

if TYPE_CHECKING:
    from firmware_bridge.panel import Panel

Lit: TypeAlias = Literal["off", "left", "right", "both"]
_SIDES: dict[Lit, tuple[str, ...]] = {
    "off": (),
    "left": ("left",),
    "right": ("right",),
    "both": ("left", "right"),
}


class Lights:
    """The lamps of the ``panel``, once there is one."""

    def __init__(self) -> None:
        self.panel: Panel | None = None

    @property
    def lamps(self) -> tuple[str, ...]:
        """The sides on which there is a lamp: left, right."""
        return self.panel.work_lamps if self.panel is not None else ()

    @property
    def has_two(self) -> bool:
        """Return True if two differently lit pictures can be taken."""
        return self.panel is not None and self.panel.has_two_lamps

    @property
    def lit(self) -> Lit:
        """The sides from which the table is kept lit."""
        sides = self.panel.kept_lit if self.panel is not None else ()
        return next(request for request, meant in _SIDES.items() if meant == sides)

    def light(self, request: Lit) -> None:
        """Keep the table lit from these sides; raise a TableError if a lamp is missing."""
        if self.panel is None or not self.lamps:
            raise TableError(
                "no-panel", m("this box has no panel with lamps: docs/hardware.md says how to build one")
            )
        sides = _SIDES[request]
        missing = [side for side in sides if side not in self.lamps]
        if missing:
            lamps = " and no ".join(missing)
            message = m(
                "there is no {lamps} lamp on this box: docs/hardware.md says how to connect one", lamps=lamps
            )
            raise TableError("no-lamp", message)
        self.panel.keep_lit(left="left" in sides, right="right" in sides)
