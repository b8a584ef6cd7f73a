"""A film of a match: four people draw with markers what they may, round by round, by all the rules.

``python -m lab.film.bench`` watches it. Styles, pens, tables and seeds that are for reporting only are named
in the bench.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from random import Random

import numpy as np

from companion.core.chance import SeededChance
from companion.core.records import replaced
from companion.game.base import Action, Fact, MatchRequest, NoChance, Refusal
from companion.game.parts import StudioFilm
from companion.games.railroad_ink.printing.printed import slot_quads
from companion.games.railroad_ink.printing.sheets import board_sheet
from companion.games.railroad_ink.rules.boards.board import Board
from companion.games.railroad_ink.rules.match.game import RailroadInk
from companion.games.railroad_ink.rules.match.state import State
from companion.games.railroad_ink.rules.rulebook import GRID
from lab.film.film import FRAME_RATE, Film, FilmFrame
from lab.film.levels import film_level
from lab.film.marks import DrawnMark, FilmSheet, Mark
from lab.railroad_ink.random_play import played
from lab.railroad_ink.studio.boards import cell_strokes
from lab.railroad_ink.studio.hands import Hand, made_readable, take_hand
from lab.railroad_ink.studio.photographs import blank_sheet
from lab.railroad_ink.studio.tips import as_held
from lab.railroad_ink.studio.writing import Writer
from lab.studio.habits import PENS
from lab.studio.levels import level_named
from lab.studio.paper import on_paper, paper_for

_GAME = RailroadInk()
_SHOWN = 4_000_010  # the seed of the demonstration's table
_WRITES = 0.7  # share of people who write the number of the round into the cell


class FilmedMatch:
    """A match whose next round is always known: ``state`` is where it stands, ``film`` what a camera sees."""

    game = "railroad-ink"

    def __init__(
        self,
        level: str,
        seed: int,
        seats: int = 4,
        without_styles: Collection[str] = (),
        without_pens: Collection[str] = (),
    ) -> None:
        self._random, self._chance = Random(f"film {seed}"), SeededChance(Random(f"dice {seed}"))
        begun = _GAME.setup(MatchRequest(seats, "umpire", {}), self._chance)
        assert not isinstance(begun, Refusal), begun
        self.state: State = _GAME.start(begun)
        rng = np.random.default_rng([seed, 21])
        unsteady = level_named(film_level(level).studio).unsteady
        self._hands = {
            seat: made_readable(take_hand(rng, without_styles, without_pens), unsteady)
            for seat in self.state.boards
        }
        self._writes = {seat: bool(rng.random() < _WRITES) for seat in self.state.boards}
        self._writers = {seat: Writer(rng, hand) for seat, hand in self._hands.items()}
        self._seed = seed
        sheets = [self._sheet(rng, seat) for seat in self.state.boards]
        self.film = Film(sheets, level, seed)

    def _sheet(self, rng: np.random.Generator, seat: int) -> FilmSheet:
        edition, paper = self.state.options.edition, paper_for(rng)
        return FilmSheet(
            seat,
            board_sheet(edition, seat),
            lambda scale: on_paper(blank_sheet(edition, seat, scale), replace(paper)),
        )

    def roll(self) -> Mapping[int, State]:
        """Throw the dice; the film goes on, and what each seat will have drawn comes back, by seat."""
        self.state = self._after(self.state, Action("roll", 1))
        after: dict[int, State] = {}
        marks: dict[int, Sequence[Mark]] = {}
        for seat, board in self.state.boards.items():
            new = played(self._random, self.state.rules, board, self.state.roll)
            state = self.state
            drawings = new.drawings[len(board.drawings) :]
            for one in drawings:
                data = {"cell": one.cell, "route": one.route, "from": one.source}
                state = self._after(state, Action("draw", seat, data))
            after[seat] = state
            marks[seat] = [self.mark(seat, one.cell, state) for one in drawings]
        self.film.play(marks)
        return after

    def turn(self, seat: int, state: State, actions: Sequence[Action]) -> list[Mark]:
        """The marks of a turn that somebody else has thought of; what is no drawing leaves none."""
        marks = []
        for action in actions:
            state = self._after(state, action)
            if action.kind == "draw":
                name = action.data["cell"]
                marks.append(self.mark(seat, name, state))
        return marks

    def mark(self, seat: int, name: str, state: State) -> Mark:
        """A route as this person draws it, and perhaps the number of the round."""
        cell = GRID.cell(name)
        hand = self._hands[seat]
        own = np.random.default_rng([self._seed, seat, cell])
        route = state.boards[seat].cells()[cell]
        lines = [
            (self._ink(hand, part), line)
            for line in cell_strokes(own, hand, cell, route)
            for part in [line.part]
        ]
        if self._writes[seat]:
            place = slot_quads(state.options.edition)[f"{GRID.names[cell]}-round"]
            number = self._writers[seat].by(own).text(str(state.round), place, hand.digit_height)
            lines += [(PENS[hand.pen].ink, line) for line in number]
        held = [(ink, one) for ink, line in lines for one in as_held(own, hand, [line])]
        return DrawnMark(name, held, hand.dry, self._seed + cell)

    def _ink(self, hand: Hand, part: str) -> str:
        """The ink of a line, for people with a pen for railways."""
        if hand.inks is not None:
            return dict(zip(("", "rail", "station"), hand.inks, strict=True))[part]
        return PENS[(hand.rail_pen or hand.pen) if part == "rail" else hand.pen].ink

    def _after(self, state: State, action: Action) -> State:
        fact = _GAME.decide(state, action, self._chance if action.kind == "roll" else NoChance())
        assert isinstance(fact, Fact), fact
        return _GAME.apply(state, fact)

    def settle(self, after: Mapping[int, State]) -> None:
        """The round is over, as it was drawn: by whatever it was entered."""
        for seat, state in after.items():
            before = len(self.state.boards[seat].drawings)
            for one in state.boards[seat].drawings[before:]:
                data = {"cell": one.cell, "route": one.route, "from": one.source}
                self.state = self._after(self.state, Action("draw", seat, data))
            self.state = self._after(self.state, Action("done", seat))


class DemonstrationFilm(StudioFilm[State]):
    """A calm table on which the bots of a demonstration draw."""

    frame_rate = FRAME_RATE

    def __init__(self, state: State) -> None:
        self._match = FilmedMatch("calm", _SHOWN, len(state.boards))
        self._match.state = begun = replaced(state, boards={seat: Board() for seat in state.boards})
        for seat, board in state.boards.items():
            for one in board.drawings:
                begun = replaced(begun, boards={**begun.boards, seat: begun.boards[seat].with_drawing(one)})
                self._match.state = replaced(self._match.state, round=max(one.round, 1))
                mark = self._match.mark(seat, one.cell, begun)
                self._match.film.sheets[seat].add(mark)

    def play(self, state: State, turns: Mapping[int, Sequence[Action]]) -> None:
        """Everybody draws a turn."""
        self._match.state = state
        self._match.film.play(
            {seat: self._match.turn(seat, state, actions) for seat, actions in turns.items()}
        )

    def next(self) -> FilmFrame:
        """One frame more."""
        return self._match.film.next()
