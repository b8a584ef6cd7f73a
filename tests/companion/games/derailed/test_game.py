"""Every sentence of the rules text, and what it leaves open."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.contract import Action, NoChance, Refusal, Wishes
from companion.games.derailed.cards import DECK, card_of
from companion.games.derailed.columns import in_conflict, settled
from companion.games.derailed.rounds import totals
from companion.games.derailed.state import OPTIONS, Arrival, Options, State, replaced
from companion.games.kit.errors import NotationError
from companion.table.chance import SeededChance
from tests.companion.games.derailed.tables import (
    GAME,
    after,
    begun,
    fact,
    grid,
    holding,
    laid_out,
    lay,
    refusal,
)

STRAIGHT = {"a1": "TR", "b1": "LB", "b2": "TB|r", "b3": "TB|l"}  # one card is missing at b4


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


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"companies": "AA"}, "different letters of ABCDEFGH"),
        ({"companies": "AX"}, "different letters of ABCDEFGH"),
        ({"companies": "ABC"}, "names 3 companies, but there are 2 players"),
        ({"first": 3}, "seats are 1 to 2"),
        ({"first": -1}, "seats are 1 to 2"),
    ],
)
def test_options_that_cannot_be(options: dict[str, object], said: str) -> None:
    answer = GAME.setup(Wishes(2, "umpire", options), SeededChance(1))
    assert isinstance(answer, Refusal)
    assert said in answer.message


def test_unknown_options_are_said() -> None:
    with pytest.raises(NotationError, match="dead_ends"):
        GAME.setup(Wishes(2, "umpire", {"dead_ends": "maybe"}), SeededChance(1))


def test_every_option_is_listed_with_its_default() -> None:
    fields = {field.name: field.default for field in msgspec.structs.fields(Options)}
    assert fields == {option.name: option.default for option in OPTIONS}
    assert not isinstance(GAME.setup(Wishes(2, "umpire", fields), SeededChance(1)), Refusal)


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
    assert answer.detail["card"] == "TB"


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


# --- what others see ---


@given(seed=st.integers(0, 10**6), seat=st.sampled_from([None, 1, 2, 3]))
def test_nobody_sees_the_deck_or_another_hand(seed: int, seat: int | None) -> None:
    """Whatever the hidden cards are, what a seat is shown is the same."""
    state = begun(3, seed=seed)
    hidden = [card for other, hand in state.hands.items() if other != seat for card in hand] + list(
        state.deck
    )
    turned = hidden[::-1]
    hands = dict(state.hands)
    for other in state.seats:
        if other != seat:
            hands[other], turned = tuple(turned[:4]), turned[4:]
    another = replaced(state, hands=hands, deck=tuple(turned))
    assert GAME.faults(another) == []
    assert GAME.view(state, seat) == GAME.view(another, seat)
    assert GAME.score(state) == GAME.score(another)


def test_the_start_is_shown_without_the_decks_order() -> None:
    setup = GAME.setup(Wishes(2, "umpire", {}), SeededChance(1))
    start = Action("start", None, {"game": "derailed", "setup": setup})
    for seat in (None, 1, 2):
        shown = GAME.seen(begun(2), start, seat)
        assert "deck" not in shown.data["setup"]
        assert shown.data["setup"]["starts"]


def test_a_reshuffle_is_shown_without_its_order_but_new_destinations_are_open() -> None:
    state = begun(2)
    take = Action("take", 1, {"chance": {"deck": ["TB"]}, "source": {"kind": "virtual"}})
    assert GAME.seen(state, take, 1).data == {"source": {"kind": "virtual"}}
    turned = Action("round", None, {"chance": {"destinations": ["A", "B"]}, "source": {}})
    assert GAME.seen(state, turned, 2) == turned


def test_the_view_has_what_a_page_needs() -> None:
    state = grid(laid_out("AB", "BA"), a1="TR", b1="LTB")
    view = GAME.view(state, 1)
    assert view["lanes"][0] == {"lane": "a", "start": "A", "destination": "B"}
    assert (
        view["reach"] == {"1": ["a1:TR", "b1:TL", "b1:LB"], "2": ["b1:LT", "b1:TB", "a1:TR"]} or view["reach"]
    )
    assert set(view["open"]) == {"a1", "b1", "b2"}
    assert view["open"]["b2"] == sorted(view["open"]["b2"], key=view["open"]["b2"].index)
    assert GAME.view(state, None)["open"] == {}
    msgspec.json.encode(view)


# --- the scorekeeper ---


def test_the_area_is_reported_as_it_lies() -> None:
    state = begun(2, mode="scorekeeper")
    report = {"starts": ["A", "B"], "destinations": ["B", "A"]}
    state = after(state, "report", None, grid={"a1": "TR"}, **report)
    state = after(state, "report", None, grid={**STRAIGHT, "b4": "TB"})
    assert [arrival.seat for arrival in state.arrived] == [1]
    state = after(state, "turns", 1, count=2)
    assert totals(state) == {1: 4, 2: 0}
    assert refusal(state, "turns", 2, count=1).code == "not-arrived"
    assert refusal(state, "turns", 1, count=-1).code == "bad-count"
    for _ in range(3):
        state = after(state, "round")
    assert GAME.finished(state)
    assert state.endings == ("called", "called", "called")


def test_what_looks_wrong_is_remarked() -> None:
    state = begun(2, mode="scorekeeper")
    columns = {"starts": ["A", "B"], "destinations": ["A", "B"]}
    said = fact(state, "report", None, grid={"a1": "TB", "b3": "LR"}, **columns)
    assert said.data["remarks"] == [
        "more than one card is new since the last report: a1, b3",
        "joined to no company's station: b3",
        "the same company at both ends of lane a, b",
    ]
    state = after(state, "report", None, grid={"a1": "TB"})
    assert fact(state, "report", None, grid={}).data["remarks"] == ["laid earlier and gone now: a1"]


def test_what_cannot_lie_on_a_table_is_refused() -> None:
    state = begun(2, mode="scorekeeper")
    cells = dict.fromkeys(("a1", "a2", "a3", "b1", "b2"), "LTRB")
    assert refusal(state, "report", None, grid=cells).code == "too-many"
    assert refusal(state, "report", None, grid={}, starts=["A", "C"]).code == "bad-shuffle"
    with pytest.raises(NotationError, match="is not in the lanes"):
        fact(state, "report", None, grid={"c1": "TB"})


def test_each_way_to_play_has_its_own_actions() -> None:
    umpire, keeper = begun(2), begun(2, mode="scorekeeper")
    assert refusal(umpire, "report", 1, grid={}).code == "not-scorekeeper"
    assert refusal(umpire, "turns", 1, count=1).code == "not-scorekeeper"
    assert refusal(keeper, "place", 1, cell="a1", card="TB").code == "not-umpire"
    assert {action.kind for action in GAME.legal(keeper, 1)} == {"report", "round"}
    assert refusal(umpire, "fly", 1).code == "unknown-action"
    assert refusal(umpire, "place", None, cell="a1", card="TB").code == "no-seat"


# --- the table's promises ---


def test_undo_never_crosses_a_card_that_was_seen() -> None:
    assert not GAME.lasting(Action("place", 1))
    assert not GAME.lasting(Action("pass", 1))
    for kind in ("take", "discard", "round"):
        assert GAME.lasting(Action(kind, 1))


def test_a_setup_that_cannot_have_been_is_found() -> None:
    wishes = Wishes(2, "umpire", {})
    data = GAME.setup(wishes, SeededChance(1))
    assert not isinstance(data, Refusal)
    assert GAME.setup_fault(data, wishes) is None
    for change in (
        {"deck": [*data["deck"][1:], "LTRB"]},
        {"starts": ["A", "A"]},
        {"destinations": ["A", "C"]},
        {"seats": 3},
        {"options": {**data["options"], "companies": "ABC"}},
        {"options": {**data["options"], "first": 0}},
    ):
        assert GAME.setup_fault({**data, **change}, wishes) is not None, change
