"""Seats: who sits where and who plays, colours and shapes that tell them apart, the secret that proves it."""

from __future__ import annotations

import hashlib
import secrets
import unicodedata
from typing import Annotated, Literal, TypeAlias

import msgspec

from companion.core.jsontext import JsonObject
from companion.core.messages import Seat, joined, m
from companion.game.base import Refusal
from companion.sheets.seat_marks import COLOUR_WORDS, SEAT_MARKS, SHAPE_WORDS

# Never by colour alone: each seat's colour goes with a shape of its own.
COLOURS = tuple(mark.colour for mark in SEAT_MARKS)
SHAPES = tuple(mark.shape for mark in SEAT_MARKS)
LONGEST_NAME = 24
_CHOICES = m(
    "choose a colour of {colours} and a shape of {shapes}",
    colours=joined(", ", map(COLOUR_WORDS.__getitem__, COLOURS)),
    shapes=joined(", ", map(SHAPE_WORDS.__getitem__, SHAPES)),
)


PersonId: TypeAlias = Annotated[str, msgspec.Meta(pattern="^[0-9A-Za-z]{0,32}(?!\n)$")]


class Player(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Somebody at a seat. ``person`` tells the same person from match to match; empty: nobody said."""

    name: str
    colour: str
    shape: str
    person: PersonId = ""


class Holder(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Who plays a seat: a person, a bot, or nobody. ``free``: whoever has the join code may take it over."""

    by: Literal["person", "bot", "nobody"]
    free: bool = False


BY_PERSON = Holder("person")


def default_player(seat: int) -> Player:
    """The player of a seat until somebody says a name."""
    return Player(
        Seat(seat, begins=True), COLOURS[(seat - 1) % len(COLOURS)], SHAPES[(seat - 1) % len(SHAPES)]
    )


def player_at(seat: int, data: JsonObject) -> Player:
    """A stored player; one without a name is called by the seat, in every language."""
    player, usual = Player(**data), default_player(seat).name
    return msgspec.structs.replace(player, name=usual) if player.name == usual else player


def is_seen(letter: str) -> bool:
    """True if a character is visible by itself: no blank, joiner, combining mark or filler."""
    return unicodedata.category(letter)[0] in "LNPS" and letter not in _FILLERS


def is_name(words: str) -> bool:
    """True if this can be somebody's name: not too long, and something of it is visible.

    >>> is_name("Ada"), is_name("\u3164"), is_name("  "), is_name("x" * 25)
    (True, False, False, False)
    """
    fits = 1 <= len(words.strip()) <= LONGEST_NAME and words.isprintable()
    return fits and any(map(is_seen, words))


_FILLERS = "\u115f\u1160\u3164\uffa0\u2800"  # letters and a symbol to Unicode, and nothing to the eye


def player_fault(player: Player, others: dict[int, Player]) -> Refusal | None:
    """Why these cannot be a player's name, colour and shape beside the others'."""
    if not is_name(player.name):
        return Refusal(
            "bad-name", m("a name has 1 to {longest_name} printable characters", longest_name=LONGEST_NAME)
        )
    if player.colour not in COLOURS or player.shape not in SHAPES:
        return Refusal("bad-colour", _CHOICES)
    for seat, other in others.items():
        if other.colour == player.colour or other.shape == player.shape:
            return Refusal(
                "taken",
                m(
                    "{colour} and {shape} belong to {seat}",
                    colour=COLOUR_WORDS[other.colour],
                    shape=SHAPE_WORDS[other.shape],
                    seat=other.name,
                ),
            )
        if other.name.strip().casefold() == player.name.strip().casefold():
            return Refusal("taken", m("{name} already sits at seat {seat}", name=other.name, seat=seat))
    return None


def new_token() -> str:
    """A seat's secret, for its QR code: 128 bits."""
    return secrets.token_urlsafe(16)


def token_digest(token: str) -> str:
    """The digest of a token that is stored: from it nobody gets the secret back."""
    return hashlib.sha256(token.encode()).hexdigest()
