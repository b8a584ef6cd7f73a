"""An owner's genuine box: its event cards and chips, and people's own cards on the table."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import pytest

from companion.core.chance import SeededChance
from companion.core.errors import NotationError
from companion.core.records import replaced
from companion.game.base import MatchRequest, Refusal
from companion.games.empire_builder.rules.boards.board import board, marked_board, own_map, owners_map_faults
from companion.games.empire_builder.rules.boards.wholemap import map_table
from companion.games.empire_builder.rules.cards.events import EVENTS, Derailment, Flood, Strike, Tax
from companion.games.empire_builder.rules.cards.ownevents import event_cards
from companion.games.empire_builder.rules.match.state import State, Turn, supply
from tests.companion.games.empire_builder.rules.tables import (
    BOARD,
    GAME,
    after,
    begun,
    laid,
    refused,
    train_at,
    way,
)
from tests.companion.games.empire_builder.rules.test_cards import CSV

OWN = """Event;Kind;Where;Radius;Title
137;Flood;mississippi
138;derailment;chicago / Detroit;3;Derailments in the north
139;strike;Canada;2
140;tax;50:5 100:9
141;snow;Denver;4
142;gale;pacific;3
"""


def box(**options: Any) -> State:
    return replaced(begun(2, deal="table", first=1, **options), round=3, turn=Turn())


def test_genuine_event_cards_take_the_place_of_ours() -> None:
    state = begun(3, events=OWN)
    assert sum(card in state.events for card in state.deck) == 6
    assert not set(EVENTS) & set(state.deck)
    assert GAME.faults(state) == []
    cards = event_cards(OWN)
    flood, derailment, strike, tax = (cards[f"event-{number}"] for number in range(137, 141))
    assert isinstance(flood, Flood)
    assert flood.river == "Mississippi"
    assert isinstance(derailment, Derailment)
    assert derailment.cities == ("Chicago", "Detroit")
    assert derailment.title == "Derailments in the north"
    assert isinstance(strike, Strike)
    assert strike.where == "CAN"
    assert isinstance(tax, Tax)
    assert [tax.due(cash) for cash in (49, 50, 120)] == [0, 5, 9]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"events": "1,flood,Misissippi"}, "events, line 1: there is no river 'Misissippi': is it Missi"),
        ({"events": "1,storm,Denver"}, "events, line 1: there is no kind of event 'storm'"),
        (
            {"events": "1,snow,Denvr\n2,fog,Denvr"},
            "events, lines 1, 2: there is no city 'Denvr': is it Denver?",
        ),
        ({"events": "1,tax,lots"}, "events, line 1: taxes are written like 50:10 100:15"),
        ({"events": "1,tax\n1,tax"}, "events, line 2: the event '1' is given twice"),
        ({"chips": "oil,4\ncole,3"}, "chips, line 2: there is no load 'cole': is it coal"),
        ({"chips": "oil"}, "chips, line 1: 1 columns instead of 2"),
    ],
)
def test_faults_are_said_with_their_lines(options: dict[str, str], says: str) -> None:
    (fault,) = GAME.option_faults(options)
    assert fault.startswith(says)
    with pytest.raises(NotationError):
        GAME.setup(MatchRequest(2, "umpire", options), SeededChance(1))


def test_chips_are_as_many_as_the_box_has() -> None:
    state = begun(chips="Load;Chips\nOil;7\nwheat;2")
    assert (supply(state)["oil"], supply(state)["wheat"], supply(state)["coal"]) == (7, 2, 4)


def test_matches_of_before_these_options_are_still_read() -> None:
    request = MatchRequest(2)
    data = GAME.setup(request, SeededChance(1))
    assert not isinstance(data, Refusal)
    old = {**data, "options": {name: data["options"][name] for name in ("cards", "map", "first")}}
    assert GAME.setup_fault(old, request) is None
    assert GAME.start(old) == GAME.start(data)


# --- people's own cards ---


def ready(**options: Any) -> State:
    line = way("Chicago", "Des Moines")
    return train_at(laid(box(**options), 1, line), 1, "Des Moines", loads=("coal", "oil"))


def test_with_cards_on_the_table_a_delivery_says_what_the_card_pays() -> None:
    state = after(ready(), "deliver", 1, load="coal", payout=17)
    assert state.players[1].cash == 67
    assert state.players[1].train.loads == ("oil",)
    assert GAME.faults(state) == []
    assert refused(ready(), "deliver", 1, load="coal").code == "no-payout"
    assert refused(ready(), "deliver", 1, load="wood", payout=9).code == "not-carried"
    assert refused(
        train_at(ready(), 1, "Des Moines", loads=("corn",)), "deliver", 1, load="corn", payout=9
    ).code == ("no-demand")


def test_with_the_cards_imported_a_delivery_stands_on_one_of_them() -> None:
    state = ready(cards=CSV)
    cards = [
        (card.card, demand)
        for card in state.cards.values()
        for demand in card.demands
        if demand.load not in state.board.cities[demand.city].loads
    ]
    card, demand = cards[0]
    there = train_at(state, 1, demand.city, loads=(demand.load,))
    paid = after(there, "deliver", 1, load=demand.load, card=card)
    assert paid.players[1].ledger.payouts == demand.payout
    assert refused(there, "deliver", 1, load=demand.load, payout=999).code == "no-demand"


def test_an_event_drawn_on_the_table_is_told_and_done() -> None:
    line = way("Chicago", "Kansas City")
    state = laid(box(events=OWN), 1, line)
    crossed = set(BOARD.river_edges["Mississippi"]) & set(state.track)
    assert crossed
    flooded = after(state, "event", 1, card="event-137")
    assert not crossed & set(flooded.track)
    assert refused(flooded, "event", 1, card="event-137").code == "in-force"
    assert refused(state, "event", 1, card="event-tax").code == "no-card"
    assert refused(begun(), "event", begun().seat, card="event-tax").code == "not-yours"


def test_nothing_is_dealt_where_people_deal() -> None:
    state = begun(4, deal="table")
    assert (state.deck, [player.hand for player in state.players.values()]) == ((), [()] * 4)
    assert GAME.faults(state) == []
    for seat in state.players:
        assert GAME.view(state, seat)["players"]["1"]["hand"] == []
    played = after(box(), "build", 1, path=["ap39", "ap41"])
    assert played.players[1].cash == 49


# --- a new hand ---


def test_a_hand_is_changed_for_a_whole_turn_only_where_that_was_agreed() -> None:
    plain = replaced(begun(), round=3, turn=Turn())
    assert refused(plain, "new_hand", 1).code == "no-new-hand"
    state = replaced(begun(new_hand="turn"), round=3, turn=Turn())
    changed = after(state, "new_hand", 1)
    assert not set(changed.players[1].hand) & set(state.players[1].hand)
    assert len(changed.players[1].hand) == 3
    assert changed.seat == 2
    assert GAME.faults(changed) == []
    assert "new_hand" in [action.kind for action in GAME.legal(state, 1)]
    begun_to_build = after(state, "build", 1, path=["ap39", "ap41"])
    assert refused(begun_to_build, "new_hand", 1).code == "too-late"
    assert refused(begun(new_hand="turn"), "new_hand", 1).code == "too-late"


def test_a_new_hand_from_a_deck_that_runs_out() -> None:
    state = replaced(begun(new_hand="turn"), round=3, turn=Turn())
    short = replaced(state, deck=state.deck[:1], discards=state.deck[1:])
    changed = after(short, "new_hand", 1)
    assert len(changed.players[1].hand) == 3
    assert GAME.faults(changed) == []


# --- a whole map ---

JSON = files("companion.games.empire_builder.rules").joinpath("data/north_america.json").read_text()


def test_a_whole_map_is_imported_as_json_and_as_a_table() -> None:
    table = map_table(own_map())
    for text in (JSON, table, table.replace(",", ";").upper().replace("CORRECTIONS", "corrections")):
        on = board(text)
        assert on.names == BOARD.names
        assert on.edges == BOARD.edges
        assert on.price == BOARD.price
        assert on.surcharge == BOARD.surcharge
    assert owners_map_faults(JSON) == owners_map_faults(table) == []
    state = begun(map=table)
    assert GAME.faults(state) == []
    assert after(state, "build", 1, path=["ap39", "ap41"]).players[1].cash == 49


def test_an_imported_map_may_be_corrected_further() -> None:
    text = f"{JSON}\ncorrections:\nterrain ao40 mountain\n"
    assert board(text).terrain[board(text).numbers["ao40"]] == "mountain"
    assert owners_map_faults(f"{text}terrain ao40 swamp")[0].endswith("clear, mountain or none")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("city,", "citty,"), "is it city?"),
        ((",Denver,", ",Nowhere,"), "bring your own cards, too"),
        ((",major,", ",small,"), "the map has 0 major cities"),
        ((",mountain,", ",hill,"), "there is no terrain 'hill'"),
    ],
)
def test_what_is_wrong_with_a_whole_map_is_said(change: tuple[str, str], says: str) -> None:
    faults = GAME.option_faults({"map": map_table(own_map()).replace(*change)})
    assert any(says in fault for fault in faults)
    assert len(faults) <= 6


def test_json_that_is_no_map_is_one_sentence() -> None:
    assert owners_map_faults('{"name": ') == ["the map is not JSON: Input data was truncated"]
    (fault,) = owners_map_faults('{"name": "x"}')
    assert fault.startswith("the map is not written as ours is")


def test_views_do_not_repeat_an_owners_map() -> None:
    state = begun(map=map_table(own_map()))
    view = GAME.view(state, 1)
    assert len(view["board"]["corrections"]) == 12
    assert marked_board(view["board"]["corrections"]) is state.board
    assert GAME.view(begun(), 1)["board"]["corrections"] == ""
