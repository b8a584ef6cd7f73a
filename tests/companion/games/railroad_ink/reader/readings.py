"""Readings made up from known boards, as a reader would give them that sees well."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from companion.games.railroad_ink.reader.readings import CellReading, PhotoReading, SheetQuality, SheetReading
from companion.games.railroad_ink.rules.rulebook import GRID, EditionName

QUALITY = SheetQuality("tags", 6.0, light=0.8, sharpness=0.9, contrast=0.5, glare=0.0)


def sheet_of(
    cells: Mapping[str, str],
    seat: int = 1,
    edition: EditionName = "challenge",
    rounds: Mapping[str, int] | None = None,
    unseen: Collection[str] = (),
    unclear: Mapping[str, dict[str, float]] | None = None,
) -> SheetReading:
    """A sheet with these routes on it."""
    rounds, unclear = rounds or {}, unclear or {}
    found = {
        name: CellReading(
            unclear.get(name, {cells.get(name, ""): 0.99999, "NESw*" if name not in cells else "": 0.00001}),
            "glare" if name in unseen else None,
            round=rounds.get(name),
            round_p=0.99 if name in rounds else 0.0,
        )
        for name in GRID.names
    }
    corners = ((100.0, 50.0), (700.0, 60.0), (690.0, 1000.0), (90.0, 990.0))
    return SheetReading("railroad-ink", edition, seat, corners, found, QUALITY)


def photo_of(*sheets: SheetReading, notes: tuple[str, ...] = ()) -> PhotoReading:
    """A photograph with these sheets in it."""
    return PhotoReading(800, 1100, sheets, notes)
