"""``python -m lab.package [--arch arm64] [--arch amd64]``: the packages, in ``build/``."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType

from companion import __version__
from lab.package.archive import Entry, write_deb
from lab.package.signing import USUAL_KEY, made_key, public_half, sign_package
from lab.package.wheels import Library, fetched

MACHINES = {"arm64": "aarch64", "amd64": "x86_64"}
PYTHONS = ("3.11", "3.13")  # of Debian 12 and 13
ROOT = Path(__file__).parents[2]
FILES = Path(__file__).parent / "files"
HOME = "usr/lib/stationmaster"
OWN = ("companion", "vision", "firmware_bridge", "web")
_WHEN = 1_767_225_600  # 2026-01-01: when all files say they were made
_SCRIPTS = ("preinst", "postinst", "prerm", "postrm")
# Where the files of `files/` go, and as what.
_PLACES = {
    "stationmaster": ("usr/bin/stationmaster", 0o755),
    "boot-wishes": (f"{HOME}/boot-wishes", 0o755),
    "safe-to-unplug": ("usr/lib/systemd/system-shutdown/stationmaster", 0o755),
    "update": (f"{HOME}/update", 0o755),
    "stationmaster-update.path": ("usr/lib/systemd/system/stationmaster-update.path", 0o644),
    "stationmaster-update.service": ("usr/lib/systemd/system/stationmaster-update.service", 0o644),
    "stationmaster.service": ("usr/lib/systemd/system/stationmaster.service", 0o644),
    "stationmaster.sysusers": ("usr/lib/sysusers.d/stationmaster.conf", 0o644),
    "stationmaster.rules": ("usr/lib/udev/rules.d/60-stationmaster.rules", 0o644),
    "stationmaster.polkit": ("usr/share/polkit-1/rules.d/50-stationmaster.rules", 0o644),
    "stationmaster.dnsmasq": ("etc/NetworkManager/dnsmasq-shared.d/stationmaster.conf", 0o644),
    "stationmaster.avahi": ("etc/avahi/services/stationmaster.service", 0o644),
}
_CONFFILES = (
    "etc/NetworkManager/dnsmasq-shared.d/stationmaster.conf",
    "etc/avahi/services/stationmaster.service",
)
_CONTROL = """\
Package: stationmaster
Version: {version}
Architecture: {arch}
Maintainer: The Stationmaster maintainers <stationmaster@localhost>
Installed-Size: {size}
Depends: python3 (>= 3.11), python3 (<< 3.14), libc6 (>= 2.36), tzdata, openssl (>= 3.0),
 systemd | systemd-standalone-sysusers
Recommends: avahi-daemon, polkitd, python3-lgpio
Suggests: rpicam-apps, network-manager, bluez, python3-bleak
Section: games
Priority: optional
Description: box at the end of the game table
 Rolls the dice, reads the boards, keeps the score of railroad games, and shows
 it on everybody's phone. Starts with the machine, at port 80.
