"""``read``, ``teach``, ``studio``: the promised lines and exit codes, one sentence for bad input."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import count
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.cli import photographs
from companion.cli.bulk import exit_code_of
from companion.games.railroad_ink.reader import reader
from companion.games.railroad_ink.reader.reading import ReadOptions
from companion.games.railroad_ink.reader.readings import PhotoReading, SheetReading
from companion.games.railroad_ink.rules.rulebook import GRID
from companion.reading.types import ReadHints
from lab.railroad_ink.studio.output import take_picture
from tests.companion.cli.running import Run
from tests.companion.games.railroad_ink.reader.readings import photo_of, sheet_of
from vision.decoding import checked_header

ROUND = {"b1": "NS", "d1": "ne", "g4": "Ew*", "a4": "NSW"}
ROLLED = "NS,ne,Ns*,NES"
ONE_TREE = ("--rolled", "NS,ne,Ns*,NES,trees")
SQUARE = ["10,10", "700,12", "690,710", "8,700"]


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    path = tmp_path / "photo.png"
    done, data = cv2.imencode(".png", np.full((720, 720, 3), 200, np.uint8))
    assert done
    path.write_bytes(data.tobytes())
    return path


@pytest.fixture
def sees(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Makes the reader see these sheets in anything that is a picture; returns what was wished for."""
    wishes: list[ReadOptions] = []

    def set_(*sheets: SheetReading) -> list[ReadOptions]:
        def read_photo(data: bytes, hints: ReadOptions) -> PhotoReading:
            checked_header(data)
            wishes.append(hints)
            return photo_of(*sheets, notes=() if sheets else ("No board was found.",))

        monkeypatch.setattr(reader, "read_photo", read_photo)
        return wishes

    return set_


