"""The roller itself: hears requests and the button, throws, remembers, answers, shows."""

from .button import Button
from .display import WHITE, Display
from .fair import Secret, SeedBytes, Urandom, pick, to_hex
from .requests import Refused, from_hex, is_plain, number, read_dice, read_rows, text
from .rolls import KeptRolls
from .seams import Board, Screen
from .wire import Lines, decode, encode

VERSION = "1.2.0"
PROTOCOL = [1, 0]
ABILITIES = ["fair", "glyphs", "test"]

BEAT_MS = 800
KNOWN_SEEDS = 8
HOST_GONE_MS = 5000  # without a host nothing is written: the port would only fill with old lines
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


class Roller:
    """The roller's main loop: call `step` for ever."""

    protocol = PROTOCOL

    def __init__(self, board: Board, screen: Screen) -> None:
        self.board = board
        self.boot = to_hex(board.random(4))
        self.kept = KeptRolls()
        self.set = ""  # the host's word for the dice below; none yet
        self.dice: list[tuple[str, int]] = [("d6", 6)]
        self.secret: Secret | None = None
        self.display = Display(screen)
        self._lines = Lines()
        self._bad_lines = 0
        self.faults = 0  # turns that failed and were survived
        self._now = 0
        self._heard_at = -HOST_GONE_MS
        self._greeted = False
        self._beat_at = 0
        self._button = Button()
        self._seeds: list[str] = []  # requests that had a seed chosen, the last few
        self._opened: tuple[str, str] = ("", "")  # the request that opened the last seed, and that seed
        self._tested: tuple[str, bytes] = ("", b"")
        self._handlers = {
            "hello": self._hello,
            "ping": self._ping,
            "dice": self._set_dice,
            "glyphs": self._glyphs,
            "roll": self._roll,
            "since": self._since,
            "commit": self._commit,
            "mix": self._mix,
            "reveal": self._reveal,
            "test": self._test,
            "page": self._page,
        }

    def step(self) -> None:
        """One turn: time, wire, button, heartbeat, one frame of the display."""
        self._now += self.board.lap_ms()
        bad_before = self._bad_lines
        for line in self._lines.feed(self.board.read()):
            self._hear(line)
        if self._bad_lines > bad_before:
            self._say([("t", "nak")])
        self._watch_button()
        self._beat()
        if self.display.step(self._now):
            self._say_state("shown")
        self.board.feed_watchdog()

    def survive(self, fault: Exception) -> None:
        """Go on after a failed turn (out of memory, for example), and report it."""
        self.faults += 1
        try:
            words = "a turn failed (" + type(fault).__name__ + "): the roller goes on"
            if self._host_is_there():
                self._refuse(Refused("fault", words), None)
        except Exception:  # noqa: BLE001 - not even that: the next turn may
            self.faults += 1

    # What comes in

    def _hear(self, line: bytes | None) -> None:
        message = None if line is None else decode(line)
        if message is None:
            self._bad_lines += 1
            return
        self._heard_at = self._now
        try:
            self._handle(message)
        except Refused as refused:
            self._refuse(refused, message.get("id"))

    def _handle(self, message: dict[str, object]) -> None:
        word = message.get("t")
        handler = self._handlers.get(word) if isinstance(word, str) else None
        if handler is None:
            raise Refused("unknown", "this firmware does not know that word")
        handler(message)

    def _hello(self, message: dict[str, object]) -> None:
        fields: list[tuple[str, object]] = [
            ("t", "hello"),
            ("nonce", text(message, "nonce", 16)),
            ("proto", self.protocol),
            ("uid", self.board.uid()),
            ("boot", self.boot),
            ("n", self.kept.last),
        ]
        if not message.get("brief"):
            abilities = ABILITIES + list(self.board.extras)
            if self.display.canvas:
                abilities.append("canvas")
            if not self.display.works:
                abilities.append("dark")  # the screen does not answer; the dice go on without it
            fields += [("fw", VERSION), ("dice", self.display.places), ("can", abilities)]
        self._greeted = True
        self._say(fields)

    def _ping(self, message: dict[str, object]) -> None:
        """Handle a ping: receiving it was all that was needed."""

    def _set_dice(self, message: dict[str, object]) -> None:
        request, word, dice = text(message, "id"), text(message, "set", 16), read_dice(message.get("dice"))
        self.set, self.dice = word, dice
        self._done(request)
        self.display.show(self.dice, None)

    def _glyphs(self, message: dict[str, object]) -> None:
        request, die = text(message, "id"), text(message, "die", 12)
        first = number(message.get("first", 0), 0, 255, "first")
        rgb = from_hex(text(message, "rgb", 6)) if "rgb" in message else bytes(WHITE)
        if len(rgb) != 3:
            raise Refused("bad", "rgb is six hex digits")
        self.display.learn(die, first, read_rows(message.get("rows")), (rgb[0], rgb[1], rgb[2]))
        self._done(request)

    def _page(self, message: dict[str, object]) -> None:
        request, place = text(message, "id"), number(message.get("page"), 0, 7, "page")
        dots = from_hex(text(message, "dots", 256))
        if len(dots) != 128:
            raise Refused("bad", "a page is 128 bytes")
        self.display.page(place, dots, bool(message.get("show")))
        self._done(request)

    def _roll(self, message: dict[str, object]) -> None:
        request = text(message, "id")
        line = self.kept.of_request(request)
        if line is not None:
            self.board.write(line)
        elif message.get("set") != self.set or not self.set:
            raise Refused("set", "the dice of this request were never set")
        else:
            self._throw(request)

    def _since(self, message: dict[str, object]) -> None:
        request = text(message, "id")
        for line in self.kept.since(number(message.get("n"), 0, 2**53, "n")):
            self.board.write(line)
        self._say(
            [
                ("t", "kept"),
                ("id", request),
                ("boot", self.boot),
                ("first", self.kept.first),
                ("last", self.kept.last),
            ]
        )

    def _commit(self, message: dict[str, object]) -> None:
        request = text(message, "id")
        if self.secret is None or self.secret.request != request:
            if request in self._seeds:  # a line that came late must not throw away the seed in use
                raise Refused("seed", "that seed was given up already")
            self._seeds.append(request)
            if len(self._seeds) > KNOWN_SEEDS:
                self._seeds.pop(0)
            self.secret = Secret(request, self.board.random(32))
        self._say([("t", "commitment"), ("id", request), ("hash", self.secret.hash)])

    def _mix(self, message: dict[str, object]) -> None:
        request, nonce = text(message, "id"), text(message, "nonce")
        secret = self._secret_named(message)
        if secret.nonce not in ("", nonce):
            raise Refused("seed", "the players' word is fixed already")
        secret.nonce = nonce
        self._done(request)

    def _reveal(self, message: dict[str, object]) -> None:
        request = text(message, "id")
        if self._opened[0] != request:
            self._opened = (request, to_hex(self._secret_named(message).seed))
            self.secret = None
        self._say([("t", "seed"), ("id", request), ("seed", self._opened[1])])

    def _secret_named(self, message: dict[str, object]) -> Secret:
        if self.secret is None or message.get("fair") != self.secret.hash[:8]:
            raise Refused(
                "seed", "there is no such seed: commit first; a restarted roller has forgotten its own"
            )
        return self.secret

    def _test(self, message: dict[str, object]) -> None:
        request = text(message, "id")
        if self._tested[0] != request:
            faces = number(message.get("faces"), 2, 36, "faces")
            source = Urandom(self.board)
            throws = [pick(faces, source) for _ in range(number(message.get("count"), 1, 400, "count"))]
            thrown = "".join([DIGITS[face] for face in throws])
            fields = [("t", "throws"), ("id", request), ("faces", faces), ("thrown", thrown)]
            self._tested = (request, encode(fields))
        self.board.write(self._tested[1])

    # What goes out

    def _say(self, fields: list[tuple[str, object]]) -> None:
        self.board.write(encode(fields))

    def _done(self, request: str) -> None:
        self._say([("t", "ok"), ("id", request)])

    def _refuse(self, refused: Refused, request: object) -> None:
        fields: list[tuple[str, object]] = [("t", "err"), ("code", refused.code), ("msg", refused.sentence)]
        if is_plain(request, 40):
            fields.append(("id", request))
        self._say(fields)

    def _say_state(self, state: str) -> None:
        if self._host_is_there():
            self._say([("t", "state"), ("s", state), ("n", self.kept.last)])

    def _host_is_there(self) -> bool:
        return self._greeted and self._now - self._heard_at < HOST_GONE_MS

    def _beat(self) -> None:
        if self._now >= self._beat_at and self._host_is_there():
            self._beat_at = self._now + BEAT_MS
            self._say(
                [
                    ("t", "beat"),
                    ("boot", self.boot),
                    ("n", self.kept.last),
                    ("up", self._now),
                    ("bad", self._bad_lines),
                ]
            )

    # Throwing

    def _throw(self, request: str | None) -> None:
        """Throw, remember and answer; only then may the dice tumble on the display."""
        line, faces = self._next_roll(request)
        self.kept.add(request, line)
        if request is not None or self._host_is_there():
            self.board.write(line)
        self._say_state("rolling")
        self.display.tumble(self.dice, faces, self._now)

    def _next_roll(self, request: str | None) -> tuple[bytes, list[int]]:
        n = self.kept.last + 1
        source = self._source(n)
        faces = [pick(count, source) for _, count in self.dice]
        shown = [[die[0], die[1], face] for die, face in zip(self.dice, faces)]  # noqa: B905 - unknown to MicroPython
        fields: list[tuple[str, object]] = [("t", "roll"), ("boot", self.boot), ("n", n), ("dice", shown)]
        if request is not None:
            fields.append(("id", request))
        if self.secret is not None:
            fields.append(("fair", self.secret.hash[:8]))
        return encode(fields), faces

    def _source(self, n: int) -> Urandom | SeedBytes:
        if self.secret is None:
            return Urandom(self.board)
        if not self.secret.nonce:
            raise Refused("mix", "the players have not said their word yet")
        return SeedBytes(self.secret.seed, self.secret.nonce, n)

    def _watch_button(self) -> None:
        change = self._button.step(self.board.button_down(), self._now)
        if change == "down":
            self._say_state("pressed")
            self.display.shake(self.dice)
        elif change == "up":
            try:
                self._throw(None)
            except Refused as refused:
                self.display.show(self.dice, None)
                if self._host_is_there():
                    self._refuse(refused, None)
