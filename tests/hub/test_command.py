"""The hub's command where the hub's distribution is installed, and where it is not."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import EntryPoints

import pytest

from companion.cli import main


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


def test_other_commands_look_for_no_distribution() -> None:
    asked = "parsed(['games']); print('importlib.metadata' in sys.modules)"
    looked = f"import sys; from companion.cli import parsed; {asked}"
    done = subprocess.run([sys.executable, "-c", looked], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
