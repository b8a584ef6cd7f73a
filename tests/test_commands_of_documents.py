"""Every command that documents show in ``sh`` blocks exists: it is run where it can be, else taken apart."""

from __future__ import annotations

import importlib.util
import json
import re
import shlex
from pathlib import Path

import pytest
from werkzeug.routing import RequestRedirect

from companion.cli import parsed
from companion.service.service import Service
from tests.test_documents import DOCUMENTS, ROOT, run
from web import create_app

BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FROM_DEBIAN = {"postgresql", "nats-server"}  # what `apt install` may be told in a block, and is Debian's own
RUN = {"sheet"}  # commands of ours that need nothing but themselves


def commands(document: Path) -> list[str]:
    """The commands of a document's blocks, each in one line."""
    text = "\n".join(BLOCK.findall(document.read_text())).replace("\\\n", " ")
    return [line for line in map(str.strip, text.splitlines()) if line]


SHOWN = [(document, command) for document in DOCUMENTS for command in commands(document)]


@pytest.mark.parametrize(
    ("document", "command"), SHOWN, ids=[f"{document.name}: {command[:50]}" for document, command in SHOWN]
)
def test_a_command_that_a_document_shows_exists(document: Path, command: str, tmp_path: Path) -> None:
    words = shlex.split(command, comments=True)
    words = words[1:] if words[0] == "sudo" else words
    match words:
        case ["stationmaster", name, *_]:
            assert parsed(words[1:]).run
            if name in RUN:
                assert all((tmp_path / file).exists() for file in run(command, tmp_path).splitlines())
        case ["make", target, *_]:
            assert f"\n{target}:" in (ROOT / "Makefile").read_text()
        case ["python", "-m", module, *options]:
            assert_module_knows(module, options)
        case ["curl", *_] | ["docker", "run", *_, "stationmaster"] | ["pyftsubset", *_]:
            pass  # asked for below, where there are pages; test_images.py runs it, without Docker; not ours
        case ["apt", "install", *packages]:
            assert {*packages} <= FROM_DEBIAN or packages[0].startswith("./stationmaster_")
        case (
            ["-u", "postgres", "createuser" | "createdb", *_]
            | ["install", "-d" | "-m", *_]
            | ["chown" | "chmod", _, "/etc/nats-server.conf"]
            | ["systemctl", "restart", "nats-server"]
        ):
            pass  # tests/hub/test_engines.py runs them
        case ["docker", "build", "-f", recipe, "--target", target, "-t", _, "."]:
            assert re.search(rf"^FROM \S+ AS {target}$", (ROOT / recipe).read_text(), re.MULTILINE)
        case ["source", ".venv/bin/activate"]:
            assert "VENV ?= .venv" in (ROOT / "Makefile").read_text()
        case _:
            pytest.fail(f"{document.name} shows a command of a kind that nobody looks at: {command}")


def assert_module_knows(module: str, options: list[str]) -> None:
    """Its source, or that of a module beside it, names each of the options and subcommands."""
    found = importlib.util.find_spec(module)
    assert found is not None
    assert found.origin is not None
    folder = Path(found.origin).parent
    inside = folder.glob("*.py") if found.submodule_search_locations else [Path(found.origin)]
    source = "".join(file.read_text() for file in inside)
    for option in options:
        if option.startswith("--"):
            assert f'"{option}"' in source, f"{module} knows no {option}"


ASKED = [command for document, command in SHOWN if command.startswith("curl")]


@pytest.mark.parametrize("command", ASKED)
def test_an_address_that_a_document_asks_for_is_there(command: str, house: Service) -> None:
    words = shlex.split(command)
    address = next(word for word in words if word.startswith("http://"))
    sends = "-d" in words or "--data-binary" in words
    path = "/" + address.split("/", 3)[3]
    routes = create_app(house).url_map.bind("box")
    try:
        assert routes.match(path, method="POST" if sends else "GET")
    except RequestRedirect:
        pytest.fail(f"{path} is somewhere else")
    if "-d" in words:
        assert isinstance(json.loads(words[words.index("-d") + 1]), dict)


def test_the_clubs_compose_file_builds_its_hub_from_this_folder() -> None:
    compose = (ROOT / "docs/club-compose.yaml").read_text()
    hub = compose[compose.index("  hub:\n") : compose.index("  proxy:\n")]
    assert "image:" not in hub
    build = re.search(r"build: \{ context: (\S+), dockerfile: (\S+), target: hub \}", hub)
    told = re.search(r"command: (.+)\n", hub)
    assert build is not None
    assert told is not None
    context, dockerfile = build.groups()
    assert (ROOT / "docs" / context).resolve() == ROOT
    recipe = (ROOT / dockerfile).read_text()
    assert 'ENTRYPOINT ["stationmaster"]' in recipe
    assert re.search(r"^FROM \w+ AS hub$", recipe, re.MULTILINE)
    words = shlex.split(re.sub(r"\$\{\w+:?-?(\w*)\}", r"\1", told[1]))
    request = parsed(words)
    assert request.name == "Our club"
    assert request.database == request.stream == ""  # their passwords are in the environment
    kept = (ROOT / f"{dockerfile}.dockerignore").read_text().split()
    assert kept[0] == "*"
    assert all((ROOT / name[1:]).exists() for name in kept[1:])
    assert {f"!{name}" for name in ("companion", "hub", "vision", "firmware_bridge", "web")} < {*kept}
