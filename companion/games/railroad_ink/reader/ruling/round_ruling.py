"""Rules on a round: the most probable legal one, and the probability of every slot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from math import exp

from companion.core.jsontext import JsonObject
from companion.core.messages import m
from companion.games.railroad_ink.reader.labels import LABELS, label_number, number_of
from companion.games.railroad_ink.reader.mark_classes import told_looks
from companion.games.railroad_ink.reader.ruling.answer import (
    SURE_ENOUGH,
    UNCLEAR,
    WORTH_TELLING,
    Alternative,
    BoardRuling,
    Shares,
    refused,
    refused_as_seen,
    ruled,
    turn_reasons,
    unless_unclear,
    with_marks,
    with_strays,
)
from companion.games.railroad_ink.reader.ruling.dice_uses import FAR, Use, crossed_for
from companion.games.railroad_ink.reader.ruling.likelihood import (
    cells_as_seen,
    nll_of,
)
from companion.games.railroad_ink.reader.ruling.order import Round, move_json
from companion.games.railroad_ink.reader.ruling.probabilities import CROSSED_OFF, SlotProbabilities
from companion.games.railroad_ink.reader.ruling.round_search import RoundSearch
from companion.games.railroad_ink.reader.ruling.turn_search import Turn, Turns
from companion.games.railroad_ink.rules.boards.board import Drawing
from companion.games.railroad_ink.rules.boards.routes import ROUTES, Cells, Route
from companion.games.railroad_ink.rules.expansions.frame import Placement
from companion.games.railroad_ink.rules.expansions.marks import Marks
from companion.games.railroad_ink.rules.expansions.playing import position_on
from companion.games.railroad_ink.rules.rulebook import (
    GRID,
)
from companion.games.railroad_ink.rules.scoring.scores import score
from companion.reading.evidence import EMPTY, Doubt, Outcome, ranked, stray_share

_MOST_ALTERNATIVES = 5
# Where too much is hidden to go through every turn, a cell is no surer than this, unless the picture itself
# makes its best label so many nats more probable than the next.
_HIDDEN_SURE, _CLEAR = 0.9, 6.0
_HARDLY = 0.8  # a share of rounds without one above which nobody is asked for a crossed off special route
_MOST_STRANGE = 24  # sets of spaces that may hold a sign that nobody reads
# Nats between uses of dice with unread signs of which nobody can say which is right; the same where a route
# is known by its ends alone.
_ALIKE, _UNSURE = 3.0, 6.0
# What people seldom do, in nats: draw more than the dice show, and leave an end open.
_MORE, _OPEN = 2.0, 0.3


def most_probable(round_: Round, slots: SlotProbabilities, enough: float) -> BoardRuling:
    """The most probable legal round; one that is ``enough`` probable as a whole is not asked about."""
    search = RoundSearch(round_, slots)
    before, found = search.cells, search.found()
    ruling = _likeliest(search, found, slots, enough)
    if ruling is not None:
        return ruling
    if search.signs is None and round_.rules.expansion and round_.faces:
        for names in _strange(slots, before, len(round_.table.roll)):
            without = {**slots.routes, **{name: {EMPTY: 1.0} for name in names}}
            again = most_probable(replace(round_, faces=()), replace(slots, routes=without), enough)
            if again.outcome != "refused":
                asked = tuple(_sign_question(name, slots) for name in names)
                signs = () if again.doubts else tuple(names)
                return replace(again, outcome="ask", doubts=(*asked, *again.doubts), signs=signs)
    if any(not some.complete for _, some in found):
        return refused_as_seen(before, [UNCLEAR], search.likelihood.by_itself()[1])
    return _refused_round(search, found[0][0] if found else None)


def _likeliest(
    search: RoundSearch, found: Sequence[tuple[Use, Turns]], slots: SlotProbabilities, enough: float
) -> BoardRuling | None:
    """The ruling on the likeliest use of the expansion's dice, with others that are as likely."""
    legal = [(use, some) for use, some in found if some.found]
    if len(legal) < 2:
        return _ruled(search, *legal[0], slots, enough) if legal else None
    ranking = sorted(((_unlikely(search, use, some.found[0]), at) for at, (use, some) in enumerate(legal)))
    best, _ = legal[ranking[0][1]]
    alike = _ALIKE if any(isinstance(move, Placement) for move in best.moves) else _UNSURE
    rulings = [
        _ruled(search, *legal[at], slots, enough) for nll, at in ranking if nll <= ranking[0][0] + alike
    ]
    # Of those that ask, cells would be asked about, too.
    first, *others = sorted(rulings, key=lambda one: ("accepted", "ask", "refused").index(one.outcome))
    differing: dict[str, BoardRuling] = {}
    for other in others:
        if other.outcome != "refused" and _used(other) != _used(first):
            differing.setdefault(str(_used(other)), other)
    return replace(first, others=tuple(differing.values()))


