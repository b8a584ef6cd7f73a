"""The promises of the command line: output, exit codes, and one clear sentence for bad input."""

from __future__ import annotations

import errno
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from companion.cli import COMMANDS
from companion.core.jsontext import LONGEST_TEXT
from companion.game.registry import GAMES
from companion.table.chance import SeededChance
from companion.table.store import Store
from companion.table.table import Table
from tests.companion.cli.running import Run
from tests.golden.record import RECORDINGS, play

GOLDEN = Path(__file__).parents[2] / "golden" / "railroad-ink"


def one_line(err: str) -> str:
    assert err.count("\n") == 1, err
    assert "Traceback" not in err
    return err


def answers(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


SMALL = '{"cells": {"b1": "NS"}}'


# --- games, score, check ---


def test_games_lists_players_and_options(run: Run) -> None:
    code, out, _ = run("games")
    assert code == 0
    assert "railroad-ink" in out
    assert "must_draw" in out


def test_games_as_json(run: Run) -> None:
    code, out, _ = run("games", "--json")
    listed = json.loads(out)
    assert (code, listed[0]["game"], listed[0]["players"]) == (0, "railroad-ink", [1, 6])


def test_scores_come_one_a_line_in_order(run: Run) -> None:
    code, out, _ = run("score", "railroad-ink", fed='{"id": 7, "cells": {}}\n' + SMALL + "\n")
    assert code == 0
    assert [(line.get("id"), line["total"]) for line in answers(out)] == [(7, 0), (None, 0)]
    assert list(answers(out)[1])[:9] == [
        "exits", "highway", "railway", "centre", "villages", "goals", "errors", "expansion", "total",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "document", ['{\n "cells":\n {"b1": "NS"}\n}', f"[{SMALL}]", f"[\n{SMALL},\n{SMALL}]"]
)
def test_one_document_will_do(run: Run, document: str) -> None:
    code, out, _ = run("score", "railroad-ink", "-", fed=document)
    assert code == 0
    assert all(line["highway"] == 1 for line in answers(out))


def test_a_file_will_do(run: Run, tmp_path: Path) -> None:
    (tmp_path / "board.json").write_text(SMALL)
    assert run("score", "railroad-ink", str(tmp_path / "board.json"))[0] == 0


def test_the_file_may_come_after_the_options(run: Run, tmp_path: Path) -> None:
    (tmp_path / "board.json").write_text(SMALL)
    code, out, _ = run("score", "railroad-ink", "--explain", tmp_path / "board.json")
    assert code == 0
    assert "Longest highway b1: 1" in out
    assert run("score", "railroad-ink", "--json", "-", fed=SMALL)[0] == 0
    assert run("score", "railroad-ink", "--json", "a", "b")[0] == 2
    assert run("games", "--json", "a")[0] == 2


def test_a_score_is_explained_for_people(run: Run) -> None:
    code, out, _ = run("score", "railroad-ink", "--explain", fed=SMALL)
    assert code == 0
    assert "Longest highway b1: 1" in out


def test_check_says_yes_or_names_the_first_illegal_move(run: Run) -> None:
    moves = [{"cell": "b1", "route": "NS"}, {"cell": "d4", "route": "ns"}]
    assert run("check", "railroad-ink", fed=json.dumps({"moves": moves[:1]}))[:2] == (0, '{"valid":true}\n')
    code, out, _ = run("check", "railroad-ink", fed=json.dumps({"id": "x", "moves": moves}))
    answer = json.loads(out)
    assert code == 1
    assert (answer["id"], answer["valid"], answer["at"], answer["code"]) == ("x", False, 1, "not-connected")


# --- bad input ---

BAD_POSITIONS = {
    "no json": ("{cells", "not-json"),
    "truncated": ('{"cells": {"b1": ', "not-json"),
    "not an object": ("[1]", "not-an-object"),
    "a number": ("17", "not-an-object"),
    "no cells": ("{}", "bad-shape"),
    "unknown key": ('{"cells": {}, "colour": "red"}', "bad-shape"),
    "unknown edition": ('{"cells": {}, "edition": "deluxe"}', "bad-shape"),
    "unknown cell": ('{"cells": {"h9": "NS"}}', "unknown-cell"),
    "cell in capitals": ('{"cells": {"B1": "NS"}}', "unknown-cell"),
    "unknown route": ('{"cells": {"b1": "NX"}}', "unknown-route"),
    "empty route": ('{"cells": {"b1": ""}}', "unknown-route"),
    "route of the wrong type": ('{"cells": {"b1": 5}}', "bad-shape"),
    "no station": ('{"cells": {"b1": "Ns"}}', "unknown-route"),
    "highway meets railway": ('{"cells": {"b2": "NS", "b3": "ns"}}', "types-meet"),
    "highway meets railway exit": ('{"cells": {"d1": "NS"}}', "types-meet"),
    "duplicated cell": ('{"cells": {"b1": "NS", "b1": "NE"}}', "duplicate"),
    "round of an empty cell": ('{"cells": {}, "rounds": {"b1": 1}}', "round-without-route"),
    "round zero": ('{"cells": {"b1": "NS"}, "rounds": {"b1": 0}}', "bad-round"),
    "unknown goal": ('{"cells": {}, "goals": ["Z"]}', "unknown-goal"),
    "unknown blueprint": ('{"cells": {}, "blueprint": "atlantis"}', "unknown-blueprint"),
    "no wall": ('{"cells": {}, "blueprint": ["a1-c1"]}', "bad-wall"),
    "unknown expansion": ('{"cells": {}, "expansion": {"lava": 3}}', "unknown-expansion"),
    "not a number": ('{"cells": {}, "expansion": {"points": NaN}}', "not-json"),
    "nested too deeply": ("[" * 100_000, "not-json"),
    "too many digits": ('{"cells": {}, "id": ' + "9" * 5000 + "}", "not-json"),
    "a line of a million characters": ('{"cells": {"b1": "' + "N" * LONGEST_TEXT + '"}}', "too-long"),
}


@pytest.mark.parametrize(("text", "code"), BAD_POSITIONS.values(), ids=BAD_POSITIONS)
def test_a_bad_line_is_answered_and_the_stream_goes_on(run: Run, text: str, code: str) -> None:
    exit_code, out, err = run("score", "railroad-ink", fed=f"{SMALL}\n{text}\n{SMALL}\n")
    first, bad, last = answers(out)
    assert (exit_code, err) == (2, "")
    assert first["highway"] == last["highway"] == 1
    assert bad["error"]["code"] == code, bad
    assert 10 < len(bad["error"]["message"]) < 300


@pytest.mark.parametrize(("text", "code"), BAD_POSITIONS.values(), ids=BAD_POSITIONS)
def test_a_bad_line_may_come_first(run: Run, text: str, code: str) -> None:
    exit_code, out, _ = run("score", "railroad-ink", fed=f"{text}\n{SMALL}\n")
    bad, good = answers(out)
    assert (exit_code, bad["error"]["code"], good["highway"]) == (2, code, 1)


def test_bytes_that_are_no_text(run: Run) -> None:
    code, out, _ = run("score", "railroad-ink", fed=b'{"cells": {"\xff": "NS"}}\n')
    assert (code, answers(out)[0]["error"]["code"]) == (2, "not-json")


def test_the_id_of_a_bad_position_is_repeated(run: Run) -> None:
    _, out, _ = run("score", "railroad-ink", fed='{"id": "mine", "cells": {"z9": "NS"}}')
    assert answers(out)[0]["id"] == "mine"


def test_nothing_in_nothing_out(run: Run) -> None:
    assert run("score", "railroad-ink", fed="\n\n")[:2] == (0, "")


@pytest.mark.parametrize(
    "arguments",
    [
        ("score", "chess"),
        ("score", "railroad-ink", "no-such-file.json"),
        ("score", "railroad-ink", "."),
        ("check", "chess"),
        ("replay", "no-such-file.jsonl"),
        ("replay", "."),
        ("restore", "no-such-file.zip"),
        ("dance",),
        (),
        ("score",),
        ("export", "--format", "pdf"),
        ("export", "--folder", "no-such-folder"),
    ],
)
def test_a_wrong_command_is_one_line_and_exit_code_2(run: Run, arguments: tuple[str, ...]) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert one_line(err).startswith("stationmaster")


@pytest.mark.parametrize(
    "command",
    [
        "",
        "games",
        "score",
        "check",
        "turn",
        "replay",
        "backup",
        "restore",
        "export",
        "doctor",
        "sheet",
        "roller",
    ],
)
def test_every_command_has_help(run: Run, command: str) -> None:
    code, out, _ = run(*[word for word in (command, "--help") if word])
    assert code == 0
    assert "usage: stationmaster" in out


# --- replay ---


def test_a_game_without_dice_is_replayed_without_a_word_about_dice(run: Run) -> None:
    code, out, _ = run("replay", "--verify", str(GOLDEN.parent / "derailed" / "two.jsonl"))
    assert code == 0
    assert "Verified" in out
    assert "Dice" not in out


def test_replay_prints_the_outcome(run: Run) -> None:
    code, out, _ = run("replay", str(GOLDEN / "two.jsonl"))
    assert code == 0
    assert "Finished." in out
    assert "1. North: " in out


def test_replay_verifies(run: Run) -> None:
    code, out, _ = run("replay", "--verify", "--json", str(GOLDEN / "four.jsonl"))
    outcome = json.loads(out)
    assert (code, outcome["verified"], outcome["finished"], len(outcome["scores"])) == (0, True, True, 4)


def test_replay_of_an_edited_record_is_not_so(run: Run, tmp_path: Path) -> None:
    edited = tmp_path / "edited.jsonl"
    edited.write_text((GOLDEN / "two.jsonl").read_text().replace('"cell":"b1"', '"cell":"f1"', 1))
    code, out, _ = run("replay", "--verify", str(edited))
    assert code == 1
    assert out.startswith("Not verified: event ")
    code, out, _ = run("replay", "--verify", "--json", str(edited))
    assert (code, json.loads(out)["verified"]) == (1, False)


@pytest.mark.parametrize("kept", [0, 100, 1000])
def test_replay_of_a_truncated_record(run: Run, tmp_path: Path, kept: int) -> None:
    cut = tmp_path / "cut.jsonl"
    cut.write_bytes((GOLDEN / "two.jsonl").read_bytes()[:kept])
    code, _, err = run("replay", str(cut))
    assert code == 2
    one_line(err)


def test_replay_of_something_else(run: Run, tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text(SMALL + "\n")
    code, _, err = run("replay", str(tmp_path / "x.jsonl"))
    assert code == 2
    one_line(err)


# --- backup, restore, export, doctor ---


@pytest.fixture
def played(tmp_path: Path) -> Path:
    """A folder with one finished match in it."""
    folder = tmp_path / "table"
    with Store(folder) as store:
        play(Table(store, GAMES, chance=SeededChance(1)), RECORDINGS[0])
    return folder


def test_there_and_back_again(run: Run, played: Path, tmp_path: Path) -> None:
    _, before, _ = run("export", "--folder", played)
    assert run("backup", "--folder", played, str(tmp_path / "all.zip"))[0] == 0
    code, out, _ = run("restore", "--folder", tmp_path / "new", str(tmp_path / "all.zip"))
    assert code == 0
    assert "restored" in out
    assert run("export", "--folder", tmp_path / "new")[1] == before


def test_a_backup_goes_to_the_folder_unless_told_otherwise(run: Run, played: Path) -> None:
    code, out, _ = run("backup", "--json", "--folder", played)
    assert code == 0
    assert Path(json.loads(out)["backup"]).exists()


def test_export_as_csv_json_and_link(run: Run, played: Path) -> None:
    _, out, _ = run("export", "--folder", played)
    header, row = out.splitlines()
    assert header == "match,game,began,finished,seat,player,place,total"
    assert row.split(",")[1:2] + row.split(",")[4:6] == ["railroad-ink", "1", "North"]
    _, out, _ = run("export", "--folder", played, "--format", "json")
    assert json.loads(out)[0]["player"] == "North"
    _, out, _ = run("export", "--folder", played, "--format", "bgstats")
    assert out.startswith("https://app.bgstatsapp.com/createPlay.html?data=%7B")


def test_export_of_an_unknown_match(run: Run, played: Path) -> None:
    code, _, err = run("export", "--folder", played, "--match", "nobody")
    assert code == 2
    one_line(err)


def test_the_doctor_finds_a_healthy_table(run: Run, played: Path) -> None:
    code, out, _ = run("doctor", "--folder", played)
    assert code == 0
    assert "1 matches" in out
    code, out, _ = run("doctor", "--json", "--folder", played)
    assert {part["part"]: part["state"] for part in json.loads(out)}["database"] == "ok"


def test_the_doctor_of_an_empty_folder_finds_things_missing_but_nothing_bad(run: Run, tmp_path: Path) -> None:
    code, out, _ = run("doctor", "--folder", tmp_path / "nothing" / "here")
    assert code == 0
    assert "nothing stored yet" in out


def test_the_doctor_finds_a_damaged_database(run: Run, played: Path) -> None:
    database = played / "stationmaster.db"
    database.write_bytes(database.read_bytes()[:3000])
    code, out, _ = run("doctor", "--folder", played)
    assert code == 1
    assert "bad      database" in out


# --- the program itself ---


def program(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "companion", *arguments]


def test_a_reader_that_leaves_early_is_no_error() -> None:
    score = " ".join(program("score", "railroad-ink"))
    command = f"for i in $(seq 3000); do echo '{SMALL}'; done | {score} | head -1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60, check=False)
    assert done.stderr == ""
    assert done.stdout.count("\n") == 1


def test_a_full_disk_behind_the_output_is_one_sentence() -> None:
    command = f"echo '{SMALL}' | {' '.join(program('score', 'railroad-ink'))} > /dev/full"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert "No space left" in one_line(done.stderr)


@pytest.mark.slow
def test_a_long_stream_is_scored_in_constant_memory() -> None:
    measure = (
        "import resource, subprocess, sys\n"
        "done = subprocess.run(sys.argv[1:], stdin=sys.stdin, stdout=subprocess.DEVNULL)\n"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    peaks = []
    for lines in (100_000, 200_000):  # both are many of the blocks that are scored at once
        feed = f"import sys\nfor n in range({lines}): sys.stdout.write('{SMALL}\\n')"
        with subprocess.Popen([sys.executable, "-c", feed], stdout=subprocess.PIPE) as feeder:
            done = subprocess.run(
                [sys.executable, "-c", measure, *program("score", "railroad-ink")],
                stdin=feeder.stdout,
                capture_output=True,
                timeout=120,
                check=True,
            )
        peaks.append(int(done.stdout))
    assert peaks[1] < peaks[0] * 1.05


# --- sheets ---


def test_a_blank_sheet_as_a_picture_with_its_numbers(run: Run, tmp_path: Path) -> None:
    picture, layout = tmp_path / "board.png", tmp_path / "board.json"
    code, out, _ = run(
        "sheet", "railroad-ink", "--png", picture, "--dpi", "80", "--seat", "3", "--layout", layout, "--json"
    )
    numbers = json.loads(layout.read_text())
    assert (code, json.loads(out)["written"]) == (0, [str(picture), str(layout)])
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert (numbers["sheet"], numbers["seat"], numbers["dpi"]) == ("railroad-ink", 3, 80)
    assert {"a1", "g7"} <= set(numbers["slots"])


@pytest.mark.parametrize("more", [[], ["--paper", "letter", "--edition", "classic"], ["--stickers"]])
def test_sheets_to_print(run: Run, tmp_path: Path, more: list[str]) -> None:
    assert run("sheet", "railroad-ink", "--pdf", tmp_path / "out.pdf", *more)[0] == 0
    assert (tmp_path / "out.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize(
    "arguments",
    [
        ("sheet", "chess", "--pdf", "x.pdf"),
        ("sheet", "railroad-ink"),
        ("sheet", "railroad-ink", "--pdf", "x.pdf", "--edition", "deluxe"),
        ("sheet", "railroad-ink", "--pdf", "x.pdf", "--part", "deck"),
        ("sheet", "railroad-ink", "--png", "x.png", "--seat", "9"),
        ("sheet", "railroad-ink", "--png", "x.png", "--dpi", "9000"),
        ("sheet", "railroad-ink", "--png", "no-such-folder/x.png"),
        ("sheet", "railroad-ink", "--layout", "no-such-folder/x.json"),
        ("sheet", "railroad-ink", "--pdf", "no-such-folder/x.pdf"),
    ],
)
def test_a_sheet_that_cannot_be(run: Run, arguments: tuple[str, ...]) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    one_line(err)


# --- the roller by hand ---


def test_virtual_dice_are_found_and_thrown(run: Run) -> None:
    code, out, _ = run("roller", "list", "--virtual", "--json")
    assert code == 0
    assert json.loads(out)[0]["roller"]
    code, out, _ = run("roller", "roll", "--virtual", "--json", "2d6", "A:8")
    thrown = json.loads(out)
    assert code == 0
    assert [(die[0], die[1]) for die in thrown["dice"]] == [("d6 1", 6), ("d6 2", 6), ("A", 8)]
    assert thrown["virtual"]


def test_the_self_test_judges_the_counts(run: Run) -> None:
    code, out, _ = run("roller", "selftest", "--virtual", "--throws", "1200")
    assert code == 0
    assert "1,200 throws of 6 faces" in out


def test_the_log_of_a_table_without_a_roller_is_empty(run: Run, tmp_path: Path) -> None:
    assert run("roller", "log", "--folder", tmp_path)[:2] == (0, "No roll yet.\n")


@pytest.mark.parametrize(
    "arguments",
    [("roll", "banana", "--virtual"), ("roll", "d1", "--virtual"), ("roll", "A:999", "--virtual")],
)
def test_dice_that_cannot_be_thrown(run: Run, arguments: tuple[str, ...]) -> None:
    code, _, err = run("roller", *arguments)
    assert code == 2
    one_line(err)


def test_no_roller_at_that_port(run: Run, tmp_path: Path) -> None:
    code, out, _ = run("roller", "list", "--port", tmp_path / "nothing")
    assert code == 1
    assert "No USB serial port" in out


# --- starting ---


def imported_by(*arguments: str) -> set[str]:
    """The modules that come to those of a bare interpreter."""
    told = (
        "import sys\nbefore = {*sys.modules}\nfrom companion.cli import main\n"
        f"try: main({arguments!r})\nexcept SystemExit: pass\n"
        "print(*{*sys.modules} - before, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    return {*done.stderr.splitlines()[-1].split()}


def libraries(modules: set[str]) -> set[str]:
    """What of them is neither Python's nor in the folder of the games, the table and the commands."""
    return {name.partition(".")[0] for name in modules} - sys.stdlib_module_names - {"companion"}


@pytest.mark.parametrize("asked", ["--version", "--help", "--nonsense", "nonsense"])
def test_what_names_no_command_loads_none(asked: str) -> None:
    modules = imported_by(asked)
    assert libraries(modules) == set()
    assert {name for name in modules if name.startswith("companion")} == {
        "companion",
        "companion.cli",
        "companion.cli.output",
        "companion.core",
        "companion.core.errors",
        "companion.machine",
    }


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("option", ["--help", "--nonsense=x"])
def test_what_only_asks_about_a_command_loads_no_library(command: str, option: str) -> None:
    """Nor another command, nor what any of them works with."""
    modules = imported_by(command, option)
    asked_for = {"sheet": {"msgspec", "typing_extensions"}, "hub": {"hub"}}.get(command, set())  # its own
    assert libraries(modules) <= asked_for
    work = r"companion\.(service|club|updates|games\.\w+\.\w+|table\.store)\b"
    assert not [name for name in modules if re.match(work, name)]
    others = {f"companion.cli.{name.replace('-', '_')}" for name in COMMANDS if name != command}
    assert not modules & others


# --- the operating system ---


def test_output_that_takes_nothing_more_is_called_so(tmp_path: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "companion", "replay", str(next(GOLDEN.glob("*.jsonl")))],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert (done.returncode, done.stderr) == (2, "stationmaster: output: No space left on device\n")


def test_a_complaint_about_no_file_is_not_one_about_the_output(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_device(_file: str) -> None:
        raise OSError(errno.ENODEV, "No such device")

    monkeypatch.setattr("companion.table.journal.read_journal", no_device)
    assert run("replay", "x") == (2, "", "stationmaster: No such device\n")


def test_a_complaint_without_words_is_called_by_its_name(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def too_slow(_file: str) -> None:
        raise TimeoutError

    monkeypatch.setattr("companion.table.journal.read_journal", too_slow)
    assert run("replay", "x") == (2, "", "stationmaster: TimeoutError\n")
