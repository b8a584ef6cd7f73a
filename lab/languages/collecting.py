"""Messages in the sources: see the head of :mod:`lab.languages`."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from babel.messages.extract import extract

from companion.core.messages import PLACE
from web.pages.scripts import messages
from web.ui.i18n import in_catalogues

SAID = ("title", "box", "about", "heading", "text", "says", "goals", "ties")  # keys in tables of the rules

_LETTER = re.compile(r"[^\W\d_]")


class Collected(NamedTuple):
    """A message of the sources: its text, the text for several, and the context in which it means that."""

    text: str
    many: str = ""
    context: str = ""


def collected(file: Path) -> Iterator[Collected]:
    """The messages of a file, in its order."""
    text = file.read_text()
    match file.suffix:
        case ".py":
            found = _of_python(text)
        case ".html":
            found = _of_template(text)
        case ".js":
            found = map(Collected, messages(text))
        case _:
            found = map(Collected, _of_table(tomllib.loads(text)))
    return (message for message in found if message.context or _LETTER.search(PLACE.sub("", message.text)))


# --- Python ---


def _of_python(text: str) -> Iterator[Collected]:
    for node in _in_order(ast.parse(text)):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        given = [texts_of(argument) for argument in node.args]
        match node.func.id, given:
            case (("m" | "marked"), [texts, *_]):
                yield from map(Collected, texts)
            case "nm", [[one], [many], *_]:
                yield Collected(one, many=many)
            case "pm", [[context], texts, *_]:
                yield from (Collected(one, context=context) for one in texts)
            case "vocabulary", [[context], *words]:
                yield from (Collected(one, context=context) for texts in words for one in texts)


def _in_order(node: ast.AST) -> Iterator[ast.AST]:
    """The node and all in it, as they stand in the source."""
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _in_order(child)


def texts_of(node: ast.expr) -> list[str]:
    """A text; both of a choice between two; those of a tuple that is unpacked."""
    if isinstance(node, ast.Constant):
        return [node.value] if isinstance(node.value, str) else []
    if isinstance(node, ast.IfExp):
        return [*texts_of(node.body), *texts_of(node.orelse)]
    if isinstance(node, ast.Starred) and isinstance(node.value, ast.Tuple):
        return [text for one in node.value.elts for text in texts_of(one)]
    return []


# --- templates ---


def _of_template(text: str) -> Iterator[Collected]:
    """What is marked for Jinja's i18n extension."""
    options = {"trimmed": "true", "newstyle_gettext": "true", "silent": "false"}
    for _line, texts, _comments, context in extract("jinja2", BytesIO(text.encode()), options=options):
        one, many = texts if isinstance(texts, tuple) else (texts, "")
        yield Collected(in_catalogues(one), in_catalogues(many), context or "")


# --- tables ---


def _of_table(table: Any, said: bool = False) -> Iterator[str]:
    if isinstance(table, str):
        if said:
            yield table
    elif isinstance(table, dict):
        for key, value in table.items():
            yield from _of_table(value, said or key in SAID)
    elif isinstance(table, list):
        for value in table:
            yield from _of_table(value)
