"""The box deals, people deal on the table, or a scorekeeper: three ways through a match."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.errors import GameError
from companion.core.jsontext import JsonObject, json_of
from companion.core.records import replaced
from companion.game.base import Action, MatchRequest, NoChance, Refusal
from companion.games.spike.rules.match.state import State, with_player
from companion.table.chance import SeededChance
from lab.spike.randomplay import random_match, random_start
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
    with_cards_for,
    with_network,
)

TULSA = way("topeka", "tulsa")


# --- the box deals ---


@pytest.mark.parametrize("seed", range(30))
def test_a_random_match_ends_by_the_rules_with_everything_conserved(seed: int) -> None:
    options: JsonObject = {
        "play": ("basic", "advanced")[seed % 2],
        "segments": ("exclusive", "shared")[seed // 2 % 2],
        "skipped_city": ("free", "counts")[seed // 4 % 2],
        "reach": ("one", "several")[seed // 8 % 2],
        "rejoin": ("no", "yes")[seed // 16 % 2],
    }
    chance = SeededChance(seed)
    before = random_start(MatchRequest(2 + seed % 3, "umpire", options), chance)
    last = before
    for done, now in random_match(before, chance):
        assert GAME.faults(now) == [], done
        assert GAME.decide(last, done, NoChance()) == done
        assert msgspec.json.decode(json_of(now), type=State) == now
        last = now
    assert last.finished
    assert last.times == 3 or last.last_turns == 0
    rows = GAME.score(last)
    assert [row["place"] for row in rows] == sorted(row["place"] for row in rows)


def test_every_action_kind_is_refused_in_a_sentence_outside_its_time() -> None:
    for state in (begun(2), playing("topeka", "norfolk")):
        for kind in ("sides", "declare", "market", "time", "route"):
            assert refusal(state, kind, **_data_for(kind)).message
    assert refusal(begun(2), "build", path=TULSA).code == "not-now"
    assert "first" in refusal(begun(2), "draw", **source("deck")).message
    assert refusal(begun(2), "dance").code == "unknown-action"
    assert GAME.decide(begun(2), Action("draw", None, {}), NoChance()) == Refusal(
        "no-seat", "say for which seat"
    )


def _data_for(kind: str) -> dict[str, Any]:
    given: dict[str, dict[str, Any]] = {
        "declare": {"contracts": []},
        "market": {"columns": []},
        "route": {"card": "topeka"},
    }
    return given.get(kind, {})


@settings(max_examples=60, deadline=None)
@given(
    kind=st.sampled_from(
        ["draw", "build", "move", "motion", "boost", "upgrade", "load", "deliver", "dump", "report"]
    ),
    data=st.dictionaries(
        st.sampled_from(["from", "path", "cards", "to", "part", "good", "tracks", "chance", "count"]),
        st.one_of(
            st.text(max_size=8),
            st.integers(),
            st.lists(st.text(max_size=5), max_size=3),
            st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
        ),
        max_size=3,
    ),
)
def test_any_nonsense_is_refused_in_a_sentence(kind: str, data: JsonObject) -> None:
    answer = answered(playing("topeka", "norfolk"), Action(kind, 1, data))
    assert isinstance(answer, str | Refusal) or answer.kind == kind
    assert answer


def answered(state: State, action: Action) -> Any:
    try:
        return GAME.decide(state, action, NoChance())
    except GameError as problem:
        return problem.message


def test_undo_never_crosses_a_card_that_was_seen() -> None:
    state = playing("topeka", "norfolk")
    assert GAME.lasting(fact(state, "draw", **source("deck")))
    assert not GAME.lasting(fact(with_cards_for(state, 1, TULSA), "build", path=TULSA))


def test_a_reading_of_the_board_is_the_build_that_explains_it() -> None:
    state = with_cards_for(playing("topeka", "norfolk"), 1, TULSA)
    read = fact(state, "report", tracks={"1": TULSA[::-1]})
    assert (read.kind, read.data["path"]) == ("build", TULSA)
    assert GAME.apply(state, read).players[1].tracks == tuple(TULSA)


@pytest.mark.parametrize(
    ("tracks", "code"),
    [
        ({"1": []}, "no-change"),
        ({"2": way("norfolk", "raleigh")}, "not-your-turn"),
        ({"1": [*TULSA, *way("tulsa", "dallas")]}, "too-many"),
        ({"1": TULSA[:1]}, "unexplained"),
        ({"7": TULSA}, "no-seat"),
    ],
)
def test_a_reading_that_is_no_build(tracks: dict[str, list[str]], code: str) -> None:
    assert refusal(playing("topeka", "norfolk"), "report", tracks=tracks).code == code


# --- people's own cards ---


def at_the_table(seats: int = 2) -> State:
    """Contracts and market declared, trains placed."""
    state = begun(seats, deal="table", first=1)
    goods, each = list(BOARD.goods), 12 // seats
    for seat in range(1, seats + 1):
        names = [f"{good}-1a" for good in goods[(seat - 1) * each : seat * each]]
        state = after(state, "declare", seat, contracts=names)
    state = after(state, "market", 1, columns=[goods[n * 3 : n * 3 + 3] for n in range(4)])
    for seat, city in zip(range(1, seats + 1), ("topeka", "norfolk", "boston", "miami"), strict=False):
        state = after(state, "place", seat, city=city)
    return state


def test_everybody_says_what_was_dealt() -> None:
    state = begun(2, deal="table")
    assert GAME.legal(state, 1) == [Action("market", 1), Action("declare", 1)]
    goods = list(BOARD.goods)
    assert refusal(state, "declare", 1, contracts=["pigs-1a"]).code == "bad-contracts"
    state = after(state, "declare", 1, contracts=[f"{good}-2b" for good in goods[:6]])
    again = [f"{good}-1a" for good in goods[5:11]]
    assert refusal(state, "declare", 2, contracts=again).code == "bad-contracts"
    assert refusal(state, "declare", 1, contracts=again).code == "done"
    assert refusal(state, "market", 1, columns=[goods[:3]] * 4).code == "bad-shuffle"
    assert at_the_table(4).phase == "play"


def test_the_card_to_the_right_has_been_passed() -> None:
    assert [player.held for player in at_the_table(3).players.values()] == [4, 5, 6]


def test_the_phones_say_what_was_played_and_the_rules_check_it() -> None:
    state = at_the_table()
    assert GAME.view(state, 1)["hand"] is None
    cards = {BOARD.tracks[track].suit: 1 for track in TULSA}
    assert refusal(state, "build", path=TULSA, cards={"white": 3}).code == "wrong-cards"
    built = after(state, "build", path=TULSA, cards=cards)
    assert built.players[1].held == 4 - len(TULSA)
    assert refusal(after(state, "draw", count=2), "draw", 2, count=3).code == "bad-count"
    assert after(state, "draw", count=2).players[1].held == 6


def test_more_cards_than_somebody_holds_cannot_be_played() -> None:
    state = with_player(at_the_table(), 1, held=len(TULSA) - 1)
    assert refusal(state, "build", path=TULSA).code == "not-in-hand"
    many = with_player(state, 1, held=40)
    assert refusal(many, "build", path=TULSA, cards={"white": 11}).code == "not-in-hand"
    assert refusal(many, "build", path=TULSA, cards={"white": -1}).code == "not-in-hand"


def test_no_more_cards_are_claimed_than_there_are() -> None:
    """Seven of each suit are in play for two; played ones lie on the discard pile until a shuffle."""
    many = with_player(at_the_table(), 1, held=40)
    answer = refusal(many, "build", path=TULSA, cards={"white": 8})
    assert answer.code == "not-in-hand"
    assert answer.message == "8 white cards cannot be played: there are 7, and 0 lie on the discard pile"
    suit = BOARD.tracks[TULSA[0]].suit
    need = {BOARD.tracks[track].suit: 1 for track in TULSA}
    place = list(BOARD.suits).index(suit)
    all_gone = replaced(many, discards=tuple(7 * (number == place) for number in range(6)))
    assert "there are 7, and 7 lie on the discard pile" in refusal(all_gone, "build", path=TULSA).message
    assert refusal(all_gone, "build", path=TULSA, cards=need).code == "not-in-hand"
    assert TULSA not in [list(one.data["path"]) for one in GAME.legal(all_gone, 1) if one.kind == "build"]
    built = after(many, "build", path=TULSA, cards=need)
    assert sum(built.discards) == len(TULSA)
    shuffled = after(all_gone, "time")
    assert after(shuffled, "build", path=TULSA, cards=need).players[1].tracks == tuple(TULSA)
    earlier = replaced(all_gone, revision=1)
    assert after(earlier, "build", path=TULSA, cards=need).players[1].tracks == tuple(TULSA)


def test_an_exhausted_deck_of_their_own_is_passed() -> None:
    state = at_the_table()
    assert refusal(state, "pass").code == "not-needed"
    one_left = with_player(with_player(state, 1, held=20), 2, held=7 * 6 - 21)
    assert [one.data for one in GAME.legal(one_left, 1) if one.kind == "draw"] == [{"count": 1}]
    assert refusal(one_left, "draw", count=2).message == "cards left to be drawn: 1, the others are in hands"
    none_left = with_player(one_left, 2, held=7 * 6 - 20)
    assert {one.kind for one in GAME.legal(none_left, 1)} >= {"pass"}
    assert after(none_left, "pass").turn == 2
    rich = with_player(none_left, 1, money=40)
    assert refusal(rich, "pass").code == "not-needed"  # an upgrade is an action, too
    played = replaced(none_left, discards=(2, 0, 0, 0, 0, 0))
    two_free = with_player(played, 1, held=18)
    assert refusal(two_free, "pass").code == "not-needed"  # they are shuffled
    assert (
        after(replaced(two_free, round=3), "pass").turn == 2
    )  # in the last round nothing is shuffled any more


def test_time_cards_are_said_and_the_third_of_the_last_round_ends_the_match() -> None:
    state = at_the_table()
    for expected in ((2, 0), (3, 0), (3, 1), (3, 2)):
        state = after(state, "time")
        assert (state.round, state.times) == expected
    state = after(state, "time")
    assert (state.phase, state.finished) == ("reveal", False)
    assert (
        refusal(state, "draw", 1, count=1).message
        == "turns are over: only the route cards are still to be shown"
    )
    assert refusal(state, "draw", count=1).code == "not-now"
    state = after(state, "route", 2, card="topeka")
    assert refusal(state, "route", 1, card="topeka").code == "taken"
    assert after(state, "route", 1, card="norfolk").finished


def test_everything_listed_at_the_table_is_accepted() -> None:
    state = with_network(at_the_table(), 1, "topeka", "tulsa")
    for action in GAME.legal(state, 1):
        assert not isinstance(GAME.decide(state, action, NoChance()), Refusal), action
    assert {"build", "draw", "time"} <= {action.kind for action in GAME.legal(state, 1)}


def test_without_a_deck_only_what_lies_open_is_conserved() -> None:
    assert GAME.faults(at_the_table()) == []


# --- the scorekeeper ---


def keeping() -> State:
    return begun(2, mode="scorekeeper")


def report(state: State, **said: Any) -> State:
    return GAME.apply(state, reported(state, **said))


def reported(state: State, **said: Any) -> Any:
    decided = GAME.decide(state, Action("report", None, said), NoChance())
    assert not isinstance(decided, Refusal), decided
    assert GAME.decide(state, decided, NoChance()) == decided
    return decided


def test_positions_money_and_routes_are_reported_at_any_time() -> None:
    state = report(keeping(), tracks={"1": TULSA}, money={"1": 7, "2": 3})
    state = report(state, routes={"1": "topeka"})
    row = GAME.score(state)[0]
    assert (row["seat"], row["money"], state.players[2].money) == (1, 7, 3)
    assert any("route" in line for line in row["lines"])


def test_what_looks_wrong_is_remarked_not_put_right() -> None:
    state = report(keeping(), tracks={"1": TULSA})
    said = reported(state, tracks={"1": [TULSA[0], *way("norfolk", "raleigh")], "2": [TULSA[0]]})
    remarks = "\n".join(said.data["remarks"])
    assert "track that was there before is gone" in remarks
    assert "the network is in pieces" in remarks
    assert f"the seats 1 and 2 both have track on {TULSA[0]}" in remarks


def test_track_that_leads_to_no_city_is_remarked() -> None:
    lonely = next(name for name, track in BOARD.tracks.items() if not set(track.track) & set(BOARD.cities))
    assert reported(keeping(), tracks={"1": [lonely]}).data["remarks"] == [
        "seat 1: the track leads to no city"
    ]


def test_a_scorekeepers_match_is_over_when_every_result_is_final() -> None:
    state = after(keeping(), "done", 1)
    assert refusal(state, "done", 1).code == "done"
    assert [action.kind for action in GAME.legal(state, 1)] == ["report"]
    assert after(state, "done", 2).finished


def test_each_way_to_play_has_its_own_actions() -> None:
    assert refusal(keeping(), "draw", 1, **source("deck")).code == "unknown-action"
    assert refusal(playing("topeka", "norfolk"), "done", 1).code == "unknown-action"
    assert GAME.faults(keeping()) == []
    assert GAME.view(keeping(), 1)["mode"] == "scorekeeper"
