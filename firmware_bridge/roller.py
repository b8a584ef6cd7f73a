"""The dice roller as the table uses it.

    roller = DiceRoller(log=RollLog(Path("rolls.jsonl")))
    roller.start(on_roll=table.take_roll, on_state=page.show_roller)
    roller.show([("A", 6), ("B", 6)])                 # what its own button throws
    roll = roller.roll([("A", 6)], request_id="m3-r2")  # waits; `on_roll` has had the roll before
    roller.stop()

Every roll, whoever asked for it, reaches `on_roll` exactly once, in the order it was thrown.
"""

from __future__ import annotations

import logging
import queue
import statistics
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from dataclasses import asdict, dataclass, field
from typing import TypeVar

from companion.core.messages import m
from firmware_bridge.asks import Answer, Answered, Ask, Changed, Event, Failed, RollHeard, Timing
from firmware_bridge.conversation import Conversation
from firmware_bridge.dice import AnyDie, Roll, checked_dice, count_roll, names_and_faces
from firmware_bridge.exc import BadDice, BridgeError, NoAnswer, RollRefused
from firmware_bridge.fairness import FairnessTest, commitment_of, judge
from firmware_bridge.ledger import Ledger, nothing_seen
from firmware_bridge.link import Link
from firmware_bridge.log import RollLog
from firmware_bridge.ports import Opener, PortProvider, SerialWire, usb_ports
from firmware_bridge.protocol import Commit, Commitment, Mix, Ok, Reveal, Seed, Throws, Trial

logger = logging.getLogger(__name__)

ANSWER_SECONDS = 5.0
SWITCHED_OFF = m("The dice roller is switched off: start Stationmaster again.")
THROWS_A_LINE = 400
REMEMBERED_REQUESTS = 256
Expected = TypeVar("Expected", bound=Answer)
Told = TypeVar("Told")


@dataclass(frozen=True)
class RollerState:
    """How the roller is, in one sentence, and what its dice do: `pressed`, `rolling` or `shown`."""

    connected: bool
    sentence: str
    dice: str = "shown"
    uid: str = ""
    virtual: bool = False
    trouble: str = ""  # at a port that may lead to a real one, while a virtual one stands by
    standby: bool = False  # the box's own virtual roller, for want of another


@dataclass(frozen=True)
class RollerHealth:
    """Everything about the roller for the doctor page."""

    state: RollerState
    port: str = ""
    boot: str = ""
    firmware: str = ""
    protocol: str = ""
    displays: int = 0
    up_seconds: float = 0.0
    rolls: int = 0
    lost_rolls: int = 0
    dropped_lines: dict[str, int] = field(default_factory=dict)
    lines_the_roller_dropped: int = 0
    counters: dict[str, int] = field(default_factory=dict)
    duplicates: int = 0
    reconnects: int = 0
    round_trip_ms: float = 0.0
    failed_callbacks: int = 0
    stumbles: int = 0
    histograms: dict[tuple[str, str, int], list[int]] = field(default_factory=dict)


