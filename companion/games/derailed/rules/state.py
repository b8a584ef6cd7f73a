"""A match of Derailed! as plain data, and the options it was begun with."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

import msgspec

from companion.core.messages import Seat, m
from companion.game.base import Mode, Option
from companion.games.derailed.rules.cards import card_of
from companion.games.derailed.rules.columns import Swap
from companion.games.derailed.rules.network import Area, area_of, lane_name
from companion.games.derailed.rules.placement import DEAD_ENDS, DeadEnds
from companion.games.derailed.rules.rulebook import ARRIVALS_TO_END, COMPANIES, Company
from companion.sheets.decks import Cards, Deal, Hands, deal_option

NextStart: TypeAlias = Literal["clockwise", "fewest"]
Together: TypeAlias = Literal["all", "placer"]
# place: the turn's card; take: the card after it; between: until the next round is set up; over: the match.
Phase: TypeAlias = Literal["place", "take", "between", "over"]
Ending: TypeAlias = Literal["arrivals", "stalemate", "called"]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What was chosen before the match, filled up."""

    companies: str = ""
    deal: Deal = "box"
    first: int = 1
    next_start: NextStart = "clockwise"
    between_discard: bool = False
    dead_ends: DeadEnds = "stop"
    first_together: Together = "all"
    tunnels: bool = False


OPTIONS: tuple[Option, ...] = (
    Option(
        "companies",
        "",
        m("who has which company"),
        ("", *COMPANIES),
        words=(m("as it comes"), *(company.name for company in COMPANIES.values())),
        each=True,
    ),
    deal_option(),
    Option(
        "first",
        1,
        m("who begins the first match (whoever took a train last)"),
        tuple(range(7)),
        words=(m("drawn by chance"), *(m("{number}", number=Seat(number)) for number in range(1, 7))),
    ),
    Option(
        "next_start",
        "clockwise",
        m("who starts the next round"),
        get_args(NextStart),
        words=(m("play goes on clockwise"), m("who made the fewest points")),
    ),
    Option(
        "between_discard", False, m("may each player change up to two cards between rounds"), (False, True)
    ),
    Option(
        "dead_ends",
        "stop",
        m("does a dead end that meets your track connect"),
        DEAD_ENDS,
        words=(m("no connection"), m("a connection")),
    ),
    Option(
        "first_together",
        "all",
        m("who gets the point when one card lets several arrive first"),
        get_args(Together),
        words=(m("all of them"), m("who laid the card")),
    ),
    Option("tunnels", False, m("with the two tunnel cards"), (False, True)),
)


class Arrival(msgspec.Struct, frozen=True):
    """A company at its destination: the path that proved it, and what it brought."""

    seat: int
    round: int
    path: tuple[str, ...]
    cell: str = ""  # of the card that completed the path, when one card did
    by: int | None = None
    first: bool = False
    turns: int = 0  # later turns of this round


class State(msgspec.Struct, frozen=True):
    """The complete state of a match. Grid stacks list faces from the lowest to the uppermost."""

    mode: Mode
    options: Options
    starts: tuple[str, ...]
    destinations: tuple[str, ...]
    swaps: tuple[Swap, ...]
    hands: Hands
    deck: Cards
    turn: int
    discards: Cards = ()
    grid: dict[str, tuple[str, ...]] = {}
    round: int = 1
    phase: Phase = "place"
    idle: int = 0  # turns since a card was laid
    arrivals: tuple[Arrival, ...] = ()
    endings: tuple[Ending, ...] = ()
    last: str = ""  # the cell of the card laid last
    changed: tuple[int, ...] = ()  # the seats that have changed cards between these rounds
    revision: int = 1  # of the small print: 1 in matches begun up to version 0.2.0, see `setup.REVISION`
    out: tuple[int, ...] = ()  # seats that nobody plays: their turns pass, their companies arrive nowhere

    @property
    def seats(self) -> range:
        """The numbers of all seats, from 1."""
        return range(1, len(self.starts) + 1)

    @property
    def dealt(self) -> bool:
        """Return True if the box deals the cards."""
        return self.options.deal == "box"

    @property
    def needed(self) -> int:
        """How many arrivals end a round."""
        return ARRIVALS_TO_END[len(self.starts)]

    @property
    def arrived(self) -> tuple[Arrival, ...]:
        """This round's arrivals, in order."""
        return tuple(arrival for arrival in self.arrivals if arrival.round == self.round)

    @property
    def enough_arrived(self) -> bool:
        """Return True if the round is over: enough have arrived, or everybody who still can."""
        if len(self.arrived) >= self.needed:
            return True
        playing = [seat for seat in self.seats if seat not in self.out]
        return bool(self.out and playing) and all(map(self.has_arrived, playing))

    @property
    def cells(self) -> dict[str, str]:
        """The uppermost face of every cell with cards."""
        return {cell: stack[-1] for cell, stack in self.grid.items()}

    @property
    def laid(self) -> Cards:
        """Every card in the railway area, covered ones too."""
        return tuple(card_of(face) for stack in self.grid.values() for face in stack)

    def area(self) -> Area:
        """The uppermost cards as track."""
        return area_of(len(self.starts), self.cells)

    def company(self, seat: int) -> Company:
        """The company a seat plays."""
        return COMPANIES[self.options.companies[seat - 1]]

    def start_lane(self, seat: int) -> int:
        """The lane of a seat's starting station."""
        return self.starts.index(self.options.companies[seat - 1])

    def destination_lane(self, seat: int) -> int:
        """The lane of a seat's destination."""
        return self.destinations.index(self.options.companies[seat - 1])

    def has_arrived(self, seat: int) -> bool:
        """Return True if the seat's company has arrived in this round."""
        return any(arrival.seat == seat for arrival in self.arrived)

    def after(self, seat: int) -> int:
        """The next seat in clockwise order."""
        return seat % len(self.starts) + 1


def lanes_of(starts: tuple[str, ...], destinations: tuple[str, ...]) -> list[dict[str, str]]:
    """The lanes with the companies at both ends."""
    ends = enumerate(zip(starts, destinations, strict=True))
    return [{"lane": lane_name(n), "start": start, "destination": end} for n, (start, end) in ends]
