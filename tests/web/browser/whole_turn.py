"""A whole turn of Empire Builder under a finger: run, deliver, load, run on, build, end the turn."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from itertools import pairwise, takewhile
from typing import Any, TypeAlias

from playwright.sync_api import Page, expect

from companion.game.base import Action
from companion.game.bots import best_action
from companion.games.empire_builder.rules.moves.questions import answered
from companion.table.chance import SeededChance
from companion.table.match import Match
from tests.web.browser.test_empire_builder import tap as tap_milepost

Steps: TypeAlias = Sequence[tuple[Action, Any]]  # each with the state before it
ALL_OF_IT = frozenset({"move", "pickup", "deliver", "build"})


def bots_turn(match: Match) -> Iterator[tuple[Action, Any]]:
    """What a bot does until its turn ends, each with the state before."""
    state, kind = match.state, ""
    while kind != "done":
        action = best_action(match.game, state, match.state.seat, SeededChance(1))
        assert action is not None
        yield action, state
        kind, fact = action.kind, match.game.decide(state, action, SeededChance(1))
        assert isinstance(fact, Action)
        state = match.game.apply(state, fact)


def is_whole(steps: Steps, kinds: Set[str] = ALL_OF_IT) -> bool:
    """Is all of these kinds done in it, and is what is done where a run ends offered with the run?"""
    if not {action.kind for action, _ in steps} >= kinds or steps[0][0].kind != "move":
        return False
    for at, (action, state) in enumerate(steps):
        if action.kind == "move":
            asked = answered(state, state.seat, Action("run", data={"to": action.data["path"][-1]}))
            assert isinstance(asked, dict)
            offered = {one["load"] for one in asked["there"]["deliver"]} | {*asked["there"]["pickup"]}
            if not offered >= {*_freight([one for one, _ in steps[at + 1 :]])}:
                return False
    return True


def _freight(actions: Sequence[Action]) -> list[str]:
    """What is delivered and loaded before anything else is done."""
    there = takewhile(lambda one: one.kind in ("deliver", "pickup"), actions)
    return [one.data["load"] for one in there]


def tap_turn(page: Page, turn: Sequence[Action]) -> None:
    """The runs, with the freight of each; the first track that is built; the end of the turn."""
    runs = [at for at, one in enumerate(turn) if one.kind == "move"]
    builds = next(at for at, one in enumerate(turn) if one.kind == "build")
    for at, until in pairwise([*(at for at in runs if at < builds), builds]):
        goal, freight = turn[at].data["path"][-1], _freight(turn[at + 1 : until])
        tap_milepost(page, goal)
        words = re.compile(".*".join(map(re.escape, freight)))
        run = (
            page.locator("#eb-more button", has_text=words) if freight else page.locator("[data-do=confirm]")
        )
        run.first.click()
        expect(page.locator("#eb")).to_have_attribute("data-at", goal)
        expect(page.locator("#eb-plan")).to_be_hidden()
    tap_milepost(page, turn[builds].data["path"][-1])
    page.locator("#eb-more button", has_text="Build, end turn").click()
    expect(page.locator("#eb")).to_have_attribute("data-doing", "wait")
