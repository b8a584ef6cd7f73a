"""The fifth game at the table: a match on the page in a real browser, a photograph, bots, replay."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.request import Request

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.fifth_game.houses import Served, run, served
from tests.fifth_game.shuttle.reader.studio import photograph
from tests.web.browser.phones import PHONE, close

Phone = Callable[[Served], Page]


@pytest.fixture
def phone(browser: Browser) -> Iterator[Phone]:
    contexts = []

    def opened(box: Served) -> Page:
        context = browser.new_context(viewport=PHONE, base_url=box.link)  # type: ignore[arg-type]
        context.set_default_timeout(15_000)
        contexts.append(context)
        return context.new_page()

    yield opened
    for context in contexts:
        close(context)


def begin(box: Served, players: list[str], **wanted: str) -> str:
    """A match of the fifth game, by the host; its id."""
    told = box.post("/matches", {"game": "shuttle", "players": players, **wanted})
    return str(told.get("match") or told["id"])


def join_code(box: Served) -> str:
    """As it stands on the host's page."""
    return str(box.get("/host")["join_code"])


def sit(page: Page, box: Served, seat: int, name: str) -> None:
    page.goto(f"/j/{join_code(box)}")
    page.check(f'input[name="seat"][value="{seat}"]')
    page.fill('input[name="name"]', name)
    page.click('button:has-text("Sit down")')
    page.wait_for_url("**/play")


def test_a_whole_match_is_played_by_tapping_its_own_controls(tmp_path: Path, phone: Phone) -> None:
    with served(tmp_path) as box:
        match = begin(box, ["East"])
        page = phone(box)
        sit(page, box, 1, "East")
        for number in range(1, 9):
            expect(page.locator(".headline")).to_contain_text(f"Round {number} of 8")
            page.click('.controls button:has-text("Roll")')
            open_stop = page.locator(".controls .stop:not([disabled])").first
            choice = open_stop.or_(page.locator('.controls button:has-text("Pass")')).first
            expect(choice).to_be_visible()
            choice.click()
            if number < 8:
                expect(page.locator('.controls button:has-text("Roll")')).to_be_visible()
        expect(page.locator(".headline")).to_contain_text("Final score")
        (tmp_path / "match.jsonl").write_bytes(
            box.host.open(f"{box.link}api/v1/matches/{match}/export?form=journal").read()
        )
    code, told, _ = run("replay", tmp_path / "match.jsonl", "--verify", "--json")
    assert code == 0, told
    assert json.loads(told)["game"] == "shuttle"


def test_dice_that_people_throw_are_tapped_as_pictures_and_taken_back(tmp_path: Path, phone: Phone) -> None:
    with served(tmp_path) as box:
        match = begin(box, ["East"])
        page = phone(box)
        sit(page, box, 1, "East")
        page.click("[data-do=hand-roll]:visible")
        expect(page.locator("dialog .hand-group")).to_have_count(1)
        expect(page.locator("dialog [data-face='6'] circle")).to_have_count(6)
        page.click("dialog [data-face='3']")
        page.click("dialog [data-face='6']")
        expect(page.locator("dialog")).to_have_count(0)
        assert box.get(f"/matches/{match}")["view"]["dice"] == [3, 6]
        page.click("text=Take the dice back")
        expect(page.locator("[data-do=hand-roll]:visible")).to_have_count(1)
        assert box.get(f"/matches/{match}")["view"]["dice"] == []


def test_a_photograph_is_read_and_entered(tmp_path: Path, phone: Phone) -> None:
    with served(tmp_path) as box:
        match = begin(box, ["East", "North"])
        box.post(f"/matches/{match}/actions", {"kind": "roll", "data": {"faces": ["3", "6"]}})
        page = phone(box)
        sit(page, box, 2, "North")
        picture = photograph({2: [9]}, "table", np.random.default_rng(8))[0]
        packed = cv2.imencode(".jpg", picture)[1].tobytes()
        with page.expect_response(lambda answer: "/photos" in answer.url) as sent:
            page.set_input_files(
                "[data-photo]", {"name": "line.jpg", "mimeType": "image/jpeg", "buffer": packed}
            )
        assert sent.value.json()["outcome"] == "accepted", sent.value.json()
        assert box.get(f"/matches/{match}")["view"]["served"] == {"1": [], "2": [9]}


def test_what_the_dice_do_not_offer_is_refused_with_a_sentence(tmp_path: Path) -> None:
    with served(tmp_path) as box:
        match = begin(box, ["East"])
        box.post(f"/matches/{match}/actions", {"kind": "roll", "data": {"faces": ["3", "6"]}})
        seat = {"seat": 1, "name": "East", "colour": "red", "shape": "circle"}
        box.post("/seats", {"code": join_code(box), **seat})
        picture = photograph({1: [4]}, "clean", np.random.default_rng(9))[0]
        request = Request(
            f"{box.link}api/v1/matches/{match}/photos",
            cv2.imencode(".jpg", picture)[1].tobytes(),
            {"Content-Type": "image/jpeg"},
        )
        told = json.load(box.host.open(request, timeout=60))
        assert told["outcome"] == "refused"
        assert "has to be new" in told["says"][0]


def test_bots_demonstrate_it_and_the_studio_is_its_camera(tmp_path: Path) -> None:
    with served(tmp_path, "--demo", "--game", "shuttle") as box:
        for _ in range(200):
            matches = box.get("/matches")
            if matches and len(box.get("/matches/current/events?after=0")) > 3:
                break
            time.sleep(0.1)  # bots play at a pace that people can follow
        assert matches[0]["game"] == "shuttle"
        seen = box.get("/host/camera")
        assert len(seen["boards"]) == len(box.get("/matches/current")["players"])
        measured = seen["boards"][0]["measured"]
        assert measured["pixels_per_mm"] > 0.5
        assert 0.3 < measured["light"] <= 1
