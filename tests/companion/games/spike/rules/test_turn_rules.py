"""Movement, cargo and the five actions by the rules text, sentence by sentence."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.records import replaced
from companion.games.spike.rules.match.actions import SCOREKEEPER, UMPIRE
from companion.games.spike.rules.match.state import Held, State, with_player
from companion.games.spike.rules.moves.builds import connected_cities
from companion.games.spike.rules.moves.market import price
from companion.games.spike.rules.rulebook import BOOK
from companion.table.match import TABLE_KINDS
from tests.companion.games.spike.rules.matches import (
    BOARD,
    GAME,
    after,
    fact,
    playing,
    refusal,
    source,
    way,
    with_cards_for,
    with_contracts,
    with_hand,
    with_network,
    with_train,
)


def kinds(state: State) -> set[str]:
    return {action.kind for action in GAME.legal(state, state.turn)}


def to(state: State, kind: str) -> set[str]:
    return {action.data["to"] for action in GAME.legal(state, state.turn) if action.kind == kind}


def at(state: State, seat: int = 1) -> str:
    train = state.players[seat].train
    assert train is not None
    return train.at


# --- train movement ---

TO_TULSA = way("topeka", "tulsa")


def on_the_line(place: int, speed: int = 1, *more: str) -> State:
    """Seat 1's train on the way from Topeka to Tulsa."""
    state = with_network(playing("topeka", "norfolk"), 1, "topeka", "tulsa", *more)
    return with_train(state, 1, TO_TULSA[place], speed=speed)


def test_a_train_in_motion_may_make_a_free_movement_that_is_no_action() -> None:
    state = after(on_the_line(0), "move", to=TO_TULSA[1])
    assert (at(state), state.turn, state.acted) == (TO_TULSA[1], 1, False)
    assert refusal(state, "move", to=TO_TULSA[2]).code == "moved"
    assert "draw" in kinds(state)


def test_the_free_movement_comes_before_the_action() -> None:
    state = after(on_the_line(0), "draw", **source("deck"))
    assert refusal(state, "move", to=TO_TULSA[1]).code == "acted"


@pytest.mark.parametrize("speed", [1, 2, 3])
def test_how_far_is_based_on_the_speed_one_piece_of_track_or_a_city_is_one_space(speed: int) -> None:
    state = on_the_line(0, speed)
    ahead = [*TO_TULSA[1:], "tulsa"]
    assert set(ahead[:speed]) <= to(state, "move")
    assert not set(ahead[speed:]) & to(state, "move")
    if speed < len(ahead):
        assert refusal(state, "move", to=ahead[speed]).code == "too-far"


def test_from_zero_spaces_idling_is_allowed() -> None:
    state = after(on_the_line(0), "draw", **source("deck"))
    assert at(state) == TO_TULSA[0]


def test_you_may_move_your_train_on_your_tracks_only() -> None:
    state = with_network(on_the_line(0), 2, "topeka", "des-moines")
    reached = to(with_train(state, 1, "topeka"), "motion")
    assert reached == {TO_TULSA[0]}
    assert refusal(state, "move", to=way("topeka", "des-moines")[0]).code == "too-far"


def test_the_train_stops_in_a_city() -> None:
    state = on_the_line(len(TO_TULSA) - 1, 3)
    assert "tulsa" in to(state, "move")
    state = after(state, "move", to="tulsa")
    assert to(state, "move") == set()
    assert refusal(state, "boost", to=TO_TULSA[-1]).code == "standing"


def test_it_must_be_restarted_on_this_or_a_subsequent_turn_by_the_set_in_motion_action() -> None:
    state = after(on_the_line(len(TO_TULSA) - 1), "move", to="tulsa")
    assert TO_TULSA[-1] in to(state, "motion")
    moved = after(state, "motion", to=TO_TULSA[-1])
    assert (at(moved), moved.turn) == (TO_TULSA[-1], 2)


