"""Streams: the first byte at once, every change in order, a limit, and an end."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import msgspec
import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.game.base import Action
from companion.service.service import Service
from tests.web.houses import accepted, begin
from tests.web.people import seated
from web import create_app
from web.app import WebSettings
from web.live.streams import HELLO, KEPT, Live, message
from web.site import site_of


@pytest.fixture
def live(house: Service) -> Iterator[Live]:
    stopping = threading.Event()
    app = create_app(house, WebSettings(streams=2), stopping)
    made = site_of(app).live
    made.start()
    yield made
    stopping.set()
    made.join()


def told(sent: bytes) -> list[tuple[str, dict[str, object]]]:
    found = []
    for block in sent.decode().strip().split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.splitlines())
        found.append((lines["event"], msgspec.json.decode(lines["data"])))
    return found


def test_the_first_line_comes_at_once_and_then_every_change(live: Live, house: Service) -> None:
    stream = live.stream()
    assert next(stream) == HELLO
    match = begin(house)
    (kind, data), *_ = told(next(stream))
    assert (kind, data) == ("changed", {"match": match, "version": 1, "kind": "start", "seat": None})


def test_a_roll_brings_the_dice_along(live: Live, house: Service) -> None:
    begin(house)
    stream = live.stream()
    next(stream)
    accepted(house, Action("roll", data={"faces": ["NS", "ne", "N*", "NS|ew"]}))
    messages = told(next(stream))
    while messages[-1][1].get("kind") != "roll":
        messages += told(next(stream))
    pieces = messages[-1][1]["pieces"]
    assert isinstance(pieces, dict)
    assert "railway curve" in pieces["dice"]


def test_one_that_fell_behind_fetches_everything(live: Live) -> None:
    stream = live.stream()
    next(stream)
    for number in range(KEPT + 1):
        live.send(message("changed", {"version": number}))
    assert told(next(stream)) == [("resync", {})]
    live.send(message("changed", {"version": 99}))
    assert told(next(stream)) == [("changed", {"version": 99})]


def test_a_stream_ends_after_a_while_so_that_threads_come_free(live: Live) -> None:
    times = iter([0.0, 1.0, 10_000.0])
    stream = live.stream(clock=lambda: next(times))
    next(stream)
    live.send(message("changed", {}))
    next(stream)
    assert list(stream) == []


def test_stopping_ends_every_stream(house: Service) -> None:
    stopping = threading.Event()
    made = Live(house.table.subscribe(), lambda event: {}, 5, stopping)
    made.start()
    ended = threading.Event()
    stream = made.stream()
    next(stream)

    def read() -> None:
        for _ in stream:
            pass
        ended.set()

    reader = threading.Thread(target=read)
    reader.start()
    stopping.set()
    assert ended.wait(5)
    reader.join()
    made.join()
    assert not made.take()


def test_above_the_limit_the_page_is_told_to_poll(house: Service) -> None:
    client = create_app(house, WebSettings(streams=2)).test_client()
    held = [client.get("/api/v1/stream") for _ in range(2)]
    assert [answer.status_code for answer in held] == [200, 200]
    assert held[0].mimetype == "text/event-stream"
    refused = client.get("/api/v1/stream")
    assert refused.status_code == 503
    assert int(refused.headers["Retry-After"]) > 0
    assert refused.get_json()["error"]["code"] == "no-stream"
    held[0].close()
    again = client.get("/api/v1/stream")
    assert again.status_code == 200
    again.close()
    held[1].close()


def test_who_plays_gets_a_stream_where_a_watcher_gets_none(house: Service) -> None:
    app = create_app(house, WebSettings(streams=1))
    begin(house, "")
    player, watcher = seated(app, house, 1, "East"), app.test_client()
    held = app.test_client().get("/api/v1/stream")
    answers = [client.get("/api/v1/stream") for client in (watcher, player)]
    assert [answer.status_code for answer in (held, *answers)] == [200, 503, 200]
    for answer in (held, *answers):
        answer.close()


def test_pieces_are_sent_again_only_when_something_changed(
    client: FlaskClient, app: Flask, house: Service
) -> None:
    match = begin(house)
    first = client.get("/api/v1/pieces")
    told_first = first.get_json()
    assert (told_first["match"], told_first["version"]) == (match, 1)
    shown = {"headline", "dice", "seat-1", "seat-2", "asides", "signs", "between", "sit", "storage"}
    assert shown == set(told_first["pieces"])
    tag = first.headers["ETag"]
    assert client.get("/api/v1/pieces", headers={"If-None-Match": tag}).status_code == 304
    accepted(house, Action("roll"))
    second = client.get("/api/v1/pieces", headers={"If-None-Match": tag})
    assert second.status_code == 200
    assert second.get_json()["pieces"]["asides"] == told_first["pieces"]["asides"]
    assert second.get_json()["pieces"]["dice"] != told_first["pieces"]["dice"]


def test_those_who_belong_to_the_table_get_a_stream_before_watchers(house: Service) -> None:
    live = Live(house.table.subscribe(), lambda event: {}, 3, threading.Event())
    crowd = [live.take("10.0.0.66"), live.take("10.0.0.66"), live.take("10.0.0.7")]
    assert all(crowd)
    assert live.take("10.0.0.8") is None
    streams = [live.stream(place) for place in crowd]
    for stream in streams:
        next(stream)
    player = live.take("10.0.0.1", belongs=True)
    assert player is not None
    ended = [place for place in crowd if place is not None and place.ended]
    assert [place.address for place in ended] == ["10.0.0.66"], "the address with the most gives way"
    assert list(streams[crowd.index(ended[0])]) == []
    others = [live.take("10.0.0.2", belongs=True), live.take("10.0.0.3", belongs=True)]
    assert all(others)
    assert live.take("10.0.0.4", belongs=True) is None, "all places are taken by those who belong here"
