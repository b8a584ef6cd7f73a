"""How a match begins: one deck shuffled, three demands for everybody, and the best payout goes first."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.core.jsontext import JsonObject, as_plain, shaped
from companion.core.messages import Seat, joined, m, vocabulary
from companion.core.records import replaced
from companion.game.base import Chance, MatchRequest, Mode, NoChance, Refusal
from companion.games.empire_builder.rules.boards.board import board, owners_map_faults
from companion.games.empire_builder.rules.cards.demands import (
    Deck,
    card_faults,
    demand_cards,
    own_deck_faults,
)
from companion.games.empire_builder.rules.cards.ownevents import (
    chip_counts,
    chip_faults,
    event_cards,
    event_faults,
    own_event_faults,
)
from companion.games.empire_builder.rules.match.state import Options, Player, State, is_event, with_standing
from companion.games.empire_builder.rules.rulebook import RULES
from companion.sheets.decks import Cards, shuffle_fault, shuffled

_SINCE = {name: getattr(Options(), name) for name in ("deal", "events", "chips", "new_hand", "borrow")}


class _Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    mode: Mode
    seats: int
    options: Options
    hands: dict[int, Cards]
    deck: Cards
    first: int


def setup(request: MatchRequest, chance: Chance) -> JsonObject | Refusal:
    """Fill up the options, shuffle, deal, and find out who begins."""
    options = shaped(dict(request.options), Options, "bad-option")
    if not 0 <= options.first <= request.seats:
        return Refusal(
            "bad-option",
            m(
                "there is no seat {first} to begin: seats are 1 to {seats}",
                first=options.first,
                seats=request.seats,
            ),
        )
    if request.mode == "scorekeeper" and options.borrow != "never":
        return Refusal("bad-option", m("borrow: as scorekeeper the box does not see what anybody borrows"))
    board(options.map)  # bad corrections, and bad cards, are said now
    cards = demand_cards(options.cards, options.map)
    events = event_cards(options.events, options.map)
    chip_counts(options.chips)
    if request.mode == "scorekeeper" or options.deal == "table":
        first = options.first or 1 + chance.below(request.seats)
        return as_plain(_Setup(request.mode, request.seats, options, {}, (), first))  # type: ignore[no-any-return]
    if options.first:
        return Refusal("bad-option", m("the highest payout begins: first is for cards on the table only"))
    hands, deck = _dealt(shuffled([*cards, *events], chance), request.seats, chance)
    first = _first_player(cards, hands, chance)
    return as_plain(_Setup(request.mode, request.seats, options, hands, deck, first))  # type: ignore[no-any-return]


_TABLES = vocabulary("option", "map", "cards", "events", "chips")


def option_faults(options: JsonObject) -> list[str]:
    """Everything that is wrong with an owner's map corrections and cards, each fault with its line."""
    chosen = shaped(dict(options), Options, "bad-option")
    wrong = owners_map_faults(chosen.map)
    on = board("" if wrong else chosen.map)
    cards = card_faults(chosen.cards, on) if chosen.cards.strip() else own_deck_faults(on)
    events = event_faults(chosen.events, on) if chosen.events.strip() else own_event_faults(on)
    found = {"map": wrong, "cards": cards, "events": events, "chips": chip_faults(chosen.chips)}
    return [joined(", ", [_TABLES[what], fault]) for what, faults in found.items() for fault in faults]


def _dealt(order: Sequence[str], seats: int, chance: Chance) -> tuple[dict[int, Cards], Cards]:
    """Three demands each, one at a time; events that come up are replaced and shuffled back into the deck."""
    wanted = seats * RULES.match.hand
    demands = [card for card in order if not is_event(card)][:wanted]
    last = order.index(demands[-1]) + 1
    put_aside = [card for card in order[:last] if is_event(card)]
    hands = {seat: tuple(demands[seat - 1 :: seats]) for seat in range(1, seats + 1)}
    rest = [*put_aside, *order[last:]]
    return hands, tuple(shuffled(rest, chance) if put_aside else rest)


