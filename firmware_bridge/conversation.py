"""The protocol state machine for one roller, without port or clock.

Bytes and the time come in, bytes and events go out. There is never more than one question open (stop and
wait), and every question may be asked again without harm: that is what makes drops, garbled bytes, duplicates
and restarts ordinary. What is asked next follows from what is missing now, most urgent first: a roll that got
lost, the dice of the oldest request and then that request itself, the dice to show, their pictures.
"""

from __future__ import annotations

import secrets
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from msgspec import structs

from firmware_bridge.asks import Answer, Answered, Ask, Changed, Counters, Event, Failed, RollHeard, Timing
from firmware_bridge.dice import Die, Roll, Thrown, names_and_faces
from firmware_bridge.exc import (
    BridgeError,
    NoAnswer,
    NotARoller,
    ProtocolTooNew,
    RollerSilent,
    RollRefused,
    WrongRoller,
)
from firmware_bridge.ledger import Ledger
from firmware_bridge.pictures import Pictures
from firmware_bridge.protocol import (
    PROTOCOL,
    Beat,
    Commit,
    Commitment,
    FromRoller,
    Glyphs,
    Hello,
    HelloAnswer,
    Kept,
    LineReader,
    Mix,
    Nak,
    Ok,
    Page,
    Ping,
    Refusal,
    Reveal,
    RollMessage,
    RollRequest,
    Seed,
    SetDice,
    Since,
    State,
    Throws,
    Trial,
    encode,
)

MOST_COPIES = 32
Question = SetDice | Glyphs | Page | RollRequest | Since | Commit | Mix | Reveal | Trial


def nothing_more() -> None:
    """Do nothing with an answer: for questions that need no more."""


@dataclass(eq=False)
class Exchange:
    """A question to the roller that is not answered yet; there is one at a time."""

    id: str
    line: bytes
    asked_at: float
    next_at: float
    on_answer: Callable[[], None] = nothing_more
    on_refusal: Callable[[Refusal], None] | None = None
    attempts: int = 0
    is_noisy: bool = False


