"""Rolls of a duplicate match: they follow from the seed of the club's round."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from companion.club.dice import ClubDice
from companion.core.jsontext import JsonObject
from companion.game.base import Action, Chance, Game
from companion.service.devices.dice import faces_of
from companion.table.fairplay import CLUB, duplicate_of, next_roll
from companion.table.match import Match
from firmware_bridge.fairness import faces_of_roll, recompute


class RoundChance:
    """The random source of one roll, with the same numbers at every table."""

    def __init__(self, seed: str, commitment: str, word: str, n: int) -> None:
        self.source: JsonObject = {"kind": CLUB, "fair": commitment[:8], "n": n}
        self._next_face = faces_of_roll(seed, word, n)

    def below(self, bound: int) -> int:
        """The face of the next die."""
        return self._next_face(bound)


def round_chance(dice: ClubDice) -> Callable[[Match, Action], Chance | None]:
    """Return a function that gives a roll's random source in a duplicate round, else None."""

    def chance_for(match: Match, action: Action) -> Chance | None:
        club = duplicate_of(match) if action.kind == "roll" else None
        if club is None or action.data.get("faces"):
            return None
        return RoundChance(dice.seed(club.commitment), club.commitment, club.word, next_roll(match))

    return chance_for


def round_faces(game: Game[Any], rolls: Sequence[Sequence[str]], seed: str, word: str) -> list[list[str]]:
    """Return the faces of every roll of a round, given the dice that each roll throws."""
    return [
        faces_of(game, names, recompute(seed, word, n, [len(game.die_faces[name]) for name in names]))
        for n, names in enumerate(rolls, start=1)
    ]
