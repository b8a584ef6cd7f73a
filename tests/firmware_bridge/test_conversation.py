"""The conversation with the roller's own firmware, in made-up time and with every fault there is."""

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from firmware_bridge.asks import Answered, Ask, Failed, RollHeard
from firmware_bridge.conversation import Conversation
from firmware_bridge.dice import Die, Roll
from firmware_bridge.exc import NoAnswer, NotARoller, ProtocolTooNew, RollerSilent, RollRefused, WrongRoller
from firmware_bridge.ledger import Ledger
from firmware_bridge.protocol import (
    Commit,
    Commitment,
    Mix,
    Ok,
    Reveal,
    RollMessage,
    Seed,
    Throws,
    Trial,
    encode,
)
from tests.firmware_bridge.rehearsal import Rehearsal

FOUR: list[tuple[str, int]] = [("A", 6), ("B", 6), ("C", 6), ("D", 6)]


def connected(**options: object) -> Rehearsal:
    play = Rehearsal(**options)  # type: ignore[arg-type]
    play.run(0.1)
    assert play.talk.roller
    return play


def rolled(play: Rehearsal, request: str, dice: list[tuple[str, int]] = FOUR) -> Roll:
    event = play.until_answered(play.ask(list(dice), request, 60.0))
    assert isinstance(event, RollHeard), event
    return event.roll


def test_a_requested_roll_comes_once_with_its_source() -> None:
    play = connected()
    roll = rolled(play, "round 1")
    assert play.rolls == [roll]
    assert (roll.uid, roll.n, roll.request_id, roll.by) == ("feed00d1ce", 1, "round 1", "request")
    assert [(die.name, die.faces) for die in roll.dice] == FOUR
    assert roll.virtual
    assert not roll.late


def test_the_rollers_own_button_throws_the_shown_dice() -> None:
    play = connected()
    play.talk.show((Die("A", 6), Die("B", 8)))
    play.run(0.1)
    play.roller.press()
    play.run(0.5)
    (roll,) = play.rolls
    assert roll.by == "button"
    assert set(roll.faces) == {"A", "B"}


def test_after_a_request_the_button_throws_the_shown_dice_again() -> None:
    play = connected()
    play.talk.show((Die("white", 6),))
    rolled(play, "r1", [("black", 20)])
    play.run(0.1)
    play.roller.press()
    play.run(0.5)
    assert [set(roll.faces) for roll in play.rolls] == [{"black"}, {"white"}]


def test_the_answer_does_not_wait_for_the_tumbling() -> None:
    play = connected()
    rolled(play, "r1")
    began = play.now
    rolled(play, "r2")  # the first is still tumbling
    assert play.now - began < 0.005  # two questions, a step of a millisecond each
    assert play.talk.dice_state == "rolling"
    play.run(1.0)
    assert play.talk.dice_state == "shown"


def test_pictures_are_taught_and_shown() -> None:
    play = connected()
    pictures = tuple(f"{face:016x}" for face in range(1, 21))
    play.talk.show((Die("map", 20, pictures, "00ff00"),))
    play.run(0.1)
    play.roller.press()
    play.run(2.0)
    face = play.rolls[0].faces["map"]
    assert play.roller.screen.rows[0].hex() == pictures[face]


def test_the_same_request_is_the_same_roll_also_for_a_new_process() -> None:
    play = connected()
    first = rolled(play, "round 1")
    # Another process, which has stored the first roll, asks again because it never saw the answer.
    play.talk = Conversation(Ledger(lambda uid, boot: 1))
    play.talk.opened("port", play.now)
    play.answered.clear()
    event = play.until_answered(play.ask(list(FOUR), "round 1"))
    assert isinstance(event, Answered)
    assert isinstance(event.answer, Roll)
    assert event.answer.key == first.key
    assert event.answer.dice == first.dice
    assert play.rolls == [first]


