"""Demand cards, and an owner's own cards from a CSV file.

A card has three demands: bring this load to that city for so many millions. The file for genuine cards has
one line a demand, ``card,city,load,payout``, in any order, a first line with these names being optional::

    17,Chicago,coffee,34
    17,Boise,imports,31
    17,Tampa,wood,27

Semicolons, capitals, currency signs and the usual names of cities are understood (:mod:`.tables`).
Every fault is one sentence with its lines.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files

import msgspec

from companion.core.errors import NotationError, quoted
from companion.core.messages import m
from companion.games.empire_builder.rules.boards.board import Board, board
from companion.games.empire_builder.rules.boards.tables import amount, grouped, meant, rows
from companion.games.empire_builder.rules.rulebook import LOAD_WORDS, LOADS

OWN_DECK = "data/demand_cards.json"
DEMANDS = 3
FEWEST = 36  # enough to deal six players their hands and go on for a while
MOST_CARDS = 1000
HIGHEST_PAYOUT = 999
_NAMED = 3  # incomplete cards that a fault names
COLUMNS = ("card", "city", "load", "payout")
_HEADS = {
    "number": "card",
    "no": "card",
    "id": "card",
    "destination": "city",
    "to": "city",
    "goods": "load",
    "good": "load",
    "commodity": "load",
    "cargo": "load",
    "payoff": "payout",
    "pays": "payout",
    "value": "payout",
    "amount": "payout",
    "price": "payout",
    "payment": "payout",
}


class Demand(msgspec.Struct, frozen=True, array_like=True):
    """Bring the load to the city and be paid."""

    city: str
    load: str
    payout: int


class DemandCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A card with its three demands."""

    card: str
    demands: tuple[Demand, ...]

    @property
    def best(self) -> int:
        """The highest payout of the card's demands."""
        return max(demand.payout for demand in self.demands)

    def payouts(self) -> list[int]:
        """All payouts of the card, highest first."""
        return sorted((demand.payout for demand in self.demands), reverse=True)


class DeckData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A deck as it is written down."""

    cards: tuple[DemandCard, ...]
    made: dict[str, object] = {}


Deck = dict[str, DemandCard]


@lru_cache(maxsize=8)
def demand_cards(genuine: str = "", corrections: str = "") -> Deck:
    """The cards in play: our own, or an owner's as CSV, for a board with these corrections."""
    cards = read_cards(genuine, board(corrections)) if genuine.strip() else own_cards()
    for fault in own_deck_faults(board(corrections)) if not genuine.strip() else ():
        raise NotationError("bad-cards", fault)
    return {card.card: card for card in cards}


def own_deck_faults(on: Board) -> list[str]:
    """Why our own cards cannot be played on an owner's whole map."""
    asked = {demand.city for card in own_cards() for demand in card.demands}
    missing = sorted(asked - set(on.cities))
    if not missing:
        return []
    return [
        m(
            "our cards ask for {missing}, which is not on this map: bring your own cards, too",
            missing=missing[0],
        )
    ]


@lru_cache(maxsize=1)
def own_cards() -> tuple[DemandCard, ...]:
    """The cards that come with the program."""
    raw = files("companion.games.empire_builder.rules").joinpath(OWN_DECK).read_bytes()
    return msgspec.json.decode(raw, type=DeckData).cards


def read_cards(text: str, on: Board) -> tuple[DemandCard, ...]:
    """The cards of a CSV file, or the first fault with its line."""
    found, faults = _checked(text, on)
    if faults:
        raise NotationError("bad-cards", faults[0])
    return tuple(DemandCard(card, tuple(demands)) for card, demands in found.items())


def card_faults(text: str, on: Board) -> list[str]:
    """Everything that is wrong with a CSV file of cards, each fault with its line."""
    return _checked(text, on)[1]


def _checked(text: str, on: Board) -> tuple[dict[str, list[Demand]], list[str]]:
    found: dict[str, list[Demand]] = {}
    last_line: dict[str, int] = {}
    faults: list[tuple[int, str]] = []
    for line, row in rows(text, COLUMNS, _HEADS, faults):
        try:
            card, demand = _demand(row, on)
            last_line[card] = line
            _refuse_card(found.setdefault(card, []), demand, card)
            found[card].append(demand)
        except NotationError as problem:
            faults.append((line, problem.message))
    return found, [*grouped(faults), *_incomplete(found, last_line)]


def _incomplete(found: dict[str, list[Demand]], last_line: dict[str, int]) -> Iterator[str]:
    """Cards without three demands, and a deck that is too small or too large."""
    short = {card: len(demands) for card, demands in found.items() if len(demands) != DEMANDS}
    if len(short) > _NAMED:
        named = ", ".join(list(short)[:_NAMED])
        yield m(
            "cards {named} and {named2} more do not have {demands} demands that can be read",
            named=named,
            named2=len(short) - _NAMED,
            demands=DEMANDS,
        )
    else:
        for card, count in short.items():
            what = m(
                "card {card} has {count} demands instead of {demands}",
                card=quoted(card),
                count=count,
                demands=DEMANDS,
            )
            yield m("line {card}: {what}", card=last_line[card], what=what)
    if not FEWEST <= len(found) <= MOST_CARDS:
        yield m(
            "these are {found} cards: a deck has {fewest} to {most_cards}, the genuine one 136",
            found=len(found),
            fewest=FEWEST,
            most_cards=MOST_CARDS,
        )


def _fault(what: str) -> NotationError:
    return NotationError("bad-cards", what)


def _demand(row: list[str], on: Board) -> tuple[str, Demand]:
    if len(row) != len(COLUMNS):
        raise _fault(
            m(
                "{row} columns instead of {columns}: {columns2}",
                row=len(row),
                columns=len(COLUMNS),
                columns2=", ".join(COLUMNS),
            )
        )
    card, city, load, payout = row
    if not card or len(card) > 20 or card.startswith("event-"):
        raise _fault(m("{card} cannot name a card: a number is best", card=quoted(card)))
    city, load = meant(city, on.cities, "city"), meant(load, LOADS, "load")
    demand = Demand(city, load, amount(payout, HIGHEST_PAYOUT, "payout"))
    if load in on.cities[city].loads:
        raise _fault(
            m("{name} supplies {load} itself, so no card asks for it there", name=city, load=LOAD_WORDS[load])
        )
    return card, demand


def _refuse_card(before: list[Demand], demand: Demand, card: str) -> None:
    if len(before) == DEMANDS:
        raise _fault(m("card {card} has more than {demands} demands", card=quoted(card), demands=DEMANDS))
    if any(demand.city == other.city or demand.load == other.load for other in before):
        raise _fault(
            m(
                "card {card} names {city} or {load} twice",
                card=quoted(card),
                city=demand.city,
                load=demand.load,
            )
        )
