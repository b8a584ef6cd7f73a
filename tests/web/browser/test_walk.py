"""A short walk through the pages that break most easily; ``make walk`` looks at all of them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from playwright.sync_api import Browser

from companion.game.base import Action
from companion.languages import LANGUAGES
from tests.web.browser.phones import become_host, close
from tests.web.browser.served import Box
from tests.web.browser.table import current, sit
from tests.web.browser.walk import FAULTS, MOMENTS, Walk, box_at, celebrated, joining, shared_goals
from tests.web.houses import accepted

IN_THE_GATE = {("railroad-ink", -1), ("derailed", 0), ("spike", 0), ("empire-builder", -1)}
SMALL, SCREEN = (320, 568), (1280, 720)
# Each a fault as it might be on a page, and what the check has to say of it.
BROKEN = {
    "<p style='width:40px;overflow-wrap:anywhere'>Universities</p>": "“Universities” is broken over",
    "<p style='margin:0'>Memphis</p><p style='margin:-12px 0 0 20px'>Atlanta</p>": "lie over each other",
    "<svg><text y='20'>Memphis</text><text x='20' y='22'>Atlanta</text></svg>": "lie over each other",
    "<div style='width:700px;height:5px'>.</div>": "the page is 708 pixels wide",
    "<p style='width:40px;overflow:hidden;white-space:nowrap'>Großmutter</p>": "is cut off in",
    "<button style='width:30px;padding:0'>Photograph</button>": "runs out of button",
    "<a class='button'>One</a><a class='button'>Two</a>": "“One” and “Two” touch each other",
    "<p style='margin:0 0 -14px'>not joined</p><a class='button'>Forget it</a>": "touches the button",
    "<div class='bar' style='overflow:auto'><p style='width:400px'>End</p></div>": "the bar is 400 pixels",
    "<p class='ground-view rail-names'><svg><text visibility='hidden'>Detroit</text></svg></p>": (
        "1 of 1 names are left out of the map: Detroit"
    ),
}
# German has the longest words, French the longest sentences.
SPOKEN = pytest.mark.parametrize(
    "languages",
    [
        pytest.param(("de", "fr"), id="de-fr"),
        pytest.param(tuple(sorted({*LANGUAGES} - {"de", "fr"})), id="others", marks=pytest.mark.slow),
    ],
)


def quiet(browser: Browser, *languages: str) -> Walk:
    """A walk without pictures."""
    return Walk(browser, languages, (SMALL, SCREEN), tell=lambda words: None)


@pytest.mark.parametrize("page", BROKEN)
def test_the_check_sees_what_is_broken(browser: Browser, page: str) -> None:
    opened = browser.new_page(viewport={"width": 320, "height": 568})
    opened.set_content(f"<body><main>{page}</main></body>")
    found = opened.evaluate(FAULTS)
    opened.close()
    assert any(BROKEN[page] in fault for fault in found), found


def test_the_check_finds_no_fault_in_a_sound_page(browser: Browser) -> None:
    opened = browser.new_page(viewport={"width": 320, "height": 568})
    opened.set_content(
        "<p>A sentence that is broken between its words, over several lines, as every sentence is.</p>"
        "<p><a class='button'>One</a></p><p>https://example.org/an/address-that-may-be-broken-anywhere/in/it</p>"
    )
    found = opened.evaluate(FAULTS)
    opened.close()
    assert found == []


@pytest.mark.parametrize(
    ("game", "number"),
    [
        pytest.param(game, number, marks=() if (game, number) in IN_THE_GATE else pytest.mark.slow)
        for game in MOMENTS
        for number in (0, -1)
    ],
)
def test_a_match_with_a_clock_and_a_finished_one_look_right(browser: Browser, game: str, number: int) -> None:
    walk, moment = quiet(browser, "de"), MOMENTS[game][number]
    with box_at(moment, game) as (box, last_event):
        walk.match(box, game, moment.name, last_event)
    assert walk.faults == [], "\n".join(walk.faults)


@SPOKEN
@pytest.mark.parametrize("game", MOMENTS)
def test_all_buttons_of_the_bar_fit_a_small_phone_in_every_language(
    browser: Browser, game: str, languages: Sequence[str]
) -> None:
    walk = quiet(browser, *languages)
    with box_at(MOMENTS[game][1], game) as (box, _):
        match, page = current(box), walk.page(box)
        seat = next(seat for seat in match.players if match.game.legal(match.state, seat))
        sit(page, box, seat, match.players[seat].name)
        walk.look(page, game, "/play", [SMALL], ".bar:visible")
        close(page.context)
    assert walk.faults == [], "\n".join(walk.faults)


@pytest.mark.parametrize(
    "language", [pytest.param(one, marks=() if one == "de" else pytest.mark.slow) for one in LANGUAGES]
)
def test_the_end_of_a_match_that_was_ended_early_lies_above_the_map(browser: Browser, language: str) -> None:
    walk = quiet(browser, language)
    with box_at(MOMENTS["empire-builder"][1], "empire-builder") as (box, _):
        accepted(box.house, Action("end"))
        page = walk.page(box)
        walk.look(page, "ended early", "/tv", [SCREEN], ".finale:not(.counting)")
        head = page.locator(".finale-head .status").bounding_box()
        plan = page.locator(".ground-view").bounding_box()
        close(page.context)
    assert head is not None
    assert plan is not None
    assert head["y"] + head["height"] <= plan["y"]
    assert walk.faults == [], "\n".join(walk.faults)


def test_a_message_on_the_screen_does_not_lie_on_who_has_won(browser: Browser) -> None:
    walk = quiet(browser, "en")
    with box_at(MOMENTS["railroad-ink"][1], "railroad-ink") as (box, _):
        accepted(box.house, Action("end"))
        page = walk.page(box)
        walk.look(page, "a message", "/tv", [SCREEN], ".finale:not(.counting)")
        page.evaluate("document.dispatchEvent(new CustomEvent('told', { detail: { says: 'Ben: G +4' } }))")
        said, head = page.locator("#toast").bounding_box(), page.locator(".finale-head").bounding_box()
        close(page.context)
    assert said is not None
    assert head is not None
    assert said["y"] >= head["y"] + head["height"]


def test_goals_that_everybody_takes_look_right(browser: Browser) -> None:
    walk = quiet(browser, "de")
    shared_goals(walk, 4)
    assert walk.faults == [], "\n".join(walk.faults)


@SPOKEN
def test_joining_and_the_hosts_page_look_right_in_every_language(
    browser: Browser, box: Box, languages: Sequence[str]
) -> None:
    walk = quiet(browser, *languages)
    page = walk.page(box)
    joining(walk, box, page)
    become_host(page, box.pin)
    walk.look(page, "the host", "/host", [SMALL])
    close(page.context)
    assert walk.faults == [], "\n".join(walk.faults)


@pytest.mark.slow
def test_what_is_celebrated_and_remembered(browser: Browser) -> None:
    """A moment and the finale in every language, the whole table, a person over the years."""
    walk = quiet(browser, "de")
    celebrated(walk)
    assert walk.faults == []
    assert {one.language for one in walk.pictures} == set(LANGUAGES)
