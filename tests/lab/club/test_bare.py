"""The document of the club night, tried where nothing is installed yet."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from lab.club.bare import MIRROR, SUITES, bare, documented_commands, lacking


def test_every_command_of_the_set_up_is_found_in_its_order() -> None:
    found = documented_commands()
    assert found[0] == "sudo apt install postgresql nats-server"
    assert [one.split()[3] for one in found if "-u postgres" in one] == ["createuser", "createdb"]
    assert found[-1].startswith("stationmaster hub --database @club-database")


@pytest.mark.slow
@pytest.mark.parametrize("debian", list(SUITES))
def test_the_document_works_on_a_bare_debian(debian: str, tmp_path: Path) -> None:
    if lacking():
        pytest.skip(f"this needs {lacking()}")
    try:
        socket.create_connection((MIRROR.split("/")[2], 80), timeout=10).close()
    except OSError:
        pytest.skip("Debian's packages cannot be reached")
    told = list(bare(debian, tmp_path))
    assert any(line.startswith("hub: ") and line.endswith("answers 200") for line in told)
    assert told[-1].startswith(f"Debian {debian}: everything works as documented")