def _ranked(cards: Deck, hand: Cards) -> list[int]:
    """A hand's payouts, the highest first: what decides who begins."""
    return sorted((payout for card in hand for payout in cards[card].payouts()), reverse=True)


def _best_hands(cards: Deck, hands: dict[int, Cards]) -> list[int]:
    """The seats that would begin: highest payout, then the next highest, and so on."""
    best = max(_ranked(cards, hand) for hand in hands.values())
    return [seat for seat, hand in hands.items() if _ranked(cards, hand) == best]


def _first_player(cards: Deck, hands: dict[int, Cards], chance: Chance) -> int:
    tied = _best_hands(cards, hands)
    return tied[0] if len(tied) == 1 else tied[chance.below(len(tied))]


def setup_fault(data: JsonObject, request: MatchRequest) -> Refusal | None:
    """Why a stored setup could not have come out of :func:`setup`."""
    stored = shaped(data, _Setup)
    if (stored.mode, stored.seats) != (request.mode, request.seats):
        return Refusal("bad-setup", m("the setup is for another mode or another number of seats"))
    # Matches of before have fewer options: those that are not named are as they were then.
    if as_plain(stored) != {**data, "options": {**_SINCE, **data.get("options", {})}}:
        return Refusal("bad-setup", m("the rules write this setup differently"))
    if stored.mode == "scorekeeper" or stored.options.deal == "table":
        again = setup(
            MatchRequest(stored.seats, stored.mode, {**data["options"], "first": stored.first}), NoChance()
        )
        fine = not isinstance(again, Refusal) and again["first"] == stored.first and not stored.deck
        return None if fine else Refusal("bad-setup", m("nobody begins this match by the rules"))
    return _deal_fault(stored)


def _deal_fault(stored: _Setup) -> Refusal | None:
    cards = demand_cards(stored.options.cards, stored.options.map)
    seats = list(range(1, stored.seats + 1))
    dealt = [card for hand in stored.hands.values() for card in hand]
    if list(stored.hands) != seats or any(len(hand) != RULES.match.hand for hand in stored.hands.values()):
        return Refusal("bad-setup", m("every seat begins with {hand} demand cards", hand=RULES.match.hand))
    if any(card not in cards for card in dealt):
        return Refusal("bad-setup", m("only demand cards are dealt"))
    if stored.first not in _best_hands(cards, stored.hands):
        return Refusal("bad-setup", m("{first} does not have the highest payout", first=Seat(stored.first)))
    return shuffle_fault(
        [*dealt, *stored.deck],
        [*cards, *event_cards(stored.options.events, stored.options.map)],
        m("the deck with the hands"),
    )


def admit_fault(state: State) -> Refusal | None:
    """Why nobody can join late: only in the first round of building nobody has missed a turn yet."""
    if state.round == 1:
        return None
    return Refusal(
        "too-late", m("the first round is over, in which players can join: the next match has a place")
    )


def admit(state: State, seat: int) -> State:
    """One player more, with money and cards as at the start, who has the last turn of the round.

    The cards are the lowest demands of the deck, which is as good as the uppermost, and nothing has to be
    shuffled: events stay where they are.
    """
    demands = [card for card in state.deck if not is_event(card)][::-1][: RULES.match.hand]
    hand = tuple(demands) if state.box_deals else ()
    deck = tuple(card for card in state.deck if card not in hand)
    players = {**state.players, seat: Player(hand=hand)}
    after = replaced(state, players=players, order=(*state.order, seat), deck=deck)
    if state.mode == "umpire":
        return after
    stood, new = state.stood, players[seat]
    cash, trains = {**stood.cash, seat: new.cash}, {**stood.trains, seat: new.train.kind}
    return replaced(after, stood=replaced(stood, cash=cash, trains=trains))


def started(data: JsonObject) -> State:
    """The state after the start."""
    given = shaped(data, _Setup)
    seats = range(1, given.seats + 1)
    order = tuple((given.first - 1 + step) % given.seats + 1 for step in range(given.seats))
    players = {seat: Player(hand=given.hands.get(seat, ())) for seat in seats}
    state = State(given.mode, given.options, players, order, given.deck)
    return with_standing(replaced(state, turn=replaced(state.turn, phase="build")))
