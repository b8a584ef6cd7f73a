"""Scoring lines as machine code: every answer is the ordinary one, byte for byte."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.cli.judging import _reply
from companion.cli.lines import value_of
from companion.core.errors import NotationError
from companion.core.jsontext import json_of
from companion.games.railroad_ink.rules.boards.placement import legal_routes, unreached
from companion.games.railroad_ink.rules.boards.position import LONGEST, Position, print_cells
from companion.games.railroad_ink.rules.boards.routes import VOCABULARY, parse_route, shape_of
from companion.games.railroad_ink.rules.boards.walls import NO_WALLS
from companion.games.railroad_ink.rules.match.game import RailroadInk
from companion.games.railroad_ink.rules.rulebook import EDITIONS, GRID, SPECIAL_SHAPES
from companion.games.railroad_ink.rules.scoring import batch_lines
from companion.games.railroad_ink.rules.scoring.batch_lines import score_lines, spellings
from lab.railroad_ink.random_play import random_board
from tests.companion.cli.running import Run

from .boards import any_positions, crowded_board, legal_positions

GAME = RailroadInk()
EXAMPLE = {
    "id": "b 7",
    "cells": {"b1": "NS", "b2": "NW", "a2": "Ew*", "f1": "N*"},
    "edition": "challenge",
    "rounds": {"b1": 1, "f1": 7},
    "goals": [],
    "expansion": {"points": -3},
    "longest": "visits",
}


def ordinary(line: bytes) -> bytes:
    return json_of(_reply(value_of(line), GAME.score_position)) + b"\n"


def answered(lines: list[bytes]) -> list[bytes]:
    """What the batch answers; nothing of a line that it leaves."""
    return [answer + b"\n" if answer else b"" for answer in score_lines(b"".join(lines)).split(b"\n")[:-1]]


def agree(lines: list[bytes]) -> int:
    """Every answer is the ordinary one; how many there are."""
    found = answered(lines)
    assert len(found) == len(lines)
    for line, answer in zip(lines, found, strict=True):
        if answer:
            assert answer == ordinary(line), line
    return sum(map(bool, found))


@st.composite
def written(draw: st.DrawFn) -> dict[str, Any]:
    """A position as a program writes it, usual and unusual."""
    position: Position = draw(st.one_of(legal_positions(), any_positions()))
    cells = print_cells(position.cells)
    value: dict[str, Any] = {"cells": dict(draw(st.permutations(list(cells.items()))))}
    if draw(st.booleans()):
        value["edition"] = draw(st.sampled_from([*EDITIONS, "other"]))
    if draw(st.booleans()):
        value["longest"] = draw(st.sampled_from([*LONGEST, "other"]))
    if draw(st.booleans()):
        ids = st.one_of(
            st.integers(-(2**70), 2**70), st.text(max_size=8), st.none(), st.booleans(), st.floats(0)
        )
        value["id"] = draw(ids)
    if draw(st.booleans()):
        value["rounds"] = {
            name: draw(st.integers(-1, 100)) for name in draw(st.sets(st.sampled_from(GRID.names)))
        }
    if draw(st.booleans()):
        value["expansion"] = draw(st.sampled_from([{}, {"points": 12}, {"points": -4}, {"other": 1}]))
    if draw(st.booleans()):
        value["goals"] = draw(st.sampled_from([[], ["A"], [{"goal": "C", "points": 4}], ["none"]]))
    return dict(draw(st.permutations(list(value.items()))))


@settings(deadline=None, max_examples=150)
@given(
    st.lists(written(), min_size=1, max_size=4), st.sampled_from([(", ", ": "), (",", ":"), (" ,\t", " : ")])
)
def test_every_answer_is_the_ordinary_one(values: list[dict[str, Any]], separators: tuple[str, str]) -> None:
    agree([json.dumps(value, separators=separators).encode() + b"\n" for value in values])


@settings(deadline=None, max_examples=300)
@given(st.data())
def test_corrupted_lines_are_answered_as_ever_or_left(data: st.DataObject) -> None:
    line = bytearray(json.dumps(EXAMPLE).encode())
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(line)))
        other = bytes([data.draw(st.sampled_from(b'{}[]",:\\ \t\r019-.eabgNnsEw*|\x00\x7f\xff'))])
        kind = data.draw(st.sampled_from(["put in", "put over", "take out", "say again"]))
        if kind == "put in":
            line[at:at] = other
        elif kind == "put over":
            line[at : at + 1] = other
        elif kind == "take out":
            del line[at : at + data.draw(st.integers(1, 30))]
        else:
            end = data.draw(st.integers(at, len(line)))
            line[at:at] = line[at:end]
    good = json.dumps(EXAMPLE).encode() + b"\n"
    assert agree([good, bytes(line) + b"\n", good]) >= 2, "what is wrong in one line spoils no other"


@pytest.mark.parametrize("separators", [(", ", ": "), (",", ":")])
def test_what_programs_write_is_answered_here(separators: tuple[str, str]) -> None:
    random = Random(7)
    lines = []
    for number in range(120):
        cells = print_cells(random_board(random).cells)
        value = {
            "id": number,
            "cells": cells,
            "edition": EDITIONS[number % 2],
            "longest": LONGEST[number % 3],
        }
        lines.append(json.dumps(value, separators=separators).encode() + b"\n")
    assert agree(lines) == len(lines)


def test_every_spelling_of_a_route_is_read_here() -> None:
    """All texts of up to five characters that are a route to the ordinary reader, each at an exit."""
    lines = []
    for length in range(1, 6):
        for characters in product("NESWnesw|*", repeat=length):
            text = "".join(characters)
            try:
                route = parse_route(text)
            except NotationError:
                continue
            cell = next(cell for cell, one in legal_routes({}, NO_WALLS, route.text) if one == route)
            lines.append(json.dumps({"cells": {GRID.names[cell]: text}}).encode() + b"\n")
    assert len(lines) == len(spellings())
    assert agree(lines) == len(lines) > 500


@pytest.mark.parametrize(
    "cells",
    [
        {"d4": "NS"},
        {"b1": "NS", "b2": "NS", "d4": "ns", "d5": "ns"},
        {"b1": "NESW", "f1": "NESW"},
        {"b1": "NESW", "f1": "NESw*", "d1": "nesw", "a4": "NEsW*"},
    ],
)
def test_what_is_to_be_remarked_is_left(cells: dict[str, str]) -> None:
    line = json.dumps({"cells": cells}).encode() + b"\n"
    assert answered([line]) == [b""]
    assert b'"remarks":[' in ordinary(line)


@settings(deadline=None, max_examples=200)
@given(any_positions())
def test_remarks_and_none_are_told_apart_as_ever(position: Position) -> None:
    """Routes in any place: most hang on nothing, some do."""
    line = json.dumps({"cells": print_cells(position.cells)}).encode() + b"\n"
    assert bool(agree([line])) != (b'"remarks":[' in ordinary(line) or b'"error"' in ordinary(line))


@pytest.mark.parametrize("reading", LONGEST)
def test_crowded_boards_of_every_die(reading: str) -> None:
    dice = tuple(route for route in VOCABULARY if shape_of(route) not in SPECIAL_SHAPES)
    values = []
    for seed in range(40):
        cells = crowded_board(Random(seed), dice).cells
        loose = unreached(cells, NO_WALLS)
        kept = {cell: route for cell, route in cells.items() if cell not in loose}
        values.append({"cells": print_cells(kept), "edition": "classic", "longest": reading})
    assert agree([json.dumps(value).encode() + b"\n" for value in values]) == len(values)


@pytest.mark.parametrize(
    "line",
    [
        b'{"cells": {"a1": "NS", "a1": "NS"}}',  # twice
        b'{"cells": {}, "cells": {}}',
        b'{"cells": {"b1": "NS", "b2": "ns"}}',  # types meet
        b'{"cells": {"b1": "ns"}}',  # against an exit
        b'{"cells": {"a1": "NS*"}}',  # on no die
        b'{"cells": {"h1": "NS"}}',
        b'{"cells": {}, "rounds": {"a1": 1}}',
        b'{"cells": {}, "id": 007}',
        b'{"cells": {}, "id": -0}',
        b'{"cells": {}, "id": 1.5}',
        b'{"cells": {}, "id": "a\\u0041"}',
        b'{"cells": {}, "goals": ["A"]}',
        b'{"cells": {}, "blueprint": []}',
        b'{"cells": {}}}',
        b'{"cells": {}',
        b"{}",
        b"[]",
        b"",
        b"   ",
    ],
)
def test_what_is_wrong_or_unusual_is_left(line: bytes) -> None:
    good = b'{"cells": {"b1": "NS"}}\n'
    assert [bool(answer) for answer in answered([good, line + b"\n", good])] == [True, False, True]


def test_a_last_line_without_its_end() -> None:
    assert len(answered([b'{"cells": {}}\n', b'{"cells": {}}'])) == 2
    assert score_lines(b"") == b""


def long_input() -> bytes:
    """More than is scored one by one, with everything in it that a stream may have."""
    random = Random(11)
    lines = []
    for number in range(1300):
        value: dict[str, Any] = {"id": number, "cells": print_cells(random_board(random).cells)}
        if number % 7 == 0:
            value["goals"] = ["A", "C"]
        lines.append(json.dumps(value).encode())
    lines[600] = b'{"id": 600, "cells": {"b1": "NS", "b2": "ns"}}'
    lines[601:603] = [b"", b"  \r"]
    lines[700] = b'{"id": 700, "cells": '
    lines[800] = b"[1]"
    lines[900] = b'{"id": "' + b"x" * 1_200_000 + b'", "cells": {}}'
    return b"\n".join(lines)


@pytest.mark.parametrize("last", [b"", b"\n"])
def test_the_command_answers_the_same_with_batches_and_without(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, last: bytes
) -> None:
    path = tmp_path / "boards.jsonl"
    path.write_bytes(long_input() + last)
    batched = run("score", "railroad-ink", path)
    assert batched[0] == 2
    assert batched[1].count("\n") == 1298
    monkeypatch.setattr(batch_lines, "find_spec", lambda name: None)
    assert run("score", "railroad-ink", path) == batched


def test_a_numba_that_cannot_be_loaded_is_told_and_done_without(tmp_path: Path) -> None:
    (tmp_path / "numba.py").write_text('raise ImportError("Numba needs NumPy 2.3 or less")\n')
    fed = b'{"cells": {"b1": "NS"}}\n' * 510
    done = subprocess.run(
        [sys.executable, "-m", "companion", "score", "railroad-ink"],
        input=fed,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        cwd=Path(__file__).parents[5],
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (0, ordinary(fed.splitlines()[0]) * 510)
    assert done.stderr.decode().splitlines() == [
        "numba does not work here, so boards are scored one by one: Numba needs NumPy 2.3 or less"
    ]


def test_a_document_is_no_stream(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "boards.json"
    values = [{"id": number, "cells": {"b1": "NS"}} for number in range(800)]
    path.write_text(json.dumps(values, indent=1))
    code, out, _ = run("score", "railroad-ink", path)
    assert (code, [json.loads(line)["id"] for line in out.splitlines()]) == (0, list(range(800)))