def test_rolls_made_while_the_table_was_away_come_late_and_once() -> None:
    play = connected()
    rolled(play, "r1")
    play.unplug()
    for _ in range(3):
        play.run(0.3)
        play.roller.press()
        for _ in range(300):
            play.now += 0.001
            play.roller.exchange()
    play.plug()
    play.run(0.5)
    assert [(roll.n, roll.late) for roll in play.rolls] == [(1, False), (2, True), (3, True), (4, True)]


def test_more_rolls_than_the_roller_keeps_are_counted_as_lost() -> None:
    play = connected()
    play.unplug()
    play.run(0.1)
    for _ in range(40):
        play.roller.firmware._throw(None)
    play.plug()
    play.run(0.5)
    assert [roll.n for roll in play.rolls] == list(range(9, 41))
    assert play.talk.ledger.lost == 8


def test_old_lines_before_the_greeting_are_ignored() -> None:
    play = connected()
    for k in range(5):
        rolled(play, f"r{k}")
    play.unplug()
    play.run(0.1)
    play.roller.leave_stale_lines()
    play.plug()
    play.run(0.5)
    assert len(play.rolls) == 5
    assert play.talk.counters.before_greeting == 5


def test_old_lines_of_an_earlier_power_up_make_no_roll() -> None:
    play = connected()
    rolled(play, "r1")
    stale = encode(RollMessage("0badb007", 99, (("A", 6, 5),)))
    play.talk.receive(stale, play.now)
    play.run(1.0)
    assert len(play.rolls) == 1
    assert play.talk.counters.stale == 1
    assert play.talk.roller  # greeted again at once
    assert rolled(play, "r2").n == 2


def test_a_restart_between_question_and_answer_gives_one_roll() -> None:
    play = connected()
    rolled(play, "r1")
    play.roller.faults.drop = 1.0
    ask = play.ask(list(FOUR), "r2", 30.0)
    play.run(0.2)
    play.roller.reboot()
    play.roller.faults.drop = 0.0
    play.until_answered(ask)
    play.run(3.0)
    assert [roll.request_id for roll in play.rolls] == ["r1", "r2"]
    assert play.rolls[1].n == 1
    assert play.rolls[0].boot != play.rolls[1].boot
    assert play.talk.counters.restarts == 1


def test_a_stall_is_noticed_within_three_seconds_and_survived() -> None:
    play = connected()
    play.run(1.0)
    began = play.now
    play.roller.stall(6.0)
    while play.talk.roller:
        play.step()
    assert play.now - began < 3.0
    assert isinstance(play.failures[0], RollerSilent)
    play.run(8.0)
    assert play.talk.roller
    rolled(play, "r1")


def test_only_noise_is_given_up_after_a_while() -> None:
    play = connected()
    play.roller.faults.garble = 1.0
    play.run(14.0)
    assert isinstance(play.failures[0], RollerSilent)
    assert not play.rolls


def test_no_answer_in_time_is_said_and_does_not_lose_the_roll() -> None:
    play = connected()
    play.roller.faults.drop = 1.0
    event = play.until_answered(play.ask(list(FOUR), "r1", 1.0))
    assert isinstance(event, Failed)
    assert isinstance(event.error, NoAnswer)
    assert "never throws twice" in str(event.error)
    play.roller.faults.drop = 0.0
    again = rolled(play, "r1")
    assert play.rolls == [again]


def test_without_a_roller_the_request_says_so() -> None:
    play = Rehearsal()
    play.unplug()
    event = play.until_answered(play.ask(list(FOUR), "r1", 0.5))
    assert isinstance(event, Failed)
    assert str(event.error) == "The dice roller is not connected: plug it in, or roll on the phone."


def test_a_newer_protocol_is_refused_with_a_sentence() -> None:
    play = Rehearsal()
    play.roller.faults.newer_protocol = True
    play.run(0.2)
    assert isinstance(play.failures[0], ProtocolTooNew)
    assert "speaks protocol 2.0, this program understands 1" in str(play.failures[0])


