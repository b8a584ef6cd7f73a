"""English words that are left in what a page tells in another language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser

import pytest
from babel.messages.pofile import read_po

from companion.languages import LANGUAGES
from companion.languages.catalogue import folders

# What is not translated at all, or twice, shows in any language: the gate looks at one.
LANGUAGES_BUT_ENGLISH = pytest.mark.parametrize(
    "languages",
    [
        pytest.param(("de",), id="de"),
        pytest.param(tuple(sorted({*LANGUAGES} - {"en", "de"})), id="others", marks=pytest.mark.slow),
    ],
)

SPOKEN_ATTRIBUTES = ("aria-label", "alt", "placeholder", "title", "data-question", "data-ask")
_SILENT = ("script", "style", "textarea", "code")
_BREAKS = {"p", "li", "h1", "h2", "h3", "dt", "dd", "td", "th", "tr", "div", "section", "button", "summary"}
_WORD = re.compile(r"(?<![\w'-])[a-z]{2,}(?![\w'-])")


class _Lines(HTMLParser):
    """The text of a page, a line for each of its blocks, and what its labels say."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = [""]
        self._silent: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        english = told.get("lang") == "en"
        if tag in _SILENT or english:
            self._silent.append(tag)
        if tag in _BREAKS:
            self.lines.append("")
        self.lines[-1:-1] = [said for name in SPOKEN_ATTRIBUTES if (said := told.get(name))]

    def handle_endtag(self, tag: str) -> None:
        if self._silent and self._silent[-1] == tag:
            self._silent.pop()
        if tag in _BREAKS:
            self.lines.append("")

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.lines[-1] += data


def lines_of(page: str) -> list[str]:
    """Whatever a page says, and each thing once."""
    found = _Lines()
    found.feed(page)
    return list(dict.fromkeys(" ".join(line.split()) for line in found.lines if line.strip()))


@cache
def english_words(language: str) -> frozenset[str]:
    """Words of our English messages that are in no message of that language."""
    ours: set[str] = set()
    theirs: set[str] = set()
    for folder in folders():
        with (folder / f"{language}.po").open("rb") as file:
            for message in read_po(file, locale=language):
                ids, told = (
                    [one] if isinstance(one, str) else one or [] for one in (message.id, message.string)
                )
                ours |= {word for one in ids for word in _words(one)}
                theirs |= {word.lower() for one in told for word in re.findall(r"[^\W\d_]+", one)}
    return frozenset(ours - theirs)


def _words(words: str) -> Iterator[str]:
    yield from _WORD.findall(re.sub(r"\{\w+\}|<[^>]*>|https?:\S+", " ", words))


def left_english(page: str, language: str) -> list[str]:
    """The lines in which such words stand."""
    words = english_words(language)
    return [line for line in lines_of(page) if not words.isdisjoint(_words(line))]
