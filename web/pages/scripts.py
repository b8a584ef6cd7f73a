"""Scripts as browsers get them: ES modules without comments, importing each other by addresses with hashes.

There is no build step: what stands in ``static`` is what a browser runs, line for line. Two things happen
on the way. Comments are left out: the types stand in them, and no phone needs those. Every import gets the
hash of the script that it means, so that browsers may keep each script for ever.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from graphlib import TopologicalSorter
from posixpath import dirname, join, normpath

_IMPORT = re.compile(r'\b(from|import) "(/static/|\./)([\w./-]+\.js)"')
_WANTED_LATER = re.compile(r'\bimport\("\./([\w./-]+\.js)"\)')  # fetched when it is wanted: not with the page
_LATER = re.compile(r'\bimport\("(/static/|\./)([\w./-]+\.js)"\)')  # all of them, with hash or without
_WITH_WORDS = re.compile(r'\bwordsOf\("([\w./-]+\.js)"\)')  # its words come with it, not with the page
_INDENTATION = re.compile(r"^[ \t]+", re.MULTILINE)
_REMARK = re.compile(r"(?<=[;{},)])[ \t]+// [^\n\"'`]*$", re.MULTILINE)  # behind code
_COMMENT = re.compile(r"^[ \t]*//[^\n]*|[ \t]*/\*\*(?:[^*]|\*(?!/))*\*/", re.MULTILINE)


def imports(name: str, text: str) -> list[str]:
    """The scripts that this one imports, by their names.

    >>> imports("toy/play.js", 'import { act } from "/static/kit.js";\\nimport "./map.js";')
    ['kit.js', 'toy/map.js']
    """
    return [_meant(name, match) for match in _IMPORT.finditer(text)]


def _meant(name: str, match: re.Match[str]) -> str:
    folder = "" if match[2] == "/static/" else dirname(name)
    return normpath(join(folder, match[3]))


def imported_first(texts: dict[str, str]) -> Iterable[str]:
    """The names of all scripts, each after those that it imports, at once or later."""
    later = {
        name: [normpath(join(dirname(name), one)) for one in _WANTED_LATER.findall(_COMMENT.sub("", text))]
        for name, text in texts.items()
    }
    return TopologicalSorter(
        {name: [*imports(name, text), *later[name]] for name, text in texts.items()}
    ).static_order()


def with_imports(texts: dict[str, str], names: Iterable[str]) -> list[str]:
    """These scripts and all that they import, directly or not, in the order in which they are needed."""

    def needed(name: str) -> Iterator[str]:
        for one in imports(name, texts[name]):
            yield from needed(one)
        yield name

    return list(dict.fromkeys(one for name in names for one in needed(name)))


def with_later(texts: dict[str, str], names: Iterable[str]) -> set[str]:
    """These scripts, all that they import, and all that they may fetch later without its words."""
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.add(name)
        bare = _COMMENT.sub("", texts[name])
        later = (
            normpath(join("" if folder == "/static/" else dirname(name), one))
            for folder, one in _LATER.findall(bare)
        )
        waiting += [*imports(name, bare), *set(later).difference(_WITH_WORDS.findall(bare))]
    return found


def as_served(name: str, text: str, address: Callable[[str], str]) -> str:
    r"""The script without comments and indentation, its imports being addresses; every line keeps its number.

    >>> script = '// A page.\n/** @type {string} */\nimport { a } from "./kit.js"; // why\n'
    >>> as_served("x.js", script, lambda name: f"/static/{name}?v=1")
    '\n\nimport { a } from "/static/kit.js?v=1";\n'
    >>> as_served("toy/x.js", 'await import("./map.js");', lambda name: f"/static/{name}?v=1")
    'await import("/static/toy/map.js?v=1");'
    """
    bare = _REMARK.sub("", _COMMENT.sub(lambda match: "\n" * match[0].count("\n"), text))
    if not any(line.count("`") % 2 for line in bare.splitlines()):  # no text goes over several lines
        bare = _INDENTATION.sub("", bare)
    later = _WANTED_LATER.sub(
        lambda match: f'import("{address(normpath(join(dirname(name), match[1])))}")', bare
    )
    return _IMPORT.sub(lambda match: f'{match[1]} "{address(_meant(name, match))}"', later)


_TEXT = r"(\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')"
_SAYS = re.compile(rf"(?<![\w.$])_\(\s*{_TEXT}")
_COUNTS = re.compile(rf"(?<![\w.$])_\({_TEXT}\), _\({_TEXT}\)")


def messages(text: str) -> Iterator[str]:
    """What a script says to people, in English.

    >>> list(messages('link.title = _("live"); show(_("{n} left", { n: 3 }));'))
    ['live', '{n} left']
    """
    return (_plain(found[1]) for found in _SAYS.finditer(text))


def counted(text: str) -> Iterator[tuple[str, str]]:
    """Messages with a number, each with its form for several.

    >>> list(counted('count(tracks.length, _("{n} track"), _("{n} tracks"))'))
    [('{n} track', '{n} tracks')]
    """
    pairs = ((_plain(found[1]), _plain(found[2])) for found in _COUNTS.finditer(text))
    return (pair for pair in pairs if all("{n}" in words for words in pair))


def _plain(quoted: str) -> str:
    return quoted[1:-1].replace('\\"', '"').replace("\\'", "'")
