"""Components and setup, sentence by sentence."""

from __future__ import annotations

from collections import Counter

import pytest

from companion.core.errors import NotationError
from companion.game.base import Fact, MatchRequest, Refusal
from companion.games.empire_builder.rules.cards.events import EVENTS
from companion.games.empire_builder.rules.match.setup import _first_player
from companion.games.empire_builder.rules.match.state import is_event, supply
from companion.games.empire_builder.rules.rulebook import RULES
from companion.sheets.decks import Cards
from companion.table.chance import SeededChance
from tests.companion.games.empire_builder.rules.tables import BOARD, GAME, begun


def setup_of(seats: int = 3, seed: int = 1) -> dict[str, object]:
    data = GAME.setup(MatchRequest(seats), SeededChance(seed))
    assert not isinstance(data, Refusal)
    return data


def test_the_board_depicts_the_us_canada_and_mexico_with_a_grid_of_mileposts() -> None:
    assert set(BOARD.country) == {"USA", "CAN", "MEX"}
    assert not begun().track


def test_six_players_one_colour_each() -> None:
    assert GAME.seats == (2, 6)


def test_100_load_chips_of_which_4_oil_and_3_wheat() -> None:
    assert sum(supply(begun()).values()) == 100
    assert (supply(begun())["oil"], supply(begun())["wheat"]) == (4, 3)


def test_136_demand_cards_and_20_event_cards() -> None:
    assert len(begun().cards) == 136
    assert len(EVENTS) == 20


def test_locomotive_cards_of_four_kinds() -> None:
    sides = {kind: (train.speed, train.loads) for kind, train in RULES.trains.items()}
    assert sides == {"freight": (9, 2), "fast": (12, 2), "heavy": (9, 3), "super": (12, 3)}


def test_each_player_receives_50_million_and_a_freight() -> None:
    for player in begun(6).players.values():
        assert (player.cash, player.train.kind) == (50, "freight")


def test_shuffle_all_demand_and_event_cards_together_into_a_draw_deck() -> None:
    state = begun(4)
    hands = [card for player in state.players.values() for card in player.hand]
    assert Counter([*state.deck, *hands]) == Counter([*state.cards, *EVENTS])
    assert begun(4, seed=1).deck != begun(4, seed=2).deck


def test_deal_3_demand_cards_face_up_to_each_player() -> None:
    state = begun(6)
    assert all(len(player.hand) == 3 for player in state.players.values())
    view = GAME.view(state, None)
    assert [len(view["players"][str(seat)]["hand"]) for seat in range(1, 7)] == [3] * 6


def test_replace_any_event_cards_drawn_until_each_player_has_3_demand_cards() -> None:
    for seed in range(30):
        assert not any(is_event(card) for player in begun(6, seed).players.values() for card in player.hand)


def test_reshuffle_discarded_event_cards_back_into_the_draw_deck() -> None:
    for seed in range(30):
        state = begun(6, seed)
        assert sum(map(is_event, state.deck)) == 20
        assert not state.discards


def test_the_player_with_the_highest_single_payout_goes_first() -> None:
    for seed in range(30):
        data = GAME.setup(MatchRequest(4), SeededChance(seed))
        assert not isinstance(data, Refusal)
        state = GAME.start(data)
        best = {
            seat: max(state.cards[card].best for card in player.hand)
            for seat, player in state.players.items()
        }
        assert best[state.seat] == max(best.values())


def test_tiebreakers_go_to_the_next_highest_payout_and_then_to_chance() -> None:
    cards = begun().cards
    same: dict[int, Cards] = {1: ("1", "2", "3"), 2: ("1", "2", "3")}
    firsts = {_first_player(cards, same, SeededChance(seed)) for seed in range(20)}
    assert firsts == {1, 2}
    by_best = sorted(cards, key=lambda card: cards[card].payouts())
    tied: dict[int, Cards] = {
        1: (by_best[-1], by_best[0], by_best[1]),
        2: (by_best[-1], by_best[2], by_best[-2]),
    }
    assert _first_player(cards, tied, SeededChance(1)) == 2


def test_the_order_of_the_deck_is_shown_to_nobody() -> None:
    start = Fact("start", None, {"game": "empire-builder", "setup": setup_of()})
    for seat in (None, 1):
        assert "deck" not in GAME.seen(begun(), start, seat).data["setup"]
    assert "deck" not in str(GAME.view(begun(), 1).keys()) or GAME.view(begun(), 1)["deck"] == 147 + 3


@pytest.mark.parametrize("mode", ["umpire", "scorekeeper"])
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_a_stored_setup_is_what_the_rules_make(mode: str, seats: int) -> None:
    wishes = MatchRequest(seats, mode)  # type: ignore[arg-type]
    data = GAME.setup(wishes, SeededChance(3))
    assert not isinstance(data, Refusal)
    assert GAME.setup_fault(data, wishes) is None
    fault = GAME.setup_fault({**data, "first": data["first"] % seats + 1}, wishes)
    assert (fault is None) == (mode == "scorekeeper")
    assert GAME.setup_fault(data, MatchRequest(seats % 6 + 1, mode)) is not None  # type: ignore[arg-type]


def test_a_setup_with_a_better_hand_or_another_deck_is_found_out() -> None:
    data = setup_of()
    hands = {seat: list(hand) for seat, hand in data["hands"].items()}  # type: ignore[attr-defined]
    for other in (
        {"hands": {**hands, "1": ["1", "1", "2"]}},
        {"hands": {**hands, "1": [*hands["1"], "1"]}},
        {"hands": {**hands, "1": [*hands["1"][:2], "event-tax"]}},
        {"deck": list(data["deck"])[1:]},  # type: ignore[call-overload]
        {"deck": [*list(data["deck"])[1:], "event-tax"]},  # type: ignore[call-overload]
    ):
        assert GAME.setup_fault({**data, **other}, MatchRequest(3)) is not None


def test_options_are_checked() -> None:
    assert isinstance(GAME.setup(MatchRequest(2, "umpire", {"first": 1}), SeededChance(1)), Refusal)
    assert isinstance(GAME.setup(MatchRequest(2, "scorekeeper", {"first": 3}), SeededChance(1)), Refusal)
    with pytest.raises(NotationError, match="line 1"):
        GAME.setup(MatchRequest(2, "umpire", {"map": "terrain zz1 clear"}), SeededChance(1))
    with pytest.raises(NotationError, match="line 1"):
        GAME.setup(MatchRequest(2, "umpire", {"cards": "1,Atlantis,oil,3"}), SeededChance(1))
    begins = GAME.setup(MatchRequest(3, "scorekeeper", {"first": 3}), SeededChance(1))
    assert not isinstance(begins, Refusal)
    assert GAME.start(begins).order == (3, 1, 2)
