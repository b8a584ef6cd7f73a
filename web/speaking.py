"""How pages say things in the language of whoever reads them.

Everything in the house is said in English and goes into the language of whoever reads it at the last
moment: templates put out every sentence through :func:`spoken`, JSON through :func:`spoken_deep`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from markupsafe import Markup, escape

from companion.languages import speech
from companion.languages.recognition import PLACE

_language: ContextVar[str] = ContextVar("language", default="en")


def language() -> str:
    """The language of the answer that is being made."""
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
    """A sentence or word in the reader's language."""
    return speech(_language.get()).say(words)


def phrase(message: str, **told: object) -> Markup:
    """Markup of our own with places, in the reader's language; what stands in the places is escaped."""
    says = speech(_language.get())

    def place(found: re.Match[str]) -> str:
        value = told.get(found[1], "")
        return str(escape(says.say(value) if type(value) is str and " " in value else value))

    return Markup(PLACE.sub(place, says.word(message)))


def spoken_deep(told: Any) -> Any:
    """All sentences in what is sent as JSON; names, codes and single words stay, and so does markup."""
    if _language.get() == "en":
        return told
    return _deep(told, speech(_language.get()).say)


def _deep(told: Any, say: Any) -> Any:
    if type(told) is str:
        return say(told) if " " in told and "<" not in told else told
    if isinstance(told, dict):
        return {key: _deep(value, say) for key, value in told.items()}
    if isinstance(told, list | tuple):
        return [_deep(one, say) for one in told]
    return told
