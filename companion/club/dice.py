"""The dice of a duplicate round: the same at all tables, sealed until everybody has played.

The hub chooses a seed for a round and publishes its SHA-256, the *commitment*, when the round is drawn. When
the round begins every box gets the seed, encrypted for its own key, and a word that was chosen after the
commitment; every roll follows from seed, word and the roll's number, so a box that has lost the network goes
on. When the round is over the hub opens the seed, and every match says so in an event of its own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import msgspec

from companion.club.keys import unsealed
from companion.club.membership import KEY_SETTING
from companion.club.messages import RoundDice
from companion.core.jsontext import json_of
from companion.core.messages import m
from companion.table.events import Actor
from companion.table.exc import TableError
from companion.table.store import Store

DICE_SETTING = "club-dice"
_LOOKED_AT = 100  # the newest matches
CLUB_ACTOR = Actor("service", name="club")  # who opens seeds


def club_word(club: str, number: int, word: str) -> str:
    """The word mixed into every roll of a round: the club, the round, and a word from the hall.

    The first 32 hex digits of the SHA-256 of the three, a line break between two.
    """
    return hashlib.sha256(f"{club}\n{number}\n{word}".encode()).hexdigest()[:32]


def commitment_of(seed: str) -> str:
    """The hash that is published before; seed and hash are hex digits."""
    return hashlib.sha256(bytes.fromhex(seed)).hexdigest()


def matches_with(store: Store, commitment: str) -> list[str]:
    """The matches on this box that were played with these dice."""
    begun = [store.first(one.id) for one in store.matches()[-_LOOKED_AT:]]
    return [
        one.match
        for one in begun
        if one is not None and one.data.get("duplicate", {}).get("commitment") == commitment
    ]


class ClubDice:
    """The sealed seeds that a box has. ``kept`` and ``keep`` are where settings are remembered."""

    def __init__(self, kept: Callable[[str], str | None], keep: Callable[[str, str], None]) -> None:
        self._kept = kept
        self._keep = keep

    @property
    def waiting(self) -> dict[str, RoundDice]:
        """The dice that are not opened yet, by their commitments."""
        text = self._kept(DICE_SETTING)
        return msgspec.json.decode(text, type=dict[str, RoundDice]) if text else {}

    def take(self, dice: RoundDice) -> None:
        """Keep a round's dice; a :class:`TableError` when they are not those that were committed to."""
        if self._seed(dice) is None:
            raise TableError(
                "bad-dice",
                m("the dice of this round are not those that the club has committed to: call the organiser"),
            )
        self._put({**self.waiting, dice.commitment: dice})

    def seed(self, commitment: str) -> str:
        """The seed of a round whose dice are not opened yet, known to this box alone."""
        dice = self.waiting.get(commitment)
        found = self._seed(dice) if dice is not None else None
        if found is None:
            raise TableError("no-dice", m("this box does not have the dice of the round: call the organiser"))
        return found

    def forget(self, commitment: str) -> None:
        """Drop the dice of a commitment that has been opened."""
        self._put({name: dice for name, dice in self.waiting.items() if name != commitment})

    def _seed(self, dice: RoundDice) -> str | None:
        seed = unsealed(self._kept(KEY_SETTING) or "", dice.sealed)
        return seed if seed and commitment_of(seed) == dice.commitment else None

    def _put(self, dice: dict[str, RoundDice]) -> None:
        self._keep(DICE_SETTING, json_of(dice).decode())
