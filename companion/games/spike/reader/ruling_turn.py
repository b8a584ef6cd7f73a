"""Finds the most probable build of the current player among all paths of possibly new tracks.

Everything else lies as before. A path's cost is what the picture says against it, track by track; the search
goes depth first through tracks that may be new, and judges each path that ends in a city by the rules.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from math import exp, inf

from msgspec.structs import replace

from companion.core.errors import NotationError
from companion.core.messages import m
from companion.game.base import Action, NoChance, Refusal
from companion.games.spike.reader.verdict import (
    BoardRuling,
    Cells,
    Costs,
    cells_of,
    doubt_of,
    mark_of,
    picture_cells,
    seats_of,
    tracks_of,
    unlike_doubts,
)
from companion.games.spike.rules.boards.board import Board
from companion.games.spike.rules.match.reports import decide_reading
from companion.games.spike.rules.match.state import State, Train
from companion.games.spike.rules.moves.building import decide_build
from companion.games.spike.rules.moves.builds import Build, Ground, ground_of, judge_build
from companion.reading.colour_owners import STRANGE
from companion.reading.evidence import MAX_NLL, SURE, Doubt, SheetProbabilities, stray_share

_LEAST_GAIN = -6.0  # nats: a track that is less likely to be new is no part of any build
_HIDDEN = 0.7  # nats against a track that was not seen
_MOST_HIDDEN = 3  # of these in a build
_MOST_LOOKS = 30_000
_TRIED = 12  # builds of which it is looked up whether the cards can pay for them
_PUSHED = -1.0  # nats at most for track that is new where a piece of the same seat is missing beside it
# Nats at most against a piece that lay there and is not seen: it was pushed, or shines. All together cost no
# more than so much if no more of them are missing: people push several, and those are asked about.
_LOOKS_GONE, _ALL_GONE, _MOST_GONE = 2.5, 5.0, 0.34

Option = tuple[float, Build | None]  # how much likelier than that nothing was built, in nats


def rule_turn(probabilities: SheetProbabilities, state: State, players: Mapping[str, int]) -> BoardRuling:
    """The most probable board after the turn of ``state.turn``; ``probabilities`` have seats as marks."""
    board, before, seat = state.options.on, cells_of(state), state.turn
    costs = Costs(probabilities, board, len(state.players))
    gone = tuple(sorted(track for track in before if costs.best(track) == ""))
    missing = {track for track in gone if track not in costs.settled}
    beside = _lying_beside(costs, board, before, missing, seat)
    some = len(missing) <= _MOST_GONE * len(before)
    looks_gone = min(_LOOKS_GONE, _ALL_GONE / max(len(missing), 1)) if some else _LOOKS_GONE
    most = {**dict.fromkeys(missing, looks_gone), **dict.fromkeys(beside, 0.0)}
    base = sum(min(costs.of(track, before.get(track, "")), most.get(track, inf)) for track in board.tracks)
    gains = {
        track: min(gain, _PUSHED) if track in beside else gain
        for track, gain in _gains(state, costs, before).items()
    }
    options = [
        option
        for known in _first_builds(state)
        for option in _payable(known, sorted(_builds(known, costs, gains), key=lambda one: -one[0]))
    ]
    options = sorted([*options, (0.0, None)], key=lambda one: -one[0])
    gain, build = options[0]
    cost = base - gain
    picture = picture_cells(costs, board, before)
    if cost > MAX_NLL:
        against = _against(state, picture)
        return BoardRuling("refused", picture, against=against, gone=gone, players=players)
    after = _with(before, seat, build)
    pushed = {new: old for new, old in beside.items() if after.get(new, "") == before.get(new, "")}
    explained = {*pushed, *pushed.values()}
    gone = tuple(track for track in gone if track not in explained)
    weights = [exp(max(one - gain, -60.0)) for one, _ in options]
    shares = [weight / sum(weights) for weight in weights]
    unlike = [doubt for doubt in unlike_doubts(costs, before, after) if doubt.slot not in explained]
    doubts = [*_between(before, seat, options, shares), *unlike]
    p = shares[0] * (1 - stray_share(cost))
    ruling = BoardRuling.ruled(after, p, before, _once(doubts))
    builds = ((seat, build),) if build is not None else ()
    return BoardRuling(
        ruling.outcome, after, p, ruling.changed, ruling.doubts, (), builds, gone=gone, players=players
    )


def _with(before: Mapping[str, str], seat: int, build: Build | None) -> Cells:
    new = build.path if build is not None else ()
    return {**before, **{track: mark_of([*seats_of(before.get(track, "")), seat]) for track in new}}


def _lying_beside(
    costs: Costs, board: Board, before: Mapping[str, str], missing: Collection[str], turn: int
) -> dict[str, str]:
    """Tracks with a piece pushed over from a neighbouring track, and that track.

    The neighbouring track lacks its piece. If people said that it does not, a piece of the current player may
    be a new build.
    """
    found: dict[str, str] = {}
    said = [track for track in before if track in costs.settled and costs.best(track) == before[track]]
    for old in (*sorted(missing), *sorted(said)):
        owners, ends = set(seats_of(before[old])), set(board.tracks[old].track)
        fitting = [
            (-len(ends.intersection(track.track)), name)
            for name, track in board.tracks.items()
            if ends.intersection(track.track) and name not in costs.settled and name not in found
            for seen in [costs.best(name)]
            if seen is not None and seen != STRANGE
            for new in [owners.intersection(seats_of(seen)).difference(seats_of(before.get(name, "")))]
            if new and (old in missing or turn not in new)
        ]
        if fitting:
            found[min(fitting)[1]] = old
    return found


# --- the builds ---


def _first_builds(state: State) -> Iterator[State]:
    """The position; where a seat has no track yet and nobody said where its train stands, in each city."""
    player = state.players[state.turn]
    if player.tracks or player.train is not None:
        yield state
        return
    for city in state.options.on.cities:
        begun = replace(player, train=Train(city))
        yield replace(state, players={**state.players, state.turn: begun})


def _gains(state: State, costs: Costs, before: Mapping[str, str]) -> dict[str, float]:
    """Tracks that may be new, with the log-odds, in nats, of a build there."""
    closed, gains = ground_of(state, state.turn).closed, {}
    for track in state.options.on.tracks:
        if track not in closed:
            old = before.get(track, "")
            new = mark_of([*seats_of(old), state.turn])
            gain = costs.of(track, old) - costs.of(track, new) if track in costs.seen else -_HIDDEN
            if gain > _LEAST_GAIN:
                gains[track] = gain
    return gains


def _builds(state: State, costs: Costs, gains: Mapping[str, float]) -> Iterator[Option]:
    """Yield legal builds of possibly new tracks with their log-odds against no build."""
    ground = ground_of(state, state.turn)
    search = _Search(ground, gains, costs.seen)
    for start in sorted(ground.mine):
        yield from search.from_place(start)


class _Search:
    """Depth-first search over simple paths with a budget of steps."""

    def __init__(self, ground: Ground, gains: Mapping[str, float], seen: set[str]) -> None:
        self.ground, self.gains, self.seen = ground, gains, seen
        self.probabilities = 0

    def from_place(self, start: str) -> Iterator[Option]:
        """Yield every build that begins in this place."""
        yield from self._follow(start, (), 0.0, 0)

    def _follow(self, here: str, path: tuple[str, ...], gain: float, hidden: int) -> Iterator[Option]:
        ways = [
            way for way in self.ground.board.ways[here] if way.track in self.gains and way.track not in path
        ]
        for way in sorted(ways, key=lambda one: -self.gains[one.track]):
            unseen = hidden + (way.track not in self.seen)
            self.probabilities += 1
            if unseen > _MOST_HIDDEN or self.probabilities > _MOST_LOOKS or len(path) >= self.ground.pieces:
                continue
            longer, worth = (*path, way.track), gain + self.gains[way.track]
            if worth < -2 * MAX_NLL:
                continue
            build = judge_build(self.ground, longer)
            if isinstance(build, Build):
                yield worth, build
            ends = way.to in self.ground.board.cities and self.ground.options.reach != "several"
            if way.to not in self.ground.mine and not ends:
                yield from self._follow(way.to, longer, worth, unseen)


def _payable(state: State, options: list[Option]) -> list[Option]:
    """The likeliest builds that the cards can pay for; the same tracks in another order count once."""
    found: dict[frozenset[str], Option] = {}
    for gain, build in options[:200]:
        assert build is not None
        tracks = frozenset(build.path)
        if tracks not in found and len(found) < _TRIED:
            done = decide_build(state, Action("build", state.turn, {"path": list(build.path)}), NoChance())
            if not isinstance(done, Refusal):
                found[tracks] = (gain, build)
    return list(found.values())


# --- what is not clear ---


def _between(
    before: Mapping[str, str], seat: int, options: list[Option], shares: list[float]
) -> Iterator[Doubt[str, str]]:
    """Tracks on which the most probable builds differ."""
    if shares[0] >= SURE:
        return
    wholes = [(_with(before, seat, build), share) for (_, build), share in zip(options, shares, strict=True)]
    likely = [(whole, share) for whole, share in wholes if share > (1 - SURE) / 10]
    tracks = {track for whole, _ in likely for track in whole}
    for track in sorted(tracks):
        marks: dict[str, float] = {}
        for whole, share in likely:
            mark = whole.get(track, "")
            marks[mark] = marks.get(mark, 0.0) + share
        if max(marks.values()) < SURE * sum(marks.values()):
            yield doubt_of(track, marks.items())


def _once(doubts: list[Doubt[str, str]]) -> list[Doubt[str, str]]:
    return list({doubt.slot: doubt for doubt in reversed(doubts)}.values())[::-1]


def _against(state: State, picture: Cells) -> tuple[str, ...]:
    """What speaks against the board as seen by the rules, in sentences for people."""
    after = {str(seat): names for seat, names in tracks_of(picture, state.players).items()}
    try:
        answer = decide_reading(state, Action("report", state.turn, {"tracks": after}), NoChance())
    except NotationError as problem:  # more tracks of a colour than there are
        return (problem.message,)
    if isinstance(answer, Refusal):
        return (answer.message,)
    return (m("the picture fits no legal build: take it again from straight above"),)
