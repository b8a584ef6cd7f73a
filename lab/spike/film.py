"""A film of a match: pieces of track are laid on the board, build by build."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from random import Random

import numpy as np

from companion.game.base import Action, Fact, NoChance
from companion.games.spike.printing.sheets import board_sheet
from companion.games.spike.rules.boards.board import SHIPPED
from companion.games.spike.rules.match.game import Spike
from companion.games.spike.rules.match.state import State
from companion.games.spike.rules.moves.building import legal_builds
from lab.film.film import Film
from lab.film.marks import FilmSheet, PieceMark
from lab.film.match import FilmedMatch
from lab.spike.studio.board import manner_for, standing_board
from lab.spike.studio.positions import laid_out
from lab.studio.paper import on_paper, paper_for
from lab.studio.pieces import box_for
from lab.studio.tabletop import blank_print

_GAME = Spike()
_MEGAPIXELS = 3.0, 6.0
_EVERYBODYS = 0  # the sheet of all
_BUILDS = 12
_SAVING = 0.6  # share of turns in which somebody who could build takes cards instead


class FilmedSpike(FilmedMatch):
    """Three people with a box of pieces. ``without``: sets of pieces that nobody has."""

    game, parts = "spike", _BUILDS

    def __init__(self, level: str, seed: int, without: Collection[str] = (), seats: int = 3) -> None:
        self.seats, self.options = seats, {}
        self._level, self._seed = level, seed
        self._random, self._rng = Random(f"film {seed}"), np.random.default_rng([seed, 41])
        self._box = box_for(self._rng, seats, without)
        self.colours = dict(enumerate(self._box.paints, start=1))
        self._saves = False

    def lay_out(self, state: State) -> None:
        """The board with its market; nobody has built yet."""
        laid = laid_out(state)
        self._manner = replace(manner_for(self._rng, self._box, laid), colours=self.colours)
        marked, _ = standing_board(laid, self._box, self._manner, self._seed)
        sheet, paper, paint = board_sheet(SHIPPED[0]), paper_for(self._rng), marked.look
        assert callable(paint)
        self._sheet = FilmSheet(
            _EVERYBODYS, sheet, lambda scale: paint(on_paper(blank_print(sheet, scale), paper), scale)
        )
        self.film = Film([self._sheet], self._level, self._seed, _MEGAPIXELS)

    def before(self, state: State) -> Action | None:
        """Whatever is not a build is said; people save cards for longer ones."""
        builds = legal_builds(state) if state.phase == "play" else []
        legal = [one for seat in sorted(state.players) for one in _GAME.legal(state, seat)]
        others = [one for one in legal if one.kind in ("draw", "stop", "finish")]
        if state.phase == "play" and builds and not (others and self._saves):
            self._saves = self._random.random() < _SAVING
            return None
        self._saves = self._random.random() < _SAVING
        return self._random.choice(others or legal)

    def begin(self, state: State) -> None:
        """Whose turn it is lays the pieces of a build, mostly of a long one."""
        builds = sorted(legal_builds(state), key=lambda one: len(one.data["path"]))
        self._laid = self._random.choice(builds[len(builds) // 2 :])
        fact = _GAME.decide(state, self._laid, NoChance())
        assert isinstance(fact, Fact), fact
        self._before, self._after = state, _GAME.apply(state, fact)
        track_free = replace(laid_out(state), tracks=dict.fromkeys(state.players, ()))
        standing, _ = standing_board(track_free, self._box, self._manner, self._seed)
        self._sheet.standing = standing.solids
        _, pieces = standing_board(laid_out(self._after), self._box, self._manner, self._seed)
        self.film.play({state.turn: [PieceMark(track, pieces[track]) for track in self._laid.data["path"]]})

    def entered(self, state: State) -> Mapping[int, bool]:
        """Whose turn it was has built."""
        seat = self._before.turn
        return {seat: state.players[seat].tracks != self._before.players[seat].tracks}

    def right(self, state: State) -> Mapping[int, bool]:
        """The tracks on which pieces were laid, and no others."""
        there, wanted = (
            {seat: sorted(player.tracks) for seat, player in one.players.items()}
            for one in (state, self._after)
        )
        return {self._before.turn: there == wanted}

    def by_hand(self, state: State, seat: int) -> Sequence[Action]:
        """The build is tapped."""
        return [self._laid]
