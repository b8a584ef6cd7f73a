"""A match of Empire Builder as plain data, and the options it was begun with.

``track`` is the one truth about who built what: edge number -> seat, in the order of building. What follows
from it and is asked all the time (whose places hang together) is carried along in ``Player.linked`` and held
equal to it by the invariants.
"""

from __future__ import annotations

from typing import Any, Literal, get_args

import msgspec

from companion.core.messages import Seat, m
from companion.core.records import replaced
from companion.game.base import Mode, Option
from companion.games.empire_builder.rules.boards.board import Board, board
from companion.games.empire_builder.rules.cards.demands import Deck, DemandCard, demand_cards
from companion.games.empire_builder.rules.cards.events import PREFIX, Effects, EventCard, effects
from companion.games.empire_builder.rules.cards.ownevents import chip_counts, event_cards
from companion.games.empire_builder.rules.rulebook import RULES, TrainCard, TrainKind
from companion.sheets.decks import Cards, Deal, deal_option

Phase = Literal["operate", "build", "stopped"]
NewHand = Literal["never", "turn"]
Borrow = Literal["never", "double"]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What was chosen before the match: an owner's cards and map corrections are kept as their text."""

    cards: str = ""
    map: str = ""
    first: int = 0
    deal: Deal = "box"
    events: str = ""
    chips: str = ""
    new_hand: NewHand = "never"
    borrow: Borrow = "never"


OPTIONS: tuple[Option, ...] = (
    Option(
        "cards",
        "",
        m("demand cards of your own box"),
        written=m("a table with the columns card,city,load,payout"),
    ),
    Option(
        "map",
        "",
        m("what is different on your own map"),
        written=m("one thing a line, such as: {example}", example="terrain ao38 mountain"),
    ),
    deal_option(),
    Option(
        "events",
        "",
        m("event cards of your own box"),
        written=m("a table with the columns event,kind,where,radius,title"),
    ),
    Option(
        "chips",
        "",
        m("how many chips your own box has"),
        written=m("a table with the columns load,chips"),
    ),
    Option(
        "new_hand",
        "never",
        m("may all cards of a hand be changed"),
        get_args(NewHand),
        words=(m("no, never"), m("for a whole turn given up")),
    ),
    Option(
        "borrow",
        "never",
        m("may up to {most} million be borrowed (a house rule)", most=RULES.borrowing.most),
        get_args(Borrow),
        words=(m("no, never"), m("yes, to be paid back double")),
    ),
    Option(
        "first",
        0,
        m("who begins"),
        tuple(range(7)),
        words=(m("the rules decide"), *(m("{number}", number=Seat(number)) for number in range(1, 7))),
    ),
)


class Train(msgspec.Struct, frozen=True):
    """A train: where it stands (None: not placed yet), the milepost it came from, and what it carries."""

    kind: TrainKind = "freight"
    at: int | None = None
    came: int | None = None
    loads: tuple[str, ...] = ()

    @property
    def card(self) -> TrainCard:
        """The train's loco card."""
        return RULES.trains[self.kind]


class Ledger(msgspec.Struct, frozen=True):
    """A player's income and expenses, whose balance is the cash."""

    start: int = RULES.money.start
    payouts: int = 0
    rent_had: int = 0
    rent_paid: int = 0
    track: int = 0
    trains: int = 0
    tax: int = 0
    borrowed: int = 0
    repaid: int = 0
    counted: int = 0  # scorekeeper: what people counted differs from what the rules know

    @property
    def cash(self) -> int:
        """The player's cash: the money at the start plus all income, less all expenses."""
        had = self.start + self.payouts + self.rent_had + self.borrowed + self.counted
        return had - self.rent_paid - self.track - self.trains - self.tax - self.repaid

    @property
    def owed(self) -> int:
        """What the bank has yet to get."""
        return RULES.borrowing.owed_for_each * self.borrowed - self.repaid


class Player(msgspec.Struct, frozen=True):
    """A seat's money, cards and train. ``linked`` has for each place on its track the group it belongs to."""

    ledger: Ledger = Ledger()
    hand: Cards = ()
    train: Train = Train()
    linked: dict[int, int] = {}
    lost_turns: int = 0
    history: tuple[int, ...] = ()  # the cash after each turn

    @property
    def cash(self) -> int:
        """The cash in the player's ledger."""
        return self.ledger.cash

    @property
    def owed(self) -> int:
        """What the player owes the bank."""
        return self.ledger.owed


