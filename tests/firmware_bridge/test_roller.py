"""The dice roller as the table uses it, over real pseudo-terminals."""

import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from firmware_bridge.asks import Timing
from firmware_bridge.dice import Roll
from firmware_bridge.exc import BadDice, NoAnswer, RollRefused
from firmware_bridge.fairness import verify_roll
from firmware_bridge.log import RollLog
from firmware_bridge.ports import Port, ports_like, usb_ports, with_standby
from firmware_bridge.roller import DiceRoller, RollerState
from firmware_bridge.simulator import VirtualPort, VirtualRoller

FOUR = [("A", 6), ("B", 6), ("C", 6), ("D", 6)]


class Heard:
    """What the table heard, with a way to wait for it."""

    def __init__(self) -> None:
        self.rolls: list[Roll] = []
        self.states: list[RollerState] = []
        self._news = threading.Condition()

    def roll(self, roll: Roll) -> None:
        with self._news:
            self.rolls.append(roll)
            self._news.notify_all()

    def state(self, state: RollerState) -> None:
        with self._news:
            self.states.append(state)
            self._news.notify_all()

    def wait(self, wanted: Callable[[], bool], seconds: float = 10.0) -> None:
        with self._news:
            assert self._news.wait_for(wanted, seconds), (self.rolls[-3:], self.states[-3:])


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture
def port(tmp_path: Path) -> Iterator[VirtualPort]:
    port = VirtualPort(VirtualRoller(seed=5))
    port.plug(tmp_path / "ttyDice0")
    yield port
    port.unplug()


@pytest.fixture
def roller(tmp_path: Path, port: VirtualPort, heard: Heard) -> Iterator[DiceRoller]:
    roller = DiceRoller(ports_like(str(tmp_path / "ttyDice*")))
    roller.start(heard.roll, heard.state)
    yield roller
    began = time.monotonic()
    roller.stop()
    assert time.monotonic() - began < 1.0


def test_a_roll_is_told_before_it_is_answered(roller: DiceRoller, heard: Heard) -> None:
    roll = roller.roll(FOUR, "round 1")
    assert heard.rolls == [roll]
    assert heard.states[0].connected
    assert heard.states[0].virtual


def test_asking_again_is_the_same_roll(roller: DiceRoller, heard: Heard) -> None:
    together = [roller.request(FOUR, "round 1") for _ in range(5)]
    again = roller.roll(FOUR, "round 1")
    assert {future.result().key for future in together} == {again.key}
    assert len(heard.rolls) == 1
    with pytest.raises(BadDice, match="roll of other dice"):
        roller.roll([("A", 6)], "round 1")


def test_the_button_is_the_same_event(roller: DiceRoller, port: VirtualPort, heard: Heard) -> None:
    roller.show([("white", 6), ("black", 6)])
    roller.roll([("plain", 6)])
    port.roller.press()
    heard.wait(lambda: len(heard.rolls) == 2)
    assert [roll.by for roll in heard.rolls] == ["request", "button"]
    heard.wait(lambda: {"pressed", "rolling", "shown"} <= {state.dice for state in heard.states})


def test_many_threads_ask_at_once(roller: DiceRoller, heard: Heard) -> None:
    futures = [roller.request(FOUR[: 1 + k % 4]) for k in range(40)]
    keys = [future.result().key for future in futures]
    assert len(set(keys)) == 40
    assert [roll.n for roll in heard.rolls] == list(range(1, 41))


def test_dice_nobody_can_throw_are_refused_at_once(roller: DiceRoller) -> None:
    for dice in ([], [("A", 1)], [("A", 257)], [("", 6)], [("A*", 6)], [("A", 6)] * 2, [("x" * 13, 6)]):
        with pytest.raises(BadDice):
            roller.roll(dice)
    with pytest.raises(BadDice, match="Die A has 1 face; 2 to 256"):
        roller.roll([("A", 1)])
    with pytest.raises(BadDice, match="not 9"):
        roller.roll([(str(k), 6) for k in range(9)])


