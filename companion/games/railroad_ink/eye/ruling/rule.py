"""What the rules make of a picture of a board: :func:`rule`, the one entrance.

The ruling is the most probable legal position that the search finds, with the posterior probability of every
slot. It is *refused* when no legal position is within ``REACH`` of the picture; then the picture is returned
as it was seen, with the sentences of somebody who knows the rules. Nothing is silently put right.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import exp, prod
from typing import Literal

from companion.core.messages import listed, m
from companion.games.contract import Plain
from companion.games.kit.evidence import EMPTY, REACH, Doubt, Outcome, ranked, stray_share
from companion.games.kit.joining import part_words
from companion.games.railroad_ink.eye.labels import LABELS, label_number, number_of
from companion.games.railroad_ink.eye.mark_classes import told_looks
from companion.games.railroad_ink.eye.ruling.answer import (
    SURE_ENOUGH,
    WORTH_TELLING,
    Alternative,
    BoardRuling,
    Shares,
    board_reasons,
    refused,
    refused_as_seen,
    ruled,
    turn_reasons,
    with_marks,
    with_strays,
)
from companion.games.railroad_ink.eye.ruling.board_search import BestBoard, Patience, best_board
from companion.games.railroad_ink.eye.ruling.dice_uses import FAR, Use, crossed_for
from companion.games.railroad_ink.eye.ruling.likelihood import (
    Likelihood,
    Nlls,
    board_nll,
    cells_as_seen,
    nll_of,
    route_nlls,
)
from companion.games.railroad_ink.eye.ruling.order import Round, move_json
from companion.games.railroad_ink.eye.ruling.probabilities import CROSSED_OFF, SlotProbabilities
from companion.games.railroad_ink.eye.ruling.round_search import Found, LegalRound, RoundSearch
from companion.games.railroad_ink.rules.board import Board, Drawing, Placed, Roll, Rules
from companion.games.railroad_ink.rules.expansions.frame import Placement
from companion.games.railroad_ink.rules.expansions.marks import Marks
from companion.games.railroad_ink.rules.expansions.playing import position_on
from companion.games.railroad_ink.rules.expansions.tables import TABLES
from companion.games.railroad_ink.rules.position import Position
from companion.games.railroad_ink.rules.routes import ROUTES, Cells, Route, shape_of
from companion.games.railroad_ink.rules.rulebook import (
    GRID,
    SPECIAL_SHAPES,
    SPECIALS_A_MATCH,
    UNIVERSITY_CIRCLES,
    Edition,
)
from companion.games.railroad_ink.rules.scoring import score
from companion.games.railroad_ink.rules.specials import specials_to_doubt
from companion.games.railroad_ink.rules.state import State
from companion.games.railroad_ink.rules.walls import Walls

_MOST_ALTERNATIVES = 5
# Of 49 cells, not counting those about which the position before tells; nobody is asked about more, either:
# another photograph is less trouble, and surer.
_MOST_UNSEEN = 16
# Where too much is hidden to go through every turn, a cell is no surer than this, unless the picture itself
# makes its best label so many nats more probable than the next.
_HIDDEN_SURE, _CLEAR = 0.9, 6.0
# A whole round that is so probable is not asked about: of routes alone, and with marks.
_SURE_ROUND, _SURE_WITH_MARKS = 0.97, 0.98
_HARDLY = 0.8  # a share of rounds without one above which nobody is asked for a crossed off special route
_MOST_A_ROUND = 9  # four dice, three duplicates, two special routes
_MOST_STRANGE = 24  # sets of spaces that may hold a sign that nobody reads
# Nats between uses of dice with unread signs of which nobody can say which is right; the same where a route
# is known by its ends alone.
_ALIKE, _UNSURE = 3.0, 6.0
# What people seldom do, in nats: draw more than the dice show, and leave an end open.
_MORE, _OPEN = 2.0, 0.3
_UNKNOWN = Roll(1, None)
UNCLEAR = m("too much of the picture is unclear: take it again, closer, sharper or with more light")


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
        """The routes that are known."""
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
    """The ruling, if all that is new is in the picture: else what is outside is wanted, too.

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


