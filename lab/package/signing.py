"""Signing packages: an Ed25519 key of whoever makes them, kept on the machine on which they are made.

Boxes trust the keys that are in the package they have, so an update has to be signed by who signed that one.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

from companion.updates.signed import MEMBER, Statement, digest_of, note_of
from lab.package.archive import ar_header

USUAL_KEY = Path(os.environ.get("STATIONMASTER_KEY", "~/.config/stationmaster/signing-key.pem")).expanduser()


def made_key(path: Path) -> Path:
    """The private key at a place; a new one is made where there is none."""
    if not path.exists():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _openssl("genpkey", "-algorithm", "ed25519", "-out", path)
        path.chmod(0o600)
    return path


def public_half(key: Path) -> bytes:
    """As a PEM file: what the package brings along."""
    return _openssl("pkey", "-in", key, "-pubout")


def sign_package(path: Path, version: str, arch: str, key: Path, when: int) -> Path:
    """Put the signature at the package's end, and the same beside it; the file beside it."""
    statement = Statement(version, arch, path.name, path.stat().st_size, digest_of(path))
    with tempfile.NamedTemporaryFile() as text:
        text.write(statement.text())
        text.flush()
        signature = _openssl("pkeyutl", "-sign", "-inkey", key, "-rawin", "-in", text.name)
    note = note_of(statement, signature)
    with path.open("ab") as out:
        out.write(ar_header(MEMBER, len(note), when) + note + b"\n" * (len(note) % 2))
    beside = path.with_name(f"stationmaster_{arch}.update")
    beside.write_bytes(note)
    return beside


def _openssl(*arguments: str | Path) -> bytes:
    done = subprocess.run(["openssl", *map(str, arguments)], capture_output=True, check=False)
    if done.returncode:
        raise SystemExit(f"openssl {arguments[0]}: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout
