"""Reading a command's input in constant memory: JSON, one entry per line, or one whole document."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any, TypeAlias

from companion.core.errors import NotationError
from companion.core.jsontext import LONGEST_TEXT, read_json


@contextmanager
def opened(name: str) -> Iterator[IO[bytes]]:
    """The file called ``name``, or standard input for ``-``."""
    if name == "-":
        yield sys.stdin.buffer
        return
    try:
        file = Path(name).open("rb")  # noqa: SIM115 - closed below; here only its opening is translated
    except OSError as problem:
        raise NotationError("no-file", f"{name}: {problem.strerror}") from None
    with file:
        yield file


@dataclass(frozen=True)
class Parsed:
    """An entry that is a value already, or the reason why it is none."""

    value: Any


Entry: TypeAlias = bytes | Parsed  # a line as it stands, or what was read before lines were known to be meant


_TOO_LONG = Parsed(NotationError("too-long", f"the line is longer than {LONGEST_TEXT:,} characters"))


def values(file: IO[bytes]) -> Iterator[Any]:
    """Each entry of the input; one that cannot be read comes as the :class:`NotationError` that says why.

    Usually an entry is a line. A (short) input that is JSON only as a whole is one document, and a document
    that is a list is taken apart.

    >>> import io
    >>> list(values(io.BytesIO(b'{"a": 1}\\n{"a": 2}\\n'))), list(values(io.BytesIO(b'[1,\\n2]')))
    ([{'a': 1}, {'a': 2}], [1, 2])
    """
    return map(value_of, chain(beginning(file, 1), _lines(file)))


def value_of(entry: Entry) -> Any:
    """The value of an entry, or the :class:`NotationError` that says why it has none."""
    return entry.value if isinstance(entry, Parsed) else _parsed(entry)


def beginning(file: IO[bytes], least: int) -> list[Entry]:
    """At least so many entries, if there are, or a whole document; what follows in the file are lines."""
    lines = _lines(file)
    first = next(lines, None)
    if first is None:
        return []
    value = value_of(first)
    if isinstance(value, NotationError) and isinstance(first, bytes) and value.code == "not-json":
        held = list(_up_to_a_document(first, lines))
        document = _parsed(b"".join(line for line in held if isinstance(line, bytes)))
        if isinstance(document, NotationError):
            return held
        return list(map(Parsed, document if isinstance(document, list) else [document]))
    found: list[Entry] = list(map(Parsed, value if isinstance(value, list) else [value]))
    return [*found, *islice(lines, max(0, least - len(found)))]


def _up_to_a_document(first: bytes, lines: Iterator[Entry]) -> Iterator[Entry]:
    """The lines until they are certainly too much for one document."""
    size = len(first)
    yield first
    for line in lines:
        size += len(line) if isinstance(line, bytes) else LONGEST_TEXT
        yield line
        if size >= LONGEST_TEXT:
            return


def _parsed(line: bytes) -> Any:
    try:
        return read_json(line)
    except NotationError as problem:
        return problem


def _lines(file: IO[bytes]) -> Iterator[Entry]:
    while line := file.readline(LONGEST_TEXT):
        if len(line) == LONGEST_TEXT and not line.endswith(b"\n"):
            while (rest := file.readline(LONGEST_TEXT)) and not rest.endswith(b"\n"):
                pass
            yield _TOO_LONG
        elif line.strip():
            yield line


def blocks(file: IO[bytes], size: int) -> Iterator[bytes]:
    """The rest of a file in parts of about so many bytes that are whole lines.

    Of a line longer than the limit so much is left that it still is: see :func:`line_entry`.
    """
    left = b""
    while read := file.read(size):
        left += read
        end = left.rfind(b"\n") + 1
        if end:
            yield left[:end]
        left = left[end:] if end else left[: LONGEST_TEXT + 1]
    if left:
        yield left


def line_entry(line: bytes) -> Entry | None:
    """A line of a block as an entry; None for a blank one."""
    if len(line) > LONGEST_TEXT or (len(line) == LONGEST_TEXT and not line.endswith(b"\n")):
        return _TOO_LONG
    return line if line.strip() else None
