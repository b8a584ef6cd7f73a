"""Rules on a map: one turn's builds or a whole position is accepted, asked about, or refused.

A look's marks are owners: a seat, or nothing. Who draws in which colour is settled before (:mod:`.owners`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import exp, inf, log

from companion.core.jsontext import JsonObject
from companion.core.messages import Seat, m
from companion.games.empire_builder.reader.wholes import (
    Limits,
    Task,
    Whole,
    best_whole,
    change_of,
    full_city_edges,
    piece_of,
    seen_edges,
)
from companion.games.empire_builder.rules.boards.board import Board
from companion.games.empire_builder.rules.boards.difference import SeatChange
from companion.games.empire_builder.rules.boards.names import Edges
from companion.games.empire_builder.rules.boards.position import Track, print_track
from companion.reading.evidence import (
    EMPTY,
    MAX_NLL,
    SURE,
    Doubt,
    MarkProbabilities,
    Ruling,
    costs_of,
    stray_share,
)

Seen = Mapping[
    int, MarkProbabilities
]  # by edge: marks are owners; None: cannot be seen; left out: surely empty
_HIDDEN_TRACK = -1.5  # nats for track on an edge that cannot be seen
_UNSURE = 6.0  # nats: edges seen less clearly than this may be otherwise
_CRUMB = 0.6  # probability that a clear line that joins nothing is none
_UNSEEN = 0.85  # probability at most of track on an edge on which none is seen
_FEW_HIDDEN = 2  # edges at the end of a new line below which it may go on
# Nats by which what is otherwise may be less likely, to be asked about.
_NEARLY_SURE = log(SURE / (1 - SURE)) + 0.1
_MOST_UNSURE = 14  # of them are tried otherwise
_POSSIBLE = 8  # marks: six seats, nothing, and something else
_SMALL, _A_STRAY = 1, 4.0  # edges in somebody else's colour that may be no line; nats for that
_TOLD = 6  # edges named in a sentence


@dataclass(frozen=True)
class MapRuling(Ruling[str, str]):
    """A ruling on the map, with how the turn was built and what is no longer to be seen."""

    builds: tuple[tuple[str, ...], ...] = ()  # lines in the order in which they can be built
    price: int = 0
    vanished: tuple[str, ...] = ()
    seat: int | None = None

    def as_json(self) -> JsonObject:
        """The ruling as JSON, with the turn's builds and their price."""
        return super().as_json() | {
            "seat": self.seat,
            "builds": [list(line) for line in self.builds],
            "price": self.price,
            "vanished": list(self.vanished),
        }


@dataclass(frozen=True)
class RulingContext:
    """What is known before a map is ruled on. ``marks`` says how each seat's track is called."""

    on: Board
    before: Track
    marks: Mapping[int, str] = field(default_factory=dict)

    def mark(self, seat: int) -> str:
        """The mark of a seat's track."""
        return self.marks.get(seat, str(seat))

    def cells(self, track: Track) -> dict[str, str]:
        """A track as marks by edge name, in the order of the map."""
        return {self.on.edge_names[edge]: self.mark(track[edge]) for edge in sorted(track)}


# --- one turn ---


def rule_turn(seen: Seen, known: RulingContext, seat: int, limits: Limits) -> MapRuling:
    """Rule on the map as the earlier position plus one turn's builds of this seat."""
    task = Task(known.on, seat, known.before, gains_of(seen, seat), limits, _settled(seen, seat))
    strange = _of_others(seen, known, seat)
    best = best_whole(task, MAX_NLL)
    others_cost = sum(strange.values())
    if best is None or best.cost + others_cost > MAX_NLL:
        return _refused_turn(task, known, strange)
    # Edges clearly seen in the seat's colour but left out because they are connected to nothing
    left = sorted(edge for edge in seen_edges(task) - best.edges if task.gain(edge) > _UNSURE)
    options = ((EMPTY, _CRUMB), (known.mark(task.seat), 1 - _CRUMB))
    doubts = [
        *_doubts(task, known, best),
        *_strange_doubts(strange, known, seen),
        *[Doubt(known.on.edge_names[edge], options) for edge in left],
    ]
    after = {**known.before, **dict.fromkeys(sorted(best.edges), seat)}
    p = 1 - stray_share(best.cost + others_cost)
    for doubt in doubts:
        p *= max(share for _, share in doubt.options)
    ruling = MapRuling.ruled(known.cells(after), p, known.cells(known.before), doubts)
    return _with_builds(ruling, known, change_of(task, best.edges), seat, seen)


