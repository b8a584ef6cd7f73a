"""Small signed packages for the tests of updates."""

from __future__ import annotations

from pathlib import Path

from lab.package.archive import Entry, write_deb
from lab.package.signing import made_key, public_half, sign_package

CONTROL = "Package: stationmaster\nVersion: {}\nArchitecture: {}\nMaintainer: x <x@y>\nDescription: x\n"


class Signer:
    """Somebody with a key, and the folder with its public half, as on a box."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.key = made_key(folder / "private.pem")
        self.keys = folder / "keys"
        self.keys.mkdir(exist_ok=True)
        (self.keys / "public.pem").write_bytes(public_half(self.key))

    def package(self, folder: Path, version: str, arch: str = "arm64") -> Path:
        """A package with its signature; the note lies beside it."""
        path = folder / f"stationmaster_{version}_{arch}.deb"
        folder.mkdir(parents=True, exist_ok=True)
        control = {"control": Entry(CONTROL.format(version, arch).encode())}
        write_deb(path, control, {"usr/share/x": Entry(version.encode() * 100)}, 1_700_000_000, 0)
        sign_package(path, version, arch, self.key, 1_700_000_000)
        return path