def _unless_unclear(ruling: BoardRuling, nlls: Nlls, before: Cells) -> BoardRuling:
    """A ruling that asks no more than anybody wants to answer; else another photograph is wanted."""
    return ruling if len(ruling.doubts) <= _MOST_UNSEEN else refused_as_seen(before, [UNCLEAR], nlls)


# --- a board by itself ---


def _rule_alone(context: BoardContext, slots: SlotProbabilities) -> BoardRuling:
    """The most probable board on which everything is joined to an exit and no highway meets a railway.

    Marks are those that are seen, and no route stands under one.
    """
    edition, walls = context.rules.edition, context.rules.walls
    marks, nlls = Likelihood(slots).by_itself()
    hidden = [name for name, own in zip(GRID.names, nlls, strict=True) if own is None]
    patience = Patience()
    if len(hidden) > _MOST_UNSEEN:
        ruling = _refused_as_hidden(slots, {}, hidden)
    elif (best := _with_special_rules(nlls, edition, walls, patience)) is not None:
        stray = stray_share(board_nll(nlls, best.cells))
        shares = {cell: with_strays(own, nlls[cell], stray) for cell, own in best.shares.items()}
        p = prod(own[number_of(best.cells.get(cell))] for cell, own in best.shares.items()) * (1 - stray)
        ruling = _unless_unclear(ruled(best.cells, p, {}, shares, best.alternatives), nlls, {})
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
        if patience.lost or best is None or board_nll(nlls, best.cells) > REACH:
            return None
        surplus = specials_to_doubt(best.cells, edition)
        if not surplus:
            return best
        labels = [(cell, best.cells[cell].number) for cell in surplus]
        excluded.append(min(labels, key=lambda label: best.shares[label[0]][label[1]]))


def _rule_by_dice(context: BoardContext, slots: SlotProbabilities) -> BoardRuling | None:
    """With the dice alone, the round numbers written on the board tell what was there before.

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
            open_to_all = _most_probable(round_, slots, sure)
            asked = {GRID.names[cell] for cell in open_to_all.doubtful}
            if open_to_all.outcome != "refused" and not asked & outside:
                return open_to_all
        return _refused_as_cut(slots, before)
    if len(hidden) > _MOST_UNSEEN:
        return _refused_as_hidden(slots, before, hidden)
    guessed = slots.guessed(known)
    if round_.finished and guessed != slots:
        ruling = _most_probable(round_, guessed, SURE_ENOUGH)
        if ruling.outcome != "refused":
            return ruling
    return _most_probable(round_, slots, sure)


def _most_probable(round_: Round, slots: SlotProbabilities, enough: float) -> BoardRuling:
    search = RoundSearch(round_, slots)
    before, found = search.cells, search.found()
    ruling = _likeliest(search, found, slots, enough)
    if ruling is not None:
        return ruling
    if search.signs is None and round_.rules.expansion and round_.faces:
        for names in _strange(slots, before, len(round_.table.roll)):
            without = {**slots.routes, **{name: {EMPTY: 1.0} for name in names}}
            again = _most_probable(replace(round_, faces=()), replace(slots, routes=without), enough)
            if again.outcome != "refused":
                asked = tuple(_sign_question(name, slots) for name in names)
                signs = () if again.doubts else tuple(names)
                return replace(again, outcome="ask", doubts=(*asked, *again.doubts), signs=signs)
    if any(not some.complete for _, some in found):
        return refused_as_seen(before, [UNCLEAR], search.likelihood.by_itself()[1])
    return _refused_round(search, found[0][0] if found else None)


def _likeliest(
    search: RoundSearch, found: Sequence[tuple[Use, Found]], slots: SlotProbabilities, enough: float
) -> BoardRuling | None:
    """The ruling on the likeliest use of the expansion's dice, with others that are as likely."""
    legal = [(use, some) for use, some in found if some.rounds]
    if len(legal) < 2:
        return _ruled(search, *legal[0], slots, enough) if legal else None
    ranking = sorted(((_unlikely(search, some.rounds[0]), at) for at, (_, some) in enumerate(legal)))
    best, _ = legal[ranking[0][1]]
    alike = _ALIKE if any(isinstance(move, Placement) for move in best.moves) else _UNSURE
    rulings = [
        _ruled(search, *legal[at], slots, enough) for nll, at in ranking if nll <= ranking[0][0] + alike
    ]
    # Of those that ask, cells would be asked about, too.
    first, *others = sorted(rulings, key=lambda one: ("accepted", "ask", "refused").index(one.outcome))
    differing = {str(_used(other)): other for other in reversed(others) if other.outcome != "refused"}
    differing.pop(str(_used(first)), None)
    return replace(first, others=tuple(reversed(differing.values())))


