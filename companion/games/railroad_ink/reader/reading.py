"""Reads a photograph with all its boards; the one entry of this package."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from companion.core.messages import Seat, m
from companion.game.packages import title_of_kind
from companion.games.railroad_ink.printing.cards import CARD, card_sheet
from companion.games.railroad_ink.printing.printed import PRINTED, check_edition
from companion.games.railroad_ink.printing.sheets import board_sheet, board_sheets
from companion.games.railroad_ink.reader.boards import grid_picture
from companion.games.railroad_ink.reader.cells import (
    EMPTY_CLASS,
    GRID_MARGIN,
    GRID_SIDE,
    GRID_SIZE,
    UNSEEN,
    cell_shares,
    seen_again,
)
from companion.games.railroad_ink.reader.foreign_print import as_our_print
from companion.games.railroad_ink.reader.joins import told_by_neighbours
from companion.games.railroad_ink.reader.mark_classes import READ_EXPANSIONS
from companion.games.railroad_ink.reader.marks import filled_by_mark, mark_shares, mark_slots
from companion.games.railroad_ink.reader.orienting import turned_shares, upright_way
from companion.games.railroad_ink.reader.quality import (
    cell_glare,
    cells_outside,
    drowned_cells,
    sheet_quality,
    side_glare,
    veiled_cells,
    without_veil,
)
from companion.games.railroad_ink.reader.readings import (
    FILLED,
    NOBODY,
    CellReading,
    GoalReading,
    PanelReading,
    PhotoReading,
    SheetReading,
    without_route,
)
from companion.games.railroad_ink.reader.sides import doubting_sides
from companion.games.railroad_ink.reader.signs import (
    MARKED,
    SIGN_RIM,
    SIGN_SIZE,
    read_signs,
    sign_kind,
    sign_quads,
)
from companion.games.railroad_ink.reader.turning import turned_picture
from companion.games.railroad_ink.reader.wall_code import read_walls
from companion.games.railroad_ink.rules.boards.routes import VOCABULARY
from companion.games.railroad_ink.rules.boards.walls import print_walls
from companion.games.railroad_ink.rules.rulebook import (
    EDITIONS,
    EXITS,
    GOAL_RACE,
    GRID,
    SPECIALS,
    EditionName,
)
from companion.reading.evidence import EMPTY
from companion.reading.joining import OUTSIDE
from companion.sheets.tags import SEATS
from vision.decoding import Picture
from vision.find.by_tags import FoundSheet, too_little_seen
from vision.find.first_sight import begun_at
from vision.find.lattices import Ring
from vision.find.seeing import Search, Seen, scaled_sheet, see, why_nothing
from vision.register.rectify import Image, Placement, reduced_to, slot_views
from vision.taught.boards import TaughtBoard

# How boards of all prints are told: by their exits, beside the same cells on every side.
RING = Ring(GRID.columns, tuple(sorted({exit.cell for exit in EXITS if exit.direction == 0})))
_ENOUGH = 1.9  # pixels per mm at which cells are read well
_UNREADABLE = 0.55  # pixels per mm below which nobody should guess
_BURNT = 0.5  # share drowned in light of where an end would be: whether there is one cannot be seen
_OUTSIDE = 0.2  # share of a cell that may be cut off
_TEXTS = np.array([*(route.text for route in VOCABULARY), EMPTY], object)
# How far a guess at what is left to see of a cell may be trusted, by how probably it cannot be seen: of those
# below the first bound nine in ten are right, and beyond the last they mean nothing.
_GLIMPSED = ((0.9, 0.9), (0.99, 0.5))
_COVERED = "covered"
_SIGN_SEEN = 0.5
# A round number less sure is not told: half of those between 0.5 and this are wrong.
_NUMBER_SEEN = 0.8
_SURELY_EMPTY = 0.98  # a cell that is so surely empty is not searched for a number
_SIGN_SCALE = 5.0  # pixels per mm at which small signs are cut out


@dataclass(frozen=True)
class ReadOptions:
    """What is known about a photograph before it is read.

    ``corners``: of the 7 x 7 grid in pixels, clockwise from the board's own top left, for one board whose
    corners somebody dragged; ``taught``: boards of the owner's own that may be in the picture.
    """

    edition: EditionName = "challenge"  # of boards without corner tags
    seat: int | None = None  # whose photograph it is, and so a board in it that does not tell
    corners: Sequence[tuple[float, float]] | None = None
    taught: tuple[TaughtBoard, ...] = ()
    expansion: str = ""  # that is played: its marks are read, too, if they are known
    panel: bool = True  # read what stands beside the grid, and round numbers, too


def read_photo(photo: bytes | Image, hints: ReadOptions | None = None) -> PhotoReading:
    """Read a photograph: packed bytes, or pixels (blue first).

    Raises :class:`~vision.errors.PictureError` for what is no picture. A picture without a board is a reading
    without sheets, and a note says so.
    """
    hints = hints or ReadOptions()
    seen = see(photo, _search(hints))
    picture = seen.picture
    placed = [sheet for sheet in seen.sheets if sheet.sheet.edition != CARD]
    cards = [sheet for sheet in seen.sheets if sheet.sheet.edition == CARD]
    sheets = _with_walls(_read_sheets(picture, placed, hints), picture, cards)
    notes = _notes(seen, sheets)
    if not (notes or sheets):
        notes = [why_nothing(seen, board_sheets(), hints.taught, title_of_kind)]
    kept = [sheet for sheet in sheets if sheet.quality.pixels_per_mm >= _UNREADABLE]
    unread = len(kept) < len(seen.sheets) or bool(
        seen.found.blurred or too_little_seen(seen.found, seen.sheets)
    )
    return PhotoReading(*picture.whole, tuple(kept), tuple(notes), unread)


def _search(hints: ReadOptions) -> Search:
    """What vision has to look for: corner tags of our boards, or a board of the owner's own."""
    usual = board_sheet(hints.edition, hints.seat or 1)
    return Search(
        sheets=[*board_sheets(), card_sheet()],
        enough=_ENOUGH,
        taught=[(board, board_sheet(board.edition, board.seat)) for board in hints.taught],
        marked=(usual, hints.corners) if hints.corners is not None else None,
        unknown=(RING, usual),
    )


