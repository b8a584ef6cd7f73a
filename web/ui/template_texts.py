"""Texts in templates: written as they are read, and marked for translation when a template is loaded.

::

    <p>You are here, <b>{{ guest.name }}</b>.</p>

becomes, before Jinja compiles it::

    <p>{{ phrase("You are here, <b>{name}</b>.", name=(guest.name)) }}</p>

A message is what stands between two tags of a block (``p``, ``li``, ``button``) or two statements: text,
expressions, and tags within a sentence (``b``, ``a``). Attributes that are read are messages, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from jinja2.ext import Extension

_TOKENS = re.compile(
    r"(?P<comment>\{#.*?#\})|(?P<statement>\{%.*?%\})|(?P<expression>\{\{.*?\}\})"
    r"|(?P<tag><!?/?[A-Za-z](?:\{\{.*?\}\}|\{%.*?%\}|\"(?:\{\{.*?\}\}|\{%.*?%\}|[^\"])*\"|[^<>\"])*>)"
    r"|(?P<text>(?:(?!\{[{%#])[^<]|<(?![!/A-Za-z]))+)",
    re.DOTALL,
)
_INLINE = frozenset(
    {"a", "abbr", "b", "br", "code", "em", "i", "kbd", "small", "span", "strong", "sub", "sup"}
)
_VOID = frozenset({"br"})
_SAID = re.compile(r'\b(?P<name>aria-label|title|placeholder|alt|data-ask|data-question)="(?P<words>[^"]*)"')
_INNER = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)
_WORD = re.compile(r"(?<!&)\b[^\W\d_]{2}|^[A-Z]$")
_NAMES = re.compile(r"[A-Za-z_]\w*")
_STRINGS = re.compile(r"\"[^\"]*\"|'[^']*'")
_SILENT_TAGS = ("script", "style")
_BLOCK = re.compile(r"\{%-?\s*block\s+(?P<name>\w+)")
_SILENT_BLOCKS = ("data", "look", "root")  # attributes, not text
_EITHER = re.compile(
    r"(?P<one>\"[^\"]*\"|'[^']*') if (?P<when>(?:(?! else ).)+)(?: else (?P<other>\"[^\"]*\"|'[^']*'))?$"
)


@dataclass(frozen=True)
class _Token:
    kind: str
    source: str

    @property
    def name(self) -> str:
        """Of a tag."""
        return re.sub(r"[</!]", "", self.source).split()[0].rstrip(">").lower()

    @property
    def inline(self) -> bool:
        """Can it stand within a sentence?"""
        if self.kind == "tag":
            return self.name in _INLINE and "{%" not in self.source
        return self.kind in ("text", "expression")

    @property
    def closes(self) -> bool:
        return self.source.startswith("</")


class TemplateTexts(Extension):
    """The extension of Jinja that does it."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """The template with its texts marked."""
        return marked(source)


def marked(source: str) -> str:
    """A template's source with its texts marked.

    >>> marked('<p class="x">Waiting for {{ who|join(", ") }}.</p>')
    '<p class="x">{{ phrase("Waiting for {who}.", who=(who|join(", "))) }}</p>'
    >>> marked('<button title="Go">{{ mark }}</button>')
    '<button title="{{ phrase("Go") }}">{{ mark }}</button>'
    """
    out: list[str] = []
    run: list[_Token] = []
    silent = False
    for found in _TOKENS.finditer(source):
        token = _Token(found.lastgroup or "", found[0])
        if token.kind == "tag" and token.name in _SILENT_TAGS:
            silent = not token.closes
        if token.kind == "statement":
            begun = _BLOCK.match(token.source)
            silent = begun["name"] in _SILENT_BLOCKS if begun else silent and "endblock" not in token.source
        if token.inline and not silent:
            run.append(token)
        else:
            out.extend((_run(run), token.source if silent else _tag(token)))
            run = []
    return "".join(out) + _run(run)


def _tag(token: _Token) -> str:
    """A tag whose attributes that are read are marked."""
    if token.kind != "tag":
        return token.source
    return _SAID.sub(lambda found: f'{found["name"]}="{_attribute(found["words"])}"', token.source)


def _attribute(words: str) -> str:
    return words if "{%" in words or not _WORD.search(_INNER.sub("", words)) else _phrase(words)


def _run(run: list[_Token]) -> str:
    """Text, expressions and tags within sentences: one message, less what is around it.

    What programs write (``code`` by itself) stays as it is.
    """
    if len(run) > 2 and run[0].kind == run[-1].kind == "tag" and run[0].name == "code" and _wrapped(run):
        return "".join(one.source for one in run)
    if not any(one.kind == "text" and _WORD.search(one.source) for one in run):
        return "".join(_expression(one) if one.kind == "expression" else _tag(one) for one in run)
    for parts in (_unbalanced(run), _wrapped(run)):
        if parts is not None:
            return "".join(
                _run(part) if len(part) > 1 or part[0].kind != "tag" else _tag(part[0]) for part in parts
            )
    words = "".join(one.source for one in run)
    bare = words.strip()
    before, after = words[: len(words) - len(words.lstrip())], words[len(words.rstrip()) :]
    return f"{before}{_phrase(bare)}{after}"


def _unbalanced(run: list[_Token]) -> list[list[_Token]] | None:
    """The run taken apart at the first tag that has no counterpart in it."""
    open_tags: list[int] = []
    for at, one in enumerate(run):
        if one.kind != "tag" or one.name in _VOID:
            continue
        if not one.closes:
            open_tags.append(at)
        elif open_tags and run[open_tags[-1]].name == one.name:
            open_tags.pop()
        else:
            return _apart(run, at)
    return _apart(run, open_tags[0]) if open_tags else None


def _wrapped(run: list[_Token]) -> list[list[_Token]] | None:
    """The run without a pair of tags around all of it."""
    places = [at for at, one in enumerate(run) if one.kind != "text" or one.source.strip()]
    first, last = places[0], places[-1]
    if run[first].kind == "tag" and (run[first].name in _VOID or run[last].name == run[first].name):
        depth = 0
        for at in range(first, last):
            if run[at].kind == "tag" and run[at].name not in _VOID:
                depth += -1 if run[at].closes else 1
            if not depth and run[first].name not in _VOID and at < last:
                return None
        return _apart(run, first)
    return None


def _apart(run: list[_Token], at: int) -> list[list[_Token]]:
    parts = (run[:at], [run[at]], run[at + 1 :])
    return [part for part in parts if part]


def _phrase(words: str) -> str:
    """A call that says the words, their expressions as its places; each of two endings makes a message."""
    return f"{{{{ {_said_either_way(words)} }}}}"


def _said_either_way(words: str) -> str:
    for found in _INNER.finditer(words):
        either = _EITHER.match(found[1].strip())
        if either is not None and words != found[0]:
            one, other = either["one"][1:-1], (either["other"] or '""')[1:-1]
            before, after = words[: found.start()], words[found.end() :]
            when = either["when"]
            first, second = (_said_either_way(f"{before}{ending}{after}") for ending in (one, other))
            return f"({first} if {when} else {second})"
    return _call(words)


def _call(words: str) -> str:
    told: dict[str, str] = {}

    def place(found: re.Match[str]) -> str:
        expression = found[1].strip()
        name = _place_name(expression, told)
        told[name] = expression
        return f"{{{name}}}"

    message = re.sub(r"\s+", " ", _INNER.sub(place, words)).replace("\\", "\\\\")
    quoted = "'" + message.replace("'", "\\'") + "'" if '"' in message else f'"{message}"'
    arguments = "".join(f", {name}=({_with_words(expression)})" for name, expression in told.items())
    return f"phrase({quoted}{arguments})"


def _place_name(expression: str, taken: dict[str, str]) -> str:
    """What a place is called: the last name in the expression before any filter.

    >>> _place_name("guest.name", {}), _place_name("seat_mark(guest.shape)", {}), _place_name("5", {})
    ('name', 'shape', 'it')
    """
    plain = _STRINGS.sub("", expression.partition("|")[0])
    names = [
        one
        for one in _NAMES.findall(plain)
        if one not in ("if", "else", "not", "loop", "and", "or", "in", "is")
    ]
    name = names[-1] if names else "it"
    return next(
        one
        for one in (name, *(f"{name}{n}" for n in range(2, 20)))
        if taken.get(one, expression) == expression
    )


def _with_words(expression: str) -> str:
    """An expression in which words stand: they are said, too.

    >>> _with_words('"over" if done else "under way"'), _with_words("name")
    ('("over" if done else "under way")|said', 'name')
    """
    return f"({expression})|said" if any(_WORD.search(one) for one in values(expression)) else expression


def values(expression: str) -> Iterator[str]:
    """The strings in an expression that can be what it comes to: of a choice, a table, or by themselves."""
    without_keys = re.sub(r"(\"[^\"]*\"|'[^']*')\s*:", "", expression)
    if re.search(r"\w\(", re.sub(r"\.get\(", "", without_keys)) and not re.match(r"\s*[\"']", without_keys):
        return  # an argument of a call
    compared = re.sub(
        r"(==|!=|\bin\b)\s*(\"[^\"]*\"|'[^']*')|(\"[^\"]*\"|'[^']*')\s*(==|!=|\bin\b)", "", without_keys
    )
    filtered = re.sub(r"\|\s*\w+\([^)]*\)|\[(\"[^\"]*\"|'[^']*')\]", "", compared)
    for found in _STRINGS.finditer(filtered):
        yield found[0][1:-1]


def _expression(token: _Token) -> str:
    """An expression by itself, whose words are said where it has any."""
    inner = token.source[2:-2].strip()
    said = _with_words(inner)
    return token.source if said == inner else f"{{{{ {said} }}}}"
