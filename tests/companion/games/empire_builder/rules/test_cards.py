"""Our demand cards against the measured shape, and an owner's own cards."""

from __future__ import annotations

from collections import Counter
from statistics import mean, median

import pytest

from companion.core.errors import NotationError
from companion.games.empire_builder.rules.boards.board import board
from companion.games.empire_builder.rules.cards.demands import (
    card_faults,
    demand_cards,
    own_cards,
    read_cards,
)
from companion.games.empire_builder.rules.rulebook import LOADS, RULES
from tests.companion.games.empire_builder.rules.tables import BOARD, GAME, begun, cards_csv

DEMANDS = [demand for card in own_cards() for demand in card.demands]
PAYOUTS = sorted(demand.payout for demand in DEMANDS)
CSV = cards_csv(own_cards())


def test_136_cards_of_three_demands_for_different_cities_and_loads() -> None:
    assert len(own_cards()) == 136
    for card in own_cards():
        assert len({demand.city for demand in card.demands}) == 3
        assert len({demand.load for demand in card.demands}) == 3
    assert len({(demand.city, demand.load) for demand in DEMANDS}) == 408


def test_payouts_are_spread_as_measured() -> None:
    assert median(PAYOUTS) == pytest.approx(20.5, abs=1)
    assert mean(PAYOUTS) == pytest.approx(21.6, abs=1.6)
    assert 5 <= PAYOUTS[0] <= 7
    assert 50 <= PAYOUTS[-1] <= 62
    assert mean(card.best for card in own_cards()) == pytest.approx(31.5, abs=2)
    deciles = [PAYOUTS[len(PAYOUTS) * tenth // 10] for tenth in range(1, 10)]
    assert all(
        abs(ours - theirs) <= 3
        for ours, theirs in zip(deciles, (11, 13, 15, 18, 20.5, 23, 27, 29, 34), strict=True)
    )


def test_demands_per_city_and_load_are_as_measured() -> None:
    cities = Counter(demand.city for demand in DEMANDS)
    for size, fewest, most in (("major", 10, 11), ("medium", 6, 8), ("small", 5, 6)):
        counts = [cities[city.name] for city in BOARD.cities.values() if city.size == size]
        assert fewest <= min(counts) <= max(counts) <= most
    loads = Counter(demand.load for demand in DEMANDS)
    assert set(loads) == set(LOADS)
    assert 13 <= min(loads.values()) <= max(loads.values()) <= 16


def test_no_city_asks_for_what_it_supplies() -> None:
    assert not [demand for demand in DEMANDS if demand.load in BOARD.cities[demand.city].loads]


def test_what_comes_from_far_away_pays_more() -> None:
    by_load = {load: mean(one.payout for one in DEMANDS if one.load == load) for load in LOADS}
    assert max(by_load, key=lambda load: by_load[load]) == "coffee"
    assert by_load["coal"] < by_load["sugar"]


def test_29_loads_and_chips_that_sum_to_100() -> None:
    assert len(RULES.chips) == 29
    supplied = {load for city in BOARD.cities.values() for load in city.loads}
    assert supplied == set(RULES.chips)


def test_cards_are_read_back_as_they_were_written() -> None:
    assert read_cards(CSV, BOARD) == own_cards()
    assert read_cards(CSV.partition("\n")[2].replace(",", " , "), BOARD) == own_cards()


def test_a_match_is_played_with_an_owners_cards() -> None:
    richer = CSV.replace("\n1,", "\nA1,")
    state = begun(cards=richer)
    assert "A1" in state.cards
    assert "1" not in state.cards
    assert GAME.faults(state) == []
    assert demand_cards(richer) == state.cards


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("card,city,load,payout\n1,Atlantis,oil,9", "line 2: there is no city 'Atlantis'"),
        ("1,Boston,gold,9", "line 1: there is no load 'gold'"),
        ("1,Boston,oil,many", "line 1: the payout 'many' is not a whole number"),
        ("1,Boston,oil,-3", "line 1: the payout '-3' is not a whole number"),
        ("1,Boston,oil,0", "line 1: the payout '0'"),
        ("1,Boston,oil,٣", "line 1: the payout"),
        ("1,Boston,oil," + "9" * 5000, "line 1: the payout"),
        ("1,Boston,fish,9", "line 1: Boston supplies fish itself"),
        ("1,Boston,oil", "line 1: 3 columns instead of 4"),
        (",Boston,oil,9", "line 1: '' cannot name a card"),
        ("event-tax,Boston,oil,9", "line 1: 'event-tax' cannot name a card"),
        ("1,Boston,oil,9\n1,Boston,wood,9", "line 2: card '1' names Boston or wood twice"),
        ("1,Boston,oil,9\n\n1,Miami,wood,9", "line 3: card '1' has 2 demands instead of 3"),
        (
            "1,Boston,oil,9\n1,Miami,wood,9\n1,Tampa,coal,9\n1,Denver,rice,9",
            "line 4: card '1' has more than 3",
        ),
        ("1,Boston,oil,9\n1,Miami,wood,9\n1,Tampa,coal,9", "these are 1 cards: a deck has 36 to 1000"),
    ],
)
def test_a_fault_in_a_card_file_is_one_sentence_with_its_line(text: str, message: str) -> None:
    with pytest.raises(NotationError, match=message) as raised:
        read_cards(text, board())
    assert "\n" not in str(raised.value)
    assert len(str(raised.value)) < 400


