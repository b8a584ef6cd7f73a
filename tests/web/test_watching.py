"""What a camera over the table asks on pages: who sees it, who may answer, and what becomes of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from companion.game.base import Action
from tests.companion.service.watching.filmed import FilmedTable
from tests.web.houses import accepted, begin, small_house
from tests.web.people import get, good, post, problem, seated, the_host
from web.app import create_app

FACES = ["NS", "ne", "N*", "NS|ew"]
ANNA = {"b1": "NS", "d1": "ne", "f1": "N*", "b2": "NS|ew"}
UNCLEAR = {**ANNA, "d1": "ne nw"}


@pytest.fixture
def filmed(tmp_path: Path) -> Iterator[tuple[FilmedTable, Flask]]:
    with small_house(tmp_path) as house:
        begin(house, "Anna", "Ben", options={"goals": "none"})
        accepted(house, Action("roll", data={"faces": FACES}))
        yield FilmedTable(house), create_app(house)


def piece(client: object, page: str) -> str:
    told: str = get(client, f"/pieces?page={page}")["pieces"]["watching"]  # type: ignore[arg-type]
    return told


def test_who_is_done_stands_on_the_screen_and_on_the_own_phone(filmed: tuple[FilmedTable, Flask]) -> None:
    table, app = filmed
    anna, ben = seated(app, table.house, 1, "Anna"), seated(app, table.house, 2, "Ben")
    assert "done" not in piece(app.test_client(), "tv")
    table.filmed({1: ANNA})
    screen = piece(app.test_client(), "tv")
    assert "<b>Anna</b>: done" in screen
    assert "<b>Ben</b> is drawing" in screen
    assert "Anna is done" in screen, "for the voice"
    assert "<b>Anna</b>: done" in piece(anna, "play")
    assert "Anna" not in piece(ben, "play")
    table.filmed({1: ANNA, 2: ANNA})
    assert "throw the dice" in piece(app.test_client(), "tv")


def test_a_question_is_answered_by_a_tap_of_those_who_may(filmed: tuple[FilmedTable, Flask]) -> None:
    table, app = filmed
    anna, ben = seated(app, table.house, 1, "Anna"), seated(app, table.house, 2, "Ben")
    table.filmed({1: UNCLEAR}, 8)
    assert "railway curve" in piece(anna, "play")
    assert "data-mark" not in piece(app.test_client(), "tv"), "a stranger's browser has no buttons"
    assert "data-mark" in piece(the_host(app, table.house), "tv")
    (told,) = (one for one in get(anna, "/matches/m1/watch")["seats"] if one["seat"] == 1)
    assert (told["state"], [*told["questions"]]) == ("unclear", ["d1"])
    path, says = "/matches/m1/watch/1/answers", {"photo": told["photo"], "slot": "d1", "mark": "ne"}
    problem(post(app.test_client(), path, says), 403, "not-your-seat")
    problem(post(ben, path, says), 403, "not-your-seat")
    problem(post(anna, path, {**says, "mark": "NESW"}), 409, "not-asked")
    problem(post(anna, path, {**says, "photo": "0" * 64}), 409, "not-asked")
    good(post(anna, path, says))
    assert table.match.state.done == (1,)
    problem(post(anna, path, says), 409, "not-asked")
    problem(post(anna, "/matches/m1/watch/1/agreement", {"photo": told["photo"]}), 409, "not-asked")


def test_trouble_is_one_sentence_on_every_page(filmed: tuple[FilmedTable, Flask]) -> None:
    table, app = filmed
    table.filmed({1: ANNA})
    table.eye.table = "dark"
    table.filmed({1: ANNA}, 12)
    for page, client in (("tv", app.test_client()), ("play", seated(app, table.house, 2, "Ben"))):
        assert "too dark over the table" in piece(client, page)


def test_without_a_camera_nothing_of_it_is_shown(filmed: tuple[FilmedTable, Flask]) -> None:
    table, app = filmed
    assert piece(app.test_client(), "tv") == ""
    assert get(app.test_client(), "/matches/m1/watch") == {"watching": False, "trouble": "", "seats": []}
    table.house.watch = None
    assert piece(app.test_client(), "tv") == ""
    problem(
        post(the_host(app, table.house), "/matches/m1/watch/1/agreement", {"photo": "0" * 64}),
        409,
        "not-asked",
    )
