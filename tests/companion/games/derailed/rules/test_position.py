"""Positions and move lists as JSON: scored, explained, checked, and refused in a sentence."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.chance import SeededChance
from companion.core.errors import NotationError
from companion.game.base import Action, NoChance, Refusal
from companion.games.derailed.rules.check import check_moves
from companion.games.derailed.rules.position import explain_position, read_position, score_position
from companion.games.derailed.rules.state import State
from tests.companion.games.derailed.rules import slow
from tests.companion.games.derailed.rules.areas import random_cells
from tests.companion.games.derailed.rules.tables import GAME, begun

LANES: dict[str, Any] = {"starts": "AB", "destinations": "BA"}
STRAIGHT = {"a1": "TR", "b1": "LB", "b2": "TB|r", "b3": "TB|l", "b4": "TB"}


def test_a_position_is_scored_with_the_path_that_proves_it() -> None:
    assert score_position({**LANES, "grid": STRAIGHT}) == {
        "points": {"A": 2, "B": 0},
        "arrived": ["A"],
        "first": ["A"],
        "paths": {"A": ["a1:TR", "b1:LB", "b2:TB", "b3:TB", "b4:TB"]},
        "round_over": True,
    }


def test_who_arrived_before_keeps_it_whatever_lies_there_now() -> None:
    lanes = {"starts": "ABC", "destinations": "CAB"}
    told = score_position({**lanes, "arrived": {"B": {"turns": 3}}, "grid": STRAIGHT})
    assert told["points"] == {"A": 1, "B": 5, "C": 0}
    assert told["first"] == ["B"]
    assert told["round_over"]


def test_the_score_is_explained_in_lines() -> None:
    assert explain_position({**LANES, "grid": STRAIGHT}) == [
        "Ashfield Express arrives over a1, b1, b2, b3, b4: 1",
        "the first to arrive: 1",
        "Baskerville Meows has not arrived: 0",
        "1 of 1 arrivals that end the round: it is over",
    ]


@pytest.mark.parametrize("lanes", range(2, 7))
def test_scores_agree_with_the_slow_search(lanes: int) -> None:
    random = Random(lanes)
    companies = "ABCDEF"[:lanes]
    destinations = companies[1:] + companies[0]
    for _ in range(60):
        cells = random_cells(random, lanes, 0.97)
        try:
            told = score_position({"starts": companies, "destinations": destinations, "grid": cells})
        except NotationError as problem:
            if problem.code == "too-many":
                continue
            raise
        wanted = {
            company
            for company in companies
            if slow.arrives(cells, lanes, companies.index(company), destinations.index(company))
        }
        assert set(told["arrived"]) == wanted


@pytest.mark.parametrize(
    ("change", "code", "said"),
    [
        ({"starts": "A"}, "bad-columns", "2 to 6 different companies"),
        ({"starts": "AA"}, "bad-columns", "2 to 6 different companies"),
        ({"starts": "AX"}, "unknown-company", "there is no company 'X'"),
        ({"destinations": "BC"}, "bad-shuffle", "the destination column"),
        ({"destinations": "AB"}, "conflict", "lane a leads a company to itself"),
        ({"grid": {"c1": "TB"}}, "outside", "'c1' is not in the lanes: cells are a1 to b4"),
        ({"grid": {"a1": "TX"}}, "bad-card", "'TX' is no card"),
        ({"grid": {"a1": "T|B"}}, "not-in-the-deck", "no card that shows 'T|B'"),
        (
            {"grid": {"a1": "TB", "a2": "TB", "a3": "TB"}},
            "too-many",
            "3 cards TB lie in the lanes, but the deck has 2",
        ),
        ({"grid": {"a1": "LU|TU|RU"}}, "too-many", "play with the option tunnels"),
        ({"grid": ["a1"]}, "bad-shape", "expected an object"),
        ({"arrived": {"C": {}}}, "unknown-company", "'C' has no station"),
        ({"arrived": {"A": {"turns": -1}}}, "bad-count", "A cannot have had -1 turns"),
        ({"arrived": {"A": {"turns": 3}}}, "bad-count", "arrival 1 ends the round"),
        ({"arrived": {"A": {}, "B": {}}}, "no-first", "say which was the first"),
        ({"cards": {}}, "bad-shape", "cards"),
        ({"starts": 7}, "bad-shape", "starts"),
    ],
)
def test_positions_that_cannot_be_are_said(change: dict[str, object], code: str, said: str) -> None:
    with pytest.raises(NotationError) as caught:
        score_position({**LANES, **change})
    assert caught.value.code == code
    assert said in caught.value.message


def moves(*texts: str, **extra: Any) -> dict[str, Any]:
    """``A a1=TB`` or ``A pass``."""
    found: list[dict[str, Any]] = []
    for text in texts:
        company, what = text.split()
        cell, _, card = what.partition("=")
        found.append(
            {"company": company, **({"pass": True} if what == "pass" else {"cell": cell, "card": card})}
        )
    return {**LANES, "moves": found, **extra}


def test_legal_moves_are_valid() -> None:
    assert check_moves(moves("A a1=TR", "B b1=LTB", "A b2=TB", "B pass")) == {"valid": True}


@pytest.mark.parametrize(
    ("given", "at", "code"),
    [
        (moves("A a1=TR", "B a2=TB"), 1, "no-path"),
        (moves("A a1=TR", "A a1=TR", "A a1=TR"), 2, "too-many"),
        (moves("B b4=TB", grid={**STRAIGHT, "b4": "TB"}), 0, "round-over"),
        (moves("A a1=TB", "A a1=TR", order="AB"), 1, "not-your-turn"),
        (moves("A a1=TB", order="BA"), 0, "not-your-turn"),
        ({**moves("A a1=TB", arrived={"A": {}}), "starts": "ABC", "destinations": "CAB"}, 0, "arrived"),
        (moves("A pass", "B pass", "A a1=TB", order="AB"), 2, "round-over"),
    ],
)
def test_the_first_illegal_move_is_named(given: dict[str, Any], at: int, code: str) -> None:
    verdict = check_moves(given)
    assert (verdict["valid"], verdict["at"], verdict["code"]) == (False, at, code)


def test_the_reason_why_a_round_is_over_is_the_true_one() -> None:
    stalemate = check_moves(moves("A pass", "B pass", "A a1=TB", order="AB"))
    assert stalemate["message"] == "the round is over: everybody has had a turn and nobody could lay a card"
    arrived = check_moves(moves("B b4=TB", grid={**STRAIGHT, "b4": "TB"}))
    assert arrived["message"] == "the round is over: 1 of 1 have arrived"


@pytest.mark.parametrize(
    ("given", "code"),
    [
        (moves("C a1=TB"), "unknown-company"),
        (moves("A a1=XX"), "bad-card"),
        (moves("A e1=TB"), "outside"),
        (moves("A a1=TB", order="AC"), "bad-order"),
        ({**LANES, "moves": [{"company": "A"}]}, "bad-move"),
        ({**LANES, "moves": [{"company": "A", "cell": "a1", "pass": True}]}, "bad-move"),
        ({**LANES}, "bad-shape"),
    ],
)
def test_unreadable_moves_are_said(given: dict[str, Any], code: str) -> None:
    with pytest.raises(NotationError) as caught:
        check_moves(given)
    assert caught.value.code == code


@given(seed=st.integers(0, 10**6), seats=st.integers(2, 6))
def test_any_stretch_of_a_match_is_valid_as_a_move_list_and_any_other_first_move_is_not(
    seed: int, seats: int
) -> None:
    """What the table accepts, ``check`` accepts; and a position round-trips through JSON."""
    random = Random(seed)
    state = begun(seats, seed=seed)
    before, played = state, []
    for _ in range(12):
        legal = GAME.legal(state, state.turn)
        fact = GAME.decide(state, random.choice(legal), SeededChance(random))
        assert not isinstance(fact, Refusal)
        if fact.kind in ("place", "pass"):
            played.append({"company": state.company(state.turn).letter, **_move(fact)})
        state = GAME.apply(state, fact)
    text = {**_columns(before), "moves": played, "order": before.options.companies}
    assert check_moves(text) == {"valid": True}
    again = read_position({**_columns(state), "grid": state.cells})
    assert again.cells == state.cells
    _other_card_is_refused(before)


def _columns(state: State) -> dict[str, str]:
    return {"starts": "".join(state.starts), "destinations": "".join(state.destinations)}


def _move(fact: Action) -> dict[str, Any]:
    return dict(fact.data) if fact.kind == "place" else {"pass": True}


def _other_card_is_refused(state: State) -> None:
    lane = "abcdef"[state.start_lane(1)]
    move = {"company": state.company(1).letter, "cell": f"{lane}2", "card": "TB"}
    assert not check_moves({**_columns(state), "moves": [move]})["valid"]
    action = Action("place", 1, {"cell": f"{lane}2", "card": "TB"})
    assert isinstance(GAME.decide(state, action, NoChance()), Refusal)


@given(
    value=st.recursive(
        st.none() | st.integers() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    ["starts", "destinations", "grid", "moves", "arrived", "AB", "a1", "company"]
                ),
                inner,
                max_size=4,
            )
        ),
        max_leaves=8,
    ).filter(lambda value: isinstance(value, dict))
)
def test_any_nonsense_is_one_sentence(value: dict[str, Any]) -> None:
    for judge in (score_position, check_moves, explain_position):
        with pytest.raises(NotationError) as caught:
            judge(value)
        assert "\n" not in caught.value.message
