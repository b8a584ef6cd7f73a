"""Rules on a picture of a board; :func:`rule` is the one entry.

The ruling is the most probable legal position that the search finds, with the posterior probability of every
slot. It is *refused* when no legal position is within ``MAX_NLL`` of the picture; then the picture is
returned as it was seen, with the sentences of somebody who knows the rules. Nothing is silently put right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Literal

from companion.core.messages import listed, m
from companion.games.railroad_ink.reader.labels import number_of
from companion.games.railroad_ink.reader.mark_classes import told_looks
from companion.games.railroad_ink.reader.ruling.answer import (
    MOST_UNSEEN,
    SURE_ENOUGH,
    UNCLEAR,
    BoardRuling,
    board_reasons,
    refused_as_seen,
    ruled,
    unless_unclear,
    with_marks,
    with_strays,
)
from companion.games.railroad_ink.reader.ruling.board_search import BestBoard, Patience, best_board
from companion.games.railroad_ink.reader.ruling.likelihood import (
    Likelihood,
    Nlls,
    board_nll,
    cells_as_seen,
    route_nlls,
)
from companion.games.railroad_ink.reader.ruling.order import Round
from companion.games.railroad_ink.reader.ruling.probabilities import SlotProbabilities
from companion.games.railroad_ink.reader.ruling.round_ruling import most_probable
from companion.games.railroad_ink.rules.boards.board import Board, Drawing, Placed, Roll, Rules
from companion.games.railroad_ink.rules.boards.position import Position
from companion.games.railroad_ink.rules.boards.routes import Cells, shape_of
from companion.games.railroad_ink.rules.boards.specials import specials_to_doubt
from companion.games.railroad_ink.rules.boards.walls import Walls
from companion.games.railroad_ink.rules.expansions.frame import Placement
from companion.games.railroad_ink.rules.expansions.tables import TABLES
from companion.games.railroad_ink.rules.match.state import State
from companion.games.railroad_ink.rules.rulebook import (
    GRID,
    SPECIAL_SHAPES,
    SPECIALS_A_MATCH,
    UNIVERSITY_CIRCLES,
    Edition,
)
from companion.reading.evidence import EMPTY, MAX_NLL, stray_share
from companion.reading.joining import part_words

# A whole round that is so probable is not asked about: of routes alone, and with marks.
_SURE_ROUND, _SURE_WITH_MARKS = 0.97, 0.98
_MOST_A_ROUND = 9  # four dice, three duplicates, two special routes
_UNKNOWN = Roll(1, None)


@dataclass(frozen=True)
class BoardContext:
    """What is known of a board besides its picture.

    ``board``: before the round; None where nobody knows it. ``roll``: the round and its dice. ``faces``:
    those of the expansion's dice, None where nobody knows them. A ``finished`` round, if its dice are known,
    has no die left that fits. ``mode``: that of a match, or none; a scorekeeper's board may hold several
    rounds more.
    """

    rules: Rules
    board: Board | None = None
    roll: Roll = _UNKNOWN
    faces: tuple[str, ...] | None = None
    finished: bool = True
    mode: Literal["umpire", "scorekeeper", ""] = ""

    @classmethod
    def of(cls, state: State, seat: int) -> BoardContext:
        """The board of a seat as its match stands."""
        faces = state.extra if state.lies else None
        return cls(state.rules, state.boards[seat], state.roll, faces, mode=state.mode)

    @property
    def before(self) -> Cells:
        """The known routes by cell."""
        return self.board.cells() if self.board is not None else {}


def rule(context: BoardContext, slots: SlotProbabilities) -> BoardRuling:
    """The most probable position that the rules allow, if what matters of it is in the picture."""
    return _unless_cut(_rule(context, slots), slots, context.before)


def _rule(context: BoardContext, slots: SlotProbabilities) -> BoardRuling:
    if context.board is None:
        return _rule_by_dice(context, slots) or _rule_alone(context, slots)
    board, roll, rolled = context.board, context.roll, context.roll.faces is not None
    if context.mode == "umpire" and not rolled:
        return BoardRuling.refused_outright(m("first the dice of round {round} are rolled", round=roll.round))
    # Signs that are not read are asked about in an umpire's match alone.
    faces = context.faces if slots.expansion or context.mode == "umpire" else ()
    round_ = Round(context.rules, board, roll, faces, context.finished and rolled)
    if context.mode != "scorekeeper":
        return _rule_round(round_, slots)
    if rolled:
        # A board may be photographed again and again in a round.
        ruling = _rule_round(replace(round_, board=board.before_round(roll.round)), slots)
        if ruling.outcome != "refused":
            return ruling
    # People play on their own here, and perhaps several rounds since the last picture.
    return _rule_alone(context, slots)


def _unless_cut(ruling: BoardRuling, slots: SlotProbabilities, before: Cells) -> BoardRuling:
    """The ruling, or a request to show the cells outside the picture if something new may lie there.

    Nobody is asked about it, and nothing is entered there that nobody has seen, or left out there.
    """
    known = {GRID.names[cell] for cell in before}
    hidden = {name for name in slots.outside if not slots.routes.get(name)}
    told = {GRID.names[cell] for cell in (*ruling.doubtful, *ruling.changed)} | {*ruling.marked}
    told |= {doubt.slot for doubt in ruling.mark_doubts}
    named = {name for slot in told for name in slot.removesuffix("+").split("-")} - known
    lost = known - {GRID.names[cell] for cell in ruling.cells}
    refuses = ruling.outcome == "refused" and bool(hidden - known)
    return _refused_as_cut(slots, before) if refuses or hidden & (named | lost) else ruling


def _refused_as_cut(slots: SlotProbabilities, before: Cells) -> BoardRuling:
    places = {name: divmod(GRID.cell(name), GRID.columns)[::-1] for name in GRID.names}
    missing = part_words([places[name] for name in slots.outside], [*places.values()])
    sentence = m(
        "not all of the board is in the picture, {missing} is missing: photograph that, too", missing=missing
    )
    return refused_as_seen(before, [sentence], route_nlls(slots.routes))


def _refused_as_hidden(slots: SlotProbabilities, before: Cells, names: Sequence[str]) -> BoardRuling:
    sentence = m(
        "{names} of {size} cells cannot be seen ({names2} ...): take the picture again "
        "with nothing lying on the board and no lamp mirrored in it",
        names=len(names),
        size=GRID.size,
        names2=listed(list(names[:4])),
    )
    return refused_as_seen(before, [sentence], route_nlls(slots.routes))


# --- a board by itself ---


def _rule_alone(context: BoardContext, slots: SlotProbabilities) -> BoardRuling:
    """The most probable board on which everything is joined to an exit and no highway meets a railway.

    Marks are those that are seen, and no route stands under one.
    """
    edition, walls = context.rules.edition, context.rules.walls
    marks, nlls = Likelihood(slots).by_itself()
    hidden = [name for name, own in zip(GRID.names, nlls, strict=True) if own is None]
    patience = Patience()
    if len(hidden) > MOST_UNSEEN:
        ruling = _refused_as_hidden(slots, {}, hidden)
    elif (best := _with_special_rules(nlls, edition, walls, patience)) is not None:
        stray = stray_share(board_nll(nlls, best.cells))
        shares = {cell: with_strays(own, nlls[cell], stray) for cell, own in best.shares.items()}
        p = prod(own[number_of(best.cells.get(cell))] for cell, own in best.shares.items()) * (1 - stray)
        ruling = unless_unclear(ruled(best.cells, p, {}, shares, best.alternatives), nlls, {})
    else:
        reasons = [] if patience.lost else board_reasons(cells_as_seen(nlls, {}), edition, walls)
        ruling = refused_as_seen({}, reasons or [UNCLEAR], nlls)
    if not slots.expansion:
        return ruling
    # How a trail goes under a straight route is told, else it follows from the route.
    kept = {
        place: text
        for place, text in marks.items()
        if not text.startswith("trail") or GRID.cell(place) in ruling.cells
    }
    return with_marks(ruling, kept, {}, told_looks(slots.marks))


def _with_special_rules(nlls: Nlls, edition: Edition, walls: Walls, patience: Patience) -> BestBoard | None:
    """The best board that has no more special routes than a match allows, greedily.

    The search for a board does not count special routes. Where its answer has too many, the least probable of
    them is excluded and the search repeated.
    """
    excluded: list[tuple[int, int]] = []
    while True:
        best = best_board(nlls, walls, excluded, patience)
        if patience.lost or best is None or board_nll(nlls, best.cells) > MAX_NLL:
            return None
        surplus = specials_to_doubt(best.cells, edition)
        if not surplus:
            return best
        labels = [(cell, best.cells[cell].number) for cell in surplus]
        excluded.append(min(labels, key=lambda label: best.shares[label[0]][label[1]]))


def _rule_by_dice(context: BoardContext, slots: SlotProbabilities) -> BoardRuling | None:
    """Rule by the dice alone: the round numbers written on the board tell what was there before.

    Nothing when they do not, or when the dice do not fit what is newest. What was there before is only known
    from the same picture, so what is doubtful of it stays so.
    """
    if context.roll.faces is None or slots.expansion:
        return None
    alone, rules = _rule_alone(context, slots), context.rules
    numbers = {cell: slots.rounds.get(GRID.names[cell], 0) for cell in alone.cells}
    newest = max(numbers.values(), default=0)
    earlier = {cell: number for cell, number in numbers.items() if 0 < number < newest}
    if len(alone.cells) - len(earlier) > _MOST_A_ROUND:
        return None
    cells = {cell: alone.cells[cell] for cell in earlier}
    roll = replace(context.roll, round=max(earlier.values(), default=0) + 1)
    board = board_of(Position(cells, rules.edition, earlier, walls=rules.walls))
    answer = rule(replace(context, board=board, roll=roll), slots)
    doubts = tuple(doubt for doubt in alone.doubts if doubt.slot in earlier)
    if answer.outcome == "refused" or not doubts:
        return None if answer.outcome == "refused" else answer
    sure = prod(dict(doubt.options).get(answer.cells.get(doubt.slot), 0.0) for doubt in doubts)
    asked = {doubt.slot for doubt in doubts}
    kept = tuple(doubt for doubt in answer.doubts if doubt.slot not in asked)
    return replace(answer, outcome="ask", p=answer.p * sure, doubts=doubts + kept)


# --- one round more ---


def _rule_round(round_: Round, slots: SlotProbabilities) -> BoardRuling:
    """The most probable legal round on a known board.

    What was drawn before is fixed, and tells how this player draws; where the picture clearly shows something
    else there, the ruling is refused and says so. Guesses at what is half hidden help where a legal round
    fits them. Nobody is asked about what is not in the picture: all that is new must be.
    """
    before = round_.board.cells()
    known = {GRID.names[cell] for cell in before} | {*round_.position.marks}
    hidden = slots.hidden({GRID.names[cell] for cell in before})
    outside = {name for name in hidden if name in slots.outside}
    sure = _SURE_WITH_MARKS if slots.expansion else _SURE_ROUND
    if outside:
        # First as if nothing were there: where even then no round explains what is seen, something is
        # missing. Then with whatever the rules allow there.
        empty = {name: {EMPTY: 1.0} for name in outside}
        inside = replace(slots, outside=frozenset(), routes={**slots.routes, **empty})
        if _rule_round(round_, inside).outcome != "refused":
            open_to_all = most_probable(round_, slots, sure)
            asked = {GRID.names[cell] for cell in open_to_all.doubtful}
            if open_to_all.outcome != "refused" and not asked & outside:
                return open_to_all
        return _refused_as_cut(slots, before)
    if len(hidden) > MOST_UNSEEN:
        return _refused_as_hidden(slots, before, hidden)
    guessed = slots.guessed(known)
    if round_.finished and guessed != slots:
        ruling = most_probable(round_, guessed, SURE_ENOUGH)
        if ruling.outcome != "refused":
            return ruling
    return most_probable(round_, slots, sure)


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
