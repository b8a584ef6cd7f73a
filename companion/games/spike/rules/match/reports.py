"""Whole positions: read from the board by a camera or a person, in both ways to play.

The umpire takes a reading as the build that explains it. The scorekeeper takes the position itself: what
cannot be is refused, what looks wrong is said in the remarks, and nothing is silently put right.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from companion.core.jsontext import JsonObject, shaped
from companion.core.messages import Seat, Seats, joined, m
from companion.core.records import replaced
from companion.game.base import Action, Chance, Fact, Refusal
from companion.game.pictures import Picture, picture_fact
from companion.games.spike.rules.boards.difference import explain_difference
from companion.games.spike.rules.boards.position import Dollars, read_tracks
from companion.games.spike.rules.match.flow import Nothing, action_refusal
from companion.games.spike.rules.match.scoring import joined_to
from companion.games.spike.rules.match.state import Player, State
from companion.games.spike.rules.moves.building import decide_build
from companion.games.spike.rules.moves.builds import Build


class _Reading(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    tracks: dict[str, list[str]]
    cards: dict[str, int] | None = None
    picture: Picture | None = None


class _Report(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    tracks: dict[str, list[str]] = {}
    money: dict[str, Dollars] = {}
    routes: dict[str, str] = {}
    remarks: list[str] = []
    picture: Picture | None = None


# --- the umpire ---


def decide_reading(state: State, action: Action, chance: Chance) -> Fact | Refusal:
    """The board as it lies now, as the one build of the seat whose turn it is."""
    request = shaped(action.data, _Reading, "bad-action")
    seat = action.seat or state.turn
    refusal = action_refusal(state, seat) or _seats_refusal(state, request.tracks)
    if refusal is not None:
        return refusal
    board = state.options.on
    after = {seat: player.tracks for seat, player in state.players.items()}
    after |= {int(name): read_tracks(board, names, int(name)) for name, names in request.tracks.items()}
    found = explain_difference(state, after)
    if isinstance(found, Refusal):
        return found
    build = _only_build(state, found)
    if isinstance(build, Refusal):
        return build
    cards = {} if request.cards is None else {"cards": request.cards}
    data = {"path": list(build.path), **cards, **picture_fact(request.picture)}
    return decide_build(state, Action("build", seat, data), chance)


def _only_build(state: State, found: dict[int, list[Build]]) -> Build | Refusal:
    if not found:
        return Refusal("no-change", m("the board lies as before: nothing was built"))
    others = [seat for seat in found if seat != state.turn]
    if others:
        return Refusal(
            "not-your-turn",
            m(
                "{others} has new track, but it is the turn of {turn}",
                others=Seat(others[0]),
                turn=Seat(state.turn),
            ),
        )
    builds = found[state.turn]
    if len(builds) > 1:
        cities = joined(", ", [build.cities[-1] for build in builds if build.cities])
        return Refusal(
            "too-many",
            m("these are {builds} builds ({cities}): a turn has one", builds=len(builds), cities=cities),
        )
    return builds[0]


def _seats_refusal(state: State, named: Iterable[str]) -> Refusal | None:
    strange = [name for name in named if name not in {str(seat) for seat in state.players}]
    return (
        Refusal("no-seat", m("there is no seat {strange} in this match", strange=strange[0]))
        if strange
        else None
    )


# --- the scorekeeper ---


def legal_reports(state: State, seat: int) -> list[Action]:
    """What a scorekeeper's match waits for."""
    if state.finished:
        return []
    return [Action("report", seat), *([Action("done", seat)] if seat in state.waiting else [])]


def decide_report(state: State, action: Action, _chance: Chance) -> Fact | Refusal:
    """Positions, money and routes as they are said to be; what is not mentioned stays."""
    said = shaped(action.data, _Report, "bad-action")
    refusal = _seats_refusal(state, (*said.tracks, *said.money, *said.routes))
    if refusal is not None:
        return refusal
    board, pack = state.options.on, state.options.pack
    tracks = {name: list(read_tracks(board, names, int(name))) for name, names in said.tracks.items()}
    routes = {name: pack.find_route(card).route for name, card in said.routes.items()}
    after = _reported(state, tracks, said.money, routes)
    # What people should look at
    found: list[str] = []
    for seat, player in after.players.items():
        gone = sorted(set(state.players[seat].tracks) - set(player.tracks))
        found += (
            [
                m(
                    "{seat}: track that was there before is gone: {gone}",
                    seat=Seat(seat),
                    gone=joined(", ", gone),
                )
            ]
            if gone
            else []
        )
        found += [
            m("{seat}: {remark}", seat=Seat(seat), remark=remark)
            for remark in _network_remarks(after, player)
        ]
    data = {
        "tracks": tracks,
        "money": said.money,
        "routes": routes,
        "remarks": (found + _shared_remarks(after)),
        **picture_fact(said.picture),
    }
    return Fact("report", action.seat, data)


def _reported(state: State, tracks: dict[str, list[str]], money: JsonObject, routes: JsonObject) -> State:
    players = {
        seat: replaced(
            player,
            tracks=tuple(tracks.get(str(seat), player.tracks)),
            money=money.get(str(seat), player.money),
            route=routes.get(str(seat), player.route),
        )
        for seat, player in state.players.items()
    }
    return replaced(state, players=players)


def apply_report(state: State, fact: Fact) -> State:
    """Set the position that was reported."""
    return _reported(state, fact.data["tracks"], fact.data["money"], fact.data["routes"])


def _network_remarks(state: State, player: Player) -> list[str]:
    board = state.options.on
    touched = {end for name in player.tracks for end in board.tracks[name].track}
    cities = [city for city in board.cities if city in touched]
    if not touched:
        return []
    if not cities:
        return [m("the track leads to no city")]
    apart = sorted(touched - joined_to(board, player.tracks, cities[0]))
    return (
        [
            m(
                "the network is in pieces: {apart} is not joined to {cities}",
                apart=joined(", ", apart),
                cities=cities[0],
            )
        ]
        if apart
        else []
    )


def _shared_remarks(state: State) -> list[str]:
    if state.options.segments == "shared":
        return []
    owners: dict[str, list[int]] = {}
    for seat, player in state.players.items():
        for track in player.tracks:
            owners.setdefault(track, []).append(seat)
    return [
        m("{seats} both have track on {track}", seats=Seats(seats), track=track)
        for track, seats in owners.items()
        if len(seats) > 1
    ]


def decide_done(state: State, action: Action, _chance: Chance) -> Fact | Refusal:
    """This seat's result is final."""
    shaped(action.data, Nothing, "bad-action")
    if action.seat not in state.waiting:
        return Refusal("done", m("the result of {seat} is final already", seat=Seat(action.seat or 0)))
    return Fact("done", action.seat, {})


def apply_done(state: State, fact: Fact) -> State:
    """When everybody's result is final the match is over."""
    waiting = tuple(seat for seat in state.waiting if seat != fact.seat)
    return replaced(state, waiting=waiting, phase=state.phase if waiting else "over")
