"""The tables of ``rulebook.toml``, read once and checked."""

from __future__ import annotations

from importlib.resources import files

import msgspec


class _Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An unknown key in the file is an error."""


class Company(_Strict, frozen=True):
    """A railway company: ``short`` is how sentences call it."""

    letter: str
    name: str
    short: str
    colour: str
    ink: str


class Points(_Strict, frozen=True):
    """What is worth how much."""

    arrival: int
    first: int
    turn: int


class _Tables(_Strict, frozen=True):
    rounds: int
    rows: int
    hand: int
    between_discard: int
    points: Points
    arrivals: dict[int, int]
    deck: dict[str, int]
    tunnels: dict[str, int]
    company: tuple[Company, ...]


_TABLES = msgspec.toml.decode(
    files(__package__).joinpath("rulebook.toml").read_bytes(), type=_Tables, strict=False
)

ROUNDS = _TABLES.rounds
ROWS = _TABLES.rows
HAND = _TABLES.hand
BETWEEN_DISCARD = _TABLES.between_discard
POINTS = _TABLES.points
ARRIVALS_TO_END = _TABLES.arrivals
DECK_TABLE = _TABLES.deck
TUNNEL_TABLE = _TABLES.tunnels
COMPANIES: dict[str, Company] = {company.letter: company for company in _TABLES.company}
