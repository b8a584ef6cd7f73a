"""Edge cases of the expansions' rules, each a position as people write it."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.errors import NotationError
from companion.core.jsontext import JsonObject
from companion.game.base import Action, Fact, MatchRequest, NoChance, Refusal
from companion.games.railroad_ink.rules.boards.position import Position, read_position
from companion.games.railroad_ink.rules.boards.routes import parse_route
from companion.games.railroad_ink.rules.expansions.frame import Turn
from companion.games.railroad_ink.rules.expansions.playing import route_refusal
from companion.games.railroad_ink.rules.expansions.registry import placements
from companion.games.railroad_ink.rules.expansions.tables import TABLES
from companion.games.railroad_ink.rules.match.game import RailroadInk
from companion.games.railroad_ink.rules.match.state import State
from companion.games.railroad_ink.rules.rulebook import NAMES
from companion.games.railroad_ink.rules.scoring.goals import achieved
from companion.games.railroad_ink.rules.scoring.scores import Score, score
from companion.languages import said

GAME = RailroadInk()


def board(name: str, cells: dict[str, str], marks: dict[str, str]) -> Position:
    return read_position({"cells": cells, "expansion": {"name": name, "marks": marks}})


def counted(name: str, cells: dict[str, str], marks: dict[str, str]) -> Score:
    return score(board(name, cells, marks))


STARS: dict[str, tuple[str, dict[str, str], dict[str, str], int]] = {
    "two forests": ("forest", {}, {"a1": "trees", "a2": "trees", "c1": "trees"}, 5),
    "a trail around a curve": ("trail", {"c3": "ES", "b2": "N*", "d2": "n*"}, {"c3": "trail"}, 2),
    "a sun spares what an oasis waters": ("desert", {}, {"a1": "cacti", "c1": "cactus"}, 3),
    "a canyon across a corner": ("canyon", {}, {"a1-b1": "canyon", "a1-a2": "canyon"}, 4),
    "a river over the corner": ("river", {}, {"a1": "river:NW"}, 4),
    "the smallest lake": ("lake", {}, {"a1": "lake:E", "b1": "lake:W", "g7": "lake:N"}, 1),
    "a closed lava lake": ("lava", {}, {"a1": "lava:E", "b1": "lava:W"}, 7),
    "two ends at a crater": ("meteor", {"c3": "EW", "e3": "EW"}, {"d3": "crater:1"}, 4),
    "a crater drawn over": ("meteor", {"c3": "EW", "d3": "EW"}, {"d3": "crater:1"}, 0),
    "weather that touches at a corner": (
        "weather",
        {"a1": "NS", "b2": "NS", "d4": "NS"},
        {"a1": "cloud", "b2": "snow", "d4": "cloud"},
        1,
    ),
    "an airway from edge to edge": ("airline", {}, {"a1": "air:NS", "a2": "air:NW"}, 4),
    "an airport without one": ("airline", {}, {"d4": "airport"}, -4),
    "five exits, two charges": (
        "power-grid",
        {},
        {
            **dict.fromkeys(("b1", "c1", "d1", "e1", "f1", "g1", "g2", "g3", "g4"), "power"),
            **dict.fromkeys(("d2", "d3"), "power"),
            "d4": "accumulator:2",
        },
        10,
    ),
    "a ghost without fruit": (
        "pluck-man",
        {"b1": "NE", "c1": "EW", "d1": "WS", "d2": "NE", "e2": "NW", "e1": "ES", "f1": "NW"},
        {"b1-top": "pluck-man", "f1-top": "ghost"},
        1,
    ),
    "outlines": ("tetromino", {"b1": "NS"}, dict.fromkeys(("b1", "b2", "b3", "b4"), "outline:1"), -2),
    "a clue found": ("investigation", {"b1": "NS"}, {"b1": "clue found"}, 5),
    "a subway of two exits": ("underground", {}, {"b1": "below:NW", "a1": "below:ES", "a2": "below:NS",
                                                  "a3": "below:NS", "a4": "below:NW"}, 9),
}  # fmt: skip


@pytest.mark.parametrize("case", STARS)
def test_points_of_the_star_box(case: str) -> None:
    name, cells, marks, points = STARS[case]
    assert counted(name, cells, marks).expansion == points


def test_the_official_superconnection() -> None:
    cells = {
        "a1": "ew", "b1": "New*", "c1": "ew", "d1": "nsw", "d2": "ne", "e2": "Ew*", "f2": "NW", "f1": "NES",
        "g1": "NE|SW", "g2": "Ne*", "a2": "ew", "b2": "Sw*",
    }  # fmt: skip
    marks = {"e2": "super:S", "b3": "super:NE", "c3": "super:EW", "d3": "super:EW", "e3": "super:NW"}
    one = counted("superconnection", cells, marks)
    assert [len(network.exits) for network in one.networks] == [5]
    assert (one.exit_points, one.highway.length, one.railway.length, one.errors) == (16, 10, 10, ())


def ends(one: Score) -> list[tuple[str, str]]:
    return [(end.cell, end.type) for end in one.errors]


def test_open_water_is_no_error_but_an_open_river_is() -> None:
    assert ends(counted("river", {}, {"d4": "river:NS"})) == [("d4", "river"), ("d4", "river")]
    assert ends(counted("lake", {}, {"d4": "lake:NES"})) == []
    assert ends(counted("lava", {}, {"a1": "lava:NE"})) == [("a1", "lava")]


def test_an_end_that_faces_a_tower_or_a_crater_is_no_error() -> None:
    cells = {"b1": "NS"}
    assert ends(counted("city-builder", cells, {"b2": "tower:1"})) == []
    assert ends(counted("meteor", cells, {"b2": "crater:1"})) == []
    assert ends(counted("forest", cells, {"b2": "trees"})) == [("b1", "highway")]


def test_a_lake_joins_networks_but_no_longest_route() -> None:
    cells = {"b1": "NS", "b2": "N*", "d1": "ns", "d2": "n*"}
    marks = {"b2": "lake:S", "b3": "lake:NE", "c3": "lake:EW", "d3": "lake:NW", "d2": "lake:S"}
    one = counted("lake", cells, marks)
    assert [network.exits for network in one.networks] == [("b1", "d1")]
    assert (one.highway.length, one.railway.length) == (2, 2)
    assert achieved(board("lake", cells, marks), "LA")
    assert not achieved(board("lake", cells, {**marks, "c3": "lake:E"}), "LA")


def test_a_portal_pair_goes_on_and_a_mixed_one_only_joins() -> None:
    alike = counted("portal", {"b1": "N", "f1": "N"}, {"b1": "portal:A", "f1": "portal:A"})
    assert (alike.exit_points, alike.highway.length) == (4, 2)
    mixed = counted("portal", {"b1": "N", "d1": "n"}, {"b1": "portal:A", "d1": "portal:A"})
    assert (mixed.exit_points, mixed.highway.length, mixed.railway.length) == (4, 1, 1)


def test_the_madness_network_has_no_exits() -> None:
    one = counted("ritual", {"b1": "NS", "b2": "NW", "a2": "Ew*"}, {"b1": "ritual", "b2": "ritual"})
    assert (one.exit_points, one.expansion) == (0, 4)


def test_spaces_with_signs_are_drawn_in() -> None:
    assert len(counted("forest", {}, {"c3": "trees"}).centre) == 1
    assert len(counted("tetromino", {}, {"c3": "outline:1"}).centre) == 0


GOALS: dict[str, tuple[str, dict[str, str], dict[str, str]]] = {
    "FA": ("forest", {}, dict.fromkeys(("a1", "c1", "e1", "g1", "a3"), "trees")),
    "FB": ("forest", {}, dict.fromkeys(("d1", "c2", "b3", "a4"), "trees")),
    "FC": ("forest", {}, dict.fromkeys(("b1", "d1", "f1", "g2"), "trees")),
    "TA": ("trail", dict.fromkeys(("a2", "b2", "c2", "d2", "e2"), "ew"),
           dict.fromkeys(("a2", "b2", "c2", "d2", "e2"), "trail:nw-se")),
    "DA": ("desert", {}, {"a1": "cacti", "b1": "cactus", "a2": "cactus", "b2": "cactus"}),
    "DB": ("desert", {}, dict.fromkeys(("d1", "d2", "d3", "d4"), "cactus")),
    "CD": ("canyon", {}, {f"{x}4-{x}5": "canyon" for x in "abcdefg"}),
    "RB": ("river", {"c2": "N*", "e2": "N*", "d1": "n*"}, {"d2": "river:NS"}),
    "LB": ("lake", {}, {"a1": "lake:N", "c1": "lake:N", "e1": "lake:N", "g1": "lake:N"}),
    "LC": ("lake", {}, {"a1": "lake:E", "b1": "lake:W"}),
    "VA": ("lava",
           {"c3": "ES", "d3": "EW", "e3": "SW", "e4": "NS", "e5": "NW", "d5": "EW", "c5": "NE", "c4": "NS"},
           {"d4": "volcano lava:NESW"}),
    "MA": ("meteor", {"d3": "EW", "c4": "EW", "e4": "EW", "d5": "EW"}, {"d4": "crater:1"}),
    "MB": ("meteor", {"d2": "NS"}, {"d1": "crater:1", "d3": "crater:2"}),
    "MC": ("meteor", {}, {"d4": "crater:1", "lost": "1"}),
    "PA": ("portal", {}, {"a3": "portal:A", "d4": "portal:B", "b5": "portal:C"}),
    "PB": ("portal", {"b1": "S", "b2": "NE", "c2": "NW", "c1": "S"}, {"b1": "portal:A", "c1": "portal:A"}),
    "PC": ("portal", {}, {"a3": "portal:A", "a4": "portal:B", "a5": "portal:C"}),
    "RC": ("river", {"b1": "NS", "b2": "NW", "a2": "Ew*"}, {"b1": "river:EW"}),
    "CB": ("canyon", {"a2": "ew", "b2": "ew", "c2": "ew", "d2": "ew"},
           {"a1-b1": "canyon", "a2-b2": "canyon", "b2-b3": "canyon", "b2-c2": "canyon", "c1-c2": "canyon",
            "c2-d2": "canyon"}),
}  # fmt: skip


@pytest.mark.parametrize("code", GOALS)
def test_goals_of_expansions_are_seen_and_lost_with_any_mark(code: str) -> None:
    name, cells, marks = GOALS[code]
    assert achieved(board(name, cells, marks), code)
    if code not in ("CB", "RC", "MB", "CD"):
        last = list(marks)[-1]
        fewer = {place: text for place, text in marks.items() if place != last}
        assert not achieved(board(name, cells, fewer), code)


def test_a_goal_of_another_expansion_is_unknown() -> None:
    with pytest.raises(NotationError, match="there is no goal 'FA'"):
        achieved(board("river", {}, {}), "FA")


def moves(name: str, cells: dict[str, str], marks: dict[str, str], **turn: Any) -> list[Any]:
    return list(placements(board(name, cells, marks), Turn(**{"round": 1, **turn})))


def test_a_sun_burns_what_no_oasis_waters_or_costs_a_special_route() -> None:
    marks = {"a1": "cactus", "b1": "oasis", "d4": "cacti"}
    found = moves("desert", {}, marks, left=("sun", "NE+cactus"), specials=("NESW",))
    assert [(one.erase, one.special) for one in found] == [((("d4", "cacti"),), ""), ((), "NESW")]


def test_a_meteor_bounces_at_the_edge_and_goes_on_over_craters() -> None:
    left = ("toward:N", "distance:3")
    (first,) = moves("meteor", {}, {}, left=left)
    assert first.marks == (("d1", "crater:1"),)
    (second,) = moves("meteor", {}, {"d1": "crater:1"}, left=left)
    assert second.marks == (("d4", "crater:2"),)
    (third,) = moves(
        "meteor", {"d6": "ew"}, {"d4": "crater:1", "d5": "crater:2"}, left=("toward:N", "distance:1")
    )
    assert third.marks == (("d3", "crater:3"),)
    (hit,) = moves("meteor", {"d3": "ew"}, {}, left=("toward:N", "distance:1"))
    assert hit.destroy == ("d3",)


def test_a_canyon_never_branches_and_bridges_are_twelve() -> None:
    drawn = {"d1-e1": "canyon", "d2-e2": "canyon"}
    found = moves("canyon", {}, drawn, left=("canyon:1",))
    touching = [one.marks[0][0] for one in found if "d2" in one.marks[0][0] or "e2" in one.marks[0][0]]
    assert touching == ["d2-d3", "e2-e3"] or set(touching) == {"d2-d3", "e2-e3"}
    wide = {f"{x}{y}": "EW" for y in range(1, 7) for x in "de"}
    full = {**{f"d{y}-e{y}": "canyon" for y in range(1, 7)}, **{f"b{y}-c{y}": "canyon" for y in range(1, 7)}}
    wide |= {f"{x}{y}": "EW" for y in range(1, 7) for x in "bc"}
    assert all(
        "7" in place for one in moves("canyon", wide, full, left=("canyon:1",)) for place, _ in one.marks
        if place[0] in "bcde"
    )  # fmt: skip


def test_a_route_for_which_no_bridge_is_left_is_refused_in_the_readers_language() -> None:
    wide = {f"{x}{y}": "EW" for y in range(1, 7) for x in "bcde"} | {"d7": "EW"}
    full = {f"{one}{y}-{two}{y}": "canyon" for y in range(1, 7) for one, two in ("bc", "de")}
    position = board("canyon", wide, full | {"d7-e7": "canyon"})
    refusal = route_refusal(position, NAMES.index("e7"), parse_route("EW"))
    assert refusal is not None
    assert refusal.message == "e7: all 12 bridge points are spent"
    assert said(refusal.message, "de") == "e7: alle 12 Brückenpunkte sind ausgegeben"


def test_three_open_sides_fill_an_empty_space() -> None:
    marks = {"c2": "lake:S", "b3": "lake:E"}
    filled = [one for one in moves("lake", {}, marks, left=("lake:N",)) if one.marks[0] == ("d3", "lake:W")]
    assert filled[0].marks == (("d3", "lake:W"), ("c3", "lake:NEW"))


BAD: dict[str, JsonObject] = {
    "no such expansion": {"name": "jungle"},
    "no such mark": {"name": "forest", "marks": {"a1": "cactus"}},
    "no such place": {"name": "forest", "marks": {"h9": "trees"}},
    "not side by side": {"name": "canyon", "marks": {"a1-c1": "canyon"}},
    "a mark in a wrong place": {"name": "canyon", "marks": {"a1": "canyon"}},
    "no ends": {"name": "river", "marks": {"a1": "river"}},
    "wrong ends": {"name": "river", "marks": {"a1": "river:NX"}},
    "an end twice": {"name": "river", "marks": {"a1": "river:NN"}},
    "twice": {"name": "canyon", "marks": {"a1-b1": "canyon", "b1-a1": "canyon"}},
    "nothing": {"name": "forest", "marks": {"a1": " "}},
    "no number": {"name": "city-builder", "marks": {"coins": "many"}},
    "marks of nothing": {"marks": {"a1": "trees"}},
    "not outside": {"name": "pluck-man", "marks": {"d4-top": "ghost"}},
    "types that meet below": {"name": "underground", "marks": {"a3": "below:NS", "a4": "below:ns"}},
    "no route below": {"name": "underground", "marks": {"a1": "below:XY"}},
    "points are no name": {"name": 3},
}


@pytest.mark.parametrize("case", BAD)
def test_bad_marks_get_a_sentence(case: str) -> None:
    with pytest.raises(NotationError):
        read_position({"cells": {}, "expansion": BAD[case]})


def test_how_a_mark_is_written_is_told_in_every_language() -> None:
    with pytest.raises(NotationError, match="write river: and its sides, such as river:NE") as problem:
        board("river", {}, {"a1": "river"})
    assert said(problem.value.message, "de").endswith("schreib river: und seine Seiten, etwa river:NE")


# --- matches ---


def begun(mode: str = "umpire", seats: int = 2, **options: Any) -> State:
    class First:
        source: JsonObject = {"kind": "service"}  # noqa: RUF012

        def below(self, bound: int) -> int:
            return 0

    told = GAME.setup(MatchRequest(seats, mode, options), First())  # type: ignore[arg-type]
    assert not isinstance(told, Refusal), told
    return GAME.start(told)


def does(state: State, kind: str, seat: int | None = 1, **data: Any) -> State:
    fact = GAME.decide(state, Action(kind, seat, data), NoChance())
    assert not isinstance(fact, Refusal), fact
    return GAME.apply(state, fact)


def test_points_counted_by_hand_stand_in_the_star_box_of_a_match() -> None:
    state = does(begun(expansion="other"), "star", 2, points=11)
    assert {row["seat"]: row["expansion"] for row in GAME.score(state)} == {1: 0, 2: 11}
    assert GAME.view(state, None)["stars"] == {"2": 11}
    assert {row["seat"]: row["total"] for row in GAME.score(does(state, "star", 2, points=-4))}[2] == -4
    kept = does(begun("scorekeeper", expansion="lava"), "star", 1, points=7)
    assert GAME.score(kept)[0]["expansion"] == 7
    told = does(kept, "report", 1, cells={}, marks={"a1": "lava:E", "b1": "lava:W"})
    assert GAME.score(told)[0]["expansion"] == 14


def test_points_that_the_rules_count_are_not_taken_by_hand() -> None:
    answer = GAME.decide(begun(expansion="forest"), Action("star", 1, {"points": 3}), NoChance())
    assert isinstance(answer, Refusal)
    assert answer.code == "counted"


def test_a_match_draws_two_basic_goals_and_one_of_the_expansion() -> None:
    assert begun(expansion="trail").options.goals == ("A", "B", "TA")
    assert begun(expansion="weather").options.goals == ("A", "B", "C")


def test_an_expansion_has_its_own_number_of_rounds() -> None:
    assert begun(expansion="forest").options.all_rounds == 6
    assert begun(expansion="desert").options.all_rounds == 7  # the last one of its dice alone
    assert begun(expansion="desert", rounds="5").options.all_rounds == 6
    assert begun().options.all_rounds == 7


def test_a_base_match_is_stored_as_it_always_was() -> None:
    options = GAME.setup(MatchRequest(2, "umpire", {"goals": "none"}), NoChance())
    assert not isinstance(options, Refusal)
    assert not {"expansion", "rounds", "labs"} & options["options"].keys()


def test_dice_of_a_hand_may_be_told_in_any_order() -> None:
    faces = ["trees", "NS", "NE+trees", "ns", "N*", "NES"]
    state = does(begun(expansion="forest"), "roll", None, faces=faces)
    assert state.dice == ("NS", "ns", "N*", "NES")
    assert state.extra == ("trees", "NE+trees")
    state = does(state, "place", uses=["trees"], marks={"d4": "trees"})
    again = GAME.decide(state, Action("place", 1, {"uses": ["trees"], "marks": {"e4": "trees"}}), NoChance())
    assert isinstance(again, Refusal)
    assert again.code == "not-rolled"
    taken = Action("draw", 1, {"cell": "d4", "route": "NS", "from": "die"})
    answer = GAME.decide(state, taken, NoChance())
    assert isinstance(answer, Refusal)
    assert answer.code == "occupied"


def test_what_must_be_drawn_holds_the_round_open() -> None:
    state = does(
        begun(expansion="lava", seats=1), "roll", None, faces=["NS", "NS", "N*", "NES", "lava:NE", "lava:NS"]
    )
    for cell, route in (("b1", "NS"), ("f1", "NS"), ("b7", "S*"), ("f7", "ESW")):
        state = does(state, "draw", cell=cell, route=route)
    answer = GAME.decide(state, Action("done", 1), NoChance())
    assert isinstance(answer, Refusal)
    assert answer.code == "expansion-die"
    state = does(state, "place", uses=["lava:NE"], marks={"d3": "lava:ES"})
    assert does(state, "done").round == 2


def test_every_sign_and_face_of_the_tables_can_be_read() -> None:
    for name, table in TABLES.items():
        for die in table.roll:
            assert len(table.dice[die]) == 6
        board(name, {}, table.start)


def test_move_lists_with_an_expansion_are_checked_in_their_order() -> None:
    told: JsonObject = {"expansion": {"name": "forest"}, "cells": {"b1": "NS"}}
    first: JsonObject = {"uses": ["NE+trees"], "cell": "b2", "route": "NE", "marks": {"b2": "trees"}}
    alone: JsonObject = {"uses": ["trees"], "marks": {"c2": "trees"}}
    onto: JsonObject = {"cell": "c2", "route": "EW"}
    assert GAME.check_moves({**told, "moves": [first, onto]}) == {"valid": True}
    refused = GAME.check_moves({**told, "moves": [first, alone, onto]})
    assert (refused["valid"], refused["at"], refused["code"]) == (False, 2, "occupied")
    again = GAME.check_moves({**told, "moves": [first, first]})
    assert (again["at"], again["code"]) == (1, "not-placed")


def test_underground_as_a_game_of_its_own_has_its_dice_and_three_of_them_twice() -> None:
    state = begun(expansion="underground-alone", seats=1)
    assert (state.options.all_rounds, state.options.goals, state.options.board.goals) == (7, (), False)
    state = does(state, "roll", None, faces=["NS*", "NES", "nesw", "NE*|sw"])
    kinds = {one.data["from"] for one in GAME.legal(state, 1) if one.kind == "draw"}
    assert kinds == {"die", "copy"}  # no special routes
    for cell, route, source in (("b1", "NS*", "die"), ("f1", "NS*", "copy"), ("b2", "NES", "die")):
        answer = GAME.decide(
            state, Action("draw", 1, {"cell": cell, "route": route, "from": source}), NoChance()
        )
        assert isinstance(answer, Fact), answer
        state = GAME.apply(state, answer)
    for again in ({"route": "ESW"}, {"route": "NESW", "from": "special"}):
        answer = GAME.decide(state, Action("draw", 1, {"cell": "b3", "from": "copy", **again}), NoChance())
        assert isinstance(answer, Refusal)
        assert answer.code in ("copy-this-round", "not-a-source")
    assert isinstance(GAME.decide(state, Action("done", 1), NoChance()), Refusal)  # two dice still fit


def test_underground_alone_scores_what_the_board_below_would_with_nothing_above() -> None:
    cells = {
        "b1": "NW",
        "a1": "ES",
        "a2": "NS*",
        "a3": "NS",
        "a4": "NW",
        "d1": "ns",
        "d2": "nesw",
        "d3": "ES*|nw",
    }
    alone = counted("underground-alone", cells, {})
    below = counted("underground", {}, {cell: f"below:{route}" for cell, route in cells.items()})
    assert alone.total == below.total == below.expansion
    assert [line.says for line in alone.stars] == ["Longest pipe a second time, 3 spaces"]
    assert len(alone.errors) == 5


def test_goals_and_other_expansions_do_not_go_with_a_game_of_its_own() -> None:
    with pytest.raises(NotationError, match="no goals"):
        score(read_position({"cells": {}, "goals": ["A"], "expansion": {"name": "underground-alone"}}))
    request = MatchRequest(
        1, "umpire", {"expansion": "forest", "more": ["underground-alone"], "size": "giant"}
    )
    answer = GAME.setup(request, NoChance())
    assert isinstance(answer, Refusal)
    assert "board of its own" in answer.message


def test_below_ground_all_four_dice_have_to_be_drawn() -> None:
    state = does(begun(expansion="underground", seats=1), "roll", None, faces=["NS", "NS", "N*", "NS|ew"])
    for cell, route in (("b1", "NS"), ("f1", "NS"), ("b7", "S*"), ("b2", "NS|ew")):
        state = does(state, "draw", cell=cell, route=route)
    state = does(does(state, "done"), "roll", None, faces=["NS*", "NS", "ns", "NS|ew"])
    for _ in range(4):
        answer = GAME.decide(state, Action("done", 1), NoChance())
        assert isinstance(answer, Refusal)
        assert answer.code == "expansion-die"
        place = next(one for one in GAME.legal(state, 1) if one.kind == "place" and one.data["uses"])
        state = does(state, "place", **place.data)
    assert does(state, "done").round == 3


@pytest.mark.parametrize(
    ("name", "marks", "line"),
    [
        ("forest", {"c3": "trees"}, "Forest of 1 space, 2 points each"),
        ("forest", {"c3": "trees", "e3": "trees"}, "Forest of 1 space, 1 point each"),
        ("desert", {"c3": "cactus"}, "1 cactus"),
        ("desert", {"c3": "cacti"}, "2 cacti"),
        ("canyon", {"c1-d1": "canyon"}, "Longest canyon, 1 piece"),
        ("river", {"c3": "river:NE"}, "River of 1 space"),
        ("lake", {"c3": "lake:NE"}, "Smallest lake, 1 space"),
    ],
)
def test_one_is_told_as_one(name: str, marks: dict[str, str], line: str) -> None:
    found = score(read_position({"cells": {}, "expansion": {"name": name, "marks": marks}}))
    assert line in [star.says for star in found.stars]


@pytest.mark.parametrize(
    ("name", "mark", "how"),
    [
        ("lake", "lake", "lake: and its sides, such as lake:NE"),
        ("city-builder", "tower:x", "tower, or tower:2 with a number"),
        ("trail", "trail:up", "trail, trail:nw-se or trail:ne-sw"),
        ("forest", "trees:3", "write trees"),
    ],
)
def test_a_mark_that_is_badly_written_says_how(name: str, mark: str, how: str) -> None:
    with pytest.raises(NotationError, match=how):
        read_position({"cells": {}, "expansion": {"name": name, "marks": {"c3": mark}}})
