"""``read derailed`` and ``studio derailed``: promised lines and exit codes, one sentence for bad input."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from lab.derailed.studio.output import take_card_picture
from lab.derailed.studio.positions import played_table
from lab.derailed.studio.scenes import CardSpec
from tests.companion.cli.running import Run
from vision.decoding import checked_header

TABLE = played_table(np.random.default_rng(4), 3, 7)


@pytest.fixture(scope="module")
def photo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("photos") / "table.jpg"
    spec = CardSpec(cards=TABLE, hand="printed", mat=True, megapixels=1.5, table_pixels=128)
    path.write_bytes(take_card_picture(8, "clean", spec=spec)[0])
    return path


def position(cells: dict[str, str]) -> dict[str, object]:
    return {"starts": TABLE.starts, "destinations": TABLE.destinations, "grid": cells}


def before_last() -> dict[str, str]:
    """The grid without the card that was laid last."""
    last = TABLE.moves[-1].cell
    stacks = {cell: stack[:-1] if cell == last else stack for cell, stack in TABLE.stacks.items()}
    return {cell: stack[-1] for cell, stack in stacks.items() if stack}


def test_one_line_a_photograph(run: Run, photo: Path) -> None:
    code, out, _ = run("read", "derailed", photo, "--json")
    (line,) = out.splitlines()
    (sheet,) = json.loads(line)["sheets"]
    assert (code, sheet["sheet"], sheet["edition"][:6]) == (0, "derailed", "lanes-")
    assert sheet["starts"] == list(TABLE.starts)
    assert {name: cell["card"] for name, cell in sheet["cells"].items() if cell["card"]} == TABLE.grid


def test_with_the_position_before(run: Run, photo: Path, tmp_path: Path) -> None:
    before = tmp_path / "before.json"
    before.write_text(json.dumps(position(before_last())))
    code, out, _ = run("read", "derailed", photo, "--before", before)
    ruling = json.loads(out)["sheets"][0]["ruling"]
    assert (code, ruling["outcome"]) == (0, "accepted")
    assert ruling["changed"] == [TABLE.moves[-1].cell]
    earlier = tmp_path / "earlier.json"
    earlier.write_text(out)
    again = json.loads(run("read", "derailed", photo, "--before", earlier)[1])
    assert again["sheets"][0]["ruling"]["changed"] == []


def test_a_card_that_cannot_lie_there(run: Run, photo: Path, tmp_path: Path) -> None:
    before = tmp_path / "before.json"
    before.write_text(json.dumps(position({**before_last(), "a4": "LR|TB", "b4": "LR|TB"})))
    code, out, _ = run("read", "derailed", photo, "--before", before)
    ruling = json.loads(out)["sheets"][0]["ruling"]
    assert (code, ruling["outcome"]) == (1, "refused")
    assert ruling["against_the_rules"]


def test_for_people(run: Run, photo: Path) -> None:
    code, out, _ = run("read", "derailed", photo, "--text")
    assert code == 0
    assert "1 card table" in out
    assert "3 lanes, found by tags" in out


def test_overlay(run: Run, photo: Path, tmp_path: Path) -> None:
    drawn = tmp_path / "drawn.png"
    assert run("read", "derailed", photo, "--overlay", drawn)[0] == 0
    assert checked_header(drawn.read_bytes()).kind == "PNG"


@pytest.mark.parametrize(
    "option",
    [
        ["--rolled", "NS"],
        ["--seat", "2"],
    ],
)
def test_options_of_boards(run: Run, photo: Path, option: list[str]) -> None:
    code, _, err = run("read", "derailed", photo, *option)
    assert code == 2
    assert "is of no use here" in err


def test_marked_corners_and_how_many_lanes(run: Run, tmp_path: Path) -> None:
    """The corners of the field of cards, a finger's breadth off; and corners that make no field."""
    spec = CardSpec(cards=TABLE, hand="printed", mat=False, megapixels=1.5, table_pixels=128)
    data, truth = take_card_picture(8, "clean", spec=spec)
    path = tmp_path / "bare.jpg"
    path.write_bytes(data)
    places = truth["sheets"][0]["places"]
    ends = (("a-start", 0), ("c-start", 1), ("c-destination", 2), ("a-destination", 3))
    off = ((-9, 6), (7, 8), (-6, -9), (8, 5))
    marked = [np.add(places[name]["corners"][n], aside) for (name, n), aside in zip(ends, off, strict=True)]
    corners = [f"{x:.0f},{y:.0f}" for x, y in marked]
    code, out, _ = run("read", "derailed", path, "--corners", *corners)
    (sheet,) = json.loads(out)["sheets"]
    assert (code, sheet["quality"]["found_by"]) == (0, "corners")
    assert {name: cell["card"] for name, cell in sheet["cells"].items() if cell["card"]} == TABLE.grid
    assert (sheet["starts"], sheet["edition"]) == (list(TABLE.starts), None)
    assert len(json.loads(run("read", "derailed", path, "--edition", "lanes-3")[1])["sheets"]) == 1
    assert run("read", "derailed", path, "--edition", "lanes-9")[0] == 2
    code, out, _ = run("read", "derailed", path, "--corners", "1,1", "2,2", "3,3", "4,4")
    assert (code, json.loads(out)["error"]["code"]) == (2, "bad-photo")
    assert "do not enclose a field of cards" in json.loads(out)["error"]["message"]


def test_cards_are_not_taught_as_a_board(run: Run, photo: Path, tmp_path: Path) -> None:
    square = ["100,100", "700,100", "700,700", "100,700"]
    code, out, err = run("teach", "mine", photo, "--corners", *square, "--folder", tmp_path)
    assert (code, out) == (2, "")
    assert "shows cards of 'Derailed!'" in err
    assert not list(tmp_path.rglob("mine.json"))


def test_pictures_without_a_table_and_no_pictures(run: Run, tmp_path: Path) -> None:
    plain, text = tmp_path / "plain.png", tmp_path / "text.jpg"
    plain.write_bytes(cv2.imencode(".png", np.full((400, 500, 3), 128, np.uint8))[1].tobytes())
    text.write_text("this picture cannot be read")
    code, out, err = run("read", "derailed", plain, text, tmp_path / "nothing.jpg")
    first, second, third = map(json.loads, out.splitlines())
    assert code == 2
    assert (first["sheets"], first["notes"][0][:28]) == ([], "No card table was found: all")
    assert (second["error"]["code"], third["error"]["code"]) == ("bad-photo", "no-file")
    assert err.count("stationmaster:") == 2


def test_the_studio(run: Run, tmp_path: Path) -> None:
    code, out, _ = run(
        "studio", "derailed", "--out", tmp_path, "--count", 1, "--seed", 5, "--level", "clean", "--json"
    )
    assert code == 0
    (path,) = json.loads(out)["written"]
    truth = json.loads(Path(path).with_suffix(".json").read_text())
    assert checked_header(Path(path).read_bytes()).size == (truth["width"], truth["height"])
    assert truth["sheets"][0]["sheet"] == "derailed"
