"""The fifth game on the command line: nothing outside its folder knows it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from urllib.error import HTTPError

import pytest

from tests.fifth_game.houses import HERE, ROOT, WITHOUT, run, served


def test_nothing_outside_its_folder_names_it() -> None:
    """Documents may; code, templates and data of the house may not."""
    rooms = ("companion", "vision", "web", "firmware_bridge", "lab")
    files = (path for room in rooms for path in (ROOT / room).rglob("*") if path.is_file())
    named = [
        path
        for path in files
        if path.suffix in (".py", ".toml", ".html", ".js", ".css") and "shuttle" in path.read_text().lower()
    ]
    assert named == [ROOT / "companion" / "game" / "packages.py"]  # as the example in its docstring


def test_it_is_listed_scored_and_checked() -> None:
    assert "shuttle        Shuttle, 1 to 6 players" in run("games")[1]
    code, told, _ = run("score", "shuttle", fed='{"id": 7, "stops": [3, 4, 5, 9]}\n{"stops": [3, 3]}\n')
    first, second = (json.loads(line) for line in told.splitlines())
    assert (first, code) == ({"id": 7, "total": 10, "runs": 2}, 2)
    assert second["error"]["code"] == "twice"
    moves = {"moves": [{"dice": [3, 6], "stop": 9}, {"dice": [1, 2], "stop": 4}]}
    code, told, _ = run("check", "shuttle", fed=json.dumps(moves))
    assert (json.loads(told)["at"], code) == (1, 1)


def test_an_installed_package_brings_it(tmp_path: Path) -> None:
    """By its entry point, as ``pip install`` leaves it, and from no folder that anybody names."""
    installed = tmp_path / "shuttle-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: shuttle\nVersion: 1.0\n")
    (installed / "entry_points.txt").write_text("[stationmaster.games]\nshuttle = shuttle:PACKAGE\n")
    path = {**WITHOUT, "PYTHONPATH": f"{tmp_path}{os.pathsep}{HERE}"}
    assert "shuttle        Shuttle, 1 to 6 players" in run("games", environment=path)[1]
    assert run("score", "shuttle", fed='{"stops": [3, 4]}', environment=path)[1] == '{"total":4,"runs":1}\n'
    assert run("sheet", "shuttle", "--pdf", tmp_path / "s.pdf", environment=path)[0] == 0
    with served(tmp_path / "table", environment=path) as box:
        box.post("/matches", {"game": "shuttle", "players": ["East"]})
        assert b"shuttle/page.css" in box.host.open(box.link, timeout=20).read()


def test_without_it_its_matches_wait_and_the_table_goes_on(tmp_path: Path) -> None:
    with served(tmp_path) as box:
        match = box.post("/matches", {"game": "shuttle", "players": ["East"]})["match"]
    said = "Matches of games that are not here wait until these are back: 1 of shuttle."
    with served(tmp_path, "--new-pin", environment=WITHOUT, notes=f"Note: {said}\n") as box:
        assert box.get("/matches") == []
        with pytest.raises(HTTPError) as refused:
            box.get(f"/matches/{match}")
        assert "shuttle" in json.load(refused.value)["error"]["message"]
        for page in ("", "history", "host"):
            with box.host.open(f"{box.link}{page}", timeout=20) as answer:
                assert answer.status == 200
        begun = box.post("/matches", {"game": "railroad-ink", "players": [""]})["match"]
    missing = {**WITHOUT, "STATIONMASTER_FOLDER": str(tmp_path)}
    code, told, left_out = run("export", environment=missing)
    assert (code, told.count(begun), told.count(match)) == (0, 1, 0)
    assert left_out == f"Left out, as their games are not here: {match}\n"
    with served(tmp_path, "--new-pin") as box:
        assert [one["match"] for one in box.get("/matches")] == [begun, match]


def test_its_sheets_are_printed(tmp_path: Path) -> None:
    pdf, png, layout = tmp_path / "s.pdf", tmp_path / "s.png", tmp_path / "s.json"
    code, _, complaints = run(
        "sheet", "shuttle", "--pdf", pdf, "--png", png, "--layout", layout, "--dpi", "100", "--seat", "2"
    )
    assert (code, complaints) == (0, "")
    assert pdf.read_bytes().startswith(b"%PDF")
    told = json.loads(layout.read_text())
    assert (told["sheet"], told["seat"], len(told["slots"]), len(told["tags"])) == ("shuttle", 2, 12, 4)


def test_its_photographs_are_made_and_read(tmp_path: Path) -> None:
    wrong = []
    for level in ("clean", "table", "hard"):
        assert (
            run("studio", "shuttle", "--out", tmp_path, "--count", "3", "--seed", "41", "--level", level)[0]
            == 0
        )
    photos = sorted(tmp_path.glob("*.jpg"))
    code, told, _ = run("read", "shuttle", *photos, "--json", "--overlay", tmp_path)
    assert code == 0
    for photo, line in zip(photos, told.splitlines(), strict=True):
        truth = json.loads(photo.with_suffix(".json").read_text())["sheets"]
        read = [
            {
                "seat": sheet["seat"],
                "stops": [int(name.removeprefix("stop-")) for name in sheet["ruling"]["cells"]],
            }
            for sheet in json.loads(line)["sheets"]
        ]
        wanted = [{"seat": sheet["seat"], "stops": sheet["stops"]} for sheet in truth]
        if sorted(read, key=lambda one: str(one["seat"])) != wanted:
            wrong.append((photo.name, read, wanted))
        assert (tmp_path / f"{photo.stem}-read.jpg").exists()
    assert wrong == []


def test_what_makes_no_sense_is_one_sentence(tmp_path: Path) -> None:
    assert run("studio", "shuttle", "--out", tmp_path, "--count", "1", "--seed", "1")[0] == 0
    photo = next(tmp_path.glob("*.jpg"))
    code, _, complaints = run("read", "shuttle", photo, "--rolled", "NS,ne")
    assert (code, complaints) == (2, "stationmaster: a throw is two dice from 1 to 6, such as 3,6\n")