def test_another_roller_than_asked_for_is_refused_with_a_sentence() -> None:
    play = Rehearsal(uid="feed00d1ce")
    play.roller.faults.wrong_uid = True
    play.run(0.2)
    assert isinstance(play.failures[0], WrongRoller)
    assert "ffffffffff" in str(play.failures[0])
    play.roller.faults.wrong_uid = False
    play.run(1.0)
    assert play.talk.roller


def test_a_device_that_says_nothing_is_not_a_roller() -> None:
    play = Rehearsal()
    play.roller.stall(100.0)
    play.run(3.0)
    assert isinstance(play.failures[0], NotARoller)


def test_a_device_that_echoes_is_not_a_roller() -> None:
    talk = Conversation(Ledger())
    talk.opened("echo", 0.0)
    talk.tick(0.0)
    talk.receive(talk.take_outgoing(), 0.01)
    assert isinstance(talk.failure, NotARoller)


def test_answers_to_nobodys_question_change_nothing() -> None:
    play = connected()
    play.talk.receive(encode(Ok("who?")) + encode(Seed("who?", "ab" * 32)), play.now)
    play.run(0.1)
    assert not play.answered


def test_the_wrong_dice_are_told_and_stay_in_the_log() -> None:
    play = connected()
    ask = play.ask([("A", 6)], "r1")
    assert play.talk.roller
    play.talk.receive(encode(RollMessage(play.talk.roller.boot, 1, (("Z", 6, 0),), id="r1")), play.now)
    event = play.until_answered(ask)
    assert isinstance(event, Failed)
    assert isinstance(event.error, RollRefused)
    assert [roll.request_id for roll in play.rolls] == ["r1"]


def answer_to(play: Rehearsal, message: Commit | Mix | Reveal | Trial) -> object:
    ask = Ask(message.id, play.now + 5, message=message)
    play.talk.submit(ask)
    event = play.until_answered(ask)
    return event.answer if isinstance(event, Answered) else event


def test_seed_and_word_and_self_test_over_the_wire() -> None:
    play = connected()
    commitment = answer_to(play, Commit("c1"))
    assert isinstance(commitment, Commitment)
    refused = play.until_answered(play.ask(list(FOUR), "too early"))
    assert isinstance(refused, Failed)
    assert str(refused.error) == "The roller refused: the players have not said their word yet."
    assert answer_to(play, Mix("m1", commitment.hash[:8], "lantern")) == Ok("m1")
    assert rolled(play, "r1").fair == commitment.hash[:8]
    seed = answer_to(play, Reveal("v1", commitment.hash[:8]))
    assert isinstance(seed, Seed)
    throws = answer_to(play, Trial("t1", 6, 50))
    assert isinstance(throws, Throws)
    assert len(throws.thrown) == 50


@pytest.mark.parametrize("share", [0.01, 0.05])
def test_garbled_bytes_delay_rolls_and_do_nothing_else(share: float) -> None:
    play = connected()
    play.roller.faults.garble = share
    for k in range(20):
        rolled(play, f"{k}", [("A", 6)])
    assert [roll.request_id for roll in play.rolls] == [str(k) for k in range(20)]
    assert [roll.n for roll in play.rolls] == list(range(1, 21))
    assert play.talk.reader.drops.bad_checksum > 20
    assert play.talk.counters.retries > 20


def test_the_greeting_gets_through_noise_after_a_restart_too() -> None:
    play = connected()
    play.roller.faults.garble = 0.05
    play.roller.reboot()
    assert rolled(play, "r1", [("A", 6)]).n == 1
    assert play.talk.roller
    assert play.talk.roller.fw == "1.2.0"