def likeliest_turn(seen: Seen, known: RulingContext, seats: Iterable[int], limits: Limits) -> MapRuling:
    """Rule on one turn of an unknown seat: the seat whose turn explains the picture best."""
    rulings = [rule_turn(seen, known, seat, limits) for seat in seats]
    best = [one for one in rulings if one.outcome != "refused"]
    return max(best or rulings, key=lambda one: (len(one.changed), one.p))


def gains_of(seen: Seen, seat: int) -> dict[int, float]:
    """For each edge, how many nats likelier track of this seat is than nothing or another's track."""
    gains = {}
    for edge, of_slot in seen.items():
        if of_slot is None:
            gains[edge] = _HIDDEN_TRACK
            continue
        costs = costs_of({EMPTY: 1e-9, str(seat): 1e-9, **of_slot}, _POSSIBLE)
        gains[edge] = min(cost for mark, cost in costs.items() if mark != str(seat)) - costs[str(seat)]
    return gains


def _settled(seen: Seen, seat: int) -> dict[int, bool]:
    """The edges that a person settled: whether the seat has track there."""
    return {
        edge: of_slot.get(str(seat), 0.0) == 1.0
        for edge, of_slot in seen.items()
        if of_slot is not None and _is_settled(of_slot)
    }


def _is_settled(of_slot: MarkProbabilities) -> bool:
    """Return True if a person settled this edge (one mark with probability 1)."""
    return of_slot is not None and list(of_slot.values()) == [1.0]


def _of_others(seen: Seen, known: RulingContext, seat: int) -> dict[int, float]:
    """New lines in others' colours, each with the cost of ignoring it.

    A line connected to neither track of its colour nor a major city is no line but a pawn, a chip or a crumb
    of wax, unless a person confirmed it.
    """
    found: dict[int, float] = {}
    owners: dict[int, str] = {}
    for edge, of_slot in seen.items():
        if of_slot is None or edge in known.before:
            continue
        best = max(of_slot, key=of_slot.__getitem__)
        if best not in (EMPTY, str(seat)):
            costs = costs_of({EMPTY: 1e-9, str(seat): 1e-9, **of_slot}, _POSSIBLE)
            found[edge], owners[edge] = min(costs[EMPTY], costs[str(seat)]), best
    joined = {edge for owner in set(owners.values()) for edge in _joined(known, owners, owner)}
    said = {edge: inf for edge in found if _is_settled(seen[edge])}
    return _small_pieces_cheap(known.on, {edge: found[edge] for edge in found if edge in joined}) | said


def _small_pieces_cheap(on: Board, costs: Mapping[int, float]) -> dict[int, float]:
    """Lower the cost of single edges: nobody draws one alone, so it probably is no line."""
    cheaper: dict[int, float] = {}
    left = set(costs)
    while left:
        piece = piece_of(on, left)
        left -= set(piece)
        total = sum(costs[edge] for edge in piece)
        share = min(1.0, _A_STRAY / max(total, 1e-9)) if len(piece) <= _SMALL else 1.0
        cheaper |= {edge: share * costs[edge] for edge in piece}
    return cheaper


def _joined(known: RulingContext, owners: Mapping[int, str], owner: str) -> set[int]:
    """The owner's edges that are connected with their earlier track or a major city."""
    on, left = known.on, {edge for edge, one in owners.items() if one == owner}
    reached = set(on.major_mileposts)
    reached |= {end for edge, seat in known.before.items() if str(seat) == owner for end in on.edges[edge]}
    joined: set[int] = set()
    while fitting := {edge for edge in left if reached.intersection(on.edges[edge])}:
        joined |= fitting
        left -= fitting
        reached |= {end for edge in fitting for end in on.edges[edge]}
    return joined


def _strange_doubts(strange: Mapping[int, float], known: RulingContext, seen: Seen) -> list[Doubt[str, str]]:
    return [Doubt(known.on.edge_names[edge], _options(known, seen[edge] or {})) for edge in strange]


def _options(known: RulingContext, of_slot: Mapping[str, float]) -> tuple[tuple[str, float], ...]:
    marks = {known.mark(int(mark)) if mark.isdecimal() else mark: p for mark, p in of_slot.items()}
    return tuple(sorted(marks.items(), key=lambda one: -one[1])[:4])


