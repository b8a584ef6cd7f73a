"""The libraries of the package's lock as wheels for another machine, and their files."""

from __future__ import annotations

import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from lab.locking import MACHINES, PACKAGE_LOCK

# Both are named by libraries that do not use them once they are compiled.
UNUSED = ("pycparser", "setuptools")
# Tests, headers, type stubs, compilers' helpers, pictures that the box refuses (AVIF), colours and windows
# that it does not have: nothing of it is read when the table runs.
_LEFT_OUT = (
    "numpy/f2py/",
    "numpy/_core/include/",
    "numpy/_core/lib/",
    "numpy/_core/_multiarray_tests.",
    "numpy/_core/_simd.",
    "numpy/distutils/",
    "numpy/polynomial/",
    "numpy/linalg/lapack_lite.",
    "numpy/testing/",
    "cv2/data/",
    "cffi/",
    "charset_normalizer/",
    "PIL/_avif.",
    "PIL/_imagingcms.",
    "PIL/_imagingmath.",
    "PIL/_imagingmorph.",
    "PIL/_imagingtk.",
    "pillow.libs/libavif-",
    "pillow.libs/liblcms2-",
    "reportlab/fonts/DarkGarden",
    "reportlab/graphics/",
    "reportlab/platypus/",
    "serial/rfc2217.",
    "serial/tools/miniterm.",
    "serial/urlhandler/",
)
# Pictures that Pillow is asked for, and those that it looks at first, or for what a JPEG brings along.
_PICTURES = ("Bmp", "Gif", "Jpeg", "Mpo", "Png", "Ppm", "Tiff", "WebP")
_ENDINGS = (".pyi", ".pyx", ".pxd", ".a", ".h", ".c", ".xml", ".pfb")


class Library(Protocol):
    """A library with its files, for one Python or for all."""

    @property
    def python(self) -> str:
        """``cp311``; empty for all."""

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Names in a folder of modules, and contents."""


@dataclass(frozen=True)
class Wheel:
    """A library built for one Python (``cp311``), or for all of them (``py3`` and stable interfaces)."""

    path: Path

    @property
    def name(self) -> str:
        """As its file is called.

        >>> Wheel(Path("x/numpy-2.4.6-cp311-cp311-manylinux_2_28_aarch64.whl")).name
        'numpy'
        """
        return self.path.name.split("-")[0].lower()

    @property
    def python(self) -> str:
        """The one Python it is for; empty when it is for all of them.

        >>> Wheel(Path("numpy-2.4.6-cp311-cp311-manylinux_2_28_aarch64.whl")).python
        'cp311'
        >>> Wheel(Path("opencv_python_headless-4.14.0.94-cp37-abi3-manylinux_2_28_aarch64.whl")).python
        ''
        """
        _, python, abi, _ = self.path.stem.rsplit("-", 3)
        return "" if abi in ("none", "abi3") else python

    def files(self) -> Iterator[tuple[str, bytes]]:
        """What it puts into a folder of modules: name and content."""
        with zipfile.ZipFile(self.path) as archive:
            for entry in sorted(archive.namelist()):
                name = _place(entry)
                if name and not entry.endswith("/") and is_wanted(name):
                    yield name, archive.read(entry)


def _place(entry: str) -> str:
    """Where a wheel's entry belongs; nowhere for its programs and headers.

    >>> _place("segno-1.6.6.data/purelib/segno/x.py"), _place("segno/x.py"), _place("a-1.data/scripts/a")
    ('segno/x.py', 'segno/x.py', '')
    """
    first, _, rest = entry.partition("/")
    if not first.endswith(".data"):
        return entry
    kind, _, name = rest.partition("/")
    return name if kind in ("purelib", "platlib") else ""


def is_wanted(name: str) -> bool:
    """Is this file of a library ever read when the table runs?"""
    folders = name.split("/")[:-1]
    in_numpy = folders[:1] == ["numpy"] and "tests" in folders
    picture = re.fullmatch(r"PIL/(\w+)ImagePlugin\.py", name)
    strange = picture is not None and picture[1] not in _PICTURES
    return not (in_numpy or strange or name.startswith(_LEFT_OUT) or name.endswith(_ENDINGS))


def fetched(folder: Path, python: str, machine: str) -> list[Wheel]:
    """The locked wheels for a Python (``3.11``) on a machine (``aarch64``), from the cache or the network."""
    place = folder / f"{machine}-{python}"
    place.mkdir(parents=True, exist_ok=True)
    number = python.replace(".", "")
    abis = [f"--abi={abi}" for abi in (f"cp{number}", "abi3", "none")]
    platforms = [f"--platform={platform}" for platform in MACHINES[machine]]
    command = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--disable-pip-version-check",
        "--no-input",
        "--quiet",
    ]
    command += [
        "--require-hashes",
        "--no-deps",
        "--only-binary=:all:",
        f"--dest={place}",
        f"-r{PACKAGE_LOCK}",
    ]
    known = place / "of-lock"  # which lock's wheels lie here
    if not known.exists() or known.read_bytes() != PACKAGE_LOCK.read_bytes():
        for old in place.glob("*.whl"):
            old.unlink()
        _download([*command, f"--python-version={python}", "--implementation=cp", *abis, *platforms])
        known.write_bytes(PACKAGE_LOCK.read_bytes())
    return [wheel for wheel in map(Wheel, sorted(place.glob("*.whl"))) if wheel.name not in UNUSED]


def _download(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"the libraries could not be fetched:\n{done.stderr}")
