"""How Derailed! reads photographs: see :class:`companion.games.parts.Reader`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from companion.core.messages import listed, m
from companion.games.contract import Plain
from companion.games.derailed.eye.decks.lent import LentCards, Shown, shown_cards, with_shown
from companion.games.derailed.eye.decks.taught import known_deck
from companion.games.derailed.eye.decks.teaching import teach_photograph
from companion.games.derailed.eye.grids.tables import Expected
from companion.games.derailed.eye.overlay import drawn_table, straightened_table
from companion.games.derailed.eye.reading import read_cards
from companion.games.derailed.eye.readings import CardReading, CardsPhoto
from companion.games.derailed.eye.seats import answer_for_seat
from companion.games.derailed.eye.told import KnownTable, ruled_cards
from companion.games.derailed.paper.printed import MATS, lanes_of_mat
from companion.games.derailed.rules.rulebook import ARRIVALS_TO_END, COMPANIES
from companion.games.derailed.rules.state import State
from companion.games.kit.errors import NotationError
from companion.games.kit.evidence import usual_advice
from companion.games.kit.grid import quoted
from companion.games.parts import DECK_ENDING, Reader
from companion.games.sight import Corners, FoundPosition, SeenSheet, View, Wish
from vision.rectify import Image

_FINE_PIXELS, _FINE_LIGHT = 0.8, 0.3  # a reading gets doubtful below these
_AREA = 1  # the seat by which the one area of all is told where there is no match


class DerailedReader(Reader[State, CardReading]):
    """Reads the cards of the railway area, on the mat or on a bare table."""

    finds_positions = True
    learns_decks = True
    remembers = True

    answer = staticmethod(answer_for_seat)
    above = staticmethod(straightened_table)
    shown = staticmethod(shown_cards)

    def read(self, photo: bytes | Image, wish: Wish) -> CardsPhoto:
        """Find and read every card table in a photograph, or the one whose corners were marked."""
        decks = tuple(known_deck(path) for path in wish.taught)
        lent = wish.lent if isinstance(wish.lent, LentCards) else None
        return read_cards(photo, Expected(_lanes(wish), wish.corners, decks, _companies(wish), lent))

    def teach_deck(self, path: Path, number: int, image: Image, wish: Wish) -> str:
        """Learn the cards of one photograph of the printed order."""
        lanes = lanes_of_mat(wish.edition or next(iter(MATS)))
        return teach_photograph(path, number, image, Expected((lanes,), wish.corners))

    def view(self, reading: CardsPhoto) -> View:
        """Which tables are in the picture and how it could be better."""
        sheets = tuple(
            SeenSheet(
                _AREA,
                m("The card table, {lanes} lanes", lanes=sheet.lanes),
                tuple((x / reading.width, y / reading.height) for x, y in sheet.corners_px),
                usual_advice(sheet.quality, _FINE_PIXELS, _FINE_LIGHT),
            )
            for sheet in reading.sheets
        )
        return View(sheets, reading.notes)

    def seats(self, state: State) -> Sequence[int]:
        """All share one area, so it is read once: for whose turn it is, or for the first as scorekeeper."""
        return (state.turn if state.mode == "umpire" else min(state.seats),)

    def wish(self, state: State, seat: int | None, corners: Corners | None, taught: Sequence[Path]) -> Wish:
        """As many lanes as play, the corners of their field, where somebody marked them, taught decks, and
        which company each seat plays.
        """
        players = tuple((company, seat) for seat, company in enumerate(state.options.companies, 1))
        return Wish(f"lanes-{len(state.starts)}", None, corners, tuple(taught), players)

    def lent(self, before: LentCards | None, shown: Shown, state: State) -> LentCards | None:
        """The cards' pictures to compare with: those of cards that lie there in the match, too."""
        return with_shown(before, shown, state.cells)

    def drawn(self, above: Image, sheet: CardReading, ruling: Plain | None) -> Image:
        """The area with the cards that were ruled to lie there, and the doubtful ones marked."""
        told = ruling or {"cells": {}, "doubtful": ()}
        return drawn_table(above, sheet, told["cells"], told["doubtful"])

    def known(self, wish: Wish, rolled: str | None) -> KnownTable:
        """How many lanes there are (as an edition), the corners of their field, decks, companies; no dice."""
        _lanes(wish)
        _companies(wish)
        for path in wish.taught:
            if not path.name.endswith(DECK_ENDING):
                message = m(
                    "{stem} is no deck: cards are found by themselves, teach-deck learns a deck",
                    stem=path.stem,
                )
                raise NotationError("bad-option", message)
            known_deck(path)
        for name, value in {"rolled": rolled, "seat": wish.seat}.items():
            if value:
                useless = f"--{name} is of no use here: there are no dice, and cards are found by themselves"
                raise NotationError("bad-option", useless)
        return KnownTable()

    def positions(self, reading: CardsPhoto) -> Sequence[FoundPosition[CardReading]]:
        """Every card table as the rules allow it."""
        return [_position(sheet) for sheet in reading.sheets]


def _lanes(wish: Wish) -> tuple[int, ...]:
    """How many lanes there may be."""
    return (lanes_of_mat(wish.edition),) if wish.edition else tuple(sorted(ARRIVALS_TO_END))


def _companies(wish: Wish) -> tuple[str, ...]:
    """The letters of the companies that play, if that is known."""
    letters = tuple(company.upper() for company, _ in wish.players)
    for letter in letters:
        if letter not in COMPANIES:
            raise NotationError(
                "bad-players",
                m(
                    "{letter} is no company: they are {companies}",
                    letter=quoted(letter),
                    companies=listed(COMPANIES),
                ),
            )
    return letters


def _position(sheet: CardReading) -> FoundPosition[CardReading]:
    sheet, ruled = ruled_cards(sheet, None)
    ruling = ruled.as_json()
    starts, destinations = sheet.columns
    position = {
        "starts": list(starts),
        "destinations": list(destinations),
        "grid": ruling["cells"],
        "tunnels": True,
    }
    return FoundPosition(_AREA, position, ruling, sheet)