def skipping(**options: Any) -> State:
    """A train just before Tulsa, with track beyond it."""
    path = way("topeka", "tulsa")
    state = playing("topeka", "norfolk", **options)
    state = with_network(state, 1, "topeka", "tulsa", "little-rock")
    return with_train(state, 1, path[-1], speed=1)


def test_a_player_may_skip_a_city_and_move_past_it_to_the_next_track() -> None:
    beyond = next(track for track in way("tulsa", "little-rock"))
    assert beyond in to(skipping(), "move")
    assert beyond in to(skipping(), "boost")
    state = after(skipping(), "move", to=beyond)
    assert at(state) == beyond


def test_skipping_needs_a_next_track() -> None:
    state = on_the_line(len(TO_TULSA) - 1)
    assert to(state, "move") == {TO_TULSA[-2], "tulsa"}


def test_option_a_skipped_city_counts_as_a_space() -> None:
    beyond = way("tulsa", "little-rock")[0]
    state = skipping(skipped_city="counts")
    assert beyond not in to(state, "move")
    assert beyond in to(with_train(state, 1, at(state), speed=2), "move")


def test_a_train_that_starts_its_turn_in_a_city_must_use_a_movement_action() -> None:
    state = with_network(playing("topeka", "norfolk"), 1, "topeka", "tulsa")
    assert to(state, "move") == set()
    assert refusal(state, "move", to=TO_TULSA[0]).code == "standing"


# --- loading ---


def loaded_in(city: str, *contracts: str, **parts: Any) -> State:
    state = with_contracts(playing(city, "albany"), 1, *contracts)
    return with_train(state, 1, city, **parts)


def test_each_city_has_the_only_type_of_cargo_that_can_be_picked_up_there() -> None:
    state = loaded_in("norfolk", "pigs-1a", "coal-1a")
    assert [action.data for action in GAME.legal(state, 1) if action.kind == "load"] == [{"good": "pigs"}]
    assert refusal(state, "load", good="coal").code == "not-supplied"


def test_load_one_of_your_cargo_tokens_onto_an_empty_freight_car() -> None:
    state = after(loaded_in("norfolk", "pigs-1a"), "load", good="pigs")
    train = state.players[1].train
    assert train is not None
    assert train.aboard == ("pigs",)
    assert refusal(state, "load", good="pigs").code == "no-token"
    assert state.turn == 1


def test_only_ones_own_contracts_have_tokens() -> None:
    assert refusal(loaded_in("norfolk", "coal-1a"), "load", good="pigs").code == "no-contract"


def test_at_any_time_before_leaving() -> None:
    state = after(loaded_in("norfolk", "pigs-1a"), "load", good="pigs")
    state = with_network(state, 1, "norfolk", "raleigh")
    moved = after(state, "motion", to=way("norfolk", "raleigh")[0])
    assert refusal(with_train(with_turn(moved, 1), 1, at(moved)), "load", good="pigs").code == "not-in-city"


def with_turn(state: State, seat: int) -> State:
    return replaced(state, turn=seat, acted=False, moved=False)


def test_the_freight_cars_limit_how_much_cargo_the_train_can_carry() -> None:
    state = loaded_in("norfolk", "pigs-1a", "coal-1a", aboard=("coal",))
    assert refusal(state, "load", good="pigs").code == "full"
    after(with_train(state, 1, "norfolk", cargo=2), "load", good="pigs")


def test_you_may_dump_cargo_to_make_room_it_gets_placed_back_onto_the_contract() -> None:
    state = loaded_in("norfolk", "pigs-1a", "coal-1a", aboard=("coal",))
    state = after(state, "dump", good="coal")
    train = state.players[1].train
    assert train is not None
    assert train.aboard == ()
    assert state.players[1].contracts[1].delivered is None
    state = after(state, "load", good="pigs")


def test_dumping_is_for_making_room() -> None:
    assert refusal(loaded_in("norfolk", "coal-1a", aboard=("coal",)), "dump", good="coal").code == "no-need"
    assert refusal(loaded_in("norfolk", "coal-1a"), "dump", good="coal").code == "not-aboard"


