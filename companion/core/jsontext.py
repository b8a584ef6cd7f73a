"""JSON text, read from strangers and written by this house.

Python's own reader keeps the last of two equal keys and takes ``NaN``; somebody who wrote ``d4`` twice must
hear about it instead: every way in which JSON can be broken becomes one clear sentence.

Every part writes JSON with the functions of this module: structs as objects, messages in English. The library
itself knows no messages and would fail on the first one that it met.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from typing import Any, Literal, NoReturn, TypeAlias, TypeVar

import msgspec

from companion.core.errors import NotationError, quoted
from companion.core.messages import Message, listed

T = TypeVar("T")

JsonObject: TypeAlias = dict[str, Any]  # a JSON object

LONGEST_TEXT = 1_000_000


# --- reading ---


def read_json(text: str | bytes) -> Any:
    """The value written in ``text``.

    >>> read_json('{"cells": {"a1": "NS", "a1": "ns"}}')
    Traceback (most recent call last):
    ...
    companion.core.errors.NotationError: 'a1' is given twice
    """
    if len(text) >= LONGEST_TEXT:
        raise NotationError(
            "too-long", f"the input has {len(text):,} characters; the limit is {LONGEST_TEXT:,}"
        )
    try:
        value = _DECODER.decode(text if isinstance(text, str) else text.decode())
        _check_characters(text, value)
        return value
    except json.JSONDecodeError as problem:
        raise NotationError("not-json", f"not JSON: {problem.msg} at character {problem.pos + 1}") from None
    except UnicodeDecodeError as problem:
        raise NotationError("not-json", f"not UTF-8 text: byte {problem.start + 1} cannot be read") from None
    except RecursionError:
        raise NotationError("not-json", "not JSON a person wrote: nested too deeply") from None
    except ValueError as problem:
        if isinstance(problem, NotationError):
            raise
        raise NotationError("not-json", "not JSON: a number with too many digits") from None


def _check_characters(text: str | bytes, value: Any) -> None:
    """Half of a character, written as ``\\ud800``, can be read, but neither stored nor sent."""
    if (b"\\ud" if isinstance(text, bytes) else "\\ud") not in text.lower():  # type: ignore[operator]
        return
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise NotationError("not-json", "not JSON: half of a character (\\ud800 to \\udfff) alone") from None


def as_object(value: Any) -> JsonObject:
    """``value`` if it is a JSON object."""
    if not isinstance(value, dict):
        raise NotationError(
            "not-an-object", f"expected a JSON object in braces, found {quoted(json.dumps(value))}"
        )
    return value


def read_object(text: str | bytes) -> JsonObject:
    """The JSON object written in ``text``."""
    return as_object(read_json(text))


def as_plain(value: Any) -> Any:
    """``value`` as it will come back from the disk: lists for tuples, text keys, plain objects.

    >>> as_plain({1: ("a", "b")})
    {'1': ['a', 'b']}
    """
    return msgspec.json.decode(json_of(value))


def shaped(value: Any, shape: type[T], code: str = "bad-shape") -> T:
    """``value`` as ``shape``, or a sentence that names the place where it differs.

    >>> shaped({"1": "red"}, dict[int, str])  # the keys of JSON are text, whatever they stand for
    {1: 'red'}
    """
    try:
        return msgspec.convert(value, shape, str_keys=True)
    except msgspec.ValidationError as problem:
        raise NotationError(code, _sentence(str(problem))) from None


def _sentence(complaint: str) -> str:
    """What msgspec complains about, as somebody who types JSON would say it.

    >>> _sentence("Expected `str`, got `int` - at `$.cells`")
    'expected a text, not a whole number (in cells)'
    >>> _sentence("Expected `int | null` >= 1 - at `$.best`")
    'expected a whole number or nothing, at least 1 (in best)'
    >>> _sentence("Object contains unknown field `mood`"), _sentence("Object missing required field `dice`")
    ("'mood' is not known here", "'dice' is missing")
    """
    what, _, where = complaint.partition(" - at `")
    place = where.rstrip("`").removeprefix("$").lstrip(".").replace("[...]", "")
    said = next(
        (
            found.expand(sentence) if isinstance(sentence, str) else sentence(found)
            for pattern, sentence in _COMPLAINTS
            if (found := pattern.fullmatch(what))
        ),
        what,
    )
    return f"{said} (in {place})" if place else said


def _expected(found: re.Match[str]) -> str:
    """Which kind of value is expected, within which limits, and which one was found."""
    kinds, limit, other = found.groups()
    said = f"expected {listed(map(_kind, kinds.split(' | ')), 'or')}"
    if limit:
        said += next(
            f"{words} {limit.removeprefix(sign)}" for sign, words in _LIMITS.items() if limit.startswith(sign)
        )
    return f"{said}, not {_kind(other)}" if other else said


def _kind(name: str) -> str:
    return _KINDS.get(name, name)


_KINDS = {
    "array": "a list in brackets",
    "object": "an object in braces",
    "str": "a text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "null": "nothing",
}
_LIMITS = {
    " >= ": ", at least",
    " <= ": ", at most",
    " of length >= ": " with a length of at least",
    " of length <= ": " with a length of at most",
    " of length ": " with a length of",
    " matching regex ": " that matches",
}
_COMPLAINTS: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (re.compile(r"Expected `([^`]+)`(.*?)(?:, got `([^`]+)`)?"), _expected),
    (re.compile(r"Object missing required field `(.*)`"), r"'\1' is missing"),
    (re.compile(r"Object contains unknown field `(.*)`"), r"'\1' is not known here"),
    (re.compile(r"Invalid enum value (.*)"), r"\1 is none of the possible values"),
)


def _no_duplicates(pairs: list[tuple[str, Any]]) -> JsonObject:
    found = dict(pairs)
    if len(found) != len(pairs):
        twice, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise NotationError("duplicate", f"{quoted(twice)} is given twice")
    return found


def _no_constant(name: str) -> NoReturn:
    raise NotationError("not-json", f"not JSON: {name} is no number here")


_DECODER = json.JSONDecoder(object_pairs_hook=_no_duplicates, parse_constant=_no_constant)


# --- writing ---


def json_of(value: object, order: Literal["deterministic", "sorted"] | None = None) -> bytes:
    """The value as JSON text.

    >>> from companion.core.messages import m
    >>> json_of({"message": m("it is over")})
    b'{"message":"it is over"}'
    """
    return msgspec.json.encode(value, enc_hook=_as_text, order=order)


def builtins_of(value: object) -> Any:
    """The value as dicts, lists, numbers and texts: what reading its JSON text would give."""
    return msgspec.to_builtins(value, enc_hook=_as_text)


def builtins_with_messages(value: object) -> Any:
    """The same with messages as they are, for whoever says them or writes the JSON text.

    >>> from companion.core.messages import m
    >>> builtins_with_messages({"message": m("it is over")})["message"].id
    'it is over'
    """
    return msgspec.to_builtins(value, builtin_types=_kinds(Message))


def _kinds(kind: type[Message]) -> list[type[Message]]:
    return [kind, *(one for below in kind.__subclasses__() for one in _kinds(below))]


def _as_text(value: object) -> str:
    if isinstance(value, Message):
        return str(value)
    raise NotImplementedError(f"{type(value).__name__} cannot be written as JSON")
