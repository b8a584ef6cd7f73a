"""Answers of the reader's process as plain data: bytes, texts, numbers, lists, maps; nothing that runs.

Whoever takes over a decoder there can say anything; unpickling would run it in the service. So an answer is
MessagePack, read as the type that the called function promises, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_type_hints

import msgspec

from companion.core.messages import Message, data_of, with_messages

LARGEST = 128 * 2**20  # bytes of an answer; a cleaned photograph has up to 20 MB


class StrangeAnswerError(ValueError):
    """An answer that is not what its function promises."""


def packed(value: object) -> bytes:
    """A value as MessagePack; messages as data, numbers of NumPy as numbers."""
    return msgspec.msgpack.encode(value, enc_hook=_as_data)


def _as_data(value: object) -> Any:
    if isinstance(value, Message):
        return data_of(value)
    number = getattr(value, "item", None)
    if number is not None:
        return number()
    raise NotImplementedError(f"{type(value).__name__} is no plain data")


def unpacked(answer: bytes, kind: Any) -> Any:
    """The value again, as this type."""
    try:
        return msgspec.convert(with_messages(msgspec.msgpack.decode(answer)), kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as problem:
        raise StrangeAnswerError(str(problem)) from problem


def promised(function: Callable[..., Any]) -> Any:
    """The type that a function returns, as it says itself."""
    return get_type_hints(function)["return"]
