"""Finds the most probable whole board, whoever built, by local search.

Builds begin in one's network and end in cities, so nothing hangs loose. Local search from the board as it was
seen: whichever change of a doubtful track helps most is made, until none does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp

from msgspec.structs import replace

from companion.core.messages import m
from companion.game.base import Refusal
from companion.games.spike.reader.verdict import (
    SURELY_SEEN,
    BoardRuling,
    Cells,
    Costs,
    cells_of,
    doubt_of,
    picture_cells,
    seats_of,
    tracks_of,
    unlike_doubts,
)
from companion.games.spike.rules.boards.board import Board
from companion.games.spike.rules.boards.difference import explain_difference
from companion.games.spike.rules.match.state import State, Train
from companion.games.spike.rules.moves.builds import Build
from companion.games.spike.rules.rulebook import BOOK
from companion.reading.evidence import MAX_NLL, SURE, Doubt, Looks, stray_share

_LOOSE, _APART, _GONE, _TOO_MANY = 4.0, 4.0, 5.0, 3.0  # nats against whatever no player leaves like that
_QUESTIONABLE = 7.0  # nats: a mark that is less likely than that is not tried
_MOST_UNSEEN = 12  # tracks beside a network of which nobody knows what lies there
_MOST_STEPS = 60
_LIKELY = (
    0.5  # a board that is less probable is not taken without a question about all that is seen otherwise
)


def rule_whole(looks: Looks, state: State, players: Mapping[str, int], *, strict: bool) -> BoardRuling:
    """The most probable whole board; ``looks`` have seats as marks.

    ``strict``: everything new has to be builds that the rules allow (in any number, of anybody); else the
    board is taken as it lies, and what looks wrong is for the remarks of the report.
    """
    board, before = state.options.on, cells_of(state)
    costs = Costs(looks, board, len(state.players))
    cells = picture_cells(costs, board, before)
    unseen = _unseen_beside(costs, board, cells, before)
    if len(unseen) > _MOST_UNSEEN:
        sentence = m(
            "{unseen} tracks beside the networks cannot be seen: take another picture", unseen=len(unseen)
        )
        return BoardRuling("refused", cells, against=(sentence,), players=players)
    weigh = _Weigh(costs, board, before)
    cells = _settled(weigh, cells, unseen)
    doubts = _doubts(weigh, cells, unseen)
    cost = sum(costs.of(track, cells.get(track, "")) for track in board.tracks)
    gone = tuple(sorted(track for track in before if cells.get(track, "") != before[track]))
    after = tracks_of(cells, state.players)
    explained = explain_difference(_begun(state, after), after)
    builds: tuple[tuple[int, Build], ...] = ()
    if not isinstance(explained, Refusal):
        builds = tuple((seat, build) for seat, some in explained.items() for build in some)
    elif strict and not doubts:
        return BoardRuling("refused", cells, against=(explained.message,), gone=gone, players=players)
    p = exp(-min(cost, 50.0)) * (1 - stray_share(cost, MAX_NLL * 2))
    asked = {doubt.slot for doubt in doubts}
    unlike = unlike_doubts(costs, before, cells, SURELY_SEEN if p >= _LIKELY else 0.0)
    doubts += [doubt for doubt in unlike if doubt.slot not in asked]
    ruling = BoardRuling.ruled(cells, p, before, doubts)
    return BoardRuling(ruling.outcome, cells, p, ruling.changed, ruling.doubts, (), builds, gone, players)


def _begun(state: State, after: Mapping[int, Sequence[str]]) -> State:
    """The position; where nobody said from which city a seat without tracks began, one that it touches."""
    board, players = state.options.on, dict(state.players)
    for seat, player in state.players.items():
        ends = {end for track in after.get(seat, ()) for end in board.tracks[track].track}
        city = next((one for one in board.cities if one in ends), None)
        if city is not None and not player.tracks and player.train is None:
            players[seat] = replace(player, train=Train(city))
    return replace(state, players=players)


class _Weigh:
    """The cost of a whole board, in nats."""

    def __init__(self, costs: Costs, board: Board, before: Mapping[str, str]) -> None:
        self.costs, self.board, self.before = costs, board, before

    def change(self, cells: Cells, track: str, mark: str) -> float:
        """The change in cost with another mark on one track."""
        old = cells.get(track, "")
        if mark == old:
            return 0.0
        seats = set(seats_of(old)) | set(seats_of(mark))
        changed = {**cells, track: mark}
        return (
            self.costs.of(track, mark)
            - self.costs.of(track, old)
            + sum(self._network(changed, seat) - self._network(cells, seat) for seat in seats)
            + self._gone(track, mark)
            - self._gone(track, old)
        )

    def _gone(self, track: str, mark: str) -> float:
        return _GONE * len(set(seats_of(self.before.get(track, ""))) - set(seats_of(mark)))

    def _network(self, cells: Cells, seat: int) -> float:
        """The penalty for loose ends, disconnected networks, and more tracks than pieces."""
        own = [track for track, mark in cells.items() if seat in seats_of(mark)]
        at: dict[str, list[str]] = {}
        for track in own:
            for end in self.board.tracks[track].track:
                at.setdefault(end, []).append(track)
        loose = sum(len(some) == 1 and end not in self.board.cities for end, some in at.items())
        apart = max(0, self._parts(at) - 1)
        return _LOOSE * loose + _APART * apart + _TOO_MANY * max(0, len(own) - BOOK.tracks)

    def _parts(self, at: Mapping[str, list[str]]) -> int:
        left, parts = set(at), 0
        while left:
            parts += 1
            waiting = [left.pop()]
            while waiting:
                here = waiting.pop()
                for track in at[here]:
                    there = self.board.tracks[track].other(here)
                    if there in left:
                        left.remove(there)
                        waiting.append(there)
        return parts


def _unseen_beside(costs: Costs, board: Board, cells: Cells, before: Mapping[str, str]) -> list[str]:
    """Tracks that were not seen, are not known to be built on, and lie beside somebody's."""
    ends = {end for track in cells for end in board.tracks[track].track}
    return [
        name
        for name, track in board.tracks.items()
        if name not in costs.seen and name not in before and not ends.isdisjoint(track.track)
    ]


