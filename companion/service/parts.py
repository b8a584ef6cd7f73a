"""The state of one part of the box, as reported by the doctor and the host's page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

PartState: TypeAlias = Literal["ok", "missing", "bad"]


@dataclass(frozen=True)
class Part:
    """One part of the box, and what to do about it when something is wrong."""

    name: str
    state: PartState
    says: str
    do: str = ""
