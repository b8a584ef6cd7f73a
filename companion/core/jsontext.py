"""JSON as this house writes it: structs as objects, messages in English.

Every part writes JSON with these two functions, for the library itself knows no messages and would fail on
the first one that it met.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import msgspec

from companion.core.messages import Message

JsonObject: TypeAlias = dict[str, Any]  # a JSON object


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
