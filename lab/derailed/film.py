"""A film of a match with cards of people's own: one card after the other is laid on the mat."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from random import Random

import numpy as np

from companion.game.base import Action, Fact, NoChance
from companion.games.derailed.printing.mat_art import mat_drawing
from companion.games.derailed.printing.printed import MATS, PRINTED, card_corner
from companion.games.derailed.printing.sheets import mat_sheet
from companion.games.derailed.rules.cards import DECK, card_of
from companion.games.derailed.rules.game import Derailed
from companion.games.derailed.rules.network import grid_of, lane_name
from companion.games.derailed.rules.rulebook import ROWS
from companion.games.derailed.rules.state import State
from companion.sheets.printing.png import MM_PER_INCH, picture
from lab.derailed.studio.decks import Deck, card_picture
from lab.derailed.studio.hands import take_card_hand
from lab.film.film import Film
from lab.film.marks import FilmSheet, LaidMark
from lab.film.match import FilmedMatch
from lab.studio.cameras import rotation, shift
from lab.studio.darkroom import Codes
from lab.studio.paper import on_paper, paper_for

_GAME = Derailed()
_SCALE = 4.0  # pixels per mm in which cards are drawn
_OFF = 1.2, 1.2  # deviation of how far cards lie off, in mm and degrees
_OWN_PRINTED = 0.3  # share of tables with our own cards
_EVERYBODYS = 0  # the sheet of all
_TURNS = 30


class FilmedDerailed(FilmedMatch):
    """Three people with a deck of their own on a mat. ``without``: people whose decks nobody has."""

    game, parts = "derailed", _TURNS

    def __init__(self, level: str, seed: int, without: Collection[str] = (), seats: int = 3) -> None:
        self.seats, self.options = seats, {"deal": "table"}
        self._level, self._seed = level, seed
        self._random, self._rng = Random(f"film {seed}"), np.random.default_rng([seed, 31])
        printed = self._rng.random() < _OWN_PRINTED
        self._deck = Deck(None if printed else take_card_hand(self._rng, without))

    def lay_out(self, state: State) -> None:
        """The mat with the stations on it."""
        lanes = len(state.starts)
        mat = next(name for name, count in sorted(MATS.items()) if count >= lanes)
        paper = paper_for(self._rng)
        sheet = FilmSheet(_EVERYBODYS, mat_sheet(mat), lambda scale: on_paper(_blank(mat, scale), paper))
        for row, letters in ((0, state.starts), (ROWS + 1, state.destinations)):
            for lane, letter in enumerate(letters):
                end = "destination" if row else "start"
                sheet.add(self._card(letter, f"{lane_name(lane)}-{end}", lane, row, 0))
        self.film = Film([sheet], self._level, self._seed)

    def _card(self, card: str, place: str, lane: int, row: int, copy: int) -> LaidMark:
        far, turn = _OFF
        size = np.asarray(PRINTED.card.size)
        middle = np.asarray(card_corner(lane, row)) + size / 2 + self._rng.normal(0, far, 2)
        to_sheet = shift(middle) @ rotation(float(self._rng.normal(0, turn))) @ shift(-size / 2)
        return LaidMark(place, card_picture(self._deck, card, copy, _SCALE), _SCALE, to_sheet)

    def before(self, state: State) -> Action | None:
        """Whatever is not the laying of a card is said."""
        legal = _GAME.legal(state, state.turn)
        return None if any(one.kind == "place" for one in legal) else next(iter(legal))

    def begin(self, state: State) -> None:
        """Whose turn it is lays a card."""
        chosen = self._random.choice([one for one in _GAME.legal(state, state.turn) if one.kind == "place"])
        fact = _GAME.decide(state, chosen, NoChance())
        assert isinstance(fact, Fact), fact
        self._before, self._laid, self._after = state, chosen, _GAME.apply(state, fact)
        lanes, face = len(state.starts), chosen.data["card"]
        cell = grid_of(lanes).names.index(chosen.data["cell"])
        copy = self._random.randrange(max(DECK[card_of(face)], 1))
        mark = self._card(face, chosen.data["cell"], cell % lanes, cell // lanes + 1, copy)
        self.film.play({state.turn: [mark]})

    def entered(self, state: State) -> Mapping[int, bool]:
        """Whose turn it was has moved."""
        return {self._before.turn: state != self._before}

    def right(self, state: State) -> Mapping[int, bool]:
        """The card that was laid, where it was laid."""
        return {self._before.turn: state == self._after}

    def by_hand(self, state: State, seat: int) -> Sequence[Action]:
        """The card is named."""
        return [self._laid]


@lru_cache(maxsize=4)
def _blank(mat: str, scale: float) -> Codes:
    return np.asarray(picture(mat_drawing(mat), scale * MM_PER_INCH))