class DiceRoller:
    """The one object the table needs; all methods may be called from any thread."""

    def __init__(
        self,
        ports: PortProvider | None = None,
        *,
        uid: str | None = None,
        log: RollLog | None = None,
        timing: Timing | None = None,
        opener: Opener = SerialWire,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._clock = clock
        self._log = log
        self._events: queue.SimpleQueue[Event | None] = queue.SimpleQueue()
        self._talk = Conversation(Ledger(log.last_seen if log else nothing_seen), timing, uid=uid)
        self._link = Link(
            self._talk,
            ports or usb_ports(),
            self._events.put,
            opener=opener,
            timing=timing,
            uid=uid,
            clock=clock,
        )
        self._lock = threading.Lock()
        self._waiting: dict[str, Future[Roll]] = {}
        self._questions: dict[str, Future[Answer]] = {}
        self._answered: OrderedDict[str, Roll] = OrderedDict()
        self._histograms: dict[tuple[str, str, int], list[int]] = {}
        self._numbers: Counter[str] = Counter()
        self._on_roll: Callable[[Roll], None] = _ignore
        self._on_state: Callable[[RollerState], None] = _ignore
        self._teller = threading.Thread(target=self._tell, name="dice-rolls", daemon=True)

    def start(
        self, on_roll: Callable[[Roll], None], on_state: Callable[[RollerState], None] | None = None
    ) -> None:
        """Look for the roller and keep it; both functions are called from one thread of the roller's own."""
        self._on_roll, self._on_state = on_roll, on_state or _ignore
        self._teller.start()
        self._link.start()

    def stop(self) -> None:
        """Let go of the port, answer everybody who waits; takes less than a second."""
        self._link.stop()
        with self._lock:
            names = [*self._waiting, *self._questions]
        for name in names:
            self._disappoint(name, NoAnswer(SWITCHED_OFF))
        self._events.put(None)
        if self._teller.is_alive() and threading.current_thread() is not self._teller:
            self._teller.join(1.0)

    # Rolling

    def show(self, dice: Iterable[AnyDie]) -> None:
        """What the roller shows between requests, and what its own button throws."""
        self._link.show(checked_dice(dice))

    def picture(self, dots: bytes) -> None:
        """128 x 64 dots (8 pages of 128 columns, lowest bit on top) until dice are shown; where it can."""
        self._link.picture(tuple(dots[128 * page : 128 * page + 128].hex() for page in range(8)))

    def roll(
        self, dice: Iterable[AnyDie], request_id: str | None = None, seconds: float = ANSWER_SECONDS
    ) -> Roll:
        """Throw these dice and wait; the same `request_id` is the same roll, however often it is asked."""
        return self.request(dice, request_id, seconds).result()

    def request(
        self, dice: Iterable[AnyDie], request_id: str | None = None, seconds: float = ANSWER_SECONDS
    ) -> Future[Roll]:
        """Like `roll`, without waiting."""
        wanted = checked_dice(dice)
        ask = Ask(request_id or self._link.new_id(), self._clock() + seconds, wanted)
        with self._lock:
            future, is_new = self._future_of(ask)
        if is_new:
            self._submit(ask)
        return future

    def _submit(self, ask: Ask) -> None:
        if not self._link.submit(ask):
            self._disappoint(ask.id, NoAnswer(SWITCHED_OFF))

    def _future_of(self, ask: Ask) -> tuple[Future[Roll], bool]:
        """Who asks twice waits for the first answer, or gets it again."""
        done = self._answered.get(ask.id)
        if done and names_and_faces(done.dice) != names_and_faces(ask.dice):
            raise BadDice(f"The request {ask.id!r} was a roll of other dice: use another id.")
        future = self._waiting.get(ask.id)
        if future:
            return future, False
        future = Future()
        if done:
            future.set_result(done)
        else:
            self._waiting[ask.id] = future
        return future, done is None

    # Fairness

    def self_test(self, throws: int = 10_000, faces: int = 6) -> FairnessTest:
        """Throw one die so often and judge the counts; these throws are no rolls."""
        counts: Counter[int] = Counter()
        while (left := throws - counts.total()) > 0:
            trial = Trial(self._link.new_id(), faces, min(left, THROWS_A_LINE))
            counts.update(int(digit, 36) for digit in self._answer(trial, Throws).thrown)
        return judge([counts[face] for face in range(faces)])

    def commit(self) -> str:
        """Have the roller choose a secret seed: the SHA-256 of it. Then say the players' word, then roll."""
        return self._answer(Commit(self._link.new_id()), Commitment).hash

    def mix(self, commitment: str, word: str) -> None:
        """The players' word, chosen after they saw the commitment."""
        self._answer(Mix(self._link.new_id(), commitment[:8], word), Ok)

    def reveal(self, commitment: str) -> str:
        """Open the seed, so that `fairness.verify_roll` can prove every roll; a restarted roller has none."""
        seed = self._answer(Reveal(self._link.new_id(), commitment[:8]), Seed).seed
        if commitment_of(seed) != commitment:
            raise RollRefused("seed", "The roller opened another seed than it committed to: do not trust it.")
        return seed

    def _answer(self, message: Commit | Mix | Reveal | Trial, kind: type[Expected]) -> Expected:
        future: Future[Answer] = Future()
        with self._lock:
            self._questions[message.id] = future
        self._submit(Ask(message.id, self._clock() + ANSWER_SECONDS, message=message))
        answer = future.result()
        if not isinstance(answer, kind):
            raise RollRefused("answer", "The roller answered something else: load the firmware that fits.")
        return answer

    # How it is

    def state(self) -> RollerState:
        """How the roller is now."""
        roller = self._talk.roller
        if roller is None:
            return RollerState(False, self._link.sentence)
        virtual = "virtual" in roller.can
        trouble = self._link.trouble if virtual else ""
        dice, standby = self._talk.dice_state, self._link.port is not None and self._link.port.standby
        return RollerState(True, self._link.sentence, dice, roller.uid, virtual, trouble, standby)

    def health(self) -> RollerHealth:
        """Everything about the roller, for the doctor page."""
        with self._link.lock:
            return self._health()

    def _health(self) -> RollerHealth:
        talk, roller, port = self._talk, self._talk.roller, self._link.port
        trips, beat = list(talk.round_trips), talk.last_beat
        return RollerHealth(
            state=self.state(),
            port=port.device if port else "",
            boot=roller.boot if roller else "",
            firmware=roller.fw if roller else "",
            protocol=f"{roller.proto[0]}.{roller.proto[1]}" if roller else "",
            displays=roller.dice if roller else 0,
            up_seconds=beat.up / 1000 if beat else 0.0,
            rolls=self._numbers["rolls"],
            lost_rolls=talk.ledger.lost,
            dropped_lines=asdict(talk.reader.drops),
            lines_the_roller_dropped=beat.bad if beat else 0,
            counters=asdict(talk.counters),
            duplicates=talk.ledger.duplicates,
            reconnects=self._link.reconnects,
            round_trip_ms=1000 * statistics.median(trips) if trips else 0.0,
            stumbles=self._link.stumbles,
            failed_callbacks=self._numbers["failed callbacks"],
            histograms={key: list(counts) for key, counts in list(self._histograms.items())},
        )

    # Telling

    def _tell(self) -> None:
        """The roller's own thread: whatever a callback does, the port is served meanwhile."""
        while (event := self._events.get()) is not None:
            match event:
                case RollHeard(roll):
                    self._tell_roll(roll)
                    self._resolve(roll)
                case Answered(ask, answer) if isinstance(answer, Roll):
                    self._resolve(answer)
                case Answered(ask, answer) if not isinstance(answer, Roll):
                    self._settle(ask.id, answer)
                case Failed(ask, error):
                    self._disappoint(ask.id, error)
                case Changed():
                    self._call(self._on_state, self.state())

    def _tell_roll(self, roll: Roll) -> None:
        """The table first: a roll in the log is never asked for again, so it must have arrived by then.

        After a crash between the two the table gets the roll once more, and knows it by its key.
        """
        self._call(self._on_roll, roll)
        if self._log:
            self._call(self._log.append, roll)
        count_roll(self._histograms, roll)
        self._numbers["rolls"] += 1

    def _call(self, function: Callable[[Told], None], told: Told) -> None:
        try:
            function(told)
        except Exception:
            logger.exception("A listener of the dice roller failed on %s", told)
            self._numbers["failed callbacks"] += 1

    def _resolve(self, roll: Roll) -> None:
        """Also when its caller has given up: who asks again with that id gets this roll."""
        if roll.request_id is None:
            return
        with self._lock:
            self._answered[roll.request_id] = roll
            if len(self._answered) > REMEMBERED_REQUESTS:
                self._answered.popitem(last=False)
            future = self._waiting.pop(roll.request_id, None)
        if future:
            future.set_result(roll)

    def _settle(self, request: str, answer: Answer) -> None:
        with self._lock:
            future = self._questions.pop(request, None)
        if future:
            future.set_result(answer)

    def _disappoint(self, request: str, error: BridgeError) -> None:
        with self._lock:
            roll, answer = self._waiting.pop(request, None), self._questions.pop(request, None)
        if roll:
            roll.set_exception(error)
        if answer:
            answer.set_exception(error)


def _ignore(_: object) -> None:
    """For tables that do not listen."""
