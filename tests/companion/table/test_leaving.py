"""People leave, hand over, come back and come late: nobody waits for them, and only those who play rank."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.game.base import Action
from companion.game.bots import any_action
from companion.game.registry import GAMES
from companion.games.railroad_ink.rules.boards.board import Board, Drawing
from companion.games.railroad_ink.rules.match.game import RailroadInk
from companion.table.authority import STAND_IN
from companion.table.chance import SeededChance
from companion.table.events import Actor, sealed
from companion.table.match import Match
from companion.table.replay import replayed, verified
from companion.table.requests import admit_fault
from companion.table.standings import standings
from companion.table.store import Store
from companion.table.table import Accepted, Refused, Table
from tests.companion.table.toygame import ToyGame

HOST = Actor("host")
EVERY: dict[str, Any] = {**GAMES, "toy": ToyGame()}
CY = {"name": "Cy", "colour": "green", "shape": "star"}
DI = {"name": "Di", "colour": "violet", "shape": "hexagon"}
OURS = ("railroad-ink", "derailed", "spike", "empire-builder")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path) as opened:
        yield opened


def begun(store: Store, game: str, *players: str, seed: int = 1, **more: Any) -> Table:
    table = Table(store, EVERY, chance=SeededChance(seed))
    done(table, Action("start", data={"game": game, "players": list(players), **more}), HOST)
    return table


def done(table: Table, action: Action, actor: Actor | None = None) -> Accepted:
    answer = table.submit(action, actor or Actor("player", action.seat))
    assert isinstance(answer, Accepted), (action, answer)
    return answer


def refused(table: Table, action: Action, actor: Actor | None = None) -> str:
    answer = table.submit(action, actor or Actor("player", action.seat))
    assert isinstance(answer, Refused), answer
    return answer.code


def now(table: Table) -> Match:
    match = table.current
    assert match is not None
    return match


def hold(seat: int, by: str, **more: Any) -> Action:
    return Action("hold", seat, {"by": by, **more})


def roll(table: Table) -> None:
    done(table, Action("roll", data={"faces": ["ne", "NS", "N*", "NS|ew"]}), HOST)


def draw_all(table: Table, seat: int) -> None:
    """A seat plays its round to the end."""
    number = now(table).state.at_seat(seat).round
    while seat not in now(table).state.done and now(table).state.at_seat(seat).round == number:
        legal = now(table).game.legal(now(table).state, seat)
        done(table, next((one for one in legal if one.kind == "done"), legal[0]))
        if not now(table).state.dice:
            return


def test_a_round_goes_on_without_a_seat_that_was_left(store: Store) -> None:
    table = begun(store, "railroad-ink", "North", "East", "South")
    roll(table)
    draw_all(table, 1)
    draw_all(table, 2)
    assert now(table).state.round == 1
    done(table, hold(3, "nobody"))
    assert now(table).state.round == 2, "those who are left were all done"
    assert now(table).game.legal(now(table).state, 3) == []
    assert refused(table, Action("roll", 3), Actor("player", 3)) == "left"


def test_a_seat_that_was_left_is_taken_again_and_plays_the_present_round(store: Store) -> None:
    table = begun(store, "railroad-ink", "North", "East")
    done(table, hold(2, "nobody", free=True))
    roll(table)
    draw_all(table, 1)
    assert now(table).state.round == 2
    roll(table)
    done(table, hold(2, "person"))
    draw_all(table, 1)
    assert now(table).state.round == 2, "East is waited for again"
    draw_all(table, 2)
    assert now(table).state.round == 3
    assert now(table).holders == {}


def test_only_those_who_play_rank(store: Store) -> None:
    table = begun(store, "railroad-ink", "North", "East", "", "")
    roll(table)
    draw_all(table, 1)
    draw_all(table, 2)
    assert [row["place"] for row in standings(now(table))].count(None) == 0, "somebody may still sit down"
    done(table, Action("hold", 1, {"by": "nobody"}), HOST)
    assert standings(now(table))[-1]["seat"] == 1, "who left does not rank"
    done(table, Action("hold", 1, {"by": "person"}), HOST)
    done(table, Action("end"), HOST)
    rows = standings(now(table))
    assert {row["seat"] for row in rows[2:]} == {3, 4}
    assert [(row["place"], row["absent"]) for row in rows[2:]] == [(None, "empty"), (None, "empty")]
    assert [row["place"] for row in rows[:2]] in ([1, 2], [1, 1])


def test_where_nobody_is_there_everybody_keeps_the_place_of_the_rules(store: Store) -> None:
    table = begun(store, "railroad-ink", "", "")
    assert [row["place"] for row in standings(now(table))] == [1, 1]


def test_ending_a_match_judges_the_goals_of_those_who_are_done(store: Store) -> None:
    """Both have filled three corners; North has said that the round is done, East has not."""
    table = begun(store, "railroad-ink", "North", "East", options={"goals": "none"})
    game, state = RailroadInk(), now(table).state
    board = Board(tuple(Drawing(cell, "NS", "given", 1) for cell in ("a1", "g1", "a7")))
    options = msgspec.structs.replace(state.options, goals=("D",))
    boards = {1: board, 2: board}
    judged = game.close(msgspec.structs.replace(state, options=options, boards=boards, done=(1,)))
    assert judged.achieved == {"D": {1: 1}}
    left = msgspec.structs.replace(state, options=options, boards=boards, done=(1,), out=(1,))
    assert game.close(left).achieved == {"D": {}}
    done(table, Action("end"), HOST)
    assert now(table).events[-1].data == {"judged": True}
    assert verified(now(table).events, EVERY).fault is None


def test_a_match_that_was_ended_by_an_older_box_stays_as_it_was(store: Store) -> None:
    table = begun(store, "railroad-ink", "North")
    before = now(table).state
    done(table, Action("end"), HOST)
    old = now(table).events[-1]
    assert old.data == {"judged": True}
    import msgspec

    events = [*now(table).events[:-1], sealed(msgspec.structs.replace(old, data={}))]
    assert verified(events, EVERY).fault is None
    assert replayed(events, EVERY).state == before


def test_a_bot_plays_until_the_seat_is_taken_back(store: Store) -> None:
    table = begun(store, "railroad-ink", "North", "East")
    roll(table)
    done(table, hold(2, "bot"))
    action = now(table).game.legal(now(table).state, 2)[0]
    assert refused(table, action) == "bot-plays"
    done(table, action, STAND_IN)
    done(table, hold(2, "person"))
    assert now(table).holders == {}
    late = now(table).game.legal(now(table).state, 2)[0]
    assert refused(table, late, STAND_IN) == "taken-back"


def test_as_scorekeeper_there_are_no_bots(store: Store) -> None:
    table = begun(store, "railroad-ink", "North", "East", mode="scorekeeper")
    assert refused(table, hold(2, "bot"), HOST) == "no-bot"
    done(table, hold(2, "nobody"))
    done(table, Action("done", 1))
    assert now(table).finished, "nobody waits for East's board"


@pytest.mark.parametrize(
    ("action", "actor", "code"),
    [
        (hold(2, "nobody"), Actor("player", 1), "not-your-seat"),
        (hold(2, "nobody"), Actor("watcher"), "watching"),
        (hold(9, "nobody"), HOST, "no-seat"),
        (hold(1, "person"), HOST, "no-change"),
        (hold(1, "person", free=True), HOST, "not-free"),
        (hold(1, "ghost"), HOST, "bad-shape"),
        (Action("admit", 1, CY), Actor("player", 1), "host-only"),
        (Action("admit", 7, CY), HOST, "no-seat"),
        (Action("admit", data={**CY, "person": "not one"}), HOST, "bad-shape"),
    ],
)
def test_who_may_not(store: Store, action: Action, actor: Actor, code: str) -> None:
    table = begun(store, "railroad-ink", "North", "East")
    assert refused(table, action, actor) == code


def test_a_late_guest_gets_a_board_and_draws_what_it_missed(store: Store) -> None:
    table = begun(store, "railroad-ink", "North")
    roll(table)
    done(table, Action("admit", data={**CY, "person": "p1"}), HOST)
    assert now(table).players[2].person == "p1"
    draw_all(table, 1)
    assert now(table).state.round == 1, "Cy is waited for"
    draw_all(table, 2)
    assert now(table).state.round == 2
    done(table, Action("admit", data=DI), HOST)
    roll(table)
    draw_all(table, 3)
    assert now(table).state.caught_up == {3: 2}
    draw_all(table, 1)
    draw_all(table, 2)
    assert now(table).state.round == 2, "Di is level and waited for"
    draw_all(table, 3)
    assert now(table).state.round == 3
    assert verified(now(table).events, EVERY).fault is None


def test_in_a_round_of_a_club_nobody_joins_who_could_know_the_dice(store: Store) -> None:
    duplicate = {"round": 1, "commitment": "0" * 64, "word": "0" * 32}
    table = begun(store, "railroad-ink", "North", duplicate=duplicate)
    for _ in range(2):
        assert admit_fault(now(table)) is None
        done(table, Action("roll"), HOST)
        draw_all(table, 1)
    assert refused(table, Action("admit", data=DI), HOST) == "too-late"


@pytest.mark.parametrize("game", ["derailed", "empire-builder"])
@pytest.mark.parametrize("mode", ["umpire", "scorekeeper"])
def test_other_games_take_a_late_guest_who_has_missed_nothing(store: Store, game: str, mode: str) -> None:
    table = begun(store, game, "North", "East", mode=mode)
    done(table, Action("admit", data=DI), HOST)
    assert now(table).players[3].name == "Di"
    if mode == "umpire":
        chance, seen = SeededChance(1), set()
        while 3 not in seen:
            match = now(table)
            seat = next(one for one in match.players if match.game.legal(match.state, one))
            action = any_action(match.game, match.state, seat, chance)
            assert action is not None
            done(table, action)
            seen.add(seat)
        if game == "derailed":
            assert refused(table, Action("admit", data=CY), HOST) == "too-late"
    assert verified(now(table).events, EVERY).fault is None


def test_where_cards_are_dealt_out_among_all_it_is_too_late(store: Store) -> None:
    assert refused(begun(store, "spike", "North", "East"), Action("admit", data=DI), HOST) == "too-late"


@pytest.mark.parametrize("game", OURS)
@pytest.mark.parametrize("seed", [1, 2])
def test_whoever_leaves_and_comes_back_a_match_goes_on_and_is_replayed_strictly(
    store: Store, game: str, seed: int
) -> None:
    """Bots play; now and then one leaves, is replaced or comes back. The others are never stuck."""
    table = begun(store, game, "Asha", "Bo", "Cyd", "Dee", seed=seed)
    chance = SeededChance(seed)
    for _ in range(120 if game == "empire-builder" else 250):
        match = now(table)
        if match.finished:
            break
        if chance.below(12) == 0:
            seat = 1 + chance.below(4)
            by = ("person", "bot", "nobody")[chance.below(3)]
            others = (
                {*match.players}
                - {seat}
                - {one for one, held in match.holders.items() if held.by == "nobody"}
            )
            if match.holder(seat).by != by and others:
                done(table, hold(seat, by), HOST)
            continue
        able = [seat for seat in match.players if match.game.legal(match.state, seat)]
        assert able, "somebody who plays can always do something"
        assert all(match.holder(seat).by != "nobody" for seat in able)
        seat = able[chance.below(len(able))]
        action = any_action(match.game, match.state, seat, chance)
        assert action is not None
        done(table, action, HOST)
    assert verified(now(table).events, EVERY).fault is None
    assert {event.kind for event in now(table).events} >= {"hold"}


def test_everybody_may_leave_and_somebody_comes_back(store: Store) -> None:
    for game in OURS:
        table = begun(store, game, "Asha", "Bo", "Cyd")
        for seat in (1, 2, 3):
            done(table, hold(seat, "nobody"))
        assert not now(table).finished
        done(table, hold(2, "person"))
        assert now(table).game.legal(now(table).state, 2), game
        assert verified(now(table).events, EVERY).fault is None


def test_a_game_without_an_answer_is_played_on_by_a_stand_in(store: Store) -> None:
    table = begun(store, "toy", "North", "East")
    done(table, hold(1, "nobody"))
    card = {"card": now(table).state.hands[1][0]}
    assert refused(table, Action("play", 1, card)) == "left"
    done(table, Action("play", 1, card), STAND_IN)
    assert [row["seat"] for row in standings(now(table)) if row["place"]] == [2]


# --- rolls that were entered by hand ---

WRONG, RIGHT = ["ne", "NS", "N*", "NS|ew"], ["ne", "ns", "N*", "NS|ew"]


def test_a_roll_entered_by_hand_is_taken_back_by_whoever_entered_it(store: Store) -> None:
    table = begun(store, "railroad-ink", "North", "East")
    done(table, Action("roll", 1, {"faces": WRONG}))
    assert refused(table, Action("undo", 2)) == "nothing-to-undo"
    done(table, Action("undo", 1))
    assert now(table).state.dice == ()
    done(table, Action("roll", 1, {"faces": WRONG}))
    done(table, Action("undo"), HOST)
    assert now(table).state.dice == ()
    assert verified(now(table).events, EVERY).fault is None


def test_once_something_was_drawn_a_roll_is_corrected_not_taken_back(store: Store) -> None:
    table = begun(store, "railroad-ink", "North", "East")
    seq = done(table, Action("roll", 1, {"faces": WRONG})).event.seq
    legal = now(table).game.legal(now(table).state, 2)
    done(table, next(one for one in legal if one.data.get("route") in ("ne", "es", "sw", "nw")))
    assert refused(table, Action("undo", 1, {"seq": seq})) == "behind-a-roll"
    right = {"seq": seq, "data": {"faces": RIGHT}}
    assert refused(table, Action("correct", 2, right)) == "not-your-seat"
    assert refused(table, Action("propose", 2, right)) == "not-your-seat"
    assert refused(table, Action("correct", 1, right)) == "everybody"
    asked = done(table, Action("propose", 1, right)).event
    assert list(now(table).state.dice) == WRONG
    done(table, Action("agree", 2, {"seq": asked.seq}))
    assert list(now(table).state.dice) == RIGHT
    assert verified(now(table).events, EVERY).fault is None


def test_dice_are_changed_alone_only_until_somebody_has_played_with_them(store: Store) -> None:
    table = begun(store, "railroad-ink", "North", "East")
    seq = done(table, Action("roll", 1, {"faces": WRONG})).event.seq
    done(table, Action("correct", 1, {"seq": seq, "data": {"faces": RIGHT}}))
    legal = now(table).game.legal(now(table).state, 1)
    done(table, next(one for one in legal if one.data.get("route") in ("ne", "es", "sw", "nw")))
    wrong = {"seq": seq, "data": {"faces": WRONG}}
    assert refused(table, Action("correct", 1, wrong)) == "everybody"
    done(table, Action("correct", None, wrong), HOST)
    done(table, hold(2, "nobody"))
    done(table, Action("correct", 1, {"seq": seq, "data": {"faces": RIGHT}}))  # nobody is left to be asked
    assert list(now(table).state.dice) == RIGHT
    assert verified(now(table).events, EVERY).fault is None


def test_what_a_roller_threw_stays(store: Store) -> None:
    table = begun(store, "railroad-ink", "North")
    done(
        table, Action("roll", data={"faces": WRONG, "source": {"kind": "roller"}}), Actor("device", name="r")
    )
    assert refused(table, Action("undo"), HOST) == "behind-a-roll"