# --- reading ---


def _read_sheets(picture: Picture, sheets: Sequence[FoundSheet], hints: ReadOptions) -> list[SheetReading]:
    """Read all sheets of a picture with one batch for each network."""
    if not sheets:
        return []
    sheets = _with_seats(sheets)
    grids = [grid_picture(picture.image, sheet.placement, GRID_SIZE, GRID_MARGIN) for sheet in sheets]
    assert grids[0].shape[:2] == (GRID_SIDE, GRID_SIDE)
    looks = [
        grid if sheet.found_by == "tags" else as_our_print(grid)
        for sheet, grid in zip(sheets, grids, strict=True)
    ]
    cells = _under_veils(looks, cell_shares(looks))
    known = [True] * len(sheets)
    for n, sheet in enumerate(sheets):
        if sheet.found_by == "sight":
            way, known[n] = upright_way(grids[n], cells[n])
            grids[n], looks[n] = turned_picture(grids[n], way), turned_picture(looks[n], way)
            sheets[n], cells[n] = begun_at(sheet, RING, -way % 4), turned_shares(cells[n], way)
    signs = _signs(picture.image, sheets, cells) if hints.panel else [{} for _ in sheets]
    readings = [
        replace(
            _sheet_reading(picture, sheet, (grid, look), shares, sign),
            walls=_printed_walls(picture, sheet),
            upper_known=upper,
        )
        for sheet, grid, look, shares, sign, upper in zip(
            sheets, grids, looks, cells, signs, known, strict=True
        )
    ]
    return _with_marks(readings, looks, hints.expansion) if hints.expansion in READ_EXPANSIONS else readings


