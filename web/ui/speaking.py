"""Rendering messages in the reader's language.

Everything in the house is a message until it leaves for somebody: texts of templates are said by
:mod:`web.ui.i18n`, messages that these put out by :func:`spoken`, those in JSON by :func:`said_json`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache, wraps
from typing import Any, Literal, ParamSpec, TypeVar

import markupsafe
import msgspec

from companion.core.messages import DECIMAL_MARK, Message, Speaker
from companion.core.remembering import remembered
from companion.languages import catalogue

P = ParamSpec("P")
T = TypeVar("T")

_language: ContextVar[str] = ContextVar("language", default="en")


def language() -> str:
    """Return the language of the current answer."""
    return _language.get()


def speak(wanted: str) -> None:
    """Answer this request in that language."""
    _language.set(wanted)


@contextmanager
def speaking(wanted: str) -> Iterator[None]:
    """Make something in another language than that of the request."""
    before = _language.set(wanted)
    try:
        yield
    finally:
        _language.reset(before)


def spoken(words: str) -> str:
    """A message in the reader's language; names, codes and other texts as they are."""
    if not isinstance(words, Message):
        return words
    wanted = _language.get()
    return str(words) if wanted == "en" else _reader(wanted).say(words)


@lru_cache(maxsize=16)
def _reader(wanted: str) -> Speaker:
    """Return who says messages in that language."""
    return Speaker(catalogue(wanted))


class Markup(markupsafe.Markup):
    """Markup that says the messages which are formatted into it in the reader's language.

    Its own text is not looked at: say that with :func:`spoken`, or in a template.
    """

    def format(self, *args: Any, **kwargs: Any) -> Markup:
        """Translate a message as a whole: plain formatting would turn it into untranslatable text."""
        told = [self.escape(one) if isinstance(one, Message) else one for one in args]
        named = {name: self.escape(one) if isinstance(one, Message) else one for name, one in kwargs.items()}
        return type(self)(super().format(*told, **named))

    @classmethod
    def escape(cls, s: Any, /) -> Markup:
        """Safe, and in the reader's language."""
        return cls(markupsafe.escape(spoken(s) if isinstance(s, Message) else s))


def decimal(number: str) -> str:
    """A number as the reader's language writes it.

    >>> with speaking("de"): decimal("38.5")
    '38,5'
    """
    return number.replace(".", spoken(DECIMAL_MARK))


def cached_by_language(size: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """A cache for drawings that have words in them."""

    def decorated(function: Callable[P, T]) -> Callable[P, T]:
        @remembered(size)
        def kept(_language: str, *given: P.args, **named: P.kwargs) -> T:
            return function(*given, **named)

        @wraps(function)
        def asked(*given: P.args, **named: P.kwargs) -> T:
            return kept(language(), *given, **named)

        return asked

    return decorated


def said_json(body: object, order: Literal["deterministic", "sorted"] | None = None) -> bytes:
    """The value as JSON text, its messages in the reader's language."""
    return msgspec.json.encode(body, enc_hook=_said, order=order)


def _said(value: object) -> str:
    if isinstance(value, str):
        return spoken(value)
    raise NotImplementedError(f"{type(value).__name__} cannot be written as JSON")