def _unlikely(search: RoundSearch, use: Use, best: Turn) -> float:
    """The cost, in nats, of a use of dice with unread signs."""
    more = sum(
        isinstance(move, Drawing) and move.source in ("factory", "special", "university")
        for move in best.moves
    )
    ends = len(score(position_on(search.round.rules, best.board)).errors)
    return use.surprise + best.nll + _MORE * more + _OPEN * ends


def _used(ruling: BoardRuling) -> list[JsonObject]:
    """What the expansion's dice were used for, and the routes without a label."""
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
    search: RoundSearch, use: Use, turns: Turns, slots: SlotProbabilities, enough: float
) -> BoardRuling:
    """The best round, with the probability of every label in every slot.

    A round that is ``enough`` probable as a whole is not asked about.
    """
    best, before = turns.found[0], search.cells
    boards = [turn.board.cells() for turn in turns.found]
    nlls = search.likelihood.routes_beside(best.marks, boards[0])
    weights = [exp(best.total - turn.total) for turn in turns.found]
    total = sum(weights)
    chances = [weight / total for weight in weights]
    stray = stray_share(best.nll)  # the probability that the picture is right, and a rule was broken
    sure = [chance * (1 - stray) for chance in chances]
    each = enough if sure[0] >= enough else SURE_ENOUGH
    others = list(zip(boards, sure, strict=True))[1 : 1 + _MOST_ALTERNATIVES]
    alternatives = [Alternative(cells, p) for cells, p in others if p >= WORTH_TELLING]
    # With unread signs, what a use of the dice draws is no part of the question; another use is.
    fixed = before if search.signs is not None else use.board.cells()
    shares: dict[int, Shares] = {}
    for cell in range(GRID.size):
        own: Shares = {}
        known = _known(nlls[cell], turns.complete or cell in fixed)
        for cells, chance in zip(boards, chances, strict=True):
            number = number_of(cells.get(cell))
            own[number] = own.get(number, 0.0) + chance * known
        # Earlier ink is judged by its slot alone, not by the round.
        strays = stray_share(nll_of(nlls[cell], fixed[cell])) if cell in fixed else stray
        shares[cell] = with_strays(own, nlls[cell], strays)
    ruling = ruled(boards[0], sure[0], before, shares, alternatives, each)
    moves = tuple(map(move_json, best.moves))
    ruling = unless_unclear(replace(ruling, board=best.board, moves=moves), nlls, before)
    if search.signs is None:
        return ruling
    far = stray_share(best.nll, FAR)
    marks: dict[str, dict[str, float]] = {}
    for place, told in told_looks(slots.marks).items():
        classes = marks.setdefault(place, {})
        strays = stray_share(search.signs.known[place]) if place in search.signs.known else far
        for turn, chance in zip(turns.found, chances, strict=True):
            text = turn.marks.get(place, "")
            classes[text] = classes.get(text, 0.0) + chance * (1 - strays)
        seen = next(iter(told), best.marks.get(place, ""))
        classes[seen] = classes.get(seen, 0.0) + strays
    answer = with_marks(ruling, best.marks, search.marks, marks, each)
    return _asking_what_was_crossed_off(answer, turns.found, [chance * (1 - far) for chance in chances], each)


def _known(own: Sequence[float] | None, complete: bool) -> float:
    """The weight of the rounds found in a cell: less than 1 if the search was cut short there."""
    return 1.0 if complete or (own is not None and sorted(own)[1] > _CLEAR) else _HIDDEN_SURE


def _asking_what_was_crossed_off(
    ruling: BoardRuling, rounds: Sequence[Turn], chances: Sequence[float], enough: float
) -> BoardRuling:
    """Add a question if it is uncertain which special route, if any, was crossed off for a die."""
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
    """Refuse what the picture shows, with the rules it breaks."""
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
    """The rules that the marks in the picture break, in sentences for people."""
    reasons: list[str] = []
    rolled = ", ".join(search.round.faces or ()) or m("none that is known")
    for place in sorted({*marks, *search.marks}) if search.signs is not None else ():
        new, was = marks.get(place, ""), search.marks.get(place, "")
        if new == was or not search.likelihood.surely_not(place, was):
            continue
        gone = m("drawn earlier and gone now: {was} in {place}", was=was, place=place)
        illegal = m(
            "{place}: {new} is not a legal use of the dice rolled: {rolled}",
            place=place,
            new=new,
            rolled=rolled,
        )
        reasons.append(illegal if new else gone)
    return reasons
