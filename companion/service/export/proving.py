"""Computing every roll of a match again from the seeds that were committed to and revealed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.core.messages import joined, m
from companion.game.base import Game
from companion.service.devices.dice import faces_of
from companion.table.events import Event
from companion.table.fairplay import CLUB, Seed, next_roll, seeds_of
from companion.table.match import Match, advanced, opened
from firmware_bridge.fairness import commitment_of, recompute


@dataclass
class Proof:
    """The result of a check; ``uncovered`` rolls had no commitment and cannot be verified."""

    proved: list[int] = field(default_factory=list)
    uncovered: list[int] = field(default_factory=list)
    waiting: list[int] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    @property
    def sentence(self) -> str:
        """Return the result of the check as a sentence."""
        if self.faults:
            return self.faults[0]
        parts = [
            m("{proved} rolls follow from the seed that was committed to before", proved=len(self.proved))
        ]
        if self.uncovered:
            parts.append(m("{uncovered} were thrown without a commitment", uncovered=len(self.uncovered)))
        if self.waiting:
            parts.append(m("{waiting} wait until the seed is revealed", waiting=len(self.waiting)))
        return joined("", [joined("; ", parts), "."])


def prove_rolls(events: Sequence[Event], game: Game[Any]) -> Proof | None:
    """Every roll of a match whose dice were committed to; None for a match without commitments."""
    seeds = {seed.commitment[:8]: seed for seed in seeds_of(events)}
    if not seeds:
        return None
    proof = Proof(faults=[_seed_fault(seed) for seed in seeds.values() if _seed_fault(seed)])
    match = opened(events[0], game)
    for event in events[1:]:
        if event.kind == "roll":
            _prove(proof, match, event, seeds)
        match = advanced(match, event)
    return proof


def _seed_fault(seed: Seed) -> str:
    if seed.secret is None or commitment_of(seed.secret) == seed.commitment:
        return ""
    return m("the revealed seed is not the one that was committed to: the dice cannot be trusted")


def _prove(proof: Proof, match: Match, event: Event, seeds: Mapping[str, Seed]) -> None:
    seed = seeds.get(str(event.data["source"].get("fair")))
    number = _number(match, event)
    if seed is None or number is None:
        proof.uncovered.append(event.seq)
    elif seed.secret is None:
        proof.waiting.append(event.seq)
    elif _follows(match, event, number, seed.secret, seed.word or ""):
        proof.proved.append(event.seq)
    else:
        proof.faults.append(
            m("the roll of event {seq} does not follow from the seed committed to before", seq=event.seq)
        )


def _number(match: Match, event: Event) -> int | None:
    """Return a roll's number under its seed: the roller's count, or for a club's dice the match's."""
    if event.data["source"].get("kind") == CLUB:
        return next_roll(match)
    return event.device.n if event.device is not None else None


def _follows(match: Match, event: Event, number: int, secret: str, word: str) -> bool:
    names = match.game.dice(match.state)
    counts = [len(match.game.die_faces[name]) for name in names]
    numbers = recompute(secret, word, number, counts)
    faces: list[str] = event.data["faces"]
    return faces == faces_of(match.game, names, numbers)
