"""A release: its version in every place, its changelog, its files with notes and checksums."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from pathlib import Path

import pytest

from lab.release import (
    CHANGELOG,
    PLACES,
    ROOT,
    ReleaseError,
    check_changelog,
    make,
    set_version,
    version_of,
)

FILES = sorted({name for name, _ in PLACES} | {CHANGELOG})
TEXT = """# Changelog

## [Unreleased]

### Added

- A [bell](docs/bell.md), from [a shop](https://example.org).

### Fixed

- The lamp.

## [0.1.0]

### Added

- Dice.
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name in FILES:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / CHANGELOG).write_text(TEXT)
    (tmp_path / ".gitignore").write_text("build/\n")
    return tmp_path


def committed(project: Path) -> None:
    named = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.org"]
    for words in (
        ["init", "--quiet"],
        ["add", "--all"],
        [*named, "commit", "--quiet", "--message", "A release"],
    ):
        subprocess.run(["git", *words], cwd=project, check=True, capture_output=True)


def built(project: Path, version: str) -> Path:
    build = project / "build"
    build.mkdir()
    for name in (
        f"stationmaster-{version}-py3-none-any.whl",
        "stationmaster-0.1.0-py3-none-any.whl",
        f"stationmaster_hub-{version}-py3-none-any.whl",
        f"stationmaster_{version}_arm64.deb",
        "stationmaster_0.1.0_amd64.deb",
        "stationmaster_arm64.update",
        "stationmaster_amd64.update",
        "signing-key.pem",
        f"stationmaster_{version}_arm64.img.xz",
        "sbom.json",
    ):
        (build / name).write_text(name)
    return build


def test_the_version_is_the_same_everywhere() -> None:
    assert version_of()


def test_a_version_is_written_to_all_its_places(project: Path) -> None:
    set_version("9.8.7", "2030-01-02", project)
    assert version_of(project) == "9.8.7"
    assert (project / "hub/pyproject.toml").read_text().count("9.8.7") == 2
    text = (project / CHANGELOG).read_text()
    assert "## [Unreleased]\n\n## [9.8.7] - 2030-01-02\n\n### Added\n\n- A [bell]" in text
    check_changelog(text, "9.8.7")
    with pytest.raises(ReleaseError, match="nothing stands under Unreleased"):
        set_version("9.8.8", "2030-01-03", project)


def test_a_version_that_differs_somewhere_is_told(project: Path) -> None:
    file = project / "hub/pyproject.toml"
    file.write_text(file.read_text().replace("stationmaster[club]==", "stationmaster[club]==9."))
    with pytest.raises(
        ReleaseError, match=r"^hub/pyproject.toml has version 9\.\S+, companion/__init__.py has "
    ):
        version_of(project)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (TEXT, "something stands under Unreleased"),
        (TEXT.replace("[Unreleased]", "[Unreleased]\n\n## [0.3.0]"), r"has no section \[0.3.0\] with a date"),
        (
            TEXT.replace("[Unreleased]", "[Unreleased]\n\n## [0.3.0] - 2030-01-02").replace(
                "Added", "Security", 1
            ),
            "stand in this order",
        ),
    ],
)
def test_a_changelog_that_is_not_ready_is_told(text: str, problem: str) -> None:
    with pytest.raises(ReleaseError, match=problem):
        check_changelog(text, "0.3.0")


def test_a_release_has_its_files_and_is_the_same_again(project: Path) -> None:
    set_version("0.3.0", "2030-01-02", project)
    committed(project)
    built(project, "0.3.0")
    target = make(project)
    first = {file.name: file.read_bytes() for file in target.iterdir()}
    assert sorted(first) == [
        "NOTES.md",
        "SHA256SUMS",
        "sbom.json",
        "stationmaster-0.3.0-py3-none-any.whl",
        "stationmaster-0.3.0.tar.gz",
        "stationmaster_0.3.0_arm64.deb",
        "stationmaster_0.3.0_arm64.img.xz",
        "stationmaster_arm64.update",
        "stationmaster_hub-0.3.0-py3-none-any.whl",
    ]
    sums = dict(line.split("  ")[::-1] for line in first["SHA256SUMS"].decode().splitlines())
    assert sums == {
        name: hashlib.sha256(content).hexdigest() for name, content in first.items() if name != "SHA256SUMS"
    }
    told = first["NOTES.md"].decode()
    assert "### Added\n\n- A bell, from [a shop](https://example.org).\n\n### Fixed\n\n- The lamp.\n" in told
    assert "- Dice." not in told
    assert {file.name: file.read_bytes() for file in make(project).iterdir()} == first


def test_what_is_not_committed_or_not_built_is_no_release(project: Path) -> None:
    set_version("0.3.0", "2030-01-02", project)
    committed(project)
    with pytest.raises(ReleaseError, match="is missing: make wheel sbom"):
        make(project)
    built(project, "0.3.0")
    (project / CHANGELOG).write_text((project / CHANGELOG).read_text() + "\n")
    with pytest.raises(ReleaseError, match=f"not as it was committed:\n M {CHANGELOG}"):
        make(project)
