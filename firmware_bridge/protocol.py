"""Lines on the wire and the messages in them; pure functions, no port in sight.

A line is compact JSON, a star, the CRC-32 of the bytes before the star in eight hex digits, and a newline:

>>> encode(Ping())
b'{"t":"ping"}*6f10338d\\n'
>>> parse_from_host(b'{"t":"ping"}*6f10338d')
Ping()

The page docs/serial-protocol.md shows an example of every message; a test parses them all.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Annotated, TypeVar
from zlib import crc32

import msgspec

from firmware_bridge.exc import BadLine

PROTOCOL = (1, 0)
LONGEST_LINE = 512  # bytes, the newline included
MOST_DICE = 8
MOST_FACES = 256  # one random byte must be able to name every face
KEPT_ROLLS = 32  # how many rolls the roller remembers

# Names and ids must look the same in every JSON writer, so they need no escapes.
Name = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9 _.+-]{1,12}(?!\n)$")]
Id = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9 _.:+-]{1,40}(?!\n)$")]
Token = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{1,16}(?!\n)$")]
Digest = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{64}(?!\n)$")]
Glyph = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{16}(?!\n)$")]
Faces = Annotated[int, msgspec.Meta(ge=2, le=MOST_FACES)]
Count = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
Number = Annotated[int, msgspec.Meta(ge=1, le=2**53)]
DiceOf = Annotated[tuple[tuple[Name, Faces], ...], msgspec.Meta(min_length=1, max_length=MOST_DICE)]
Shown = Annotated[tuple[tuple[Name, Faces, Count], ...], msgspec.Meta(min_length=1, max_length=MOST_DICE)]


class Message(msgspec.Struct, frozen=True, tag_field="t", omit_defaults=True):
    """Base of all messages; the field `t` says which one it is."""


class Hello(Message, frozen=True, tag="hello"):
    """Host: who are you? Everything before the echo of this nonce is old.

    On a noisy line the host asks for a `brief` answer, without `fw`, `dice` and `can`: it is lost less often.
    """

    nonce: Token
    proto: tuple[int, int] | None = None
    brief: bool = False


class Ping(Message, frozen=True, tag="ping"):
    """Host: I am still here; the roller beats as long as it hears something."""


class SetDice(Message, frozen=True, tag="dice"):
    """Host: show and throw these dice; `set` is the word that requests use for them."""

    id: Id
    set: Token
    dice: DiceOf


class Glyphs(Message, frozen=True, tag="glyphs"):
    """Host: pictures of eight rows of eight dots for the faces of one die, from face `first` on."""

    id: Id
    die: Name
    rows: Annotated[tuple[Glyph, ...], msgspec.Meta(min_length=1, max_length=16)]
    first: Count = 0
    rgb: Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{6}(?!\n)$")] = "ffffff"


class Page(Message, frozen=True, tag="page"):
    """Host: a part of a picture of 128 x 64 dots in the place of dice; `show` it with the last one."""

    id: Id
    page: Annotated[int, msgspec.Meta(ge=0, le=7)]
    dots: Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{256}(?!\n)$")]
    show: bool = False


class RollRequest(Message, frozen=True, tag="roll"):
    """Host: throw the dice of this set, once, however often this id is sent."""

    id: Id
    set: Token


class Since(Message, frozen=True, tag="since"):
    """Host: send again every kept roll after number `n`."""

    id: Id
    n: Count


class Commit(Message, frozen=True, tag="commit"):
    """Host: choose a secret seed and show its hash; throws come from that seed from now on."""

    id: Id


class Mix(Message, frozen=True, tag="mix"):
    """Host: the players' own word, chosen after they saw the hash."""

    id: Id
    fair: Token
    nonce: Id


class Reveal(Message, frozen=True, tag="reveal"):
    """Host: show the seed; throws come from the hardware generator again.

    `fair` is the beginning of its hash, as rolls name it.
    """

    id: Id
    fair: Token


class Trial(Message, frozen=True, tag="test"):
    """Host: throw one die `count` times for the self-test; these are not rolls."""

    id: Id
    faces: Annotated[int, msgspec.Meta(ge=2, le=36)]
    count: Annotated[int, msgspec.Meta(ge=1, le=400)]


class HelloAnswer(Message, frozen=True, tag="hello"):
    """Roller: who I am. Only `nonce` and `proto` are sure to be there in later major versions."""

    nonce: Token
    proto: tuple[int, int]
    uid: Annotated[str, msgspec.Meta(max_length=32)] = ""
    boot: Annotated[str, msgspec.Meta(max_length=16)] = ""
    fw: Annotated[str, msgspec.Meta(max_length=16)] = ""
    n: Count = 0
    dice: Count = 0
    can: Annotated[tuple[str, ...], msgspec.Meta(max_length=16)] = ()


class RollMessage(Message, frozen=True, tag="roll"):
    """Roller: a roll, asked for by `id`, or by the roller's own button when there is none."""

    boot: Token
    n: Number
    dice: Shown
    id: Id | None = None
    fair: Token | None = None

    def __post_init__(self) -> None:
        for name, faces, face in self.dice:
            if face >= faces:
                raise ValueError(f"die {name} has {faces} faces, not a face {face}")


class Beat(Message, frozen=True, tag="beat"):
    """Roller: I am alive; `n` is my last roll, `up` milliseconds since power-up, `bad` lines I dropped."""

    boot: Token
    n: Count
    up: Count = 0
    bad: Count = 0


