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
from collections.abc import Collection, Container, Iterator
from contextlib import contextmanager
from unittest import mock

from babel.messages.pofile import read_po

from companion.core.messages import Speaker, m  # noqa: F401  for the example above
from companion.languages import LANGUAGES
from companion.languages import catalogue as catalogues
from companion.languages.catalogue import folders
from tests.web.english import lines_of

PSEUDO = "eo"  # two letters as every language has; nobody here reads it
OPEN, CLOSE = "⟦⟧"
_PLACES = re.compile(r"(%\(\w+\)[sd]|%%|\{\w+\}|<[^<>]*>)")
_MARKED = re.compile(r"⟦[^⟦⟧]*⟧")
_LETTERS = re.compile(r"[^\W\d_]{2,}")


class PseudoCatalogue:
    """English, its messages' own text marked; what was not collected into the catalogues is no message."""

    def __init__(self, collected: Container[str] | None = None) -> None:
        self._collected = collected

    def gettext(self, message: str) -> str:
        """The text, marked."""
        if self._collected is not None and message not in self._collected:
            return message
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


def collected() -> frozenset[str]:
    """The English texts of all catalogues."""
    found: set[str] = set()
    for folder in folders():
        with (folder / "de.po").open("rb") as file:
            for message in read_po(file):
                found |= {message.id} if isinstance(message.id, str) else {*message.id}
    return frozenset(found)


@contextmanager
def pseudo_language() -> Iterator[str]:
    """The pseudo-language can be asked for like any other."""
    kept, pseudo = catalogues.__globals__["_catalogue"], PseudoCatalogue(collected())
    with (
        mock.patch.dict(LANGUAGES, {PSEUDO: "Pseudo"}),
        mock.patch.dict(
            catalogues.__globals__,
            _catalogue=lambda language: pseudo if language == PSEUDO else kept(language),
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
