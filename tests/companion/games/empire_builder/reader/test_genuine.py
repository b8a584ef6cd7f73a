"""A genuine map from teaching to a turn: an invented print, as its owner would have it."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.game.base import MatchRequest, Refusal
from companion.games.empire_builder.printing.printed import frame_corner, map_size
from companion.games.empire_builder.reader.genuine import placed_map
from companion.games.empire_builder.reader.reader import EmpireBuilderReader
from companion.games.empire_builder.rules.boards.board import board, own_map
from companion.games.empire_builder.rules.boards.position import path_edges
from companion.games.empire_builder.rules.boards.wholemap import map_table
from companion.games.empire_builder.rules.match.game import EmpireBuilder
from companion.reading.answer import SeatQuery
from companion.reading.evidence import EMPTY
from companion.reading.types import ReadHints
from companion.sheets.drawing import rectangle
from companion.table.chance import SeededChance
from tests.companion.cli.running import Run
from tests.companion.games.empire_builder.reader.genuine import in_photo, mileposts, photograph
from vision.errors import PlacementError
from vision.register.rectify import Image

READER = EmpireBuilderReader()

LINES = {"red": ("Chicago", "Kansas City"), "blue": ("Atlanta", "New York")}
# Some twenty mileposts all over the map
NAMED = [
    "e6",
    "t7",
    "ai6",
    "aw6",
    "bk4",
    "e26",
    "t25",
    "ah25",
    "aw24",
    "e44",
    "t45",
    "ai44",
    "aw44",
    "t63",
    "ah63",
    "aw62",
    "t81",
    "ah101",
]


@lru_cache(maxsize=1)
def lines() -> dict[str, str]:
    return {colour: way(one, other) for colour, (one, other) in LINES.items()}


def way(one: str, other: str) -> str:
    """A shortest line of mileposts between two cities."""
    on = board()
    start, goal = on.cities[one].middle, on.cities[other].middle
    came, waiting = {start: start}, [start]
    for here in waiting:
        for there, _ in on.ways[here]:
            if there not in came:
                came[there] = here
                waiting.append(there)
    path = [goal]
    while path[-1] != start:
        path.append(came[path[-1]])
    return " ".join(on.names[milepost] for milepost in reversed(path))


@lru_cache(maxsize=1)
def empty() -> Image:
    return photograph("taught")


@lru_cache(maxsize=1)
def drawn() -> Image:
    return photograph("read", lines())


def expected() -> dict[str, str]:
    on = board()
    return {on.edge_names[edge]: colour for colour, line in lines().items() for edge in path_edges(on, line)}


def spots_table(size: tuple[float, float] | None = None) -> str:
    """The owner's file: where twenty mileposts are in the photograph, or on the plane of the map."""
    places = mileposts(NAMED)
    if size is None:
        places = in_photo("taught", places)
    told = [f"spot,{name},{x:.1f} {y:.1f}" for name, (x, y) in places.items()]
    return "\n".join(["what,where,kind", *([f"size,,{size[0]} {size[1]}"] if size else []), *told])


def corners(names: dict[str, tuple[float, float]]) -> list[str]:
    return [f"{x},{y}" for x, y in in_photo("taught", names).values()]


def sheet_corners() -> dict[str, tuple[float, float]]:
    return dict(zip("abcd", rectangle((0.0, 0.0), map_size()), strict=True))


def frame_corners() -> dict[str, tuple[float, float]]:
    (width, height), (left, top) = map_size(), frame_corner()
    frame = rectangle((left, top), (width - 2 * left, height - 2 * top))
    return dict(zip("abcd", frame, strict=True))


