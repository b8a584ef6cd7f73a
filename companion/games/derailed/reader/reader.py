"""How Derailed! reads photographs: see :class:`companion.reading.base.Reader`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from companion.core.errors import NotationError, quoted
from companion.core.messages import listed, m, nm
from companion.game.parts import DECK_ENDING
from companion.games.derailed.printing.printed import MATS, PRINTED, lanes_of_mat
from companion.games.derailed.reader.context import TableContext, ruled_cards
from companion.games.derailed.reader.decks.references import ReferenceCards, Shown, shown_cards, with_shown
from companion.games.derailed.reader.decks.taught import known_deck
from companion.games.derailed.reader.decks.teaching import teach_photograph
from companion.games.derailed.reader.grids.tables import Expected
from companion.games.derailed.reader.overlay import draw_table, table_above, to_above
from companion.games.derailed.reader.reading import read_cards
from companion.games.derailed.reader.readings import CardReading, CardsPhoto
from companion.games.derailed.reader.ruling import AreaRuling
from companion.games.derailed.reader.seats import rule_seat, table_of
from companion.games.derailed.rules.network import lane_name
from companion.games.derailed.rules.rulebook import ARRIVALS_TO_END, COMPANIES, ROWS
from companion.games.derailed.rules.state import State
from companion.reading.annotation import Annotations, Pencil, through
from companion.reading.base import Reader
from companion.reading.types import Corners, FoundPosition, ReadHints
from companion.sheets.drawing import Point, Quad, rectangle
from vision.register.rectify import Image

_AREA = 1  # the seat by which the one area of all is told where there is no match


class DerailedReader(Reader[State, CardReading, AreaRuling]):
    """Reads the cards of the railway area, on the mat or on a bare table."""

    fine_pixels_per_mm, fine_light = 0.8, 0.3
    opacity = 0.85
    finds_positions = True
    learns_decks = True
    remembers = True
    one_for_all = True

    seat_sheet = staticmethod(table_of)
    rule_seat = staticmethod(rule_seat)
    rectified_sheet = staticmethod(table_above)
    shown = staticmethod(shown_cards)

    def read(self, photo: bytes | Image, hints: ReadHints) -> CardsPhoto:
        """Find and read every card table in a photograph, or the one whose corners were marked."""
        decks = tuple(known_deck(path) for path in hints.taught)
        references = hints.references if isinstance(hints.references, ReferenceCards) else None
        return read_cards(photo, Expected(_lanes(hints), hints.corners, decks, _companies(hints), references))

    def teach_deck(self, path: Path, number: int, image: Image, hints: ReadHints) -> str:
        """Learn the cards of one photograph of the printed order."""
        lanes = lanes_of_mat(hints.edition or next(iter(MATS)))
        return teach_photograph(path, number, image, Expected((lanes,), hints.corners))

    def name_of(self, sheet: CardReading) -> str:
        """The name of a table: its number of lanes, since all seats share it."""
        return m("The card table, {lanes} lanes", lanes=sheet.lanes)

    def counted(self, number: int) -> str:
        return nm("{n} card table", "{n} card tables", number)

    def heading(self, sheet: CardReading) -> str:
        """The number of lanes."""
        return m("{lanes} lanes, found by {found_by}", lanes=sheet.lanes, found_by=sheet.quality.found_by)

    def describe(self, sheet: CardReading, ruling: AreaRuling | None) -> Iterator[str]:
        """Both columns of stations and the cards between them."""

        def text(name: str) -> str:
            if ruling is not None:
                return ruling.cells.get(name, ".")
            cell = sheet.cells[name]
            return "?" if cell.cannot_see else cell.best or "."

        lanes = [lane_name(lane) for lane in range(sheet.lanes)]
        starts, destinations = sheet.columns
        rows = ([text(f"{lane}{row}") for lane in lanes] for row in range(1, ROWS + 1))
        for row in (starts, *rows, destinations):
            yield "".join(f"{told:10}" for told in row).rstrip()

    def annotations(self, sheet: CardReading, ruling: AreaRuling | None) -> Annotations:
        """The marks to draw, under both columns or the outcome of the ruling."""
        starts, destinations = ("".join(column) for column in sheet.columns)
        columns = m("{columns} to {columns2}", columns=starts, columns2=destinations)
        return Annotations.of(sheet, ruling, columns if ruling is None else ruling.outcome)

    def followed_size(self, sheet: CardReading) -> Point:
        """The field of cards with both columns of stations."""
        wide, high = PRINTED.mat.cell
        return sheet.lanes * wide, (ROWS + 2) * high

    def followed_slots(self, sheet: CardReading) -> Mapping[str, Quad]:
        """The cells, lane beside lane; as long as the ends are not told apart nobody knows which is which."""
        if sheet.either_way:
            return {}
        wide, high = PRINTED.mat.cell
        return {
            f"{lane_name(lane)}{row}": rectangle((lane * wide, row * high), (wide, high))
            for lane in range(sheet.lanes)
            for row in range(1, ROWS + 1)
        }

    def pencil(self, picture: Image, sheet: CardReading, scale: float) -> Pencil:
        """A pencil in pixels of the photograph, because every card has its own corners."""
        return Pencil(picture, lambda pixels: pixels * scale, scale)

    def pencil_above(self, picture: Image, sheet: CardReading) -> Pencil:
        """A pencil on the picture straightened to a view from above."""
        return Pencil(picture, through(to_above(sheet)), 1.0)

    def draw(self, pencil: Pencil, sheet: CardReading, marked: Annotations) -> None:
        """Draw cards, stations and signs."""
        draw_table(pencil, sheet, marked)

    def seats(self, state: State) -> Sequence[int]:
        """The one seat to read for, as all share the area: the one to move, or a scorekeeper's first."""
        return (state.turn if state.mode == "umpire" else min(state.seats),)

    def hints(
        self, state: State, seat: int | None, corners: Corners | None, taught: Sequence[Path]
    ) -> ReadHints:
        """What to ask for: the lanes in play, marked corners, taught decks, and each seat's company."""
        players = tuple((company, seat) for seat, company in enumerate(state.options.companies, 1))
        return ReadHints(f"lanes-{len(state.starts)}", None, corners, tuple(taught), players)

    def references(self, before: ReferenceCards | None, shown: Shown, state: State) -> ReferenceCards | None:
        """The cards' pictures to compare with: those of cards that lie there in the match, too."""
        return with_shown(before, shown, state.cells)

    def context(self, hints: ReadHints, rolled: str | None) -> TableContext:
        """What is known beforehand: lanes (as an edition), corners of the field, decks and companies."""
        _lanes(hints)
        _companies(hints)
        for path in hints.taught:
            if not path.name.endswith(DECK_ENDING):
                message = m(
                    "{stem} is not a deck: cards are found by themselves, teach-deck learns a deck",
                    stem=path.stem,
                )
                raise NotationError("bad-option", message)
            known_deck(path)
        for name, value in {"rolled": rolled, "seat": hints.seat}.items():
            if value:
                useless = f"--{name} is of no use here: there are no dice, and cards are found by themselves"
                raise NotationError("bad-option", useless)
        return TableContext()

    def positions(self, reading: CardsPhoto) -> Sequence[FoundPosition[CardReading, AreaRuling]]:
        """Every card table as the rules allow it."""
        return [_position(sheet) for sheet in reading.sheets]


def _lanes(hints: ReadHints) -> tuple[int, ...]:
    """The possible numbers of lanes."""
    return (lanes_of_mat(hints.edition),) if hints.edition else tuple(sorted(ARRIVALS_TO_END))


def _companies(hints: ReadHints) -> tuple[str, ...]:
    """The letters of the companies that play, if that is known."""
    letters = tuple(company.upper() for company, _ in hints.players)
    for letter in letters:
        if letter not in COMPANIES:
            raise NotationError(
                "bad-players",
                m(
                    "{letter} is not a company: they are {companies}",
                    letter=quoted(letter),
                    companies=listed(COMPANIES),
                ),
            )
    return letters


def _position(sheet: CardReading) -> FoundPosition[CardReading, AreaRuling]:
    sheet, ruled = ruled_cards(sheet, None)
    starts, destinations = sheet.columns
    position = {
        "starts": list(starts),
        "destinations": list(destinations),
        "grid": ruled.labels,
        "tunnels": True,
    }
    return FoundPosition(_AREA, position, ruled, sheet)
