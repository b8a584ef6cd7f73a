"""Reading what a command is fed: one JSON value a line, or one whole document, in constant memory."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import IO, Any

from companion.games.kit.errors import NotationError
from companion.games.kit.jsontext import LONGEST_TEXT, read_json


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


def values(file: IO[bytes]) -> Iterator[Any]:
    """Each entry of the input; one that cannot be read comes as the :class:`NotationError` that says why.

    Usually an entry is a line. A (short) input that is JSON only as a whole is one document, and a document
    that is a list is taken apart.

    >>> import io
    >>> list(values(io.BytesIO(b'{"a": 1}\\n{"a": 2}\\n'))), list(values(io.BytesIO(b'[1,\\n2]')))
    ([{'a': 1}, {'a': 2}], [1, 2])
    """
    lines = _lines(file)
    first = next(lines, None)
    if first is None:
        return
    value = _parsed(first)
    if isinstance(value, NotationError) and isinstance(first, bytes) and value.code == "not-json":
        yield from _document_or_lines(first, lines)
    elif isinstance(value, list):
        yield from chain(value, map(_parsed, lines))
    else:
        yield from chain([value], map(_parsed, lines))


def _document_or_lines(first: bytes, lines: Iterator[bytes | NotationError]) -> Iterator[Any]:
    held = list(_up_to_a_document(first, lines))
    document = _parsed(b"".join(line for line in held if isinstance(line, bytes)))
    if isinstance(document, NotationError):
        yield from map(_parsed, chain(held, lines))
    elif isinstance(document, list):
        yield from document
    else:
        yield document


def _up_to_a_document(
    first: bytes, lines: Iterator[bytes | NotationError]
) -> Iterator[bytes | NotationError]:
    """The lines until they are certainly too much for one document."""
    size = len(first)
    yield first
    for line in lines:
        size += len(line) if isinstance(line, bytes) else LONGEST_TEXT
        yield line
        if size >= LONGEST_TEXT:
            return


def _parsed(line: bytes | NotationError) -> Any:
    if isinstance(line, NotationError):
        return line
    try:
        return read_json(line)
    except NotationError as problem:
        return problem


def _lines(file: IO[bytes]) -> Iterator[bytes | NotationError]:
    while line := file.readline(LONGEST_TEXT):
        if len(line) == LONGEST_TEXT and not line.endswith(b"\n"):
            _skip_line(file)
            yield NotationError("too-long", f"the line is longer than {LONGEST_TEXT:,} characters")
        elif line.strip():
            yield line


def _skip_line(file: IO[bytes]) -> None:
    while (rest := file.readline(LONGEST_TEXT)) and not rest.endswith(b"\n"):
        pass
