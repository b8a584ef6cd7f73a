"""Giant and epic boards: notation, score, moves, turns, goals and matches; the usual board is as it was."""

from __future__ import annotations

import json

import pytest

from companion.core.chance import SeededChance
from companion.core.errors import NotationError
from companion.core.jsontext import JsonObject
from companion.game.base import MatchRequest, NoChance, Refusal
from companion.games.railroad_ink.rules.boards.position import read_position
from companion.games.railroad_ink.rules.match.game import RailroadInk
from companion.games.railroad_ink.rules.rulebook import EDITION, LAYOUTS, NAMES, NEIGHBOURS, edition_on
from companion.games.railroad_ink.rules.scoring.goals import achieved
from companion.games.railroad_ink.rules.scoring.network import all_networks, exit_networks, lay_tracks
from companion.games.railroad_ink.rules.scoring.scores import score
from companion.games.railroad_ink.rules.turns import search as turns

GAME = RailroadInk()


def begun(**options: object) -> JsonObject | Refusal:
    return GAME.setup(MatchRequest(2, "umpire", dict(options)), SeededChance(3))


def refused(**options: object) -> str:
    answer = begun(**options)
    assert isinstance(answer, Refusal)
    return answer.message


# --- the boards ---


def test_every_cell_of_every_board_has_a_number_of_its_own_and_the_usual_ones_come_first() -> None:
    assert [len(layout.cells) for layout in LAYOUTS.values()] == [49, 81, 121]
    assert NAMES[48:50] == ("g7", "a1")
    assert [NAMES[cell] for cell in NEIGHBOURS[LAYOUTS["giant"].cell("e5")]] == ["e4", "f5", "e6", "d5"]
    assert NEIGHBOURS[LAYOUTS["epic"].cell("a1")] == (-1, 131, 141, -1)


