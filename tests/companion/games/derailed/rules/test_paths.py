"""Paths and placements against a slow search that shares no code with the rules."""

from __future__ import annotations

from random import Random

import pytest

from companion.games.derailed.rules.cards import FACES, parse_face
from companion.games.derailed.rules.network import area_of, grid_of, steps, stops, tracks
from companion.games.derailed.rules.placement import DeadEnds, open_placements, placement_refusal
from companion.games.derailed.rules.rulebook import COMPANIES
from tests.companion.games.derailed.rules import slow
from tests.companion.games.derailed.rules.areas import DECK_FACES, random_cells

ASHFIELD = COMPANIES["A"]


def test_a_path_never_turns_round_at_a_port() -> None:
    """From L to B and from R to B, but not from L to R through B."""
    across = {"a1": "TR", "b1": "LB|RB|t", "c1": "LB", "c2": "TB", "c3": "TB", "c4": "TB"}
    assert area_of(3, across).arrival(0, 2) is None
    assert area_of(3, {**across, "b1": "LR"}).arrival(0, 2) is not None
    below = {"a1": "TR", "b1": "LB|RB|t", "b2": "TB", "b3": "TB", "b4": "TB"}
    assert area_of(3, below).arrival(0, 1) is not None


def test_a_train_may_come_back_through_points_after_a_loop() -> None:
    """It crosses the shared port twice, but turns round nowhere."""
    cells = {"a1": "TR", "b1": "LB|RB|t", "b2": "LTR", "a2": "RB", "a3": "TR", "b3": "LT|rb", "c1": "LB"}
    assert not any(step == "b1:BR" for step in _walked(cells))
    looped = {**cells, "b2": "LTRB", "b3": "LTRB"}
    assert any(step == "b1:BR" for step in _walked(looped))


def _walked(cells: dict[str, str]) -> set[str]:
    area = area_of(3, cells)
    found = set()
    for walk in slow.walks(cells, 3, 0):
        cell, port = walk[-1]
        found |= {f"{cell}:{port}{end}" for end in slow.joined(cells.get(cell, ""), port)}
    assert {_either_way(step) for step in found} == {_either_way(step) for step in tracks(area, 0)}
    return found


def _either_way(step: str) -> tuple[str, frozenset[str]]:
    cell, ports = step.split(":")
    return cell, frozenset(ports)


def test_the_stations_of_a_lane_meet_the_outer_ports() -> None:
    straight = {f"b{row}": "TB" for row in range(1, 5)}
    area = area_of(2, straight)
    path = area.arrival(1, 1)
    assert path is not None
    assert steps(area, path) == ["b1:TB", "b2:TB", "b3:TB", "b4:TB"]
    assert area.arrival(0, 1) is None
    assert area_of(2, {**straight, "b4": "LT|rb"}).arrival(1, 1) is None


def test_of_several_paths_a_shortest_is_shown() -> None:
    """Into the last card from above, and round through the neighbouring lane from its side."""
    cells = {"a1": "TB", "a2": "TRB", "a3": "TB|r", "a4": "TRB", "b2": "LB", "b3": "TB", "b4": "LT"}
    area = area_of(2, cells)
    path = area.arrival(0, 0)
    assert path is not None
    assert steps(area, path) == ["a1:TB", "a2:TB", "a3:TB", "a4:TB"]


def test_where_the_track_stops() -> None:
    assert stops(area_of(3, {"c1": "TB", "c2": "LT|rb"}), 2) == ["c2"]
    assert stops(area_of(3, {"a1": "TR", "b1": "LTB|r", "b2": "TB|l"}), 0) == ["b1", "b2"]


@pytest.mark.parametrize("lanes", range(2, 7))
def test_arrivals_and_their_paths_agree_with_the_slow_search(lanes: int) -> None:
    random, found = Random(lanes), 0
    for number in range(300):
        cells = random_cells(random, lanes, 0.95, tunnels=number % 3 == 0)
        area = area_of(lanes, cells)
        start, destination = random.randrange(lanes), random.randrange(lanes)
        path = area.arrival(start, destination)
        assert (path is not None) == slow.arrives(cells, lanes, start, destination), (
            cells,
            start,
            destination,
        )
        if path is not None:
            found += 1
            assert slow.is_walk(cells, lanes, steps(area, path), start, destination)
    assert found > 15


