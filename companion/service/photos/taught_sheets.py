"""Boards and decks of the owner's own: learnt from photographs into files, told, read and forgotten."""

from __future__ import annotations

from pathlib import Path

from companion.core.messages import m
from companion.game.parts import DECK_ENDING
from companion.reading.types import BoardReading, Corners, TaughtBoardAnswer
from companion.service.photos.eye import Eye
from companion.service.photos.loose_photos import LoosePhotos
from companion.service.photos.queries import MatchContext
from companion.service.photos.taught_segments import read_taught_board, teach_segments
from companion.service.photos.teaching import clean_photo, teach_board, teach_deck
from companion.table.exc import TableError
from companion.table.folder import TAUGHT, taught_files
from companion.table.match import Match


class TaughtSheets:
    """The files of a table's folder that say how boards and decks of the owner's own look."""

    def __init__(self, folder: Path, loose: LoosePhotos, eye: Eye) -> None:
        self.eye = eye
        self._folder = folder
        self._loose = loose

    def keep_picture(self, photo: bytes) -> tuple[str, tuple[int, int]]:
        """A photograph of what is to be taught: under which digest it is kept, and its size in pixels."""
        clean = self.eye.call(clean_photo, photo)
        self._loose.keep_for_teaching(clean.digest, clean.cleaned)
        return clean.digest, clean.size

    def teach_board(self, match: Match, seat: int, digest: str, corners: Corners) -> TaughtBoardAnswer:
        """Learn how an empty board looks, from a kept photograph; its name."""
        context = MatchContext(match.game.name, match.state)
        photo, folder = self._loose.kept(digest), self._folder / TAUGHT
        return self.eye.call(teach_board, context, photo, seat, corners, folder)

    def teach_segments(self, name: str, digest: str, corners: Corners, segments: bytes) -> TaughtBoardAnswer:
        """Learn an empty board of segments, from a kept photograph and its owner's JSON."""
        path = self._folder / TAUGHT / f"{name}.json"
        return self.eye.call(teach_segments, self._loose.kept(digest), corners, segments, path)

    def teach_deck(
        self,
        game: str,
        name: str,
        number: int,
        photo: bytes | str,
        edition: str = "",
        corners: Corners | None = None,
    ) -> TaughtBoardAnswer:
        """Learn the cards of one photograph of a deck, laid in the printed order.

        It is sent, and not kept; or kept already under this digest, perhaps with the ``corners`` of its field
        of cards.
        """
        path = self._folder / TAUGHT / f"{name}{DECK_ENDING}"
        found = photo if isinstance(photo, bytes) else self._loose.kept(photo)
        return self.eye.call(teach_deck, game, number, found, path, edition, corners)

    def read_board(self, name: str, photo: bytes) -> BoardReading:
        """What lies on a taught board; nothing is kept."""
        path = self._board_files().get(name)
        if path is None:
            raise TableError("no-board", m("no board called {name} is taught", name=name))
        return self.eye.call(read_taught_board, path, photo)

    def boards(self) -> list[str]:
        """The boards learned so far."""
        return list(self._board_files())

    def decks(self) -> list[str]:
        """The decks learned so far."""
        return list(self._deck_files())

    def forget_board(self, name: str) -> bool:
        """Forget a learned board; return False if there is none of this name."""
        return _forgotten(self._board_files().get(name))

    def forget_deck(self, name: str) -> bool:
        """Forget a learned deck; return False if there is none of this name."""
        return _forgotten(self._deck_files().get(name))

    def _board_files(self) -> dict[str, Path]:
        files = taught_files(self._folder)
        return {path.stem: path for path in files if not path.name.endswith(DECK_ENDING)}

    def _deck_files(self) -> dict[str, Path]:
        files = taught_files(self._folder)
        return {
            path.name.removesuffix(DECK_ENDING): path for path in files if path.name.endswith(DECK_ENDING)
        }


def _forgotten(path: Path | None) -> bool:
    if path is not None:
        path.unlink()
    return path is not None