def test_the_owners_commands_from_teaching_to_a_turn(run: Run, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "empty.jpg"), empty())
    cv2.imwrite(str(tmp_path / "evening.jpg"), drawn())
    (tmp_path / "map.csv").write_text(spots_table())
    teach = ["teach", "box", tmp_path / "empty.jpg", "--game", "empire-builder", "--folder", tmp_path]
    code, out, err = run(*teach, "--slots", tmp_path / "map.csv", "--overlay", tmp_path / "places.jpg")
    assert (code, err) == (0, "")
    assert "read empire-builder --taught box" in out
    places = cv2.imread(str(tmp_path / "places.jpg"))
    assert places is not None
    assert (np.abs(places.astype(int) - empty()) > 60).any(axis=2).mean() > 0.02
    before = {"track": {"1": [], "2": [lines()["blue"]]}, "turn": 1}
    (tmp_path / "before.json").write_text(json.dumps(before))
    read = ["read", "empire-builder", tmp_path / "evening.jpg", "--taught", "box", "--folder", tmp_path]
    known = ["--before", tmp_path / "before.json", "--players", "red=1,blue=2", "--json"]
    code, out, err = run(*read, *known)
    assert (code, err) == (0, "")
    (sheet,) = json.loads(out)["sheets"]
    assert (sheet["edition"], sheet["quality"]["found_by"]) == ("genuine", "taught")
    found = {name: slot["colour"] for name, slot in sheet["slots"].items() if slot.get("colour")}
    assert found == expected()
    new = {name for name, colour in expected().items() if colour == "red"}
    assert (sheet["ruling"]["outcome"], set(sheet["ruling"]["changed"])) == ("accepted", new)
    cv2.imwrite(str(tmp_path / "other.png"), np.full((700, 900, 3), 120, np.uint8))
    code, out, _ = run("read", "empire-builder", tmp_path / "other.png", *read[3:], "--json")
    assert (code, json.loads(out)["sheets"]) == (1, [])
    assert "box" in json.loads(out)["notes"][0]


def test_corners_of_the_map_alone_do_where_it_is_framed_as_ours() -> None:
    _, sheet, by_corners = placed_map(empty(), tuple(in_photo("taught", frame_corners()).values()), "")
    _, _, by_spots = placed_map(empty(), None, spots_table())
    places = np.array([slot.quad[0] for slot in sheet.slots.values()])
    off = np.hypot(*(by_corners.pixels(places) - by_spots.pixels(places)).T)
    assert np.quantile(off, 0.99) < 1.5  # pixels, of 21 between two mileposts


def test_what_cannot_be_is_one_sentence() -> None:
    framed = tuple(in_photo("taught", frame_corners()).values())
    with pytest.raises(PlacementError, match="no mileposts are seen"):
        placed_map(empty(), (*framed[1:], framed[0]), "")
    with pytest.raises(PlacementError, match="at least 4 mileposts"):
        placed_map(empty(), None, "what,where,kind\nspot,ap37,10 10\nspot,g20,50 80")
    wrong = spots_table().replace(f"spot,{NAMED[7]},", "spot,ah29,")
    with pytest.raises(PlacementError, match="milepost ah29 does not lie"):
        placed_map(empty(), None, wrong)
    with pytest.raises(PlacementError, match="corners of the plane"):
        placed_map(empty(), None, spots_table(map_size()))
    with pytest.raises(PlacementError, match="there is no milepost"):
        placed_map(empty(), None, spots_table().replace(f"spot,{NAMED[0]},", "spot,a2,"))


def test_a_match_on_the_owners_whole_map_is_read_from_it(tmp_path: Path) -> None:
    whole = map_table(own_map()) + "\n".join(spots_table(map_size()).splitlines()[1:])
    path = tmp_path / "box.json"
    READER.teach(
        path, empty(), ReadHints(corners=tuple(in_photo("taught", sheet_corners()).values()), described=whole)
    )
    game = EmpireBuilder()
    setup = game.setup(MatchRequest(2, "scorekeeper", {"map": whole}), SeededChance(1))
    assert not isinstance(setup, Refusal)
    state = game.start(setup)
    hints = READER.hints(state, 1, None, (path,))
    assert hints.taught == (path,)
    reading = READER.read(drawn(), replace(hints, players=(("red", 1), ("blue", 2))))
    answer = READER.answer(SeatQuery(reading, state, 1, {}, "0" * 64))
    assert answer.action is not None, answer.says
    (sheet,) = reading.sheets
    assert {name: s.best for name, s in sheet.slots.items() if s.best != EMPTY and "-" in name} == expected()
    assert READER.rectified_sheet(drawn(), sheet).shape[0] > 500