def _under_veils(looks: Sequence[Image], cells: NDArray[np.float64]) -> NDArray[np.float64]:
    """The probabilities of cells with those under a veil of light looked at again, its contrast restored."""
    veils = [veiled_cells(look) for look in looks]
    boards = [n for n, veiled in enumerate(veils) if veiled.any()]
    if not boards:
        return cells
    again = cell_shares([without_veil(looks[n], veils[n]) for n in boards])
    for n, seen in zip(boards, again, strict=True):
        cells[n, veils[n]] = seen_again(cells[n, veils[n]], seen[veils[n]])
    return cells


def _with_seats(sheets: Sequence[FoundSheet]) -> list[FoundSheet]:
    """Number several boards found at first sight from left to right: nothing on them tells whose they are."""
    nobodys = [sheet for sheet in sheets if sheet.found_by == "sight"]
    if len(nobodys) < 2:
        return list(sheets)
    return [
        replace(sheet, sheet=board_sheet(sheet.sheet.edition, seat))
        for seat, sheet in enumerate(nobodys[:SEATS], start=1)
    ]


def _with_marks(readings: list[SheetReading], grids: Sequence[Image], expansion: str) -> list[SheetReading]:
    """The boards with the marks of the expansion that is played; hidden cells hide them, too."""
    found = []
    for reading, seen in zip(readings, mark_shares(grids, expansion), strict=True):
        filled = filled_by_mark(seen, expansion)
        cells = {
            name: _filled(cell, float(filled[n])) if filled[n] >= FILLED else cell
            for n, (name, cell) in enumerate(reading.cells.items())
        }
        hidden = {GRID.cell(name): cell.cannot_see for name, cell in cells.items() if cell.cannot_see}
        marks = mark_slots(seen, expansion, hidden)
        found.append(replace(reading, slots=cells, expansion=expansion, marks=marks))
    return found


def _filled(cell: CellReading, p: float) -> CellReading:
    """Read a covered cell that holds lava, water or trees as visible and without a route."""
    return without_route(cell, p) if cell.cannot_see == _COVERED else cell


# --- walls ---


def _printed_walls(picture: Picture, sheet: FoundSheet) -> tuple[str, ...] | None:
    """The walls that are printed as boxes on a sheet of ours."""
    walls = read_walls(picture.image, sheet.placement) if sheet.found_by == "tags" else None
    return None if walls is None else tuple(print_walls(walls))


def _with_walls(
    sheets: list[SheetReading], picture: Picture, cards: Sequence[FoundSheet]
) -> list[SheetReading]:
    """Give the boards the walls of the one card in the picture; a card by itself is an empty board."""
    known = [walls for card in cards if (walls := _printed_walls(picture, card)) is not None]
    if len(set(known)) != 1:
        return sheets
    if sheets:
        return [sheet if sheet.walls is not None else replace(sheet, walls=known[0]) for sheet in sheets]
    whole = scaled_sheet(cards[0], picture.enlarging)
    corners = tuple((float(x), float(y)) for x, y in whole.corners)
    grid = grid_picture(picture.image, cards[0].placement, GRID_SIZE, GRID_MARGIN)
    return [
        SheetReading(
            sheet=PRINTED.name,
            edition=EDITIONS[0],
            seat=NOBODY,
            corners_px=(corners[0], corners[1], corners[2], corners[3]),
            slots={name: CellReading({EMPTY: 1.0}, None) for name in GRID.names},
            quality=sheet_quality(grid, 0.0, cards[0].found_by, cards[0].scale),
            walls=known[0],
        )
    ]


Signs = dict[str, dict[str, float]]  # by place, the probability of everything that may stand there


