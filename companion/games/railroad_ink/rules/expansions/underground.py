"""Underground: subways (written as highways) and pipes (as railways), below a board or as a game of its own.

Below a board the routes are marks, for each cell may have one above and one below. Played alone there is one
board: then they are routes like any other, drawn, counted and explained as on every board.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.core.messages import m
from companion.games.railroad_ink.rules.boards.placement import legal_routes
from companion.games.railroad_ink.rules.boards.position import Position
from companion.games.railroad_ink.rules.boards.routes import HIGHWAY, RAILWAY, any_route
from companion.games.railroad_ink.rules.expansions.frame import (
    Placement,
    Rules,
    StarLine,
    Turn,
    named,
    network_value,
)
from companion.games.railroad_ink.rules.expansions.marks import (
    number_in,
)
from companion.games.railroad_ink.rules.expansions.tables import TABLES
from companion.games.railroad_ink.rules.rulebook import NAMES
from companion.games.railroad_ink.rules.scoring.longest import longest_route
from companion.games.railroad_ink.rules.scoring.network import all_networks, cell_of, lay_tracks

_COPIES = TABLES["underground"].copies  # a match


def below(position: Position) -> Position:
    """The second board, by itself."""
    routes = position.having("below")
    cells = {cell: any_route(text) for cell, text in routes.items()}
    return replace(position, cells=cells, expansion="", marks={}, goals=(), rounds={})


def hubs(position: Position) -> list[int]:
    """The cells with a station above a station of the subway."""
    under = below(position)
    return sorted(
        cell
        for cell, route in under.cells.items()
        if any(piece.station for piece in route.pieces) and _station(position, cell)
    )


def _station(position: Position, cell: int) -> bool:
    return cell in position.cells and position.cells[cell].station


def _underground_placements(position: Position, turn: Turn) -> Iterator[Placement]:
    if turn.round % 2:
        return
    under = below(position)
    copies = number_in(position.marks, "copies")
    for face in dict.fromkeys(turn.left):
        for cell, route in legal_routes(under.cells, under.walls, face, under.layout):
            yield Placement((face,), marks=((NAMES[cell], f"below:{route.text}"),))
    if copies < _COPIES and number_in(position.marks, "copied") < turn.round:
        for face in dict.fromkeys(turn.rolled):
            for cell, route in legal_routes(under.cells, under.walls, face, under.layout):
                marks = ((NAMES[cell], f"below:{route.text}"), ("copies", str(copies + 1)))
                yield Placement((), marks=(*marks, ("copied", str(turn.round))))


def _underground_points(position: Position) -> Iterator[StarLine]:
    under = below(position)
    tracks = lay_tracks(under)
    joined = set(hubs(position))
    for network in all_networks(tracks):
        kind = _kind(under, network.nodes[0])
        cells = sorted({cell_of(node) for node in network.nodes})
        meeting = [cell for cell in cells if cell in joined] if kind == HIGHWAY else []
        value = network_value(position, len(network.exits) + len(meeting))
        if value and kind == HIGHWAY:
            says = m(
                "Subway of {exits} exits and {meeting} hubs", exits=len(network.exits), meeting=len(meeting)
            )
            yield StarLine(says, value, named(cells))
        elif value:
            yield StarLine(m("Pipe of {exits} exits", exits=len(network.exits)), value, named(cells))
    pipe = longest_route(tracks.links[RAILWAY], position.longest)
    if pipe.length:
        yield StarLine(
            (
                m("Longest pipe, {length} space", length=pipe.length)
                if pipe.length == 1
                else m("Longest pipe, {length} spaces", length=pipe.length)
            ),
            2 * pipe.length,
            named(set(map(cell_of, pipe.nodes))),
        )
    subway = longest_route(tracks.links[HIGHWAY], position.longest)
    if subway.length:
        passed = set(map(cell_of, subway.nodes))
        yield StarLine(
            (
                m("Longest subway, {length} space", length=subway.length)
                if subway.length == 1
                else m("Longest subway, {length} spaces", length=subway.length)
            ),
            subway.length,
            named(passed),
        )
    centre = sorted(set(under.cells) & position.edition.centre)
    if centre:
        yield StarLine(m("Central spaces below"), len(centre), named(centre))
    broken = [cell for cell, route in under.cells.items() if route.railway and _station(position, cell)]
    if broken:
        yield StarLine(m("Pipes broken by a station above"), -2 * len(broken), named(broken))
    if tracks.loose:
        yield StarLine(m("Open ends below"), -len(tracks.loose), named({cell for cell, _, _ in tracks.loose}))


def _kind(under: Position, node: int) -> int:
    piece = under.cells[cell_of(node)].pieces[node & 1]
    return HIGHWAY if piece.highway else RAILWAY


UNDERGROUND = Rules(_underground_placements, _underground_points)


def _alone_points(position: Position) -> Iterator[StarLine]:
    """What the boxes of an ordinary board do not have: the longest pipe counts twice."""
    pipe = longest_route(lay_tracks(position).links[RAILWAY], position.longest)
    if pipe.length:
        passed = named(set(map(cell_of, pipe.nodes)))
        yield StarLine(
            (
                m("Longest pipe a second time, {length} space", length=pipe.length)
                if pipe.length == 1
                else m("Longest pipe a second time, {length} spaces", length=pipe.length)
            ),
            pipe.length,
            passed,
        )


UNDERGROUND_ALONE = Rules(points=_alone_points)