def test_every_fault_of_a_file_is_said_not_only_the_first() -> None:
    text = "1,Atlantis,oil,9\n1,Boston,gold,9\n1,Boston,oil,9"
    faults = card_faults(text, BOARD)
    assert [fault.partition(":")[0] for fault in faults[:2]] == ["line 1", "line 2"]
    assert "has 1 demands" in faults[2]
    assert "these are 1 cards" in faults[3]
    assert card_faults(cards_csv(own_cards()), BOARD) == []


def test_an_owners_map_and_cards_are_checked_together() -> None:
    options = {
        "map": "terrain ao40 swamp\nriver zz1 Ohio\ncity al40 small Chicago",
        "cards": "1,Boston,oil,x",
    }
    faults = GAME.option_faults(options)
    assert [fault.partition(":")[0] for fault in faults[:2]] == ["map, line 1", "map, line 2"]
    assert any(fault.startswith("cards, line 1: the payout 'x'") for fault in faults)
    assert GAME.option_faults({}) == []
    fine = {"map": "terrain ao40 mountain", "cards": cards_csv(own_cards())}
    assert GAME.option_faults(fine) == []


def test_a_deck_as_people_write_it_is_understood() -> None:
    """Semicolons, capitals, currency signs, columns in another order, and the usual names of cities."""
    rows = [line.split(",") for line in CSV.strip().splitlines()[1:]]
    lines = ["Payoff;Card;Goods;Destination"]
    for card, city, load, payout in rows:
        name = {"St. Louis": "St Louis", "Washington DC": "Washington, D.C.", "Juarez": "Ciudad Juárez"}
        shown = (f"${payout}", f"{payout} M", f"{payout},00")[len(lines) % 3]
        lines.append(f"{shown};{card};{load.upper()};{name.get(city, city.lower())}")
    assert read_cards("\ufeff" + "\r\n".join(lines), BOARD) == own_cards()


def test_the_same_fault_is_said_once_with_its_lines_and_what_may_be_meant() -> None:
    wrong = CSV.replace("coal", "coul").replace("Chicago", "Chigaco")
    faults = card_faults(wrong, BOARD)
    assert len(faults) <= 4
    (load,) = [fault for fault in faults if "coul" in fault]
    assert "more: there is no load 'coul': is it coal?" in load
    (city,) = [fault for fault in faults if "Chigaco" in fault]
    assert city.endswith("is it Chicago?")
