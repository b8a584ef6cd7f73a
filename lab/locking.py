"""``make lock``: which files of which libraries an installation takes, as ``requirements.lock``.

pip resolves the dependencies of ``pyproject.toml`` for every Python and machine in :data:`PYTHONS` and
:data:`MACHINES` without installing anything, and tells the SHA-256 of each wheel that it would take. All of
them have to agree on the versions: one lock serves all. The package for boxes has a lock of its own, with
the same versions and what its extras (:data:`PACKAGED`) need beside them.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

PYTHONS = ("3.11", "3.12", "3.13")
# The newest C library that a wheel may ask for is that of the oldest system in use: Debian 11.
MACHINES = {
    machine: [f"manylinux_2_{libc}_{machine}" for libc in range(31, 16, -1)] + [f"manylinux2014_{machine}"]
    for machine in ("x86_64", "aarch64")
}
LOCK = Path("requirements.lock")
PACKAGE_LOCK = Path("lab/package/requirements.lock")
PACKAGED = ("club", "mqtt")  # extras that every packaged box has
_HEAD = (
    "# What an installation takes, by version and SHA-256: Linux on x86-64 and 64-bit ARM, Python "
    f"{PYTHONS[0]} to {PYTHONS[-1]}.",
    "# Made from pyproject.toml by `make lock`; not written by hand.",
)
Versions: TypeAlias = dict[str, str]
Hashes: TypeAlias = dict[str, set[str]]


def main() -> int:
    """Write the locks; where pip cannot resolve, its own words are on standard error."""
    project = tomllib.loads(Path("pyproject.toml").read_text())["project"]
    extras = [entry for extra in PACKAGED for entry in project["optional-dependencies"][extra]]
    versions: Versions = {}
    for path, wanted in (
        (LOCK, project["dependencies"]),
        (PACKAGE_LOCK, [*project["dependencies"], *extras]),
    ):
        hashes: Hashes = defaultdict(set)
        for python in PYTHONS:
            for machine, platforms in MACHINES.items():
                print(f"{path}: Python {python} on {machine} ...", flush=True)  # noqa: T201
                report = _resolved(wanted, python, platforms)
                try:
                    add_report(report, versions, hashes)
                except ValueError as problem:
                    print(f"Python {python} on {machine}: {problem}", file=sys.stderr)  # noqa: T201
                    return 1
        path.write_text("\n".join(lines(versions, hashes)) + "\n")
    return 0


def _resolved(wanted: Sequence[str], python: str, platforms: Sequence[str]) -> Mapping[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report.json"
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed"]
        command += ["--report", str(path), "--target", folder, "--only-binary", ":all:"]
        command += ["--python-version", python, "--implementation", "cp"]
        command += [f"--platform={platform}" for platform in platforms]
        subprocess.run([*command, *wanted], check=True)
        report: Mapping[str, Any] = json.loads(path.read_text())
    return report


def add_report(report: Mapping[str, Any], versions: Versions, hashes: Hashes) -> None:
    """Take in what pip would install on one machine; a ValueError where another one has another version."""
    for item in report["install"]:
        name, version = item["metadata"]["name"].lower().replace("_", "-"), item["metadata"]["version"]
        if versions.setdefault(name, version) != version:
            raise ValueError(f"{name} {version}, but {versions[name]} elsewhere: narrow it in pyproject.toml")
        hashes[name].add(item["download_info"]["archive_info"]["hashes"]["sha256"])


def lines(versions: Versions, hashes: Hashes) -> Iterator[str]:
    """The file, in the form that ``pip install --require-hashes -r`` reads."""
    yield from _HEAD
    for name in sorted(hashes):
        entries = [f"{name}=={versions[name]}", *(f"    --hash=sha256:{one}" for one in sorted(hashes[name]))]
        yield " \\\n".join(entries)


if __name__ == "__main__":
    sys.exit(main())
