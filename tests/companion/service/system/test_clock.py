"""A box without a clock believes the host's phone, until the network knows better."""

from __future__ import annotations

from companion.service.system.clock import RELEASED, BoxClock

START = RELEASED.timestamp() + 1_000_000


class Machine:
    def __init__(self) -> None:
        self.time, self.known = START, False
        self.clock = BoxClock(lambda: self.time, lambda: self.known)


def test_a_phone_sets_the_time_and_the_network_takes_over() -> None:
    machine = Machine()
    assert not machine.clock.is_known
    assert machine.clock.tell(START + 5_000_000)
    assert machine.clock.is_known
    machine.time += 60
    assert machine.clock.now().timestamp() == START + 5_000_060
    machine.time, machine.known = START + 5_000_100, True
    assert machine.clock.now().timestamp() == START + 5_000_100
    assert not machine.clock.tell(START), "a clock that is right is not put wrong"


def test_small_differences_between_phones_do_not_make_the_time_jump() -> None:
    machine = Machine()
    machine.clock.tell(START + 5_000_000)
    machine.clock.tell(START + 5_000_030)
    assert machine.clock.now().timestamp() == START + 5_000_000
    machine.clock.tell(START + 6_000_000)
    assert machine.clock.now().timestamp() == START + 6_000_000


def test_nonsense_is_not_believed() -> None:
    machine = Machine()
    for nonsense in (0.0, -1.0, 1e12, RELEASED.timestamp() - 1):
        assert not machine.clock.tell(nonsense)
    assert not machine.clock.is_known