@pytest.mark.parametrize(("size", "exits"), [("usual", 12), ("giant", 16), ("epic", 20)])
def test_exits_are_half_highway_half_railway_and_the_same_after_every_quarter_or_half_turn(
    size: str, exits: int
) -> None:
    layout = LAYOUTS[size]  # type: ignore[index]
    assert len(layout.exits) == exits
    assert sum(exit.type for exit in layout.exits) == exits // 2
    assert len({exit.cell for exit in layout.exits}) == exits
    last = layout.side - 1
    half_turned = {
        (last - (exit.cell - layout.first) % layout.side, last - (exit.cell - layout.first) // layout.side)
        for exit in layout.exits
    }
    assert half_turned == {
        ((exit.cell - layout.first) % layout.side, (exit.cell - layout.first) // layout.side)
        for exit in layout.exits
    }


def test_buildings_of_the_usual_board_are_drawn_apart() -> None:
    giant = edition_on("challenge", "giant")
    assert edition_on("challenge", "usual") is EDITION["challenge"]
    assert sorted(NAMES[cell] for cell in giant.centre) == sorted(
        f"{column}{row}" for column in "def" for row in "456"
    )
    assert sorted(NAMES[cell] for cell in giant.factory) == ["a1", "d8", "i6"]
    assert giant.layout.cell("e5") in giant.university
    assert edition_on("challenge", "epic").dice == ("A", "A", "A", "A", "C", "D")


# --- positions ---


def test_a_row_of_nine_joins_two_exits_and_fills_a_line() -> None:
    row = {f"{column}2": "EW" for column in "bcdefghi"}
    position = read_position({"size": "giant", "cells": {"a2": "ew", **row} | {"a2": "wE*"}})
    told = score(position)
    assert told.highway.length == 9
    assert [network.exits for network in told.networks] == [("i2", "a2")]
    assert achieved(position, "C")
    assert achieved(position, "K")
    assert not achieved(position, "L")


def test_the_giant_track_goes_on_to_sixteen_exits() -> None:
    ring = {f"{column}{row}": "NESW" for column in "abcdefghi" for row in (1, 2, 3, 8, 9)}
    ring |= {f"{column}{row}": "NESW" for column in "abhi" for row in range(4, 8)}
    cells = {
        name: route
        for name, route in ring.items()
        if not any(name == exit.name and exit.type for exit in LAYOUTS["giant"].exits)
    }
    assert score(read_position({"size": "giant", "cells": cells})).exit_points == 28
    networks = exit_networks(lay_tracks(read_position({"size": "giant", "cells": cells})))
    assert len(networks[0].exits) == 8
    assert len(all_networks(lay_tracks(read_position({"size": "epic", "cells": {"k11": "NW"}})))) == 1


def test_goal_l_takes_the_exits_next_to_the_middle() -> None:
    column = {f"d{row}": "ns" for row in range(2, 9)}
    assert achieved(read_position({"size": "giant", "cells": {"d1": "ns", **column, "d9": "nS*"}}), "L")
    assert not achieved(read_position({"size": "giant", "cells": {"d1": "ns", **column}}), "L")


def test_cells_beyond_a_board_and_unknown_sizes_are_said_clearly() -> None:
    with pytest.raises(NotationError, match="cells are a1 to i9"):
        read_position({"size": "giant", "cells": {"k11": "NS"}})
    with pytest.raises(NotationError, match="cells are a1 to g7"):
        read_position({"cells": {"i9": "NS"}})
    with pytest.raises(NotationError, match="size"):
        read_position({"size": "huge", "cells": {}})


def test_lines_of_larger_boards_are_left_to_the_ordinary_scorer() -> None:
    pytest.importorskip("numba")
    score_lines = GAME.line_scorer()
    assert score_lines is not None
    lines = [{"cells": {"b1": "NS"}}, {"size": "giant", "cells": {"b1": "NS"}}]
    usual, giant, *_ = score_lines(b"".join(json.dumps(line).encode() + b"\n" for line in lines)).split(b"\n")
    assert usual
    assert not giant


# --- moves and turns ---


def test_moves_on_a_giant_board_are_checked_up_to_round_twelve() -> None:
    moves = [{"cell": "i2", "route": "EW", "round": 12}, {"cell": "h2", "route": "Ew*", "round": 12}]
    assert GAME.check_moves({"size": "giant", "moves": moves}) == {"valid": True}
    far = GAME.check_moves({"size": "giant", "moves": [{"cell": "i2", "route": "EW", "round": 13}]})
    assert far["message"] == "there is no round 13: a match has 12"
    met = GAME.check_moves({"size": "giant", "moves": [{"cell": "i2", "route": "ew"}]})
    assert "highway exit on its right" in met["message"]


def test_turns_of_a_giant_board_are_complete_and_those_of_an_empty_epic_one_too_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    others = (1, 3, 4, 5, 6, 7, 8, 9)
    rows = {f"{column}{number}": "EW" for column in "bcdefgh" for number in others}
    rows |= {f"{column}{number}": "NS" for column in "ai" for number in others}
    giant = {"size": "giant", "cells": rows, "dice": ["NS", "NS", "N*", "NS|ew"]}
    placed = [move["cell"] for move in GAME.complete_turns({**giant, "best": 1})["turns"][0]["moves"]]
    assert len(placed) == 3
    assert {cell[1] for cell in placed} == {"2"}
    monkeypatch.setattr(turns, "_MOST_LINES", 500)
    dice = ["NES", "NES", "NES", "NES", "N*", "NE|SW"]
    with pytest.raises(NotationError, match="ask for the best ones"):
        GAME.complete_turns({"size": "epic", "cells": {}, "dice": dice})


# --- several expansions ---


def test_several_expansions_are_counted_side_by_side() -> None:
    marks = {"c3": "trees", "d3": "trees", "b1": "river:NS", "e5-f5": "canyon"}
    told = {"name": "forest+canyon+river", "marks": marks}
    position = read_position({"size": "giant", "cells": {}, "expansion": told})
    assert [line.points for line in score(position).stars] == [4, 1, 1]
    with pytest.raises(NotationError, match="giant or an epic board"):
        read_position({"cells": {}, "expansion": told})
    with pytest.raises(NotationError, match="not a mark of the expansion"):
        read_position({"size": "epic", "cells": {}, "expansion": {**told, "marks": {"c3": "cloud"}}})


def test_an_airport_on_a_crater_joins_the_ends_that_the_crater_shielded() -> None:
    told = {"name": "meteor+airline", "marks": {"b2": "crater:1 airport"}}
    position = read_position({"size": "giant", "cells": {"b1": "NS", "b3": "NS"}, "expansion": told})
    assert [end.cell for end in score(position).errors] == ["b3"]


def test_a_match_takes_several_expansions_on_larger_boards_only() -> None:
    setup = begun(expansion="river", more=["forest", "lake"], size="giant")
    assert not isinstance(setup, Refusal)
    assert setup["options"]["expansion"] == "forest+river+lake"
    state = GAME.start(setup)
    assert GAME.dice(state)[-6:] == ("Forest", "Forest", "River", "River", "Lake", "Lake")
    assert state.options.all_rounds == 12
    assert GAME.setup_fault(setup, MatchRequest(2, "umpire", {})) is None
    assert "on a giant or an epic board only" in refused(expansion="river", more="forest")
    assert "played alone" in refused(expansion="underground", more="forest", size="epic")
    assert "cannot be played along" in refused(expansion="river", more="unheard", size="epic")


def test_an_expansion_with_a_second_board_has_twice_the_rounds_of_a_giant_one() -> None:
    setup = begun(expansion="underground", size="giant")
    assert not isinstance(setup, Refusal)
    assert GAME.start(setup).options.all_rounds == 24


def test_walls_of_a_larger_board_are_read_on_it_and_setups_of_the_usual_board_are_as_before() -> None:
    setup = begun(blueprint="own", walls="h9-i9", size="giant")
    assert not isinstance(setup, Refusal)
    assert GAME.start(setup).options.walls
    assert GAME.option_faults({"walls": "h9-i9"}) != []
    assert GAME.option_faults({"walls": "h9-i9", "size": "giant"}) == []
    plain = begun()
    assert not isinstance(plain, Refusal)
    assert not {"size", "more", "expansion"} & plain["options"].keys()
    answer = GAME.decide(GAME.start(plain), GAME.legal(GAME.start(plain), 1)[0], SeededChance(1))
    assert not isinstance(answer, Refusal)
    assert GAME.decide(GAME.start(plain), answer, NoChance()) == answer
