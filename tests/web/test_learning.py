"""The guided first round: every step by its right choice, refusals, wrong answers, what it leaves alone."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.core.chance import SeededChance
from companion.game.base import Refusal
from companion.game.registry import GAMES
from companion.service.service import Service
from web.pages.learning import COOKIE
from web.pages.practice import MOST, Practice, Practices
from web.ui import presenter_of
from web.ui.lessons import Lesson

TAUGHT = [name for name, game in GAMES.items() if presenter_of(game).lesson]


def lesson_of(name: str) -> Lesson[Any]:
    """The guided first round of a game."""
    lesson = presenter_of(GAMES[name]).lesson
    assert lesson is not None
    return lesson


def practice_of(name: str) -> Practice:
    """A new practice match."""
    chance, lesson = SeededChance(1), lesson_of(name)
    return Practice(GAMES[name], lesson, lesson.begun(chance), chance)


def right_one(practice: Practice) -> str:
    """The choice that leads on."""
    return next(
        key
        for key in practice.lesson.choices(practice.step, practice.state)
        if practice.tapped(key).at > practice.at
    )


@pytest.mark.parametrize("name", TAUGHT)
def test_every_step_has_a_choice_that_leads_on_and_one_that_does_not(name: str) -> None:
    practice = practice_of(name)
    assert 3 <= len(practice.lesson.steps) <= 4
    while practice.step:
        choices = practice.lesson.choices(practice.step, practice.state)
        after = {key: practice.tapped(key) for key in choices}
        assert len([one for one in after.values() if one.at > practice.at]) == 1
        for one in after.values():
            assert one.at > practice.at or one.refusal or one.wrong
        last = practice
        practice = practice.tapped(right_one(practice))
    assert all(isinstance(choice, bool) for choice in last.lesson.choices(last.step, last.state).values())
    assert practice.tapped("anything") is practice


@pytest.mark.parametrize("name", TAUGHT)
def test_a_phone_goes_through_it(app: Flask, house: Service, client: FlaskClient, name: str) -> None:
    assert f'href="/learn/{name}"' in client.get("/learn").text
    practice = practice_of(name)
    page = client.get(f"/learn/{name}").text
    for step in practice.lesson.steps:
        keys = re.findall(r'name="choice" value="([^"]+)"', page)
        assert len(keys) >= 2, step
        assert "<h1>" in page
        assert "<svg" in page
        for key in keys:
            answer = client.post(f"/learn/{name}", data={"choice": key})
            assert (answer.status_code, answer.headers["Location"]) == (303, f"/learn/{name}")
            page = client.get(f"/learn/{name}").text
            assert 'class="notice' in page, (step, key)
            if keys != re.findall(r'name="choice" value="([^"]+)"', page):
                break
    assert "That is the game" in page
    assert house.table.current is None, "no match at the table is touched"
    client.post(f"/learn/{name}", data={"again": "1"})
    assert "That is the game" not in client.get(f"/learn/{name}").text


def test_what_nobody_teaches_is_not_found(client: FlaskClient) -> None:
    assert client.get("/learn/chess").status_code == 404
    assert client.post("/learn/chess", data={"choice": "a"}).status_code == 404


def test_foreign_pages_cannot_tap(client: FlaskClient) -> None:
    answer = client.post(
        f"/learn/{TAUGHT[0]}", data={"choice": "a"}, headers={"Origin": "http://evil.example"}
    )
    assert answer.status_code == 403


def test_phones_do_not_see_each_other(app: Flask) -> None:
    one, other = app.test_client(), app.test_client()
    name = TAUGHT[0]
    one.get(f"/learn/{name}")
    other.get(f"/learn/{name}")
    one.post(f"/learn/{name}", data={"choice": right_one(practice_of(name))})
    assert 'class="notice' in one.get(f"/learn/{name}").text
    assert 'class="notice' not in other.get(f"/learn/{name}").text
    assert one.get_cookie(COOKIE, path="/learn") != other.get_cookie(COOKIE, path="/learn")


def test_only_so_many_are_kept() -> None:
    game, practices = GAMES[TAUGHT[0]], Practices()
    names = [practices.begin(game, lesson_of(game.name), 1) for _ in range(MOST + 3)]
    assert len(practices) == MOST
    assert practices.find(names[0], game) is None
    assert practices.find(names[-1], game) is not None
    assert practices.find(names[-1], GAMES[TAUGHT[1]]) is None


def test_too_many_taps_cool_down(client: FlaskClient) -> None:
    name = TAUGHT[0]
    client.get(f"/learn/{name}")
    answers = {client.post(f"/learn/{name}", data={"choice": "nothing"}).status_code for _ in range(25)}
    assert answers == {303, 429}


def test_refusals_are_the_rules_own() -> None:
    practice = practice_of(TAUGHT[0])
    refused = next(
        (key, found)
        for key, choice in practice.lesson.choices(practice.step, practice.state).items()
        if not isinstance(choice, bool)
        and isinstance(found := practice.game.decide(practice.state, choice, SeededChance(1)), Refusal)
    )
    assert practice.tapped(refused[0]).refusal == refused[1].message


def test_what_the_lessons_say_is_so() -> None:
    """The last question is about what the rules have counted."""
    practice = practice_of("derailed")
    while practice.step != "points":
        practice = practice.tapped(right_one(practice))
    assert practice.game.score(practice.state)[0]["total"] == 2
    practice = practice_of("railroad-ink")
    while practice.step != "points":
        practice = practice.tapped(right_one(practice))
    told = practice.lesson.told("points", practice.state)
    own = next(row for row in practice.game.score(practice.state) if row["seat"] == 1)
    assert told["points"] == own["exits"]
