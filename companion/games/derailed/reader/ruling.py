"""The rules' answer to a picture of the railway area: the most probable area that the rules allow.

    rule_area(marks, lanes, ...)     an area by itself: cards that exist, joined to a station, reported before
    rule_moves(marks, before, ...)   cards laid since: which, where, by whom, in an order the rules allow

Both enumerate whole areas from the cheapest on, with the ``most_marks`` most probable marks of each cell,
and keep those that the rules allow. The enumeration ends where an area costs more than ``MAX_NLL`` by the
picture, or the window more than the best that was found. It also ends after ``most_ways`` areas: in a very
unclear picture a legal one may be missed, and the ruling is *refused*. A refused picture is returned as it
was seen, with the sentences of somebody who knows the rules. Nothing is silently put right.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, inf
from types import MappingProxyType
from typing import TypeAlias

from companion.core.jsontext import JsonObject
from companion.core.messages import joined, listed, m
from companion.games.derailed.reader.choices import (
    MAX_NLL,
    Cells,
    Choice,
    as_seen,
    cheapest_first,
    cost_in,
    costs_of,
)
from companion.games.derailed.reader.constants import CONSTANTS
from companion.games.derailed.rules.cards import card_of, deck_of, parse_face
from companion.games.derailed.rules.network import Area, area_of, cell_number, grid_of
from companion.games.derailed.rules.placement import DeadEnds, connects, placement_refusal, sides_of
from companion.games.derailed.rules.reports import too_many
from companion.games.derailed.rules.rulebook import COMPANIES
from companion.reading.evidence import (
    EMPTY,
    Doubt,
    MarkProbabilities,
    Ruling,
    SheetProbabilities,
    ranked,
    stray_share,
)

_C = CONSTANTS.ruling

MOST_MOVES = 8  # cards laid between two pictures
NO_CARDS: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class Move:
    """A card that a player laid."""

    company: str
    cell: str
    face: str


@dataclass(frozen=True)
class AreaRuling(Ruling[str, str]):
    """The ruling on the area: ``cells`` are the uppermost faces, ``moves`` the cards laid since."""

    moves: tuple[Move, ...] = ()
    cost: float = inf  # nats: of the best area the rules allow, by the picture and by how many cards are new

    def as_json(self) -> JsonObject:
        """The ruling as ``read --json`` and the pages tell it."""
        told = super().as_json()
        moves = [{"company": move.company, "cell": move.cell, "card": move.face} for move in self.moves]
        first = {name: told[name] for name in ("outcome", "cells", "p", "changed")}
        return first | {"moves": moves} | told


@dataclass(frozen=True)
class RulingContext:
    """What is known of the area besides the picture.

    ``before`` holds every cell's cards, the lowest first. If given, only cards of ``hand`` may have been
    laid, and only by ``companies``; ``most`` bounds how many.
    """

    starts: tuple[str, ...]
    before: Mapping[str, tuple[str, ...]]
    hand: Collection[str] | None = None
    companies: Sequence[str] = ()
    most: int = MOST_MOVES
    tunnels: bool = False
    dead_ends: DeadEnds = "stop"

    @property
    def lanes(self) -> int:
        """The number of lanes."""
        return len(self.starts)

    @property
    def cells(self) -> Cells:
        """The face on top of every cell's stack."""
        return {cell: stack[-1] for cell, stack in self.before.items()}


_Way: TypeAlias = tuple[float, Cells, tuple[Move, ...]]


# --- an area by itself ---


def rule_area(
    probabilities: SheetProbabilities, lanes: int, tunnels: bool = True, before: Mapping[str, str] = NO_CARDS
) -> AreaRuling:
    """The most probable area within the deck's number of copies of each card; loose cards cost extra.

    ``before``: the uppermost faces as they were reported last. One that is another now, or gone, costs extra,
    too, and what cannot be seen stays.

    >>> rule_area({name: {"": 1.0} for name in grid_of(2).names} | {"a1": {"TB": 1.0}}, 2).cells
    {'a1': 'TB'}
    """
    names = grid_of(lanes).names
    if says := _too_much_unseen(probabilities, names):
        return _refused(probabilities, before, [says])
    choices = [_choice(name, probabilities.get(name), before.get(name, EMPTY)) for name in names]
    deck, best = deck_of(tunnels), MAX_NLL + _C.window
    ways: list[_Way] = []
    for cost, faces in cheapest_first(choices, _C.most_ways):
        if cost > best + _C.window or cost > MAX_NLL:
            break
        cells = {name: face for name, face in zip(names, faces, strict=True) if face}
        if _surplus(cells.values(), deck) is None:
            others = sum(cells.get(name) != face for name, face in before.items())
            total = cost + _C.loose * len(_loose(lanes, cells)) + _C.another * others
            best = min(best, total)
            ways.append((total, cells, ()))
    if not ways:
        seen = as_seen(probabilities, before)
        return _refused(probabilities, before, [_surplus(seen.values(), deck) or _UNCLEAR])
    return _ruled(probabilities, before, ways, names)


