"""Points, the next round, the end of the match."""

from __future__ import annotations

from collections import Counter

import pytest

from companion.core.records import replaced
from companion.game.base import Action, NoChance, Refusal
from companion.games.derailed.rules.cards import DECK, card_of
from companion.games.derailed.rules.rounds import totals
from companion.games.derailed.rules.state import Arrival, State
from companion.table.chance import SeededChance
from tests.companion.games.derailed.rules.tables import (
    GAME,
    STRAIGHT,
    after,
    begun,
    grid,
    laid_out,
    lay,
    refusal,
)

# --- scoring ---


def test_1_point_for_arriving_and_1_for_being_the_first() -> None:
    state = lay(grid(laid_out("AB", "BA"), **STRAIGHT), "b4=TB")
    assert totals(state) == {1: 2, 2: 0}
    row = GAME.score(state)[0]
    assert row["lines"] == [
        "Round 1: Ashfield Express arrives over a1, b1, b2, b3, b4: 1",
        "Round 1: the first to arrive: 1",
        "Total: 2",
    ]
    assert row["rounds"][0]["path"] == ["a1:TR", "b1:LB", "b2:TB", "b3:TB", "b4:TB"]


def test_arrival_is_judged_for_every_player_after_each_card() -> None:
    """Another player's card may complete a path."""
    state = replaced(grid(laid_out("AB", "BA"), **{**STRAIGHT, "b1": "LTB"}), turn=2)
    (arrival,) = lay(state, "b4=TB").arrived
    assert (arrival.seat, arrival.by, arrival.cell, arrival.first) == (1, 2, "b4", True)


def test_once_arrived_a_company_stays_arrived_for_the_round() -> None:
    state = lay(grid(laid_out("ABC", "CAB"), **STRAIGHT), "b4=TB", "b1=LT|rb")
    assert [arrival.seat for arrival in state.arrived] == [1]
    assert state.area().arrival(0, 1) is None


def test_the_second_to_arrive_gets_no_extra_point() -> None:
    state = lay(grid(laid_out("ABC", "CAB"), **STRAIGHT), "b4=TB")
    state = lay(grid(state, b1="TR", c1="LB", c2="TB|r", c3="TB|l"), "c4=TB")
    assert [(arrival.seat, arrival.first) for arrival in state.arrived] == [(1, True), (2, False)]
    assert totals(state) == {1: 2, 2: 1, 3: 0}


@pytest.mark.parametrize(("rule", "firsts"), [("all", {1, 2}), ("placer", {2})])
def test_two_that_arrive_with_the_same_card(rule: str, firsts: set[int]) -> None:
    """A comes down lane a and crosses to lane c, B comes down lane b and leaves at a4: both lack b3."""
    state = replaced(laid_out("ABC", "BCA", first_together=rule), turn=2)
    down = {"a1": "TB|r", "a2": "TB|l", "a3": "TRB", "a4": "LTB", "b1": "TB", "b2": "TB"}
    state = lay(grid(state, **down, c3="LB", c4="TB|r"), "b3=LTRB")
    assert {arrival.seat for arrival in state.arrived} == {1, 2}
    assert {arrival.seat for arrival in state.arrived if arrival.first} == firsts


# --- new round ---


def between_rounds(**options: object) -> State:
    """A round of dealt hands that seat 1 has just ended by arriving."""
    state = replaced(begun(2, seed=3, **options), starts=("A", "B"), destinations=("B", "A"), swaps=())
    cards = list(DECK.elements())
    cells = {"a1": "TR", "b1": "LB|tr", "b2": "TB|r", "b3": "TB|r"}
    hands = {1: ("LT", "LTRB", "TB", "TB"), 2: ("LR", "LR", "LTRB", "LTRB")}
    for card in (*map(card_of, cells.values()), *hands[1], *hands[2]):
        cards.remove(card)
    state = lay(grid(replaced(state, hands=hands, deck=tuple(cards)), **cells), "b4=TB")
    return after(state, "take", 1)


def test_remove_all_rail_cards_and_place_them_in_a_discard_pile() -> None:
    state = between_rounds()
    assert (state.phase, state.endings) == ("between", ("arrivals",))
    fresh = after(state, "round", None)
    assert fresh.grid == {}
    assert Counter(fresh.discards) == Counter(state.laid)
    assert fresh.hands == state.hands


def test_move_the_destination_column_to_the_starting_column() -> None:
    state = between_rounds()
    fresh = after(state, "round", None)
    assert fresh.starts == state.destinations
    assert (fresh.round, fresh.phase, fresh.arrived) == (2, "place", ())


