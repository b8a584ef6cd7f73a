"""Two positions compared: which builds explain the tracks that are there now and were not there before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from companion.core.messages import Seat, Seats, joined, m
from companion.game.base import Refusal
from companion.games.spike.rules.match.state import State
from companion.games.spike.rules.moves.builds import Build, Ground, ground_of, judge_build

MOST_LOOKS = 20_000  # builds that are tried before the search stops


def explain_difference(state: State, after: Mapping[int, Iterable[str]]) -> dict[int, list[Build]] | Refusal:
    """For each seat the builds, in an order the rules allow, that lead to the tracks ``after``.

    Track that vanished, changed its colour or joins nothing is a Refusal that names it.
    """
    now = {seat: set(after.get(seat, ())) for seat in state.players}
    refusal = _vanished(state, now) or _doubled(state, now)
    if refusal is not None:
        return refusal
    found: dict[int, list[Build]] = {}
    for seat, player in state.players.items():
        added = now[seat].difference(player.tracks)
        if added:
            builds = builds_of(ground_of(state, seat), added)
            if isinstance(builds, Refusal):
                return Refusal(
                    builds.code,
                    m("{seat}: {message}", seat=Seat(seat), message=builds.message),
                    builds.detail,
                )
            found[seat] = builds
    return found


def _vanished(state: State, now: Mapping[int, set[str]]) -> Refusal | None:
    for seat, player in state.players.items():
        gone = sorted(set(player.tracks) - now[seat])
        if gone:
            return Refusal(
                "vanished",
                m("{seat} had track on {gone}, and it is gone", seat=Seat(seat), gone=joined(", ", gone)),
                {"tracks": gone},
            )
    return None


def _doubled(state: State, now: Mapping[int, set[str]]) -> Refusal | None:
    if state.options.segments == "shared":
        return None
    owners: dict[str, int] = {}
    for seat, tracks in now.items():
        for track in sorted(tracks):
            if owners.setdefault(track, seat) != seat:
                seats = Seats([owners[track], seat])
                message = m("{seats} both have track on {track}", seats=seats, track=track)
                return Refusal("taken", message, {"tracks": [track]})
    return None


def builds_of(ground: Ground, added: Iterable[str]) -> list[Build] | Refusal:
    """One player's new tracks as legal builds in order, or the refusal that names the unexplained ones."""
    left = frozenset(ground.board.find_track(name) for name in added)
    taken = sorted(left & ground.closed)
    if taken:
        return Refusal(
            "taken", m("there was already track on {taken}", taken=joined(", ", taken)), {"tracks": taken}
        )
    search = _Search()
    builds = search.taken_apart(ground, left)
    if builds is not None:
        return builds
    loose = sorted(search.least if search.least is not None else left)
    message = m(
        "no build explains the track on {loose}: it has to lead from the network to a new city",
        loose=joined(", ", loose),
    )
    return Refusal("unexplained", message, {"tracks": loose})


class _Search:
    """Backtracking: take one build after the other away; sets of tracks that failed are not tried again."""

    def __init__(self) -> None:
        self.seen: set[frozenset[str]] = set()
        self.least: frozenset[str] | None = None
        self.looks = 0

    def taken_apart(self, ground: Ground, left: frozenset[str]) -> list[Build] | None:
        """Builds that together use up exactly the tracks that are left; None if the search finds none."""
        if not left:
            return []
        if self.least is None or len(left) < len(self.least):
            self.least = left
        if left in self.seen or self.looks > MOST_LOOKS:
            return None
        self.seen.add(left)
        for build in _builds_within(ground, left):
            self.looks += 1
            rest = self.taken_apart(_after(ground, build), left.difference(build.path))
            if rest is not None:
                return [build, *rest]
        return None


def _builds_within(ground: Ground, left: frozenset[str]) -> Iterator[Build]:
    """The builds that use nothing but these tracks, the longest first."""
    ways = (way for start in sorted(ground.mine) for way in _ways(ground, start, left, ()))
    builds = (judge_build(ground, way) for way in ways)
    yield from sorted(
        (build for build in builds if isinstance(build, Build)), key=lambda build: -len(build.path)
    )


def _ways(
    ground: Ground, here: str, left: frozenset[str], path: tuple[str, ...]
) -> Iterator[tuple[str, ...]]:
    for way in ground.board.ways[here]:
        if way.track in left and way.track not in path:
            longer = (*path, way.track)
            yield longer
            if way.to not in ground.mine and (
                way.to not in ground.board.cities or ground.options.reach == "several"
            ):
                yield from _ways(ground, way.to, left, longer)


def _after(ground: Ground, build: Build) -> Ground:
    """What decides about builds once this one is laid."""
    touched = {end for name in build.path for end in ground.board.tracks[name].track}
    return replace(
        ground,
        mine=ground.mine | touched,
        closed=ground.closed.union(build.path),
        pieces=ground.pieces - len(build.path),
    )
