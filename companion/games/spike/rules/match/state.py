"""A match of SPIKE as plain data, and the options it was begun with."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, get_args

import msgspec

from companion.core.messages import Seat, m
from companion.core.records import replaced
from companion.game.base import Mode, Option
from companion.games.spike.rules.boards.board import SHIPPED, Board, board_called
from companion.games.spike.rules.boards.cards import Cards, cards_called
from companion.games.spike.rules.rulebook import BOOK, PARTS, Part
from companion.sheets.decks import Deal, deal_option

Play: TypeAlias = Literal["basic", "advanced"]
Segments: TypeAlias = Literal["exclusive", "shared"]
SkippedCity: TypeAlias = Literal["free", "counts"]
Reach: TypeAlias = Literal["one", "several"]
Rejoin: TypeAlias = Literal["no", "yes"]

# sides, routes: choosing in advanced play; declare: what the cards on the table are; give: the card to the
# right; place: the locomotives; play; reveal: route cards of the table's own; over.
Phase: TypeAlias = Literal["declare", "sides", "give", "routes", "place", "play", "reveal", "over"]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What was chosen before the match."""

    board: str = SHIPPED[0]
    cards: str = SHIPPED[0]
    deal: Deal = "box"
    play: Play = "basic"
    first: int = 0
    segments: Segments = "exclusive"
    skipped_city: SkippedCity = "free"
    reach: Reach = "one"
    rejoin: Rejoin = "no"

    @property
    def on(self) -> Board:
        """The board on which the match is played."""
        return board_called(self.board)

    @property
    def pack(self) -> Cards:
        """The contract and route cards."""
        return cards_called(self.cards, self.board)


OPTIONS: tuple[Option, ...] = (
    Option(
        "board", "", m("a map of your own"), written=m("from its file; left empty, the map that comes along")
    ),
    Option(
        "cards",
        "",
        m("cards of your own"),
        written=m("from their file; left empty, the cards that come along"),
    ),
    deal_option(),
    Option(
        "play",
        "basic",
        m("which game: the advanced one lets everybody choose sides of contracts, and one of two routes"),
        get_args(Play),
        words=(m("the basic game"), m("the advanced game")),
    ),
    Option(
        "first",
        0,
        m("who begins"),
        (0, 1, 2, 3, 4),
        words=(m("chance decides"), *(m("{number}", number=Seat(number)) for number in range(1, 5))),
    ),
    Option(
        "segments",
        "exclusive",
        m("may two players have track on the same segment"),
        get_args(Segments),
        words=(m("no, only one player"), m("yes, two players may")),
    ),
    Option(
        "skipped_city",
        "free",
        m("does a city that a train skips count as a space"),
        get_args(SkippedCity),
        words=(m("it does not count"), m("it counts as a space")),
    ),
    Option(
        "reach",
        "one",
        m("how many new cities one build may connect"),
        get_args(Reach),
        words=(m("only one city"), m("several cities")),
    ),
    Option(
        "rejoin",
        "no",
        m("may a build lead to a city one has already"),
        get_args(Rejoin),
        words=(m("no, to new cities only"), m("yes, to these cities, too")),
    ),
)


class Train(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A train: where it is (a city or a track), what its parts count, the goods aboard."""

    at: str
    speed: int = BOOK.parts["speed"][0]
    power: int = BOOK.parts["power"][0]
    cargo: int = BOOK.parts["cargo"][0]
    aboard: tuple[str, ...] = ()

    def level(self, part: Part) -> int:
        """How often a part was upgraded."""
        return BOOK.parts[part].index(getattr(self, part))

    def upgraded(self, part: Part) -> Train:
        """The train with the next part."""
        return replaced(self, **{part: BOOK.parts[part][self.level(part) + 1]})

    @property
    def spent(self) -> int:
        """What all its upgrades have cost."""
        return sum(sum(BOOK.upgrade_costs[: self.level(part)]) for part in PARTS)


class Held(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A contract in front of a player, and the city it was delivered to."""

    name: str
    delivered: str | None = None


class Player(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a seat has. ``hand`` counts rail cards by suit; it is empty when only ``held`` is known."""

    money: int = 0
    scored: int = 0  # the part of the money that came from the commodity market
    tracks: tuple[str, ...] = ()  # in the order in which they were built
    hand: tuple[int, ...] = ()
    held: int = 0
    contracts: tuple[Held, ...] = ()
    train: Train | None = None
    route: str | None = None
    offered: tuple[str, ...] = ()

    @property
    def pieces(self) -> int:
        """Track pieces that are not played yet."""
        return BOOK.tracks - len(self.tracks)

    @property
    def delivered_to(self) -> frozenset[str]:
        """The cities with one of this player's delivery markers."""
        return frozenset(held.delivered for held in self.contracts if held.delivered)


class State(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The complete state of a match."""

    mode: Mode
    options: Options
    players: dict[int, Player]
    phase: Phase
    first: int = 1
    turn: int = 1
    waiting: tuple[int, ...] = ()  # seats that have still to choose, declare, reveal or be done
    deck: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    discards: tuple[int, ...] = (0,) * BOOK.suits
    round: int = 1
    times: int = 0  # time cards that have come up in the last round
    market: tuple[tuple[str, ...], ...] = ()  # columns, the highest price first
    moved: bool = False  # the free movement of this turn is over
    acted: bool = False  # the action of this turn is done, or being done
    drawing: int = 0  # cards that may still be drawn
    last_turns: int | None = None  # turns left after somebody had nothing left to do
    revision: int = 1  # of the small print: 1 in matches begun up to version 0.2.0, see `dealing.REVISION`
    out: tuple[int, ...] = ()  # seats that nobody plays, see :mod:`.leaving`

    @property
    def player(self) -> Player:
        """The player whose turn it is."""
        return self.players[self.turn]

    @property
    def by_box(self) -> bool:
        """Return True if the box deals and knows every card."""
        return self.options.deal == "box" and self.mode == "umpire"

    @property
    def counts_cards(self) -> bool:
        """Return True if claims about people's own cards are checked against the cards in the deck."""
        return not self.by_box and self.revision >= 2

    @property
    def finished(self) -> bool:
        """Return True if the match is over."""
        return self.phase == "over"


def with_player(state: State, seat: int, **changes: Any) -> State:
    """The state with something of one player changed."""
    players = {**state.players, seat: replaced(state.players[seat], **changes)}
    return replaced(state, players=players)


def in_turn_order(state: State) -> list[int]:
    """The seats in clockwise order from the one that began."""
    seats = sorted(state.players)
    start = seats.index(state.first)
    return seats[start:] + seats[:start]


def right_of(state: State, seat: int) -> int:
    """Whoever sits to the right, which is counter-clockwise."""
    seats = sorted(state.players)
    return seats[seats.index(seat) - 1]