# --- delivery ---


def arriving(city: str = "memphis", contract: str = "pigs-1b") -> State:
    return loaded_in(city, contract, aboard=("pigs",))


def test_the_contract_shows_the_money_for_delivering_a_commodity_to_a_city() -> None:
    state = after(arriving(), "deliver", good="pigs")
    assert state.players[1].money == state.options.pack.contracts["pigs-1b"].pays["memphis"]


def test_you_may_immediately_deliver_it_before_the_action_and_the_turn_goes_on() -> None:
    state = after(arriving(), "deliver", good="pigs")
    assert (state.turn, state.acted) == (1, False)


def test_delivery_after_a_movement_action_ends_the_turn() -> None:
    path = way("nashville", "memphis")
    state = with_contracts(playing("nashville", "albany"), 1, "pigs-1b")
    state = with_network(state, 1, "nashville", "memphis")
    state = with_train(state, 1, path[-1], aboard=("pigs",))
    state = after(state, "boost", to="memphis")
    assert (state.turn, kinds(state)) == (1, {"deliver", "finish"})
    assert after(state, "deliver", good="pigs").turn == 2
    assert after(state, "finish").turn == 2


def test_only_one_city_on_that_contract_is_scored() -> None:
    state = after(arriving(), "deliver", good="pigs")
    assert state.players[1].contracts == (Held("pigs-1b", "memphis"),)
    again = with_train(state, 1, "boston", aboard=("pigs",))
    assert refusal(again, "deliver", good="pigs").code == "not-named"


def test_the_cargo_token_goes_back_to_the_supply() -> None:
    state = with_train(after(arriving(), "deliver", good="pigs"), 1, "norfolk")
    assert refusal(state, "load", good="pigs").code == "no-token"


def test_a_city_that_the_contract_does_not_name_takes_nothing() -> None:
    assert refusal(arriving("columbus"), "deliver", good="pigs").code == "not-named"
    assert refusal(arriving("columbus"), "deliver", good="coal").code == "not-aboard"


def test_each_player_may_only_deliver_one_cargo_to_any_given_city() -> None:
    state = loaded_in("boston", "pigs-1a", "coal-2b", cargo=2, aboard=("pigs", "coal"))
    state = after(state, "deliver", good="pigs")
    assert refusal(state, "deliver", good="coal").code == "one-a-city"


def test_other_players_can_still_deliver_to_that_city() -> None:
    state = loaded_in("boston", "pigs-1a", aboard=("pigs",))
    state = after(state, "deliver", good="pigs")
    state = with_turn(with_train(with_contracts(state, 2, "coal-2b"), 2, "boston", aboard=("coal",)), 2)
    after(state, "deliver", 2, good="coal")


# --- the turn ---


def test_you_must_do_one_action_and_only_one() -> None:
    state = playing("topeka", "norfolk")
    assert refusal(state, "finish").code == "no-action"
    assert refusal(state, "pass").code == "not-needed"
    drawing = after(state, "draw", **source("deck"))
    assert refusal(drawing, "upgrade", part="speed").code == "acted"
    assert refusal(state, "draw", 2, **source("deck")).code == "not-your-turn"


def test_the_five_actions() -> None:
    state = with_network(playing("topeka", "norfolk"), 1, "topeka", "tulsa")
    state = with_player(with_cards_for(state, 1, way("tulsa", "dallas")), 1, money=3)
    assert {"draw", "build", "motion", "upgrade"} <= kinds(state)
    assert {"draw", "build", "boost", "upgrade"} <= kinds(with_train(state, 1, TO_TULSA[0]))


# --- B: build ---


def building(path: list[str], *cities: str) -> State:
    return with_cards_for(playing(*(cities or ("topeka", "norfolk"))), 1, path)


