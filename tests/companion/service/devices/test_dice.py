"""A virtual roller on a pseudo-terminal, the whole bridge, and a table: rolls become events."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest

from companion.game.base import Action
from companion.game.registry import GAMES
from companion.languages import said
from companion.service.devices.dice import TableDice, _Request, dice_for
from companion.service.devices.dice_policy import DicePolicy
from companion.service.export.proving import prove_rolls
from companion.table.chance import SeededChance
from companion.table.events import Actor, Event, sealed
from companion.table.match import Match
from companion.table.replay import verified
from companion.table.store import Store
from companion.table.table import Accepted, Refused, Table
from firmware_bridge.dice import Die, Roll, Thrown
from firmware_bridge.log import RollLog
from firmware_bridge.ports import Port
from firmware_bridge.roller import DiceRoller
from firmware_bridge.simulator import VirtualPort, VirtualRoller

HOST = Actor("host")
WAIT = 20.0


@dataclass
class House:
    """A table with a virtual roller."""

    table: Table
    dice: TableDice
    port: VirtualPort

    def start_match(self, *, fair: bool = False, players: int = 2) -> str:
        data = {"game": "railroad-ink", "players": [""] * players, **({"fair": True} if fair else {})}
        answer = self.table.submit(Action("start", data=data), HOST)
        assert isinstance(answer, Accepted), answer
        return answer.event.match

    def events(self, kind: str) -> list[Event]:
        assert self.table.current
        return [event for event in self.table.current.events if event.kind == kind]


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    port = VirtualPort(VirtualRoller(seed=5))
    name = port.plug()
    roller = DiceRoller(lambda: [Port(name)], log=RollLog(tmp_path / "rolls.jsonl"))
    connected = threading.Event()
    with Store(tmp_path) as store:
        table = Table(store, GAMES, chance=SeededChance(1))
        policy = DicePolicy(store.setting)
        dice = TableDice(table, roller, policy, lambda state: connected.set() if state.connected else None)
        dice.start()
        try:
            assert connected.wait(WAIT)
            yield House(table, dice, port)
        finally:
            dice.stop()
            port.unplug()


def until(table: Table, wanted: Callable[[Event], bool]) -> Event:
    """The next event of this kind."""
    subscription = table.subscribe()
    assert table.current
    for event in table.current.events:
        if wanted(event):
            return event
    for _ in range(int(WAIT)):
        for event in subscription.read(1.0):
            if wanted(event):
                return event
    raise AssertionError("it did not happen")


def test_equal_dice_have_names_of_their_own() -> None:
    assert [die.name for die in dice_for(GAMES["railroad-ink"], ["A", "A", "A", "B"])] == [
        "A1",
        "A2",
        "A3",
        "B",
    ]


def test_a_roll_asked_for_on_a_phone(house: House) -> None:
    house.start_match()
    answer = house.dice.roll(Actor("player", 1), "key")
    assert isinstance(answer, Accepted), answer
    assert answer.event.data["source"]["kind"] == "virtual"
    assert answer.event.data["source"]["by"] == "request"
    assert answer.event.device is not None
    assert house.table.current
    assert house.table.current.state.dice == tuple(answer.event.data["faces"])


def test_a_roll_by_the_rollers_own_button_is_the_same_event(house: House) -> None:
    house.start_match()
    asked = house.dice.roll(HOST)
    assert isinstance(asked, Accepted)
    play_round(house)
    wait_shown(house)
    house.port.roller.press()
    pressed = until(house.table, lambda event: event.kind == "roll" and event.seq > asked.event.seq)
    assert pressed.data["source"]["by"] == "button"
    assert (pressed.kind, set(pressed.data)) == (asked.event.kind, set(asked.event.data))


def play_round(house: House) -> None:
    match = house.table.current
    assert match
    here = match.state.round
    chance = SeededChance(3)
    while match.state.round == here and not match.finished:
        for seat in match.players:
            assert house.table.current
            match = house.table.current
            legal = match.game.legal(match.state, seat)
            if legal and legal[0].kind != "roll":
                house.table.submit(legal[chance.below(len(legal))], Actor("player", seat))
        assert house.table.current
        match = house.table.current


def wait_shown(house: House) -> None:
    """Until the roller has been told the dice of the next round."""
    shown = threading.Event()
    for _ in range(int(WAIT * 20)):
        if house.port.roller.firmware.dice:
            return
        shown.wait(0.05)
    raise AssertionError("the roller was told no dice")


def test_two_phones_at_once_make_one_roll(house: House) -> None:
    house.start_match()
    answers: list[Accepted | Refused] = []
    phones = [
        threading.Thread(target=lambda seat=seat: answers.append(house.dice.roll(Actor("player", seat))))
        for seat in (1, 2)
    ]
    for phone in phones:
        phone.start()
    for phone in phones:
        phone.join(WAIT)
    assert len(house.events("roll")) == 1
    assert len(answers) == 2
    assert any(isinstance(answer, Accepted) for answer in answers)


def test_who_asks_while_a_throw_is_being_entered_gets_it_too(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.start_match()
    answers: list[Accepted | Refused] = []
    entered, requested = house.dice._entered, house.dice._requested
    asked = threading.Event()

    def noticed(match: Match, actor: Actor, key: str | None) -> tuple[_Request, bool]:
        found = requested(match, actor, key)
        if actor.seat == 2:
            asked.set()
        return found

    def later(match: Match, roll: Roll, askers: Sequence[tuple[Actor, str]]) -> Accepted | Refused:
        second.start()
        assert asked.wait(WAIT)
        return entered(match, roll, askers)

    second = threading.Thread(target=lambda: answers.append(house.dice.roll(Actor("player", 2))))
    monkeypatch.setattr(house.dice, "_requested", noticed)
    monkeypatch.setattr(house.dice, "_entered", later)
    answers.append(house.dice.roll(Actor("player", 1)))
    second.join(WAIT)
    assert not second.is_alive()
    assert len(house.events("roll")) == 1
    assert [isinstance(answer, Accepted) for answer in answers] == [True, True]


def test_a_roll_nobody_waits_for_stays_in_the_rollers_log(house: House) -> None:
    house.start_match()
    before = house.table.current
    thrown = house.dice.roller.roll([("d20", 20)])
    assert house.table.current == before
    assert thrown.faces["d20"] < 20
    assert house.dice.roller.health().rolls == 1


def test_rolling_when_no_roll_is_due_is_refused_by_the_rules(house: House) -> None:
    assert refusal(house.dice.roll(HOST)) == "no-match"
    house.start_match()
    house.dice.roll(HOST)
    assert refusal(house.dice.roll(HOST)) == "already-rolled"
    assert refusal(house.dice.roll(Actor("watcher"))) == "watching"


def refusal(answer: Accepted | Refused) -> str:
    assert isinstance(answer, Refused)
    return answer.code


def test_without_a_roller_the_box_throws_virtual_dice(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        table = Table(store, GAMES)
        dice = TableDice(table, DiceRoller(lambda: []), DicePolicy(store.setting))
        dice.start()
        try:
            table.submit(Action("start", data={"game": "railroad-ink", "players": [""]}), HOST)
            answer = dice.roll(HOST)
            assert isinstance(answer, Accepted)
            assert answer.event.data["source"] == {"kind": "virtual"}
        finally:
            dice.stop()


# --- commitments ---


def test_every_roll_of_a_fair_match_is_proved_afterwards(house: House) -> None:
    house.start_match(fair=True, players=1)
    until(house.table, lambda event: event.kind == "commit")
    house.table.submit(Action("word", 1, {"word": "steam"}), Actor("player", 1))
    while house.table.current and not house.table.current.finished:
        answer = house.dice.roll(HOST)
        assert isinstance(answer, Accepted), answer
        play_round(house)
    until(house.table, lambda event: event.kind == "reveal")
    assert len(house.events("mix")) == 1
    assert house.table.current
    events = house.table.current.events
    assert verified(events, GAMES).fault is None
    proof = prove_rolls(events, GAMES["railroad-ink"])
    assert proof
    assert (len(proof.proved), proof.uncovered, proof.waiting, proof.faults) == (7, [], [], [])
    assert "7 rolls follow" in proof.sentence
    assert "7 Würfe" in said(proof.sentence, "de")
    assert "does not follow" in prove_altered(events)


def prove_altered(events: tuple[Event, ...]) -> str:
    """The proof when somebody has exchanged a roll for a better one."""
    place = next(at for at, event in enumerate(events) if event.kind == "roll")
    thrown = events[place].data["faces"]
    other = next(faces for faces in (["NS", "NS", "N*", "NES"], ["ns", "ns", "n*", "nes"]) if faces != thrown)
    changed = msgspec.structs.replace(events[place], data={**events[place].data, "faces": other})
    altered = [*events[:place], sealed(changed)]
    reveals = [event for event in events if event.kind == "reveal"]
    proof = prove_rolls([*altered, *reveals], GAMES["railroad-ink"])
    assert proof
    return proof.sentence


def test_a_roller_that_forgot_its_seed_commits_again(house: House) -> None:
    house.start_match(fair=True, players=1)
    until(house.table, lambda event: event.kind == "commit")
    house.dice.roll(HOST)
    play_round(house)
    house.port.roller.reboot()
    until_connected(house)
    house.dice.roll(HOST)
    until(house.table, lambda event: event.kind == "commit" and event.seq > house.events("roll")[-1].seq)
    assert house.table.current
    proof = prove_rolls(house.table.current.events, GAMES["railroad-ink"])
    assert proof
    assert len(proof.uncovered) == 1


def until_connected(house: House) -> None:
    pause = threading.Event()
    for _ in range(int(WAIT * 20)):
        if house.dice.roller.health().boot == house.port.roller.firmware.boot:
            return
        pause.wait(0.05)
    raise AssertionError("the roller did not come back")


def test_a_whole_match_with_the_roller_is_replayed_strictly(house: House) -> None:
    house.start_match(players=2)
    while house.table.current and not house.table.current.finished:
        if house.table.current.game.dice(house.table.current.state):
            house.dice.roll(HOST)
        play_round(house)
    assert house.table.current
    assert verified(house.table.current.events, GAMES).fault is None


# --- a throw counts only for its request, or its moment ---


def scorekeeper(house: House) -> str:
    data = {"game": "railroad-ink", "players": ["", ""], "mode": "scorekeeper"}
    answer = house.table.submit(Action("start", data=data), HOST)
    assert isinstance(answer, Accepted), answer
    return answer.event.match


def throw(house: House, request_id: str | None, *, late: bool = False, n: int = 1) -> Roll:
    """What the roller hands to the table: a throw of the dice that are due."""
    match = house.table.current
    assert match
    dice = dice_for(match.game, match.game.dice(match.state))
    thrown = tuple(Thrown(die.name, die.faces, 0) for die in dice)
    roll = Roll("cafe", "b007", n, thrown, request_id, late=late)
    house.dice._take(roll)
    return roll


def rolls_of(house: House, match_id: str) -> list[Event]:
    match = house.table.match(match_id)
    assert match
    return [event for event in match.events if event.kind == "roll"]


def test_a_throw_for_an_earlier_roll_is_not_the_next_one(house: House) -> None:
    """Its cable came out, the box threw virtual dice meanwhile; the throw arrives in the next round."""
    match_id = scorekeeper(house)
    opened = house.table.current
    assert opened
    request = f"{match_id}-{opened.version}--"
    house.table.submit(Action("roll"), HOST, match=match_id)
    throw(house, request, late=True)
    assert len(rolls_of(house, match_id)) == 1
    assert "thrown for an earlier roll" in house.dice.unused[0]
    assert "earlier" not in said(house.dice.unused[0], "de")


def test_a_throw_of_another_match_is_not_a_roll_of_this_one(house: House) -> None:
    first = scorekeeper(house)
    before = house.table.current
    assert before
    second = scorekeeper(house)
    throw(house, f"{first}-{before.version}--", late=True)
    assert not rolls_of(house, first)
    assert not rolls_of(house, second)


def test_the_button_pressed_while_the_box_was_off_rolls_nothing_at_the_start(house: House) -> None:
    match_id = scorekeeper(house)
    for n in (1, 2, 3):
        throw(house, None, late=True, n=n)
    assert not rolls_of(house, match_id)
    throw(house, None, n=4)
    assert len(rolls_of(house, match_id)) == 1


def test_a_throw_that_was_asked_for_before_a_restart_counts_when_nothing_has_happened_since(
    house: House,
) -> None:
    match_id = scorekeeper(house)
    match, phone = house.table.current, Actor("player", 1)
    assert match
    claim = house.table.claim(phone, "key", match_id)
    throw(house, f"{match_id}-{match.version}-{claim}", late=True)
    (entered,) = rolls_of(house, match_id)
    answer = house.dice.roll(phone, "key")
    assert isinstance(answer, Accepted)
    assert (answer.again, answer.event) == (True, entered)
    assert len(rolls_of(house, match_id)) == 1


def test_a_roller_that_counts_from_the_start_again_gets_no_old_roll_told_as_new(house: House) -> None:
    match_id = scorekeeper(house)
    first = house.dice.roll(HOST)
    assert isinstance(first, Accepted)
    assert first.event.device
    device, old = first.event.device, house.dice.roller

    class Forgetful:
        """A device with a fault: the same power-up, and its count begins again."""

        def __getattr__(self, name: str) -> object:
            return getattr(old, name)

        def roll(self, dice: list[Die], request_id: str, _seconds: float) -> Roll:
            thrown = tuple(Thrown(die.name, die.faces, 1) for die in dice)
            roll = Roll(device.uid, device.boot, device.n, thrown, request_id)
            house.dice._take(roll)
            return roll

    house.dice.roller = Forgetful()  # type: ignore[assignment]
    try:
        answer = house.dice.roll(HOST)
    finally:
        house.dice.roller = old
    assert isinstance(answer, Accepted)
    assert (answer.again, answer.event.device) == (False, None)
    assert len(rolls_of(house, match_id)) == 2


# --- one press, one roll ---


def test_two_phones_one_after_the_other_make_one_roll(house: House) -> None:
    match_id = scorekeeper(house)
    now = 100.0
    house.dice._one_roll.clock = lambda: now  # it advances when the test says so
    north = house.dice.roll(Actor("player", 1), "key1")
    east = house.dice.roll(Actor("player", 2), "key2")
    assert isinstance(north, Accepted)
    assert isinstance(east, Accepted)
    assert (east.event, east.again) == (north.event, True)
    now += 10.0
    retried = house.dice.roll(Actor("player", 2), "key2")
    assert isinstance(retried, Accepted)
    assert retried.event == north.event
    later = house.dice.roll(Actor("player", 2), "another key")
    assert isinstance(later, Accepted)
    assert not later.again
    assert len(rolls_of(house, match_id)) == 2


def test_who_has_not_seen_the_last_roll_gets_it_instead_of_another(house: House) -> None:
    match_id = scorekeeper(house)
    match = house.table.current
    assert match
    first = house.dice.roll(Actor("player", 1), None, match_id, match.version)
    assert isinstance(first, Accepted)
    house.dice._one_roll._latest.clear()
    again = house.dice.roll(Actor("player", 2), None, match_id, match.version)
    assert isinstance(again, Accepted)
    assert (again.event, again.again) == (first.event, True)
    seen = house.dice.roll(Actor("player", 2), None, match_id, first.version)
    assert isinstance(seen, Accepted)
    assert not seen.again


def test_the_same_key_is_the_same_roll_after_a_restart(house: House) -> None:
    match_id = scorekeeper(house)
    phone = Actor("player", 1)
    first = house.dice.roll(phone, "key")
    assert isinstance(first, Accepted)
    for k in range(300):
        house.table.submit(
            Action("sit", 1, {"name": f"N{k}", "colour": "red", "shape": "circle"}), HOST, f"{k}"
        )
    restarted = Table(house.table._store, GAMES)
    dice = TableDice(restarted, house.dice.roller, DicePolicy(lambda _: None))
    answer = dice.roll(phone, "key")
    assert isinstance(answer, Accepted)
    assert (answer.again, answer.event) == (True, first.event)
    assert len(rolls_of(house, match_id)) == 1
