"""The link to the roller: finds its port, opens it, and keeps the conversation going for ever.

One thread owns the port. Ports come and go: while none works, those there are get tried in turn, each again
after a pause that doubles from half a second to ten; a port that just appeared is tried at once. While a
virtual roller stands by the real ports are tried beside it, two seconds apart at most, until one answers.
"""

from __future__ import annotations

import logging
import os
import select
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from companion.core.messages import m
from firmware_bridge.asks import Ask, Changed, Event, Timing
from firmware_bridge.conversation import Conversation
from firmware_bridge.dice import Die
from firmware_bridge.exc import BridgeError
from firmware_bridge.ports import Opener, Port, PortProvider, SerialWire, Wire
from firmware_bridge.scouts import Scouts

logger = logging.getLogger(__name__)

LOOK_SECONDS = 0.5  # how often to look for ports
SHORTEST_PAUSE, LONGEST_PAUSE = 0.5, 10.0
STANDBY_PAUSE = 2.0  # with a greeting's answer after it a real roller is back within three seconds
STOP_SECONDS = 1.0
NOTHING_PLUGGED = m("No dice roller is plugged in: connect it with its USB cable.")
CONNECTED = m("The dice roller is connected.")


@dataclass
class Trouble:
    """A port that did not work, and when to try it again."""

    port: Port
    error: BridgeError
    pause: float
    again_at: float


