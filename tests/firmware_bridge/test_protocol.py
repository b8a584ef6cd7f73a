"""Lines: what is a message, what is dropped and why."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge import protocol
from firmware_bridge.exc import BadLine
from firmware_bridge.protocol import (
    Beat,
    Commit,
    Commitment,
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
    parse_from_host,
    parse_from_roller,
    seal,
)

FROM_HOST: list[protocol.FromHost] = [
    Hello("1a2b3c4d", (1, 0)),
    Ping(),
    SetDice("d1", "a1b2", (("A", 6), ("first player", 5))),
    Glyphs("g1", "A", ("183c66c3c3663c18",), first=2, rgb="ff8000"),
    Page("p1", 7, "00ff" * 64, show=True),
    RollRequest("round 3", "a1b2"),
    Since("s1", 41),
    Commit("c1"),
    Mix("m1", "00ff00ff", "brass lantern 77"),
    Reveal("r1", "00ff00ff"),
    Trial("t1", 6, 200),
]
FROM_ROLLER: list[protocol.FromRoller] = [
    HelloAnswer("1a2b3c4d", (1, 0), "e6614c311b7e2c2f", "9f3c2a11", "1.0.0", 41, 8, ("fair", "glyphs")),
    RollMessage("9f3c2a11", 42, (("A", 6, 0), ("B", 6, 5)), id="round 3", fair="00ff00ff"),
    RollMessage("9f3c2a11", 43, (("d20", 20, 19),)),
    Beat("9f3c2a11", 43, up=81234, bad=2),
    State("rolling", 43),
    Ok("d1"),
    Kept("s1", "9f3c2a11", 12, 43),
    Commitment("c1", "ab" * 32),
    Seed("r1", "cd" * 32),
    Throws("t1", 6, "0123450543"),
    Refusal("set", "the dice of this request were never set", id="round 3"),
    Nak(),
]


@pytest.mark.parametrize("message", FROM_HOST, ids=lambda m: type(m).__name__)
def test_what_the_host_says_is_read_back(message: protocol.FromHost) -> None:
    assert parse_from_host(encode(message)[:-1]) == message


@pytest.mark.parametrize("message", FROM_ROLLER, ids=lambda m: type(m).__name__)
def test_what_the_roller_says_is_read_back(message: protocol.FromRoller) -> None:
    assert parse_from_roller(encode(message)[:-1]) == message


def test_every_message_has_its_example_above() -> None:
    assert {type(m) for m in FROM_HOST} == set(protocol.HOST_MESSAGES)
    assert {type(m) for m in FROM_ROLLER} == set(protocol.ROLLER_MESSAGES)


def sealed(body: bytes) -> bytes:
    return seal(body)[:-1]


BAD_LINES = [
    (b"", "bad_checksum"),  # nothing
    (b"hello?", "bad_checksum"),  # no star
    (b"*00000000", "bad_json"),  # the checksum of nothing is right, nothing is not JSON
    (b'{"t":"nak"}*00000000', "bad_checksum"),  # wrong digits
    (b'{"t":"nak"}*7a3', "bad_checksum"),  # cut short
    (sealed(b'{"t":"nak"}') + b"0", "bad_checksum"),  # a digit too many
    (sealed(b'{"t":"nak"}').replace(b"nak", b"nAk"), "bad_checksum"),  # one bit turned
    (sealed(b'{"t":"nak"'), "bad_json"),  # not closed
    (sealed(b"\xff\xfe"), "bad_json"),  # no text at all
    (sealed(b'"nak"'), "unknown_message"),  # JSON, no message
    (sealed(b'{"t":"waltz"}'), "unknown_message"),  # a word of a later version
    (sealed(b'{"n":1}'), "unknown_message"),  # no word
    (sealed(b'{"t":"beat","boot":"zz","n":1}'), "unknown_message"),  # boot is not hex
    (sealed(b'{"t":"beat","boot":"aa","n":-1}'), "unknown_message"),  # negative
    (sealed(b'{"t":"beat","boot":"aa","n":1e999}'), "unknown_message"),  # infinite
    (sealed(b'{"t":"roll","boot":"aa","n":1,"dice":[]}'), "unknown_message"),  # no dice
    (sealed(b'{"t":"roll","boot":"aa","n":1,"dice":[["A",6,6]]}'), "unknown_message"),  # face 6 of 0..5
    (sealed(b'{"t":"roll","boot":"aa","n":0,"dice":[["A",6,0]]}'), "unknown_message"),  # rolls start at 1
    (sealed(b'{"t":"roll","boot":"aa","n":1,"dice":[["A",1,0]]}'), "unknown_message"),  # one-sided die
    (sealed(b"[" * 400), "unknown_message"),  # deep nesting
    (sealed(b'{"t":"nak","x":"' + b"y" * 500 + b'"}'), "too_long"),  # over 512 bytes
]


@pytest.mark.parametrize(("line", "reason"), BAD_LINES)
def test_a_bad_line_says_why(line: bytes, reason: str) -> None:
    with pytest.raises(BadLine) as caught:
        parse_from_roller(line)
    assert caught.value.reason == reason
    reader = LineReader()
    assert reader.feed(line + b"\n") == [None]
    assert (reader.drops.total, getattr(reader.drops, reason)) == (1, 1)


def test_checksum_digits_may_be_capitals() -> None:
    body, star, digits = sealed(b'{"t":"nak"}').rpartition(b"*")
    assert parse_from_roller(body + star + digits.upper()) == Nak()


def test_fields_of_a_later_minor_version_are_ignored() -> None:
    assert parse_from_roller(sealed(b'{"t":"ok","id":"d1","mood":"good"}')) == Ok("d1")


def test_spaces_and_order_are_the_writers_business() -> None:
    assert parse_from_roller(sealed(b'{ "id": "d1", "t": "ok" }')) == Ok("d1")


@pytest.mark.parametrize("length", [511, 512, 513])
def test_the_longest_line_is_512_bytes_with_its_newline(length: int) -> None:
    empty = len(seal(b'{"t":"ok","id":"d1","x":""}'))
    line = seal(b'{"t":"ok","id":"d1","x":"%b"}' % (b"y" * (length - empty)))
    assert len(line) == length
    assert LineReader().feed(line) == [Ok("d1") if length <= 512 else None]


def test_a_message_over_the_cap_is_never_written() -> None:
    with pytest.raises(BadLine, match="too long"):
        encode(Refusal("x", "é" * 400))


def test_eight_dice_with_long_names_fit_in_a_line() -> None:
    dice = tuple((f"long name {d:02}", 256, 255) for d in range(8))
    longest = RollMessage("f" * 16, 2**53, dice, id="i" * 40, fair="f" * 16)
    assert len(encode(longest)) <= protocol.LONGEST_LINE
    setting = SetDice("i" * 40, "f" * 16, tuple((name, faces) for name, faces, _ in dice))
    assert len(encode(setting)) <= protocol.LONGEST_LINE


def test_the_next_newline_resynchronises() -> None:
    reader = LineReader()
    good = encode(Ok("d1"))
    assert reader.feed(good[5:] + good + b"\x00\xff\n" + good) == [None, Ok("d1"), None, Ok("d1")]


def test_a_flood_without_newline_is_one_dropped_line_and_no_memory() -> None:
    reader = LineReader()
    for _ in range(100):
        assert reader.feed(b"x" * 10_000) == []
        assert reader.kept_bytes < protocol.LONGEST_LINE
    assert reader.feed(b"\n" + encode(Nak())) == [None, Nak()]
    assert reader.drops == protocol.Drops(too_long=1)


@given(st.lists(st.sampled_from(FROM_ROLLER), max_size=8), st.data())
def test_messages_survive_any_cutting(messages: list[protocol.FromRoller], data: st.DataObject) -> None:
    stream = b"".join(encode(m) for m in messages)
    reader, heard = LineReader(), list[protocol.FromRoller | None]()
    while stream:
        size = data.draw(st.integers(1, len(stream)))
        heard += reader.feed(stream[:size])
        stream = stream[size:]
    assert heard == messages
    assert reader.drops.total == 0


@given(st.binary(max_size=600))
def test_any_bytes_are_one_message_or_one_counted_drop_a_line(noise: bytes) -> None:
    reader = LineReader()
    heard = reader.feed(noise + b"\n")
    assert len(heard) == noise.count(b"\n") + 1
    assert heard.count(None) == reader.drops.total


@given(st.sampled_from(FROM_ROLLER), st.data())
def test_a_changed_byte_is_never_another_message(message: protocol.FromRoller, data: st.DataObject) -> None:
    line = bytearray(encode(message)[:-1])
    at = data.draw(st.integers(0, len(line) - 1))
    line[at] ^= data.draw(st.integers(1, 255))
    # Only the case of a checksum digit may change without harm.
    heard = LineReader().feed(bytes(line) + b"\n")
    assert [m for m in heard if m is not None] in ([], [message])


def test_json_is_compact() -> None:
    for message in [*FROM_HOST, *FROM_ROLLER]:
        body = encode(message).rpartition(b"*")[0]
        assert body == msgspec.json.encode(msgspec.json.decode(body))