def test_use_the_rail_cards_in_your_hand_to_place_tracks() -> None:
    state = after(building(TO_TULSA), "build", path=TO_TULSA)
    assert state.players[1].tracks == tuple(TO_TULSA)
    assert sum(state.players[1].hand) == 0
    assert state.players[1].pieces == BOOK.tracks - len(TO_TULSA)


def test_cards_used_in_this_way_are_discarded() -> None:
    state = building(TO_TULSA)
    done = after(state, "build", path=TO_TULSA)
    assert done.discards == state.players[1].hand


def test_tracks_are_only_laid_directly_connected_to_your_personal_network() -> None:
    path = way("memphis", "little-rock")
    assert refusal(building(path), "build", path=path).code == "not-connected"


def test_at_the_beginning_the_network_is_the_location_of_the_train() -> None:
    state = building(TO_TULSA)
    starts = {action.data["path"][0] for action in GAME.legal(state, 1) if action.kind == "build"}
    assert starts <= {way_.track for way_ in BOARD.ways["topeka"]}


def test_you_must_always_make_a_complete_connection_to_a_new_city() -> None:
    short = TO_TULSA[:-1]
    assert refusal(building(short), "build", path=short).code == "no-city"


def test_you_may_branch_off_of_any_city_or_junction_touched_by_your_track() -> None:
    state = with_network(playing("topeka", "norfolk"), 1, "topeka", "tulsa")
    junctions = {end for track in TO_TULSA for end in BOARD.tracks[track].track} & set(BOARD.points)
    state = with_hand(state, 1, **dict.fromkeys(BOARD.suits, 4))
    starts = {action.data["path"][0] for action in GAME.legal(state, 1) if action.kind == "build"}
    branches = {one.track for junction in junctions for one in BOARD.ways[junction]} - set(TO_TULSA)
    assert branches & starts
    assert {one.track for one in BOARD.ways["tulsa"]} & starts


def test_illegal_build_cannot_branch_off_another_players_track() -> None:
    state = with_network(playing("topeka", "norfolk"), 2, "norfolk", "raleigh")
    path = way("raleigh", "columbia")
    answer = refusal(with_cards_for(state, 1, path), "build", path=path)
    assert (answer.code, "another player's track" in answer.message) == ("not-connected", True)


def test_track_is_not_laid_where_track_lies() -> None:
    state = with_network(building(TO_TULSA), 2, "topeka", "tulsa")
    answer = refusal(state, "build", path=TO_TULSA)
    assert (answer.code, answer.detail) == ("taken", {"tracks": [TO_TULSA[0]]})


def test_option_segments_may_be_shared() -> None:
    state = with_cards_for(playing("topeka", "norfolk", segments="shared"), 1, TO_TULSA)
    after(with_network(state, 2, "topeka", "tulsa"), "build", path=TO_TULSA)


def test_one_build_connects_one_new_city_unless_the_option_allows_several() -> None:
    path = [*TO_TULSA, *way("tulsa", "dallas")]
    assert refusal(building(path), "build", path=path).code == "too-far"
    state = with_cards_for(playing("topeka", "norfolk", reach="several"), 1, path)
    done = after(state, "build", path=path)
    assert set(connected_cities(BOARD, done.players[1])) == {"topeka", "tulsa", "dallas"}


def test_a_city_one_has_is_no_new_city_unless_the_option_allows_it() -> None:
    def ring(**options: Any) -> tuple[State, list[str]]:
        state = with_network(playing("topeka", "norfolk", **options), 1, "topeka", "tulsa")
        ends = {end for track in TO_TULSA for end in BOARD.tracks[track].track} - {"topeka", "tulsa"}
        closed = [one.track for junction in ends for one in BOARD.ways[junction]]
        back = way("topeka", "tulsa", closed=tuple(closed))
        return with_cards_for(state, 1, back), back

    state, back = ring()
    assert refusal(state, "build", path=back).code == "not-new"
    state, back = ring(rejoin="yes")
    done = after(state, "build", path=back)
    assert done.players[1].money == 0
    assert done.market == state.market


