"""An expansion of Railroad Ink under a finger."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from companion.game.base import Action
from companion.table.exc import TableError
from tests.web.browser.served import Box
from tests.web.browser.table import current, sit
from tests.web.houses import accepted, begin


def test_an_expansion_is_drawn_by_tapping_and_counts(box: Box, phone: Callable[..., Page]) -> None:
    begin(box.house, "", options={"expansion": "forest", "goals": "none"})
    page = phone("", expected=(409,))
    sit(page, box, 1, "East")
    accepted(box.house, Action("roll", data={"faces": ["ne", "NS", "N*", "NS|ew", "NE+trees", "trees"]}))
    page.locator('[data-face="trees"]').click()
    page.locator('.mine .board g[data-cell="d4"]').click()
    expect(page.locator(".mark-ghost")).to_have_count(1)
    page.locator("#expansion-placing").get_by_text("Draw it").click()
    expect(page.locator('.mine .board [data-sign="trees"]')).to_have_count(1)
    page.locator('[data-face="NE+trees"]').click()
    cell = page.locator('.mine .board g[data-cell="b1"]')
    cell.click()
    cell.click()
    expect(page.locator("#expansion-say")).to_contain_text("way 2 of")
    page.locator("#expansion-placing").get_by_text("Draw it").click()
    expect(page.locator('.mine .board [data-sign="trees"]')).to_have_count(2)
    assert current(box).game.score(current(box).state)[0]["expansion"] == 3
    page.click("text=Undo")
    expect(page.locator('.mine .board [data-sign="trees"]')).to_have_count(1)


def test_points_of_an_expansion_nobody_taught_the_box_are_entered_by_hand(
    box: Box, phone: Callable[..., Page]
) -> None:
    begin(box.house, "", options={"expansion": "other"})
    page = phone("", expected=(409,))
    sit(page, box, 1, "East")
    page.fill("[name=stars]", "11")
    page.click("text=Enter the points")
    expect(page.locator("[data-piece=explained]")).to_contain_text("11")
    assert current(box).state.stars == {1: 11}


def test_the_score_page_has_a_star_box(box: Box, phone: Callable[..., Page]) -> None:
    page = phone("/score")
    page.fill("[name=stars]", "9")
    page.locator("[name=stars]").dispatch_event("change")
    expect(page.locator("#quick-score")).to_contain_text("Expansion")


def test_marks_are_entered_on_the_score_page_on_boards_of_every_size(
    box: Box, phone: Callable[..., Page]
) -> None:
    page = phone("/score")
    page.set_viewport_size({"width": 320, "height": 640})
    page.select_option("[name=size]", "giant")
    page.select_option("[name=expansion]", "river")
    expect(page.locator("#quick-signs")).to_be_visible()
    cell = page.locator('.mine .board.giant g[data-cell="i9"]')
    cell.scroll_into_view_if_needed()
    size = cell.locator("rect.cell").bounding_box()
    assert size is not None
    assert size["width"] >= 44
    page.locator('.mine .board g[data-cell="c3"]').click()
    page.locator('dialog [data-word="river:EW"]').click()
    expect(page.locator('dialog [data-word="river:EW"]')).to_have_attribute("aria-pressed", "true")
    page.locator('dialog [data-word="river:NE"]').click()  # one course in a space
    expect(page.locator("dialog [aria-pressed=true]")).to_have_count(1)
    page.locator("dialog >> text=Close").click()
    expect(page.locator(".mine .board .mark.local")).to_have_count(1)
    expect(page.locator("#quick-score")).to_contain_text("Expansion")
    page.reload()
    expect(page.locator(".mine .board.giant .mark.local")).to_have_count(1)
    page.select_option("[name=expansion]", "power-grid")  # which begins with an accumulator
    expect(page.locator('.mine .board g[data-cell="e5"] .mark.local')).to_have_count(1)
    page.select_option("[name=expansion]", "canyon")
    page.locator('.mine .board g[data-cell="a1"]').click()
    expect(page.locator("dialog [data-word=canyon]")).to_have_count(2)  # no border on its other sides


def test_signs_that_come_too_late_change_nothing(box: Box, phone: Callable[..., Page]) -> None:
    page = phone("/score")
    late: list[Route] = []
    page.route("**/pieces/railroad-ink?*expansion=canyon*", lambda route, _: late.append(route))
    page.select_option("[name=expansion]", "canyon")
    page.select_option("[name=expansion]", "power-grid")
    accumulator = page.locator('.mine .board g[data-cell="d4"] .mark.local')
    expect(accumulator).to_have_count(1)
    with page.expect_response("**/pieces/railroad-ink?*expansion=canyon*") as answer:
        late[0].continue_()
    answer.value.finished()
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    expect(accumulator).to_have_count(1)
    assert "accumulator" in page.evaluate("localStorage.getItem('quick-marks')")


def test_a_reported_board_has_its_marks_tapped_too(box: Box, phone: Callable[..., Page]) -> None:
    begin(box.house, "", mode="scorekeeper", options={"expansion": "forest", "goals": "none"})
    page = phone("", expected=(409,))
    sit(page, box, 1, "East")
    page.locator('.mine .board g[data-cell="d4"]').click()
    page.locator("dialog [data-word=trees]").click()
    expect(page.locator('.mine .board [data-sign="trees"]')).to_have_count(1)
    assert current(box).game.score(current(box).state)[0]["expansion"] == 2


def test_on_a_giant_board_cells_are_tapped_at_the_width_of_a_finger(
    box: Box, phone: Callable[..., Page]
) -> None:
    options = {"size": "giant", "expansion": "forest", "more": ["lake"], "goals": "none"}
    begin(box.house, "", options=options)
    page = phone("/", expected=(409,))
    page.set_viewport_size({"width": 320, "height": 640})
    sit(page, box, 1, "East")
    accepted(
        box.house,
        Action("roll", data={"faces": ["NS", "NS", "N*", "NES", "trees", "trees", "lake:N", "lake:N"]}),
    )
    page.locator('[data-face="trees"]').first.click()
    page.locator('.mine .board.giant g[data-cell="h8"]').click()
    page.locator("#expansion-placing").get_by_text("Draw it").click()
    expect(page.locator('.mine .board [data-sign="trees"]')).to_have_count(1)
    page.locator('.mine .board g[data-cell="i2"]').click()
    page.locator('#placing [data-do="place"]').click()
    expect(page.locator('.mine .board g.drawn[data-cell="i2"]')).to_have_count(1)
    assert current(box).state.boards[1].size == "giant"
    expect(page.locator("[data-do=photo]")).to_have_count(0)  # the reader knows the usual board only
    with pytest.raises(TableError, match="cannot be read from photographs"):
        box.house.photos.read(current(box), 1, b"")
    assert page.evaluate("document.documentElement.scrollWidth") == 320


def test_walls_of_a_blueprint_card_are_tapped_on_the_score_page(box: Box, phone: Callable[..., Page]) -> None:
    page = phone("/score")
    page.set_viewport_size({"width": 320, "height": 640})
    walls = page.locator(".mine .board .wall.local")
    page.locator('.mine .board g[data-cell="a1"]').click()
    borders = page.locator("dialog [data-word=wall]")
    expect(borders).to_have_count(2)  # nothing is divided at the edge of the board
    size = borders.first.bounding_box()
    assert size is not None
    assert min(size["width"], size["height"]) >= 44
    page.get_by_label("wall on the right").click()
    expect(page.get_by_label("wall on the right")).to_have_attribute("aria-pressed", "true")
    page.locator("dialog >> text=Close").click()
    expect(walls).to_have_attribute("data-border", "a1-b1")
    # The border is the neighbour's, too: from there it is taken away again.
    page.locator('.mine .board g[data-cell="b1"]').click()
    page.get_by_label("wall on the left").click()
    expect(walls).to_have_count(0)
    page.get_by_label("wall at the bottom").click()
    page.locator("dialog >> text=Close").click()
    with page.expect_request("**/api/v1/scores") as asked:
        page.locator('.mine .board g[data-cell="b1"]').click()
        page.locator('dialog [data-shape="NS"]').click()
        page.click("text=Draw it")
    sent = asked.value.post_data_json
    assert sent is not None
    assert sent["position"]["blueprint"] == ["b1-b2"]
    expect(page.locator("#quick-score")).to_contain_text("Errors")
    page.reload()
    expect(walls).to_have_attribute("data-border", "b1-b2")
    page.locator("select[name=blueprint]").select_option(index=1)
    assert walls.count() > 1
    page.click("text=Start again")
    expect(walls).to_have_count(0)