def _unlikely(search: RoundSearch, best: LegalRound) -> float:
    """How little likely a use of dice with unread signs is, in nats."""
    more = sum(
        isinstance(move, Drawing) and move.source in ("factory", "special", "university")
        for move in best.moves
    )
    ends = len(score(position_on(search.round.rules, best.board)).errors)
    return best.nll + _MORE * more + _OPEN * ends


def _used(ruling: BoardRuling) -> list[Plain]:
    """What was done with the expansion's dice, and routes that the reader has no name for."""
    return [move for move in ruling.moves if "uses" in move or move["route"] not in ROUTES]


def _strange(slots: SlotProbabilities, before: Cells, most: int) -> Iterator[Sequence[str]]:
    """Cells that may hold no route but a sign, the likeliest first: one, then several at once."""
    drawn = [
        (look.get(EMPTY, 0.0), name)
        for name, look in slots.routes.items()
        if look and len(look) > 1 and GRID.cell(name) not in before and look.get(EMPTY, 0.0) < 0.5
    ]
    names = [name for _, name in sorted(drawn, reverse=True)]
    trials = [some for count in range(1, most + 1) for some in combinations(names, count)]
    yield from trials[:_MOST_STRANGE]


def _sign_question(name: str, slots: SlotProbabilities) -> Doubt[int, Route]:
    """No route, or one of those that the picture shows best."""
    look = slots.routes[name] or {}
    routes = ranked(
        {LABELS[label_number(text)]: p for text, p in look.items() if text != EMPTY}, WORTH_TELLING
    )
    return Doubt(GRID.cell(name), ((None, max(0.5, 1 - sum(p for _, p in routes))), *routes))


# --- how sure it is ---


def _ruled(
    search: RoundSearch, use: Use, found: Found, slots: SlotProbabilities, enough: float
) -> BoardRuling:
    """The best round, with the probability of every label in every slot.

    A round that is ``enough`` probable as a whole is not asked about.
    """
    best, before = found.rounds[0], search.cells
    cells = best.board.cells()
    nlls = search.likelihood.routes_beside(best.marks, cells)
    # With unread signs, what a use of the dice draws is no part of the question; another use is.
    fixed = before if search.signs is not None else use.board.cells()
    stray = stray_share(best.nll)
    weights = [exp(best.total - one.total) for one in found.rounds]
    chances = [weight / sum(weights) for weight in weights]
    each = enough if chances[0] * (1 - stray) >= enough else SURE_ENOUGH
    boards = [one.board.cells() for one in found.rounds]
    alternatives = [
        Alternative(other, chance * (1 - stray))
        for other, chance in zip(boards[1 : 1 + _MOST_ALTERNATIVES], chances[1:], strict=False)
        if chance * (1 - stray) >= WORTH_TELLING
    ]
    # By cell the rounds found, mixed with the case of a broken rule; earlier ink breaks it by itself alone.
    shares: dict[int, Shares] = {}
    for cell in range(GRID.size):
        own: Shares = {}
        known = _known(nlls[cell], found.complete or cell in fixed)
        for other, chance in zip(boards, chances, strict=True):
            number = number_of(other.get(cell))
            own[number] = own.get(number, 0.0) + chance * known
        strays = stray_share(nll_of(nlls[cell], fixed[cell])) if cell in fixed else stray
        shares[cell] = with_strays(own, nlls[cell], strays)
    ruling = ruled(cells, chances[0] * (1 - stray), before, shares, alternatives, each)
    moves = tuple(map(move_json, best.moves))
    ruling = _unless_unclear(replace(ruling, board=best.board, moves=moves), nlls, before)
    if search.signs is None:
        return ruling
    far = stray_share(best.nll, FAR)
    marks: dict[str, dict[str, float]] = {}
    for place, told in told_looks(slots.marks).items():
        classes = marks.setdefault(place, {})
        strays = stray_share(search.signs.known[place]) if place in search.signs.known else far
        for one, chance in zip(found.rounds, chances, strict=True):
            text = one.marks.get(place, "")
            classes[text] = classes.get(text, 0.0) + chance * (1 - strays)
        seen = next(iter(told), best.marks.get(place, ""))
        classes[seen] = classes.get(seen, 0.0) + strays
    answer = with_marks(ruling, best.marks, search.marks, marks, each)
    return _asking_what_was_crossed_off(
        answer, found.rounds, [chance * (1 - far) for chance in chances], each
    )


