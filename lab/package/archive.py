"""Writing a Debian package: an ``ar`` archive with two compressed ``tar`` archives.

Written here so that it can be made on any machine, without being root, and is the same byte for byte when it
is made twice.
"""

from __future__ import annotations

import io
import lzma
import tarfile
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from hashlib import md5
from pathlib import Path


@dataclass(frozen=True)
class Entry:
    """A file of the package; ``link`` makes it a symbolic link."""

    content: bytes = b""
    mode: int = 0o644
    link: str = ""


def write_deb(
    path: Path, control: Mapping[str, Entry], files: Mapping[str, Entry], when: int, preset: int
) -> None:
    """``files`` are named by where they go, without the leading slash; preset 0 packs nothing, for trials.

    Equal files are one file with several names (hard links).
    """
    sums = "".join(
        f"{md5(entry.content, usedforsecurity=False).hexdigest()}  {name}\n"
        for name, entry in sorted(files.items())
        if not entry.link
    )
    whole = {**control, "md5sums": Entry(sums.encode())}
    parts = {
        "debian-binary": b"2.0\n",
        "control.tar.xz": _packed(whole, when, 6),
        "data.tar.xz" if preset else "data.tar": _packed(files, when, preset),
    }
    with path.open("wb") as out:
        out.write(b"!<arch>\n")
        for name, content in parts.items():
            out.write(ar_header(name, len(content), when) + content + b"\n" * (len(content) % 2))


def ar_header(name: str, size: int, when: int) -> bytes:
    """The line before a member of an ``ar`` archive."""
    return f"{name:<16}{when:<12}{0:<6}{0:<6}{0o100644:<8o}{size:<10}`\n".encode()


def _packed(entries: Mapping[str, Entry], when: int, preset: int) -> bytes:
    made = io.BytesIO()
    with (
        lzma.open(made, "wb", preset=preset) if preset else nullcontext(made) as packed,
        tarfile.open(fileobj=packed, mode="w|", format=tarfile.GNU_FORMAT) as tar,
    ):
        for folder in sorted({str(parent) for name in entries for parent in Path(name).parents}):
            tar.addfile(_info(folder, when, tarfile.DIRTYPE, 0o755))
        packed_as: dict[Entry, str] = {}
        for name, entry in sorted(entries.items()):
            if entry.link:
                info = _info(name, when, tarfile.SYMTYPE, 0o777)
                info.linkname = entry.link
                tar.addfile(info)
            elif entry.content and (first := packed_as.setdefault(entry, name)) != name:
                info = _info(name, when, tarfile.LNKTYPE, entry.mode)
                info.linkname = f"./{first}"
                tar.addfile(info)
            else:
                info = _info(name, when, tarfile.REGTYPE, entry.mode)
                info.size = len(entry.content)
                tar.addfile(info, io.BytesIO(entry.content))
    return made.getvalue()


def _info(name: str, when: int, kind: bytes, mode: int) -> tarfile.TarInfo:
    info = tarfile.TarInfo("./" if name == "." else f"./{name}")
    info.type, info.mode, info.mtime = kind, mode, when
    info.uname = info.gname = "root"
    return info
