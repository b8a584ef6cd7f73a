"""Nobody guesses a PIN or a code, not even with a hundred hands; nobody locks out those who belong here."""

from __future__ import annotations

import hashlib
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.service.service import Service
from tests.web.houses import begin
from tests.web.people import get, good, post, problem, the_host
from tests.web.test_seats import code_of
from web.access.limits import EVERYBODY, GUESSES, PINS_TOGETHER, Limiter
from web.access.people import new_pin
from web.exc import WebError
from web.site import site_of


def from_address(client: FlaskClient, address: str) -> FlaskClient:
    client.environ_base["REMOTE_ADDR"] = address
    return client


def stopped_clock(app: Flask) -> list[float]:
    now = [1000.0]
    site_of(app).limiter.clock = lambda: now[0]
    return now


class Counting:
    """Stands before the slow digest, and counts how often and how many at once."""

    def __init__(self, digest: object) -> None:
        self.digest, self.judged, self.at_once, self.most = digest, 0, 0, 0

    def __call__(self, *args: object, **more: object) -> object:
        self.judged += 1
        self.at_once += 1
        self.most = max(self.most, self.at_once)
        try:
            return self.digest(*args, **more)  # type: ignore[operator]
        finally:
            self.at_once -= 1


@pytest.fixture
def scrypt(monkeypatch: pytest.MonkeyPatch) -> Counting:
    counting = Counting(hashlib.scrypt)
    monkeypatch.setattr(hashlib, "scrypt", counting)
    return counting


def test_a_hundred_pins_at_once_are_three_tries(app: Flask, house: Service, scrypt: Counting) -> None:
    new_pin(house.store)
    stopped_clock(app)
    scrypt.judged = 0
    begun = threading.Barrier(20)

    def guess(number: int) -> int:
        if number < 20:
            begun.wait()
        return post(app.test_client(), "/host", {"pin": f"x{number}"}).status_code

    with ThreadPoolExecutor(20) as hands:
        answers = Counter(hands.map(guess, range(110)))
    assert answers == {403: 3, 429: 107}
    assert (scrypt.judged, scrypt.most) == (3, 1), "one digest takes 16 MB"


def test_many_addresses_together_guess_no_faster(app: Flask, house: Service, scrypt: Counting) -> None:
    new_pin(house.store)
    now = stopped_clock(app)
    scrypt.judged = 0
    for minute in range(30):
        now[0] += 60
        for k in range(15):
            post(from_address(app.test_client(), f"10.0.{minute}.{k}"), "/host", {"pin": "x"})
    assert scrypt.judged <= sum(most for most, span in PINS_TOGETHER if span == 3600)


def test_the_owners_phone_gets_in_whatever_others_try(app: Flask, house: Service) -> None:
    stopped_clock(app)
    owner = the_host(app, house)
    pin = new_pin(house.store)  # which ends the session
    assert get(owner, "/me")["host"] is False
    for k in range(40):
        post(from_address(app.test_client(), f"10.0.0.{k}"), "/host", {"pin": "x"})
        post(app.test_client(), "/host", {"pin": "x"})  # from the owner's own address
    problem(post(app.test_client(), "/host", {"pin": pin}), 429, "slow-down")
    assert good(post(owner, "/host", {"pin": pin}))
    notes = get(owner, "/host")["notes"]
    assert any("Wrong host PINs" in note for note in notes), notes


def test_a_new_phone_gets_in_with_a_key_whatever_others_try(app: Flask, house: Service) -> None:
    stopped_clock(app)
    owner = the_host(app, house)
    said = good(post(owner, "/host/key", {}))["message"]
    key = said.rpartition(": ")[2]
    for k in range(70):
        post(from_address(app.test_client(), f"10.0.0.{k}"), "/host", {"pin": "x"})
    phone = app.test_client()
    problem(post(phone, "/host", {"pin": key[:-1]}), 429, "slow-down")
    assert good(post(phone, "/host", {"pin": key.lower().replace("-", " ")}))
    assert get(phone, "/me")["host"] is True
    problem(post(app.test_client(), "/host/key", {}), 403, "host-only")
    new_pin(house.store)
    problem(post(app.test_client(), "/host", {"pin": key}), 429, "slow-down")  # it ended with the PIN


def test_only_digests_of_sessions_keys_and_seats_are_stored(app: Flask, house: Service) -> None:
    match = begin(house, "", "")
    owner = the_host(app, house)
    session = owner.get_cookie("stationmaster_host")
    assert session is not None
    key = good(post(owner, "/host/key", {}))["message"].rpartition(": ")[2]
    secrets = (session.value, key, key.replace("-", ""), house.table.issue_token(match, 1))
    stored = b"".join(file.read_bytes() for file in house.store.folder.rglob("*") if file.is_file())
    assert len(stored) > 1000
    assert not any(secret.encode() in stored for secret in secrets)


