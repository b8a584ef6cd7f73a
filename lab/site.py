"""``make site``: the documents as static pages with search, in ``build/site/pages``.

MkDocs makes them, with its built-in theme: nothing is fetched from anywhere, by the build or by the pages. It
wants all sources in one folder, so the documents are copied to ``build/site/source``, each to the place that
it has here. A link to a document or a picture stays; one to a source file, which is not among the pages,
becomes its bare words. The menu is in ``lab/site.yml``, which a test compares with what there is.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parents[1]
CONFIG = Path(__file__).with_name("site.yml")
STYLE = Path(__file__).with_name("site.css")
SOURCE = ROOT / "build/site/source"
PAGES = ROOT / "build/site/pages"
_BEGINNINGS = ("README.md", "docs/README.md")  # from these every document is reached
_SHOWN = (".md", ".png", ".svg", ".webp", ".jpg", ".stl", ".yaml")
_LINK = re.compile(r"(?<!!)\[(?P<words>(?:[^\]\[]|\[[^\]]*\])+)\]\((?P<to>[^)\s]+)\)")
_PICTURE = re.compile(r"!\[[^\]]*\]\((?P<to>[^)\s]+)\)")
_FENCE = re.compile(r"^(```.*?^```)$", re.MULTILINE | re.DOTALL)


def documents(root: Path = ROOT) -> Mapping[str, str]:
    """The text of each document that can be reached, by its path; links to source files taken out."""
    found: dict[str, str] = {}
    waiting = list(_BEGINNINGS)
    for path in waiting:
        if path not in found:
            found[path] = _as_page(root, path)
            waiting += [to for to in linked(path, found[path]) if to.endswith(".md")]
    return found


def linked(path: str, text: str) -> Iterator[str]:
    """The files that a document links to or shows, as paths from the root."""
    for link in (*_LINK.finditer(text), *_PICTURE.finditer(text)):
        target = link["to"].partition("#")[0]
        if target and ":" not in target:
            yield resolved(path, target)


def resolved(path: str, target: str) -> str:
    """Where a relative link of a document leads.

    >>> resolved("docs/install.md", "../lab/package/README.md")
    'lab/package/README.md'
    """
    parts: list[str] = []
    for part in (*PurePosixPath(path).parent.parts, *PurePosixPath(target).parts):
        if part == "..":
            parts.pop()
        else:
            parts.append(part)
    return "/".join(parts)


def _as_page(root: Path, path: str) -> str:
    def kept(link: re.Match[str]) -> str:
        target = link["to"].partition("#")[0]
        if not target or ":" in target:
            return link[0]
        file = root / resolved(path, target)
        return link[0] if file.is_file() and file.suffix in _SHOWN else link["words"]

    parts = _FENCE.split((root / path).read_text())
    return "".join(part if part.startswith("```") else _LINK.sub(kept, part) for part in parts)


def write_sources(target: Path, root: Path = ROOT) -> None:
    """Copy the documents and what they show."""
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    shutil.copyfile(STYLE, target / STYLE.name)
    for path, text in documents(root).items():
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        (target / path).write_text(text)
        for other in linked(path, text):
            if not other.endswith(".md"):
                (target / other).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(root / other, target / other)


def main() -> int:
    """Write the sources and have MkDocs make pages of them; a link that leads nowhere ends it."""
    write_sources(SOURCE)
    made = subprocess.run(
        [
            sys.executable,
            "-m",
            "mkdocs",
            "build",
            "--quiet",
            "--strict",
            "--clean",
            "--config-file",
            str(CONFIG),
        ],
        check=False,
    )
    if made.returncode == 0:
        sys.stdout.write(f"{PAGES / 'index.html'}\n")
    return made.returncode


if __name__ == "__main__":
    sys.exit(main())
