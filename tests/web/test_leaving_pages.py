"""Every page of every game with seats that were left, handed to bots, and added."""

from __future__ import annotations

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.game.base import Action
from companion.game.registry import GAMES
from companion.service.service import Service
from tests.web.houses import accepted
from tests.web.people import get, good, post, seated, the_host
from web.ui.scene import scene_of


@pytest.mark.parametrize("game", GAMES)
def test_every_page_shows_who_plays(app: Flask, house: Service, client: FlaskClient, game: str) -> None:
    accepted(house, Action("start", data={"game": game, "players": ["North", "", ""]}))
    east, host = seated(app, house, 2, "East"), the_host(app, house)
    accepted(house, Action("hold", 1, {"by": "nobody", "free": True}))
    accepted(house, Action("hold", 3, {"by": "bot"}))
    for phone, path in (
        (client, "/"),
        (client, "/tv"),
        (east, "/play"),
        (host, "/host"),
        (client, "/match/current"),
    ):
        html = phone.get(path).get_data(as_text=True)
        assert "North" in html, path
    assert "left" in client.get("/").get_data(as_text=True)
    assert "a bot plays" in host.get("/host").get_data(as_text=True)
    match = house.table.current
    assert match is not None
    scene = scene_of(match, None)
    assert [one.absent for one in scene.seats] == ["left", "", ""]
    assert [one.bot for one in scene.seats] == [False, False, True]
    assert "North" not in scene.status, "nobody waits for who has left"
    good(post(east, "/matches/current/actions", {"kind": "hold", "data": {"by": "bot"}}))
    assert "A bot plays for East" in east.get("/play").get_data(as_text=True)
    good(post(host, "/matches/current/actions", {"kind": "end", "as_host": True}))
    rows = get(client, "/matches/current/results")["rows"]
    assert [row["place"] for row in rows if row["seat"] == 1] == [None]
    assert '"North"' not in get(client, "/matches/current/results")["bgstats"]
    for path in ("/", "/tv", "/match/current", "/history"):
        assert client.get(path).status_code == 200
    text = client.get("/api/v1/matches/current/export?form=csv").get_data(as_text=True)
    assert ",1,North,," in text, "a row without a place"
