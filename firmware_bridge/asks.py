"""What callers ask of the roller and what they hear: plain data, shared by the conversation and its users."""

from __future__ import annotations

from dataclasses import dataclass

from firmware_bridge.dice import Die, Roll
from firmware_bridge.exc import BridgeError
from firmware_bridge.protocol import Commit, Commitment, Kept, Mix, Ok, Reveal, Seed, Throws, Trial

Answer = Ok | Kept | Commitment | Seed | Throws


@dataclass(frozen=True)
class Timing:
    """Seconds. The defaults keep the promises of docs/serial-protocol.md."""

    hello_again: float = 0.3
    greeting: float = 2.5  # a board that restarts when its port is opened needs most of this
    ping: float = 0.8
    silent: float = 2.4  # three heartbeats
    only_noise: float = 10.0  # bytes come, but not one good line
    first_retry: float = 0.05
    longest_retry: float = 0.8
    noisy_retry: float = 0.01
    hurry: float = 0.001  # after a line that was dropped, ours or theirs: it was probably the one we wait for


@dataclass(eq=False)
class Ask:
    """Something a caller wants from the roller: these dice thrown, or the answer to this message."""

    id: str
    expires_at: float
    dice: tuple[Die, ...] = ()
    message: Commit | Mix | Reveal | Trial | None = None


@dataclass(frozen=True)
class RollHeard:
    """A roll, for the first and only time; `ask` is the request it answers."""

    roll: Roll
    ask: Ask | None = None


@dataclass(frozen=True)
class Answered:
    """The answer to an ask; a roll that was handed on before this process began comes as `Roll`."""

    ask: Ask
    answer: Answer | Roll


@dataclass(frozen=True)
class Failed:
    """An ask that failed for good, and why."""

    ask: Ask
    error: BridgeError


@dataclass(frozen=True)
class Changed:
    """Connected, disconnected, or the dice do something else."""


Event = RollHeard | Answered | Failed | Changed


@dataclass
class Counters:
    """What went wrong on the wire and was put right."""

    retries: int = 0
    naks: int = 0
    before_greeting: int = 0
    stale: int = 0  # lines of an earlier power-up
    restarts: int = 0
    refusals: int = 0
