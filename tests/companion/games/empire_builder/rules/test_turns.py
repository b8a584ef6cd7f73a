"""The flow of turns, upgrades, and winning, sentence by sentence."""

from __future__ import annotations

import pytest

from companion.core.records import replaced
from companion.game.base import Action, Refusal
from companion.games.empire_builder.rules.boards.tracks import connected_majors, linked_from
from companion.games.empire_builder.rules.match.state import State, with_player
from companion.games.empire_builder.rules.match.turns import has_won
from tests.companion.games.empire_builder.rules.tables import (
    BOARD,
    GAME,
    NOTHING,
    after,
    begun,
    decided,
    ended,
    laid,
    refused,
    running,
    struck,
    train_at,
    way,
    with_cash,
)

TREE = [
    ("Chicago", "Kansas City"),
    ("Kansas City", "Atlanta"),
    ("Chicago", "New York"),
    ("Kansas City", "Mexico City"),
    ("Kansas City", "Los Angeles"),
]


def connecting(state: State, seat: int, lines: int = 5) -> State:
    """A seat with the first so many lines of a tree of six major cities."""
    return laid(state, seat, *(way(one, other) for one, other in TREE[:lines]))


# --- turns ---


def test_each_turn_operations_come_before_building() -> None:
    state = train_at(laid(running(), 1, way("Chicago", "Des Moines")), 1, "Cincinnati")
    built = after(state, "build", 1, to="Omaha")
    refusal = refused(built, "pickup", 1, load="coal")
    assert refusal.code == "building-now"
    assert not {"move", "pickup", "place"} & {action.kind for action in GAME.legal(built, 1)}


def test_the_first_two_turns_per_player_are_building_only() -> None:
    state = laid(begun(2), 1, way("Chicago", "Des Moines"))
    for _ in range(4):
        seat = state.seat
        refusal = refused(state, "place", seat, at="Chicago")
        assert refusal.code == "building-only"
        assert {action.kind for action in GAME.legal(state, seat)} <= {"build", "upgrade", "done"}
        state = ended(state)
    assert state.seat == 1
    assert after(state, "place", 1, at="Chicago")


def test_switchback_start() -> None:
    """The second round proceeds in reverse order, then normal clockwise play resumes."""
    state, seats = begun(4), []
    for _ in range(16):
        seats.append(state.seat)
        state = ended(state)
    assert seats == [1, 2, 3, 4, 4, 3, 2, 1, 1, 2, 3, 4, 1, 2, 3, 4]


def test_only_the_player_to_move_may_act() -> None:
    assert refused(begun(), "done", 2).code == "not-your-turn"
    assert GAME.legal(begun(), 2) == []
    assert refused(begun(), "done", 5).code == "no-seat"
    assert refused(begun(), "dance", 1).code == "unknown-action"


# --- upgrades ---


@pytest.mark.parametrize(
    ("before", "to"), [("freight", "fast"), ("freight", "heavy"), ("fast", "super"), ("heavy", "super")]
)
def test_upgrade_costs_and_paths(before: str, to: str) -> None:
    state = train_at(running(), 1, "Chicago", kind=before)
    upgraded = after(state, "upgrade", 1, to=to)
    assert (upgraded.players[1].train.kind, upgraded.players[1].cash) == (to, 30)
    assert refused(upgraded, "upgrade", 1, to="super").code in ("built", "no-upgrade")


@pytest.mark.parametrize(
    ("before", "to"), [("freight", "super"), ("fast", "heavy"), ("super", "fast"), ("heavy", "fast")]
)
def test_there_is_no_other_upgrade_path(before: str, to: str) -> None:
    assert refused(train_at(running(), 1, "Chicago", kind=before), "upgrade", 1, to=to).code == "no-upgrade"


def test_upgrade_at_the_end_of_the_turn_instead_of_building() -> None:
    state = laid(running(), 1, way("Chicago", "Des Moines"))
    state = after(train_at(state, 1, "Chicago"), "upgrade", 1, to="fast")
    assert refused(state, "move", 1, to="Des Moines").code == "building-now"
    assert refused(with_cash(running(), 1, 19), "upgrade", 1, to="fast").code == "no-money"


# --- winning ---


def test_connect_six_of_the_seven_major_cities_with_a_continuous_track() -> None:
    state = connecting(running(), 1)
    assert len(connected_majors(BOARD, state.players[1].linked)) == 6
    assert has_won(with_cash(state, 1, 250), 1)
    assert not has_won(with_cash(connecting(running(), 1, 4), 1, 250), 1)


def test_have_at_least_250_million_in_cash_at_the_end_of_the_turn() -> None:
    state = connecting(running(), 1)
    assert ended(with_cash(state, 1, 249), 2).winner is None
    assert ended(with_cash(state, 1, 250), 2).winner == 1


def test_any_connected_path_counts_even_with_loops_or_branches() -> None:
    state = laid(connecting(running(), 1), 1, way("Chicago", "Atlanta"), way("Chicago", "Omaha"))
    assert has_won(with_cash(state, 1, 250), 1)