def _tried(weigh: _Weigh, cells: Cells, unseen: list[str]) -> dict[str, list[str]]:
    """For each doubtful track, the marks to try."""
    costs, found = weigh.costs, {}
    for track in costs.seen:
        marks = [mark for mark in costs.marks(track) if costs.of(track, mark) < _QUESTIONABLE]
        old = weigh.before.get(track, "")
        if costs.of(track, old) < _QUESTIONABLE and old not in marks:
            marks.append(old)
        if len({*marks, cells.get(track, "")}) > 1:
            found[track] = marks
    near = {str(seat) for mark in cells.values() for seat in seats_of(mark)}
    return found | {track: ["", *sorted(near)] for track in unseen}


def _settled(weigh: _Weigh, cells: Cells, unseen: list[str]) -> Cells:
    for _ in range(_MOST_STEPS):
        changes = [
            (weigh.change(cells, track, mark), track, mark)
            for track, marks in _tried(weigh, cells, unseen).items()
            for mark in marks
        ]
        least, track, mark = min(changes, default=(0.0, "", ""))
        if least > -1e-6:
            break
        cells = {name: one for name, one in {**cells, track: mark}.items() if one}
    return cells


def _doubts(weigh: _Weigh, cells: Cells, unseen: list[str]) -> list[Doubt[str, str]]:
    found = []
    for track, marks in sorted(_tried(weigh, cells, unseen).items()):
        every = {mark: exp(-weigh.change(cells, track, mark)) for mark in {*marks, cells.get(track, "")}}
        whole = sum(every.values())
        if every[cells.get(track, "")] < SURE * whole:
            found.append(doubt_of(track, ((mark, share / whole) for mark, share in every.items())))
    return found
