"""The rules' answer to a picture of a board: the most probable position that the rules allow.

    rule_board(looks, ...)               a board by itself: ends, exits, special routes
    rule_turn(looks, rules, board, roll) one round more on a board that is known

Both give a :class:`~companion.games.railroad_ink.eye.verdict.BoardRuling`: the most probable legal position
that the search finds, with the posterior probability of every cell. It is *refused* when no legal position is
within ``REACH`` of the picture; then the picture is returned as it was seen, with the sentences of somebody
who knows the rules. Nothing is silently put right.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from math import exp

from companion.core.messages import listed, m
from companion.games.kit.evidence import EMPTY, REACH, Look, Looks, stray_share
from companion.games.kit.joining import part_words
from companion.games.railroad_ink.eye.costs import (
    MARKS,
    NOTHING,
    Costs,
    cells_as_seen,
    cost_of,
    costs_of,
    mark_text,
)
from companion.games.railroad_ink.eye.crossings import BesideCosts
from companion.games.railroad_ink.eye.habits import with_habits
from companion.games.railroad_ink.eye.hints import NO_HINTS, Hints
from companion.games.railroad_ink.eye.ruling_board import BestBoard, Patience, best_board, evidence_of
from companion.games.railroad_ink.eye.ruling_reasons import board_reasons, turn_reasons
from companion.games.railroad_ink.eye.ruling_turn import Turns, legal_turns
from companion.games.railroad_ink.eye.verdict import (
    SURE_ENOUGH,
    WORTH_TELLING,
    Alternative,
    BoardRuling,
    Shares,
    refused,
    ruled,
    with_strays,
)
from companion.games.railroad_ink.eye.written import NumberCosts
from companion.games.railroad_ink.rules.board import Board, Drawing, Placed, Roll, Rules
from companion.games.railroad_ink.rules.expansions.frame import Placement
from companion.games.railroad_ink.rules.expansions.tables import TABLES
from companion.games.railroad_ink.rules.position import Position
from companion.games.railroad_ink.rules.routes import ROUTES, Cells, shape_of
from companion.games.railroad_ink.rules.rulebook import (
    EDITION,
    GRID,
    SPECIAL_SHAPES,
    SPECIALS_A_MATCH,
    UNIVERSITY_CIRCLES,
    Edition,
)
from companion.games.railroad_ink.rules.specials import specials_to_doubt
from companion.games.railroad_ink.rules.walls import NO_WALLS, Walls

_MOST_ALTERNATIVES = 5
# Of 49 cells, not counting those about which the position before tells; nobody is asked about more, either:
# another photograph is less trouble, and surer.
_MOST_UNSEEN = 16
# Where too much is hidden to go through every turn, a cell is no surer than this, unless the picture itself
# makes its best mark so many nats more probable than the next.
_HIDDEN_SURE, _CLEAR = 0.9, 6.0
_SURE_TURN = 0.97  # a whole turn that is so probable is not asked about
# A route drawn earlier that seems gone under a veil of light: so probably the picture tells nothing about it.
# It is asked about then, and no reason to refuse the round.
_VEIL_DOUBT = 0.05
UNCLEAR = m("too much of the picture is unclear: take it again, closer, sharper or with more light")


# --- a board by itself ---


def rule_board(looks: Looks, edition: Edition = EDITION["challenge"], walls: Walls = NO_WALLS) -> BoardRuling:
    """The most probable board on which everything is joined to an exit and no highway meets a railway.

    >>> rule_board({name: {"": 1.0} for name in GRID.names} | {"b1": {"NS": 1.0}}).outcome
    'accepted'
    """
    return rule_costs(costs_of(looks), edition, walls)


def rule_costs(costs: Costs, edition: Edition, walls: Walls) -> BoardRuling:
    """The same from costs."""
    seen = cells_as_seen(costs, {})
    unseen = [name for name, own in zip(GRID.names, costs, strict=True) if own is None]
    if len(unseen) > _MOST_UNSEEN:
        return refused(seen, {}, [_unseen_sentence(unseen)], costs)
    patience = Patience()
    best = _with_special_rules(costs, edition, walls, patience)
    if patience.lost:
        return refused(seen, {}, [UNCLEAR], costs)
    if best is None:
        return refused(seen, {}, board_reasons(seen, edition, walls) or [UNCLEAR], costs)
    stray = stray_share(evidence_of(best.cells, costs))
    shares = {cell: with_strays(own, costs[cell], stray) for cell, own in best.shares.items()}
    certain = 1.0
    for cell, own in best.shares.items():
        mark = best.cells.get(cell)
        certain *= own[NOTHING if mark is None else mark.number]
    ruling = ruled(best.cells, certain * (1 - stray), {}, shares, best.alternatives)
    return _unless_unclear(ruling, costs, {})


def _with_special_rules(costs: Costs, edition: Edition, walls: Walls, patience: Patience) -> BestBoard | None:
    """The best board that has no more special routes than a match allows, greedily.

    The search for a board does not count special routes. Where its answer has too many, the least probable of
    them is excluded and the search repeated.
    """
    excluded: list[tuple[int, int]] = []
    while True:
        best = best_board(costs, walls, excluded, patience)
        if best is None or evidence_of(best.cells, costs) > REACH:
            return None
        surplus = specials_to_doubt(best.cells, edition)
        if not surplus:
            return best
        excluded.append(
            min(
                ((cell, best.cells[cell].number) for cell in surplus),
                key=lambda one: best.shares[one[0]][one[1]],
            )
        )


def _unless_unclear(ruling: BoardRuling, costs: Costs, before: Cells) -> BoardRuling:
    """A ruling that asks no more than anybody wants to answer; else another photograph is wanted."""
    if len(ruling.doubts) <= _MOST_UNSEEN:
        return ruling
    return refused(cells_as_seen(costs, before), before, [UNCLEAR], costs)


def _unseen_sentence(names: Sequence[str]) -> str:
    return m(
        "{names} of {size} cells cannot be seen ({names2} ...): take the picture again "
        "with nothing lying on the board and no lamp mirrored in it",
        names=len(names),
        size=GRID.size,
        names2=listed(list(names[:4])),
    )


# --- one round more ---


def rule_turn(
    looks: Looks,
    rules: Rules,
    board: Board,
    roll: Roll,
    *,
    finished: bool = True,
    hints: Hints = NO_HINTS,
) -> BoardRuling:
    """The most probable legal turn on a known board.

    What was drawn before is fixed, and tells how this player draws; where the picture clearly shows something
    else there, the ruling is refused and says so.
    ``finished``: the round is over, so no die may be left that still fits. ``hints``: what else the picture
    shows; guesses at hidden cells help where a legal turn fits them. Nobody is asked about what is not in the
    picture: all that is new must be.
    """
    before = board.cells()
    # What only an expansion draws is no mark of the reader's: of such ink it says nothing.
    unread = {GRID.names[cell] for cell, route in before.items() if route.text not in ROUTES}
    looks = {name: None if name in unread else look for name, look in looks.items()}
    hidden = [name for cell, name in enumerate(GRID.names) if not looks.get(name) and cell not in before]
    outside = {name for name in hidden if name in hints.outside}
    if outside:
        return _rule_part(looks, _Asked(rules, board, roll, finished, hints), outside)
    if len(hidden) > _MOST_UNSEEN:
        costs = costs_of(looks)
        return refused(cells_as_seen(costs, before), before, [_unseen_sentence(hidden)], costs)
    turn = _Asked(rules, board, roll, finished, hints)
    guessed = {name: look for name in hidden if (look := hints.glimpses.get(name))}
    if guessed:
        ruling = _most_probable({**looks, **guessed}, turn, SURE_ENOUGH)
        if ruling.outcome != "refused":
            return ruling
    return _most_probable(looks, turn)


def _rule_part(looks: Looks, turn: _Asked, outside: set[str]) -> BoardRuling:
    """The turn where free cells are outside the picture: ruled on if all that is new is in it.

    First as if they were: where even then no turn explains what is seen, something is missing. Then with
    whatever the rules allow in them.
    """
    hints, before = replace(turn.hints, outside=frozenset()), turn.board.cells()
    empty = {**looks, **{name: {EMPTY: 1.0} for name in outside}}
    ruling = rule_turn(empty, turn.rules, turn.board, turn.roll, finished=turn.finished, hints=hints)
    if ruling.outcome != "refused":
        open_to_all = _most_probable(looks, turn)
        asked = {GRID.names[cell] for cell in open_to_all.doubtful}
        if open_to_all.outcome != "refused" and not asked & outside:
            return open_to_all
    costs = costs_of(looks)
    return refused(cells_as_seen(costs, before), before, [cut_sentence(turn.hints.outside)], costs)


def unless_cut(ruling: BoardRuling, looks: Looks, before: Cells, outside: Collection[str]) -> BoardRuling:
    """A ruling of any kind, if all that is new is in the picture: else what is ``outside`` is wanted, too.

    Nobody is asked about it, and nothing is entered there that nobody has seen, or left out there.
    """
    known = {GRID.names[cell] for cell in before}
    hidden = {name for name in outside if not looks.get(name)}
    told = {GRID.names[cell] for cell in (*ruling.doubtful, *ruling.changed)} | {*ruling.marked}
    told |= {doubt.slot for doubt in ruling.mark_doubts}
    named = {name for slot in told for name in slot.removesuffix("+").split("-")} - known
    lost = known - {GRID.names[cell] for cell in ruling.cells}
    refuses = ruling.outcome == "refused" and bool(hidden - known)
    if not (refuses or hidden & (named | lost)):
        return ruling
    costs = costs_of(looks)
    return refused(cells_as_seen(costs, before), before, [cut_sentence(outside)], costs)


def cut_sentence(outside: Collection[str]) -> str:
    """What to do where these cells are not in the picture."""
    places = {name: divmod(GRID.cell(name), GRID.columns)[::-1] for name in GRID.names}
    missing = part_words([places[name] for name in outside], [*places.values()])
    return m(
        "not all of the board is in the picture, {missing} is missing: photograph that, too", missing=missing
    )


@dataclass(frozen=True)
class _Asked:
    """The round that is to be ruled on, as :func:`rule_turn` has it."""

    rules: Rules
    board: Board
    roll: Roll
    finished: bool
    hints: Hints


def _most_probable(looks: Looks, turn: _Asked, enough: float = _SURE_TURN) -> BoardRuling:
    rules, board, roll, finished = turn.rules, turn.board, turn.roll, turn.finished
    before = board.cells()
    costs = costs_of(with_habits(under_light(looks, before, turn.hints.veiled), before))
    altered = [cell for cell, route in before.items() if cost_of(costs[cell], route) > REACH]
    turns = legal_turns(rules, board, roll, costs, finished)
    if not turns.found and not turns.complete:
        return refused(cells_as_seen(costs, before), before, [UNCLEAR], costs)
    if altered or not turns.found:
        seen = cells_as_seen(costs, before)
        faint = {cell: route for cell, route in before.items() if cell not in altered}
        after = {**seen, **faint}
        return refused(after, before, turn_reasons(rules, board, roll, after, finished), costs)
    return ruled_turn(_with_what_is_written(turns, looks, turn), costs, before, enough)


def under_light(looks: Looks, before: Cells, veiled: Collection[str]) -> dict[str, Look]:
    """The looks, less sure where earlier ink seems gone under a veil of light: rather it is drowned.

    >>> known = {0: ROUTES["NS"]}
    >>> round(under_light({"a1": {"": 1.0, "NS": 0.0}}, known, ["a1"])["a1"]["NS"], 4)
    0.0007
    """
    found = dict(looks)
    for name in {GRID.names[cell] for cell in before} & {*veiled}:
        look = looks.get(name)
        # Where somebody said that it is empty there is one mark in the look.
        if look and len(look) > 1 and max(look, key=look.__getitem__) == EMPTY:
            told = (1 - _VEIL_DOUBT) / sum(look.values())
            share = _VEIL_DOUBT / len(MARKS)
            found[name] = {mark_text(mark): share + told * look.get(mark_text(mark), 0.0) for mark in MARKS}
    return found


def _with_what_is_written(turns: Turns, looks: Looks, asked: _Asked) -> Turns:
    """The turns with what is marked beside the grid and the round numbers say about each, best first."""
    hints = asked.hints
    beside = BesideCosts(asked.rules, asked.board, hints.crossed, hints.circles)
    numbers = NumberCosts(looks, asked.board, hints.written)
    weighed = (
        replace(turn, total=turn.total + beside.of(turn.board) + numbers.of(turn.board))
        for turn in turns.found
    )
    return replace(turns, found=tuple(sorted(weighed, key=lambda turn: turn.total)))


def ruled_turn(turns: Turns, costs: Costs, before: Cells, enough: float = SURE_ENOUGH) -> BoardRuling:
    """The best of some turns, with the probability of every route in every cell.

    A turn that is ``enough`` probable as a whole is not asked about.
    """
    best = turns.found[0]
    stray = stray_share(best.evidence)
    weights = [exp(best.total - turn.total) for turn in turns.found]
    total = sum(weights)
    chances = [weight / total * (1 - stray) for weight in weights]
    cells = best.board.cells()
    shares, others = _turn_shares(turns, chances, costs, before), _others(turns, chances)
    each = enough if chances[0] >= enough else SURE_ENOUGH
    ruling = ruled(cells, chances[0], before, shares, others, each)
    return _unless_unclear(replace(ruling, board=best.board), costs, before)


def _others(turns: Turns, chances: Sequence[float]) -> list[Alternative]:
    pairs = list(zip(turns.found, chances, strict=True))[1 : 1 + _MOST_ALTERNATIVES]
    return [Alternative(turn.board.cells(), p) for turn, p in pairs if p >= WORTH_TELLING]


def _turn_shares(turns: Turns, chances: Sequence[float], costs: Costs, before: Cells) -> dict[int, Shares]:
    """The probability of each mark in each cell: the turns found, mixed with the case of a broken rule."""
    stray = stray_share(turns.found[0].evidence)
    found: dict[int, Shares] = {cell: {} for cell in range(GRID.size)}
    known = [_known(cell, turns, costs, before) / (1 - stray) for cell in range(GRID.size)]
    for turn, chance in zip(turns.found, chances, strict=True):
        cells = turn.board.cells()
        for cell, shares in found.items():
            mark = cells.get(cell)
            number = NOTHING if mark is None else mark.number
            shares[number] = shares.get(number, 0.0) + chance * known[cell]
    return {
        cell: with_strays(shares, costs[cell], _cell_stray(cell, costs, before, stray))
        for cell, shares in found.items()
    }


def _known(cell: int, turns: Turns, costs: Costs, before: Cells) -> float:
    """The probability that the turns found tell what is in a cell: less than 1 if the search gave up."""
    if turns.complete or cell in before:
        return 1.0
    own = costs[cell]
    clear = own is not None and sorted(own)[1] > _CLEAR
    return 1.0 if clear else _HIDDEN_SURE


def _cell_stray(cell: int, costs: Costs, before: Cells, stray: float) -> float:
    """The probability that a cell breaks the rules; for earlier ink by that cell alone, not by the turn."""
    return stray_share(cost_of(costs[cell], before[cell])) if cell in before else stray


# --- a position as a board ---


def board_of(position: Position) -> Board:
    """A position as a board on which a round can be drawn.

    Its history is unknown but for this: where no die shows a special route, each was drawn as one; when there
    is one too many for a match, it was the free one of the third University.
    """
    numbers = sorted(position.cells, key=lambda cell: (position.rounds.get(cell, 0), cell))
    only_special = {*SPECIAL_SHAPES} - position.edition.specials_on_dice
    special = [cell for cell in numbers if shape_of(position.cells[cell]) in only_special]
    marked = sum(cell in position.edition.university for cell in numbers)
    free = special[SPECIALS_A_MATCH:] if marked >= UNIVERSITY_CIRCLES else []
    drawings = (
        Drawing(
            GRID.names[cell],
            position.cells[cell].text,
            "university" if cell in free else "special" if cell in special else "given",
            position.rounds.get(cell, 0),
        )
        for cell in numbers
    )
    begun = TABLES[position.expansion].start if position.expansion else {}
    signs = tuple((place, text) for place, text in position.marks.items() if begun.get(place) != text)
    return Board(tuple(drawings), (Placed(Placement((), marks=signs), 0),) if signs else ())
