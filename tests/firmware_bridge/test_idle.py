"""A link at which nothing happens sleeps: its turns are counted, at pseudo-terminals of every kind."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from firmware_bridge.conversation import Conversation
from firmware_bridge.ledger import Ledger
from firmware_bridge.link import Link
from firmware_bridge.ports import Port
from firmware_bridge.simulator import PseudoPort, VirtualPort, VirtualRoller

IDLE_SECONDS, MOST_TURNS = 2.0, 20
SETTLES = 1.0  # seconds
PATIENCE = 20.0


class Deaf:
    """A device that takes everything and never says anything, such as a printer."""

    idle = True

    def exchange(self, data: bytes = b"") -> bytes:
        return b""


class CountingLink(Link):
    """One that counts its turns."""

    turns = 0

    def step(self) -> None:
        self.turns += 1
        super().step()


@dataclass
class Table:
    """A link in its own thread, and which ports there are."""

    link: CountingLink
    ports: list[Port]

    @property
    def uid(self) -> str:
        roller = self.link.conversation.roller
        return roller.uid if roller else ""

    def wait_for(self, reached: Callable[[], bool]) -> None:
        until = time.monotonic() + PATIENCE
        while not reached():
            assert time.monotonic() < until
            time.sleep(0.02)

    def turns_while_idle(self) -> int:
        time.sleep(SETTLES)
        before = self.link.turns
        time.sleep(IDLE_SECONDS)
        return self.link.turns - before


@contextmanager
def linked(ports: Sequence[Port]) -> Iterator[Table]:
    there = list(ports)
    table = Table(CountingLink(Conversation(Ledger()), lambda: list(there), lambda _: None), there)
    table.link.start()
    try:
        yield table
    finally:
        table.link.stop()


@pytest.mark.parametrize("standby", [False, True], ids=["real", "stand-by"])
def test_an_idle_link_sleeps(standby: bool) -> None:
    with VirtualPort(VirtualRoller(uid="cafe")) as port, linked([Port(port.name, standby=standby)]) as table:
        table.wait_for(lambda: table.uid == "cafe")
        assert table.turns_while_idle() < MOST_TURNS


def test_it_sleeps_again_after_the_cable_was_pulled_and_put_back(tmp_path: Path) -> None:
    port = VirtualPort(VirtualRoller(uid="cafe"))
    with linked([Port(port.plug(tmp_path / "dice"))]) as table:
        table.wait_for(lambda: table.uid == "cafe")
        port.unplug()
        table.wait_for(lambda: table.uid == "")
        assert table.turns_while_idle() < MOST_TURNS
        port.plug(tmp_path / "dice")
        table.wait_for(lambda: table.uid == "cafe")
        assert table.turns_while_idle() < MOST_TURNS
        assert table.link.reconnects == 1
    port.unplug()


@pytest.mark.parametrize("beside", [False, True], ids=["alone", "beside a stand-by"])
def test_a_port_at_which_nobody_answers_is_not_asked_all_the_time(beside: bool) -> None:
    deaf = PseudoPort(Deaf())
    with VirtualPort(VirtualRoller(uid="5eed")) as spare:
        ports = [Port(deaf.plug(), score=2)]
        if beside:
            ports.append(Port(spare.name, score=-1, standby=True))
        with linked(ports) as table:
            table.wait_for(lambda: bool(table.link.trouble))
            assert table.turns_while_idle() < MOST_TURNS
    deaf.unplug()


def test_two_ports_take_no_more_turns_than_one() -> None:
    deaf = PseudoPort(Deaf())
    with VirtualPort(VirtualRoller(uid="cafe")) as port:
        with linked([Port(deaf.plug(), score=2), Port(port.name, score=1)]) as table:
            table.wait_for(lambda: table.uid == "cafe")
            assert table.turns_while_idle() < MOST_TURNS
        with linked([Port(port.name, score=2), Port(deaf.name, score=-1, standby=True)]) as table:
            table.wait_for(lambda: table.uid == "cafe")
            assert table.turns_while_idle() < MOST_TURNS
    deaf.unplug()
