"""The contract and route cards that belong to a board. The format is described in the README."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Literal

import msgspec

from companion.core.errors import NotationError, quoted
from companion.core.messages import m
from companion.games.spike.rules.boards.board import SHIPPED, Board, board_called, shipped_text
from companion.games.spike.rules.boards.entries import (
    Entry,
    LineFault,
    of_kind,
    raise_first,
    read_entries,
    repeated,
)
from companion.games.spike.rules.rulebook import BOOK

Dollars = Annotated[int, msgspec.Meta(ge=1, le=99)]


class _Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An unknown key in a line is an error."""


class Heading(_Line, frozen=True):
    """The first line: what the cards are called."""

    cards: str
    format: Literal[1]
    about: str = ""


class Contract(_Line, frozen=True):
    """One side of a contract card: what a good brings in which city."""

    contract: str
    card: int
    side: Literal["a", "b"]
    pays: dict[str, Dollars]

    @property
    def name(self) -> str:
        """The contract's name, such as ``pigs-2a``: good, card and side."""
        return f"{self.contract}-{self.card}{self.side}"

    @property
    def turned(self) -> str:
        """The name of the other side."""
        return f"{self.contract}-{self.card}{'b' if self.side == 'a' else 'a'}"


class Route(_Line, frozen=True):
    """A route card: the city at the top, and what the cities below are worth."""

    route: str
    pays: dict[str, Dollars]


SHAPES: Mapping[str, type[_Line]] = {"cards": Heading, "contract": Contract, "route": Route}


@dataclass(frozen=True, eq=False)
class Cards:
    """Contracts by name and routes by their start city."""

    heading: Heading
    contracts: dict[str, Contract]
    routes: dict[str, Route]

    def find_contract(self, name: str) -> Contract:
        """A side of a contract card."""
        if name not in self.contracts:
            message = m(
                "there is no contract {name}: say the good, the card and the side, like pigs-2a",
                name=quoted(name),
            )
            raise NotationError("unknown-contract", message)
        return self.contracts[name]

    def find_route(self, start: str) -> Route:
        """The route card of a start city."""
        if start not in self.routes:
            raise NotationError("unknown-route", m("there is no route card of {start}", start=quoted(start)))
        return self.routes[start]


def describe_cards(text: str, board: Board) -> tuple[list[Entry], list[LineFault]]:
    """What a file says line by line, and everything that is wrong with it."""
    entries, unreadable = read_entries(text, SHAPES)
    return entries, unreadable or list(_faults(entries, board))


def read_cards(text: str, board: Board, file: str = m("the card file")) -> Cards:
    """The cards that a file describes; the first thing wrong with it is a :class:`RulesDataError`."""
    entries, faults = describe_cards(text, board)
    raise_first(faults, file)
    return Cards(
        heading=of_kind(entries, "cards")[0].says,
        contracts={entry.says.name: entry.says for entry in of_kind(entries, "contract")},
        routes={entry.says.route: entry.says for entry in of_kind(entries, "route")},
    )


@lru_cache(maxsize=16)
def cards_called(name: str, board: str) -> Cards:
    """Shipped cards by their name, or the cards that a whole text describes."""
    file = name if name in SHIPPED else m("the card file")
    return read_cards(shipped_text(name, "cards"), board_called(board), file)


# --- what can be wrong ---


def _faults(entries: list[Entry], board: Board) -> Iterator[LineFault]:
    if not entries or entries[0].kind != "cards":
        line = entries[0].line if entries else 1
        yield LineFault(line, "no-heading", m('the first line has to begin with "cards"'))
    for extra in of_kind(entries, "cards")[1:]:
        yield LineFault(
            extra.line,
            "twice",
            m("the cards already have their heading on line {line}", line=entries[0].line),
        )
    yield from repeated(of_kind(entries, "contract"), "name")
    yield from repeated(of_kind(entries, "route"), "route")
    for entry in entries:
        if entry.kind != "cards":
            pays = entry.says.pays
            for city in pays:
                if city not in board.cities:
                    message = m(
                        "there is no city {city} on the board {board}",
                        city=quoted(city),
                        board=board.heading.board,
                    )
                    yield LineFault(entry.line, "unknown-city", message)
            if not pays:
                yield LineFault(
                    entry.line, "pays-nothing", m("this {kind} names no city that pays", kind=entry.kind)
                )
            yield from (_contract_faults if entry.kind == "contract" else _route_faults)(entry, board)
    yield from _missing_contracts(entries, board)
    yield from _missing_routes(entries)


def _contract_faults(entry: Entry, board: Board) -> Iterator[LineFault]:
    contract = entry.says
    if contract.contract not in board.goods:
        message = m("a contract for {contract}, which no city supplies", contract=quoted(contract.contract))
        yield LineFault(entry.line, "no-supply", message)
        return
    if not 1 <= contract.card <= BOOK.contract_cards:
        message = m(
            "the contract cards of a good are numbered 1 to {contract_cards}, not {card}",
            contract_cards=BOOK.contract_cards,
            card=contract.card,
        )
        yield LineFault(entry.line, "bad-card", message)
    for city in contract.pays:
        if city in board.suppliers[contract.contract]:
            message = m(
                "{city} supplies {contract} itself, so nothing is delivered there",
                city=city,
                contract=contract.contract,
            )
            yield LineFault(entry.line, "own-supply", message)


def _route_faults(entry: Entry, board: Board) -> Iterator[LineFault]:
    route = entry.says
    if route.route not in board.cities:
        message = m(
            "a route begins in {route}, which is no city of {board}",
            route=quoted(route.route),
            board=board.heading.board,
        )
        yield LineFault(entry.line, "unknown-city", message)
    if route.route in route.pays:
        yield LineFault(
            entry.line, "own-start", m("the route of {route} leads to {route} itself", route=route.route)
        )


def _missing_contracts(entries: list[Entry], board: Board) -> Iterator[LineFault]:
    there = {entry.says.name for entry in of_kind(entries, "contract")}
    for good in board.goods:
        wanted = [f"{good}-{card}{side}" for card in range(1, BOOK.contract_cards + 1) for side in BOOK.sides]
        missing = [name for name in wanted if name not in there]
        if missing:
            line = _last_line(entries, "contract", good)
            yield LineFault(
                line,
                "missing-contract",
                m("no contract {missing}: every good has three cards of two sides", missing=missing[0]),
            )


def _last_line(entries: list[Entry], kind: str, good: str) -> int:
    same = [entry.line for entry in of_kind(entries, kind) if entry.says.contract == good]
    return max(same, default=entries[-1].line if entries else 1)


# The rules text deals two routes to each of four players in advanced play.
FEWEST_ROUTES = 8


def _missing_routes(entries: list[Entry]) -> Iterator[LineFault]:
    count = len(of_kind(entries, "route"))
    if count < FEWEST_ROUTES:
        line = entries[-1].line if entries else 1
        yield LineFault(
            line,
            "missing-route",
            m(
                "four players need {fewest_routes} route cards, here are {count}",
                fewest_routes=FEWEST_ROUTES,
                count=count,
            ),
        )
