"""A pseudo-language that marks every message: what stands outside the marks was not made as one.

Its catalogue says each message in English, with marks around the message's own text but not around what
stands in its places. Letters of a page outside marks are a player's name, a place on a map, a notation, or a
fault.

>>> Speaker(PseudoCatalogue()).say(m("{who} wins the {what}", who="Ada", what=m("cup")))
'Ada⟦ wins the ⟧⟦cup⟧'
>>> unmarked('<p title="Way">Ada⟦ wins⟧ so <b>much</b></p>', ["Ada"])
['Way', 'so much']
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from unittest import mock

from companion.core.messages import Speaker, m  # noqa: F401  for the example above
from companion.languages import LANGUAGES
from companion.languages import catalogue as catalogues
from companion.languages.recognition import Speech
from tests.web.english import lines_of

PSEUDO = "eo"  # two letters as every language has; nobody here reads it
OPEN, CLOSE = "⟦⟧"
_PLACES = re.compile(r"(%\(\w+\)[sd]|%%|\{\w+\}|<[^<>]*>)")
_MARKED = re.compile(r"⟦[^⟦⟧]*⟧")
_LETTERS = re.compile(r"[^\W\d_]{2,}")


class PseudoCatalogue:
    """English, its messages' own text marked."""

    def gettext(self, message: str) -> str:
        """The text, marked."""
        pieces = _PLACES.split(message)
        pieces[::2] = [f"{OPEN}{piece}{CLOSE}" if piece.strip() else piece for piece in pieces[::2]]
        return "".join(pieces)

    def ngettext(self, one: str, many: str, n: int) -> str:
        """One of both forms, marked."""
        return self.gettext(one if n == 1 else many)

    def pgettext(self, context: str, message: str) -> str:
        """The text, marked, whatever its context."""
        return self.gettext(message)

    def npgettext(self, context: str, one: str, many: str, n: int) -> str:
        """One of both forms, marked, whatever its context."""
        return self.ngettext(one, many, n)


class _Unrecognised(Speech):
    """Nothing is recognised in the pseudo-language."""

    def __init__(self) -> None:
        super().__init__({})

    def word(self, word: str) -> str:
        return PseudoCatalogue().gettext(word)


@contextmanager
def pseudo_language() -> Iterator[str]:
    """The pseudo-language can be asked for like any other."""
    kept_catalogue, kept_speech = catalogues.__globals__["_catalogue"], catalogues.__globals__["_speech"]
    speech = _Unrecognised()
    with (
        mock.patch.dict(LANGUAGES, {PSEUDO: "Pseudo"}),
        mock.patch.dict(
            catalogues.__globals__,
            _catalogue=lambda language: PseudoCatalogue() if language == PSEUDO else kept_catalogue(language),
            _speech=lambda language: speech if language == PSEUDO else kept_speech(language),
        ),
    ):
        yield PSEUDO


def unmarked(page: str, allowed: Collection[str] = ()) -> list[str]:
    """The lines and labels of a page with letters in them that no message has, each without its messages."""
    left = []
    for line in lines_of(page):
        bare = _MARKED.sub(" ", line)
        for name in sorted(allowed, key=len, reverse=True):
            bare = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " ", bare)
        if _LETTERS.search(bare):
            left.append(" ".join(bare.split()))
    return list(dict.fromkeys(left))