def lines(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def size_of(path: Path) -> tuple[int, int]:
    return checked_header(path.read_bytes()).size


def one_line(err: str) -> str:
    assert err.count("\n") == 1, err
    assert "Traceback" not in err
    return err


# --- read ---


def test_one_line_a_photograph(run: Run, photo: Path, sees: Any) -> None:
    sees(sheet_of(ROUND, unseen=["c1"], rounds={"b1": 1}))
    code, out, err = run("read", "railroad-ink", photo, photo, "--json")
    assert (code, err) == (0, "")
    first, second = lines(out)
    assert first == second
    assert set(first) == {"photo", "width", "height", "sheets", "notes"}
    (sheet,) = first["sheets"]
    assert (sheet["sheet"], sheet["edition"], sheet["seat"]) == ("railroad-ink", "challenge", 1)
    assert len(sheet["corners"]) == 4
    assert set(sheet["cells"]) == set(GRID.names)
    assert sheet["cells"]["b1"]["route"] == "NS"
    assert sheet["cells"]["b1"]["round"] == 1
    assert sheet["cells"]["a1"]["route"] is None
    assert sheet["cells"]["c1"] == {"cannot_see": "glare"}
    assert sheet["doubtful"] == ["c1"]
    assert "ruling" not in sheet


def test_json_lines_are_what_it_prints_anyway(run: Run, photo: Path, sees: Any) -> None:
    sees(sheet_of(ROUND))
    assert run("read", "railroad-ink", photo) == run("read", "railroad-ink", photo, "--json")


def test_with_dice_the_rules_answer(run: Run, photo: Path, sees: Any) -> None:
    sees(sheet_of(ROUND, unclear={"d1": {"nes": 0.7, "ne": 0.3}}))
    code, out, _ = run("read", "railroad-ink", photo, "--rolled", ROLLED, "--json")
    assert code == 0
    ruling = lines(out)[0]["sheets"][0]["ruling"]
    assert ruling["outcome"] == "accepted"
    assert ruling["cells"] == dict(sorted(ROUND.items(), key=lambda pair: GRID.cell(pair[0])))
    assert sorted(ruling["changed"]) == sorted(ROUND)
    assert ruling["doubtful"] == ruling["against_the_rules"] == []


def test_with_the_position_before(run: Run, photo: Path, sees: Any, tmp_path: Path) -> None:
    before = tmp_path / "before.json"
    before.write_text('{"cells": {"b1": "NS", "b2": "NE"}, "rounds": {"b1": 1, "b2": 1}}')
    sees(sheet_of({"b1": "NS", "b2": "NE", "f1": "NS", "d1": "ne", "g4": "Ew*", "a4": "NSW"}))
    code, out, _ = run("read", "railroad-ink", photo, "--rolled", ROLLED, "--before", before)
    assert code == 0
    assert lines(out)[0]["sheets"][0]["ruling"]["changed"] == ["d1", "f1", "a4", "g4"]


def test_an_earlier_reading_is_a_position_before(run: Run, photo: Path, sees: Any, tmp_path: Path) -> None:
    before = tmp_path / "before.json"
    sees(sheet_of({"b1": "NS", "b2": "NE"}, seat=2), sheet_of({"f1": "NS"}, seat=3))
    before.write_text(run("read", "railroad-ink", photo)[1])
    sees(sheet_of({"f1": "NS", "f2": "NS"}, seat=3))
    code, out, _ = run("read", "railroad-ink", photo, "--before", before)
    assert code == 0
    assert lines(out)[0]["sheets"][0]["ruling"]["changed"] == ["f2"]


def test_vanished_ink_is_reported(run: Run, photo: Path, sees: Any, tmp_path: Path) -> None:
    before = tmp_path / "before.json"
    before.write_text('{"cells": {"b1": "NS", "b2": "NE"}}')
    sees(sheet_of({"b1": "NS"}))
    code, out, _ = run("read", "railroad-ink", photo, "--before", before)
    assert code == 1
    ruling = lines(out)[0]["sheets"][0]["ruling"]
    assert ruling["against_the_rules"] == ["drawn earlier and gone now: b2"]
    assert ruling["changed"] == ["b2"]


def test_no_board_is_not_so(run: Run, photo: Path, sees: Any) -> None:
    sees()
    code, out, err = run("read", "railroad-ink", photo)
    assert (code, err) == (1, "")
    assert lines(out)[0]["notes"] == ["No board was found."]


def test_one_bad_photograph_does_not_stop_the_others(
    run: Run, photo: Path, sees: Any, tmp_path: Path
) -> None:
    sees(sheet_of(ROUND))
    bad = tmp_path / "bad.jpg"
    bad.write_bytes(b"no picture")
    code, out, err = run("read", "railroad-ink", photo, bad, tmp_path / "none.jpg", photo, "--json")
    assert code == 2
    answers = lines(out)
    assert [("error" in answer) for answer in answers] == [False, True, True, False]
    assert answers[1]["photo"] == str(bad)
    assert len(err.splitlines()) == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["read", "chess", "x.jpg"], "choose railroad-ink"),
        (["read", "railroad-ink"], "name at least one photograph"),
        (["read", "railroad-ink", "x.jpg", "--rolled", "NS,ne"], "a round has 4"),
        (["read", "railroad-ink", "x.jpg", "--rolled", "NS,ne,what,NS"], "is no route"),
        (["read", "railroad-ink", "x.jpg", "--expansion", "seas"], "choose one of forest, trail"),
        (["read", "spike", "x.jpg", "--expansion", "forest"], "spike has no expansions"),
        (
            ["read", "railroad-ink", "x.jpg", "--expansion", "forest", "--rolled", "NS,ne,Ns*,NES,trees"],
            "cannot show",
        ),
        (["read", "railroad-ink", "x.jpg", "--before", "none.json"], "none.json: No such file"),
        (["read", "railroad-ink", "x.jpg", "--corners", "1,2", "3,4"], "four corners are needed"),
        (["read", "railroad-ink", "--corners", "1,2", "here"], "is no corner"),
        (["read", "railroad-ink", "x.jpg", "--taught", "never"], "never"),
        (["read", "railroad-ink", "x.jpg", "--taught", "../up"], "is no name for a board"),
        (["read", "empire-builder", "x.jpg", "--taught", "mine"], "is no taught board"),
        (["read", "railroad-ink", "x.jpg", "y.jpg", "--overlay", "out.jpg"], "has to be a folder"),
        (["read", "railroad-ink", "missing.jpg"], "missing.jpg: No such file"),
        (["read", "railroad-ink", "x.jpg", "--edition", "third"], "choose challenge or classic"),
        (["teach", "mine", "x.jpg"], "say where the board is"),
        (["teach", "mine", "x.jpg", "--game", "derailed"], "boards of 'derailed' cannot be taught"),
        (["teach", "mine", "x.jpg", "--game", "spike"], "say where the board is"),
        (["teach", "mine", "x.jpg", "y.jpg", "--corners", *SQUARE], "from one photograph"),
        (["teach", "a/b", "x.jpg", "--corners", *SQUARE], "is no name for a board"),
        (["studio", "chess", "--out", "there"], "choose one of railroad-ink"),
        (["studio", "spike", "--out", "there", "--level", "odd"], "there is no level 'odd'"),
        (["studio", "railroad-ink", "--out", "there", "--count", "0"], "choose 1 or more"),
        (["studio", "railroad-ink", "--out", "there", "--level", "odd"], "there is no level 'odd'"),
        (["studio", "railroad-ink"], "required: --out"),
    ],
)
def test_bad_input_is_one_sentence(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    extra = [] if arguments[0] == "studio" else ["--folder", str(tmp_path)]
    code, _, err = run(arguments[0], *extra, *arguments[1:])
    assert code == 2
    assert said in one_line(err)


@pytest.mark.parametrize(
    "text", ["[]", "{", '{"cells": {"z9": "NS"}}', '{"sheets": [{"edition": "challenge"}]}', "3"]
)
def test_a_position_before_that_is_none(run: Run, photo: Path, sees: Any, tmp_path: Path, text: str) -> None:
    sees(sheet_of(ROUND))
    before = tmp_path / "before.json"
    before.write_text(text)
    code, _, err = run("read", "railroad-ink", photo, "--before", before)
    assert code == 2
    one_line(err)


@pytest.mark.parametrize("behind", [False, True])
def test_corners_by_hand_before_or_behind_the_photograph(
    run: Run, photo: Path, sees: Any, behind: bool
) -> None:
    wishes = sees(sheet_of(ROUND))
    where = ["--corners", *SQUARE]
    arguments = [photo, *where] if behind else [*where, photo]
    code, *_ = run("read", "railroad-ink", *arguments, "--edition", "classic")
    assert code == 0
    assert wishes[0].corners == ((10.0, 10.0), (700.0, 12.0), (690.0, 710.0), (8.0, 700.0))
    assert wishes[0].edition == "classic"


def test_the_overlay_is_a_picture(run: Run, photo: Path, sees: Any, tmp_path: Path) -> None:
    sees(sheet_of(ROUND))
    out = tmp_path / "out.jpg"
    assert run("read", "railroad-ink", photo, "--overlay", out)[0] == 0
    assert size_of(out) == (720, 720)
    run("read", "railroad-ink", photo, photo, "--overlay", tmp_path)
    assert (tmp_path / "photo-read.jpg").exists()
    code, _, err = run("read", "railroad-ink", photo, "--overlay", tmp_path / "out.what")
    assert code == 2
    assert "for a JPEG or PNG" in one_line(err)


def test_readable_lines(run: Run, photo: Path, sees: Any) -> None:
    sees(sheet_of(ROUND | {"b1": "ES"}, seat=4))
    code, out, _ = run("read", "railroad-ink", photo, "--rolled", ROLLED, "--before", "/dev/null", "--text")
    assert code == 2
    code, out, _ = run("read", "railroad-ink", photo, "--text")
    assert code == 0
    assert "seat 4 (challenge), found by tags" in out
    assert "NSW" in out


@pytest.fixture
def second_breaks(monkeypatch: pytest.MonkeyPatch, sees: Any) -> None:
    """A reader with a fault: it fails at every second photograph."""
    sees(sheet_of(ROUND))
    whole, asked = vars(reader)["read_photo"], count(1)

    def read_photo(data: bytes, hints: ReadOptions) -> PhotoReading:
        if next(asked) % 2 == 0:
            raise ValueError("invalid literal for int()")
        read: PhotoReading = whole(data, hints)
        return read

    monkeypatch.setattr(reader, "read_photo", read_photo)


@pytest.mark.usefixtures("second_breaks")
def test_a_fault_of_the_reader_is_the_line_of_its_photograph(run: Run, photo: Path) -> None:
    code, out, err = run("read", "railroad-ink", photo, photo, photo)
    assert code == 1
    first, second, third = lines(out)
    assert "error" not in first
    assert third == first
    assert set(second) == {"photo", "error"}
    assert second["error"]["code"] == "fault"
    assert "ValueError: invalid literal" in second["error"]["message"]
    assert "Traceback" in err
    assert str(photo) in err


@pytest.mark.usefixtures("second_breaks")
def test_so_it_is_in_bulk(photo: Path, capfd: pytest.CaptureFixture[str]) -> None:
    asked = photographs.Asked("railroad-ink", ReadHints(), None, None)
    first, second = (photographs.read_one(asked, str(photo)) for _ in range(2))
    assert (exit_code_of(first), exit_code_of(second)) == (0, 1)
    assert (second["photo"], second["error"]["code"]) == (str(photo), "fault")
    assert "Traceback" in capfd.readouterr().err


def test_parts_of_which_one_breaks_the_reader_are_joined_without_it(
    run: Run, photo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = count(1)

    def read(_self: object, _photo: bytes, _wish: ReadHints) -> Any:
        if next(asked) == 1:
            raise IndexError("out of range")
        return photo_of()

    monkeypatch.setattr("companion.games.spike.reader.reader.SpikeReader.read", read)
    code, out, _ = run("read", "spike", "--join", photo, photo)
    assert code == 1
    broken, joined = lines(out)
    assert broken["error"]["code"] == "fault"
    assert joined["photos"] == [str(photo)]


def test_numpy_has_one_thread() -> None:
    """Its threads would wait for each other's share of products that are small."""
    script = "import os; from companion.cli import main; main(['read', 'spike', 'none.jpg']);"
    script += "print(os.environ['OPENBLAS_NUM_THREADS'], len(os.listdir('/proc/self/task')))"
    usual = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, check=True, env=usual, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "1 1"


# --- teach, and a real picture ---


def test_a_board_is_taught_and_looked_for(run: Run, photo: Path, sees: Any, tmp_path: Path) -> None:
    code, out, _ = run(
        "teach", "mine", photo, "--corners", *SQUARE, "--seat", "2", "--folder", tmp_path, "--json"
    )
    assert code == 0
    assert json.loads(out)["taught"] == "mine"
    wishes = sees(sheet_of(ROUND))
    assert run("read", "railroad-ink", photo, "--taught", "mine", "--folder", tmp_path)[0] == 0
    assert [board.name for board in wishes[0].taught] == ["mine"]


def test_corners_that_make_no_board(run: Run, photo: Path, tmp_path: Path) -> None:
    code, _, err = run("teach", "mine", photo, "--corners", "1,1", "1,1", "1,1", "1,1", "--folder", tmp_path)
    assert code == 2
    assert "corners" in one_line(err)
    code, out, err = run("read", "railroad-ink", photo, "--corners", "1,1", "1,1", "1,1", "1,1")
    assert code == 2
    assert "corners" in one_line(err)
    assert "error" in lines(out)[0]


def test_a_real_picture_through_the_real_reader(run: Run, tmp_path: Path) -> None:
    data, truth = take_picture(21, "clean", "real.jpg")
    (tmp_path / "real.jpg").write_bytes(data)
    code, out, _ = run("read", "railroad-ink", tmp_path / "real.jpg", "--json")
    assert code == 0
    (answer,) = lines(out)
    assert (answer["width"], answer["height"]) == (truth["width"], truth["height"])
    assert sorted(sheet["seat"] for sheet in answer["sheets"]) == sorted(
        sheet["seat"] for sheet in truth["sheets"]
    )


# --- studio ---


def test_the_studio_writes_pictures_with_their_truth(run: Run, tmp_path: Path) -> None:
    out_folder = tmp_path / "pictures"
    code, out, err = run(
        "studio", "railroad-ink", "--out", out_folder, "--count", 2, "--seed", 5, "--level", "clean"
    )
    assert (code, err) == (0, "")
    paths = [Path(line) for line in out.split()]
    assert len(paths) == 2
    for path in paths:
        truth = json.loads(path.with_suffix(".json").read_text())
        assert (truth["photo"], (truth["width"], truth["height"])) == (path.name, size_of(path))


def test_photographs_of_one_table_are_joined(run: Run, photo: Path, sees: Any, tmp_path: Path) -> None:
    sees(sheet_of(ROUND))
    code, out, _ = run("read", "railroad-ink", photo, photo, "--join", "--json")
    assert code == 0
    (line,) = lines(out)
    assert line["photos"] == [str(photo), str(photo)]
    assert len(line["sheets"]) == 1
    code, out, err = run("read", "railroad-ink", photo, tmp_path / "none.jpg", "--join", "--json")
    assert code == 2
    assert [("error" in one) for one in lines(out)] == [True, False]
    assert "none.jpg" in one_line(err)
    code, _, err = run("read", "railroad-ink", photo, photo, "--join", "--overlay", tmp_path)
    assert code == 2
    assert "leave it out with --join" in one_line(err)


@pytest.mark.parametrize(
    "order",
    [
        ["GAME", "--json", "a.jpg", "b.jpg"],
        ["GAME", "a.jpg", "--json", "b.jpg"],
        ["--json", "GAME", "a.jpg", "b.jpg"],
        ["GAME", "--text", "a.jpg", "b.jpg"],
        ["GAME", "--folder", "none", "a.jpg", "--json", "b.jpg"],
    ],
)
@pytest.mark.parametrize("game", ["railroad-ink", "derailed", "spike", "empire-builder"])
def test_options_and_photographs_come_in_any_order(run: Run, game: str, order: list[str]) -> None:
    _, out, err = run("read", *(game if word == "GAME" else word for word in order))
    assert [answer["photo"] for answer in lines(out)] == ["a.jpg", "b.jpg"]
    assert "unrecognized" not in err


def test_an_unknown_option_is_still_refused(run: Run) -> None:
    assert "unrecognized arguments: --jason" in run("read", "spike", "--jason", "a.jpg")[2]
