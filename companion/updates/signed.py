"""A package with a signature of the project's: what is signed, where it stands, how it is checked.

A Debian package is an ``ar`` archive, and whoever installs one passes over members that come after the three
it needs. The last member of ours is the signature: a statement as one line of JSON (which version, for which
machine, the length and SHA-256 of everything before it), and under it the statement's Ed25519 signature in
base64. The same two lines lie beside the package as ``NAME.update``, so that a box can ask an address what is
new without fetching all of it. ``openssl`` computes; keys are PEM files in a folder.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import re
import subprocess
import tempfile
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO

from companion.core.errors import CodedError
from companion.core.messages import m

MEMBER = "_stationmaster"
PURPOSE = "stationmaster-update"  # so that a signature for something else is none for this
LARGEST = 400 * 2**20  # bytes of a package
LONGEST_NOTE = 4096
_MAGIC = b"!<arch>\n"
_HEADER = 60
_VERSION = re.compile(r"[0-9][A-Za-z0-9.+~-]{0,60}")
_FILE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+~-]{0,120}\.deb")


class UpdateError(CodedError):
    """Why a package is not installed."""


@dataclass(frozen=True)
class Statement:
    """The statement that is signed: version, architecture, file, size and digest."""

    version: str
    arch: str
    file: str
    size: int  # of the package without the signature
    sha256: str

    def text(self) -> bytes:
        """The line that is signed."""
        return json.dumps({"purpose": PURPOSE, **asdict(self)}, separators=(",", ":")).encode()


def note_of(statement: Statement, signature: bytes) -> bytes:
    """The two lines: at a package's end, and in the file beside it."""
    return statement.text() + b"\n" + base64.b64encode(signature) + b"\n"


def read_note(note: bytes, keys: Iterable[Path]) -> Statement:
    """The statement of a note, if one of the keys has signed it."""
    lines = note.split(b"\n")
    if len(note) > LONGEST_NOTE or len(lines) != 3 or lines[2]:
        raise _unsigned()
    try:
        signature = base64.b64decode(lines[1], validate=True)
        plain = json.loads(lines[0])
    except (binascii.Error, ValueError, RecursionError):
        raise _unsigned() from None
    if not any(_is_signed(lines[0], signature, key) for key in keys):
        message = m("this update was not signed by the maker of the version on this box: nothing was changed")
        raise UpdateError("bad-signature", message)
    return _statement(plain)


def check_package(path: Path, keys: Iterable[Path]) -> Statement:
    """What a package is, if it is whole and signed by one of the keys."""
    with path.open("rb") as file:
        end, note = _last_member(file)
        statement = read_note(note, keys)
        if (statement.size, statement.sha256) != (end, _digest(file, end)):
            message = m("this update is damaged, or its signature belongs to another one: fetch it again")
            raise UpdateError("bad-package", message)
    return statement


def digest_of(path: Path) -> str:
    """The SHA-256 of a whole file, in hex."""
    with path.open("rb") as file:
        return _digest(file, path.stat().st_size)


def is_newer(version: str, than: str) -> bool:
    """True if one version is newer than another, both written as ours are.

    >>> is_newer("0.10.0", "0.9.2"), is_newer("0.9.2", "0.9.2"), is_newer("1.0", "1.0.1")
    (True, False, False)
    """
    return _numbers(version) > _numbers(than)


def _numbers(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version)]


def _unsigned() -> UpdateError:
    message = m("that is not an update of this program: it has no signature at its end")
    return UpdateError("no-signature", message)


def _statement(plain: Any) -> Statement:
    """Parse a signed statement with care: a signature says who wrote it, not that it is well made."""
    if not isinstance(plain, dict) or plain.pop("purpose", None) != PURPOSE:
        raise _unsigned()
    try:
        made = Statement(**plain)
        well = (
            _VERSION.fullmatch(made.version)
            and made.arch in ("arm64", "amd64")
            and _FILE.fullmatch(made.file)
            and isinstance(made.size, int)
            and 0 < made.size <= LARGEST
            and re.fullmatch(r"[0-9a-f]{64}", made.sha256)
        )
    except TypeError:
        well = None
    if not well:
        raise UpdateError("bad-package", m("this update describes itself wrongly: nothing was changed"))
    return made


def _is_signed(text: bytes, signature: bytes, key: Path) -> bool:
    with tempfile.TemporaryDirectory(prefix="stationmaster-") as folder:
        said, signed = Path(folder) / "text", Path(folder) / "signature"
        said.write_bytes(text)
        signed.write_bytes(signature)
        command = ["openssl", "pkeyutl", "-verify", "-pubin", "-inkey", str(key), "-rawin"]
        command += ["-in", str(said), "-sigfile", str(signed)]
        try:
            done = subprocess.run(command, capture_output=True, check=False)
        except FileNotFoundError:
            raise UpdateError("no-openssl", m("openssl is missing: sudo apt install openssl")) from None
    return done.returncode == 0


def _last_member(file: BinaryIO) -> tuple[int, bytes]:
    """Where the signature's member begins, and its content; it has to be the last one."""
    if file.read(len(_MAGIC)) != _MAGIC:
        raise UpdateError("no-package", m("that is not a package: the name of a package ends in .deb"))
    place = len(_MAGIC)
    while True:
        header = file.read(_HEADER)
        size = header[48:58].strip()
        if len(header) != _HEADER or header[58:] != b"`\n" or not size.isdigit():
            raise _unsigned()
        if header[:16].decode(errors="replace").strip() == MEMBER:
            if int(size) > LONGEST_NOTE:
                raise _unsigned()
            note = file.read(int(size))
            if file.read().strip(b"\n"):
                raise _unsigned()
            return place, note
        place += _HEADER + int(size) + int(size) % 2
        file.seek(place)


def _digest(file: BinaryIO, size: int) -> str:
    file.seek(0)
    made = hashlib.sha256()
    while size > 0 and (part := file.read(min(size, 1 << 20))):
        made.update(part)
        size -= len(part)
    return made.hexdigest()