def _known(own: Sequence[float] | None, complete: bool) -> float:
    """The probability that the rounds found tell what is in a cell: less than 1 if the search gave up."""
    return 1.0 if complete or (own is not None and sorted(own)[1] > _CLEAR) else _HIDDEN_SURE


def _asking_what_was_crossed_off(
    ruling: BoardRuling, rounds: Sequence[LegalRound], chances: Sequence[float], enough: float
) -> BoardRuling:
    """With a doubt where a special route was crossed off for a die and the row beside the grid is silent."""
    shares: dict[str | None, float] = {}
    for one, chance in zip(rounds, chances, strict=True):
        text = crossed_for(one.moves)
        shares[text] = shares.get(text, 0.0) + chance
    best = crossed_for(rounds[0].moves)
    # That one was crossed off for nothing is hardly worth a question.
    if shares[best] >= (enough if best else _HARDLY):
        return ruling
    # All of them: nothing in the picture makes one likelier than another.
    doubt = Doubt(CROSSED_OFF, tuple(sorted(shares.items(), key=lambda pair: -pair[1])))
    outcome: Outcome = "ask" if ruling.outcome == "accepted" else ruling.outcome
    return replace(ruling, outcome=outcome, mark_doubts=(*ruling.mark_doubts, doubt))


def _refused_round(search: RoundSearch, use: Use | None) -> BoardRuling:
    """What the picture shows, and what is against the rules about it."""
    marks, nlls = search.likelihood.by_itself()
    use = use or Use((), search.board, search.marks, 0.0)
    altered = search.altered(search.board, search.marks)
    kept = {cell: route for cell, route in search.cells.items() if cell not in altered}
    after = {**cells_as_seen(nlls, search.cells), **kept}
    reasons = _mark_reasons(search, marks)
    if not reasons:
        still = {cell: route for cell, route in use.board.cells().items() if cell not in altered}
        drawn = {**after, **still}
        round_ = search.round
        reasons = turn_reasons(search.rules_after(use), use.board, round_.roll, drawn, round_.finished)
    ruling = refused(after, search.cells, reasons or [UNCLEAR], nlls)
    return replace(ruling, marks=marks) if search.signs is not None else ruling


def _mark_reasons(search: RoundSearch, marks: Marks) -> list[str]:
    """What is against the rules about the marks that are seen."""
    reasons: list[str] = []
    rolled = ", ".join(search.round.faces or ()) or m("none that is known")
    for place in sorted({*marks, *search.marks}) if search.signs is not None else ():
        new, was = marks.get(place, ""), search.marks.get(place, "")
        if new == was or not search.likelihood.surely_not(place, was):
            continue
        gone = m("drawn earlier and gone now: {was} in {place}", was=was, place=place)
        illegal = m(
            "{place}: {new} is no legal use of the dice rolled: {rolled}", place=place, new=new, rolled=rolled
        )
        reasons.append(illegal if new else gone)
    return reasons


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