def _signs(image: Image, sheets: Sequence[FoundSheet], cells: NDArray[np.float64]) -> list[Signs]:
    """Read the small signs of all sheets in one batch."""
    names: list[list[str]] = []
    views: list[Image] = []
    for sheet, shares in zip(sheets, cells, strict=True):
        part, placement = reduced_to(image, sheet.placement, sheet.sheet, _SIGN_SCALE)
        quads = sign_quads(check_edition(sheet.sheet.edition))
        seen = _inside(part, placement, np.array(list(quads.values())))
        looked = [n for n, name in enumerate(quads) if seen[n] and _is_looked_at(name, sheet, shares)]
        of_sheet, places = list(quads), list(quads.values())
        names.append([of_sheet[n] for n in looked])
        views.append(slot_views(part, placement, [places[n] for n in looked], SIGN_SIZE, SIGN_RIM))
    kinds = [sign_kind(name) for of_sheet in names for name in of_sheet]
    read = iter(read_signs(np.concatenate(views), kinds))
    return [{name: next(read) for name in of_sheet} for of_sheet in names]


def _is_looked_at(name: str, sheet: FoundSheet, shares: NDArray[np.float64]) -> bool:
    """Numbers stand where something may be drawn; the rest is known only of sheets that we printed."""
    if not name.endswith("-round"):
        return sheet.found_by == "tags"
    return bool(shares[GRID.cell(name.removesuffix("-round")), EMPTY_CLASS] < _SURELY_EMPTY)


