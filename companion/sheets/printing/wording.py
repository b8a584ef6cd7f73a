"""Words on paper: in another language, and in lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TypeAlias

from companion.sheets.drawing import Drawing, Painted, Paragraph, Prose, Shape, Text
from companion.sheets.printing.fonts import width_of

Say: TypeAlias = Callable[[str], str]  # a sentence or word in the language of whoever prints

_LEADING = 1.36  # from one line to the next, in heights of the letters
_STEP = 0.96  # by which letters become smaller until they fit
_SMALLEST = 0.4  # of their height: smaller nobody could read them


def worded(drawing: Drawing, say: Say) -> Drawing:
    """The drawing with everything on it said, none of it longer than there is room."""
    return Drawing(drawing.size, tuple(_said(shape, say) for shape in drawing.shapes))


def _said(shape: Shape, say: Say) -> Shape:
    if isinstance(shape, Prose):
        told = tuple(replace(one, words=say(one.words)) for one in shape.paragraphs)
        return replace(shape, paragraphs=told)
    if not isinstance(shape, Text):
        return shape
    words = say(shape.words)
    if words == shape.words:
        return shape
    room = max(shape.room, width_of(shape.words, shape.size, bold=shape.bold))
    wanted = width_of(words, shape.size, bold=shape.bold)
    return replace(shape, words=words, size=shape.size * min(1.0, room / wanted))


def in_lines(shapes: Iterable[Shape]) -> Iterator[Painted]:
    """The shapes for those who paint: prose is broken into lines."""
    for shape in shapes:
        if isinstance(shape, Prose):
            share = 1.0
            while _height(shape, share) > shape.size[1] and share > _SMALLEST:
                share *= _STEP
            found: list[Text] = []
            y = shape.corner[1]
            for number, one in enumerate(shape.paragraphs):
                y += one.gap * share if number else 0.0
                for line in broken(one, shape.size[0], share):
                    size = one.size * share
                    found.append(Text((shape.corner[0], y + size), line, size, one.colour, "start", one.bold))
                    y += size * _LEADING
            yield from found
        else:
            yield shape


def _height(prose: Prose, share: float) -> float:
    lines = sum(one.size * len(broken(one, prose.size[0], share)) for one in prose.paragraphs)
    return share * (_LEADING * lines + sum(one.gap for one in prose.paragraphs[1:]))


def broken(paragraph: Paragraph, width: float, share: float = 1.0) -> list[str]:
    """Break a paragraph into lines of this width; ``share`` scales the height of its letters.

    >>> broken(Paragraph("one two three", 10, "#000000"), 50)
    ['one two', 'three']
    """
    lines: list[str] = []
    for word in paragraph.words.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width_of(longer, paragraph.size * share, bold=paragraph.bold) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
