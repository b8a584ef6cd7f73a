"""The part ``studio`` of the package: see :class:`companion.game.parts.Studio`."""

from __future__ import annotations

import numpy as np

from companion.core.jsontext import JsonObject
from companion.game.parts import StudioFilm
from companion.games.railroad_ink.rules.boards.board import Board
from companion.games.railroad_ink.rules.boards.walls import NO_WALLS
from companion.games.railroad_ink.rules.match.state import State
from lab.railroad_ink.studio.boards import GivenBoard, SheetMarks
from lab.railroad_ink.studio.camera import StudioCamera
from lab.railroad_ink.studio.output import take_picture
from lab.studio.darkroom import packed
from lab.studio.series import PictureStudio

_MEGAPIXELS, _QUALITY = 4.0, 88  # of the demonstration's pictures


class RailroadInkStudio(PictureStudio[State]):
    """Boards drawn by hand with a marker, photographed on somebody's table."""

    def take(self, seed: int, level: str, photo: str) -> tuple[bytes, JsonObject]:
        """Boards of made-up matches, with everything about the picture as truth."""
        return take_picture(seed, level, photo)

    def picture(self, state: State, number: int) -> bytes:
        """The boards of the match, always on the same table; every seat draws in a hand of its own."""
        boards = tuple(GivenBoard(seat, _marks(state, board), seat) for seat, board in state.boards.items())
        frame = StudioCamera(lambda: boards, megapixels=_MEGAPIXELS).frame(number)
        return packed(np.asarray(frame[:, :, ::-1]), _QUALITY)

    def film(self, state: State) -> StudioFilm[State] | None:
        """Boards of the usual size, without an expansion, on which people draw."""
        from lab.railroad_ink.film import DemonstrationFilm

        options = state.options
        plain = options.size == "usual" and not options.known and not options.walls
        return DemonstrationFilm(state) if plain and options.edition == "challenge" else None


def _marks(state: State, board: Board) -> SheetMarks:
    """The truth about a board of the match; only boards of the usual size have printed walls."""
    walls = state.options.walls if state.options.size == "usual" else NO_WALLS
    return SheetMarks(state.options.edition, board.cells(), board.rounds(), walls=walls)
