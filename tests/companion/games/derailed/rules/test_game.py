"""Every sentence of the rules text up to a round's end, and what it leaves open."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.errors import NotationError
from companion.core.records import replaced
from companion.game.base import Action, MatchRequest, NoChance, Refusal
from companion.games.derailed.rules.cards import DECK
from companion.games.derailed.rules.columns import in_conflict, settled
from companion.games.derailed.rules.rounds import totals
from companion.games.derailed.rules.state import OPTIONS, Arrival, Options, State
from companion.table.chance import SeededChance
from tests.companion.games.derailed.rules.tables import (
    GAME,
    STRAIGHT,
    after,
    begun,
    fact,
    grid,
    holding,
    laid_out,
    lay,
    refusal,
)

# --- setup ---


def test_each_player_chooses_a_company() -> None:
    state = begun(3)
    assert [state.company(seat).letter for seat in state.seats] == ["A", "B", "C"]
    state = begun(3, companies="FAH")
    assert [state.company(seat).name for seat in state.seats] == [
        "Furball Freight",
        "Ashfield Express",
        "Hiss & Whisker Inc",
    ]


def test_companies_may_be_chosen_seat_by_seat() -> None:
    """As the page sends them: a choice for every seat there could be."""
    state = begun(3, companies=["", "A", "", "", "", ""])
    assert [state.company(seat).letter for seat in state.seats] == ["B", "A", "C"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"companies": "AA"}, "two seats cannot have the same company"),
        ({"companies": ["B", "B"]}, "two seats cannot have the same company"),
        ({"companies": "AX"}, "letters of ABCDEFGH"),
        ({"companies": "ABC"}, "names 3 companies, but there are 2 players"),
        ({"first": 3}, "seats are 1 to 2"),
        ({"first": -1}, "seats are 1 to 2"),
    ],
)
def test_options_that_cannot_be(options: dict[str, object], said: str) -> None:
    answer = GAME.setup(MatchRequest(2, "umpire", options), SeededChance(1))
    assert isinstance(answer, Refusal)
    assert said in answer.message


def test_unknown_options_are_said() -> None:
    with pytest.raises(NotationError, match="dead_ends"):
        GAME.setup(MatchRequest(2, "umpire", {"dead_ends": "maybe"}), SeededChance(1))


def test_every_option_is_listed_with_its_default() -> None:
    fields = {field.name: field.default for field in msgspec.structs.fields(Options)}
    assert fields == {option.name: option.default for option in OPTIONS}
    assert not isinstance(GAME.setup(MatchRequest(2, "umpire", fields), SeededChance(1)), Refusal)


def test_take_all_rail_cards_shuffle_them_and_place_them_in_a_pile() -> None:
    decks = {begun(seed=seed).deck for seed in range(10)}
    assert len(decks) == 10
    state = begun(2)
    assert Counter([*state.deck, *state.hands[1], *state.hands[2]]) == DECK


@pytest.mark.parametrize("seats", range(2, 7))
def test_deal_4_cards_to_each_player(seats: int) -> None:
    state = begun(seats)
    assert [len(hand) for hand in state.hands.values()] == [4] * seats
    assert len(state.deck) == 90 - 4 * seats


@pytest.mark.parametrize("seats", range(2, 7))
def test_one_station_card_per_company_in_each_column_shuffled(seats: int) -> None:
    columns = {(begun(seats, seed=seed).starts, begun(seats, seed=seed).destinations) for seed in range(30)}
    assert len(columns) > (1 if seats == 2 else 4)
    for starts, destinations in columns:
        assert sorted(starts) == sorted(destinations) == list("ABCDEF"[:seats])


def test_the_railway_area_is_as_long_as_4_cards_with_a_lane_for_each_company() -> None:
    names = begun(3).area().grid.names
    assert (names[0], names[-1], len(names)) == ("a1", "c4", 12)


@given(seed=st.integers(0, 10**6), seats=st.integers(2, 6))
def test_lanes_always_have_different_companies_at_both_ends(seed: int, seats: int) -> None:
    state = begun(seats, seed=seed)
    assert in_conflict(state.starts, state.destinations) == []


@pytest.mark.parametrize("count", range(2, 7))
def test_conflicts_are_solved_whatever_the_columns(count: int) -> None:
    companies = "ABCDEF"[:count]
    for destinations in permutations(companies):
        solved, swaps = settled(companies, destinations)
        assert in_conflict(companies, solved) == []
        assert sorted(solved) == list(companies)
        assert bool(swaps) == bool(in_conflict(companies, destinations))


def test_swap_the_destination_with_that_of_the_next_company_in_the_alphabet() -> None:
    solved, (swap,) = settled("CAB", "CBA")
    assert solved == ("A", "B", "C")  # C's next is A, whose destination was lane c
    assert (swap.lane, swap.company, swap.other_lane, swap.other) == ("a", "C", "c", "A")


def test_the_next_company_is_the_next_one_playing() -> None:
    assert settled("AEH", "AHE")[0] == ("E", "H", "A")


def test_who_took_a_train_most_recently_starts() -> None:
    assert begun(3, first=2).turn == 2
    assert {begun(3, first=0, seed=seed).turn for seed in range(30)} == {1, 2, 3}


# --- play ---


def test_players_take_turns_clockwise() -> None:
    state = laid_out("ABC", "BCA")
    turns = []
    for move in ("a1=LT|rb", "b1=LT|rb", "c1=LT|rb", "a1=TB"):
        turns.append(state.turn)
        assert refusal(state, "place", state.after(state.turn), cell="a1", card="TB").code == "not-your-turn"
        state = lay(state, move)
    assert turns == [1, 2, 3, 1]


def test_a_player_takes_one_card_from_the_hand_and_places_it_then_takes_one_from_the_deck() -> None:
    state = holding(begun(2), 1, "TB", "LT", "LTR", "LTB")
    lane = "ab"[state.start_lane(1)]
    top = state.deck[0]
    placed = after(state, "place", 1, cell=f"{lane}1", card="TB")
    assert placed.hands[1] == ("LT", "LTR", "LTB")
    assert refusal(placed, "place", 1, cell=f"{lane}1", card="LT").code == "take-first"
    taken = after(placed, "take", 1)
    assert taken.hands[1] == ("LT", "LTR", "LTB", top)
    assert taken.deck == state.deck[1:]
    assert taken.turn == 2


def test_only_cards_of_the_own_hand_are_placed() -> None:
    state = holding(begun(2), 1, "TB", "LT", "LTR", "LTB")
    answer = refusal(state, "place", 1, cell="a1", card="LTRB")
    assert answer.code == "not-in-hand"


def test_nothing_is_taken_before_a_card_is_placed() -> None:
    assert refusal(begun(2), "take", 1).code == "place-first"
    assert refusal(laid_out("AB", "BA"), "take", 1).code == "paper-hands"


def test_who_has_arrived_scores_one_extra_point_instead_of_playing() -> None:
    state = lay(grid(laid_out("ABC", "CAB"), **STRAIGHT), "b4=TB")
    assert totals(state) == {1: 2, 2: 0, 3: 0}
    assert refusal(state, "place", 1, cell="a1", card="TB").code == "not-your-turn"
    state = lay(state, "b1=LT|rb", "c1=LT|r")
    assert state.turn == 2
    assert totals(state) == {1: 3, 2: 0, 3: 0}
    assert "Round 1: 1 later turn: 1" in GAME.score(state)[0]["lines"]


def test_if_the_deck_runs_out_the_discard_pile_is_shuffled() -> None:
    state = holding(begun(2), 1, "TB", "LT", "LTR", "LTB")
    state = replaced(state, deck=(), discards=state.deck)
    lane = "ab"[state.start_lane(1)]
    placed = after(state, "place", 1, cell=f"{lane}1", card="TB")
    taking = fact(placed, "take", 1)
    assert sorted(taking.data["chance"]["deck"]) == sorted(state.discards)
    assert taking.data["source"]["kind"] == "seeded"
    taken = GAME.apply(placed, taking)
    assert (len(taken.hands[1]), taken.discards, len(taken.deck)) == (4, (), len(state.discards) - 1)
    assert {tuple(_shuffle(placed, seed)) for seed in range(5)} != {tuple(_shuffle(placed, 0))}


def _shuffle(state: State, seed: int) -> list[str]:
    taking = GAME.decide(state, Action("take", 1), SeededChance(seed))
    assert not isinstance(taking, Refusal)
    order: list[str] = taking.data["chance"]["deck"]
    return order


def test_a_false_shuffle_is_refused() -> None:
    state = replaced(begun(2), phase="take")
    state = replaced(state, hands={**state.hands, 1: state.hands[1][1:]}, deck=(), discards=state.deck)
    assert refusal(state, "take", 1, chance={"deck": ["TB"]}).code == "bad-shuffle"
    assert refusal(state, "take", 1, chance={}).code == "bad-shuffle"
    state = replaced(state, deck=state.discards, discards=())
    assert refusal(state, "take", 1, chance={"deck": []}).code == "no-shuffle"


def test_with_no_card_left_anywhere_the_turn_ends_and_the_hand_is_filled_later() -> None:
    state = replaced(begun(2), phase="take", deck=(), discards=())
    state = replaced(state, hands={1: ("TB",), 2: ("LT",)})
    assert GAME.legal(state, 1) == [Action("take", 1)]
    ended = GAME.apply(state, fact(state, "take", 1))
    assert (ended.turn, ended.hands[1]) == (2, ("TB",))
    later = replaced(ended, turn=1, deck=("LT", "LB", "LR", "TB"))
    assert Action("take", 1) in GAME.legal(later, 1)
    assert refusal(later, "pass", 1).code == "take-first"
    filled = GAME.apply(later, fact(later, "take", 1))
    assert (filled.turn, filled.phase, filled.hands[1]) == (1, "place", ("TB", "LT", "LB", "LR"))


def test_a_hand_without_a_legal_card_passes_and_only_such_a_hand() -> None:
    state = holding(begun(2), 1, "LR", "LR", "LR|tb", "LR|tb")
    assert GAME.legal(state, 1) == [Action("pass", 1)]
    passed = after(state, "pass", 1)
    assert (passed.turn, passed.hands) == (2, state.hands)
    able = holding(begun(2), 1, "LR", "LR", "LR|tb", "TB")
    answer = refusal(able, "pass", 1)
    assert answer.code == "can-place"
    assert "TB" not in answer.message
    assert answer.detail == {}


def test_a_place_where_no_card_fits_tells_nothing_of_the_hand() -> None:
    state = holding(begun(2), 1, "LR", "LR", "LR|tb", "TB")
    held, not_held = (refusal(state, "place", 1, cell="b3", card=card) for card in ("LR", "LT"))
    assert held == not_held
    assert refusal(state, "place", 1, cell=f"{'ab'[state.start_lane(1)]}1", card="LT").code == "not-in-hand"


# --- the end of a round ---


@pytest.mark.parametrize(("seats", "needed"), [(2, 1), (3, 2), (4, 3), (5, 3), (6, 3)])
def test_the_round_ends_when_most_of_the_players_have_arrived(seats: int, needed: int) -> None:
    companies = "ABCDEF"[:seats]
    state = grid(laid_out(companies, companies[-1] + companies[:-1]), **STRAIGHT)
    assert state.needed == needed
    others = tuple(Arrival(seat, 1, (), first=seat == 2) for seat in range(2, needed + 1))
    if others:
        assert lay(replaced(state, arrivals=others[:-1]), "b4=TB").phase == "place"
    assert lay(replaced(state, arrivals=others), "b4=TB").phase == "between"


def test_after_the_round_nothing_is_placed_before_the_next_one() -> None:
    state = lay(grid(laid_out("AB", "BA"), **STRAIGHT), "b4=TB")
    assert state.phase == "between"
    assert refusal(state, "place", 2, cell="b1", card="TB").code == "between-rounds"
    assert refusal(state, "pass", 2).code == "between-rounds"
    assert refusal(laid_out("AB", "BA"), "round", 1).code == "round-not-over"


def test_when_nobody_can_lay_a_card_any_more_the_round_ends() -> None:
    """The rules text has no such case; nothing could ever change again."""
    state = replaced(begun(2), hands={1: ("LR", "LR|tb"), 2: ()}, deck=(), discards=())
    once = GAME.apply(state, fact(state, "pass", 1))
    assert (once.phase, once.turn) == ("place", 2)
    twice = GAME.apply(once, fact(once, "pass", 2))
    assert (twice.phase, twice.endings) == ("between", ("stalemate",))


# --- placement ---


def test_played_cards_must_have_a_connecting_path_to_the_own_start() -> None:
    state = grid(laid_out("ABC", "BCA"), b1="TB", b2="TB|r")
    answer = refusal(state, "place", 1, cell="b3", card="TB")
    assert answer.code == "no-path"
    expected = (
        "this card does not lead back to Ashfield's station: no card lies at a1, where its track begins"
    )
    assert answer.message == expected
    state = grid(state, b1="TB", b2="TB|r", a1="TB", a2="LT|rb")
    answer = refusal(state, "place", 1, cell="c2", card="LB")
    assert answer.message == "this card does not lead back to Ashfield's station: the track stops at a2"
    assert answer.detail == {"cell": "c2", "stops": ["a2"]}


def test_a_loop_without_a_loose_end_is_called_one() -> None:
    state = grid(laid_out("AB", "BA"), a1="TRB", b1="LB", b2="LT", a2="TR")
    answer = refusal(state, "place", 1, cell="b4", card="TB")
    assert answer.message.endswith("station: the track is a loop that comes back to the station")
    assert answer.detail == {"cell": "b4", "stops": []}


def test_the_side_where_the_card_does_not_connect_is_named() -> None:
    state = grid(laid_out("AB", "BA"), a1="TR")
    answer = refusal(state, "place", 1, cell="b1", card="TB")
    assert answer.message.endswith("the track comes from a1 at the left, where this card has no track")
    answer = refusal(state, "place", 1, cell="b1", card="TB|l")
    assert answer.message.endswith("the track comes from a1 at the left, where this card has a dead end")
    answer = refusal(state, "place", 1, cell="a1", card="LR")
    assert "from the station at the top, where this card has no track" in answer.message


def test_a_path_may_run_over_anybodys_cards() -> None:
    state = lay(laid_out("AB", "BA"), "a1=TR", "b1=LTB", "b2=TB")
    assert state.cells == {"a1": "TR", "b1": "LTB", "b2": "TB"}


def test_dead_ends_do_not_connect_unless_agreed() -> None:
    assert refusal(laid_out("AB", "BA"), "place", 1, cell="a1", card="RB|t").code == "no-path"
    assert lay(laid_out("AB", "BA", dead_ends="connect"), "a1=RB|t").cells == {"a1": "RB|t"}


def test_cards_are_not_allowed_outside_of_the_station_lanes() -> None:
    for cell in ("c1", "a5", "a0", "", "A1", "a"):
        with pytest.raises(NotationError, match="is not in the lanes: cells are a1 to b4"):
            GAME.decide(laid_out("AB", "BA"), Action("place", 1, {"cell": cell, "card": "TB"}), NoChance())


def test_cards_are_always_longitudinal_so_only_two_ways_round() -> None:
    legal = {
        (action.data["cell"], action.data["card"])
        for action in GAME.legal(holding(begun(2, seed=5), 1, "LT", "LT", "TB", "TB"), 1)
    }
    assert {card for _, card in legal} == {
        "LT",
        "TB",
    }  # RB would not meet the station, BL is no turning of LT


def test_cards_dont_need_to_connect_to_all_neighbours() -> None:
    state = grid(laid_out("AB", "BA"), a1="TB", b2="TR|lb")
    assert lay(state, "a2=LTR").cells["a2"] == "LTR"


def test_cards_can_replace_previous_cards() -> None:
    state = lay(laid_out("AB", "BA"), "a1=TB", "b1=TB", "a1=TR")
    assert state.grid["a1"] == ("TB", "TR")
    assert state.area().faces[0] is not None
    assert "a2" not in {step[:2] for step in GAME.view(state, 1)["reach"]["1"]}


def test_the_old_cards_track_is_gone_when_the_new_one_is_judged() -> None:
    """The track came to b1 only through a1: what replaces a1 has to meet the station itself."""
    state = grid(laid_out("AB", "BA"), a1="TR", b1="LB", b2="LT|rb", a2="RB")
    assert refusal(state, "place", 1, cell="a1", card="RB").code == "no-path"
    assert lay(state, "a1=LT").cells["a1"] == "LT"


def test_no_more_copies_than_the_deck_has() -> None:
    state = grid(laid_out("AB", "BA"), a1="LTRB", a2="LTRB", b1="LTRB", b2="LTRB")
    answer = refusal(state, "place", 1, cell="a3", card="LTRB")
    assert answer.code == "too-many"
    assert answer.message == "5 cards LTRB lie in the lanes, but the deck has 4 of them"
    state = grid(laid_out("AB", "BA"), a1="TB")
    assert refusal(state, "place", 1, cell="a2", card="LU|TU|RU").code == "too-many"


def test_covered_cards_are_no_longer_in_the_box() -> None:
    state = laid_out("AB", "BA")
    for _ in range(2):
        state = lay(state, "a1=LTRB", "b1=LTRB")
    assert refusal(state, "place", 1, cell="a1", card="LTRB").code == "too-many"