def _too_much_unseen(probabilities: SheetProbabilities, names: Sequence[str]) -> str:
    """The sentence about an area of which hardly anything is seen, or nothing."""
    unseen = sum(probabilities.get(name) is None for name in names)
    many = unseen > _C.most_unseen * len(names)
    return (
        m("{unseen} of {names} cells cannot be seen: take it again", unseen=unseen, names=len(names))
        if many
        else ""
    )


_UNCLEAR = m("too much of the picture is unclear: take it again, nearer, sharper or with more light")


def _choice(name: str, marks: MarkProbabilities, usual: str) -> Choice:
    """The marks within reach in a cell; where nothing was seen only the usual one, what lay there before."""
    if marks is None:
        return Choice(name, ((0.0, usual),))
    costs = costs_of(marks)
    costs.setdefault(usual, cost_in(costs, usual))
    near = sorted((cost, face) for face, cost in costs.items() if cost <= MAX_NLL)
    return Choice(name, tuple(near[: _C.most_marks]))


def _surplus(faces: Iterable[str], deck: Counter[str]) -> str | None:
    """The sentence about a card of which there are more than the deck has."""
    for card, count in Counter(map(card_of, faces)).items():
        if count > deck[card]:
            return too_many(card, count, deck[card]).message
    return None


def _loose(lanes: int, cells: Cells) -> list[str]:
    """The cards that no starting station's track reaches."""
    area = area_of(lanes, cells)
    entries = {place for lane in range(lanes) for place in area.reach(lane)}
    reached = {place // 5 for place in entries}
    return [cell for cell in cells if cell_number(lanes, cell) not in reached]


# --- cards laid since ---


def rule_moves(probabilities: SheetProbabilities, known: RulingContext) -> AreaRuling:
    """The most probable cards laid since ``known.before``, in an order in which each was legal."""
    names, before = grid_of(known.lanes).names, known.cells
    if says := _too_much_unseen(probabilities, names):
        return _refused(probabilities, before, [says])
    choices = [_open_choice(name, probabilities.get(name), before.get(name, EMPTY)) for name in names]
    ways: list[_Way] = []
    best = MAX_NLL + _C.window
    for cost, faces in cheapest_first(choices, _C.most_ways):
        if cost > min(best + _C.window, MAX_NLL):
            break
        cells = {name: face for name, face in zip(names, faces, strict=True) if face}
        moves = _explained(known, before, cells)
        if moves is not None:
            total = cost + _C.change * max(0, len(moves) - 1)
            best = min(best, total)
            ways.append((total, cells, moves))
    if not ways:
        return _refused(probabilities, before, _reasons(probabilities, known))
    unseen = [name for name in names if probabilities.get(name) is None]
    if unseen and not min(ways, key=lambda way: way[0])[2]:
        return _refused(
            probabilities,
            before,
            [m("no new card is seen, and {unseen} cannot be seen", unseen=listed(unseen))],
        )
    return _ruled(probabilities, before, ways, names)


def _open_choice(name: str, marks: MarkProbabilities, usual: str) -> Choice:
    """The options for a cell without a settled mark, each with its cost in nats.

    Where the earlier card is still seen clearly, a misreading costs no more than a card laid over it: a card
    misread before is misread again.
    """
    choice = _choice(name, marks, usual)
    if usual and marks is not None and len(marks) > 1:  # nobody said what lies there
        kept = [
            (_C.kept if face == usual and _C.kept < cost < _C.shown else cost, face)
            for cost, face in choice.options
        ]
        choice = Choice(name, tuple(sorted(kept)))
    first, *others = choice.options
    sure = first[1] == usual and (not others or others[0][0] - first[0] > _C.window)
    return Choice(name, (first,)) if sure else choice


def _explained(known: RulingContext, before: Cells, after: Cells) -> tuple[Move, ...] | None:
    """The moves from one area to another in an order the rules allow; None when there is none."""
    changed = [cell for cell in after if after[cell] != before.get(cell)]
    if any(cell not in after for cell in before) or len(changed) > known.most:
        return None
    new = [after[cell] for cell in changed]
    if known.hand is not None and Counter(map(card_of, new)) - Counter(known.hand):
        return None
    there = [face for stack in known.before.values() for face in stack]
    if _surplus([*there, *new], deck_of(known.tunnels)) is not None:
        return None
    return _ordered(known, area_of(known.lanes, before), {cell: after[cell] for cell in changed}, set())


def _ordered(
    known: RulingContext, area: Area, left: dict[str, str], hopeless: set[frozenset[str]]
) -> tuple[Move, ...] | None:
    """Order the cards that are left by depth-first search; ``hopeless`` remembers sets without an order."""
    if not left:
        return ()
    if frozenset(left) in hopeless:
        return None
    for cell, face in left.items():
        company = _layer(known, area, cell, face)
        if company is None:
            continue
        rest = {name: other for name, other in left.items() if name != cell}
        following = _ordered(
            known, area.with_face(cell_number(known.lanes, cell), parse_face(face)), rest, hopeless
        )
        if following is not None:
            return (Move(company, cell, face), *following)
    hopeless.add(frozenset(left))
    return None


def _layer(known: RulingContext, area: Area, cell: str, face: str) -> str | None:
    """The first company that may lay this card there; None if none may."""
    number, drawn = cell_number(known.lanes, cell), parse_face(face)
    bare = area.with_face(number, None)
    for company in known.companies or known.starts:
        if connects(drawn, sides_of(bare, known.starts.index(company), number), known.dead_ends):
            return company
    return None


# --- the answer ---


def _ruled(
    probabilities: SheetProbabilities, before: Mapping[str, str], ways: list[_Way], names: Sequence[str]
) -> AreaRuling:
    ways = sorted(ways, key=lambda way: way[0])
    best = ways[0]
    weights = [exp(best[0] - cost) for cost, _, _ in ways]
    shares: dict[str, dict[str, float]] = {name: defaultdict(float) for name in names}
    for weight, (_, cells, _) in zip(weights, ways, strict=True):
        for name in names:
            shares[name][cells.get(name, EMPTY)] += weight / sum(weights)
    # The picture may be right, and a rule broken: the likelier, the more the best way costs.
    stray = stray_share(min(best[0], MAX_NLL), MAX_NLL)
    for name, face in as_seen(probabilities, before).items():
        if face != best[1].get(name):
            shares[name][face] += stray
    cells = best[1]
    doubts = [
        _doubt(name, own)
        for name, own in shares.items()
        if own[cells.get(name, EMPTY)] < _C.sure_enough * sum(own.values())
    ]
    ruling = AreaRuling.ruled(cells, (1 - stray) / sum(weights), before, doubts)
    return replace(ruling, moves=best[2], cost=best[0])


def _doubt(cell: str, shares: Mapping[str, float]) -> Doubt[str, str]:
    total = sum(shares.values())
    return Doubt(cell, ranked({face: share / total for face, share in shares.items()}))


def _refused(
    probabilities: SheetProbabilities, before: Mapping[str, str], against: Sequence[str]
) -> AreaRuling:
    unsure = [
        _doubt(cell, marks)
        for cell, marks in probabilities.items()
        if marks is not None and max(marks.values()) < _C.sure_enough * sum(marks.values())
    ]
    return AreaRuling.refused(as_seen(probabilities, before), before, against, unsure)


def _reasons(probabilities: SheetProbabilities, known: RulingContext) -> list[str]:
    """What speaks against the picture by the rules, in sentences for people."""
    before, seen = known.cells, as_seen(probabilities, known.cells)
    new = {cell: face for cell, face in seen.items() if face != before.get(cell)}
    gone = [cell for cell in before if cell not in seen]
    if gone:
        return [m("laid earlier and gone now: {gone}", gone=", ".join(gone))]
    if len(new) > known.most:
        cards = m("one card") if known.most == 1 else m("{most} cards", most=known.most)
        return [
            m(
                "{new} cards are new ({new2}); {cards} may be laid between two pictures",
                new=len(new),
                new2=", ".join(new),
                cards=cards,
            )
        ]
    there = [face for stack in known.before.values() for face in stack]
    surplus = _surplus([*there, *new.values()], deck_of(known.tunnels))
    if surplus is not None:
        return [surplus]
    if known.hand is not None and Counter(map(card_of, new.values())) - Counter(known.hand):
        return [
            m("{face} at {cell} is not in the hand of the player whose turn it is", face=face, cell=cell)
            for cell, face in new.items()
        ]
    area = area_of(known.lanes, before)
    return [sentence for cell, face in new.items() for sentence in _why_not(known, area, cell, face)] or [
        _UNCLEAR
    ]


def _why_not(known: RulingContext, area: Area, cell: str, face: str) -> list[str]:
    company = (known.companies or known.starts)[0]
    lane = known.starts.index(company)
    number = cell_number(known.lanes, cell)
    refusal = placement_refusal(area, lane, COMPANIES[company], number, parse_face(face), known.dead_ends)
    if _layer(known, area, cell, face) is not None or refusal is None:
        return []
    if known.companies:
        return [joined(": ", [cell, refusal.message])]
    return [m("{cell}: no company's track leads to this card", cell=cell)]