def test_players_who_have_run_out_of_tracks_cannot_build() -> None:
    state = with_player(building(TO_TULSA), 1, tracks=tuple(list(BOARD.tracks)[: BOOK.tracks]))
    assert refusal(state, "build", path=TO_TULSA).code == "no-pieces"
    assert "build" not in kinds(state)


def test_each_card_must_match_the_colour_of_the_track() -> None:
    wrong = dict.fromkeys(BOARD.suits, 0) | {"yellow": len(TO_TULSA)}
    state = with_hand(playing("topeka", "norfolk"), 1, yellow=len(TO_TULSA))
    assert refusal(state, "build", path=TO_TULSA, cards=wrong).code == "wrong-cards"
    assert refusal(state, "build", path=TO_TULSA).code == "cannot-pay"


def test_the_tracks_are_said_in_their_order_and_once() -> None:
    assert refusal(building(TO_TULSA), "build", path=[TO_TULSA[0], TO_TULSA[2]]).code == "gap"
    assert refusal(building(TO_TULSA), "build", path=[TO_TULSA[0], TO_TULSA[0]]).code == "twice"
    assert refusal(building(TO_TULSA), "build", path=[]).code == "no-track"


# --- wild ---


def tulsa_lacking(suit: str, **cards: int) -> State:
    """Everything for Tulsa but one card of a suit, and these cards more."""
    state = building(TO_TULSA)
    hand = dict(zip(BOARD.suits, state.players[1].hand, strict=True))
    hand[suit] -= 1
    for more, count in cards.items():
        hand[more] += count
    return with_hand(state, 1, **hand)


NEEDED = next(BOARD.tracks[track].suit for track in TO_TULSA)
SPARE = next(suit for suit in BOARD.suits if suit not in {BOARD.tracks[track].suit for track in TO_TULSA})


def test_2_cards_of_one_suit_are_1_card_of_the_type_of_your_choice() -> None:
    state = after(tulsa_lacking(NEEDED, **{SPARE: 2}), "build", path=TO_TULSA)
    assert sum(state.players[1].hand) == 0
    assert sum(state.discards) == len(TO_TULSA) + 1


def test_one_card_is_no_set() -> None:
    assert refusal(tulsa_lacking(NEEDED, **{SPARE: 1}), "build", path=TO_TULSA).code == "cannot-pay"


def test_3_cards_of_one_suit_are_2_cards_of_one_other_type() -> None:
    path = way("memphis", "nashville")  # two green ones among them
    suits = [BOARD.tracks[track].suit for track in path]
    double = max(set(suits), key=suits.count)
    assert suits.count(double) == 2
    state = building(path, "memphis", "norfolk")
    hand = dict(zip(BOARD.suits, state.players[1].hand, strict=True))
    spare = next(suit for suit in BOARD.suits if not hand[suit])
    hand |= {double: 0, spare: 3}
    after(with_hand(state, 1, **hand), "build", path=path)
    assert refusal(with_hand(state, 1, **(hand | {spare: 2})), "build", path=path).code == "cannot-pay"


def test_you_may_trade_in_multiple_wild_sets_in_one_turn() -> None:
    path = way("norfolk", "raleigh")
    others = [suit for suit in BOARD.suits if suit not in {BOARD.tracks[track].suit for track in path}]
    state = with_hand(playing("norfolk", "topeka"), 1, **{others[0]: 2, others[1]: 2})
    done = after(state, "build", path=path)
    assert sum(done.players[1].hand) == 0


def test_the_cards_can_be_chosen_and_must_be_in_the_hand() -> None:
    state = tulsa_lacking(NEEDED, **{SPARE: 2, "white": 3})
    need = {BOARD.tracks[track].suit: 1 for track in TO_TULSA}
    chosen = {**need, NEEDED: need[NEEDED] - 1, SPARE: 2}
    assert fact(state, "build", path=TO_TULSA, cards=chosen).data["cards"] == {
        k: v for k, v in chosen.items() if v
    }
    assert refusal(state, "build", path=TO_TULSA, cards=chosen | {SPARE: 3}).code == "not-in-hand"
    assert refusal(state, "build", path=TO_TULSA, cards={"pink": 3}).code == "unknown-suit"
    wasted = chosen | {"white": chosen.get("white", 0) + 1}
    assert refusal(state, "build", path=TO_TULSA, cards=wasted).code == "wrong-cards"


