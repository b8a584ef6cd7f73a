"""Files of an owner's board and cards: one JSON object a line, so that every complaint can name its line.

Empty lines and lines that begin with ``#`` are for people. What a line describes is told by its first key.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from companion.core.errors import NotationError, RulesDataError, quoted
from companion.core.jsontext import read_object, shaped
from companion.core.messages import m


@dataclass(frozen=True)
class Entry:
    """What one line says, and which line it is."""

    line: int
    kind: str
    says: Any


@dataclass(frozen=True)
class LineFault:
    """Something wrong with a file: where, a code for programs, a sentence for people."""

    line: int
    code: str
    message: str

    def __str__(self) -> str:
        return m("line {line}: {message}", line=self.line, message=self.message)


def read_entries(text: str, shapes: Mapping[str, type[Any]]) -> tuple[list[Entry], list[LineFault]]:
    """The lines that can be read, and what is wrong with the others."""
    entries: list[Entry] = []
    faults: list[LineFault] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip() and not line.lstrip().startswith("#"):
            try:
                value = read_object(line)
                kind = next(iter(value), "")
                if kind not in shapes:
                    message = m(
                        "a line begins with one of {shapes}, not with {kind}",
                        shapes=", ".join(shapes),
                        kind=quoted(kind),
                    )
                    raise NotationError("unknown-line", message)
                entries.append(Entry(number, kind, shaped(value, shapes[kind])))
            except NotationError as problem:
                faults.append(LineFault(number, problem.code, problem.message))
    return entries, faults


def of_kind(entries: list[Entry], kind: str) -> list[Entry]:
    """The entries of one kind, in their order."""
    return [entry for entry in entries if entry.kind == kind]


def repeated(entries: list[Entry], name: str) -> Iterator[LineFault]:
    """A fault for every entry whose name an earlier one has; ``name`` is the key that holds it."""
    first: dict[Any, int] = {}
    for entry in entries:
        value = getattr(entry.says, name)
        if value in first:
            message = m(
                "the {kind} {value} is already on line {value2}",
                kind=entry.kind,
                value=_named(value),
                value2=first[value],
            )
            yield LineFault(entry.line, "twice", message)
        first.setdefault(value, entry.line)


def _named(value: Any) -> str:
    return " ".join(str(part) for part in value) if isinstance(value, tuple) else str(value)


def raise_first(faults: list[LineFault], file: str) -> None:
    """Complain about the first fault, if there is one."""
    if faults:
        first = min(faults, key=lambda fault: fault.line)
        raise RulesDataError(first.code, f"{file}, {first}")
