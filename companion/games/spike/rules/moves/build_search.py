"""Every build that a hand can pay for, found by depth-first search over the tracks nobody has built on."""

from __future__ import annotations

from operator import sub
from typing import TypeAlias

from companion.games.spike.rules.boards.board import Way
from companion.games.spike.rules.moves.builds import Build, Ground, needed
from companion.games.spike.rules.moves.payment import Counts, coverable, payments

PricedBuild: TypeAlias = tuple[Build, tuple[Counts, ...]]  # and every way to pay for it, the cheapest first

MOST_LISTED = 4000  # builds; a hand of a dozen cards has about a tenth as many


def priced_builds(ground: Ground, hand: Counts) -> list[PricedBuild]:
    """Every build that this hand can pay for, with every payment."""
    builds = open_builds(ground, hand)
    # Many paths over different tracks need the same cards.
    ways = {need: payments(hand, need) for need in {build.need for build in builds}}
    return [(build, ways[build.need]) for build in builds]


def open_builds(ground: Ground, hand: Counts) -> list[Build]:
    """Every build that this hand can pay for, with wild sets if need be.

    The number of paths grows exponentially with the hand. Where there are more than :data:`MOST_LISTED`, the
    list is complete only up to the greatest length for which they are not.
    """
    longest = min(ground.pieces, sum(hand))
    found = _listed(ground, hand, longest)
    if len(found) <= MOST_LISTED:
        return found
    shorter: list[Build] = []
    for length in range(1, longest):
        found = _listed(ground, hand, length)
        if len(found) > MOST_LISTED:
            break
        shorter = found
    return shorter


def _listed(ground: Ground, hand: Counts, longest: int) -> list[Build]:
    """The builds of at most ``longest`` tracks; the search stops soon after there are too many."""
    listing = _Listing(ground, hand, longest)
    spare = sum(max(0, count - 1) for count in hand)
    for start in sorted(ground.mine) if longest else ():
        listing.avoided = {start}
        listing.follow(start, spare, 0, 0)
    return listing.found


class _Listing:
    """Depth-first search over simple paths, pruned where the hand cannot pay for what has been laid."""

    def __init__(self, ground: Ground, hand: Counts, longest: int) -> None:
        self.ground = ground
        self.hand = hand
        self.left = list(hand)  # after paying for the path so far; below 0: to be replaced
        self.longest = longest
        self.beyond = sum(hand) - longest  # cards more than there are pieces of track to play them for
        self.found: list[Build] = []
        self.path: list[str] = []
        self.cities: tuple[str, ...] = ()
        self.avoided: set[str] = set()  # places on the path so far
        self.steps: dict[str, list[Way]] = {}
        self.stops = ground.board.cities.keys() | ground.mine
        self.passing = ground.options.reach == "several"
        self.barred: frozenset[str] = frozenset() if ground.options.rejoin == "yes" else ground.mine

    def follow(self, here: str, spare: int, lacking: int, kinds: int) -> None:
        """Find every build that continues from here.

        Three running totals usually tell whether the hand can pay without a search for wild sets: ``spare``
        is how many cards the sets could replace at most (each suit left over, less one card), ``lacking`` how
        many cards have to be replaced, and ``kinds`` how many suits those belong to.
        """
        if len(self.found) > MOST_LISTED:
            return
        path, avoided, left, stops = self.path, self.avoided, self.left, self.stops
        tracks = self.longest - len(path) - 1
        cards = tracks + self.beyond
        for track, there, suit, far in self.steps.get(here) or self._steps(here):
            if there in avoided or far > tracks:
                continue
            held = left[suit]
            after, short, suits = spare, lacking, kinds
            if held > 1:
                after -= 1
            elif held < 1:
                short += 1
                suits += held == 0
            # Necessary: every lacking suit takes a set of its own, which costs a card more than it replaces.
            if short > after or far + suits > cards:
                continue
            left[suit] = held - 1
            # Sufficient: at worst every lacking suit but the first splits a set, which costs one more card.
            if short < after + 2 - suits or coverable(left):
                path.append(track)
                if there in stops:
                    self._stop(there, after, short, suits)
                else:
                    avoided.add(there)
                    self.follow(there, after, short, suits)
                    avoided.discard(there)
                path.pop()
            left[suit] = held

    def _steps(self, here: str) -> list[Way]:
        """The free tracks from a place, without those into the network unless builds may rejoin it."""
        closed, barred = self.ground.closed, self.barred
        ways = self.ground.board.ways[here]
        self.steps[here] = [way for way in ways if way.track not in closed and way.to not in barred]
        return self.steps[here]

    def _stop(self, there: str, spare: int, lacking: int, kinds: int) -> None:
        """Record the build if it may end here; go on from a new city where one build may connect several."""
        path, before = tuple(self.path), self.cities
        need = tuple(map(sub, self.hand, self.left))
        if there in self.ground.mine:
            if there in self.ground.board.cities:
                self.found.append(Build(path, before, need))
            return
        self.cities = (*before, there)
        self.found.append(Build(path, self.cities, need))
        if self.passing and len(path) < self.longest:
            self.avoided.add(there)
            self.follow(there, spare, lacking, kinds)
            self.avoided.discard(there)
        self.cities = before


def nearest_builds(ground: Ground) -> list[Build]:
    """A shortest build to every new city by breadth-first search, whatever cards it costs.

    For people who play with their own cards, which are not known here.
    """
    found: dict[str, Build] = {}
    waiting: list[tuple[str, tuple[str, ...]]] = [(start, ()) for start in sorted(ground.mine)]
    seen = set(ground.mine)
    for here, path in waiting:
        for track, there, *_ in ground.board.ways[here]:
            if track in ground.closed or there in seen or len(path) == ground.pieces:
                continue
            seen.add(there)
            if there in ground.board.cities:
                found[there] = Build((*path, track), (there,), needed(ground.board, (*path, track)))
            else:
                waiting.append((there, (*path, track)))
    return list(found.values())