class Link:
    """Start it, submit asks, get events; the link's own thread calls `on_event`, which must be quick."""

    def __init__(
        self,
        conversation: Conversation,
        ports: PortProvider,
        on_event: Callable[[Event], None],
        *,
        opener: Opener = SerialWire,
        timing: Timing | None = None,
        uid: str | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.conversation = conversation
        self.sentence: str = NOTHING_PLUGGED
        self.port: Port | None = None
        self.reconnects = 0
        self.stumbles = 0
        self._ports = ports
        self._on_event = on_event
        self._opener = opener
        self._clock = clock
        self.lock = threading.RLock()
        self._wire: Wire | None = None
        self._troubles: dict[tuple[str, str], Trouble] = {}
        self._scouts = Scouts(opener, self._note_trouble, timing, uid)
        self._look_at = clock()
        self._connected_before = False
        self._wake_out, self._wake_in = os.pipe()
        os.set_blocking(self._wake_in, False)
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Start the thread that looks for the roller."""
        self._thread = threading.Thread(target=self._run, name="dice-link", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Close the port and end the thread; takes less than a second."""
        with self.lock:
            if self._stopping.is_set():
                return
            self._stopping.set()
            self._wake()
        if self._thread:
            self._thread.join(STOP_SECONDS)
            self._thread = None
        self._leave()
        os.close(self._wake_in)
        os.close(self._wake_out)

    def submit(self, ask: Ask) -> bool:
        """Queue a request; False when the link has been stopped."""
        with self.lock:
            if self._stopping.is_set():
                return False
            self.conversation.submit(ask)
            self._wake()
        return True

    def show(self, dice: tuple[Die, ...]) -> None:
        """Set the dice that the roller shows and that its button throws."""
        with self.lock:
            self.conversation.show(dice)
            if not self._stopping.is_set():
                self._wake()

    def picture(self, pages: tuple[str, ...]) -> None:
        """Show a picture in the place of dice."""
        with self.lock:
            self.conversation.picture(pages)
            if not self._stopping.is_set():
                self._wake()

    def new_id(self) -> str:
        """A new id for a request."""
        with self.lock:
            return self.conversation.new_id()

    def step(self) -> None:
        """One turn: look for a port or serve the open one, then tell what happened."""
        with self.lock:
            if self._wire is None:
                self._look()
            if self._wire is not None:
                self._serve(self._wire)
            else:
                self.conversation.tick(self._clock())
            events = self.conversation.take_events()
        for event in events:
            self._on_event(event)

    def seconds_to_wait(self) -> float:
        """How long the link may sleep if nothing arrives, in seconds."""
        with self.lock:
            deadline = self.conversation.next_deadline()
            if self._looks_around:
                deadline = min(deadline, self._look_at)
            deadline = min(deadline, self._scouts.next_deadline())
        return max(0.0, deadline - self._clock())

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                self.step()
                self._wait(self.seconds_to_wait())
            except Exception:  # the table must not lose its dice over a mistake in here
                logger.exception("The dice link stumbled and starts over")
                self._start_over()

    def _start_over(self) -> None:
        self.stumbles += 1
        with self.lock:
            self._leave()
        self._stopping.wait(SHORTEST_PAUSE)

    def _wait(self, seconds: float) -> None:
        wire = [self._wire.fileno()] if self._wire else []
        ready, _, _ = select.select([*wire, *self._scouts.wires(), self._wake_out], [], [], seconds)
        if self._wake_out in ready:
            os.read(self._wake_out, 4096)

    def _wake(self) -> None:
        try:
            os.write(self._wake_in, b"!")
        except BlockingIOError:
            return  # it is full of wake-up calls already

    # Looking for a port

    @property
    def _looks_around(self) -> bool:
        """True while the link looks for ports: without one, or beside a stand-by that answers."""
        if self._wire is None or self.port is None:
            return True
        return self.port.standby and self.conversation.roller is not None

    def _look(self) -> None:
        now = self._clock()
        if now < self._look_at:
            return
        self._look_at = now + LOOK_SECONDS
        for port in self._candidates(now):
            if self._open(port, now):
                return
        self._tell_the_worst()

    def _candidates(self, now: float) -> list[Port]:
        """Ports to try now, likeliest first; what is unplugged is forgotten.

        After a trouble the stand-by comes first: it serves while all the others are greeted beside it.
        """
        ports = self._ports()
        identities = {port.identity for port in ports}
        self._troubles = {key: trouble for key, trouble in self._troubles.items() if key in identities}
        in_trouble = bool(self._troubles)
        present = sorted(ports, key=lambda port: (not (port.standby and in_trouble), -port.score))
        return [port for port in present if self._may_try(port, now)]

    def _may_try(self, port: Port, now: float) -> bool:
        trouble = self._troubles.get(port.identity)
        return trouble is None or now >= trouble.again_at

    def _open(self, port: Port, now: float) -> bool:
        try:
            wire = self._opener(port.device)
        except BridgeError as error:
            self._note_trouble(port, error)
            return False
        self._use(port, wire, now)
        return True

    def _use(self, port: Port, wire: Wire, now: float) -> None:
        self._wire, self.port = wire, port
        self.conversation.opened(port.device, now)

    def _note_trouble(self, port: Port, error: BridgeError) -> None:
        before = self._troubles.get(port.identity)
        longest = STANDBY_PAUSE if self.port and self.port.standby else LONGEST_PAUSE
        pause = min(before.pause * 2, longest) if before else SHORTEST_PAUSE
        self._troubles[port.identity] = Trouble(port, error, pause, self._clock() + pause)

    @property
    def trouble(self) -> str:
        """What is wrong at the likeliest port that does not work; empty when there is none."""
        with self.lock:
            troubles = [trouble for trouble in self._troubles.values() if not trouble.port.standby]
            worst = max(troubles, key=lambda trouble: trouble.port.score, default=None)
        return worst.error.message if worst else ""

    def _tell_the_worst(self) -> None:
        """Report the trouble of the likeliest port, which is what the owner should read."""
        self._say(self.trouble or NOTHING_PLUGGED)

    def _say(self, sentence: str) -> None:
        if sentence != self.sentence:
            self.sentence = sentence
            self._on_event(Changed())

    # Serving the open port

    def _serve(self, wire: Wire) -> None:
        now = self._clock()
        try:
            self._pump(wire, now)
            failure = self.conversation.failure
        except BridgeError as error:
            failure = error
        if failure and self.port:
            self._note_trouble(self.port, failure)
            self._leave()
            self._tell_the_worst()
        elif self.conversation.roller:
            self._enjoy(now)

    def _pump(self, wire: Wire, now: float) -> None:
        if select.select([wire.fileno()], [], [], 0)[0]:
            self.conversation.receive(wire.read(), now)
        self.conversation.tick(now)
        outgoing = self.conversation.take_outgoing()
        if outgoing:
            wire.write(outgoing)

    def _enjoy(self, now: float) -> None:
        """Clear the port's errors, since the roller answers; switch from a virtual roller to a real one."""
        if self.sentence != CONNECTED:
            self.reconnects += self._connected_before
            self._connected_before = True
            self._say(CONNECTED)
        if self.port:
            self._troubles.pop(self.port.identity, None)
            if self.port.standby:
                self._look_beside(now)

    def _look_beside(self, now: float) -> None:
        """A virtual roller stands by: greet the real ports meanwhile, go over to the first that answers."""
        if now >= self._look_at:
            self._look_at = now + LOOK_SECONDS
            self._scouts.send([port for port in self._candidates(now) if not port.standby], now)
        found = self._scouts.step(now)
        if found is not None and not self.conversation.busy:
            self._scouts.hand_over(found)
            self._leave()
            self._use(found.port, found.wire, now)

    def _leave(self) -> None:
        self._scouts.recall()
        if self._wire:
            self._wire.close()
        self._wire = self.port = None
        self.conversation.closed()
        self._look_at = self._clock()