def _inside(image: Image, placement: Placement, quads: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Mask (n,) of the quadrilaterals (n, 4, 2) that lie wholly inside the picture."""
    seen = placement.pixels(quads)
    inside = (seen > 0) & (seen < [image.shape[1], image.shape[0]])
    return np.asarray(inside.all(axis=(1, 2)), np.bool_)


def _sheet_reading(
    picture: Picture,
    sheet: FoundSheet,
    grids: tuple[Image, Image],
    shares: NDArray[np.float64],
    signs: Signs,
) -> SheetReading:
    """One sheet; ``grids``: its grid straightened, and the same with our own print."""
    grid, look = grids
    whole = scaled_sheet(sheet, picture.enlarging)
    edition = check_edition(sheet.sheet.edition)
    hidden = cells_outside(picture.size, sheet.placement)
    drowned = drowned_cells(grid)
    glare, veiled = cell_glare(drowned), veiled_cells(look)
    known = shares[:, : EMPTY_CLASS + 1] / shares[:, : EMPTY_CLASS + 1].sum(axis=1, keepdims=True)
    known = told_by_neighbours(doubting_sides(known, side_glare(drowned) > _BURNT))
    order = np.argsort(-known, axis=1, kind="stable")
    texts, chances = _TEXTS[order].tolist(), np.take_along_axis(known, order, axis=1).tolist()
    cells = {
        name: _cell_reading(
            dict(zip(texts[n], chances[n], strict=True)),
            _why_unseen(float(shares[n, UNSEEN]), float(hidden[n]), float(glare[n])),
            signs.get(f"{name}-round", {}),
            _trusted(float(shares[n, UNSEEN])) if hidden[n] <= _OUTSIDE else 0.0,
            bool(veiled[n]),
        )
        for n, name in enumerate(GRID.names)
    }
    corners = tuple((float(x), float(y)) for x, y in whole.corners)
    return SheetReading(
        sheet=PRINTED.name,
        edition=edition,
        seat=sheet.sheet.seat,
        corners_px=(corners[0], corners[1], corners[2], corners[3]),
        slots=cells,
        quality=sheet_quality(grid, float(glare.mean()), sheet.found_by, sheet.scale),
        panel=_panel_reading(signs, edition),
    )


def _cell_reading(
    probabilities: dict[str, float],
    reason: str | None,
    number: dict[str, float],
    glimpsed: float,
    veiled: bool = False,
) -> CellReading:
    best = next(iter(number), "")
    drawn = next(iter(probabilities)) != EMPTY
    written = bool(best) and number[best] >= _NUMBER_SEEN and reason is None and drawn
    return CellReading(
        probabilities,
        reason,
        round=int(best) if written else None,
        round_p=number[best] if written else 0.0,
        written=1 - number[EMPTY] if number else None,
        glimpsed=glimpsed if reason is not None else 0.0,
        veiled=veiled,
    )


def _trusted(unseen: float) -> float:
    """How far a guess at a partly hidden cell may be trusted, given the probability that it is hidden."""
    return next((trusted for below, trusted in _GLIMPSED if unseen < below), 0.0)


def _why_unseen(unseen: float, hidden: float, glare: float) -> str | None:
    if hidden > _OUTSIDE:
        return OUTSIDE
    if unseen < 0.5:
        return None
    return "glare" if glare > 0.15 else _COVERED


def _panel_reading(signs: Signs, edition: EditionName) -> PanelReading:
    """Read the marks beside the grid; a special route counts if its box or its picture is marked."""
    if not signs:
        return PanelReading()
    marked = {name: found.get(MARKED, 0.0) for name, found in signs.items()}
    specials = {
        route.text: max(
            marked.get(f"special-{route.text}", 0.0), marked.get(f"special-{route.text}-picture", 0.0)
        )
        for route in SPECIALS
        if f"special-{route.text}" in marked
    }
    if edition == "classic":
        return PanelReading(specials)
    circles = {
        what: tuple(p for name, p in marked.items() if name.startswith(what))
        for what in ("village-", "university-")
    }
    goals = tuple(_goal(signs, n) for n in range(1, GOAL_RACE.drawn + 1) if f"goal-{n}" in signs)
    return PanelReading(specials, circles["village-"], circles["university-"], goals)


def _goal(signs: Signs, number: int) -> GoalReading | None:
    code, p = next(iter(signs[f"goal-{number}"].items()))
    if not code:
        return None
    values = {value: signs.get(f"goal-{number}-{value}", {}).get(MARKED, 0.0) for value in GOAL_RACE.values}
    points = max(values, key=lambda value: values[value])
    return GoalReading(code, p, points if values[points] > _SIGN_SEEN else None)


# --- notes for people ---


def _notes(seen: Seen, sheets: Sequence[SheetReading]) -> list[str]:
    notes: list[str] = [
        m(
            "Too little is seen of the board of {seat} ({edition}): one corner tag at least, "
            "better all four, and most of its grid must be in the picture.",
            seat=Seat(sheet.seat),
            edition=sheet.edition,
        )
        for sheet in too_little_seen(seen.found, seen.sheets)
    ]
    if seen.found.blurred and sheets:
        notes.append(
            m(
                "There is another board in the picture, but it is too blurred to be read: hold "
                "still and take it again."
            )
        )
    seats = Counter((sheet.edition, sheet.seat) for sheet in sheets if sheet.quality.found_by == "tags")
    notes += [
        m(
            "There are {count} boards of {seat} ({edition}) in the picture: every seat needs its own.",
            count=count,
            seat=Seat(seat),
            edition=edition,
        )
        for (edition, seat), count in seats.items()
        if count > 1
    ]
    for sheet in (one for one in sheets if not one.is_card):
        notes += [
            m("{seat}: {text}", seat=Seat(sheet.seat, begins=True), text=text)
            for text in _quality_notes(sheet)
        ]
    return notes


def _quality_notes(sheet: SheetReading) -> list[str]:
    quality = sheet.quality
    found: list[str] = []
    if quality.pixels_per_mm < _UNREADABLE:
        found.append(m("the board is too small in the picture to be read: go nearer."))
    elif quality.pixels_per_mm < 1.6:
        found.append(m("the board is small in the picture: go nearer for a more reliable reading."))
    if quality.light < 0.2:
        found.append(m("the picture is dark: more light, please."))
    if quality.sharpness < 0.12:
        found.append(m("the picture is blurred: hold still and take it again."))
    if quality.glare > 0.08:
        found.append(
            m(
                "a lamp or the flash is reflected in the board: switch the flash off, tilt the "
                "board or move the lamp."
            )
        )
    return found
