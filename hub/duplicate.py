"""Rounds in which all tables have the same dice: their seed, and how all boards of the round compare.

The seed of a round is among the hub's settings until the round is opened; its commitment, the word of the
hall and in the end the seed itself are in the organiser's log. While a round is sealed the pages show neither
boards nor dice of its tables: a table that is slower would see what comes.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace

import msgspec

from companion.club.dice import club_word, commitment_of
from companion.club.keys import sealed_for
from companion.club.messages import RoundDice, Standing
from companion.core.jsontext import JsonObject
from companion.core.messages import m
from companion.game.registry import GAMES
from companion.service.devices.club_dice import round_faces
from hub.evening import Evening, Round
from hub.results import result_of
from hub.state import Box, HubState, Played
from hub.storage.database import Database, Transaction, put_setting, setting


class _First(msgspec.Struct, frozen=True):
    """What is looked at of a stored record, of whatever version."""

    kind: str
    data: JsonObject


_SEED = "dice-"  # settings: the seed of a commitment
_SEED_BYTES = 32
_MOST_ROLLS = 200  # looked at of a match; a round has some ten


def can_be_duplicate(game: str) -> bool:
    """True if tables apart can play the same match of this game."""
    return game in GAMES and GAMES[game].duplicable


def new_commitment(database: Database) -> str:
    """The commitment to a new seed."""
    seed = secrets.token_hex(_SEED_BYTES)
    commitment = commitment_of(seed)
    with database.writing() as change:
        put_setting(change, _SEED + commitment, seed)
    return commitment


def seed_of(look: Transaction, commitment: str) -> str:
    """The seed behind a commitment of this hub."""
    return setting(look, _SEED + commitment) or ""


def dice_for(database: Database, club: str, current: Round, box: str) -> RoundDice | None:
    """A round's dice as one box gets them; None where every table has its own."""
    if not current.commitment:
        return None
    with database.reading() as look:
        seed = seed_of(look, current.commitment)
    word = club_word(club, current.number, current.word)
    return RoundDice(current.commitment, word, sealed_for(box, seed))


def is_sealed(evening: Evening, box: Box, played: Played) -> bool:
    """True if other tables may still have to play with the dice of this match."""
    sealed = (one for one in evening.rounds if one.is_sealed and one.begun)
    return any(box.number in one.tables and played.entries >= one.entry for one in sealed)


@dataclass(frozen=True)
class Board:
    """Somebody's board of a round; ``place`` is None for one that does not rank, and ``why`` says why."""

    table: int
    played: Played
    seat: Standing
    place: int | None = None
    why: str = ""

    @property
    def total(self) -> int:
        """The points of the board."""
        return self.seat.total

    @property
    def name(self) -> str:
        """The name of the board in addresses."""
        return f"{self.table}-{self.seat.seat}-{self.played.match}"


def round_rolls(club: str, one: Round) -> list[list[str]]:
    """The faces of every roll of an opened round, which anybody can compute."""
    game = GAMES[one.game]
    if not one.seed or not game.duplicable:
        return []
    return round_faces(game, game.rolls(one.options), one.seed, club_word(club, one.number, one.word))


def boards_of(look: Transaction, hub_state: HubState, club: str, one: Round) -> list[Board]:
    """All boards of an opened round, the best first; those that do not rank come last."""
    rolls = round_rolls(club, one)
    found: list[Board] = []
    tried: set[str] = set()
    for box, match in _matches_with(look, one):
        played = hub_state.matches.get((box, match))
        if played is None or not played.results:
            continue
        result = result_of(hub_state.evening, played)
        why = "" if result.counts else result.why
        if box in tried:
            why = why or m("this table had begun the round before")
        else:
            why = why or _fault_of_rolls(look, played, rolls)
        if played.checked in ("claimed", "unclear") and result.correction is None:
            why = why or m("the rules cannot follow what its table told")
        tried.add(box)
        table = hub_state.boxes[box].number
        for seat in result.seats:
            left = m("did not play to the end") if seat.place is None else ""
            found.append(Board(table, played, seat, why=why or left))
    ranked = sorted((board.total for board in found if not board.why), reverse=True)
    placed = [board if board.why else replace(board, place=1 + ranked.index(board.total)) for board in found]
    return sorted(placed, key=lambda board: (board.place is None, -board.total, board.table, board.seat.seat))


def _matches_with(look: Transaction, one: Round) -> list[tuple[str, str]]:
    """Matches whose first event says that they have this round's dice, by box, in the order they came."""
    rows = look.rows(
        "SELECT m.box, m.match, r.body FROM matches m"
        " JOIN records r ON r.box = m.box AND r.match = m.match AND r.seq = 1"
        " WHERE m.entries >= ? AND m.game = ? ORDER BY m.nth, m.began, m.match",
        (one.entry, one.game),
    )
    return [(box, match) for box, match, body in rows if _commitment(body) == one.commitment]


def _commitment(body: str) -> object:
    """The commitment of a stored first record; an earlier hub took some that have none where it belongs."""
    told = msgspec.json.decode(body, type=_First).data.get("duplicate")
    return told.get("commitment") if isinstance(told, dict) else None


def _fault_of_rolls(look: Transaction, played: Played, rolls: list[list[str]]) -> str:
    """Why the dice of a match are not those of its round; empty when all of them are."""
    rows = look.rows(
        "SELECT body FROM records WHERE box = ? AND match = ? AND body LIKE ? ORDER BY seq LIMIT ?",
        (played.box, played.match, '%"kind":"roll"%', _MOST_ROLLS),
    )
    records = [msgspec.json.decode(body, type=_First) for (body,) in rows]
    thrown = [record.data.get("faces") for record in records if record.kind == "roll"]
    if thrown == rolls:
        return ""
    if thrown == rolls[: len(thrown)]:
        return m("not all dice of the round were rolled there")
    return m("these are not the dice of the round")
