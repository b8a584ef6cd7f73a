"""The commodity market: columns of chips, the highest price on top."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from companion.core.messages import m
from companion.game.base import Refusal
from companion.games.spike.rules.boards.board import Board
from companion.games.spike.rules.rulebook import BOOK
from companion.sheets.decks import shuffle_fault

Market: TypeAlias = tuple[tuple[str, ...], ...]


def price(market: Market, good: str) -> int:
    """What connecting a city that supplies the good brings now.

    >>> price((("pigs", "oil", "corn"),), "oil")
    2
    """
    return next(BOOK.prices[column.index(good)] for column in market if good in column)


def sold(market: Market, good: str) -> Market:
    """The market after a chip was scored: it drops to the lowest price, the others of its column move up.

    >>> sold((("pigs", "oil", "corn"), ("coal", "wood", "cows")), "pigs")
    (('oil', 'corn', 'pigs'), ('coal', 'wood', 'cows'))
    """
    return tuple(
        (*(chip for chip in column if chip != good), good) if good in column else column for column in market
    )


def all_sold(market: Market, goods: Iterable[str]) -> tuple[int, Market]:
    """What connecting cities that supply these goods, one after the other, brings; and the market after it.

    >>> all_sold((("pigs", "oil", "corn"), ("coal", "wood", "cows")), ["pigs", "corn"])
    (5, (('oil', 'pigs', 'corn'), ('coal', 'wood', 'cows')))
    """
    earned = 0
    for good in goods:
        earned, market = earned + price(market, good), sold(market, good)
    return earned, market


def market_fault(board: Board, market: Market) -> Refusal | None:
    """Why these chips are no market: a wrong number of them, or not each good once."""
    if [len(column) for column in market] != [len(BOOK.prices)] * BOOK.columns:
        return Refusal(
            "bad-market",
            m(
                "the market has {columns} columns of {prices} chips",
                columns=BOOK.columns,
                prices=len(BOOK.prices),
            ),
        )
    return shuffle_fault([chip for column in market for chip in column], list(board.goods), m("the market"))
