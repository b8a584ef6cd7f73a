"""The hub's command where the hub's distribution is installed, and where it is not."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.metadata import EntryPoints
from pathlib import Path

import pytest

from companion.cli import main
from tests.hub.houses import embedded, needs_signing


def test_the_command_is_found_by_its_entry_point(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["hub", "--help"])
    assert left.value.code == 0
    assert "--stream SERVERS" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [["hub"], ["hub", "--help"], ["hub", "--check", "--json"]])
def test_without_the_hub_one_sentence_says_what_to_do(
    arguments: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.metadata.entry_points", lambda **_: EntryPoints())
    assert main(arguments) == 2
    told = capsys.readouterr()
    assert not told.out
    assert told.err.startswith("stationmaster: the hub of a club is not installed here: ")
    assert "make hub" in told.err
    assert told.err.count("\n") == 1


def test_the_list_of_commands_has_it_anyway(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.metadata.entry_points", lambda **_: EntryPoints())
    with pytest.raises(SystemExit):
        main(["--help"])
    assert "the club's hub" in capsys.readouterr().out


@needs_signing
def test_a_new_pin_is_printed_at_once_and_counts_in_a_hub_that_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    night = embedded(tmp_path)
    options = ["hub", "--folder", str(tmp_path), "--new-pin"]
    assert main([*options, "--json"]) == 0
    first = json.loads(capsys.readouterr().out)
    assert main(options) == 0
    second = capsys.readouterr().out
    assert "The organiser's PIN is " in second
    pin, key = second.split("PIN is ")[1][:6], second.split("key is ")[1][:19]
    session = "/api/v1/organiser/session"
    assert night.client.post(session, json={"pin": first["pin"]}).status_code == 403
    assert night.client.post(session, json={"pin": first["key"]}).status_code == 403
    assert night.client.post(session, json={"pin": pin}).status_code == 200
    assert night.client.post(session, json={"pin": key}).status_code == 200
    night.stop()


def test_other_commands_look_for_no_distribution() -> None:
    asked = "parsed(['games']); print('importlib.metadata' in sys.modules)"
    looked = f"import sys; from companion.cli import parsed; {asked}"
    done = subprocess.run([sys.executable, "-c", looked], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
