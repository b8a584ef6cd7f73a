"""Small text and drawing helpers for templates."""

from __future__ import annotations

import re

from companion.core.messages import Message, m
from companion.sheets.drawing import filled
from companion.sheets.printing.svg import svg_shapes
from companion.sheets.seat_marks import seat_shape
from web.ui.speaking import Markup, spoken

_PLACES = {1: m("1st"), 2: m("2nd"), 3: m("3rd")}


_ABSENT = {"left": m("has left"), "empty": m("nobody there")}


def place_words(place: int, shared: bool, absent: str = "") -> Message:
    """
    >>> place_words(1, True), place_words(4, False), place_words(4, False, "left")
    ('shared 1st', '4th', 'has left')
    """
    if absent:
        return _ABSENT[absent]
    words = _PLACES.get(place) or m("{place}th", place=place)
    return m("shared {words}", words=words) if shared else words


_DOCUMENT = re.compile(r"docs/([a-z-]+)\.md")


def handbook(words: str) -> str:
    """What somebody should do, for people on a phone, who see no folder of documents.

    >>> handbook("build one: docs/dice-roller.md")
    'build one: the handbook, Dice roller'
    """
    return _DOCUMENT.sub(
        lambda name: spoken(m("the handbook, {page}", page=name[1].replace("-", " ").capitalize())),
        spoken(words),
    )


def seat_mark(shape: str) -> Markup:
    """A seat's shape, in the colour of the text around it."""
    drawn = svg_shapes([seat_shape(shape, (8, 8), 7.5, filled("currentColor"))])
    return Markup('<svg class="mark" viewBox="0 0 16 16" aria-hidden="true">{}</svg>').format(Markup(drawn))
