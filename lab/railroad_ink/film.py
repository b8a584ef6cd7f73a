"""A film of a match: people draw with markers what they may, round by round, by all the rules."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from random import Random

import numpy as np

from companion.core.records import replaced
from companion.game.base import Action
from companion.game.parts import StudioFilm
from companion.games.railroad_ink.printing.printed import slot_quads
from companion.games.railroad_ink.printing.sheets import board_sheet
from companion.games.railroad_ink.rules.boards.board import Board, Drawing
from companion.games.railroad_ink.rules.match.state import State
from companion.games.railroad_ink.rules.rulebook import DICE, GRID, ROUNDS
from lab.film.film import FRAME_RATE, Film, FilmFrame
from lab.film.levels import film_level
from lab.film.marks import DrawnMark, FilmSheet, Mark
from lab.film.match import FilmedMatch
from lab.railroad_ink.random_play import played
from lab.railroad_ink.studio.boards import cell_strokes
from lab.railroad_ink.studio.hands import Hand, made_readable, take_hand
from lab.railroad_ink.studio.photographs import blank_sheet
from lab.railroad_ink.studio.tips import as_held
from lab.railroad_ink.studio.writing import Writer
from lab.studio.habits import PENS, Range
from lab.studio.levels import level_named
from lab.studio.paper import on_paper, paper_for

HELD_OUT_STYLES, HELD_OUT_PENS = ("crosses",), ("brown-medium", "blue-fine")
_SHOWN = 4_000_010  # the seed of the demonstration's table
_SHOWN_MEGAPIXELS = 2.5, 2.5  # of its camera: enough for four boards, and half the memory
_WRITES = 0.7  # share of people who write the number of the round into the cell


class FilmedRailroadInk(FilmedMatch):
    """Four people with a pen and a style each. ``without``: styles and pens that nobody has."""

    game, parts = "railroad-ink", ROUNDS

    def __init__(
        self,
        level: str,
        seed: int,
        without_styles: Collection[str] = (),
        without_pens: Collection[str] = (),
        seats: int = 4,
        megapixels: Range | None = None,
        surface: str = "",
    ) -> None:
        self.seats, self.options = seats, {}
        self._level, self._seed, self._megapixels, self._surface = level, seed, megapixels, surface
        self._random = Random(f"film {seed}")
        rng = np.random.default_rng([seed, 21])
        unsteady = level_named(film_level(level).studio).unsteady
        people = range(1, seats + 1)
        self._hands = {
            seat: made_readable(take_hand(rng, without_styles, without_pens), unsteady) for seat in people
        }
        self._writes = {seat: bool(rng.random() < _WRITES) for seat in people}
        self._writers = {seat: Writer(rng, hand) for seat, hand in self._hands.items()}
        self._rng = rng
        self._after: dict[int, Board] = {}
        self._round = 0

    def lay_out(self, state: State) -> None:
        """A printed board before each of them."""
        sheets = [self._sheet(state, seat) for seat in state.boards]
        self.film = Film(sheets, self._level, self._seed, self._megapixels, self._surface)

    def _sheet(self, state: State, seat: int) -> FilmSheet:
        edition, paper = state.options.edition, paper_for(self._rng)
        return FilmSheet(
            seat,
            board_sheet(edition, seat),
            lambda scale: on_paper(blank_sheet(edition, seat, scale), paper),
        )

    def before(self, state: State) -> Action | None:
        """The dice that were thrown."""
        if state.lies:
            return None
        faces = [self._random.choice(DICE[die]) for die in state.rules.edition.dice]
        return Action("roll", data={"faces": faces})

    def begin(self, state: State) -> None:
        """Everybody draws what the dice allow, and perhaps a special route."""
        self._round = state.round
        marks: dict[int, Sequence[Mark]] = {}
        for seat, board in state.boards.items():
            after = self._after[seat] = played(self._random, state.rules, board, state.roll)
            new = after.drawings[len(board.drawings) :]
            marks[seat] = [self.mark(state, seat, after, one.cell) for one in new]
        self.film.play(marks)

    def mark(self, state: State, seat: int, after: Board, name: str) -> Mark:
        """A route as this person draws it, and perhaps the number of the round."""
        hand, cell = self._hands[seat], GRID.cell(name)
        own = np.random.default_rng([self._seed, seat, cell])
        drawn = cell_strokes(own, hand, cell, after.cells()[cell])
        lines = [(self._ink(hand, line.part), line) for line in drawn]
        if self._writes[seat]:
            place = slot_quads(state.options.edition)[f"{name}-round"]
            number = self._writers[seat].by(own).text(str(state.round), place, hand.digit_height)
            lines += [(PENS[hand.pen].ink, line) for line in number]
        held = [(ink, one) for ink, line in lines for one in as_held(own, hand, [line])]
        return DrawnMark(name, held, hand.dry, self._seed + cell)

    def _ink(self, hand: Hand, part: str) -> str:
        """The ink of a line, for people with a pen for railways."""
        if hand.inks is not None:
            return dict(zip(("", "rail", "station"), hand.inks, strict=True))[part]
        return PENS[(hand.rail_pen or hand.pen) if part == "rail" else hand.pen].ink

    def entered(self, state: State) -> Mapping[int, bool]:
        """A seat that is done has been entered."""
        over = state.round > self._round or not state.lies
        return {seat: over or seat in state.done for seat in state.boards}

    def right(self, state: State) -> Mapping[int, bool]:
        """The routes on the board, and that the seat is done."""
        return {
            seat: is_in and state.boards[seat].cells() == self._after[seat].cells()
            for seat, is_in in self.entered(state).items()
        }

    def by_hand(self, state: State, seat: int) -> Sequence[Action]:
        """Route after route, then done."""
        new = self._after[seat].drawings[len(state.boards[seat].drawings) :]
        draws = [
            Action("draw", seat, {"cell": one.cell, "route": one.route, "from": one.source}) for one in new
        ]
        return [*draws, Action("done", seat)]


class DemonstrationFilm(StudioFilm[State]):
    """A calm wooden table on which the turns of a demonstration's bots are drawn."""

    frame_rate = FRAME_RATE

    def __init__(self, state: State) -> None:
        seats = len(state.boards)
        self._table = FilmedRailroadInk(
            "calm", _SHOWN, seats=seats, megapixels=_SHOWN_MEGAPIXELS, surface="wood"
        )
        self._table.lay_out(state)
        for seat, board in state.boards.items():
            for one in board.drawings:  # what lies there already
                then = replaced(state, round=one.round)
                self._table.film.sheets[seat].add(self._table.mark(then, seat, board, one.cell))

    def play(self, state: State, turns: Mapping[int, Sequence[Action]]) -> None:
        """Everybody draws a turn; what is no drawing leaves no mark."""
        marks: dict[int, Sequence[Mark]] = {}
        for seat, actions in turns.items():
            after = state.boards[seat]
            draws = [one.data for one in actions if one.kind == "draw"]
            for one in draws:
                after = after.with_drawing(Drawing(one["cell"], one["route"], one["from"], state.round))
            marks[seat] = [self._table.mark(state, seat, after, one["cell"]) for one in draws]
        self._table.film.play(marks)

    def next(self) -> FilmFrame:
        """One frame more."""
        return self._table.film.next()