"""


def main() -> int:
    """Read the options and build the packages."""
    parser = argparse.ArgumentParser(prog="python -m lab.package", description=__doc__)
    parser.add_argument("--arch", action="append", choices=sorted(MACHINES), help="usually both")
    parser.add_argument("--python", action="append", choices=PYTHONS, help="usually both")
    parser.add_argument("--version", default=__version__, help="another version, to try an update")
    parser.add_argument("--out", type=Path, default=ROOT / "build", help="where the packages go")
    parser.add_argument("--cache", type=Path, default=ROOT / "build/wheels", help="where wheels are kept")
    parser.add_argument("--preset", type=int, default=6, choices=range(10), help="how hard xz tries")
    parser.add_argument("--key", type=Path, default=USUAL_KEY, help="signs updates; made where there is none")
    parser.add_argument("--trust", type=Path, action="append", default=[], help="public keys of others, too")
    parser.add_argument(
        "--micropython", type=Path, action="append", default=[], help="UF2 files for `roller install`"
    )
    options = parser.parse_args()
    key = made_key(options.key)
    extra = {f"{HOME}/micropython/{path.name}": path.read_bytes() for path in options.micropython}
    for arch in options.arch or sorted(MACHINES):
        pythons = options.python or PYTHONS
        wheels = [one for python in pythons for one in fetched(options.cache, python, MACHINES[arch])]
        made = build(options.out, arch, options.version, wheels, options.preset, [key, *options.trust], extra)
        print(f"{made} ({made.stat().st_size / 1e6:.0f} MB), signed with {key}")  # noqa: T201
    return 0


def build(
    out: Path,
    arch: str,
    version: str,
    libraries: Iterable[Library],
    preset: int,
    keys: Sequence[Path],
    extra: Mapping[str, bytes] = MappingProxyType({}),
) -> Path:
    """The package for one kind of machine, signed with the first key.

    It trusts updates of that key, and of the public ones that follow.
    """
    files = dict(_program(version)) | dict(_libraries(libraries)) | dict(_documents())
    for name, (place, mode) in _PLACES.items():
        files[place] = Entry((FILES / name).read_bytes(), mode)
    files |= {place: Entry(content) for place, content in extra.items()}
    key, *others = keys
    for half in (public_half(key), *(path.read_bytes() for path in others)):
        files[f"{HOME}/update-keys/{sha256(half).hexdigest()[:12]}.pem"] = Entry(half)
    words = {"VERSION": version, "ARCH": arch, "PYTHONS": " ".join(_pythons(files))}
    control = {name: Entry(_script(name, words), 0o755) for name in _SCRIPTS}
    size = max(_size(files, python) for python in _pythons(files)) // 1024
    control["control"] = Entry(_CONTROL.format(version=version, arch=arch, size=size).encode())
    control["conffiles"] = Entry("".join(f"/{name}\n" for name in _CONFFILES).encode())
    out.mkdir(parents=True, exist_ok=True)
    path = out / f"stationmaster_{version}_{arch}.deb"
    write_deb(path, control, files, _WHEN, preset)
    sign_package(path, version, arch, key, _WHEN)
    return path


def _pythons(files: Iterable[str]) -> list[str]:
    """The Pythons for which there are libraries."""
    return sorted({part for name in files for part in Path(name).parts if re.fullmatch(r"cp3\d+", part)})


def _size(files: Mapping[str, Entry], python: str) -> int:
    """How many bytes stay where this is the system's Python: `postinst` drops the libraries for others."""
    others = tuple(f"{HOME}/{one}/" for one in _pythons(files) if one != python)
    return sum(
        len(one.content) for one in {one for name, one in files.items() if not name.startswith(others)}
    )


def _script(name: str, words: Mapping[str, str]) -> bytes:
    text = (FILES / name).read_text()
    for place, word in words.items():
        text = text.replace(f"@{place}@", word)
    return text.encode()


def _program(version: str) -> Iterator[tuple[str, Entry]]:
    """Our own modules with their data."""
    for package in OWN:
        for path in sorted((ROOT / package).rglob("*")):
            # Catalogues are read compiled.
            if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".po":
                content = path.read_bytes()
                if path.relative_to(ROOT) == Path("companion/__init__.py"):
                    content = content.replace(__version__.encode(), version.encode())
                yield f"{HOME}/common/{path.relative_to(ROOT)}", Entry(content)


def _libraries(libraries: Iterable[Library]) -> Iterator[tuple[str, Entry]]:
    for library in libraries:
        for name, content in library.files():
            yield f"{HOME}/{library.python or 'common'}/{name}", Entry(content)


def _documents() -> Iterator[tuple[str, Entry]]:
    place = "usr/share/doc/stationmaster"
    licences = [(ROOT / name).read_bytes() for name in ("LICENSE", "LICENCES.md")]
    yield f"{place}/copyright", Entry(b"\n".join(licences))  # ours, and those of what is shipped with it
    for path in [ROOT / "README.md", ROOT / "CHANGELOG.md", ROOT / "LICENCES.md"]:
        yield f"{place}/{path.name}", Entry(path.read_bytes())
    docs = ROOT / "docs"
    for path in sorted(
        [*docs.glob("*.md"), *docs.glob("*.svg"), *docs.glob("case/*"), *docs.glob("walks/*")]
    ):
        yield f"{place}/docs/{path.relative_to(docs)}", Entry(path.read_bytes())


if __name__ == "__main__":
    sys.exit(main())
