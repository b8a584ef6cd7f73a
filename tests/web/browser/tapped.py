"""A turn of each kind by fingers, each with as many taps as people are promised, and a mistake taken back."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from typing import TYPE_CHECKING

from companion.game.base import Action
from companion.game.bots import best_action
from companion.table.match import Match
from tests.web.browser.test_spike import tap_marker
from tests.web.browser.test_taps import as_they_lie, draw
from tests.web.browser.whole_turn import ALL_OF_IT, bots_turn, is_whole, tap_turn

if TYPE_CHECKING:
    from tests.web.browser.evenings import Evening

_SHOWN = "event => Number(document.querySelector('[data-undo]')?.dataset.undo) > event"
_PATIENCE = 80  # events until a turn of Empire Builder may have less in it
_LESS = (ALL_OF_IT, ALL_OF_IT - {"pickup"}, ALL_OF_IT - {"deliver"}, frozenset({"move", "build"}))
_TRIES = 5  # to take something back before the page goes on by itself


def tapped_turns(evening: Evening) -> None:
    """One of each kind that the game has."""
    for turn in _TURNS[evening.game]:
        turn(evening)


def mistake_taken_back(evening: Evening) -> None:
    """North has entered a wrong move; one tap on Undo takes it back. Dice have a way of their own."""
    kind = _MISTAKES.get(evening.game)
    for _ in range(_TRIES if kind else 0):
        north = evening.until_north(lambda _match: _may(evening, str(kind)))
        match, seat = evening.match, evening.seat("North")
        evening.send(
            north, "North", next(one for one in match.game.legal(match.state, seat) if one.kind == kind)
        )
        north.wait_for_function(_SHOWN, arg=match.version)
        north.locator("#main [data-do=undo]:not(:disabled)").click()
        if evening.happened("undo", match.version, patience=5):
            assert evening.match.state == match.state
            evening.counted("a mistake taken back", north, 1)
            return
    assert kind is None, f"no {kind} could be taken back"


# --- Railroad Ink ---


def _round(evening: Evening) -> None:
    """What a bot would draw, by hand."""
    evening.fresh_roll()
    seat, north, game = evening.seat("North"), evening.phones["North"], evening.match.game
    evening.north_plays("North")
    north.reload()
    evening.counted("nothing", north, 99)
    state, turn = evening.match.state, list[Action]()
    while (action := best_action(game, state, seat, evening.chance)) is not None and action.kind == "draw":
        turn.append(action)
        fact = game.decide(state, action, evening.chance)
        assert isinstance(fact, Action)
        state = game.apply(state, fact)
    before = evening.match.version
    for action in as_they_lie(evening.box, turn):
        draw(north, action)
    north.click("#usual [data-do=done]")
    assert evening.happened("done", before)
    more = sum(action.data["from"] != "die" for action in turn)
    with_more = f" with {more} more" if more else ""
    evening.counted(f"a round of routes{with_more}", north, 7 + 2 * more)


# --- Derailed! ---


def _card(evening: Evening) -> None:
    """The card, its place, Lay it; the next card comes by itself."""
    north = evening.until_north(lambda match: match.state.phase == "place" and _may(evening, "place"))
    since = evening.match.version
    for card in north.locator(".hand-card[data-card]").all():
        card.click()
        if north.locator(".mine .lanes g.open").count():
            break
        evening.counted("nothing", north, 99)
    north.locator(".mine .lanes g.open").first.click()
    north.click("[data-do=place]")
    assert evening.happened("take", since)
    evening.counted("a card laid, the next taken", north, 3)


# --- SPIKE ---


def _spike(kind: str) -> Callable[[Evening], None]:
    """What to do, and with what; a city to build to is tapped on the map."""

    def turn(evening: Evening) -> None:
        north = evening.until_north(
            lambda match: (
                match.state.phase == "play" and _may(evening, kind) and not _may(evening, "load", "deliver")
            )
        )
        since = evening.match.version
        tab = north.locator(f"[data-task={kind}]")
        if kind == "build":
            tap_marker(north, north.locator(".marker:has(text)").first.get_attribute("data-place") or "")
            north.click("#sure-yes")
        else:
            if tab.count() and tab.get_attribute("aria-pressed") != "true":
                tab.click()
            north.locator(f"[data-panel={kind}] .option:not([disabled])").first.click()
        assert evening.happened(kind, since)
        evening.counted(f"a turn of SPIKE: {kind}", north, 2)

    return turn


# --- Empire Builder ---


def _whole_turn(evening: Evening) -> None:
    """Run, deliver, load, run on, build, end: the first such turn; later one with less in it will do."""
    seat, began = evening.seat("North"), evening.match.version

    def wanted(match: Match) -> bool:
        if match.state.seat != seat or match.state.losing or match.events[-1].kind != "done":
            return False
        waited = (match.version - began) // _PATIENCE
        return is_whole(list(bots_turn(match)), _LESS[min(waited, len(_LESS) - 1)])

    north = evening.until_north(wanted)
    since = evening.match.version
    turn = [action for action, _ in bots_turn(evening.match)]
    tap_turn(north, turn)
    assert evening.happened("done", since)
    evening.counted(" ".join(kind for kind, _ in groupby(one.kind for one in turn)), north, 6)


def _may(evening: Evening, *kinds: str) -> bool:
    """Is such an action open to North?"""
    match = evening.match
    return any(one.kind in kinds for one in match.game.legal(match.state, evening.seat("North")))


_TURNS: dict[str, tuple[Callable[[Evening], None], ...]] = {
    "railroad-ink": (_round,),
    "derailed": (_card,),
    "spike": (_spike("draw"), _spike("build"), _spike("motion")),
    "empire-builder": (_whole_turn,),
}
_MISTAKES = {"derailed": "place", "spike": "build", "empire-builder": "build"}