class State(Message, frozen=True, tag="state"):
    """Roller: what the dice are doing: `pressed`, `rolling` or `shown`."""

    s: Annotated[str, msgspec.Meta(pattern=r"^[a-z]{1,12}(?!\n)$")]
    n: Count = 0


class Ok(Message, frozen=True, tag="ok"):
    """From the roller: the request was carried out."""

    id: Id


class Kept(Message, frozen=True, tag="kept"):
    """Roller: the answer to `since` is complete; I keep the rolls `first` to `last`."""

    id: Id
    boot: Token
    first: Count
    last: Count


class Commitment(Message, frozen=True, tag="commitment"):
    """Roller: SHA-256 of the seed."""

    id: Id
    hash: Digest


class Seed(Message, frozen=True, tag="seed"):
    """Roller: the seed whose hash was shown before."""

    id: Id
    seed: Digest


class Throws(Message, frozen=True, tag="throws"):
    """Roller: the throws of a self-test, one base-36 digit each."""

    id: Id
    faces: Faces
    thrown: Annotated[str, msgspec.Meta(pattern=r"^[0-9a-z]{1,400}(?!\n)$")]


class Refusal(Message, frozen=True, tag="err"):
    """Roller: no, and why: `code` for programs, `msg` for people."""

    code: Annotated[str, msgspec.Meta(max_length=16)]
    msg: Annotated[str, msgspec.Meta(max_length=200)] = ""
    id: Id | None = None


class Nak(Message, frozen=True, tag="nak"):
    """Roller: I got a line that I could not read; send again what you need."""


HOST_MESSAGES = (Hello, Ping, SetDice, Glyphs, Page, RollRequest, Since, Commit, Mix, Reveal, Trial)
ROLLER_MESSAGES = (
    HelloAnswer,
    RollMessage,
    Beat,
    State,
    Ok,
    Kept,
    Commitment,
    Seed,
    Throws,
    Refusal,
    Nak,
)
FromHost = Hello | Ping | SetDice | Glyphs | Page | RollRequest | Since | Commit | Mix | Reveal | Trial
FromRoller = HelloAnswer | RollMessage | Beat | State | Ok | Kept | Commitment | Seed | Throws | Refusal | Nak

Heard = TypeVar("Heard")

_host_decoder: msgspec.json.Decoder[FromHost] = msgspec.json.Decoder(FromHost)
_roller_decoder: msgspec.json.Decoder[FromRoller] = msgspec.json.Decoder(FromRoller)


def seal(body: bytes) -> bytes:
    """Body, star, checksum, newline."""
    return b"%b*%08x\n" % (body, crc32(body))


def encode(message: Message) -> bytes:
    """One message as a whole line."""
    line = seal(msgspec.json.encode(message))
    if len(line) > LONGEST_LINE:
        raise BadLine("too_long", line)
    return line


def unseal(line: bytes) -> bytes:
    """The body of a line (newline already gone) whose checksum fits; the bytes are judged as they came."""
    body, star, digits = line.rpartition(b"*")
    if len(line) >= LONGEST_LINE:
        raise BadLine("too_long", line)
    if not star or digits.lower() != b"%08x" % crc32(body):
        raise BadLine("bad_checksum", line)
    return body


def parse_from_roller(line: bytes) -> FromRoller:
    """What the roller said in this line, or `BadLine`."""
    return _decode(_roller_decoder, line)


def parse_from_host(line: bytes) -> FromHost:
    """What the host said in this line, or `BadLine`."""
    return _decode(_host_decoder, line)


def _decode(decoder: msgspec.json.Decoder[Heard], line: bytes) -> Heard:
    body = unseal(line)
    try:
        return decoder.decode(body)
    except msgspec.ValidationError as fault:
        raise BadLine("unknown_message", line) from fault
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
        raise BadLine("bad_json", line) from fault


@dataclass
class Drops:
    """How many lines were dropped, by reason."""

    too_long: int = 0
    bad_checksum: int = 0
    bad_json: int = 0
    unknown_message: int = 0

    def count(self, reason: str) -> None:
        """One more of this reason."""
        setattr(self, reason, getattr(self, reason) + 1)

    @property
    def total(self) -> int:
        """How many lines were dropped for any reason."""
        return sum(asdict(self).values())


class LineReader:
    """Cuts what arrives into lines and messages; never holds more than one line, never raises."""

    def __init__(self) -> None:
        self.drops = Drops()
        self._partial = b""
        self._skipping = False

    def feed(self, data: bytes) -> list[FromRoller | None]:
        """Messages in these bytes, in order; None for every line that was dropped."""
        *whole, rest = data.split(b"\n")
        heard = [self._end_of_line(piece) for piece in whole]
        self._keep(rest)
        return heard

    @property
    def kept_bytes(self) -> int:
        """How much of an unfinished line is in memory."""
        return len(self._partial)

    def forget(self) -> None:
        """Drop a line begun on a port that is closed now; the counters stay."""
        self._partial, self._skipping = b"", False

    def _keep(self, piece: bytes) -> None:
        self._partial += piece
        if len(self._partial) >= LONGEST_LINE:
            # The rest of this line is thrown away as it comes; counted once, when its newline arrives.
            self._partial, self._skipping = b"", True

    def _end_of_line(self, piece: bytes) -> FromRoller | None:
        self._keep(piece)
        line, skipped = self._partial, self._skipping
        self.forget()
        try:
            if skipped:
                raise BadLine("too_long", line)
            return parse_from_roller(line)
        except BadLine as fault:
            self.drops.count(fault.reason)
            return None
