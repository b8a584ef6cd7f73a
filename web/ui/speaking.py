"""Rendering messages in the reader's language.

Everything in the house is said in English and goes into the language of whoever reads it at the last
moment: texts of templates by :mod:`web.ui.i18n`, other sentences that these put out by :func:`spoken`,
JSON by :func:`spoken_deep`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, ParamSpec, TypeGuard, TypeVar

import markupsafe
import msgspec

from companion.core.jsontext import json_of
from companion.core.messages import Message, Speaker
from companion.games.kit.remembering import remembered
from companion.languages import catalogue, speech

_NAMELESS = re.compile(r"Seat \d+")
P = ParamSpec("P")
T = TypeVar("T")

_language: ContextVar[str] = ContextVar("language", default="en")
_people: ContextVar[frozenset[str]] = ContextVar("people", default=frozenset())


def language() -> str:
    """Return the language of the current answer."""
    return _language.get()


def speak(wanted: str) -> None:
    """Set the language of the current answer, with no names known yet."""
    _language.set(wanted)
    _people.set(frozenset())


def speak_of(names: Iterable[str]) -> None:
    """People whose names stay as they are in what is said from here on, whatever they mean.

    Somebody without a name is called by the seat, in every language.
    """
    _people.set(_people.get().union(name for name in names if not _NAMELESS.fullmatch(name)))


@contextmanager
def speaking(wanted: str) -> Iterator[None]:
    """Make something in another language than that of the request."""
    before, people = _language.set(wanted), _people.set(_people.get())
    try:
        yield
    finally:
        _language.reset(before)
        _people.reset(people)


def spoken(words: str) -> str:
    """A sentence or word in the reader's language."""
    if isinstance(words, Message):
        return _Reader().say(words)
    return speech(_language.get()).say(words, _people.get())


class _Reader(Speaker):
    """Whoever reads the answer."""

    def __init__(self) -> None:
        super().__init__(catalogue(_language.get()))

    def say(self, value: object) -> str:
        """Translate a message; if no catalogue has its text, try to recognise it."""
        told = super().say(value)
        return speech(language()).say(told, _people.get()) if told == str(value) else told

    def place(self, name: str, value: object) -> str:
        """Words that are no messages yet are recognised, but for people's names."""
        if isinstance(value, Message) or not isinstance(value, str):
            return self.say(value)
        return speech(_language.get()).placed(name, value, _people.get())


def is_sentence(value: object) -> TypeGuard[str]:
    """Return True for messages and texts of several words; single words are more often names.

    >>> [is_sentence(one) for one in ("two words", "Ada", "M 1 2", "scale(2 3)", '{"a": "two words"}', 7)]
    [True, False, False, False, False, False]
    """
    if isinstance(value, Message):
        return True
    if type(value) is not str or " " not in value or value.startswith(("{", "[")):  # JSON is for scripts
        return False
    return _WORDS.search(value) is not None and not _CALL.search(value)


_WORDS = re.compile(r"[^\W\d_]{2}")
_CALL = re.compile(r"\w\(\S")


class Markup(markupsafe.Markup):
    """Markup that says the sentences which are formatted into it in the reader's language.

    Its own text is not looked at: say that with :func:`spoken`, or in a template.
    """

    def format(self, *args: Any, **kwargs: Any) -> Markup:
        """Translate a message as a whole: plain formatting would turn it into untranslatable text."""
        told = [self.escape(one) if isinstance(one, Message) else one for one in args]
        named = {name: self.escape(one) if isinstance(one, Message) else one for name, one in kwargs.items()}
        return type(self)(super().format(*told, **named))

    @classmethod
    def escape(cls, s: Any, /) -> Markup:
        """Escape a value for HTML, in the reader's language."""
        return cls(markupsafe.escape(spoken(s) if is_sentence(s) else s))


def decimal(number: str) -> str:
    """A number as the reader's language writes it: every one of ours but English has a comma in it.

    >>> with speaking("de"): decimal("38.5")
    '38,5'
    """
    return number if _language.get() == "en" else number.replace(".", ",")


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


def spoken_deep(told: Any) -> Any:
    """All sentences in what is sent as JSON; names, codes and single words stay, and so does markup."""
    if _language.get() == "en":
        return told
    return _deep(told, spoken)


def said_json(body: object) -> bytes:
    """The value as JSON text, its messages in the reader's language."""
    if _language.get() == "en":
        return json_of(body)
    done = msgspec.to_builtins(body, enc_hook=lambda message: f"{_DONE}{spoken(message)}")
    return json_of(spoken_deep(done))


_DONE = "\0"  # before what has been said: a second time it may be taken for English


def _deep(told: Any, say: Any) -> Any:
    if isinstance(told, Message):
        return say(told)
    if type(told) is str and told.startswith(_DONE):
        return told[1:]
    if type(told) is str:
        return say(told) if is_sentence(told) and "<" not in told else told
    if isinstance(told, dict):
        return {key: _deep(value, say) for key, value in told.items()}
    if isinstance(told, list | tuple):
        return [_deep(one, say) for one in told]
    return told
