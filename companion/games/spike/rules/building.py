"""Building: what belongs to a player's network, every build that is open to him, and what is wrong with one.

A build is a way of tracks that begins in the network, leads through points that are not in it, and ends in a
city that is not in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import sub
from typing import NamedTuple, TypeAlias

from companion.games.contract import Refusal
from companion.games.spike.rules.board import Board, Way
from companion.games.spike.rules.payment import NONE, Counts, coverable, payments
from companion.games.spike.rules.state import Options, Player, State


class Build(NamedTuple):
    """A way of tracks in the order they are laid, the cities it connects, and the cards its tracks need."""

    path: tuple[str, ...]
    cities: tuple[str, ...]
    need: Counts


PricedBuild: TypeAlias = tuple[Build, tuple[Counts, ...]]  # and every way to pay for it, the cheapest first


@dataclass(frozen=True)
class Ground:
    """What a build depends on besides the cards."""

    board: Board
    options: Options
    mine: frozenset[str]  # cities and points of the network
    closed: frozenset[str]  # tracks that cannot be built on
    pieces: int


def network_places(board: Board, player: Player) -> frozenset[str]:
    """The cities and points a player's network touches: at the beginning only where his train is."""
    touched = {end for name in player.tracks for end in board.tracks[name].track}
    if not touched and player.train is not None:
        return frozenset((player.train.at,))
    return frozenset(touched)


def connected_cities(board: Board, player: Player) -> list[str]:
    """The cities that have track of the player."""
    touched = {end for name in player.tracks for end in board.tracks[name].track}
    return [city for city in board.cities if city in touched]


def ground_of(state: State, seat: int) -> Ground:
    """Where a seat may build now."""
    player = state.players[seat]
    shared = state.options.segments == "shared"
    others = () if shared else (name for other in state.players.values() for name in other.tracks)
    return Ground(
        board=state.options.on,
        options=state.options,
        mine=network_places(state.options.on, player),
        closed=frozenset((*player.tracks, *others)),
        pieces=player.pieces,
    )


# --- listing ---


MOST_LISTED = 4000  # builds; a hand of a dozen cards has about a tenth as many


def priced_builds(ground: Ground, hand: Counts) -> list[PricedBuild]:
    """Every build that this hand can pay, with every way to pay for it."""
    builds = open_builds(ground, hand)
    # Many ways over different tracks need the same cards.
    ways = {need: payments(hand, need) for need in {build.need for build in builds}}
    return [(build, ways[build.need]) for build in builds]


def open_builds(ground: Ground, hand: Counts) -> list[Build]:
    """Every build that this hand can pay, wild sets included.

    Somebody who hoards two dozen cards could choose among more builds than can be listed at once. Then only
    the shorter ones are listed: all up to some number of tracks.
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
    """The builds of so many tracks at most; soon broken off where there are too many."""
    listing = _Listing(ground, hand, longest)
    spare = sum(max(0, count - 1) for count in hand)
    for start in sorted(ground.mine) if longest else ():
        listing.avoided = {start}
        listing.follow(start, spare, 0, 0)
    return listing.found


class _Listing:
    """Follows every way as far as the hand can pay. What it is asked for is kept count of card by card."""

    def __init__(self, ground: Ground, hand: Counts, longest: int) -> None:
        self.ground = ground
        self.hand = hand
        self.left = list(hand)  # after paying for the way so far; below 0: so many are lacking
        self.longest = longest
        self.beyond = sum(hand) - longest  # cards that there are no pieces for
        self.found: list[Build] = []
        self.path: list[str] = []
        self.cities: tuple[str, ...] = ()
        self.avoided: set[str] = set()  # where the way has been, or must not come
        self.steps: dict[str, list[Way]] = {}
        self.stops = ground.board.cities.keys() | ground.mine
        self.passing = ground.options.reach == "several"
        self.barred: frozenset[str] = frozenset() if ground.options.rejoin == "yes" else ground.mine

    def follow(self, here: str, spare: int, lacking: int, kinds: int) -> None:
        """Every build that goes on from here.

        ``spare`` is what one wild set of each suit would bring, ``lacking`` the cards that are not there, of
        so many ``kinds``: most often that tells whether the hand can pay without trying out sets.
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
            # Every suit that is lacking takes a set, and a set costs one card more than it brings.
            if short > after or far + suits > cards:
                continue
            left[suit] = held - 1
            # At worst every suit that is lacking but the first breaks up a set, which costs one card more.
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
        """The ways from a place that nobody has built on, and that do not lead where none may come."""
        closed, barred = self.ground.closed, self.barred
        ways = self.ground.board.ways[here]
        self.steps[here] = [way for way in ways if way.track not in closed and way.to not in barred]
        return self.steps[here]

    def _stop(self, there: str, spare: int, lacking: int, kinds: int) -> None:
        """A city, or a place of one's own: most builds end here."""
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
    """One shortest build to every new city, whatever it costs: for tables whose cards nobody else knows."""
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


