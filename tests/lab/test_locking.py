"""The lock of an installation: what pip reports becomes one file that serves every machine."""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from lab.locking import LOCK, PACKAGE_LOCK, PACKAGED, Hashes, add_report, lines

ROOT = Path(__file__).parents[2]


def report(name: str, version: str, digest: str) -> dict[str, Any]:
    """What pip tells of one library."""
    archive = {"hashes": {"sha256": digest}}
    return {
        "install": [
            {"metadata": {"name": name, "version": version}, "download_info": {"archive_info": archive}}
        ]
    }


def test_reports_of_several_machines_become_one_lock() -> None:
    versions: dict[str, str] = {}
    hashes: Hashes = defaultdict(set)
    add_report(report("Flask", "3.1.3", "aa"), versions, hashes)
    add_report(report("pi_heif", "1.4.0", "cc"), versions, hashes)
    add_report(report("pi_heif", "1.4.0", "bb"), versions, hashes)
    assert list(lines(versions, hashes))[2:] == [
        "flask==3.1.3 \\\n    --hash=sha256:aa",
        "pi-heif==1.4.0 \\\n    --hash=sha256:bb \\\n    --hash=sha256:cc",
    ]


def test_machines_that_want_different_versions_are_told() -> None:
    versions: dict[str, str] = {}
    hashes: Hashes = defaultdict(set)
    add_report(report("numpy", "2.4.6", "aa"), versions, hashes)
    with pytest.raises(ValueError, match=r"numpy 2\.3\.0, but 2\.4\.6 elsewhere: narrow it"):
        add_report(report("numpy", "2.3.0", "bb"), versions, hashes)


@pytest.mark.parametrize(("lock", "extras"), [(LOCK, ()), (PACKAGE_LOCK, PACKAGED)])
def test_the_lock_has_every_dependency_and_names_no_place_to_get_it_from(
    lock: Path, extras: tuple[str, ...]
) -> None:
    text = (ROOT / lock).read_text()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    of_extras = [project["optional-dependencies"][extra] for extra in extras]
    wanted = sum(of_extras, project["dependencies"])
    locked = dict(re.findall(r"^(\S+)==(\S+) \\$", text, re.M))
    missing = [entry for entry in wanted if re.split(r"[<>=]", entry)[0] not in locked]
    assert not missing, "make lock"
    assert "://" not in text
    assert "--index" not in text
    assert len(re.findall(r"--hash=sha256:[0-9a-f]{64}\b", text)) >= len(locked)


def test_the_package_has_what_every_other_installation_has_in_the_same_versions() -> None:
    usual, packaged = ((ROOT / lock).read_text().split("\n")[2:] for lock in (LOCK, PACKAGE_LOCK))
    assert set(usual) < set(packaged)
