"""What a page is given: the map, the seats, and for one's own seat the hand and the builds."""

from __future__ import annotations

import json

import pytest

from companion.games.spike.rules.boards.board import board_text, shipped_text
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
    with_hand,
    with_network,
)


def test_the_view_is_plain_json_and_holds_the_map_in_millimetres() -> None:
    view = json.loads(json.dumps(GAME.view(playing("topeka", "norfolk"), 1)))
    assert view["map"]["size"] == [500, 560]
    assert set(view["map"]["cities"]) == set(BOARD.cities)
    assert view["map"]["tracks"].keys() == BOARD.tracks.keys()
    assert (view["turn"], view["you"], view["phase"]) == (1, 1, "play")
    assert len(view["shown"]) == 4


def test_every_build_shown_is_accepted_with_every_payment_shown() -> None:
    state = with_hand(playing("topeka", "norfolk"), 1, white=3, blue=3, red=2, green=2, yellow=1)
    builds = GAME.view(state, 1)["builds"]
    assert builds
    for build in builds:
        assert build["cards"] == sum(build["ways"][0].values())
        for cards in build["ways"]:
            assert fact(state, "build", path=build["path"], cards=cards).data["cards"] == cards


def test_only_the_cheapest_builds_to_a_city_are_shown_the_best_paid_first() -> None:
    state = with_hand(playing("topeka", "norfolk"), 1, white=3, blue=3, red=2, green=2, yellow=1)
    builds = GAME.view(state, 1)["builds"]
    assert [build["brings"] for build in builds] == sorted(
        (build["brings"] for build in builds), reverse=True
    )
    for city in {build["city"] for build in builds}:
        costs = {build["cards"] for build in builds if build["city"] == city}
        assert len(costs) == 1
        cheaper = [
            action
            for action in GAME.legal(state, 1)
            if action.kind == "build" and sum(action.data["cards"].values()) < min(costs)
        ]
        assert all(_end(action.data["path"]) != city for action in cheaper)


def _end(path: list[str]) -> str:
    return next(end for end in BOARD.tracks[path[-1]].track if end in BOARD.cities)


def test_builds_are_shown_to_the_seat_whose_turn_it_is() -> None:
    state = with_hand(playing("topeka", "norfolk"), 1, white=3, blue=3, red=3, green=3)
    assert GAME.view(state, 1)["builds"]
    assert GAME.view(state, 2)["builds"] == []
    assert "builds" not in GAME.view(state, None)


def test_networks_trains_and_open_deliveries_are_there_for_everybody() -> None:
    state = with_network(playing("topeka", "norfolk"), 1, "topeka", "tulsa")
    seat = GAME.view(state, None)["seats"]["1"]
    assert seat["tracks"] == way("topeka", "tulsa")
    assert seat["cities"] == ["topeka", "tulsa"]
    assert seat["train"]["at"] == "topeka"
    for contract in seat["contracts"]:
        assert set(contract["open"]) == set(contract["pays"])


@pytest.mark.parametrize("seat", [None, 1, 2, 3])
def test_an_owners_whole_file_is_not_repeated_in_every_view(seat: int | None) -> None:
    board, cards = board_text("eastern-states"), shipped_text("eastern-states", "cards")
    options = GAME.view(begun(3, board=board, cards=cards), seat)["options"]
    assert (options["board"], options["cards"]) == ("own", "own")


def test_a_whole_turn_on_an_owners_board() -> None:
    state = playing("topeka", "norfolk", board=board_text("eastern-states"))
    state = after(state, "draw", **source("deck"))
    assert after(state, "stop").turn == 2
    assert refusal(state, "build", path=["topeka-i2"]).code == "acted"
