"""What there is to be earned: every contract as a way from a supplier to a city, with what it still takes."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from companion.core.remembering import remembered
from companion.games.spike.rules.boards.board import Board
from companion.games.spike.rules.match.state import Held, Player, State
from companion.games.spike.rules.moves.builds import Ground, ground_of
from companion.games.spike.rules.moves.trains import reachable
from companion.games.spike.rules.rulebook import BOOK

FAR = 99
CARDS_A_TRACK = 1.3  # some cards are of the wrong suit
TRAVELLING = 0.35  # a turn of travelling against an action: the train moves while one does other things


@dataclass(frozen=True)
class Errand:
    """Bring a good from a city that supplies it (empty: it is aboard) to one that the contract names."""

    good: str
    source: str
    city: str
    pays: int
    lacking: int  # tracks that are still to be built
    effort: float  # in actions

    @property
    def rate(self) -> float:
        """The errand's expected dollars per action."""
        return self.pays / self.effort


@remembered(512)
def hops_from(board: Board, place: str) -> Mapping[str, int]:
    """The fewest tracks from a place to every other, whoever has built on them."""
    return board.hops(place)


def free_hops(ground: Ground) -> dict[str, int]:
    """The fewest tracks that are to be built to every place (breadth-first search from the network)."""
    found = dict.fromkeys(sorted(ground.mine), 0)
    waiting = deque(found)
    while waiting:
        here = waiting.popleft()
        for track, there, *_ in ground.board.ways[here]:
            if there not in found and track not in ground.closed:
                found[there] = found[here] + 1
                waiting.append(there)
    return found


def cheapest_way(ground: Ground, goals: Collection[str]) -> list[str]:
    """The tracks of a shortest way from the network to one of these places."""
    came: dict[str, tuple[str, str] | None] = dict.fromkeys(sorted(ground.mine))
    waiting = deque(came)
    while waiting:
        here = waiting.popleft()
        if here in goals:
            found = []
            step = came[here]
            while step is not None:
                found.append(step[0])
                step = came[step[1]]
            return found[::-1]
        for track, there, *_ in ground.board.ways[here]:
            if there not in came and track not in ground.closed:
                came[there] = (track, here)
                waiting.append(there)
    return []


def errands(state: State, seat: int) -> list[Errand]:
    """Every errand that could still be done, the best paid for its effort first; one for each good."""
    player, ground = state.players[seat], ground_of(state, seat)
    near = free_hops(ground)
    rides = reachable(state.options, player, FAR) if player.train else {}
    best = [
        max(found, key=lambda one: (one.rate, one.city, one.source))
        for held in player.contracts
        if held.delivered is None and (found := list(_errands(state, player, held, near, rides)))
    ]
    return sorted(best, key=lambda one: (-one.rate, one.good))


def _errands(
    state: State, player: Player, held: Held, near: Mapping[str, int], rides: Mapping[str, int]
) -> Iterator[Errand]:
    board, contract = state.options.on, state.options.pack.contracts[held.name]
    good, train = contract.contract, player.train
    assert train is not None
    aboard = good in train.aboard
    for city, pays in contract.pays.items():
        if city in player.delivered_to or city not in near:
            continue
        for source in ("",) if aboard else board.suppliers[good]:
            if source and source not in near:
                continue
            start = source or train.at
            apart = hops_from(board, city).get(start, FAR) if start in board.places else near[city]
            lacking = (near[source] if source else 0) + (min(near[city], apart) if near[city] else 0)
            if lacking > player.pieces:
                continue
            riding = (
                apart + 1 + (0 if not source or source == train.at else _ride(board, train.at, source, rides))
            )
            builds = (1 if source and near[source] else 0) + (1 if near[city] else 0)
            draws = max(0.0, CARDS_A_TRACK * lacking - sum(player.hand)) / train.power
            starts = 1 if not source or source == train.at else 2
            effort = builds + draws + starts + TRAVELLING * riding / train.speed
            yield Errand(good, source, city, pays, lacking, effort)


def _ride(board: Board, at: str, to: str, rides: Mapping[str, int]) -> int:
    """Spaces to a city, on the network if it leads there, else as if it did."""
    if to in rides:
        return rides[to]
    start = at if at in board.places else board.tracks[at].track[0]
    return hops_from(board, start).get(to, FAR) + 1


def turns_left(state: State) -> float:
    """About how many turns this seat still has: what is left to draw, shared by everybody."""
    seats = len(state.players)
    deck = BOOK.rails_of_a_suit(seats) * BOOK.suits
    left = len(state.deck) + max(0, BOOK.rounds - state.round) * 0.75 * deck
    if state.round == BOOK.rounds:
        left *= 0.75  # the third time card comes before the last one
    return left / (1.2 * seats)


def worth_of_a_city(board: Board, city: str, contracts: Iterable[Held], state: State) -> float:
    """What a city promises as a start: the contracts that can be fulfilled nearby."""
    pack = state.options.pack.contracts
    found = []
    for held in contracts:
        contract = pack[held.name]
        found.append(
            max(
                pays
                - 0.45 * (hops_from(board, city).get(source, FAR) + hops_from(board, source).get(there, FAR))
                for there, pays in contract.pays.items()
                for source in board.suppliers[contract.contract]
            )
        )
    return sum(
        weight * worth for weight, worth in zip((1.0, 0.7, 0.4), sorted(found, reverse=True), strict=False)
    )
