"""Four phones play a whole match; ``python -m tests.web.browser.whole_match`` photographs every turn."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Collection, Sequence

from playwright.sync_api import Page, expect

from companion.game.base import Action
from tests.web.browser.phones import module, print_ways, table_with_phones
from tests.web.browser.photographing import drawn_on_paper, photograph_turn
from tests.web.browser.served import Box, served_box
from tests.web.browser.table import (
    NAMES,
    current,
    draw_one,
    drawn,
    next_draw,
    roll,
    seat_everybody,
    simulated_roller,
)
from tests.web.houses import accepted

ROUNDS = 7
_ACT = f"wish => {module('kit.js')}.then(kit => kit.act(wish))"


def play_a_whole_match(
    box: Box,
    phone: Callable[..., Page],
    photographed: Collection[int] = (),
    by_phones: int = ROUNDS,
    names: Sequence[str] = NAMES,
) -> list[str]:
    """The first round with fingers, some with photographs; in others the phones' own script sends what
    fingers would choose, and after ``by_phones`` rounds it is done at the table, but for the dice.
    What became of each photograph.
    """
    pages = seat_everybody(box, phone, names)
    watcher = phone("/", viewport={"width": 1280, "height": 800})
    ways: list[str] = []
    for number in range(1, ROUNDS + 1):
        roll(pages[number % len(pages)])
        for page in pages:
            expect(page.locator("[data-piece=controls]")).to_contain_text("Done")
        for seat, page in enumerate(pages, start=1):
            if number > by_phones and number not in photographed:
                finish_at_the_table(box, seat)
                continue
            if number in photographed:
                ways.append(photographed_turn(box, page, seat))
            elif number == 1:
                draw_one(page)
            finish_round(box, page, seat)
        if number < ROUNDS:
            expect(watcher.locator("h1")).to_have_text(f"Round {number + 1} of {ROUNDS}")
    check_the_end(box, pages, watcher)
    return ways


def photographed_turn(box: Box, page: Page, seat: int) -> str:
    """Draw on paper, send the picture; in the end the box has what is on paper, whatever was read."""
    match = current(box)
    turn = drawn_on_paper(match, seat)
    if not turn.moves:
        return "nothing fits"
    way = photograph_turn(page, turn, number=100 * match.state.round + seat)
    board = current(box).state.boards[seat]
    assert {drawing.cell: drawing.route for drawing in board.drawings} == turn.written, way
    return way


def finish_at_the_table(box: Box, seat: int) -> None:
    """The same, sent by nobody's phone."""
    while (action := next_draw(current(box), seat)) is not None:
        accepted(box.house, action)
    accepted(box.house, Action("done", seat))


def finish_round(box: Box, page: Page, seat: int) -> None:
    """Draw whatever still fits, then say Done with a finger."""
    while (action := next_draw(current(box), seat)) is not None:
        page.evaluate(_ACT, {"kind": action.kind, "data": action.data})
    page.click('button:has-text("Done")')
    expect(page.locator("#usual button:has-text('Done')")).to_have_count(0)


def check_the_end(box: Box, pages: list[Page], watcher: Page) -> None:
    """Everybody sees the same winner; the report and the rematch are one tap away."""
    match = current(box)
    assert match.finished
    best = match.game.score(match.state)[0]
    winner = match.players[best["seat"]].name
    for page in (*pages, watcher):
        expect(page.locator("[data-piece=headline]")).to_contain_text(winner)
        expect(page.locator("[data-piece=headline]")).to_contain_text(str(best["total"]))
    assert all(drawn(match, seat) > ROUNDS for seat in match.players)
    pages[0].click("text=How it went")
    expect(pages[0].locator(".chart")).to_be_visible()
    pages[1].click('button:has-text("Rematch")')
    for page in pages[1:]:
        expect(page.locator("h1")).to_have_text(f"Round 1 of {ROUNDS}")
        expect(page.locator("[data-piece=controls]")).to_contain_text("Throw the dice")


def main() -> None:
    """Play, and say what became of the photographs."""
    parser = argparse.ArgumentParser(prog="python -m tests.web.browser.whole_match", description=__doc__)
    parser.add_argument("--seed", type=int, default=5, help="other dice")
    seed = parser.parse_args().seed
    began = time.perf_counter()
    with table_with_phones(served_box) as (box, phone), simulated_roller(box, seed):
        ways = play_a_whole_match(box, phone, photographed=range(1, ROUNDS + 1))
    print_ways(ways)
    print(f"{len(ways)} photographs by four phones, a whole match in {time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
