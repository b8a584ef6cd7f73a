"""Fair dice: the roller commits to a seed before a match's first roll and opens it when the match is over.

Commitment, word and seed are stated in the match's events, so that everybody can compute every roll again
(:mod:`companion.service.export.proving`).
"""

from __future__ import annotations

import logging
import threading

from companion.core.jsontext import JsonObject
from companion.game.base import Action
from companion.table.events import Actor, Event
from companion.table.fairplay import Seed, mixed_word, seeds_of
from companion.table.match import Match
from companion.table.table import Refused, Table
from firmware_bridge.exc import BridgeError
from firmware_bridge.roller import DiceRoller

logger = logging.getLogger(__name__)


class CommittedSeeds:
    """The seeds of one roller, for the matches that were begun with them."""

    def __init__(self, table: Table, roller: DiceRoller) -> None:
        self._table = table
        self._roller = roller
        self._lock = threading.Lock()

    def follow(self, event: Event) -> None:
        """After each event: commit where no seed is left, and reveal the seeds of a match that is over."""
        match = self._table.match(event.match)
        if match is None or not match.opening.get("fair") or not self._roller.state().connected:
            return
        with self._lock:
            try:
                if not match.finished and (_uncovered(event) or not self._own_seeds(match)):
                    self._commit(match)
            except BridgeError as problem:
                logger.warning("The roller could not commit to a seed: %s", problem)
            if match.finished:
                self._reveal(match)

    def prepare(self, match: Match) -> None:
        """Before a roll that is asked for: the words are complete when the first one is."""
        if not match.opening.get("fair"):
            return
        with self._lock:
            if not self._own_seeds(match):
                self._commit(match)
            for seed in self._own_seeds(match):
                if seed.word is None:
                    word = mixed_word(self._now(match).events)
                    self._roller.mix(seed.commitment, word)
                    self._state(match, "mix", {"commitment": seed.commitment, "word": word})

    def _commit(self, match: Match) -> None:
        commitment = self._roller.commit()
        uid = self._roller.state().uid
        self._state(match, "commit", {"uid": uid, "commitment": commitment})

    def _reveal(self, match: Match) -> None:
        """A roller that was switched off since has forgotten its seed; the others are opened all the same."""
        for seed in self._own_seeds(match):
            if seed.secret is None:
                try:
                    secret = self._roller.reveal(seed.commitment)
                except BridgeError as problem:
                    logger.warning("The seed %s cannot be revealed: %s", seed.commitment[:8], problem)
                else:
                    self._state(match, "reveal", {"commitment": seed.commitment, "seed": secret})

    def _own_seeds(self, match: Match) -> list[Seed]:
        uid = self._roller.state().uid
        return [seed for seed in seeds_of(self._now(match).events) if seed.uid == uid]

    def _now(self, match: Match) -> Match:
        """The match as it is by now, with what was stated since."""
        return self._table.match(match.id) or match

    def _state(self, match: Match, kind: str, data: JsonObject) -> None:
        answer = self._table.submit(
            Action(kind, None, data), Actor("device", name=self._roller.state().uid), match=match.id
        )
        if isinstance(answer, Refused):
            logger.warning("The table refused %s: %s", kind, answer.message)


def _uncovered(event: Event) -> bool:
    """Return True for a roll whose roller lost its seed because it was switched off in between."""
    return event.kind == "roll" and event.device is not None and "fair" not in event.data["source"]
