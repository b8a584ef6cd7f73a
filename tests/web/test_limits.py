"""Limits and replays by themselves."""

from __future__ import annotations

import threading
from collections import Counter
from functools import partial

import pytest
from flask import Flask, Response

from companion.service.service import Service
from tests.web.houses import begin, play_rounds
from web.access.limits import GUESSES, Limiter, neighbourhood
from web.exc import WebError
from web.live.idempotency import IdempotencyCache
from web.site import site_of


def test_tries_are_counted_in_every_span() -> None:
    now = [0.0]
    limiter = Limiter(clock=lambda: now[0])
    waits = []
    for _ in range(12):
        wait = limiter.wait("pin", "10.0.0.1", GUESSES)
        waits.append(round(wait))
        now[0] += wait
        limiter.count("pin", "10.0.0.1")
    assert waits[:3] == [0, 0, 0]
    assert waits[3] == 60
    assert max(waits) <= 3600
    assert now[0] >= 3600, "the eleventh guess comes an hour after the first"


def test_one_household_does_not_slow_another() -> None:
    limiter = Limiter(clock=lambda: 0.0)
    for _ in range(3):
        limiter.count("pin", "10.0.0.1")
    assert limiter.wait("pin", "10.0.0.1", GUESSES) > 0
    assert limiter.wait("pin", "10.0.0.2", GUESSES) == 0
    assert limiter.wait("code", "10.0.0.1", GUESSES) == 0


@pytest.mark.parametrize(
    "path",
    [
        "/match/{match}/dice",
        "/match/{match}/coach",
        "/match/{match}/picture.png",
        "/sheets/railroad-ink.pdf",
        "/sheets/railroad-ink.png",
        "/api/v1/export?form=csv",
    ],
)
def test_what_costs_effort_is_counted_by_the_address_that_asks(app: Flask, house: Service, path: str) -> None:
    address = path.format(match=begin(house, "East"))
    play_rounds(house, 7)
    site_of(app).limiter.clock = lambda: 0.0  # on a slow machine a try would be forgotten meanwhile
    for _ in range(20):
        site_of(app).limiter.count("work", "10.0.0.1")
    answers = [
        app.test_client().get(address, environ_overrides={"REMOTE_ADDR": f"10.0.0.{number}"}).status_code
        for number in (1, 2)
    ]
    assert answers == [429, 200]


def test_an_ipv6_device_is_one_household_whatever_it_calls_itself() -> None:
    assert neighbourhood("fd00::1") == neighbourhood("fd00::ffff:1")
    assert neighbourhood("fd00:0:0:1::1") != neighbourhood("fd00:0:0:2::1")
    assert neighbourhood("fe80::1%eth0") == "fe80::/64"


def test_addresses_do_not_pile_up() -> None:
    limiter = Limiter(clock=lambda: 0.0)
    for number in range(5000):
        limiter.count("pin", f"10.0.{number // 250}.{number % 250}")
    assert len(limiter._known) <= 2000


def test_a_repeated_request_waits_for_the_first_answer() -> None:
    replays = IdempotencyCache()
    begun, go_on = threading.Event(), threading.Event()
    made: list[int] = []

    def make() -> Response:
        begun.set()
        assert go_on.wait(5)
        made.append(1)
        return Response("seat 1")

    answers: list[bytes] = []
    first = threading.Thread(target=lambda: answers.append(replays.once("k", b"d", make).data))
    first.start()
    assert begun.wait(5)
    second = threading.Thread(target=lambda: answers.append(replays.once("k", b"d", make).data))
    second.start()
    go_on.set()
    first.join()
    second.join()
    assert answers == [b"seat 1", b"seat 1"]
    assert made == [1]


def test_a_problem_is_not_kept_so_the_next_try_may_go_better() -> None:
    replays = IdempotencyCache()

    def fail() -> Response:
        raise WebError(503, "disk-full", "no room")

    with pytest.raises(WebError):
        replays.once("k", b"d", fail)
    assert replays.once("k", b"d", lambda: Response("fine")).data == b"fine"
    with pytest.raises(WebError):
        replays.once("k", b"other", lambda: Response("fine"))


def test_large_answers_are_not_kept_for_long() -> None:
    replays, made = IdempotencyCache(), Counter[str]()

    def photo(key: str) -> Response:
        made[key] += 1
        return Response(bytes(3 * 2**20))

    for key in ("first", "second", "third", "third", "first"):
        assert len(replays.once(key, b"d", partial(photo, key)).data) == 3 * 2**20
    assert made == {"first": 2, "second": 1, "third": 1}
