"""A photograph as ``stationmaster read`` reports it: JSON, lines for people, an annotated picture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec

from companion.core.errors import NotationError
from companion.core.jsontext import JsonObject
from companion.core.messages import joined, m
from companion.reading.evidence import PhotoReading, Ruling, SheetReading, SlotReading, photo_json

if TYPE_CHECKING:
    from companion.reading.annotation import Image
    from companion.reading.base import Reader

T = TypeVar("T", bound=SheetReading[SlotReading])  # a sheet as the game's reader has read it
R = TypeVar("R", bound=Ruling[Any, Any])  # what the game's rules make of it


@dataclass(frozen=True)
class ReadReport(Generic[T, R]):
    """A photograph as it was read, and the rulings by the sheet's place in the reading."""

    reader: Reader[Any, T, R]
    reading: PhotoReading[T]
    rulings: Mapping[int, R]

    @property
    def refused(self) -> bool:
        """True if something on a sheet is against the rules."""
        return any(ruling.outcome == "refused" for ruling in self.rulings.values())

    @property
    def sheets(self) -> Sequence[tuple[T, R | None]]:
        """Every sheet with the ruling on it, if the rules were asked."""
        return [(sheet, self.rulings.get(place)) for place, sheet in enumerate(self.reading.sheets)]

    def to_json(self, photo: str, explain: bool = False) -> JsonObject:
        """The line of ``read --json`` for the photograph called so; with ``explain`` how it came about."""
        line = photo_json(photo, self.reading, self.rulings)
        for told, (sheet, _) in zip(line["sheets"], self.sheets, strict=True):
            if explain and (how := sheet.explained()):
                told["explained"] = how
        return line

    def lines(self, photo: str) -> Iterator[str]:
        """Return the report as lines of text for people."""
        yield joined(": ", [photo, self.reader.counted(len(self.reading.sheets))])
        for sheet, ruling in self.sheets:
            yield self.reader.heading(sheet)
            yield from (joined("  ", ["", line]) for line in self._sheet_lines(sheet, ruling))
        yield from self.reading.notes

    def _sheet_lines(self, sheet: T, ruling: R | None) -> Iterator[str]:
        yield from self.reader.describe(sheet, ruling)
        if ruling is not None:
            changes = self.reader.describe_changes(ruling)
            yield m("ruling: {outcome}; new: {changes}", outcome=ruling.outcome, changes=changes)
            yield from self.reader.describe_ruling(ruling)
            yield from (m("against the rules: {fault}", fault=fault) for fault in ruling.against)
        uncertain = self.reader.unread(sheet) if ruling is None else ruling.uncertain
        if uncertain:
            yield m("please check: {slots}", slots=" ".join(uncertain))

    def annotated(self, photo: Image) -> Image:
        """The photograph, smaller if it is big, with everything that was read drawn on it."""
        return self.reader.annotated(photo, self.sheets)


S = TypeVar("S", bound=msgspec.Struct)  # as much of a sheet in JSON as its game uses


class EarlierLine(msgspec.Struct, Generic[S], frozen=True):
    """What is used of an earlier line of ``read --json``, which tells the position before."""

    sheets: list[S]

    def only(self, code: str) -> S:
        """Return the line's only sheet; raise an error if there is not exactly one."""
        if len(self.sheets) != 1:
            raise NotationError(
                code, m("{sheets} sheets are in it: exactly one is needed", sheets=len(self.sheets))
            )
        return self.sheets[0]
