"""Pens as data, and how ranges and choices are taken: what every game's made-up people need.

A pen can be held out of training by its name: whatever chooses takes the names to leave out.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Sequence
from importlib.resources import files
from typing import Protocol, TypeAlias, TypeVar

import msgspec
import numpy as np

from vision.errors import StudioError

Range: TypeAlias = tuple[float, float]
T = TypeVar("T")


class Pen(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One kind of pen: the ranges from which a pen's width, dryness and strength are drawn."""

    name: str
    ink: str
    width: Range
    dry: Range
    strength: Range


class _Named(Protocol):
    @property
    def name(self) -> str: ...


N = TypeVar("N", bound=_Named)


def entries_of(package: str, file: str, kind: type[N]) -> dict[str, N]:
    """The entries of a TOML file that is one array of tables, by their names."""
    (tables,) = tomllib.loads(files(package).joinpath(file).read_text(encoding="utf-8")).values()
    entries = [msgspec.convert(table, type=kind) for table in tables]
    return {entry.name: entry for entry in entries}


PENS = entries_of(__package__, "pens.toml", Pen)


def between(rng: np.random.Generator, range_: Range) -> float:
    """A random number from a range."""
    return float(rng.uniform(*range_))


def one_of(rng: np.random.Generator, choices: Sequence[T]) -> T:
    """One of the choices at random."""
    return choices[int(rng.integers(len(choices)))]


def named(table: dict[str, T], held_out: Collection[str], what: str) -> list[T]:
    """The entries whose names are not held out."""
    unknown = sorted(set(held_out) - set(table))
    if unknown:
        raise StudioError(f"there is no {what} {unknown[0]!r}: choose from {', '.join(table)}")
    return [entry for name, entry in table.items() if name not in held_out]