def test_two_lines_that_do_not_touch_are_no_continuous_line() -> None:
    state = laid(running(), 1, way("Chicago", "New York"), way("Los Angeles", "San Diego"))
    assert {city.name for city in connected_majors(BOARD, state.players[1].linked)} == {"Chicago", "New York"}
    joined = laid(state, 1, way("Chicago", "Kansas City"), way("Kansas City", "Los Angeles"))
    assert len(connected_majors(BOARD, joined.players[1].linked)) == 4


def test_play_continues_until_all_players_have_taken_an_equal_number_of_turns() -> None:
    state = with_cash(connecting(running(3), 1), 1, 260)
    first = ended(state)
    assert (first.winner, first.qualified, first.seat) == (None, (1,), 2)
    assert not GAME.finished(first)
    over = ended(first, 2)
    assert (over.winner, GAME.finished(over)) == (1, True)
    assert [row["place"] for row in GAME.score(over)] == [1, 2, 2]


def two_qualify(cash: dict[int, int]) -> State:
    state = running(2)
    linked = connecting(state, 1).players[1].linked
    for seat, amount in cash.items():
        state = with_cash(with_player(state, seat, linked=linked), seat, amount)
    return ended(state, 2)


def test_if_multiple_players_qualify_highest_cash_wins() -> None:
    assert two_qualify({1: 260, 2: 270}).winner == 2
    assert two_qualify({1: 280, 2: 270}).winner == 1


def test_a_tie_increases_the_cash_goal_to_300_million_and_play_continues() -> None:
    state = two_qualify({1: 270, 2: 270})
    assert (state.winner, state.goal, state.qualified) == (None, 300, ())
    assert ended(state, 2).winner is None
    richer = with_cash(state, 2, 300)
    assert ended(richer, 2).winner == 2


def test_the_win_cannot_be_taken_away_by_a_later_event() -> None:
    state = ended(with_cash(connecting(running(2), 1), 1, 250))
    state = struck(struck(state, 2, "event-tax"), 2, "event-flood-mississippi")
    assert state.players[1].cash < 250
    over = ended(state)
    assert over.winner == 1
    (said,) = [line for line in GAME.score(over)[0]["lines"] if "250 million" in line]
    assert said.startswith("had 250 million and 6 major cities at the end of a turn: what is lost later")


def test_a_finished_match_has_no_more_moves() -> None:
    over = ended(with_cash(connecting(running(2), 1), 1, 250), 2)
    assert GAME.view(over, 1)["seat"] is None
    assert GAME.score(over)[0]["won"]


# --- what is carried along, and what can never be ---


def test_connections_made_edge_by_edge_are_those_made_anew() -> None:
    state = connecting(running(), 1)
    edges = [edge for edge, seat in state.track.items() if seat == 1]
    assert linked_from(BOARD, edges) == state.players[1].linked
    assert GAME.faults(state) == []
    broken = with_player(state, 1, linked={**state.players[1].linked, BOARD.cities["Miami"].middle: 5})
    assert GAME.faults(broken) == ["seat 1: what hangs together is not what was built"]


def test_every_invariant_is_noticed_when_it_breaks() -> None:
    state = running(2)
    broken = {
        "cards": replaced(state, deck=state.deck[1:]),
        "hand": replaced(with_player(state, 1, hand=()), deck=(*state.deck, *state.players[1].hand)),
        "money": with_cash(state, 1, -1),
        "rent": with_player(state, 1, ledger=type(state.players[1].ledger)(rent_had=4)),
        "chips": train_at(
            train_at(state, 1, "Miami", loads=("wheat",) * 2), 2, "Miami", loads=("wheat",) * 2
        ),
        "load": train_at(state, 1, "Miami", loads=("oil", "oil", "oil")),
        "spent": replaced(state, turn=type(state.turn)(spent=21)),
        "speed": replaced(state, turn=type(state.turn)(moved=10)),
        "both": replaced(state, turn=type(state.turn)(spent=1, upgraded=True)),
        "losing": replaced(state, losing={9: 1}),
        "nobody": replaced(state, track={0: 9}),
    }
    assert {name: len(GAME.faults(one)) >= 1 for name, one in broken.items()} == dict.fromkeys(broken, True)


def test_every_legal_action_is_accepted_and_decided_again_the_same() -> None:
    state = train_at(laid(running(3), 1, way("Chicago", "Des Moines")), 1, "Chicago")
    for action in GAME.legal(state, 1):
        fact = decided(state, action.kind, 1, **action.data)
        assert not isinstance(fact, Refusal), (action, fact)
        assert GAME.decide(state, fact, NOTHING) == fact
    kinds = {action.kind for action in GAME.legal(state, 1)}
    assert kinds == {"move", "build", "pickup", "upgrade", "done"}
    assert Action("done", 1) in GAME.legal(state, 1)
