"""The picture of a finished match: everybody's boards and places, drawn by the box itself."""

from __future__ import annotations

from io import BytesIO

import pytest
from flask import Flask
from PIL import Image

from companion.game.base import Action
from companion.game.registry import GAMES
from companion.service.service import Service
from companion.sheets.drawing import Text
from companion.table.match import Match
from companion.table.standings import standings
from tests.web.houses import accepted, play_steps
from web.ui import presenter_of
from web.ui.keepsake import PIXELS, Keepsake, keepsake

PLAYERS = ["Ada", "Großmutter Annemarie", "Ben"]


def played(house: Service, game: str, *, steps: int = 60) -> Match:
    accepted(house, Action("start", data={"game": game, "players": PLAYERS}))
    play_steps(house, steps)
    accepted(house, Action("end"))
    match = house.table.current
    assert match is not None
    return match


def test_it_is_a_png_that_anybody_may_take_when_the_match_is_over(app: Flask, house: Service) -> None:
    accepted(house, Action("start", data={"game": "railroad-ink", "players": PLAYERS}))
    client = app.test_client()
    assert client.get("/match/current/picture.png").status_code == 409
    assert "picture.png" not in client.get("/match/current").get_data(as_text=True)
    play_steps(house, 10)
    accepted(house, Action("end"))
    answer = client.get("/match/current/picture.png")
    assert (answer.status_code, answer.mimetype) == (200, "image/png")
    picture = Image.open(BytesIO(answer.data))
    assert abs(picture.width - PIXELS) <= 1
    assert len(answer.data) < 600_000, "it is sent by phones"
    assert "picture.png" in client.get("/match/current").get_data(as_text=True)


@pytest.mark.parametrize("game", GAMES)
def test_everybody_and_every_board_is_on_it(house: Service, game: str) -> None:
    match = played(house, game)
    presenter = presenter_of(match.game)
    told = Keepsake("A game", "2026-05-01", "The attic", "No winner")
    drawing = keepsake(match, presenter, told)
    words = [shape.words for shape in drawing.shapes if isinstance(shape, Text)]
    assert {"A game", "2026-05-01 · The attic", "No winner"} <= set(words)
    boards = presenter.drawn_boards(match.game.view(match.state, None), match.players)
    assert [seat for seat, _ in boards] in ([0], [1, 2, 3])
    for row in standings(match):
        name = match.players[row["seat"]].name
        assert words.count(name) == 1 + (len(boards) > 1)
    width, height = drawing.size
    for shape in drawing.shapes:
        if isinstance(shape, Text):
            assert 0 < shape.at[0] < width
            assert 0 < shape.at[1] < height


def test_what_was_drawn_is_on_the_boards(house: Service) -> None:
    empty = played(house, "railroad-ink", steps=0)
    before = presenter_of(empty.game).drawn_boards(empty.game.view(empty.state, None), empty.players)
    match = played(house, "railroad-ink", steps=40)
    after = presenter_of(match.game).drawn_boards(match.game.view(match.state, None), match.players)
    for (seat, old), (_, new) in zip(before, after, strict=True):
        cells = len(match.state.boards[seat].drawings)
        assert cells
        assert len(new.shapes) >= len(old.shapes) + cells
