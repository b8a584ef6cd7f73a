"""The film of a demonstration: bots think, people on film draw, a camera enters what it sees."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from companion.game.base import Action
from companion.game.registry import GAMES, find_studio
from companion.service.demonstration import Demonstration, Filmed, Pace
from companion.service.photos.queries import MatchContext
from companion.service.photos.worker import Worker
from companion.service.service import STUDIO
from companion.service.watching.filming import FILM, FilmCamera, play_film
from companion.table.chance import SeededChance
from companion.table.exc import TableError
from companion.table.match import Match
from tests.web.houses import accepted, begin, small_house

FACES = ["NS", "ne", "N*", "NS|ew"]
PACE = Pace(roll=0, move=0, look=0, between_matches=0, film=10)


class Projector:
    """Notes what is to be drawn."""

    def __init__(self) -> None:
        self.turns: list[Mapping[int, Sequence[Action]]] = []
        self.ended, self.works, self.looked_at = 0, True, True

    def play(self, match: Match, turns: Mapping[int, Sequence[Action]]) -> bool:
        self.turns.append(turns)
        return self.works

    def end(self) -> None:
        self.ended += 1


def test_bots_wait_for_the_camera_and_go_on_without_it(tmp_path: Path) -> None:
    with small_house(tmp_path) as house:
        now, projector = [0.0], Projector()
        bots = Demonstration(
            house.table, threading.Event(), GAMES["railroad-ink"], pace=PACE, clock=lambda: now[0]
        )
        bots.chance = SeededChance(3)
        bots.filmed = Filmed(projector.play, projector.end, lambda: projector.looked_at)
        for _ in range(2):  # a match, and its dice
            request = bots.next_request()
            assert request is not None
            accepted(house, *request)
        assert bots.next_request() is None
        assert bots.next_request() is None
        (turns,) = projector.turns
        assert sorted(turns) == [1, 2, 3, 4]
        assert all(turns.values())
        # The camera enters one; of the others it sees nothing in time, so they enter what was drawn
        drawn = [{"cell": one.data["cell"], "route": one.data["route"]} for one in turns[1]]
        accepted(house, Action("turn", 1, {"moves": drawn}))
        accepted(house, Action("done", 1))
        assert bots.next_request() is None
        for _ in range(60):
            now[0] += PACE.film + 1
            request = bots.next_request()
            if request is None or request[0].kind == "roll":
                break
            accepted(house, *request)
        match = house.table.current
        assert match is not None
        assert match.state.round == 2
        for seat, actions in turns.items():
            on_board = {(one.cell, one.route) for one in match.state.boards[seat].drawings}
            assert on_board == {(one.data["cell"], one.data["route"]) for one in actions}
        # Nobody looks: no film, bots play as ever
        accepted(house, Action("roll"))
        projector.looked_at = False
        assert bots.next_request() is not None
        assert (len(projector.turns), projector.ended) == (1, 1)
        # There is none: neither
        projector.looked_at, projector.works = True, False
        assert bots.next_request() is not None
        assert bots.filmed is None


def test_a_film_goes_on_as_time_does_and_shows_what_was_there(tmp_path: Path) -> None:
    with small_house(tmp_path) as house:
        begin(house, "Anna", options={"goals": "none"})
        accepted(house, Action("roll", data={"faces": FACES}))
        accepted(house, Action("draw", 1, {"cell": "b1", "route": "NS", "from": "die"}))
        match, worker = house.table.current, Worker()
        assert match is not None
        context = MatchContext(match.game.name, match.state, match=match.id)
        play_film(worker, context, {1: (Action("draw", 1, {"cell": "d1", "route": "ne", "from": "die"}),)})
        film = worker.film
        assert isinstance(film, FilmCamera)
        first = film.frame(10.0)
        assert film.frame(11.0) is not first
        assert film.frame(11.0).small().ndim == 3
        sheet = film.film._table.film.sheets[1]  # type: ignore[attr-defined]
        assert len(sheet.marks) == 1, "drawn before the film began"


def test_where_there_is_no_film_the_studio_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with small_house(tmp_path) as house:
        begin(house, "Anna")
        match = house.table.current
        assert match is not None
        monkeypatch.setattr(house.eye, "call", lambda *given, **_: None)
        assert house.film(match, {})
        assert (house.camera.name, house.camera.watches) == (FILM, True)
        house.end_film()
        assert (house.camera.name, house.camera.watches) == (STUDIO, False)

        def none(*given: object, **_: object) -> None:
            raise TableError("no-film", "there is no film of such a match")

        monkeypatch.setattr(house.eye, "call", none)
        assert not house.film(match, {})
        assert house.camera.name == STUDIO
        options = type(match.state.options)
        giant = match.state.__class__(match.state.mode, options(size="giant"), match.state.boards)
        assert find_studio("railroad-ink").film(giant) is None
