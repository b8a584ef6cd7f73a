"""The rail deck: drawing, filling up the shown cards, and the end of a round.

Whenever the deck is exhausted a round ends, and chance has to shuffle. These functions take the orders that
chance decided; where one is lacking they raise :class:`ShuffleWanted`, which says what is to be shuffled.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.core.messages import joined, m
from companion.core.records import replaced
from companion.game.base import Chance, Refusal
from companion.games.spike.rules.match.state import State, with_player
from companion.games.spike.rules.moves.payment import NONE, Counts
from companion.games.spike.rules.rulebook import BOOK, TIME
from companion.games.spike.rules.words import cards_of_suit
from companion.sheets.decks import Cards, shuffle_fault, shuffled, without

DECK = "deck"  # where a card is drawn from, unless it is one of the shown suits


class ShuffleWanted(Exception):  # noqa: N818
    """A round has ended and nobody has shuffled yet."""

    def __init__(self, cards: Cards, round_: int) -> None:
        super().__init__(m("the deck of round {round} is not shuffled", round=round_))
        self.cards = cards
        self.round = round_


def counted(suits: Sequence[str], cards: Sequence[str]) -> Counts:
    """Cards as counts by suit.

    >>> counted(["red", "blue"], ["blue", "red", "blue"])
    (1, 2)
    """
    return tuple(list(cards).count(suit) for suit in suits)


def spelled(suits: Sequence[str], counts: Counts) -> Cards:
    """Counts by suit as cards.

    >>> spelled(["red", "blue"], (1, 2))
    ('red', 'blue', 'blue')
    """
    return tuple(suit for suit, count in zip(suits, counts, strict=True) for _ in range(count))


def suits_of(state: State) -> list[str]:
    """The suits in the board's order."""
    return list(state.options.on.suits)


def cards_words(cards: Mapping[str, int]) -> str:
    """Cards by suit, as a sentence lists them.

    >>> cards_words({"red": 2, "blue": 1, "white": 0}), cards_words({})
    ('2 red, 1 blue', 'no cards')
    """
    counts = {suit: count for suit, count in cards.items() if count}
    some = [cards_of_suit(count, suit) for suit, count in counts.items()]
    return joined(", ", some) or m("no cards")


def all_rails(suits: Sequence[str], seats: int) -> Cards:
    """Every rail card in play."""
    return tuple(suit for suit in suits for _ in range(BOOK.rails_of_a_suit(seats)))


def can_draw(state: State) -> bool:
    """True if a card can be drawn, after a shuffle if need be."""
    return bool(state.shown or state.deck or (any(state.discards) and state.round < BOOK.rounds))


# --- people's own cards, of which only the number in each hand is known ---


def not_played(state: State) -> Counts:
    """How many cards of each suit are not on the discard pile: no hand can hold more."""
    there = BOOK.rails_of_a_suit(len(state.players))
    return tuple(there - lie for lie in state.discards)


def left_to_draw(state: State) -> int:
    """How many cards are in deck and row; before the last round those on the discard pile come back."""
    there = BOOK.rails_of_a_suit(len(state.players)) * len(suits_of(state))
    gone = sum(state.discards) if state.round == BOOK.rounds else 0
    return max(0, there - gone - sum(player.held for player in state.players.values()))


# --- drawing ---


def after_draw(state: State, where: str, orders: list[list[str]]) -> State:
    """The state after drawing a card from row or deck; after a turn's last one the row is filled up."""
    state = _round_over(state, orders)  # where there was nothing to shuffle there may be discards by now
    left = state.drawing or (state.player.train.power if state.player.train else 0)
    state = _from_deck(state) if where == DECK else _from_row(state, where)
    state = _round_over(replaced(state, acted=True, drawing=left - 1), orders)
    return after_stop(state, orders) if state.drawing == 0 or not can_draw(state) else state


def after_stop(state: State, orders: list[list[str]]) -> State:
    """The state after drawing has ended, with the row filled up to four."""
    state = replaced(state, drawing=0)
    while len(state.shown) < BOOK.shown and state.deck and not is_last_time(state):
        card, state = _top(state)
        if card is not None:
            state = replaced(state, shown=(*state.shown, card))
        state = _round_over(state, orders)
    return state


def is_last_time(state: State) -> bool:
    """Return True if the last time card of the deck has come up."""
    return state.times == BOOK.time_cards


def _from_row(state: State, suit: str) -> State:
    return _into_hand(replaced(state, shown=without(state.shown, suit)), suit)


def _from_deck(state: State) -> State:
    """Draw from the deck; a time card goes to the board and is replaced at once, the third ends the match."""
    card, state = _top(state)
    while card is None and not is_last_time(state):
        card, state = _top(state)
    return _into_hand(state, card) if card is not None else state


def _top(state: State) -> tuple[str | None, State]:
    """The top card; None if it was a time card, which is then on the board."""
    card, state = state.deck[0], replaced(state, deck=state.deck[1:])
    return (None, replaced(state, times=state.times + 1)) if card == TIME else (card, state)


def _into_hand(state: State, suit: str) -> State:
    player, place = state.player, suits_of(state).index(suit)
    hand = tuple(count + (number == place) for number, count in enumerate(player.hand))
    return with_player(state, state.turn, hand=hand, held=player.held + 1)


# --- rounds ---


def _round_over(state: State, orders: list[list[str]]) -> State:
    """If the deck is exhausted, begin the next round: reshuffle all cards not in hands, show four.

    Where no card is left to be shuffled the round goes on, as there is nothing whose end could be waited for.
    """
    if state.deck or state.round == BOOK.rounds:
        return state
    left = tuple(sorted((*state.shown, *spelled(suits_of(state), state.discards))))
    if not left:
        return state
    number = state.round + 1
    if not orders:
        raise ShuffleWanted(left, number)
    order = tuple(orders.pop(0))
    shown, deck = order[: BOOK.shown], order[BOOK.shown :]
    if TIME in shown:  # so few cards are left that the row cannot be filled
        place = shown.index(TIME)
        shown, deck = shown[:place], order[place:]
    return _round_over(replaced(state, round=number, deck=deck, shown=shown, discards=NONE), orders)


def shuffled_for(wanted: ShuffleWanted, chance: Chance) -> list[str]:
    """The order for a new round; in the last one the time cards lie in the lower half."""
    order = shuffled(wanted.cards, chance)
    if wanted.round < BOOK.rounds:
        return order
    middle = _last_round_cut(len(order))
    return order[:middle] + shuffled((*order[middle:], *_time_cards()), chance)


def _last_round_cut(cards: int) -> int:
    """Where the lower half of the last deck begins: four cards are shown, then the upper half."""
    return min(cards, BOOK.shown) + max(0, cards - BOOK.shown) // 2


def _time_cards() -> Cards:
    return (TIME,) * BOOK.time_cards


def order_fault(wanted: ShuffleWanted, order: object) -> Refusal | None:
    """Why an order could not have come from shuffling for this round."""
    last = wanted.round == BOOK.rounds
    cards = (*wanted.cards, *_time_cards()) if last else wanted.cards
    fault = shuffle_fault(order, cards, m("the deck of round {round}", round=wanted.round))
    if fault is not None or not last:
        return fault
    assert isinstance(order, list | tuple)
    if TIME in order[: _last_round_cut(len(wanted.cards))]:
        return Refusal("bad-shuffle", m("the time cards lie in the lower half of the last deck"))
    return None