class Conversation:
    """Feed it with `opened`, `receive`, `tick` and `closed`; take `take_outgoing()` and `take_events()`."""

    def __init__(self, ledger: Ledger, timing: Timing | None = None, *, uid: str | None = None) -> None:
        self.ledger = ledger
        self.reader = LineReader()
        self.counters = Counters()
        self.roller: HelloAnswer | None = None
        self.dice_state = "shown"
        self.last_beat: Beat | None = None
        self.failure: BridgeError | None = None
        self.round_trips: deque[float] = deque(maxlen=100)
        self._timing = timing or Timing()
        self._wanted_uid = uid
        self._port = ""
        self._open = False
        self._outgoing = bytearray()
        self._events: list[Event] = []
        self._asks: deque[Ask] = deque()
        self._exchange: Exchange | None = None
        self._shown: tuple[Die, ...] = ()
        self._set: tuple[tuple[str, int], ...] = ()
        self._set_word = ""
        self._pictures = Pictures()
        self._canvas: tuple[str, ...] = ()  # what is to be seen in the place of dice, page by page
        self._pages_known = 0
        self._met: HelloAnswer | None = None  # the roller of the last greeting
        self._proved: set[str] = set()  # ports where a roller has answered before
        self._late_to = 0
        self._nonce = ""
        self._hellos = 0
        self._ids = 0
        self._id_prefix = secrets.token_hex(3)  # the roller may remember ids of an earlier process
        self._greeting_until = self._hello_at = self._ping_at = 0.0
        self._heard_at = self._understood_at = 0.0

    # What the owner of the port tells

    def opened(self, port: str, now: float) -> None:
        """Greet the roller: the port is open."""
        self._port, self._open, self.failure = port, True, None
        self.reader.forget()
        self._heard_at = self._understood_at = now
        self._greet(now)

    def closed(self) -> None:
        """End the exchange: the port is closed; requests stay and are asked again later."""
        self._open = False
        self._exchange = None
        self._outgoing.clear()
        self._part()

    def receive(self, data: bytes, now: float) -> None:
        """Take in bytes from the port."""
        if data:
            self._heard_at = now
        for message in self.reader.feed(data):
            self._understand(message, now)

    def tick(self, now: float) -> None:
        """Do what is due at this time: ask, ask again, ping, time out."""
        self._expire(now)
        if not self._open or self.failure:
            return
        if self.roller is None:
            self._keep_greeting(now)
            return
        self._notice_silence(now)
        self._ask(now)
        if now >= self._ping_at:
            self._send(encode(Ping()), now)

    def next_deadline(self) -> float:
        """The time at which `tick` has to be called at the latest."""
        times = [ask.expires_at for ask in self._asks]
        if self._open and self.roller:
            times += [self._ping_at, self._heard_at + self._timing.silent]
        elif self._open:
            times += [self._hello_at, self._greeting_until]
        if self._exchange:
            times.append(self._exchange.next_at)
        return min(times, default=float("inf"))

    # What callers want

    @property
    def busy(self) -> bool:
        """True if somebody waits for an answer."""
        return bool(self._asks)

    def submit(self, ask: Ask) -> None:
        """Queue a request; its answer comes as an event."""
        self._pictures.want(ask.dice)
        self._asks.append(ask)

    def show(self, dice: tuple[Die, ...]) -> None:
        """Between requests the roller shows these dice, and its button throws them."""
        self._pictures.want(dice)
        self._shown = dice
        if self._canvas:
            self._canvas, self._set = (), ()  # the dice have to be drawn again

    def picture(self, pages: tuple[str, ...]) -> None:
        """Show this in the place of dice, where the roller can, until dice are shown again."""
        if pages != self._canvas:
            self._canvas, self._pages_known = pages, 0

    def new_id(self) -> str:
        """An id that this roller has not heard before."""
        self._ids += 1
        return f"{self._id_prefix}.{self._ids}"

    # What comes out

    def take_outgoing(self) -> bytes:
        """Take the bytes that are to be written to the port."""
        data = bytes(self._outgoing)
        self._outgoing.clear()
        return data

    def take_events(self) -> list[Event]:
        """What happened since the last call."""
        events, self._events = self._events, []
        return events

    # Greeting

    def _greet(self, now: float) -> None:
        """Start the conversation: whatever arrives before the echo of this nonce is stale."""
        self._part()
        self._nonce = secrets.token_hex(2)
        self._hellos = 0
        self._hello_at = now
        self._greeting_until = now + self._timing.greeting
        self._exchange = None
        self._set = ()
        self._pictures.all_unknown()
        self._pages_known = 0

    def _part(self) -> None:
        if self.roller is not None:
            self.roller = None
            self._events.append(Changed())

    def _keep_greeting(self, now: float) -> None:
        if now >= self._greeting_until:
            self.failure = NotARoller(self._port)
        elif now >= self._hello_at:
            noisy = self._hellos > 2
            self._hello_at = now + (self._timing.noisy_retry if noisy else self._timing.hello_again)
            hello = Hello(self._nonce, brief=True) if noisy else Hello(self._nonce, PROTOCOL)
            self._outgoing += encode(hello) * min(1 + self._hellos // 2, MOST_COPIES)

    def _greeted(self, answer: HelloAnswer, now: float) -> None:
        if answer.proto[0] != PROTOCOL[0]:
            self.failure = ProtocolTooNew(self._port, answer.proto, PROTOCOL[0])
        elif not answer.uid or not answer.boot:  # our own line, echoed
            self.failure = NotARoller(self._port)
        elif self._wanted_uid not in (None, answer.uid):
            self.failure = WrongRoller(self._port, answer.uid, self._wanted_uid or "")
        else:
            self._meet(answer, now)

    def _meet(self, answer: HelloAnswer, now: float) -> None:
        if self._met and self._met.uid == answer.uid:
            self.counters.restarts += self._met.boot != answer.boot
            answer = completed(answer, self._met)
        self.roller = self._met = answer
        self._proved.add(self._port)
        self._understood_at = self._ping_at = now
        self.ledger.meet(answer.uid, answer.boot)
        self.ledger.expect(answer.n)
        self._late_to = answer.n
        self._events.append(Changed())

    # Understanding

    def _understand(self, message: FromRoller | None, now: float) -> None:
        if message is None:
            self._hurry(now)
        elif self.roller:
            self._understood_at = now
            self._hear(message, self.roller, now)
        elif isinstance(message, HelloAnswer) and message.nonce == self._nonce and self._open:
            self._greeted(message, now)
        else:
            self.counters.before_greeting += 1

    def _hear(self, message: FromRoller, roller: HelloAnswer, now: float) -> None:
        match message:
            case HelloAnswer():  # a second copy, perhaps the full one after a brief one
                if message.boot == roller.boot:
                    self.roller = self._met = completed(message, roller)
            case RollMessage() | Beat() | Kept() if message.boot != roller.boot:
                self.counters.stale += 1
                self._greet(now)
            case RollMessage():
                self._hear_roll(message, now)
            case Beat():
                self.ledger.expect(message.n)
                self.last_beat = message
            case State():
                self.dice_state = message.s
                self._events.append(Changed())
            case Nak():
                self.counters.naks += 1
                self._hurry(now)
            case Refusal():
                self._hear_refusal(message)
            case Ok() | Kept() | Commitment() | Seed() | Throws():
                self._hear_answer(message, now)

    def _hurry(self, now: float) -> None:
        """Ask again at once: a line was lost, perhaps the question or its answer."""
        soon = now + self._timing.hurry
        if self._exchange:
            self._exchange.next_at = min(self._exchange.next_at, soon)
            self._exchange.is_noisy = True
        elif self.roller is None and self._port in self._proved:
            self._hellos += 1
            self._hello_at = min(self._hello_at, soon)

    def _hear_roll(self, message: RollMessage, now: float) -> None:
        if self._exchange and self._exchange.id == message.id:
            self._close_exchange(now)
        is_old = message.n <= self.ledger.last
        for roll in self.ledger.offer(message):
            self._hand_on(roll)
        ask = self._ask_named(message.id)
        if ask and is_old:
            # Handed on before this process began: the caller gets the answer, the table no second event.
            self._asks.remove(ask)
            self._events.append(Answered(ask, self._as_roll(message, ask)))

    def _hand_on(self, message: RollMessage) -> None:
        ask = self._ask_named(message.id)
        roll = self._as_roll(message, ask)
        if ask:
            self._asks.remove(ask)
            if names_and_faces(ask.dice) != names_and_faces(roll.dice):
                wrong = RollRefused("dice", "The roller threw other dice than it was asked for: ask again.")
                self._events.append(Failed(ask, wrong))
                ask = None
        self._events.append(RollHeard(roll, ask))

    def _as_roll(self, message: RollMessage, ask: Ask | None) -> Roll:
        roller = self.roller
        return Roll(
            uid=roller.uid if roller else "",
            boot=message.boot,
            n=message.n,
            dice=tuple(Thrown(*die) for die in message.dice),
            request_id=message.id,
            fair=message.fair,
            late=ask is None and message.n <= self._late_to,
            virtual=roller is not None and "virtual" in roller.can,
        )

    def _hear_answer(self, message: Answer, now: float) -> None:
        exchange = self._exchange
        if exchange is None or exchange.id != message.id:
            return  # the answer to a question asked twice
        if isinstance(message, Kept):
            self._hear_kept(message)
        self._close_exchange(now)
        exchange.on_answer()
        ask = self._ask_named(message.id)
        if ask:
            self._asks.remove(ask)
            self._events.append(Answered(ask, message))

    def _hear_kept(self, kept: Kept) -> None:
        for roll in self.ledger.forgotten_before(kept.first):
            self._hand_on(roll)
        self.ledger.complete_to(kept.last)

    def _hear_refusal(self, refusal: Refusal) -> None:
        self.counters.refusals += 1
        exchange = self._exchange
        if exchange is None or exchange.id != refusal.id:
            return
        self._exchange = None
        ask = self._ask_named(refusal.id)
        if refusal.code == "set":
            self._set = ()  # the roller was restarted and knows no dice: they are set again
        elif ask:
            self._fail(ask, refusal)
        elif exchange.on_refusal:
            exchange.on_refusal(refusal)

    def _fail(self, ask: Ask, refusal: Refusal) -> None:
        self._asks.remove(ask)
        self._events.append(Failed(ask, RollRefused(refusal.code, f"The roller refused: {refusal.msg}.")))

    def _ask_named(self, name: str | None) -> Ask | None:
        return next((ask for ask in self._asks if ask.id == name), None)

    # Asking

    def _ask(self, now: float) -> None:
        if self._exchange is None:
            self._exchange = self._next_exchange(now)
        if self._exchange and now >= self._exchange.next_at:
            self._send_again(self._exchange, now)

    def _send_again(self, exchange: Exchange, now: float) -> None:
        # A line that keeps getting lost is sent several times at once; the roller answers all copies alike.
        copies = min(max(1, exchange.attempts), MOST_COPIES)
        wait = self._timing.first_retry * 2 ** min(exchange.attempts, 10)
        if exchange.is_noisy:  # the roller is there and quick, only the line is bad
            wait = self._timing.noisy_retry
        self.counters.retries += exchange.attempts > 0
        exchange.attempts += 1
        exchange.next_at = now + min(wait, self._timing.longest_retry)
        self._send(exchange.line * copies, now)

    def _next_exchange(self, now: float) -> Exchange | None:
        if self.ledger.gap:
            return exchange_of(Since(self.new_id(), self.ledger.last), now)
        ask = self._asks[0] if self._asks else None
        if ask and ask.message:
            return exchange_of(ask.message, now)
        wanted = names_and_faces(ask.dice if ask else self._shown)
        if wanted and wanted != self._set:
            return self._setting(wanted, now)
        if ask:
            return exchange_of(RollRequest(ask.id, self._set_word), now)
        return self._teaching(now) or self._painting(now)

    def _painting(self, now: float) -> Exchange | None:
        able = self.roller is not None and "canvas" in self.roller.can
        if not able or self._pages_known >= len(self._canvas):
            return None
        page, last = self._pages_known, self._pages_known == len(self._canvas) - 1
        exchange = exchange_of(Page(self.new_id(), page, self._canvas[page], last), now)
        exchange.on_answer = partial(self._page_is_known, page)
        exchange.on_refusal = lambda _: self.picture(())
        return exchange

    def _page_is_known(self, page: int) -> None:
        if self._pages_known == page:  # else another picture is wanted meanwhile
            self._pages_known += 1

    def _setting(self, dice: tuple[tuple[str, int], ...], now: float) -> Exchange:
        word = secrets.token_hex(2)
        exchange = exchange_of(SetDice(self.new_id(), word, dice), now)
        exchange.on_answer = partial(self._dice_are_set, dice, word)
        exchange.on_refusal = partial(self._dice_are_refused, dice)
        return exchange

    def _dice_are_set(self, dice: tuple[tuple[str, int], ...], word: str) -> None:
        self._set, self._set_word = dice, word
        self._pages_known = 0  # the dice lie on it now

    def _dice_are_refused(self, dice: tuple[tuple[str, int], ...], refusal: Refusal) -> None:
        """Fail the requests for these dice: setting them again would change nothing."""
        if names_and_faces(self._shown) == dice:
            self._shown = ()
        for ask in [a for a in self._asks if names_and_faces(a.dice) == dice]:
            self._fail(ask, refusal)

    def _teaching(self, now: float) -> Exchange | None:
        line = self._pictures.next_line(self.new_id())
        if line is None:
            return None
        exchange = exchange_of(line, now)
        exchange.on_answer = partial(self._pictures.known, line)
        exchange.on_refusal = lambda _: self._pictures.known(line)  # no room there: plain faces will do
        return exchange

    def _close_exchange(self, now: float) -> None:
        if self._exchange:
            self.round_trips.append(now - self._exchange.asked_at)
            self._exchange = None

    def _send(self, line: bytes, now: float) -> None:
        self._ping_at = now + self._timing.ping
        self._outgoing += line

    # Giving up

    def _expire(self, now: float) -> None:
        for ask in [ask for ask in self._asks if now >= ask.expires_at]:
            self._asks.remove(ask)
            if self._exchange and self._exchange.id == ask.id:
                self._exchange = None
            self._events.append(Failed(ask, self._no_answer()))

    def _no_answer(self) -> NoAnswer:
        if self.roller is None:
            return NoAnswer("The dice roller is not connected: plug it in, or roll on the phone.")
        return NoAnswer(
            "The dice roller did not answer in time: ask again with the same request, it never throws twice."
        )

    def _notice_silence(self, now: float) -> None:
        silent, useless = now - self._heard_at, now - self._understood_at
        if silent >= self._timing.silent:
            self.failure = RollerSilent(self._port, silent)
        elif useless >= self._timing.only_noise:
            self.failure = RollerSilent(self._port, useless)


def exchange_of(question: Question, now: float) -> Exchange:
    """An exchange for this question, due at once."""
    return Exchange(question.id, encode(question), asked_at=now, next_at=now)


def completed(answer: HelloAnswer, known: HelloAnswer) -> HelloAnswer:
    """A brief answer leaves out what does not change while the firmware stays the same."""
    if answer.fw:
        return answer
    return structs.replace(answer, fw=known.fw, dice=known.dice, can=known.can)