def _doubts(task: Task, known: RulingContext, best: Whole) -> list[Doubt[str, str]]:
    """Uncertain edges, each weighed against the most probable whole with the edge decided otherwise."""
    unsure = sorted(
        (
            edge
            for edge in {*task.gains, *best.edges}
            if task.free(edge) and edge not in task.locked and _worth_asking(task, best, edge)
        ),
        key=lambda edge: abs(task.gain(edge)),
    )
    doubts: dict[str, Doubt[str, str]] = {}
    for edge in unsure[:_MOST_UNSURE]:
        there = edge in best.edges
        otherwise = replace(task, locked={**task.locked, edge: not there})
        forced = max(-task.gain(edge), 0.0) if not there else max(task.gain(edge), 0.0)
        other = best_whole(otherwise, best.cost - forced + _NEARLY_SURE)
        p = 1.0 if other is None else 1 / (1 + exp(min(best.cost - other.cost - forced, 500.0)))
        if there and task.gain(edge) < _HIDDEN_TRACK:
            p = min(p, _UNSEEN)
        if p < SURE:
            mark = known.mark(task.seat)
            options = ((mark, p), (EMPTY, 1 - p)) if there else ((EMPTY, p), (mark, 1 - p))
            doubts[known.on.edge_names[edge]] = Doubt(known.on.edge_names[edge], options)
    return list(doubts.values())


def _worth_asking(task: Task, best: Whole, edge: int) -> bool:
    """Return True if an edge is uncertain; a hidden edge that touches nothing stays as it was.

    Where a new line ends at something that stands on it, it may go on below.
    """
    gain = task.gain(edge)
    if gain == _HIDDEN_TRACK:
        near = Counter(end for one in best.edges for end in task.on.edges[one])
        ends = [end for end in task.on.edges[edge] if end in near]
        return edge in best.edges or len(ends) == 2 or any(_ends_unseen(task, end, near) for end in ends)
    return abs(gain) < _UNSURE or (gain > 0) != (edge in best.edges)


def _ends_unseen(task: Task, end: int, near: Mapping[int, int]) -> bool:
    """Return True if a new line ends here and few of the edges beyond are hidden.

    A pawn standing on the milepost hides all six.
    """
    own = [edge for _, edge in task.on.ways[end] if task.before.get(edge) == task.seat]
    hidden = [edge for _, edge in task.on.ways[end] if task.gain(edge) == _HIDDEN_TRACK]
    return near[end] == 1 and not own and len(hidden) <= _FEW_HIDDEN


def _with_builds(
    ruling: MapRuling, known: RulingContext, change: SeatChange | None, seat: int, seen: Seen
) -> MapRuling:
    arcs = change.builds if change else ()
    return MapRuling(
        ruling.outcome,
        ruling.cells,
        ruling.p,
        ruling.changed,
        ruling.doubts,
        ruling.against,
        builds=tuple(tuple(known.on.names[end] for end in line) for line in joined_arcs(arcs)),
        price=change.price if change else 0,
        vanished=vanished(seen, known),
        seat=seat,
    )