@pytest.mark.parametrize("seats", range(2, 7))
def test_the_starting_cards_are_shuffled_into_the_destination_column(seats: int) -> None:
    state = replaced(begun(seats), phase="between", endings=("stalemate",))
    columns = set()
    for seed in range(40):
        decided = GAME.decide(state, Action("round"), SeededChance(seed))
        assert not isinstance(decided, Refusal)
        assert GAME.decide(state, decided, NoChance()) == decided
        fresh = GAME.apply(state, decided)
        assert GAME.faults(fresh) == []
        columns.add(fresh.destinations)
    assert len(columns) >= {2: 1, 3: 2}.get(seats, 5)


@pytest.mark.parametrize("column", [["A", "A"], ["A"], ["A", "B", "C"], []])
def test_false_destinations_are_refused(column: list[str]) -> None:
    state = replaced(begun(2), phase="between")
    assert refusal(state, "round", None, chance={"destinations": column}).code == "bad-shuffle"


def test_after_3_rounds_the_game_ends_and_most_points_win() -> None:
    state = replaced(grid(laid_out("AB", "BA"), **STRAIGHT), round=3, endings=("called", "called"))
    state = lay(state, "b4=TB")
    assert GAME.finished(state)
    assert GAME.legal(state, 1) == GAME.legal(state, 2) == []
    assert [(row["seat"], row["place"], row["total"]) for row in GAME.score(state)] == [(1, 1, 2), (2, 2, 0)]


def test_the_card_that_ends_the_match_ends_it_at_once() -> None:
    state = between_rounds()
    earlier = replaced(state, phase="place", endings=(), arrivals=(), turn=1, round=1)
    hand = ("TB", *state.hands[1][:3])
    earlier = replaced(earlier, grid={**state.grid, "b4": ("LT|rb",)}, hands={**state.hands, 1: hand})
    placing = Action("place", 1, {"cell": "b4", "card": "TB"})
    assert GAME.apply(earlier, placing).phase == "take"
    last = GAME.apply(replaced(earlier, round=3, endings=("arrivals",) * 2), placing)
    assert GAME.finished(last)


def test_equal_points_share_a_place() -> None:
    assert [row["place"] for row in GAME.score(begun(3))] == [1, 1, 1]


def test_who_starts_the_next_round() -> None:
    arrived = (Arrival(1, 1, (), first=True), Arrival(3, 1, ()))
    over = {"phase": "between", "arrivals": arrived, "turn": 1, "endings": ("arrivals",)}
    assert after(replaced(begun(3), **over), "round").turn == 2
    assert after(replaced(begun(3, next_start="fewest"), **over), "round").turn == 2
    over["arrivals"] = (Arrival(2, 1, (), first=True), Arrival(3, 1, ()))
    assert after(replaced(begun(3, next_start="fewest"), **over), "round").turn == 1


def test_the_fewest_points_are_those_of_the_round() -> None:
    """In all seat 3 has the fewest; in round 2, which is over, seats 1 and 2 had none."""
    arrived = (Arrival(1, 1, (), first=True, turns=3), Arrival(2, 1, ()), Arrival(3, 2, (), first=True))
    over = {"phase": "between", "round": 2, "arrivals": arrived, "turn": 3, "endings": ("arrivals",) * 2}
    state = replaced(begun(3, next_start="fewest"), **over)
    assert after(state, "round").turn == 1
    second = replaced(state, arrivals=(*arrived, Arrival(1, 2, ())))
    assert after(second, "round").turn == 2
    assert after(replaced(second, revision=1), "round").turn == 2
    most = (Arrival(1, 1, (), first=True), Arrival(2, 1, (), turns=5), Arrival(3, 2, (), turns=2))
    assert after(replaced(state, arrivals=(*most, Arrival(1, 2, (), first=True))), "round").turn == 2
    before = replaced(state, arrivals=(*most, Arrival(1, 2, (), first=True)), revision=1)
    assert after(before, "round").turn == 3  # as it was counted in matches begun earlier


def test_up_to_two_cards_may_be_changed_between_rounds_if_agreed() -> None:
    assert refusal(between_rounds(), "discard", 1, cards=["TB"]).code == "no-discard"
    state = between_rounds(between_discard=True)
    cards = list(state.hands[1][:2])
    changed = after(state, "discard", 1, cards=cards)
    assert len(changed.hands[1]) == 4
    assert changed.hands[1][2:] == state.deck[:2]
    assert Counter(changed.discards) == Counter(cards)
    assert refusal(changed, "discard", 1, cards=[changed.hands[1][0]]).code == "changed-already"
    assert refusal(state, "discard", 1, cards=list(state.hands[1][:3])).code == "bad-count"
    assert refusal(state, "discard", 1, cards=[]).code == "bad-count"
    strange = next(card for card in DECK if card not in state.hands[1])
    assert refusal(state, "discard", 1, cards=[strange]).code == "not-in-hand"
    assert after(changed, "round").changed == ()