@pytest.mark.parametrize("dead_ends", ["stop", "connect"])
@pytest.mark.parametrize("lanes", range(2, 7))
def test_the_list_of_placements_agrees_with_the_slow_search(lanes: int, dead_ends: DeadEnds) -> None:
    random, both = Random(100 + lanes), [0, 0]
    for number in range(25):
        tunnels = number % 3 == 0
        cells = random_cells(random, lanes, 0.6, tunnels)
        start = random.randrange(lanes)
        area = area_of(lanes, cells)
        faces = sorted(FACES) if tunnels else DECK_FACES
        legal = set(open_placements(area, start, faces, dead_ends))
        for cell in random.sample(grid_of(lanes).names, 4):
            for face in random.sample(faces, 10):
                # Only two tunnel cards exist: a third cannot be laid beside both.
                if "U" in face and sum("U" in other for at, other in cells.items() if at != cell) > 1:
                    continue
                wanted = slow.may_lay(cells, lanes, start, cell, face, dead_ends)
                assert ((cell, face) in legal) == wanted, (cells, start, cell, face)
                refusal = placement_refusal(
                    area, start, ASHFIELD, area.grid.cell(cell), parse_face(face), dead_ends
                )
                assert (refusal is None) == wanted
                both[wanted] += 1
    assert min(both) > 20


@pytest.mark.parametrize("lanes", range(2, 7))
def test_lanes_are_symmetric(lanes: int) -> None:
    """Left and right exchanged, everything is the mirror image."""
    random = Random(200 + lanes)
    names = grid_of(lanes).names
    mirror = {name: f"{chr(97 + lanes - 1 - (ord(name[0]) - 97))}{name[1]}" for name in names}
    swap = str.maketrans("LRlr", "RLrl")
    for _ in range(40):
        cells = random_cells(random, lanes)
        mirrored = {mirror[cell]: face.translate(swap) for cell, face in cells.items()}
        lane = random.randrange(lanes)
        here = open_placements(area_of(lanes, cells), lane, DECK_FACES)
        there = open_placements(area_of(lanes, mirrored), lanes - 1 - lane, DECK_FACES)
        assert {(mirror[cell], parse_face(face.translate(swap)).text) for cell, face in here} == set(there)


@pytest.mark.parametrize("lanes", range(2, 7))
def test_the_way_back_is_the_way(lanes: int) -> None:
    """Turned by half, start and destination exchanged: the same companies arrive."""
    random, found = Random(300 + lanes), 0
    for _ in range(300):
        cells = random_cells(random, lanes, 0.97)
        turned = {_turned(cell, lanes): parse_face(face).turned.text for cell, face in cells.items()}
        start, destination = random.randrange(lanes), random.randrange(lanes)
        there = area_of(lanes, cells).arrival(start, destination)
        back = area_of(lanes, turned).arrival(lanes - 1 - destination, lanes - 1 - start)
        assert (there is None) == (back is None)
        found += there is not None
    assert found > 15


def _turned(cell: str, lanes: int) -> str:
    return f"{chr(97 + lanes - 1 - (ord(cell[0]) - 97))}{5 - int(cell[1])}"


def test_a_tunnel_leads_underground_to_the_other() -> None:
    cells = {"a1": "TR", "b1": "LU|RU|BU", "c3": "LU|RU|BU", "c4": "TB"}
    area = area_of(3, cells)
    path = area.arrival(0, 2)
    assert path is not None
    assert steps(area, path) == ["a1:TR", "b1:LU", "c3:UB", "c4:TB"]
    assert area_of(3, {**cells, "c3": "TB"}).arrival(0, 2) is None


def test_a_tunnel_may_be_laid_where_the_other_leads() -> None:
    area = area_of(3, {"a1": "TR", "b1": "LU|RU|BU"})
    laid = open_placements(area, 0, ["LU|TU|RU"])
    assert ("c4", "LU|RU|BU") in laid
    assert ("c4", "LU|RU|BU") not in open_placements(area, 2, ["LU|TU|RU"])
