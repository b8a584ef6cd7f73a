"""Bluetooth dice: from radio to rolls of the table, with simulated peripherals."""

from __future__ import annotations

import asyncio
import io
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import permutations
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.bluetooth.__main__ import Bridge
from firmware_bridge.bluetooth.dice_kinds import die_of
from firmware_bridge.bluetooth.gathering import TOGETHER, Gathering
from firmware_bridge.bluetooth.hand_roller import HandRoller
from firmware_bridge.bluetooth.radio import Radio
from firmware_bridge.dice import Roll
from firmware_bridge.exc import RollRefused
from firmware_bridge.firmware.roller.wire import encode
from firmware_bridge.ports import Port
from firmware_bridge.roller import DiceRoller
from tests.firmware_bridge.bluetooth.peripherals import NORDIC, Air, Die, Go, Pixel

WAIT = 20.0


def kind_of(die: Die) -> object:
    return die_of(die.name, die.shown.service_uuids, die.shown.manufacturer_data)


@given(st.binary(max_size=12))
def test_no_bytes_of_a_die_can_harm(data: bytes) -> None:
    for die in (Pixel("1"), Pixel("2", lights=20, new=True), Go("3")):
        kind = die_of(die.name, die.shown.service_uuids, die.shown.manufacturer_data)
        assert kind is not None
        heard = kind.heard(data)
        assert heard in (None, "moving") or (isinstance(heard, int) and 0 <= heard < kind.faces)


def test_only_dice_are_dice() -> None:
    assert kind_of(Die("1", "Headphones", 0, NORDIC.format(1))) is None
    assert kind_of(Die("2", "Lamp", 7, NORDIC.format(1))) is None
    assert kind_of(Die("3", "Pixel without its service", 6)) is None
    faces = [getattr(kind_of(Pixel("4", lights=lights)), "faces", 0) for lights in (4, 6, 8, 10, 12, 20, 21)]
    assert faces == [4, 6, 8, 10, 12, 20, 6]


# --- which throws belong together ---


def test_a_roll_is_complete_when_every_die_has_a_face_in_whatever_order_they_come_to_rest() -> None:
    dice = {"a": 6, "b": 6, "c": 6}
    for order in permutations(dice):
        gathering = Gathering(dice)
        gathering.want([6, 6, 6])
        told = [gathering.add(die, "abc".index(die), 0.0) for die in order]
        assert told == [None, None, [0, 1, 2]], "the same die is the same die of the roll"


def test_a_die_counts_once_a_roll_the_first_time() -> None:
    gathering = Gathering({"a": 6, "b": 6})
    gathering.want([6, 6])
    assert gathering.add("a", 1, 0.0) is None
    assert gathering.add("a", 5, 2.0) is None, "thrown again for a better one"
    assert gathering.add("b", 3, 3.0) == [1, 3]


def test_one_die_is_thrown_again_for_the_rest() -> None:
    gathering = Gathering({"a": 6})
    gathering.want([6, 6, 6])
    assert [gathering.add("a", face, now) for now, face in enumerate((2, 4, 1))] == [None, None, [2, 4, 1]]


def test_dice_of_several_kinds_and_dice_that_are_not_wanted() -> None:
    gathering = Gathering({"a": 6, "b": 20, "c": 8})
    gathering.want([20, 6])
    assert gathering.can_throw
    assert gathering.add("c", 7, 0.0) is None
    assert gathering.add("unknown", 1, 0.0) is None
    assert gathering.add("a", 5, 0.0) is None
    assert gathering.add("b", 19, 0.0) == [19, 5]
    gathering.want([12])
    assert not gathering.can_throw


def test_what_lay_there_for_long_is_of_an_older_throw() -> None:
    gathering = Gathering({"a": 6, "b": 6})
    gathering.want([6, 6])
    gathering.add("a", 1, 0.0)
    assert gathering.add("b", 3, TOGETHER + 1) is None
    assert gathering.add("a", 2, TOGETHER + 2) == [2, 3]


