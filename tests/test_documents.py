"""The documents tell the truth: what they show in ``console`` blocks is run and compared."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

ROOT = Path(__file__).parent.parent
DOCUMENTS = [*sorted(ROOT.glob("*.md")), *sorted(ROOT.glob("docs/*.md"))]
DOCUMENTS += sorted(ROOT.glob("companion/**/README.md")) + sorted(ROOT.glob("*/README.md"))
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)")


def sessions(document: Path) -> list[str]:
    return BLOCK.findall(document.read_text())


def steps(session: str) -> list[tuple[str, str]]:
    """The commands of a session, each with the output shown under it."""
    found: list[tuple[str, list[str]]] = []
    for line in session.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif found:
            found[-1][1].append(line)
    return [(command, "\n".join(shown).strip()) for command, shown in found]


def run(command: str, folder: Path) -> str:
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "STATIONMASTER_FOLDER": str(folder / "table"),
        "PROJECT": str(ROOT),  # as the documents call the folder of the sources
    }
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return (done.stdout + done.stderr).strip()


def as_pattern(shown: str) -> str:
    """What is shown, literally; ``...`` stands for anything."""
    return ".*".join(re.escape(part) for part in shown.split("..."))


@pytest.mark.parametrize(
    "document", [d for d in DOCUMENTS if sessions(d)], ids=lambda d: str(d.relative_to(ROOT))
)
def test_what_a_document_shows_is_what_happens(document: Path, tmp_path: Path) -> None:
    for session in sessions(document):
        for command, shown in steps(session):
            printed = run(command, tmp_path)
            assert re.fullmatch(as_pattern(shown), printed, re.DOTALL), f"$ {command}\n{printed}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda d: str(d.relative_to(ROOT)))
def test_links_between_documents_lead_somewhere(document: Path) -> None:
    for target in LINK.findall(document.read_text()):
        assert (document.parent / target).exists(), f"{document.name} links to {target}"


NAMED = re.compile(r"`([\w./-]+\.(?:py|toml|js|html|sql|onnx)|[a-z][\w-]*/[\w./-]*/)`")
# The owner's, one for each version, and as pages call them.
NOT_OURS = {
    "settings.toml",
    "settings-before.toml",
    "version-N.sql",
    "shuttle/page.css",
    "shuttle/controls.html",
}
SOURCES = ("companion", "docs", "firmware_bridge", "hub", "lab", "tests", "vision", "web")


def test_files_that_documents_name_are_there() -> None:
    """By the end of their path, as READMEs say it from their folder; the changelog tells of earlier ones."""
    paths = [*ROOT.glob("*"), *(path for folder in SOURCES for path in (ROOT / folder).rglob("*"))]
    there = "\n".join(
        f"/{path.relative_to(ROOT).as_posix()}" for path in paths if "__pycache__" not in path.parts
    )
    missing = [
        (document.name, name)
        for document in DOCUMENTS
        if document.name != "CHANGELOG.md"
        for name in NAMED.findall(document.read_text())
        if name not in NOT_OURS
        and not name.startswith(("/", "build/"))
        and not re.search(rf"/{re.escape(name.strip('./').rstrip('/'))}$", there, re.MULTILINE)
    ]
    assert not missing


def test_the_index_leads_to_every_document() -> None:
    index = ROOT / "docs/README.md"
    named = {(index.parent / target.split("#")[0]).resolve() for target in LINK.findall(index.read_text())}
    there = {*(ROOT / "docs").glob("*.md"), *(ROOT / "docs").glob("*.yaml")} - {index}
    assert there <= named


def test_the_readme_begins_with_the_two_commands_and_make_knows_them() -> None:
    readme = (ROOT / "README.md").read_text()
    makefile = (ROOT / "Makefile").read_text()
    for target in re.findall(r"(?:^|`)make ([a-z-]+)", readme, re.MULTILINE):
        assert f"\n{target}:" in makefile
    assert readme.index("make run") < readme.index("make test") < 1500


def test_the_readme_shows_first_what_nobody_else_has() -> None:
    """One picture that moves, wide and light, before any block; a licence; and what was not tried."""
    readme = (ROOT / "README.md").read_text()
    (first,) = re.findall(r"^!\[[^\]]+\]\(([^)]+)\)$", readme.partition("```")[0], re.MULTILINE)
    with Image.open(ROOT / first) as picture:
        assert picture.n_frames == 3  # type: ignore[attr-defined]
        assert picture.width == 2 * picture.height >= 1200
    assert (ROOT / first).stat().st_size < 400_000
    assert "[MIT](LICENSE)" in readme
    assert "## What has been tried" in readme


def test_a_session_is_taken_apart_at_its_prompts() -> None:
    assert steps("$ a\nx\ny\n$ b\n") == [("a", "x\ny"), ("b", "")]
    assert shlex.split("a b") == ["a", "b"]
