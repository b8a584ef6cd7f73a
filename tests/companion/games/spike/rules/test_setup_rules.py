"""Setup by the rules text, sentence by sentence."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec
import pytest

from companion.core.errors import GameError
from companion.core.jsontext import JsonObject
from companion.game.base import MatchRequest, NoChance, Refusal
from companion.games.spike.rules.boards.board import SHIPPED, board_called, board_text, shipped_text
from companion.games.spike.rules.boards.cards import cards_called
from companion.games.spike.rules.match.state import OPTIONS, Options, State
from companion.games.spike.rules.moves.rail_cards import spelled, suits_of
from companion.games.spike.rules.rulebook import BOOK
from companion.table.chance import SeededChance
from tests.companion.games.spike.rules.matches import BOARD, GAME, after, begun, playing, refusal, source

CARDS = cards_called("eastern-states", "eastern-states")


def rails_in_play(state: State) -> Counter[str]:
    hands = [card for player in state.players.values() for card in spelled(suits_of(state), player.hand)]
    return Counter((*state.deck, *state.shown, *hands))


def test_components() -> None:
    assert (BOOK.tracks, BOOK.rails, BOOK.time_cards, BOOK.contract_cards * BOOK.goods) == (45, 10, 3, 36)
    assert BOOK.rails * BOOK.suits == 60
    assert len(CARDS.routes) == 36
    assert len(BOARD.goods) == 12
    assert all(len(levels) == 3 for levels in BOOK.parts.values())


# 1
def test_flip_the_top_time_card_up_to_indicate_round_1() -> None:
    assert (begun().round, begun().times) == (1, 0)


# 2
def test_shuffle_the_commodity_chips_and_place_them_randomly_in_three_rows_valued_3_2_and_1() -> None:
    markets = {begun(seed=seed).market for seed in range(12)}
    assert len(markets) == 12
    for market in markets:
        assert [len(column) for column in market] == [3] * 4
        assert sorted(chip for column in market for chip in column) == sorted(BOARD.goods)
    assert BOOK.prices == (3, 2, 1)


# 3
def test_give_each_player_all_of_the_train_pieces_and_place_the_score_pawns_on_0() -> None:
    for player in begun(4).players.values():
        assert (player.pieces, player.money) == (45, 0)


# 4
@pytest.mark.parametrize(("seats", "each"), [(2, 6), (3, 4), (4, 3)])
def test_one_contract_of_each_type_is_dealt_out_equally(seats: int, each: int) -> None:
    state = begun(seats)
    names = [held.name for player in state.players.values() for held in player.contracts]
    assert sorted(CARDS.contracts[name].contract for name in names) == sorted(BOARD.goods)
    assert [len(player.contracts) for player in state.players.values()] == [each] * seats


def test_whichever_side_is_dealt_face_up_is_the_side_they_must_use() -> None:
    sides: Counter[str] = Counter()
    for seed in range(60):
        sides.update(
            held.name[-1] for player in begun(seed=seed).players.values() for held in player.contracts
        )
    assert min(sides["a"], sides["b"]) > 0.4 * sides.total()
    assert refusal(begun(), "sides", 1, turned=[]).code == "not-now"


# 5
def test_give_each_player_the_matching_cargo_tokens_and_one_delivery_marker_per_contract() -> None:
    for player in GAME.view(begun(), None)["seats"].values():
        assert all(
            not contract["aboard"] and contract["delivered"] is None for contract in player["contracts"]
        )


# 6
@pytest.mark.parametrize(("seats", "each"), [(2, 7), (3, 10), (4, 10)])
def test_with_two_players_remove_3_of_each_type_of_rail(seats: int, each: int) -> None:
    assert rails_in_play(begun(seats)) == dict.fromkeys(BOARD.suits, each)


def test_each_player_receives_five_rail_cards() -> None:
    assert [player.held for player in begun(4).players.values()] == [5, 5, 5, 5]


@pytest.mark.parametrize(("seats", "first", "right"), [(2, 1, 2), (3, 1, 3), (4, 3, 2)])
def test_the_starting_player_gives_one_rail_card_to_the_player_on_his_right(
    seats: int, first: int, right: int
) -> None:
    state = begun(seats, first=first)
    card = next(suit for suit, n in zip(suits_of(state), state.players[first].hand, strict=True) if n)
    done = after(state, "give", first, card=card)
    held = {seat: player.held for seat, player in done.players.items()}
    assert held == {seat: 5 + (seat == right) - (seat == first) for seat in held}
    place = suits_of(state).index(card)
    assert done.players[right].hand[place] == state.players[right].hand[place] + 1


def test_only_the_starting_player_gives_and_only_what_he_has() -> None:
    state = begun(first=2)
    assert refusal(state, "give", 1, card="red").code == "not-now"
    assert refusal(state, "give", 2, card="pink").code == "not-in-hand"
    missing = next(suit for suit, n in zip(suits_of(state), state.players[2].hand, strict=True) if not n)
    assert refusal(state, "give", 2, card=missing).code == "not-in-hand"


def test_players_play_in_clockwise_order_beginning_with_the_starting_player() -> None:
    state = begun(3, first=2)
    state = GAME.apply(state, GAME.legal(state, 2)[0])
    for seat in (2, 3, 1):
        assert state.turn == seat
        state = after(state, "place", seat, city="topeka")
    assert (state.phase, state.turn) == ("play", 2)
    state = after(state, "draw", 2, **source("deck"))
    assert after(state, "stop", 2).turn == 3


def test_chance_chooses_a_player_to_go_first_unless_one_is_named() -> None:
    assert {begun(4, seed=seed).first for seed in range(30)} == {1, 2, 3, 4}
    assert {begun(4, seed=seed, first=3).first for seed in range(5)} == {3}


# 7
def test_deal_four_rail_cards_face_up_the_remainder_is_the_draw_deck() -> None:
    state = begun(4)
    assert len(state.shown) == 4
    assert len(state.deck) == 60 - 20 - 4


# 8
def test_deal_one_route_card_face_down_to_each_player() -> None:
    state = begun(4)
    routes = [player.route for player in state.players.values()]
    assert len(set(routes)) == 4
    assert set(routes) <= set(CARDS.routes)
    assert all(player["route"] is None for player in GAME.view(state, 1)["seats"].values())


def test_the_route_is_seen_by_its_owner_once_the_card_to_the_right_is_given() -> None:
    state = begun(3, first=1)
    assert GAME.view(state, 2)["own_route"] is None
    state = GAME.apply(state, GAME.legal(state, 1)[0])
    assert GAME.view(state, 2)["own_route"]["start"] == state.players[2].route


# 9
def test_each_player_places_his_locomotive_in_a_city_of_his_choice_in_clockwise_turn_order() -> None:
    state = begun(3, first=1)
    state = GAME.apply(state, GAME.legal(state, 1)[0])
    assert refusal(state, "place", 2, city="topeka").code == "not-your-turn"
    assert {action.data["city"] for action in GAME.legal(state, 1)} == set(BOARD.cities)
    assert [GAME.legal(state, seat) for seat in (2, 3)] == [[], []]


def test_two_or_more_locomotives_may_be_in_the_same_city() -> None:
    state = playing("topeka", "topeka", "topeka")
    assert [player.train and player.train.at for player in state.players.values()] == ["topeka"] * 3


# 10
def test_the_starting_train_has_one_arrow_two_cards_and_one_freight_car() -> None:
    train = playing("topeka", "norfolk").players[1].train
    assert train is not None
    assert (train.speed, train.power, train.cargo, train.aboard) == (1, 2, 1, ())


# --- advanced play ---


def test_players_select_which_side_of_each_contract_to_use() -> None:
    state = begun(2, play="advanced")
    own = [held.name for held in state.players[2].contracts]
    state = after(state, "sides", 2, turned=own[:2])
    after_names = [held.name for held in state.players[2].contracts]
    assert [a != b for a, b in zip(own, after_names, strict=True)] == [True, True, False, False, False, False]
    assert [CARDS.contracts[a].turned for a in own[:2]] == after_names[:2]
    assert refusal(state, "sides", 2, turned=[]).code == "done"
    assert refusal(state, "sides", 1, turned=[own[2]]).code == "not-yours"


def test_deal_two_routes_and_allow_players_to_select_one() -> None:
    state = begun(2, play="advanced", first=1)
    for seat in (1, 2):
        state = after(state, "sides", seat)
    state = GAME.apply(state, GAME.legal(state, 1)[0])
    assert state.phase == "routes"
    offered = state.players[1].offered
    assert len(offered) == 2
    other = state.players[2].offered[0]
    assert refusal(state, "route", 1, card=other).code == "not-yours"
    state = after(state, "route", 1, card=offered[1])
    assert (state.players[1].route, state.players[1].offered) == (offered[1], ())
    state = after(state, "route", 2, card=other)
    assert state.phase == "place"


# --- the options and the stored setup ---


def test_every_option_is_listed_with_its_default() -> None:
    fields = {field.name: field.default for field in msgspec.structs.fields(Options)}
    usual = {option.name: option.default for option in OPTIONS}
    assert fields == usual | {"board": SHIPPED[0], "cards": SHIPPED[0]}
    assert (usual["board"], usual["cards"]) == ("", "")
    assert begun(2, **usual).options == begun(2).options


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"first": 3}, "seat 3 cannot begin"),
        ({"board": "{"}, "the board file, line 1"),
        ({"board": "atlantis"}, "there is no board"),
        ({"colour": 3}, "is not known here"),
        ({"segments": "some"}, "none of the possible values"),
    ],
)
def test_options_that_cannot_be(options: JsonObject, said: str) -> None:
    assert said in complaint(options)


def complaint(options: JsonObject) -> str:
    try:
        answer = GAME.setup(MatchRequest(2, "umpire", options), SeededChance(1))
    except GameError as problem:
        return problem.message
    return answer.message if isinstance(answer, Refusal) else "accepted"


def swapped(data: JsonObject, **changes: Any) -> JsonObject:
    return {**data, **changes}


def test_a_stored_setup_is_only_accepted_if_it_could_have_been_dealt() -> None:
    data = GAME.setup(MatchRequest(3), SeededChance(1))
    assert not isinstance(data, Refusal)
    assert GAME.setup_fault(data, MatchRequest(3)) is None
    for wrong in (
        swapped(data, rails=data["rails"][1:]),
        swapped(data, rails=["red", *data["rails"][1:-1], "time"]),
        swapped(data, market=[data["market"][0], *data["market"][:3]]),
        swapped(data, market=data["market"][:3]),
        swapped(data, contracts=[*data["contracts"][:-1], data["contracts"][0]]),
        swapped(data, routes=data["routes"][::-1][1:]),
        swapped(data, first=4),
        swapped(data, seats=4),
        swapped(data, mode="scorekeeper"),
    ):
        assert GAME.setup_fault(wrong, MatchRequest(3)) is not None


def test_an_owners_board_and_cards_are_in_the_event_so_that_a_replay_needs_no_file() -> None:
    board, cards = board_text("eastern-states"), shipped_text("eastern-states", "cards")
    own_title = board.replace('"Eastern States"', '"At home"')
    data = GAME.setup(MatchRequest(2, "umpire", {"board": own_title, "cards": cards}), SeededChance(1))
    assert not isinstance(data, Refusal)
    state = GAME.start(data)
    assert state.options.on.heading.board == "At home"
    assert GAME.view(state, None)["options"]["board"] == "own"
    assert GAME.decide(state, GAME.legal(state, state.first)[0], NoChance())
    assert board_called(own_title) is state.options.on
