"""Provably fair dice: the commitments, words and seeds that a match records.

Before the first roll the roller shows the SHA-256 of a secret seed (``commit``). Then everybody may add
a word (``word``), and what came together is told to the roller (``mix``). Every roll follows from seed,
words and the roll's number. When the match is over the seed is opened (``reveal``), and anybody can
compute every roll again. These events change nothing in the game; ``stationmaster replay --verify`` reads
them. A match asks for all this by being begun with ``"fair": true``.

A *duplicate* match has the dice of many tables: its first event names the commitment and the word of the
club's round, every roll follows from the round's seed, and the seed is opened when the round is over.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, TypeAlias

import msgspec

from companion.core.jsontext import as_plain, shaped
from companion.core.messages import m
from companion.game.base import Action, Chance, Fact, Refusal
from companion.table.events import Actor, Event
from companion.table.match import Match

Hex64: TypeAlias = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}(?!\n)$")]
LONGEST_WORD = 40
CLUB = "club"  # the kind of source of a duplicate match's dice


class Duplicate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The club's round whose dice a match has, as its first event says."""

    round: Annotated[int, msgspec.Meta(ge=1, le=100_000)]
    commitment: Hex64
    word: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{32}(?!\n)$")]


def duplicate_of(match: Match) -> Duplicate | None:
    """The club's round whose dice the match has; None for a match with dice of its own."""
    told = match.opening.get("duplicate")
    return msgspec.convert(told, Duplicate) if told else None


def next_roll(match: Match) -> int:
    """The number of a duplicate match's next roll, from 1: with its round's seed it gives the faces."""
    return 1 + sum(event.kind == "roll" for event in match.events)


def own_dice_fault(match: Match, action: Action) -> Refusal | None:
    """Why dice that were thrown at the table cannot be those of a duplicate match."""
    if action.kind != "roll" or not match.opening.get("duplicate") or not action.data.get("faces"):
        return None
    if action.data.get("source", {}).get("kind") == CLUB:
        return None
    message = "in this round every table has the same dice: press Roll on a phone instead of throwing dice"
    return Refusal("club-dice", message)


class _Commit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    uid: str
    commitment: Hex64


class _Word(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    word: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_WORD)]


class _Mix(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    commitment: Hex64
    word: str


class _Reveal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    commitment: Hex64
    seed: Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{2}){8,64}(?!\n)$")]


def decide_commit(_match: Match, action: Action, _actor: Actor, _chance: Chance) -> Fact | Refusal:
    """Decide a commitment: a roller publishes the hash of its seed, again after a restart."""
    return Fact("commit", None, as_plain(shaped(action.data, _Commit)))


def decide_word(match: Match, action: Action, _actor: Actor, _chance: Chance) -> Fact | Refusal:
    """Decide a word: a player adds one after the commitment and before the first roll."""
    word = shaped(action.data, _Word)
    if action.seat not in match.players:
        return Refusal("no-seat", m("say for which seat"))
    if not words_open(match.events):
        return Refusal("too-late", m("words are added between the roller's commitment and the first roll"))
    return Fact("word", action.seat, as_plain(word))


def words_open(events: Sequence[Event]) -> bool:
    """True if a roller has committed to a seed that no words were mixed into yet."""
    kinds = [event.kind for event in events if event.kind in ("commit", "mix")]
    return kinds[-1:] == ["commit"]


def decide_mix(match: Match, action: Action, _actor: Actor, _chance: Chance) -> Fact | Refusal:
    """Decide a mix: the players' words were sent to the roller that committed."""
    mix = shaped(action.data, _Mix)
    if mix.commitment not in {seed.commitment for seed in seeds_of(match.events)}:
        return Refusal("no-commitment", "no roller has committed to a seed with this hash")
    if mix.word != mixed_word(match.events):
        return Refusal("other-words", "the roller was told something else than the players' words")
    return Fact("mix", None, as_plain(mix))


def decide_reveal(match: Match, action: Action, _actor: Actor, _chance: Chance) -> Fact | Refusal:
    """Decide a reveal: the roller opens its seed."""
    reveal = shaped(action.data, _Reveal)
    if reveal.commitment not in {seed.commitment for seed in seeds_of(match.events)}:
        return Refusal("no-commitment", "no roller has committed to a seed with this hash")
    return Fact("reveal", None, as_plain(reveal))


def decide_first(match: Match, action: Action, _actor: Actor, chance: Chance) -> Fact | Refusal:
    """Choose the first player: a fair seat number, from a device or by chance."""
    given = shaped(action.data, _First)
    if given.seat is not None and given.seat not in match.players:
        return Refusal("no-seat", m("there is no seat {seat} in this match", seat=given.seat))
    if given.seat is not None:
        return Fact("first", None, {"seat": given.seat, "source": given.source or {"kind": "hand"}})
    seats = sorted(match.players)
    return Fact("first", None, {"seat": seats[chance.below(len(seats))], "source": chance.source})


class _First(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    seat: int | None = None
    source: dict[str, str | int | bool] = {}


@dataclass(frozen=True)
class Seed:
    """One committed seed of a match: its word once mixed, its secret once revealed."""

    uid: str
    commitment: str
    word: str | None = None
    secret: str | None = None


def seeds_of(events: Sequence[Event]) -> list[Seed]:
    """Every seed that a roller committed to in a match, in order."""
    found: dict[str, Seed] = {}
    for event in events:
        commitment = event.data.get("commitment", "")
        if event.kind == "start" and "duplicate" in event.data:
            club = msgspec.convert(event.data["duplicate"], Duplicate)
            found[club.commitment] = Seed(CLUB, club.commitment, club.word)
        elif event.kind == "commit":
            found[commitment] = Seed(event.data["uid"], commitment)
        elif event.kind == "mix":
            known = found[commitment]
            found[commitment] = Seed(known.uid, commitment, event.data["word"], known.secret)
        elif event.kind == "reveal":
            known = found[commitment]
            found[commitment] = Seed(known.uid, commitment, known.word, event.data["seed"])
    return list(found.values())


def words_of(events: Sequence[Event]) -> dict[int | None, str]:
    """The players' words since the last commitment, by seat; who says another one means that one."""
    last = max((at for at, event in enumerate(events) if event.kind == "commit"), default=0)
    return {event.seat: event.data["word"] for event in events[last:] if event.kind == "word"}


def mixed_word(events: Sequence[Event]) -> str:
    """What the roller is told of the match and of the players' words since the last commitment.

    The first 32 hex digits of the SHA-256 of the match's name and each ``seat:word``, a space between two.
    """
    spoken = [f"{seat}:{word}" for seat, word in sorted(words_of(events).items(), key=str)]
    return hashlib.sha256(" ".join([events[0].match, *spoken]).encode()).hexdigest()[:32]