class Turn(msgspec.Struct, frozen=True):
    """What has happened in the turn that is being played."""

    phase: Phase = "operate"
    moved: int = 0
    slowed: bool = False
    paid: tuple[int, ...] = ()  # the opponents whose track has been paid for
    spent: int = 0
    out_of_majors: int = 0
    upgraded: bool = False


class InForce(msgspec.Struct, frozen=True):
    """An event that lasts until a seat has ended its turn of a round."""

    card: str
    seat: int
    round: int


class Standing(msgspec.Struct, frozen=True):
    """Scorekeeping: how it stood when the turn began, and whose cash has been counted since."""

    track: dict[int, int] = {}
    cash: dict[int, int] = {}
    trains: dict[int, TrainKind] = {}
    counted: tuple[int, ...] = ()


class State(msgspec.Struct, frozen=True):
    """The complete state of a match."""

    mode: Mode
    options: Options
    players: dict[int, Player]
    order: tuple[int, ...]  # the seats from the first player on
    deck: Cards = ()
    discards: Cards = ()
    track: dict[int, int] = {}
    turn: Turn = Turn()
    round: int = 1
    place: int = 0  # whose turn of the round it is
    in_force: tuple[InForce, ...] = ()
    losing: dict[int, int] = {}  # seat -> loads it has yet to choose and lose
    qualified: tuple[int, ...] = ()
    goal: int = RULES.money.win
    winner: int | None = None
    stood: Standing = Standing()
    out: tuple[int, ...] = ()  # seats that nobody plays: their turns pass, their track stays

    @property
    def board(self) -> Board:
        """The board on which the match is played."""
        return board(self.options.map)

    @property
    def cards(self) -> Deck:
        """The demand cards in play."""
        return demand_cards(self.options.cards, self.options.map)

    @property
    def events(self) -> dict[str, EventCard]:
        """The event cards in play."""
        return event_cards(self.options.events, self.options.map)

    @property
    def box_deals(self) -> bool:
        """Return True if the box deals the cards."""
        return self.mode == "umpire" and self.options.deal == "box"

    @property
    def effects(self) -> Effects:
        """What the events in force forbid."""
        return effects(self.board, tuple(self.events[event.card] for event in self.in_force))

    @property
    def seat(self) -> int:
        """The seat whose turn it is; the second round goes backwards."""
        return round_order(self)[self.place]

    @property
    def building_only(self) -> bool:
        """Return True in the first rounds, in which players only build."""
        return self.round <= RULES.building.building_turns

    @property
    def finished(self) -> bool:
        """Return True if the match has a winner."""
        return self.winner is not None


def with_standing(state: State) -> State:
    """The state at the beginning of a turn of which a scorekeeper will be told in reports."""
    if state.mode != "scorekeeper":
        return state
    cash = {seat: player.cash for seat, player in state.players.items()}
    trains = {seat: player.train.kind for seat, player in state.players.items()}
    return replaced(state, stood=Standing(state.track, cash, trains))


def round_order(state: State) -> tuple[int, ...]:
    """The seats in the order of this round: clockwise, and backwards in the second."""
    return state.order[::-1] if state.round == 2 else state.order


def supply(state: State) -> dict[str, int]:
    """The load chips that lie ready."""
    left = dict(chip_counts(state.options.chips))
    for player in state.players.values():
        for load in player.train.loads:
            left[load] -= 1
    return left


def hand_of(state: State, seat: int) -> list[DemandCard]:
    """The demand cards in a seat's hand."""
    return [state.cards[card] for card in state.players[seat].hand]


def is_event(card: str) -> bool:
    """Return True if this is an event card."""
    return card.startswith(PREFIX)


def with_player(state: State, seat: int, **changes: Any) -> State:
    """The state with something about one player changed."""
    player = replaced(state.players[seat], **changes)
    return replaced(state, players={**state.players, seat: player})


def with_money(state: State, seat: int, **amounts: int) -> State:
    """The state with amounts added to lines of a player's ledger."""
    ledger = state.players[seat].ledger
    changed = {line: getattr(ledger, line) + amount for line, amount in amounts.items()}
    return with_player(state, seat, ledger=replaced(ledger, **changed))


def with_train(state: State, seat: int, **changes: Any) -> State:
    """The state with something about one train changed."""
    return with_player(state, seat, train=replaced(state.players[seat].train, **changes))


def with_turn(state: State, **changes: Any) -> State:
    """The state with something about the turn changed."""
    return replaced(state, turn=replaced(state.turn, **changes))