def test_a_host_that_is_there_is_told_of_a_throw_at_once() -> None:
    """Without being asked whether something was missed."""
    roller = HandRoller({"a": 6}, uid="b1")
    roller.exchange(encode([("t", "hello"), ("nonce", "0123456789abcdef"), ("proto", 1)]))
    for face in (2, 4, 1, 3):
        roller.heard("a", face)
    assert b'"t":"roll"' in roller.exchange()


@given(st.integers(0, 2**32))
def test_rolls_are_as_wanted_whatever_is_thrown(seed: int) -> None:
    chance = Random(seed)
    dice = {str(number): chance.choice((6, 6, 8)) for number in range(chance.randint(1, 5))}
    gathering = Gathering(dice)
    wanted = [chance.choice(list(dice.values())) for _ in range(chance.randint(1, 8))]
    gathering.want(wanted)
    throws, rolls = 0, 0
    for now in range(200):
        die = chance.choice(list(dice))
        roll = gathering.add(die, chance.randrange(dice[die]), now / 10)
        throws += 1
        if roll is not None:
            rolls += 1
            assert all(face < faces for face, faces in zip(roll, wanted, strict=True))
    assert rolls * len(wanted) <= throws
    assert rolls > 0


# --- the radio ---


class Heard:
    def __init__(self) -> None:
        self.heard: list[tuple[str, object]] = []
        self.changes = 0
        self.said: list[str] = []

    def change(self) -> None:
        self.changes += 1


def with_radio(air: Air, work: Callable[[Radio], Awaitable[None]]) -> Heard:
    told = Heard()

    async def run() -> None:
        radio = Radio(
            air,
            lambda die, what: told.heard.append((die, what)),
            told.change,
            told.said.append,
            (0.001, 0.001, 0.001),
        )
        stop = asyncio.Event()
        running = asyncio.create_task(radio.run(stop))
        await work(radio)
        stop.set()
        await running

    with ThreadPoolExecutor(1) as own:  # a browser's test in this process may leave a loop in the main thread
        own.submit(lambda: asyncio.run(run())).result()
    return told


async def until(true: Callable[[], bool]) -> None:
    for _ in range(10_000):
        if true():
            return
        await asyncio.sleep(0.001)
    raise AssertionError("it never happened")


def test_dice_are_found_connected_and_heard_lost_and_found_again() -> None:
    pixel, new, go = Pixel("AA"), Pixel("BB", "Bob", 20, new=True), Go("CC")
    air = Air(Die("DD", "TV"), pixel, new, go)

    async def work(radio: Radio) -> None:
        await until(lambda: len(radio.dice) == 3)
        assert radio.dice == {"AA": 6, "BB": 20, "CC": 6}
        assert pixel.told == [(NORDIC.format(2), b"\x01")]
        pixel.throw(4)
        new.throw(17)
        for number in range(1, 7):
            go.throw(number)
        pixel.state(4, 2)  # leans on something
        pixel.state(5, 2)  # was set down
        pixel.leave()
        await until(lambda: "AA" not in radio.dice)
        pixel.awake = True
        await until(lambda: "AA" in radio.dice)
        pixel.throw(2)

    told = with_radio(air, work)
    faces = [(die, what) for die, what in told.heard if isinstance(what, int)]
    assert faces == [("AA", 3), ("BB", 16), *(("CC", number - 1) for number in range(1, 7)), ("AA", 1)]
    assert "Bluetooth dice: Pixels Alice (d6), Pixels Bob (d20), GoDice GoDice_CC_R_v04 (d6)" in told.said
    assert all(die.client is None for die in air.dice), "let go of in the end"


def test_no_adapter_and_a_die_that_does_not_connect_are_sentences() -> None:
    pixel = Pixel("AA")
    pixel.connects = False
    air = Air(pixel)
    air.works = False

    async def work(radio: Radio) -> None:
        await until(lambda: air.looks > 2)
        air.works = True
        seen = air.looks
        await until(lambda: air.looks > seen + 2)
        assert not radio.dice
        pixel.connects = True
        await until(lambda: bool(radio.dice))

    told = with_radio(air, work)
    assert "Bluetooth does not work: No Bluetooth adapters found." in told.said
    assert "Alice does not connect: le-connection-abort-by-local" in told.said


