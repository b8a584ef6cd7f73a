"""Dealing: everything that is shuffled for a new match, the check of a stored deal, and the first state."""

from __future__ import annotations

import msgspec

from companion.core.jsontext import JsonObject, as_plain, shaped
from companion.core.messages import Seat, m
from companion.core.records import replaced
from companion.game.base import Chance, MatchRequest, Mode, Refusal
from companion.games.spike.rules.boards.cards import Cards
from companion.games.spike.rules.match.state import Held, Options, Phase, Player, State
from companion.games.spike.rules.moves.market import Market
from companion.games.spike.rules.moves.payment import NONE
from companion.games.spike.rules.moves.rail_cards import all_rails, counted, spelled
from companion.games.spike.rules.rulebook import BOOK
from companion.sheets.decks import dealt, shuffle_fault, shuffled

HIDDEN = ("rails", "routes")  # keys of the setup that are shown to nobody


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The data of the first event. The lists are empty where people play with their own cards."""

    mode: Mode
    seats: int
    options: Options
    first: int
    contracts: tuple[str, ...] = ()
    market: Market = ()
    rails: tuple[str, ...] = ()
    routes: tuple[str, ...] = ()
    source: JsonObject = {}
    revision: int = 1


# What is small in the rules and has changed. 1: matches begun up to version 0.2.0. 2: people's own cards are
# counted, so that nobody plays or draws more of them than there are.
REVISION = 2


def setup(request: MatchRequest, chance: Chance) -> JsonObject | Refusal:
    """Fill up the options, read board and cards, shuffle and deal."""
    chosen = {key: value for key, value in request.options.items() if value != ""}  # empty: as usual
    options = shaped(chosen, Options, "bad-option")
    _ = options.on, options.pack  # a board or a card with a fault is said now
    if not 0 <= options.first <= request.seats:
        return Refusal(
            "bad-option",
            m("{first} cannot begin: there are {seats}", first=Seat(options.first), seats=request.seats),
        )
    first = options.first or 1 + chance.below(request.seats)
    made = Setup(request.mode, request.seats, options, first, revision=REVISION)
    data: JsonObject = as_plain(_dealt(made, chance) if _by_box(made) else made)
    return data


def _by_box(made: Setup) -> bool:
    return made.options.deal == "box" and made.mode == "umpire"


def _dealt(made: Setup, chance: Chance) -> Setup:
    board, pack = made.options.on, made.options.pack
    chips = shuffled(list(board.goods), chance)
    rows = len(BOOK.prices)
    return replaced(
        made,
        contracts=tuple(shuffled([_some_side(pack, good, chance) for good in board.goods], chance)),
        market=tuple(tuple(chips[n * rows : (n + 1) * rows]) for n in range(BOOK.columns)),
        rails=tuple(shuffled(all_rails(list(board.suits), made.seats), chance)),
        routes=tuple(shuffled(sorted(pack.routes), chance)),
        source=chance.source,
    )


def _some_side(pack: Cards, good: str, chance: Chance) -> str:
    sides = sorted(name for name, contract in pack.contracts.items() if contract.contract == good)
    return sides[chance.below(len(sides))]


# --- checking a stored deal ---


def setup_fault(data: JsonObject, request: MatchRequest) -> Refusal | None:
    """Why a stored setup could not have come out of :func:`setup`."""
    stored = shaped(data, Setup)
    if (stored.mode, stored.seats) != (request.mode, request.seats):
        return Refusal("bad-setup", m("the setup is for another mode or another number of seats"))
    first = stored.options.first
    if not 1 <= stored.first <= stored.seats or first not in (0, stored.first):
        return Refusal("bad-setup", m("{first} cannot have begun", first=Seat(stored.first)))
    if as_plain(stored) != {"revision": 1, **data} or not 1 <= stored.revision <= REVISION:
        return Refusal("bad-setup", m("by the rules these options make another setup"))
    return _deal_fault(stored)


def _deal_fault(stored: Setup) -> Refusal | None:
    board, pack = stored.options.on, stored.options.pack
    if not _by_box(stored):
        dealt_anyway = stored.contracts or stored.market or stored.rails or stored.routes
        return (
            Refusal("bad-setup", m("nothing is dealt where people use their own cards"))
            if dealt_anyway
            else None
        )
    goods = [pack.find_contract(name).contract for name in stored.contracts]
    if any(len(column) != len(BOOK.prices) for column in stored.market):
        return Refusal("bad-setup", m("a market column has {prices} chips", prices=len(BOOK.prices)))
    return (
        shuffle_fault(goods, list(board.goods), m("the contracts"))
        or shuffle_fault(
            [chip for column in stored.market for chip in column], list(board.goods), m("the market")
        )
        or shuffle_fault(stored.rails, all_rails(list(board.suits), stored.seats), m("the rail deck"))
        or shuffle_fault(stored.routes, list(pack.routes), m("the routes"))
    )


# --- the first state ---


def start(data: JsonObject) -> State:
    """The state after the first event."""
    made = shaped(data, Setup)
    seats = range(1, made.seats + 1)
    bare = State(
        mode=made.mode,
        options=made.options,
        players={seat: Player() for seat in seats},
        phase="declare",
        first=made.first,
        turn=made.first,
        waiting=tuple(seats),
        revision=made.revision,
    )
    if made.mode == "scorekeeper":
        return replaced(bare, phase="play")
    return _with_cards(bare, made) if bare.by_box else _with_counts(bare)


def _with_counts(state: State) -> State:
    """The first state with people's own cards: only their number is known, one was passed to the right."""
    seats = sorted(state.players)
    right = seats[seats.index(state.first) - 1]
    held = {seat: BOOK.hand + (seat == right) - (seat == state.first) for seat in seats}
    return replaced(state, players={seat: Player(held=held[seat]) for seat in seats})


def _with_cards(state: State, made: Setup) -> State:
    board = state.options.on
    hands, deck = dealt(made.rails, made.seats, BOOK.hand)
    contracts, _ = dealt(made.contracts, made.seats, len(made.contracts) // made.seats)
    advanced = state.options.play == "advanced"
    routes, _ = dealt(made.routes, made.seats, 2 if advanced else 1)
    players = {
        seat: Player(
            hand=counted(list(board.suits), hands[seat]),
            held=BOOK.hand,
            contracts=tuple(Held(name) for name in contracts[seat]),
            route=None if advanced else routes[seat][0],
            offered=routes[seat] if advanced else (),
        )
        for seat in state.players
    }
    return replaced(
        state,
        players=players,
        phase=first_phase(state),
        waiting=state.waiting if advanced else (),
        deck=deck[BOOK.shown :],
        shown=deck[: BOOK.shown],
        discards=NONE,
        market=made.market,
    )


def dealt_so_far(state: State) -> State:
    """The state as the table sees it while it is set up: hands come after the sides, the row after the gift.

    Everything is shuffled at once in the first event; what the rules deal later still lies in the deck.
    """
    if not state.by_box or state.phase not in ("sides", "give"):
        return state
    state = replaced(state, shown=(), deck=(*state.shown, *state.deck))
    if state.phase == "give":
        return state
    suits = list(state.options.on.suits)
    hands = [card for player in state.players.values() for card in spelled(suits, player.hand)]
    players = {seat: replaced(player, hand=(), held=0) for seat, player in state.players.items()}
    return replaced(state, players=players, deck=(*hands, *state.deck))


def first_phase(state: State) -> Phase:
    """The first phase where the box deals: choosing sides in advanced play, else the card to the right."""
    return "sides" if state.options.play == "advanced" else "give"
