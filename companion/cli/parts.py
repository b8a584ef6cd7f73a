"""What the doctor and the hub's check print: each part, how it is, and what to do about it."""

from __future__ import annotations

from collections.abc import Sequence

from companion.cli.output import FINE, NOT_SO, print_json
from companion.service.parts import Part


def print_parts(parts: Sequence[Part], *, as_json: bool) -> int:
    """Print the parts; return 1 if one is bad (a missing one is no fault)."""
    if as_json:
        print_json([{"part": one.name, "state": one.state, "says": one.says, "do": one.do} for one in parts])
    else:
        for part in parts:
            print(f"{part.state:8} {part.name:14} {part.says}")
            if part.do:
                print(f"{'':23} -> {part.do}")
    return NOT_SO if any(part.state == "bad" for part in parts) else FINE
