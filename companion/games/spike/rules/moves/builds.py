"""What a build is: a path of tracks from a player's network to a new city; and what is wrong with one.

Unless an option says otherwise a build begins in the network, passes through points only, and ends in a city
that is not in the network yet.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from companion.core.messages import m
from companion.game.base import Refusal
from companion.games.spike.rules.boards.board import Board
from companion.games.spike.rules.match.state import Options, Player, State
from companion.games.spike.rules.moves.payment import NONE, Counts


class Build(NamedTuple):
    """A path of tracks in the order they are laid, the new cities it connects, the cards its tracks need."""

    path: tuple[str, ...]
    cities: tuple[str, ...]
    need: Counts


@dataclass(frozen=True)
class Ground:
    """Everything that decides whether a build is legal, besides the cards that pay for it."""

    board: Board
    options: Options
    mine: frozenset[str]  # cities and points of the network
    closed: frozenset[str]  # tracks that cannot be built on
    pieces: int  # of track that the player has left


def network_places(board: Board, player: Player) -> frozenset[str]:
    """The cities and points that a player's track touches; before the first track, the city of the train."""
    touched = {end for name in player.tracks for end in board.tracks[name].track}
    if not touched and player.train is not None:
        return frozenset((player.train.at,))
    return frozenset(touched)


def connected_cities(board: Board, player: Player) -> list[str]:
    """The cities that a player's track touches, in the order of the board."""
    touched = {end for name in player.tracks for end in board.tracks[name].track}
    return [city for city in board.cities if city in touched]


def ground_of(state: State, seat: int) -> Ground:
    """What decides about builds of this seat now."""
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


def needed(board: Board, path: Sequence[str]) -> Counts:
    """How many cards of each suit a path costs."""
    suits = [board.suit_numbers[track] for track in path]
    return tuple(suits.count(suit) for suit in range(len(NONE)))


# --- judging a build ---


def judge_build(ground: Ground, path: Sequence[str]) -> Build | Refusal:
    """The build that these tracks make, or the first thing against it."""
    names = [ground.board.find_track(name) for name in path]
    return _pieces_refusal(ground, names) or _connection(ground, names)


def _pieces_refusal(ground: Ground, names: list[str]) -> Refusal | None:
    if not names:
        return Refusal("no-track", m("say which tracks are built, in their order"))
    if ground.pieces == 0:
        return Refusal("no-pieces", m("all track pieces are played: use the network there is"))
    if len(names) > ground.pieces:
        return Refusal(
            "no-pieces",
            m("{names} tracks, but only {pieces} pieces are left", names=len(names), pieces=ground.pieces),
        )
    if len(set(names)) < len(names):
        return Refusal("twice", m("a track is built only once"))
    taken = next((name for name in names if name in ground.closed), None)
    if taken is not None:
        return Refusal("taken", m("there is already track on {taken}", taken=taken), {"tracks": [taken]})
    return None


def _connection(ground: Ground, names: list[str]) -> Build | Refusal:
    """The build if the path begins in the network (either end of its first track may) and can be walked."""
    starts = [end for end in ground.board.tracks[names[0]].track if end in ground.mine]
    answers = [_walk(ground, start, names) for start in starts]
    for answer in answers:
        if isinstance(answer, Build):
            return answer
    if answers:
        return answers[0]
    message = m(
        "{names} does not begin in your own network: a branch off another player's track is no build",
        names=names[0],
    )
    return Refusal("not-connected", message, {"tracks": [names[0]]})


def _walk(ground: Ground, start: str, names: list[str]) -> Build | Refusal:
    here, visited, cities = start, {start}, list[str]()
    for number, name in enumerate(names, start=1):
        track = ground.board.tracks[name]
        if here not in track.track:
            return Refusal(
                "gap",
                m("{name} does not go on from {here}: say the tracks in their order", name=name, here=here),
                {"tracks": [name]},
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
    """Why a path may not pass through here, or, if it is the last place, may not end here."""
    is_city, mine = here in ground.board.cities, here in ground.mine
    if here in visited:
        return Refusal("loop", m("the way comes to {here} twice", here=here))
    if mine and not (last and is_city and ground.options.rejoin == "yes"):
        message = m("{here} is in your network already: a build leads to a new city", here=here)
        return Refusal("not-new", message, {"places": [here]})
    if last and not is_city:
        message = m("the build ends at {here}, outside a city: it has to connect a new city", here=here)
        return Refusal("no-city", message, {"places": [here]})
    if not last and is_city and ground.options.reach == "one":
        message = m("{here} is reached on the way: one build connects one new city", here=here)
        return Refusal("too-far", message, {"places": [here]})
    return None
