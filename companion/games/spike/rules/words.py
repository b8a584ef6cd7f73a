"""How goods, suits, parts of a train and boards are called; what owners named, by their names."""

from __future__ import annotations

from companion.core.messages import Message, joined, m, vocabulary

_GOODS = vocabulary(
    "good",
    *("Cloth", "Coal", "Corn", "Cotton", "Cows", "Flour", "Fruit", "Oil", "Pigs", "Steel", "Wheat", "Wood"),
    *("cloth", "coal", "corn", "cotton", "cows", "flour", "fruit", "oil", "pigs", "steel", "wheat", "wood"),
)
_SUITS = vocabulary("suit", "red", "blue", "green", "yellow", "white", "black")
_CARDS = vocabulary(
    "suit", "{count} red", "{count} blue", "{count} green", "{count} yellow", "{count} white", "{count} black"
)
_BOARDS = vocabulary("board", "Eastern States")
PART_WORDS = {"speed": m("locomotive"), "power": m("tender"), "cargo": m("freight cars")}


def good_words(name: str) -> str:
    """
    >>> good_words("Cows"), good_words("Tulips")
    ('Cows', 'Tulips')
    """
    return _GOODS.get(name, name)


def suit_words(suit: str) -> str:
    """What a suit of cards and tracks is called."""
    return _SUITS.get(suit, suit)


def cards_of_suit(count: int, suit: str) -> Message:
    """
    >>> cards_of_suit(2, "red"), cards_of_suit(1, "pink")
    ('2 red', '1 pink')
    """
    words = _CARDS.get(f"{{count}} {suit}")
    if words is None:
        return joined(" ", [count, suit])
    return Message(words.id, {"count": count}, words.context)


def board_words(title: str) -> str:
    """What a board is called."""
    return _BOARDS.get(title, title)