# --- all of it: the table's roller hears what people throw, each once ---


class House:
    """A bridge in a thread of its own, and the table's end of the line."""

    def __init__(self, folder: Path, *dice: Die) -> None:
        self.air = Air(*dice)
        self.out = io.StringIO()
        self.link = folder / "dice"
        self.bridge = Bridge(self.air, self.link, self.out)
        self.bridge.radio.pauses = (0.001, 0.01, 0.01)
        self.rolls: list[Roll] = []
        self.rolled = threading.Semaphore(0)
        self.connected = threading.Event()
        self.roller = DiceRoller(lambda: [Port(str(self.link))] if self.link.exists() else [])
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()))

    async def _run(self) -> None:
        self.loop, self.stop = asyncio.get_running_loop(), asyncio.Event()
        await self.bridge.run(self.stop)

    def __enter__(self) -> House:
        self._thread.start()
        self.roller.start(self._take, lambda state: self.connected.set() if state.connected else None)
        assert self.connected.wait(WAIT)
        return self

    def __exit__(self, *_: object) -> None:
        self.roller.stop()
        self.loop.call_soon_threadsafe(self.stop.set)
        self._thread.join()
        assert not self.link.exists()

    def _take(self, roll: Roll) -> None:
        self.rolls.append(roll)
        self.rolled.release()

    def at_the_radio(self, work: Callable[[], None]) -> None:
        """Dice tell in the radio's own thread."""
        done = threading.Event()

        def run() -> None:
            work()
            done.set()

        self.loop.call_soon_threadsafe(run)
        assert done.wait(WAIT)

    def wanted(self, *dice: tuple[str, int]) -> None:
        self.roller.show(dice)
        pause = threading.Event()
        for _ in range(int(WAIT * 50)):
            if self.bridge._roller._firmware.dice == list(dice):
                return
            pause.wait(0.02)
        raise AssertionError("the dice to throw were never told")


def test_what_people_throw_are_rolls_of_the_table(tmp_path: Path) -> None:
    pixel, go = Pixel("AA"), Go("BB")
    with House(tmp_path, pixel, go) as house:
        assert "hand" in (house.roller._talk.roller or pytest.fail("gone")).can
        house.wanted(("A", 6), ("B", 6))
        for number in range(1, 6):
            house.at_the_radio(lambda number=number: pixel.throw(number))  # type: ignore[misc]
            house.at_the_radio(lambda number=number: go.throw(number + 1))  # type: ignore[misc]
            assert house.rolled.acquire(timeout=WAIT)
            assert house.rolls[-1].faces == {"A": number - 1, "B": number}
        assert [roll.n for roll in house.rolls] == [1, 2, 3, 4, 5]
        assert house.rolls[0].by == "button"
        with pytest.raises(RollRefused, match="throw them") as refused:
            house.roller.roll([("A", 6), ("B", 6)])
        assert refused.value.code == "hand"
        with pytest.raises(RollRefused, match="cannot be proved"):
            house.roller.commit()
        with pytest.raises(RollRefused, match="no connected die is a d12"):
            house.roller.roll([("C", 12)])


def test_without_dice_there_is_no_port_and_it_comes_back_with_them(tmp_path: Path) -> None:
    pixel = Pixel("AA")
    with House(tmp_path, pixel) as house:
        house.connected.clear()
        house.at_the_radio(pixel.leave)
        assert not house.link.exists()
        pixel.awake = True
        assert house.connected.wait(WAIT)
        house.wanted(("A", 6))
        house.at_the_radio(lambda: pixel.throw(6))
        assert house.rolled.acquire(timeout=WAIT)
        assert house.rolls[-1].faces == {"A": 5}
    assert "no Bluetooth dice are awake: shake them" in house.out.getvalue()
