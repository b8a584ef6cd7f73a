"""Rounds with an expansion whose marks nobody reads: the routes, and questions about the rest.

Signs are entered on the page, by a tap for each die. Those that are entered are known to fill their spaces;
where the picture shows something in a free space that no die of routes explains, one asks whether it is a
route at all, and a tap on "empty" leaves it to the expansion.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from companion.games.kit.evidence import EMPTY, Doubt, Looks, ranked
from companion.games.railroad_ink.eye.costs import MARKS, mark_number
from companion.games.railroad_ink.eye.mark_costs import MarkedLooks
from companion.games.railroad_ink.eye.ruling import rule_turn
from companion.games.railroad_ink.eye.verdict import WORTH_TELLING, BoardRuling
from companion.games.railroad_ink.rules.board import Board, Roll, Rules
from companion.games.railroad_ink.rules.expansions.frame import fences
from companion.games.railroad_ink.rules.expansions.marks import cells_with, signs_in
from companion.games.railroad_ink.rules.expansions.playing import position_on
from companion.games.railroad_ink.rules.expansions.tables import TABLES
from companion.games.railroad_ink.rules.routes import Route
from companion.games.railroad_ink.rules.rulebook import GRID

_MOST_TRIALS = 24


def rule_beside_unread(seen: MarkedLooks, rules: Rules, board: Board, roll: Roll) -> BoardRuling:
    """The routes of the round; what may be the expansion's is asked about, cell by cell."""
    position = position_on(rules, board)
    signs = {sign for text in position.marks.values() for sign, _ in signs_in(text)}
    filled = {GRID.names[cell] for cell in cells_with(position.marks, *signs) if cell not in position.cells}
    looks: Looks = {**seen.routes, **{name: {EMPTY: 1.0} for name in filled}}
    fenced = replace(rules, walls=rules.walls | fences(position))
    ruling = rule_turn(looks, fenced, board, roll, crossed=seen.crossed)
    if ruling.outcome != "refused":
        return ruling
    for names in _strange(looks, board, len(TABLES[rules.expansion].roll)):
        without = {**looks, **{name: {EMPTY: 1.0} for name in names}}
        again = rule_turn(without, fenced, board, roll, crossed=seen.crossed)
        if again.outcome != "refused":
            asked = tuple(_question(name, looks) for name in names)
            return replace(again, outcome="ask", doubts=(*asked, *again.doubts))
    return ruling


def _strange(looks: Looks, board: Board, most: int) -> Iterator[Sequence[str]]:
    """Cells that may hold no route but a sign, the likeliest first: one, then several at once."""
    before = {GRID.names[cell] for cell in board.cells()}
    drawn = [
        (look.get(EMPTY, 0.0), name)
        for name, look in looks.items()
        if look and len(look) > 1 and name not in before and look.get(EMPTY, 0.0) < 0.5
    ]
    names = [name for _, name in sorted(drawn, reverse=True)]
    trials = [some for count in range(1, most + 1) for some in combinations(names, count)]
    yield from trials[:_MOST_TRIALS]


def _question(name: str, looks: Looks) -> Doubt[int, Route]:
    """No route, or one of those that the picture shows best."""
    shares = {MARKS[mark_number(text)]: p for text, p in (looks[name] or {}).items() if text != EMPTY}
    routes = ranked(shares, WORTH_TELLING)
    return Doubt(GRID.cell(name), ((None, max(0.5, 1 - sum(p for _, p in routes))), *routes))
