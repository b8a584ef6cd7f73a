"""The compose file of the documentation, as far as that goes without Docker: options, extras, names."""

from __future__ import annotations

import argparse
import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest

from companion.cli import parsed
from hub.engines import engine_address

DOCS = Path(__file__).parents[2] / "docs"


def compose() -> dict[str, Any]:
    yaml = pytest.importorskip("yaml", reason="PyYAML, which a tool of the tests brings, is not installed")
    told: dict[str, Any] = yaml.safe_load((DOCS / "club-compose.yaml").read_text(encoding="utf-8"))
    return told


def hub_options(command: str) -> argparse.Namespace:
    arguments = shlex.split(command.replace("\\\n", " "))
    return parsed(arguments[arguments.index("hub") :])


def test_the_hub_of_the_compose_file_starts_with_options_that_exist() -> None:
    services = compose()["services"]
    start = services["hub"]["command"].replace("$$", "$")
    image = (DOCS / services["hub"]["build"]["context"] / services["hub"]["build"]["dockerfile"]).read_text()
    extras = re.search(r"pip install [^\n]* \. '\./hub\[(.+)\]'", image)
    assert extras is not None
    known = tomllib.loads((DOCS.parent / "hub/pyproject.toml").read_text())["project"][
        "optional-dependencies"
    ]
    assert set(extras[1].split(",")) <= set(known)
    chosen = hub_options(start)
    told = services["hub"]["environment"]
    assert engine_address("database", "", told) == "postgresql://club:${CLUB_PASSWORD}@postgres/club"
    assert engine_address("stream", "", told) == "nats://club:${CLUB_PASSWORD}@nats:4222"
    assert "PASSWORD" not in start  # it would stand in ps
    server = compose()["configs"]["nats"]["content"].replace("$$", "$")
    assert "user: club, password: $CLUB_PASSWORD" in server
    assert "jetstream" in server
    assert set(services["hub"]["depends_on"]) == {"postgres", "nats"}
    database = services["postgres"]["environment"]
    assert (database["POSTGRES_USER"], database["POSTGRES_DB"]) == ("club", "club")
    assert "proxy_buffering off" in services["proxy"]["command"]
    assert f"http://hub:{chosen.port};" in services["proxy"]["command"]
    volumes = [one["volumes"][0].partition(":")[0] for one in services.values() if "volumes" in one]
    assert set(volumes) == set(compose()["volumes"])


def test_the_commands_of_the_document_are_those_that_exist() -> None:
    text = (DOCS / "club-night.md").read_text(encoding="utf-8")
    commands = re.findall(r"^stationmaster hub(?:[^\\\n]|\\\n)*", text, re.MULTILINE)
    assert len(commands) >= 2
    for command in commands:
        chosen = hub_options(command)
        assert chosen.name or chosen.stream or chosen.check or chosen.new_pin
