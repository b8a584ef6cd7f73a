"""The documents as pages: every document is in the menu, links and anchors are whole, nothing is fetched."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from lab.site import CONFIG, ROOT, _as_page, documents, linked, resolved, write_sources

OUTSIDE = ("tests/companion/table/released", "tests/hub/released")  # notes beside files


@cache
def pages() -> dict[str, str]:
    return dict(documents())


def in_menu() -> list[str]:
    return re.findall(r"^ +- .+: (\S+\.md)$", CONFIG.read_text(), re.MULTILINE)


def anchors(text: str) -> set[str]:
    """As a forge calls the headings of a document."""
    bare = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    titles = re.findall(r"^#+ (.+?) *$", bare, re.MULTILINE)
    words = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).lower() for title in titles]
    return {re.sub(r"[^\w\- ]", "", title).replace(" ", "-") for title in words}


def test_the_menu_has_every_document_once() -> None:
    assert sorted(in_menu()) == sorted(pages())
    folders = ("companion", "docs", "firmware_bridge", "hub", "lab", "tests", "vision", "web")
    here = [*ROOT.glob("*.md"), *(file for folder in folders for file in (ROOT / folder).rglob("*.md"))]
    named = [file.relative_to(ROOT).as_posix() for file in here]
    assert {name for name in named if not name.startswith(OUTSIDE)} <= set(pages())


def test_links_and_anchors_of_all_documents_are_whole() -> None:
    broken = []
    for path, text in pages().items():
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            file, _, anchor = target.partition("#")
            if ":" in file:
                continue
            other = resolved(path, file) if file else path
            if not (ROOT / other).exists() or (anchor and anchor not in anchors(pages()[other])):
                broken.append((path, target))
    assert not broken


def test_a_link_to_a_source_file_becomes_words(tmp_path: Path) -> None:
    (tmp_path / "other.md").write_text("# Other\n")
    (tmp_path / "page.md").write_text(
        "[a](other.md#x) [b `c`](x.py) [d](https://example.org) `[e](x.py)`\n```\n[f](x.py)\n```\n"
    )
    assert _as_page(tmp_path, "page.md").splitlines() == [
        "[a](other.md#x) b `c` [d](https://example.org) `e`",
        "```",
        "[f](x.py)",
        "```",
    ]
    assert list(linked("page.md", "[a](other.md#x) ![p](p.png) [h](#here)")) == ["other.md", "p.png"]


def test_the_pages_are_built_and_fetch_nothing(tmp_path: Path) -> None:
    if importlib.util.find_spec("mkdocs") is None:
        pytest.skip("MkDocs is not installed")
    write_sources(tmp_path / "source")
    config = CONFIG.read_text().replace("../build/site/", f"{tmp_path}/")
    (tmp_path / "site.yml").write_text(config)
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--config-file", "site.yml"]
    made = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stdout + made.stderr
    html = {file: file.read_text() for file in (tmp_path / "pages").rglob("*.html")}
    assert len(html) >= len(pages())
    fetched = r"<(?:script|img|link|iframe|source)\b[^>]*(?:src|href)=\"(?:https?:)?//"
    assert not [file for file, text in html.items() if re.search(fetched, text)]
    styles = "".join(file.read_text() for file in (tmp_path / "pages").rglob("*.css"))
    assert not re.search(r"(?:url\(|@import )[\"']?(?:https?:)?//", styles)
    assert "Nobody knows the PIN" in (tmp_path / "pages/search/search_index.json").read_text()
