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

_PROSE = re.compile(
    r"[^\W\d_]{2,}[,;:.)]? [\w{(\"'$+]|[\w})\"'][,;:.)]? [^\W\d_]{2,}|\} [a-z]+$|^[A-Za-z]{3,} \{|\}'s "
)
_CODE = re.compile(
    r"[<>_=|\\]|^[/#.&?]|\w\(|\b[MmLlHhVvZz] ?\{|--|'self'|'none'|^\W*$"
    r"|^(cell|rail-seat|eb-area|owners:|spot) |uint8|\"board\"|rulebook|^Microsoft|NetworkManager is"
    r"|\bPRAGMA\b|^(SELECT|INSERT|UPDATE|DELETE|BEGIN|VACUUM)"
)
_SEAT = re.compile(r"(?<!\bat )(?<!\bno )\b(?:the )?[Ss]eats? \{(\w+)\}(?:, \{\w+\})?")
_FORMAT = re.compile(r"%[+]?[ds]")
_WORD = re.compile(r"[^\W\d_]")
_NAME = re.compile(r"[A-Za-z_]\w*")
_TO_MAINTAINERS = {
    "AssertionError", "AttributeError", "KeyError", "LookupError", "ModuleNotFoundError",
    "NotImplementedError", "RuntimeError", "TypeError", "ValueError", "TypeVar",
    "Markup", "getLogger", "operation",
}  # fmt: skip
_SAID = "# said"
_MESSAGES = ("m", "nm", "pm")
_NOT_SAID = "# not said"


class Collected(NamedTuple):
    """A message of the sources: its text, the text for several, and the context in which it means that."""

    text: str
    many: str = ""
    context: str = ""


def collected(file: Path) -> Iterator[Collected]:
    """The messages of a file, in its order."""
    text = file.read_text()
    if file.suffix == ".py":
        found = _of_python(text, invariants=file.name == "results.py")
        return (message for message in found if _WORD.search(PLACE.sub("", message.text)))
    if file.suffix == ".html":
        return _of_template(text)
    if file.suffix == ".js":
        texts = messages(text)
    elif file.suffix == ".txt":
        texts = iter(line for line in text.splitlines() if line and not line.startswith("#"))
    else:
        texts = _of_table(tomllib.loads(text))
    return map(Collected, texts)


def _is_prose(words: str) -> bool:
    bare = re.sub(r"\{\w+\}", "{x}", words)
    return bool(_PROSE.search(bare)) and not _CODE.search(re.sub(r"\{\w+\}", "x", words))


def as_message(words: str) -> str:
    """As the catalogue has it: places for formats, and for seats, where players' names may stand."""
    if re.fullmatch(r"[Ss]eat \{\w+\}", words):
        return f"{words[:4]} {{number}}"
    unnamed = iter("what" if n == 1 else f"what{n}" for n in range(1, 9))
    words = re.sub(r"\{\}", lambda _: f"{{{next(unnamed)}}}", words)
    numbers = iter("number" if n == 1 else f"number{n}" for n in range(1, 9))
    words = _FORMAT.sub(lambda _: f"{{{next(numbers)}}}", words)
    return _SEAT.sub(lambda seat: f"{{{seat[1]}}}", words)


# --- Python ---


def _of_python(text: str, invariants: bool = False) -> Iterator[Collected]:
    lines = text.splitlines()
    tree = ast.parse(text)
    skipped = set(_not_said(tree))
    skipped |= {
        one
        for one in ast.walk(tree)
        if isinstance(one, ast.stmt) and lines[one.lineno - 1].rstrip().endswith(_NOT_SAID)
    }
    if invariants:  # what no match can come to is for tests and strict replays
        skipped |= {one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef) and "fault" in one.name}
    made = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and node not in skipped]
    texts = {node.args[0]: node for node in made if _maker(node) == "m" and node.args}
    for call in made:
        given = [_constant(text) or "" for text in call.args]
        if _maker(call) == "nm":
            yield Collected(given[0], many=given[1])
        elif _maker(call) == "pm":
            yield Collected(given[1], context=given[0])
        skipped |= set(call.args[:2]) if _maker(call) in ("nm", "pm") else set()
    for node in _in_order(tree, skipped):
        marked = lines[node.end_lineno - 1].rstrip().endswith(_SAID) if node.end_lineno else False
        said = marked or node in texts
        for words in _variants(node):
            if (_is_prose(words) or (said and re.search(r"[^\W\d_]", words))) and not words.startswith(" "):
                yield Collected(as_message(words))
            elif _is_prose(words):
                yield Collected(as_message(words.strip(" ,;")))


