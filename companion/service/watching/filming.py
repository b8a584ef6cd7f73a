"""In the reader's process: a film of a demonstration's table, in place of a camera that stands over one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.core.messages import m
from companion.game.base import Action
from companion.game.parts import FilmPicture, StudioFilm
from companion.game.registry import find_studio
from companion.service.photos.queries import MatchContext
from companion.service.photos.worker import Worker
from companion.table.exc import TableError
from vision.errors import CameraError

FILM = "film"  # what that camera is called
_MOST_BEHIND = 6  # frames that are left out where nobody has looked for a while


@dataclass
class FilmCamera:
    """A film that goes on as time does."""

    match: str
    film: StudioFilm[object]
    seen_at: float | None = None
    picture: FilmPicture | None = None

    def frame(self, at: float) -> FilmPicture:
        """What is to be seen at a time."""
        passed = 1.0 if self.seen_at is None else (at - self.seen_at) * self.film.frame_rate
        self.seen_at = at
        for _ in range(max(1, min(round(passed), _MOST_BEHIND))):
            self.picture = self.film.next()
        if self.picture is None:
            raise CameraError(m("there is no film"))
        return self.picture


def play_film(worker: Worker, match: MatchContext, turns: Mapping[int, tuple[Action, ...]]) -> None:
    """Film a table on which these turns are drawn; the film begins with what the match knows already."""
    own = worker.film
    if own is None or own.match != match.match:
        film = find_studio(match.game).film(match.state)
        if film is None:
            raise TableError("no-film", m("there is no film of such a match"))
        own = worker.film = FilmCamera(match.match, film)
    own.film.play(match.state, turns)