def test_a_listener_that_fails_costs_no_roll(
    tmp_path: Path, port: VirtualPort, heard: Heard, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(roll: Roll) -> None:
        heard.roll(roll)
        raise KeyError("table")

    roller = DiceRoller(ports_like(str(tmp_path / "ttyDice*")))
    roller.start(broken)
    roller.roll(FOUR)
    roller.roll(FOUR)
    roller.stop()
    assert len(heard.rolls) == 2
    assert roller.health().failed_callbacks == 2
    assert "listener of the dice roller failed" in caplog.text


def test_a_callback_may_roll_itself(tmp_path: Path, port: VirtualPort, heard: Heard) -> None:
    roller = DiceRoller(ports_like(str(tmp_path / "ttyDice*")))

    def chain(roll: Roll) -> None:
        heard.roll(roll)
        if roll.n == 1:
            roller.request(FOUR, "second")

    roller.start(chain)
    roller.roll(FOUR, "first")
    heard.wait(lambda: len(heard.rolls) == 2)
    roller.stop()
    assert [roll.request_id for roll in heard.rolls] == ["first", "second"]


def test_unplug_in_mid_roll_and_replug_under_another_name(
    tmp_path: Path, roller: DiceRoller, port: VirtualPort, heard: Heard
) -> None:
    roller.roll(FOUR, "before")
    for k in range(5):
        future = roller.request(FOUR, f"during {k}", seconds=20)
        port.unplug()
        heard.wait(lambda: not heard.states[-1].connected, 3)
        port.plug(tmp_path / f"ttyDice{k + 1}")
        heard.wait(lambda: heard.states[-1].connected, 3)
        assert future.result(3).request_id == f"during {k}"
    assert [roll.request_id for roll in heard.rolls] == ["before", *(f"during {k}" for k in range(5))]
    assert roller.health().reconnects == 5


def test_a_restarted_program_takes_up_where_the_log_ends(
    tmp_path: Path, port: VirtualPort, heard: Heard
) -> None:
    def run(requests: list[str]) -> None:
        log = RollLog(tmp_path / "rolls.jsonl")
        roller = DiceRoller(ports_like(str(tmp_path / "ttyDice*")), log=log)
        roller.start(heard.roll)
        for request in requests:
            roller.roll(FOUR, request)
        roller.stop()

    run(["r1", "r2"])
    port.roller.press()  # nobody listens; the roller keeps it
    while port.roller.firmware.kept.last < 3:
        threading.Event().wait(0.01)
    run(["r2", "r3"])
    assert [roll.request_id for roll in heard.rolls] == ["r1", "r2", None, "r3"]
    assert [roll.late for roll in heard.rolls] == [False, False, True, False]
    assert list(RollLog(tmp_path / "rolls.jsonl").read()) == heard.rolls


def test_no_roller_is_said_in_one_sentence(tmp_path: Path) -> None:
    roller = DiceRoller(ports_like(str(tmp_path / "nothing*")))
    roller.start(lambda roll: None)
    with pytest.raises(NoAnswer, match="not connected"):
        roller.roll(FOUR, seconds=0.05)
    roller.stop()
    assert roller.state() == RollerState(
        False, "No dice roller is plugged in: connect it with its USB cable."
    )


def test_stopping_answers_everybody_who_waits(tmp_path: Path) -> None:
    roller = DiceRoller(ports_like(str(tmp_path / "nothing*")))
    roller.start(lambda roll: None)
    future = roller.request(FOUR, seconds=100)
    roller.stop()
    roller.stop()
    with pytest.raises(NoAnswer, match="switched off"):
        future.result(1)
    with pytest.raises(NoAnswer, match="switched off"):
        roller.roll(FOUR)
    roller.show(FOUR)


def test_a_real_roller_takes_over_from_the_virtual_one(tmp_path: Path, heard: Heard) -> None:
    with VirtualPort(VirtualRoller(uid="5eed")) as standby, VirtualPort(VirtualRoller(uid="cafe")) as real:
        link = tmp_path / "ttyReal"
        roller = DiceRoller(with_standby(ports_like(str(link)), standby.name))
        roller.start(heard.roll, heard.state)
        assert roller.roll(FOUR).uid == "5eed"
        link.symlink_to(real.name)
        heard.wait(lambda: heard.states[-1].uid == "cafe")
        assert roller.roll(FOUR).uid == "cafe"
        link.unlink()
        real.unplug()
        heard.wait(lambda: heard.states[-1].uid == "5eed")
        roller.stop()


def test_the_greeting_finds_the_roller_among_other_devices(tmp_path: Path, heard: Heard) -> None:
    mute, slave = os.openpty()
    (tmp_path / "tty0").symlink_to(os.ttyname(slave))
    with VirtualPort() as port:
        (tmp_path / "tty1").symlink_to(port.name)
        roller = DiceRoller(ports_like(str(tmp_path / "tty*")), timing=Timing(greeting=0.3))
        roller.start(heard.roll, heard.state)
        roller.roll(FOUR)
        assert roller.health().port == str(tmp_path / "tty1")
        roller.stop()
    os.close(mute)
    os.close(slave)


def test_health_tells_what_went_wrong_on_the_wire(roller: DiceRoller, port: VirtualPort) -> None:
    roller.roll(FOUR)
    port.roller.faults.garble = 0.01
    for _ in range(20):
        roller.roll(FOUR, seconds=20)
    port.roller.faults.garble = 0.0
    health = roller.health()
    assert health.rolls == 21
    assert health.lost_rolls == 0
    assert health.dropped_lines["bad_checksum"] > 0
    assert health.counters["retries"] > 0
    assert (health.firmware, health.protocol, health.displays) == ("1.2.0", "1.0", 8)
    assert health.round_trip_ms > 0
    assert {key[1:] for key in health.histograms} == {(name, 6) for name in "ABCD"}
    assert all(sum(counts) == 21 for counts in health.histograms.values())


def test_seed_word_rolls_and_proof(roller: DiceRoller) -> None:
    commitment = roller.commit()
    with pytest.raises(RollRefused, match="have not said their word"):
        roller.roll(FOUR)
    roller.mix(commitment, "brass lantern")
    rolls = [roller.roll(FOUR) for _ in range(5)]
    seed = roller.reveal(commitment)
    assert all(verify_roll(r, seed=seed, nonce="brass lantern", commitment=commitment) for r in rolls)
    assert not any(verify_roll(r, seed=seed, nonce="other word", commitment=commitment) for r in rolls)
    with pytest.raises(RollRefused, match="no such seed"):
        roller.reveal(commitment)
    assert roller.roll(FOUR).fair is None


def test_a_restart_forgets_the_seed_and_says_so(roller: DiceRoller, port: VirtualPort) -> None:
    commitment = roller.commit()
    port.roller.reboot()
    with pytest.raises(RollRefused, match="a restarted roller has forgotten its own"):
        roller.reveal(commitment)


def test_self_test_passes_fair_dice_and_catches_biased_ones(roller: DiceRoller, port: VirtualPort) -> None:
    fair = roller.self_test(10_000)
    assert sum(fair.counts) == 10_000
    assert fair.passed
    assert "Nothing speaks against fair dice" in fair.sentence
    port.roller.faults.bias = 0.05
    biased = roller.self_test(10_000)
    assert not biased.passed
    assert biased.counts[0] == max(biased.counts)
    assert "too uneven for chance" in biased.sentence
    assert roller.health().rolls == 0


def test_a_second_program_cannot_take_the_port(tmp_path: Path, roller: DiceRoller, heard: Heard) -> None:
    roller.roll(FOUR)
    second = DiceRoller(ports_like(str(tmp_path / "ttyDice*")))
    second.start(lambda roll: None, heard.state)
    heard.wait(lambda: "Another program is using" in heard.states[-1].sentence)
    second.stop()
    assert roller.roll(FOUR).n == 2


def test_a_mistake_in_the_link_is_logged_and_survived(
    port: VirtualPort, heard: Heard, caplog: pytest.LogCaptureFixture
) -> None:
    mistakes = iter([ZeroDivisionError("sysfs changed under us")])

    def ports() -> list[Port]:
        mistake = next(mistakes, None)
        if mistake:
            raise mistake
        return [Port(port.name)]

    roller = DiceRoller(ports)
    roller.start(heard.roll)
    assert roller.roll(FOUR).n == 1
    roller.stop()
    assert roller.health().stumbles == 1
    assert "sysfs changed under us" in caplog.text


def test_usb_ports_lists_this_machine_without_failing(tmp_path: Path) -> None:
    (tmp_path / "ttyMine").touch()
    (tmp_path / "ttyAlias").symlink_to(tmp_path / "ttyMine")
    found = usb_ports([str(tmp_path / "tty*")])()
    assert [port.device for port in found if str(tmp_path) in port.device] == [str(tmp_path / "ttyAlias")]
    assert [port.score for port in found] == sorted((port.score for port in found), reverse=True)


def test_a_roll_is_logged_only_after_the_table_has_had_it(tmp_path: Path, port: VirtualPort) -> None:
    log = RollLog(tmp_path / "rolls.jsonl")
    known_when_told: list[int] = []
    roller = DiceRoller(ports_like(str(tmp_path / "ttyDice*")), log=log)
    roller.start(lambda roll: known_when_told.append(log.last_seen(roll.uid, roll.boot)))
    try:
        thrown = roller.roll([("A", 6)])
        roller.roll([("A", 6)])
    finally:
        roller.stop()
    assert known_when_told == [thrown.n - 1, thrown.n]
