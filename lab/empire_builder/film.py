"""A film of a match: everybody draws track on the map with a crayon, turn by turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.game.base import Action
from companion.games.empire_builder.printing.sheets import map_sheet
from companion.games.empire_builder.rules.match.state import State
from companion.games.empire_builder.rules.moves.building import path_names
from companion.games.empire_builder.rules.rulebook import RULES
from lab.empire_builder.studio.crayons import NOTHING_HELD_OUT, WAX_LEVELS, CrayonHand, HeldOut, take_hands
from lab.empire_builder.studio.lines import drawn as drawn_track
from lab.empire_builder.studio.networks import Build, turn_built
from lab.empire_builder.studio.wax import WaxLayer, waxed
from lab.film.film import Film
from lab.film.levels import film_level
from lab.film.marks import FilmSheet, Mark, begun
from lab.film.match import FilmedMatch
from lab.studio.darkroom import Codes
from lab.studio.habits import between
from lab.studio.ink import Window
from lab.studio.paper import on_paper, paper_for
from lab.studio.strokes import Points, Stroke
from lab.studio.tabletop import blank_print

_MEGAPIXELS = 4.0, 9.0  # a map is as large as a table
_EVERYBODYS = 0  # the sheet of all
_TRIES = 20  # until somebody builds


@dataclass(frozen=True)
class WaxMark(Mark):
    """Lines of one crayon; ``rough`` is the grain of the sheet."""

    place: str
    hand: CrayonHand
    strokes: Sequence[Stroke]
    rough: float
    seed: int

    @property
    def ways(self) -> Sequence[Points]:
        """The lines of the crayon."""
        return [line.points for line in self.strokes]

    def paint(self, picture: Codes, window: Window, drawn: float) -> Codes:
        """Wax on the sheet."""
        lines = [replace(line, points=line.points - window.corner) for line in begun(self.strokes, drawn)]
        layer = WaxLayer(self.hand.wax, self.hand.opaque, lines)
        return waxed(picture, window.scale, [layer] if lines else [], self.rough, self.seed)


class FilmedEmpireBuilder(FilmedMatch):
    """Four people with a crayon each, in the turns for building. ``without`` says what nobody has."""

    game = "empire-builder"

    def __init__(self, level: str, seed: int, without: HeldOut = NOTHING_HELD_OUT, seats: int = 4) -> None:
        self.seats, self.options = seats, {}
        self.parts = RULES.building.building_turns * seats
        self._level, self._seed = level, seed
        self._rng = np.random.default_rng([seed, 51])
        wax = WAX_LEVELS[film_level(level).studio]
        self._hands = take_hands(self._rng, seats, wax, without)
        self._rough = between(self._rng, wax.rough)
        self.colours = {seat: hand.colour for seat, hand in self._hands.items()}

    def lay_out(self, state: State) -> None:
        """The map, on which nobody has drawn yet."""
        sheet, paper = map_sheet(), paper_for(self._rng)
        bare = FilmSheet(_EVERYBODYS, sheet, lambda scale: on_paper(blank_print(sheet, scale), paper))
        self.film = Film([bare], self._level, self._seed, _MEGAPIXELS)

    def before(self, state: State) -> Action | None:
        """Who has built says that the turn is over."""
        return Action("done", state.seat) if state.turn.spent else None

    def begin(self, state: State) -> None:
        """Whose turn it is draws what a turn's money is enough for."""
        self._before, self._builds = state, list[Build]()
        for _ in range(_TRIES):
            self._after, self._builds = turn_built(self._rng, state, state.seat)
            if self._builds:
                break
        self.film.play({state.seat: [self._mark(state, build) for build in self._builds]})

    def _mark(self, state: State, build: Build) -> Mark:
        own = np.random.default_rng([self._seed, build.seat, *build.path])
        hand = self._hands[build.seat]
        strokes = drawn_track(own, state.board, hand, build.path)
        first, last = (state.board.names[milepost] for milepost in (build.path[0], build.path[-1]))
        return WaxMark(f"{first}-{last}", hand, strokes, self._rough, self._seed)

    def entered(self, state: State) -> Mapping[int, bool]:
        """There is more track than before."""
        return {self._before.seat: state.track != self._before.track}

    def right(self, state: State) -> Mapping[int, bool]:
        """The track that was drawn."""
        return {self._before.seat: dict(state.track) == dict(self._after.track)}

    def by_hand(self, state: State, seat: int) -> Sequence[Action]:
        """Line after line is tapped."""
        paths = [path_names(state.board, build.path) for build in self._builds]
        return [Action("build", seat, {"path": path}) for path in paths]
