"""The bot of Derailed!: it knows the way, arrives when it can, blocks, and beats players without plans."""

from __future__ import annotations

from statistics import mean

import pytest

from companion.core.chance import SeededChance
from companion.core.records import replaced
from companion.game.base import Action
from companion.games.derailed.bot.distance import NEVER, UNKNOWN, distance, pairs_of
from companion.games.derailed.bot.player import DerailedBot, _worth
from companion.games.derailed.rules.cards import card_of, parse_face
from companion.games.derailed.rules.moves import placements
from companion.games.derailed.rules.network import area_of, cell_number
from companion.games.derailed.rules.state import State
from lab.bots_bench import Match, against_greedy, played
from tests.companion.games.derailed.rules.tables import STRAIGHT, begun, grid

BOT = DerailedBot()


def decided(state: State, seat: int) -> Action | None:
    return BOT.decide(state, seat, SeededChance(1))


def test_the_distance_is_the_fewest_cards() -> None:
    assert distance(area_of(2, {}), 0, 0) == 4
    assert distance(area_of(2, {}), 0, 1) == 5
    assert distance(area_of(2, STRAIGHT), 0, 1) == 1
    assert distance(area_of(2, {**STRAIGHT, "b4": "TB"}), 0, 1) == 0


def test_cards_that_are_not_in_the_hand_cost_more() -> None:
    area = area_of(2, STRAIGHT)
    assert distance(area, 0, 1, pairs_of(["TB"])) == 1
    assert distance(area, 0, 1, pairs_of(["RB"])) == UNKNOWN
    assert distance(area, 0, 1) < NEVER


def holding(state: State, *faces: str) -> State:
    """The state with these cards in the first seat's hand."""
    return replaced(state, hands={**state.hands, 1: tuple(card_of(face) for face in faces)})


def with_lanes(state: State, starts: str, destinations: str) -> State:
    return replaced(state, starts=tuple(starts), destinations=tuple(destinations), swaps=())


def test_it_arrives_when_it_can() -> None:
    state = holding(grid(with_lanes(begun(2), "AB", "BA"), **STRAIGHT), "TB", "LR", "LTRB", "RB")
    action = decided(state, 1)
    assert action is not None
    assert (action.kind, action.data["cell"]) == ("place", "b4")


def test_it_blocks_who_would_arrive_next() -> None:
    """The other company lacks one card; no card of this hand brings oneself anywhere near."""
    state = grid(with_lanes(begun(2), "BA", "AB"), **{**STRAIGHT, "b1": "LTB"})
    state = holding(state, "LR", "LR|t", "LR|tb", "LR|b")
    before = distance(state.area(), 0, 1)
    action = decided(state, 1)
    assert before == 1
    if action is not None and action.kind == "place":
        lanes = area_of(2, {**state.cells, action.data["cell"]: action.data["card"]})
        assert distance(lanes, 0, 1) > before


def test_between_rounds_it_changes_poor_cards_once() -> None:
    state = replaced(begun(2, between_discard=True), phase="between", endings=("arrivals",))
    state = holding(state, "LT|rb", "LB|tr", "LTRB", "LTR")
    action = decided(state, 1)
    assert action == Action("discard", 1, {"cards": [card_of("LT|rb"), card_of("LB|tr")]})
    assert decided(replaced(state, changed=(1,)), 1) == Action("round", 1)


def test_paper_hands_are_nobodys_to_play() -> None:
    """Which cards lie in front of an empty chair the box does not know: it passes, which is believed."""
    assert decided(begun(2, deal="table"), 1) == Action("pass", 1)


@pytest.mark.parametrize("seats", [2, 4])
def test_it_beats_players_without_plans(seats: int) -> None:
    own, others = 0, 0.0
    for seed in range(4):
        totals = against_greedy("derailed", seats, {}, seed).totals
        own += totals.pop(1 + seed % seats)
        others += mean(totals.values())
    assert own > 1.3 * others


def test_nobody_pays_another_by_blocking_a_third() -> None:
    """While one company is paid for every turn, the others build; they let it have 37 points once."""
    totals = [max(played("derailed", 3, {}, seed).totals.values()) for seed in (4242, 4243)]
    assert max(totals) <= 12


def test_it_covers_no_card_where_laying_beside_is_worth_as_much() -> None:
    match = Match.begun("derailed", 3, {}, seed=5)
    covered = 0
    for _ in range(40):
        state, action = match.state, match.step()
        if action.kind == "place" and action.seat is not None:
            area, lanes = state.area(), len(state.starts)

            def worth(cell: str, face: str, state: State = state, seat: int = action.seat) -> float:
                area, number = state.area(), cell_number(len(state.starts), cell)
                return _worth(state, seat, area.with_face(number, parse_face(face)), face)

            beside = [
                worth(cell, face)
                for cell, face in placements(state, action.seat)
                if area.faces[cell_number(lanes, cell)] is None
            ]
            if area.faces[cell_number(lanes, action.data["cell"])] is not None:
                covered += 1
                assert worth(action.data["cell"], action.data["card"]) > max(beside, default=-1.0)
    assert covered