# --- commodity scoring ---


def test_score_the_value_of_the_commodity_of_the_new_city() -> None:
    state = building(TO_TULSA)
    worth = price(state.market, BOARD.cities["tulsa"].good)
    done = after(state, "build", path=TO_TULSA)
    assert done.players[1].money == worth
    assert worth in {1, 2, 3}


@pytest.mark.parametrize("row", [0, 1, 2])
def test_the_chip_moves_down_to_the_1_row_and_the_others_of_the_column_move_up(row: int) -> None:
    good = BOARD.cities["tulsa"].good
    others = [chip for chip in BOARD.goods if chip != good]
    column = [*others[:row], good, *others[row:2]]
    rest = others[2:]
    market = (tuple(column), tuple(rest[:3]), tuple(rest[3:6]), tuple(rest[6:]))
    done = after(replaced(building(TO_TULSA), market=market), "build", path=TO_TULSA)
    assert done.market[0] == (*others[:2], good)
    assert done.market[1:] == market[1:]
    assert done.players[1].money == 3 - row


# --- C, D ---


def test_set_in_motion_moves_as_many_rails_as_the_speed() -> None:
    state = with_network(playing("topeka", "norfolk"), 1, "topeka", "tulsa")
    assert to(with_train(state, 1, "topeka", speed=2), "motion") == {TO_TULSA[0], TO_TULSA[1]}
    assert refusal(on_the_line(0), "motion", to=TO_TULSA[1]).code == "moving"


def test_a_boost_is_exactly_one_space_regardless_of_speed() -> None:
    state = on_the_line(1, 3)
    assert to(state, "boost") == {TO_TULSA[0], TO_TULSA[2]}
    assert refusal(state, "boost", to=TO_TULSA[3]).code == "too-far"
    assert after(state, "boost", to=TO_TULSA[2]).turn == 2


def test_a_boost_after_the_free_movement_in_the_same_turn() -> None:
    state = after(on_the_line(0), "move", to=TO_TULSA[1])
    assert at(after(state, "boost", to=TO_TULSA[2])) == TO_TULSA[2]


# --- E ---


def rich(money: int = 20) -> State:
    return with_player(playing("topeka", "norfolk"), 1, money=money)


@pytest.mark.parametrize("part", ["speed", "power", "cargo"])
def test_the_first_upgrade_costs_3_the_second_5(part: str) -> None:
    state = after(rich(), "upgrade", part=part)
    assert (state.players[1].money, state.turn) == (17, 2)
    state = after(with_turn(state, 1), "upgrade", part=part)
    assert state.players[1].money == 12
    train = state.players[1].train
    assert getattr(train, part) == BOOK.parts[part][2]  # type: ignore[index]
    assert refusal(with_turn(state, 1), "upgrade", part=part).code == "fully-upgraded"


def test_the_second_upgrade_of_another_part_costs_3_again() -> None:
    state = after(with_turn(after(rich(), "upgrade", part="speed"), 1), "upgrade", part="power")
    assert state.players[1].money == 14


def test_an_upgrade_needs_the_money() -> None:
    assert refusal(rich(2), "upgrade", part="speed").code == "no-money"
    assert "upgrade" not in kinds(rich(2))
    assert refusal(rich(), "upgrade", part="whistle").code == "unknown-part"


def test_only_one_item_per_turn_and_one_level() -> None:
    assert after(rich(), "upgrade", part="cargo").turn == 2


def test_no_action_has_a_name_that_the_table_uses_itself() -> None:
    assert not set(TABLE_KINDS) & {*UMPIRE, *SCOREKEEPER}
