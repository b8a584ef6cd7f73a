"""Drawing cards, rounds, the end and the scoring by the rules text, sentence by sentence."""

from __future__ import annotations

import pytest

from companion.core.records import replaced
from companion.game.base import Action, NoChance, Refusal
from companion.games.spike.rules.match.scoring import Final, final, places, score_route
from companion.games.spike.rules.match.state import State, with_player
from companion.games.spike.rules.moves.rail_cards import ShuffleWanted, order_fault, shuffled_for
from companion.games.spike.rules.rulebook import BOOK, TIME
from companion.table.chance import SeededChance
from tests.companion.games.spike.rules.matches import (
    BOARD,
    GAME,
    after,
    begun,
    fact,
    playing,
    refusal,
    source,
    way,
    with_contracts,
    with_network,
    with_train,
)


def draw(state: State, where: str = "deck") -> State:
    return after(state, "draw", **source(where))


def first_turn(**changes: object) -> State:
    return replaced(playing("topeka", "norfolk", "boston"), **changes)


# --- A: draw ---


def test_draw_from_the_face_up_cards_or_from_the_deck() -> None:
    state = first_turn()
    shown, top = state.shown[1], state.deck[0]
    place = {suit: number for number, suit in enumerate(BOARD.suits)}
    taken = draw(state, shown)
    assert taken.players[1].hand[place[shown]] == state.players[1].hand[place[shown]] + 1
    assert len(taken.shown) == 3
    drawn = draw(state)
    assert drawn.players[1].hand[place[top]] == state.players[1].hand[place[top]] + 1
    assert drawn.shown == state.shown


def test_draw_from_1_up_to_the_number_on_your_coal_tender() -> None:
    state = draw(first_turn())
    assert (state.turn, state.drawing) == (1, 1)
    assert after(state, "stop").turn == 2
    assert draw(state).turn == 2
    upgraded = with_train(first_turn(), 1, "topeka", power=4)
    for left in (3, 2, 1):
        upgraded = draw(upgraded)
        assert (upgraded.turn, upgraded.drawing) == (1, left)
    assert draw(upgraded).turn == 2


def test_at_least_one_card_is_drawn() -> None:
    assert refusal(first_turn(), "stop").code == "not-drawing"


def test_the_face_up_cards_are_refilled_to_four_once_all_cards_are_taken() -> None:
    state = first_turn()
    state = draw(state, state.shown[0])
    assert len(state.shown) == 3
    state = draw(state, state.shown[0])
    assert len(state.shown) == 4


def test_what_is_not_there_cannot_be_drawn() -> None:
    state = first_turn(shown=("red", "red", "red", "blue"))
    answer = refusal(state, "draw", **source("green"))
    assert answer.code == "not-shown"
    assert "(red, red, red, blue)" in answer.message


# --- rounds and time cards ---


def near_the_end_of(round_: int, deck: int = 1) -> State:
    """So many cards left in the deck; the rest is discarded, so that everything adds up."""
    state = first_turn(round=round_)
    left, gone = state.deck[:deck], state.deck[deck:]
    discards = tuple(list(gone).count(suit) for suit in BOARD.suits)
    return replaced(state, deck=left, discards=discards)


def test_if_you_pick_the_last_card_of_the_deck_the_next_round_begins_and_the_deck_is_reshuffled() -> None:
    state = near_the_end_of(1)
    assert GAME.faults(state) == []
    drawn = fact(state, "draw", **source("deck"))
    assert len(drawn.data["chance"]["decks"]) == 1
    after_it = GAME.apply(state, drawn)
    assert (after_it.round, len(after_it.shown)) == (2, 4)
    assert sum(after_it.discards) == 0
    assert GAME.faults(after_it) == []


def test_shuffle_any_remaining_face_up_cards_with_the_discards() -> None:
    state = near_the_end_of(1)
    order = fact(state, "draw", **source("deck")).data["chance"]["decks"][0]
    assert len(order) == sum(state.discards) + len(state.shown)


def test_a_player_who_was_still_drawing_gets_to_finish_the_draw() -> None:
    state = draw(near_the_end_of(1))
    assert (state.round, state.turn, state.drawing) == (2, 1, 1)
    held = state.players[1].held
    state = draw(state)
    assert (state.turn, state.players[1].held) == (2, held + 1)


def test_a_round_ends_also_when_the_last_card_fills_up_the_row() -> None:
    state = near_the_end_of(1)
    state = draw(state, state.shown[0])
    assert state.round == 1
    assert draw(state, state.shown[0]).round == 2


def test_when_round_3_begins_all_3_time_cards_are_in_the_lower_half_of_the_deck() -> None:
    for seed in range(20):
        state = near_the_end_of(2)
        decided = GAME.decide(state, Action("draw", 1, {"from": "deck"}), SeededChance(seed))
        assert not isinstance(decided, Refusal)
        third = GAME.apply(state, decided)
        assert (third.round, len(third.shown)) == (3, 4)
        assert third.deck.count(TIME) == 3
        half = (len(third.deck) - 3) // 2
        assert TIME not in third.deck[:half]
        assert TIME not in third.shown


