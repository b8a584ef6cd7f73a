"""The guided first round: every step with the controls of play, kind answers, and what it leaves alone."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.game.base import Action, Refusal
from companion.game.registry import GAMES
from companion.service.service import Service
from companion.table.chance import SeededChance
from web.pages.learning import COOKIE, SEED
from web.pages.practice import MOST, Practice, Practices
from web.ui import presenter_of
from web.ui.lessons import LEARNER, Lesson

TAUGHT = [name for name, game in GAMES.items() if presenter_of(game).lesson]
JSON = {"Accept": "application/json"}


def lesson_of(name: str) -> Lesson[Any]:
    """The guided first round of a game."""
    lesson = presenter_of(GAMES[name]).lesson
    assert lesson is not None
    return lesson


def practice_of(name: str) -> Practice:
    """A new practice match."""
    return Practices().begin(GAMES[name], lesson_of(name), SEED, "2026-01-01T12:00:00+00:00")


def fitting(practice: Practice) -> list[Action]:
    """The legal actions that lead on, or belong to the step."""
    game, state, chance = practice.game, practice.state, SeededChance(1)
    found = []
    for action in game.legal(state, LEARNER):
        fact = game.decide(state, action, chance)
        if not isinstance(fact, Refusal) and practice.lesson.answer(practice.step, state, fact) != "later":
            found.append(action)
    return found


@pytest.mark.parametrize("name", TAUGHT)
def test_a_phone_goes_through_it(app: Flask, house: Service, client: FlaskClient, name: str) -> None:
    assert f'href="/learn/{name}"' in client.get("/learn").text
    assert 'data-at="/learn/' in client.get(f"/learn/{name}").text
    practice, tried = practice_of(name), 0
    while not practice.is_read:
        page = client.get(f"/learn/{name}/pieces").get_json()["pieces"]
        assert "<h1>" in page["lesson"]
        assert "data-shows='[\"" in page["lesson"]
        assert "<svg" in (page.get("board") or page["shared"])
        action = fitting(practice)[-1]
        answer = client.post(f"/learn/{name}/actions", json={"kind": action.kind, "data": action.data})
        assert answer.status_code == 200, answer.text
        after = practice.acted(action)
        assert not isinstance(after, Refusal)
        practice, tried = after, tried + 1
        assert tried < 12
    last = client.get(f"/learn/{name}").text
    assert 'name="on"' in last
    assert client.post(f"/learn/{name}", data={"on": "1"}).status_code == 303
    assert "That is the game" in client.get(f"/learn/{name}").text
    assert house.table.current is None, "no match at the table is touched"
    client.post(f"/learn/{name}", data={"again": "1"})
    assert "That is the game" not in client.get(f"/learn/{name}").text


@pytest.mark.parametrize("name", TAUGHT)
def test_mistakes_are_answered_and_change_nothing(client: FlaskClient, name: str) -> None:
    client.get(f"/learn/{name}")
    practice, before = practice_of(name), client.get(f"/learn/{name}/pieces").get_json()
    wrong = [one for one in practice.game.legal(practice.state, LEARNER) if one not in fitting(practice)]
    asked = [{"kind": "nonsense"}, *({"kind": one.kind, "data": one.data} for one in wrong[:2])]
    for body in asked:
        answer = client.post(f"/learn/{name}/actions", json=body, headers=JSON)
        assert answer.status_code == 409
        assert answer.get_json()["error"]["message"]
    assert client.get(f"/learn/{name}/pieces").get_json() == before


def test_what_is_legal_and_for_later_is_said_kindly() -> None:
    practice = practice_of("railroad-ink")
    after = practice.acted(next(one for one in fitting(practice) if one.data["route"] in ("NS", "EW")))
    assert isinstance(after, Practice)
    other = next(one for one in after.game.legal(after.state, LEARNER) if "*" not in one.data["route"])
    answer = after.acted(other)
    assert isinstance(answer, Refusal)
    assert answer.code == "later"


@pytest.mark.parametrize("name", TAUGHT)
def test_whatever_fits_leads_to_the_end(name: str) -> None:
    practice, chance = practice_of(name), SeededChance(3)
    for _ in range(15):
        if practice.is_read:
            return
        able = fitting(practice)
        after = practice.acted(able[chance.below(len(able))])
        assert not isinstance(after, Refusal)
        practice = after
    pytest.fail(f"stuck in {practice.step}")


def test_only_the_rules_and_the_practice_answer(client: FlaskClient) -> None:
    assert client.get("/learn/chess").status_code == 404
    assert client.post("/learn/chess", data={"on": "1"}).status_code == 404
    assert client.get("/learn/spike/pieces", headers=JSON).get_json()["error"]["code"] == "forgotten"
    client.get("/learn/empire-builder")
    told = client.get("/learn/empire-builder/ask", query_string={"about": "trips", "data": "{}"})
    assert told.get_json()["answer"]
    client.get("/learn/derailed")
    laid = {"kind": "place", "data": {"cell": "b2", "card": "TB|r"}}
    assert client.post("/learn/derailed/preview", json=laid).get_json()["board"]
    refused = client.get("/learn/derailed/ask", query_string={"about": "way"}, headers=JSON)
    assert refused.get_json()["error"]["code"] == "no-answers"


def test_foreign_pages_cannot_tap(client: FlaskClient) -> None:
    for path in (f"/learn/{TAUGHT[0]}", f"/learn/{TAUGHT[0]}/actions"):
        answer = client.post(path, data={"on": "1"}, headers={"Origin": "http://evil.example"})
        assert answer.status_code == 403


def test_phones_do_not_see_each_other(app: Flask) -> None:
    one, other = app.test_client(), app.test_client()
    name = TAUGHT[0]
    one.get(f"/learn/{name}")
    other.get(f"/learn/{name}")
    action = fitting(practice_of(name))[0]
    one.post(f"/learn/{name}/actions", json={"kind": action.kind, "data": action.data})
    versions = [phone.get(f"/learn/{name}/pieces").get_json()["version"] for phone in (one, other)]
    assert versions == [2, 1]
    assert one.get_cookie(COOKIE, path="/learn") != other.get_cookie(COOKIE, path="/learn")


def test_only_so_many_are_kept() -> None:
    game, practices = GAMES[TAUGHT[0]], Practices()
    names = [practices.begin(game, lesson_of(game.name), 1, "").name for _ in range(MOST + 3)]
    assert len(practices) == MOST
    assert practices.find(names[0], game) is None
    assert practices.find(names[-1], game) is not None
    assert practices.find(names[-1], GAMES[TAUGHT[1]]) is None