def joined_arcs(arcs: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Segments in the order in which they are built as lines."""
    lines: list[list[int]] = []
    for one, other in arcs:
        if lines and lines[-1][-1] == one:
            lines[-1].append(other)
        else:
            lines.append([one, other])
    return lines


def vanished(seen: Seen, known: RulingContext) -> tuple[str, ...]:
    """Earlier track that is no longer seen, although its edge is visible."""
    return tuple(
        known.on.edge_names[edge]
        for edge in sorted(known.before)
        if (of_slot := seen.get(edge, {EMPTY: 1.0})) is not None and of_slot.get(EMPTY, 0.0) > SURE
    )


# --- refusals ---


def _refused_turn(task: Task, known: RulingContext, strange: Mapping[int, float]) -> MapRuling:
    edges = seen_edges(task)
    sentences: list[str] = [*_against(task, edges), *_against_others(known, strange, task.seat)]
    if not sentences:
        sentences = [m("what is drawn cannot have been built in one turn")]
    after = {**known.before, **dict.fromkeys(sorted(edges), task.seat)}
    ruling = MapRuling.refused(known.cells(after), known.cells(known.before), sentences)
    return MapRuling("refused", ruling.cells, 0.0, ruling.changed, (), ruling.against, seat=task.seat)


def _against(task: Task, edges: Collection[int]) -> list[str]:
    """What speaks against the picture by the rules, in sentences for people."""
    change, on = change_of(task, edges), task.on
    found: list[str] = [
        m("{city} is full: nobody else may build into it ({own})", city=city, own=_listed(on, own))
        for city, own in full_city_edges(task, edges).items()
    ]
    if change is None:
        return found
    money, outs = task.limits.money, task.limits.outs
    if change.loose:
        found.append(
            m(
                "joined to no major city and to no track of {seat}: {loose}",
                seat=Seat(task.seat),
                loose=_listed(on, change.loose),
            )
        )
    if money is not None and change.price > money:
        found.append(
            m(
                "the {builds} new segments cost {price} million, and {money} may be spent now",
                builds=len(change.builds),
                price=change.price,
                money=money,
            )
        )
    if outs is not None and change.out_of_majors > outs:
        found.append(
            m(
                "{out_of_majors} new segments lead out of major cities, and {outs} may in this turn",
                out_of_majors=change.out_of_majors,
                outs=outs,
            )
        )
    return found


def _against_others(known: RulingContext, strange: Mapping[int, float], seat: int) -> list[str]:
    if not strange:
        return []
    return [
        m(
            "new, and not in the colour of {seat}, whose turn it is: {strange}",
            seat=Seat(seat),
            strange=_listed(known.on, list(strange)),
        )
    ]


def _listed(on: Board, edges: Sequence[int]) -> str:
    names = [on.edge_names[edge] for edge in sorted(edges)]
    return Edges(names[:_TOLD], more=max(0, len(names) - _TOLD))


# --- a whole position ---


def rule_position(seen: Seen, known: RulingContext, seats: Collection[int]) -> MapRuling:
    """Rule on everybody's track at once: each seat's lines are connected with its own or a major city.

    What cannot be seen stays as it was before; track that has vanished is asked about.
    """
    track, total = dict(known.before), 0.0
    doubts: list[Doubt[str, str]] = []
    against: list[str] = []
    tasks: list[Task] = []
    for seat in seats:
        own = {edge: of_slot for edge, of_slot in seen.items() if _may_be(of_slot, seat)}
        # What people said is not the seat's has no look of its own, and is not to be drawn over either.
        task = Task(known.on, seat, dict(track), gains_of(own, seat), Limits(), _settled(seen, seat))
        tasks.append(task)
        best = best_whole(task, MAX_NLL * max(1, len(seats)))
        if best is None:
            against += _against(task, seen_edges(task)) or [
                m("the track of {seat} is impossible", seat=Seat(seat))
            ]
            continue
        total += best.cost
        doubts += _doubts(task, known, best)
        track |= dict.fromkeys(sorted(best.edges), seat)
    gone = vanished(seen, known)
    for name in gone:
        edge = known.on.edges_called[name]
        doubts.append(Doubt(name, ((EMPTY, 0.5), (known.mark(known.before[edge]), 0.5))))
    for edge, of_slot in seen.items():
        if edge in known.before and of_slot == {EMPTY: 1.0}:
            track.pop(edge, None)
            doubts = [doubt for doubt in doubts if doubt.slot != known.on.edge_names[edge]]
    cells, before = known.cells(track), known.cells(known.before)
    if against or total > MAX_NLL * max(1, len(set(track.values()))):
        against = against or [sentence for task in tasks for sentence in _against(task, seen_edges(task))]
        return MapRuling.refused(cells, before, against or [m("this position is impossible by the rules")])
    p = 1 - stray_share(total)
    for doubt in doubts:
        p *= max(share for _, share in doubt.options)
    ruled = MapRuling.ruled(cells, p, before, {doubt.slot: doubt for doubt in doubts}.values())
    return MapRuling(
        ruled.outcome, ruled.cells, ruled.p, ruled.changed, ruled.doubts, ruled.against, vanished=gone
    )


def _may_be(of_slot: MarkProbabilities, seat: int) -> bool:
    """Return True if this seat is the most probable owner of the edge, empty aside."""
    if of_slot is None:
        return True
    rivals = [p for mark, p in of_slot.items() if mark not in (EMPTY, str(seat))]
    return of_slot.get(str(seat), 0.0) >= max(rivals, default=0.0) and of_slot.get(str(seat), 0.0) > 0


def lines_of(on: Board, track: Track, seat: int) -> list[str]:
    """A seat's track as people write it."""
    return print_track(on, [edge for edge, owner in track.items() if owner == seat])