def test_nobody_can_put_the_time_cards_somewhere_else_or_lose_a_card() -> None:
    state = near_the_end_of(2)
    drawn = fact(state, "draw", **source("deck"))
    (order,) = drawn.data["chance"]["decks"]
    for wrong in (
        sorted(order, key=lambda card: card != TIME),
        order[1:],
        [*order, "red"],
        ["red"] * len(order),
    ):
        if wrong != order:
            asked = Action("draw", 1, {**drawn.data, "chance": {"decks": [wrong]}})
            assert isinstance(GAME.decide(state, asked, NoChance()), Refusal)


def last_round(*deck: str, times: int = 0) -> State:
    return replaced(first_turn(round=3, times=times), deck=deck)


def test_a_time_card_is_placed_on_the_board_and_a_replacement_drawn_immediately() -> None:
    state = last_round(TIME, "red", "blue", "blue", TIME, TIME)
    held = state.players[1].held
    state = draw(state)
    assert (state.times, state.players[1].held, state.finished) == (1, held + 1, False)
    assert state.players[1].hand[list(BOARD.suits).index("red")] >= 1


def test_a_time_card_that_fills_up_the_row_is_replaced_too() -> None:
    state = last_round(TIME, "red", "blue", TIME, TIME)
    state = draw(draw(state, state.shown[0]), state.shown[1])
    assert (state.times, len(state.shown), state.finished) == (1, 4, False)
    assert TIME not in state.shown


def test_once_the_third_time_card_is_revealed_the_game_ends_immediately() -> None:
    state = last_round(TIME, "red", "blue", times=2)
    held = state.players[1].held
    state = draw(state)
    assert (state.finished, state.players[1].held) == (True, held)
    assert GAME.legal(state, 1) == []


def test_the_third_time_card_in_the_row_ends_the_game_too() -> None:
    state = last_round("red", TIME, "blue", times=2)
    state = draw(draw(state, state.shown[0]), state.shown[1])
    assert state.finished


def test_a_deck_of_nothing_but_time_cards_ends_the_game() -> None:
    assert draw(last_round(TIME, TIME, TIME)).finished


def test_so_few_cards_that_a_new_deck_is_exhausted_at_once_end_two_rounds() -> None:
    """All other cards are in people's hands."""
    state = replaced(near_the_end_of(1), discards=(0,) * 6, shown=("red", "blue"))
    drawn = fact(state, "draw", **source("deck"))
    assert len(drawn.data["chance"]["decks"]) == 2
    done = GAME.apply(state, drawn)
    assert (done.round, done.deck.count(TIME)) == (3, 3)
    assert sorted(done.shown) == ["blue", "red"]


def test_when_all_cards_are_in_peoples_hands_nothing_is_drawn_until_something_is_discarded() -> None:
    empty = first_turn(deck=(), shown=(), discards=(0,) * 6)
    assert not [action for action in GAME.legal(empty, 1) if action.kind == "draw"]
    some = replaced(empty, discards=(0, 2, 0, 0, 3, 3))
    state = draw(some)
    assert (state.round, state.players[1].held) == (2, some.players[1].held + 1)


def test_a_player_who_can_do_nothing_passes() -> None:
    state = first_turn(deck=(), shown=(), discards=(0,) * 6)
    state = with_player(state, 1, hand=(0,) * 6, held=0)
    assert [action.kind for action in GAME.legal(state, 1)] == ["pass"]
    assert after(state, "pass").turn == 2


@pytest.mark.parametrize("cards", [0, 1, 4, 5, 6, 30])
@pytest.mark.parametrize("round_", [2, 3])
def test_every_shuffle_is_one_that_could_have_been(cards: int, round_: int) -> None:
    wanted = ShuffleWanted(tuple(["red", "blue"] * 15)[:cards], round_)
    for seed in range(10):
        assert order_fault(wanted, shuffled_for(wanted, SeededChance(seed))) is None


# --- the special ending ---


def nothing_left(state: State, seat: int = 1) -> State:
    """All track placed, all contracts delivered."""
    state = with_network(state, seat, "topeka", "tulsa")
    tracks = [*state.players[seat].tracks]
    tracks += [name for name in BOARD.tracks if name not in tracks][: BOOK.tracks - len(tracks)]
    contracts = tuple(replaced(held, delivered="x") for held in state.players[seat].contracts)
    return with_player(state, seat, tracks=tuple(tracks), contracts=contracts)


def test_special_ending_each_other_player_gets_one_more_turn_and_the_game_ends() -> None:
    state = nothing_left(first_turn())
    for seat in (1, 2, 3):
        assert (state.turn, state.finished) == (seat, False)
        state = after(draw(state), "stop")
    assert state.finished


