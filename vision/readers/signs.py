"""Small signs beside the routes: round numbers, marked boxes and circles, the codes of goals."""

from __future__ import annotations

from typing import Literal

from companion.games.railroad_ink.printed import Quad, slot_quads
from companion.games.railroad_ink.rulebook import EditionName

SignKind = Literal["round", "mark", "goal"]
MARKED = "+"
SIGNS: tuple[str, ...] = ("", *"1234567", MARKED, *"ABCDEFGHIJKL")
SIGN_NUMBER = {sign: number for number, sign in enumerate(SIGNS)}
SIGN_SIZE = 28  # pixels of the picture of a sign
SIGN_RIM = 0.12

# What can stand in a place of each kind.
POSSIBLE: dict[SignKind, tuple[str, ...]] = {
    "round": ("", *"1234567"),
    "mark": ("", MARKED),
    "goal": ("", *"ABCDEFGHIJKL"),
}


def sign_quads(edition: EditionName) -> dict[str, Quad]:
    """Every place of a sheet where a small sign may stand."""
    return {
        name: quad
        for name, quad in slot_quads(edition).items()
        if "-" in name and not name.startswith("score-")
    }


def sign_kind(name: str) -> SignKind:
    """What kind of sign stands in a place.

    >>> [sign_kind(name) for name in ("a1-round", "goal-2", "goal-2-4", "village-1", "special-nesw-picture")]
    ['round', 'goal', 'mark', 'mark', 'mark']
    """
    if name.endswith("-round"):
        return "round"
    return "goal" if name.startswith("goal-") and name.count("-") == 1 else "mark"