def test_a_known_phone_has_to_know_the_pin_too(app: Flask, house: Service) -> None:
    stopped_clock(app)
    owner = the_host(app, house)
    new_pin(house.store)
    answers = [post(owner, "/host", {"pin": "x"}).status_code for _ in range(5)]
    assert answers == [403, 403, 403, 429, 429]


def test_a_code_in_the_address_is_a_guess_like_a_typed_one(app: Flask, house: Service) -> None:
    begin(house, "", "")
    stopped_clock(app)
    guesser = app.test_client()
    answers = Counter(guesser.get(f"/j/{number:05}").status_code for number in range(22222, 22322))
    assert answers == {200: 3, 429: 97}
    assert guesser.get(f"/j/{code_of(house)}").status_code == 429
    scanned = from_address(app.test_client(), "10.0.0.9").get(f"/j/{code_of(house)}")
    assert scanned.status_code == 200


def test_tries_taken_at_the_same_moment_are_counted_before_they_are_judged() -> None:
    limiter = Limiter(clock=lambda: 0.0)
    taken: list[bool] = []

    def take() -> None:
        try:
            limiter.take("pin", "10.0.0.1", GUESSES, PINS_TOGETHER)
        except WebError:
            taken.append(False)
        else:
            taken.append(True)

    threads = [threading.Thread(target=take) for _ in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(taken) == 3
    limiter.forgive("pin", "10.0.0.1", together=True)
    assert limiter.wait("pin", "10.0.0.1", GUESSES) == 0
    assert limiter.lately("pin", 60.0) == 2


def test_what_all_addresses_did_is_never_forgotten_for_new_ones() -> None:
    limiter = Limiter(clock=lambda: 0.0)
    for number in range(3000):
        limiter.count("pin", f"10.0.{number // 250}.{number % 250}")
        limiter.count("pin", EVERYBODY)
    assert limiter.wait("pin", EVERYBODY, PINS_TOGETHER) > 0


def test_the_same_key_from_another_phone_is_not_answered_with_the_first_ones_seat(
    app: Flask, house: Service
) -> None:
    begin(house, "", "")
    body = {"code": code_of(house), "seat": 1, "name": "North", "colour": "red", "shape": "circle"}
    assert good(post(app.test_client(), "/seats", body, key="5f0c"))["seat"] == 1
    other = from_address(app.test_client(), "10.0.0.9")
    problem(post(other, "/seats", body, key="5f0c"), 409, "taken")
    assert get(other, "/me")["seat"] is None


def test_too_much_json_is_refused_before_it_is_read(app: Flask, house: Service) -> None:
    begin(house, "")
    answer = app.test_client().post(
        "/api/v1/scores", data=b"{" + b" " * 2**20 + b"}", content_type="application/json"
    )
    problem(answer, 422, "too-long")


def test_half_a_character_is_a_clear_refusal_everywhere(app: Flask, house: Service) -> None:
    begin(house, "", "")
    host = the_host(app, house)
    for data in (b'{"kind": "roll", "data": {"\\ud800": 1}}', b'{"kind": "\\uDFFF", "data": {}}'):
        for place in ("actions", "preview"):
            answer = host.post(f"/api/v1/matches/current/{place}", data=data, content_type="application/json")
            assert "half of a character" in problem(answer, 422, "not-json")
    whole = b'{"kind": "roll", "data": {"\\ud83c\\udfb2": 1}}'
    assert host.post(
        "/api/v1/matches/current/actions", data=whole, content_type="application/json"
    ).status_code in (200, 409)


def test_renaming_a_seat_to_what_a_free_one_is_called_does_not_free_it(app: Flask, house: Service) -> None:
    match = begin(house, "", "")
    north = app.test_client()
    body = {"code": code_of(house), "seat": 1, "name": "North", "colour": "red", "shape": "circle"}
    good(post(north, "/seats", body))
    host = the_host(app, house)
    told = problem(post(host, f"/matches/{match}/seats/1", {"name": "Seat 1"}), 409, "bad-name")
    assert "free the seat" in told
    assert get(host, "/host")["seats"][0]["taken"] is True
    good(post(host, f"/matches/{match}/seats/1", {"free": True}))
    assert get(host, "/host")["seats"][0]["taken"] is False