def test_no_special_ending_while_track_is_left() -> None:
    state = nothing_left(first_turn())
    state = with_player(state, 1, tracks=state.players[1].tracks[:-1])
    assert after(draw(state), "stop").last_turns is None


def test_no_special_ending_while_a_delivery_is_possible() -> None:
    state = with_contracts(nothing_left(first_turn()), 1, "pigs-1a")
    network = with_network(state, 1, "norfolk", "raleigh", "columbia", "jacksonville")
    ours = [name for name in BOARD.tracks if name not in network.players[1].tracks]
    tracks = (*network.players[1].tracks, *ours)[: BOOK.tracks]
    possible = with_player(state, 1, tracks=tracks)
    assert after(draw(possible), "stop").last_turns is None


def test_a_contract_whose_good_or_city_is_out_of_reach_is_no_delivery_option() -> None:
    state = with_contracts(nothing_left(first_turn()), 1, "fruit-1a")
    path = way("topeka", "tulsa")
    far = with_player(state, 1, tracks=tuple(path * BOOK.tracks)[: BOOK.tracks])
    assert after(draw(far), "stop").last_turns == 2


# --- scoring ---

INDIANAPOLIS = ("indianapolis", "louisville")


def test_players_reveal_their_route_cards_at_the_end_only() -> None:
    state = with_player(first_turn(), 1, money=4)
    assert {row["route"] for row in GAME.score(state)} == {0}
    done = replaced(state, phase="over")
    shown = GAME.view(done, None)["seats"]["1"]["route"]
    assert shown == state.players[1].route


def network(*cities: str) -> tuple[str, ...]:
    return with_network(first_turn(), 1, *cities).players[1].tracks


def test_the_route_counts_only_with_track_touching_the_start_city() -> None:
    card = first_turn().options.pack.routes["indianapolis"]
    reached = next(iter(card.pays))
    elsewhere = way(reached, next(iter(BOARD.cities)) if reached != "albany" else "boston")
    assert not score_route(BOARD, elsewhere, card).touched
    assert score_route(BOARD, (), card).total == 0


def test_score_the_highest_city_reached_and_one_for_every_other_connected() -> None:
    card = first_turn().options.pack.routes["indianapolis"]
    pays = sorted(card.pays, key=lambda city: card.pays[city])
    tracks: list[str] = []
    for city in pays:
        tracks += _joining("indianapolis", city)
    found = score_route(BOARD, tracks, card)
    assert (found.best, found.best_value) == (pays[-1], card.pays[pays[-1]])
    assert set(found.others) == set(pays[:-1])
    assert found.total == card.pays[pays[-1]] + 3
    assert final(BOARD, 1, 10, tuple(tracks), card).total == 10 + found.total


def _joining(start: str, end: str) -> list[str]:
    """Any tracks from one city to another, through whatever lies between."""
    came: dict[str, tuple[str, str]] = {}
    waiting = [start]
    for here in waiting:
        for one in BOARD.ways[here]:
            if one.to not in came and one.to != start:
                came[one.to] = (here, one.track)
                waiting.append(one.to)
    path = []
    while end != start:
        end, track = came[end]
        path.append(track)
    return path


def test_a_city_that_is_connected_to_another_piece_only_does_not_count() -> None:
    card = first_turn().options.pack.routes["indianapolis"]
    far = max(card.pays, key=lambda city: card.pays[city])
    apart = next(one.track for one in BOARD.ways[far])
    start = next(one.track for one in BOARD.ways["indianapolis"])
    found = score_route(BOARD, (apart, start), card)
    assert (found.touched, found.total) == (True, 0)


def ranked(*finals: Final) -> list[tuple[int, int]]:
    return [(place, one.seat) for place, one in places(finals)]


def test_whichever_player_has_the_most_money_wins() -> None:
    assert ranked(Final(1, 10, None, 9, 9), Final(2, 12, None, 3, 0)) == [(1, 2), (2, 1)]


def test_if_tied_the_player_with_the_most_connected_cities_wins() -> None:
    assert ranked(Final(1, 10, None, 4, 9), Final(2, 10, None, 5, 0)) == [(1, 2), (2, 1)]


def test_if_still_tied_whoever_has_the_most_unplayed_track_wins() -> None:
    assert ranked(Final(1, 10, None, 5, 8), Final(2, 10, None, 5, 9)) == [(1, 2), (2, 1)]


def test_full_ties_share_the_place() -> None:
    finals = (Final(1, 10, None, 5, 9), Final(2, 10, None, 5, 9), Final(3, 1, None, 5, 9))
    assert ranked(*finals) == [(1, 1), (1, 2), (3, 3)]


def test_the_scores_explain_themselves() -> None:
    state = begun(2)
    for row in GAME.score(state):
        assert row["lines"][0] == "money: $0"
        assert row["lines"][-1] == "total: $0"
