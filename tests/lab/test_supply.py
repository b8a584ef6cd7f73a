"""The licences file names everything that is shipped, and the bill of materials says the same."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from zipfile import ZipFile

import pytest

from lab.locking import PACKAGE_LOCK
from lab.supply import ROOT, bill, data_licences, library_licences, locked

LICENCES = (ROOT / "LICENCES.md").read_text()
LOCK = locked((ROOT / PACKAGE_LOCK).read_text())
SHIPPED = ("companion", "firmware_bridge", "hub", "vision", "web")
# Data that somebody has to have made: networks, tables, geography, pictures, fonts. TOML is written by hand.
MADE = ("*.onnx", "*.json", "*.jsonl", "*.svg", "*.png", "*.ttf", "*.otf", "*.woff*", "tags*.txt", "*.npz")


def made_files() -> set[str]:
    found = (path for place in SHIPPED for kind in MADE for path in (ROOT / place).rglob(kind))
    return {path.relative_to(ROOT).as_posix() for path in found if "node_modules" not in path.parts}


def test_every_data_file_that_is_shipped_has_its_licence() -> None:
    assert set(data_licences(LICENCES)) == made_files()


def test_every_library_of_the_lock_has_its_licence() -> None:
    assert set(library_licences(LICENCES)) == {name for name, _, _ in LOCK}


@pytest.mark.parametrize("name", sorted(library_licences(LICENCES)))
def test_a_librarys_licence_is_what_the_library_itself_says(name: str) -> None:
    try:
        told = metadata.metadata(name)
    except metadata.PackageNotFoundError:
        pytest.skip(f"{name} is not installed here: `make run` takes it away again")
    classifiers = [one for one in told.get_all("Classifier") or [] if one.startswith("License")]
    fields = [*(told.get_all("License-Expression") or []), *(told.get_all("License") or [])]
    says = " ".join([*(one[:200] for one in fields), *classifiers])
    family = re.split(r"[-\s]", library_licences(LICENCES)[name])[0]
    known = {"BSD": "BSD", "MIT": "MIT", "Apache": "Apache", "ZPL": "ZPL"}[family]
    assert known in says


PERMISSIVE = {  # by what the wheels' own licence files say
    *(
        "libaom",
        "libavif",
        "libbrotlicommon",
        "libbrotlidec",
        "libcrypto",
        "libdav1d",
        "libdrm",
        "libfreetype",
    ),
    *(
        "libharfbuzz",
        "libjpeg",
        "liblcms2",
        "liblzma",
        "libopenblasp",
        "libopenjp2",
        "libpng16",
        "libssl",
        "libtiff",
    ),
    *(
        "libscipy_openblas64_",
        "libsharpyuv",
        "libvpx",
        "libwebp",
        "libwebpdemux",
        "libwebpmux",
        "libXau",
        "libxcb",
    ),
    "libzstd",
}


def test_shared_libraries_inside_of_what_is_shipped_are_named_where_their_licence_asks_for_it() -> None:
    """Of those that are installed here: the package ships the same wheels."""
    named = set(re.findall(r"^\| (lib\w+) \|", LICENCES, re.MULTILINE))
    found = set()
    for name, _, _ in LOCK:
        try:
            files = metadata.files(name) or []
        except metadata.PackageNotFoundError:
            continue
        found |= {
            file.name.split(".")[0].split("-")[0] for file in files if file.parent.name.endswith(".libs")
        }
    assert found - PERMISSIVE <= named, "a library whose licence nobody has looked at"
    assert not named & PERMISSIVE
    if sys.platform == "linux" and "libheif" in found:
        assert {"libavcodec", "libde265"} <= found


def test_data_that_asks_for_it_goes_with_its_text() -> None:
    assert "The Regents of The University of Michigan" in LICENCES
    assert "THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS" in LICENCES


def test_the_bill_of_materials_has_everything_once_and_is_the_same_each_time() -> None:
    made = bill()
    assert json.dumps(made) == json.dumps(bill())
    assert (made["bomFormat"], made["specVersion"]) == ("CycloneDX", "1.5")
    names = [component["name"] for component in made["components"]]
    assert len(names) == len(set(names)) == len(LOCK) + len(made_files())
    assert all(component["hashes"] and component["licenses"] for component in made["components"])
    assert made["metadata"]["component"]["name"] == "stationmaster"


def test_every_library_is_locked_by_hash() -> None:
    assert all(hashes for _, _, hashes in LOCK)
    assert (ROOT / PACKAGE_LOCK).read_text().count("==") == len(LOCK)


BUILD = "import sys; from setuptools.build_meta import build_wheel; print(build_wheel(sys.argv[1]))"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("project", "packages"),
    [(".", {"companion", "firmware_bridge", "vision", "web"}), ("hub", {"hub"})],
)
def test_a_package_built_twice_is_the_same_byte_for_byte(
    project: str, packages: set[str], tmp_path: Path
) -> None:
    """Other times and another folder change nothing: only what is in the sources counts (`make wheel`)."""
    digests = set()
    for number in (1, 2):
        place, made = tmp_path / f"tree{number}", tmp_path / f"made{number}"
        for name in SHIPPED:
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / name, place / name, copy_function=shutil.copyfile, ignore=ignored)
        for name in ("pyproject.toml", "README.md", "LICENSE", "LICENCES.md"):
            shutil.copyfile(ROOT / name, place / name)
        for path in place.rglob("*"):
            os.utime(path, (1e9 + number * 1e6, 1e9 + number * 1e6))
        made.mkdir()
        environment = {**os.environ, "SOURCE_DATE_EPOCH": "1700000000"}
        done = subprocess.run(
            [sys.executable, "-c", BUILD, made],
            cwd=place / project,
            env=environment,
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr.decode()
        (wheel,) = made.iterdir()
        digests.add(hashlib.sha256(wheel.read_bytes()).hexdigest())
        names = set(ZipFile(wheel).namelist())
        assert {name.split("/")[0] for name in names if ".dist-info" not in name} == packages
        tops = [place / package for package in packages]
        modules = (path for top in tops for path in top.rglob("*.py") if "build" not in path.parts)
        assert {path.relative_to(place).as_posix() for path in modules} <= names
        assert any(re.fullmatch(r"[^/]+dist-info/licenses/LICENSE", name) for name in names)
    assert len(digests) == 1