def _maker(node: ast.Call) -> str:
    """The function of :mod:`companion.core.messages` that is called."""
    return node.func.id if isinstance(node.func, ast.Name) and node.func.id in _MESSAGES else ""


def _in_order(node: ast.AST, skipped: set[ast.AST]) -> Iterator[ast.expr]:
    """Strings, f-strings and sums of them, outermost first."""
    if node in skipped:
        return
    if isinstance(node, ast.expr) and _is_text(node):
        yield node
        inner = [part.value for part in ast.walk(node) if isinstance(part, ast.FormattedValue)]
        for one in inner:
            yield from _in_order(one, skipped)
        return
    for child in ast.iter_child_nodes(node):
        yield from _in_order(child, skipped)


def _is_text(node: ast.expr) -> bool:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _is_text(node.left) and _is_text(node.right)
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _not_said(tree: ast.AST) -> Iterator[ast.AST]:
    """Docstrings, annotations, logs, errors of our own making, patterns."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.value
        elif isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            name = called.rpartition(".")[2]
            if called.startswith(("log.", "_log.", "re.", "np.", "cv2.")) or name in _TO_MAINTAINERS:
                yield node
            elif name == "format" and isinstance(node.func, ast.Attribute) and _markup(node.func.value):
                yield node.func.value
        elif isinstance(node, ast.Assert):
            yield node


def _markup(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "Markup"


def _variants(node: ast.expr) -> list[str]:
    if isinstance(node, ast.Constant):
        return [str(node.value)]
    if isinstance(node, ast.BinOp):
        return [left + right for left in _variants(node.left) for right in _variants(node.right)]
    if not isinstance(node, ast.JoinedStr):
        return []
    found: list[tuple[str, dict[str, str]]] = [("", {})]
    for part in node.values:
        if isinstance(part, ast.Constant):
            found = [(words + str(part.value), names) for words, names in found]
        elif isinstance(part, ast.FormattedValue):
            endings = _either(part.value)
            if endings is None:
                found = [_with_place(words, names, part.value) for words, names in found]
            else:
                found = [(words + ending, names) for words, names in found for ending in endings]
    return [words for words, _ in found]


def _either(value: ast.expr) -> list[str] | None:
    if isinstance(value, ast.IfExp):
        one, other = _constant(value.body), _constant(value.orelse)
        if one is not None and other is not None:
            return [one, other]
    return None


def _constant(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _with_place(words: str, names: dict[str, str], value: ast.expr) -> tuple[str, dict[str, str]]:
    source = ast.unparse(value)
    plain = re.sub(r"'[^']*'|\"[^\"]*\"", "", source)
    last = (_NAME.findall(plain) or ["it"])[-1].strip("_").lower() or "it"
    name = next(
        one for one in (last, *(f"{last}{n}" for n in range(2, 20))) if names.get(one, source) == source
    )
    return f"{words}{{{name}}}", {**names, name: source}


# --- templates ---


def _of_template(text: str) -> Iterator[Collected]:
    """What is marked for Jinja's i18n extension."""
    options = {"trimmed": "true", "newstyle_gettext": "true", "silent": "false"}
    for _line, texts, _comments, context in extract("jinja2", BytesIO(text.encode()), options=options):
        one, many = texts if isinstance(texts, tuple) else (texts, "")
        yield Collected(in_catalogues(one), in_catalogues(many), context or "")


# --- tables ---


def _of_table(table: Any) -> Iterator[str]:
    if isinstance(table, str):
        if _is_prose(table):
            yield as_message(table)
    elif isinstance(table, dict):
        for value in table.values():
            yield from _of_table(value)
    elif isinstance(table, list):
        for value in table:
            yield from _of_table(value)