def needed(board: Board, path: Sequence[str]) -> Counts:
    """The cards that the tracks of a way need."""
    suits = [board.suit_numbers[track] for track in path]
    return tuple(suits.count(suit) for suit in range(len(NONE)))


# --- judging one ---


def judge_build(ground: Ground, path: Sequence[str]) -> Build | Refusal:
    """The build that these tracks make, or the first thing against it."""
    names = [ground.board.find_track(name) for name in path]
    return _track_refusal(ground, names) or _way(ground, names)


def _track_refusal(ground: Ground, names: list[str]) -> Refusal | None:
    if not names:
        return Refusal("no-track", "say which tracks are built, in their order")
    if ground.pieces == 0:
        return Refusal("no-pieces", "all track pieces are played: use the network there is")
    if len(names) > ground.pieces:
        return Refusal("no-pieces", f"{len(names)} tracks, but only {ground.pieces} pieces are left")
    if len(set(names)) < len(names):
        return Refusal("twice", "a track is built only once")
    taken = next((name for name in names if name in ground.closed), None)
    if taken is not None:
        return Refusal("taken", f"there is already track on {taken}", {"tracks": [taken]})
    return None


def _way(ground: Ground, names: list[str]) -> Build | Refusal:
    """Walk along the tracks, from whichever end of the first one lies in the network."""
    answers = [_walk(ground, start, names) for start in _starts(ground, names[0])]
    for answer in answers:
        if isinstance(answer, Build):
            return answer
    if answers:
        return answers[0]
    message = (
        f"{names[0]} does not begin in your own network: a branch off another player's track is no build"
    )
    return Refusal("not-connected", message, {"tracks": [names[0]]})


def _starts(ground: Ground, track: str) -> list[str]:
    return [end for end in ground.board.tracks[track].track if end in ground.mine]


def _walk(ground: Ground, start: str, names: list[str]) -> Build | Refusal:
    here, visited, cities = start, {start}, list[str]()
    for number, name in enumerate(names, start=1):
        track = ground.board.tracks[name]
        if here not in track.track:
            return Refusal(
                "gap", f"{name} does not go on from {here}: say the tracks in their order", {"tracks": [name]}
            )
        here = track.other(here)
        refusal = _stop_refusal(ground, here, visited, last=number == len(names))
        if refusal is not None:
            return refusal
        visited.add(here)
        if here in ground.board.cities and here not in ground.mine:
            cities.append(here)
    return Build(tuple(names), tuple(cities), needed(ground.board, names))


def _stop_refusal(ground: Ground, here: str, visited: set[str], *, last: bool) -> Refusal | None:
    """What is against coming here, on the way or at its end."""
    is_city, mine = here in ground.board.cities, here in ground.mine
    if here in visited:
        return Refusal("loop", f"the way comes to {here} twice")
    if mine and not (last and is_city and ground.options.rejoin == "yes"):
        message = f"{here} is in your network already: a build leads to a new city"
        return Refusal("not-new", message, {"places": [here]})
    if last and not is_city:
        message = f"the build ends at {here}, outside a city: it has to connect a new city"
        return Refusal("no-city", message, {"places": [here]})
    if not last and is_city and ground.options.reach == "one":
        message = f"{here} is reached on the way: one build connects one new city"
        return Refusal("too-far", message, {"places": [here]})
    return None