class Table(RuleBasedStateMachine):
    """Whatever happens on the wire: every roll the roller still knows arrives once, in order, as thrown."""

    def __init__(self) -> None:
        super().__init__()
        self.play = Rehearsal()
        self.thrown: dict[str, list[tuple[object, ...]]] = {}
        self.asks: list[Ask] = []

    @initialize(seed=st.integers(0, 2**32))
    def begin(self, seed: int) -> None:
        self.play = Rehearsal(seed)
        self.play.talk.show((Die("A", 6), Die("B", 6)))
        self.live(0.05)

    def live(self, seconds: float) -> None:
        for _ in range(round(seconds * 1000)):
            self.play.step()
            self.note()

    def note(self) -> None:
        """What the roller itself knows to have thrown, written down before a restart can forget it."""
        firmware = self.play.roller.firmware
        known = self.thrown.setdefault(firmware.boot, [])
        if len(known) < firmware.kept.last:
            known += [tuple(line.split(b"*")[:1]) for line in firmware.kept.since(len(known))]

    @rule(seconds=st.sampled_from([0.005, 0.05, 0.5, 3.0]))
    def wait(self, seconds: float) -> None:
        self.live(seconds)

    @rule(
        dice=st.lists(st.sampled_from(FOUR), min_size=1, max_size=4, unique=True),
        patience=st.sampled_from([0.2, 20.0]),
    )
    def request(self, dice: list[tuple[str, int]], patience: float) -> None:
        self.asks.append(self.play.ask(list(dice), f"r{len(self.asks)}", patience))
        self.live(0.004)

    @rule()
    def press(self) -> None:
        self.play.roller.press(0.05)
        self.live(0.1)

    @rule(kind=st.sampled_from(["drop", "duplicate", "reorder"]), share=st.sampled_from([0.0, 0.1, 0.5, 1.0]))
    def lose_lines(self, kind: str, share: float) -> None:
        setattr(self.play.roller.faults, kind, share)

    @rule(share=st.sampled_from([0.0, 0.001, 0.01, 0.05]))
    def garble(self, share: float) -> None:
        self.play.roller.faults.garble = share

    @rule(seconds=st.sampled_from([0.05, 1.0, 4.0]))
    def stall(self, seconds: float) -> None:
        self.play.roller.stall(seconds)

    @rule()
    def reboot(self) -> None:
        self.note()
        self.play.roller.reboot()

    @rule()
    def stale(self) -> None:
        self.play.roller.leave_stale_lines()

    @precondition(lambda self: self.play.plugged)
    @rule()
    def unplug(self) -> None:
        self.play.unplug()

    @precondition(lambda self: not self.play.plugged)
    @rule()
    def plug(self) -> None:
        self.play.plug()

    @invariant()
    def each_roll_once_and_in_order(self) -> None:
        by_boot: dict[str, list[int]] = {}
        for roll in self.play.rolls:
            by_boot.setdefault(roll.boot, []).append(roll.n)
        for numbers in by_boot.values():
            assert numbers == list(range(1, len(numbers) + 1))

    @invariant()
    def no_request_is_fulfilled_twice(self) -> None:
        requests = [roll.request_id for roll in self.play.rolls if roll.request_id]
        assert len(requests) == len(set(requests))

    def teardown(self) -> None:
        """The cable is good again: now everything must arrive."""
        faults = self.play.roller.faults
        faults.drop = faults.duplicate = faults.reorder = faults.garble = 0.0
        self.play.plug()
        self.live(10.0)
        boot = self.play.roller.firmware.boot
        heard = {(roll.boot, roll.n): roll for roll in self.play.rolls}
        assert sorted(n for b, n in heard if b == boot) == list(range(1, len(self.thrown.get(boot, [])) + 1))
        self.each_roll_is_as_thrown(heard)
        self.live(20.0)
        assert {ask.id for ask in self.asks} == set(self.play.answered)
        self.each_roll_once_and_in_order()
        self.no_request_is_fulfilled_twice()
        super().teardown()

    def each_roll_is_as_thrown(self, heard: dict[tuple[str, int], Roll]) -> None:
        for (boot, n), roll in heard.items():
            told = RollMessage(boot, n, tuple(roll.dice), id=roll.request_id, fair=roll.fair)
            line = self.thrown[boot][n - 1][0]
            assert encode(told).split(b"*")[0] == line


Table.TestCase.settings = settings(
    max_examples=25, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
)
test_any_wire = Table.TestCase
