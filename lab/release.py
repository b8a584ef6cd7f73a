"""A release: ``python -m lab.release --set 0.3.0`` prepares it, ``make release`` makes its files.

``--set`` writes the version to each of its places (:data:`PLACES`; the first is where it is read from) and
gives the changelog's *Unreleased* section its number and date. After that is committed, ``make release`` puts
everything that is published into ``build/release``: wheels of both packages, the sources, the Debian packages
and update files that ``make deb`` has made, the card's image that ``make image`` has made, the bill of
materials, the notes and the checksums. All of it is the same byte for byte from the same commit, but for the
image, which has the newest Raspberry Pi OS. Nothing is uploaded and nothing is tagged.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).parents[1]
PLACES = (
    ("companion/__init__.py", r'(?m)^__version__ = "([^"]+)"$'),
    ("pyproject.toml", r'(?m)^version = "([^"]+)"$'),
    ("hub/pyproject.toml", r'(?m)^version = "([^"]+)"$'),
    ("hub/pyproject.toml", r'"stationmaster\[club\]==([^"]+)"'),
    ("README.md", r"(?m)^Version (\d+\.\d+\.\d+),"),
)
CHANGELOG = "CHANGELOG.md"
UNRELEASED = "## [Unreleased]\n"
KINDS = ("Added", "Changed", "Deprecated", "Removed", "Mended", "Fixed", "Security")  # in this order
_OF_THE_FOLDER = re.compile(r"\[([^\]]+)\]\((?!https?:)[^)]+\)")  # links that lead nowhere beside the files
_VERSION = re.compile(r"\d+\.\d+\.\d+")
_SUMS = "SHA256SUMS"
_NOTES = "NOTES.md"
_WHEEL = "{name}-{version}-py3-none-any.whl"
_BOM = "sbom.json"


class ReleaseError(Exception):
    """What has to be done before there can be a release."""


def version_of(root: Path = ROOT) -> str:
    """The version, which all its places have to agree on."""
    version = _found(root, *PLACES[0])[1]
    for name, pattern in PLACES[1:]:
        other = _found(root, name, pattern)[1]
        if other != version:
            raise ReleaseError(f"{name} has version {other}, {PLACES[0][0]} has {version}")
    return version


def _found(root: Path, name: str, pattern: str) -> re.Match[str]:
    found = re.search(pattern, (root / name).read_text())
    if found is None:
        raise ReleaseError(f"{name} names no version")
    return found


def set_version(version: str, day: str, root: Path = ROOT) -> None:
    """Write the version to all its places, and to the changelog with the day."""
    if not _VERSION.fullmatch(version):
        raise ReleaseError(f"{version!r} is no version: write three numbers, as 0.3.0")
    text = (root / CHANGELOG).read_text()
    if not section(text, "Unreleased").strip():
        raise ReleaseError("nothing stands under Unreleased in the changelog")
    if f"## [{version}]" in text:
        raise ReleaseError(f"the changelog has version {version} already")
    (root / CHANGELOG).write_text(text.replace(UNRELEASED, f"{UNRELEASED}\n## [{version}] - {day}\n", 1))
    for name, pattern in PLACES:
        found = _found(root, name, pattern)
        file = (root / name).read_text()
        (root / name).write_text(file[: found.start(1)] + version + file[found.end(1) :])


def section(text: str, name: str) -> str:
    """What the changelog says of a version, without its heading.

    >>> section("## [Unreleased]\\n\\n## [0.2.0] - 2026-11-18\\n\\n- Dice.\\n\\n## [0.1.0]\\n", "0.2.0")
    '- Dice.\\n'
    """
    found = re.search(rf"(?ms)^## \[{re.escape(name)}\][^\n]*\n(.*?)(?=^## |\Z)", text)
    if found is None:
        raise ReleaseError(f"the changelog has no section [{name}]")
    return f"{found[1].strip()}\n" if found[1].strip() else ""


def check_changelog(text: str, version: str) -> None:
    """The version has its section and its day, nothing waits above it, kinds of changes are in order."""
    if section(text, "Unreleased"):
        raise ReleaseError(f"something stands under Unreleased: python -m lab.release --set {version}")
    if not re.search(rf"(?m)^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d$", text):
        raise ReleaseError(f"the changelog has no section [{version}] with a date")
    headings = re.findall(r"(?m)^### (.+)$", section(text, version))
    kinds = [heading for heading in headings if heading in KINDS]
    if kinds != sorted(kinds, key=KINDS.index):
        raise ReleaseError(f"kinds of changes stand in this order: {', '.join(KINDS)}; subjects may follow")


def collect(build: Path, target: Path, version: str) -> list[Path]:
    """Copy what is published from the build folder; what has to be there and is not is an error."""
    needed = [_WHEEL.format(name=name, version=version) for name in ("stationmaster", "stationmaster_hub")]
    for name in (*needed, _BOM):
        if not (build / name).exists():
            raise ReleaseError(f"{build.name}/{name} is missing: make wheel sbom")
    packages = sorted(build.glob(f"stationmaster_{version}_*.deb"))
    updates = [build / f"stationmaster_{deb.stem.rpartition('_')[2]}.update" for deb in packages]
    images = sorted(build.glob(f"stationmaster_{version}_*.img.xz"))
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    for file in (*(build / name for name in (*needed, _BOM)), *packages, *updates, *images):
        shutil.copyfile(file, target / file.name)
    return sorted(target.iterdir())


def notes(version: str, changes: str, files: Iterable[Path]) -> str:
    """What is told beside the files: what changed, what each file is for, how it is checked."""
    told = {
        ".xz": "for a memory card: write it with Raspberry Pi Imager, switch the Pi on, open http://stationmaster.local/",
        ".deb": "for a box: `sudo apt install ./FILE` (arm64: Raspberry Pi; amd64: PC)",
        ".update": "for boxes that fetch updates: beside the .deb, at the address in their settings",
        ".whl": "a Python package: the box with its command, or the hub of a club",
        ".gz": "the sources of this version",
        ".json": "the bill of materials (CycloneDX)",
    }
    rows = [f"| `{file.name}` | {told[file.suffix]} |" for file in files]
    changes = _OF_THE_FOLDER.sub(r"\1", changes)
    table = "\n".join(["| file | what for |", "|---|---|", *rows])
    return (
        f"# Stationmaster {version}\n\n{changes}\n## Files\n\n{table}\n\n"
        f"`sha256sum --check {_SUMS}` checks them. The same commit makes the same files, but for the image: "
        "`make release`.\n"
    )


def checksums(files: Iterable[Path]) -> str:
    """One line for each file, as ``sha256sum --check`` reads them."""
    return "".join(f"{sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files)


def make(root: Path = ROOT) -> Path:
    """Put everything into ``build/release``; returns that folder."""
    version = version_of(root)
    text = (root / CHANGELOG).read_text()
    check_changelog(text, version)
    changed = _git(root, "status", "--porcelain")
    if changed:
        raise ReleaseError(f"the folder is not as it was committed:\n{changed}")
    target = root / "build/release"
    collect(root / "build", target, version)
    archive = target / f"stationmaster-{version}.tar.gz"
    _git(root, "archive", f"--prefix=stationmaster-{version}/", f"--output={archive}", "HEAD")
    files = sorted(target.iterdir())
    (target / _NOTES).write_text(notes(version, section(text, version), files))
    (target / _SUMS).write_text(checksums([*files, target / _NOTES]))
    return target


def _git(root: Path, *words: str) -> str:
    return subprocess.run(["git", *words], cwd=root, check=True, capture_output=True, text=True).stdout


def main(arguments: Sequence[str] | None = None) -> int:
    """Prepare a version, check it, or make its files."""
    parser = argparse.ArgumentParser(prog="python -m lab.release", description=__doc__)
    parser.add_argument("--set", metavar="VERSION", help="write this version everywhere; commit it then")
    parser.add_argument("--check", action="store_true", help="only whether versions and changelog agree")
    parser.add_argument("--tag", default="", help="with --check: and this tag, as v0.3.0")
    request = parser.parse_args(arguments)
    try:
        if request.set:
            set_version(request.set, f"{datetime.now(UTC):%Y-%m-%d}")
        elif request.check:
            version = version_of()
            check_changelog((ROOT / CHANGELOG).read_text(), version)
            if request.tag not in ("", f"v{version}"):
                raise ReleaseError(f"the tag {request.tag} is not that of version {version}")
        else:
            made = make().relative_to(ROOT)
            sys.stdout.write(f"{made}: git tag v{version_of()}, then publish these files\n")
    except ReleaseError as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
