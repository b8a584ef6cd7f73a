"""Nothing that is remembered grows without an end: strangers choose what much of it is computed from."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PRODUCT = ("companion", "web", "vision", "hub", "firmware_bridge")
FEW = 16  # whole documents, as a map of somebody's own, may be remembered as long as they are so few

# Functions of texts that may be any number of which a plain cache remembers, each with why that is harmless.
CLOSED = {
    "companion/game/packages.py:_loaded": "the parts that packages name; each has to stay the one object",
    "companion/core/messages.py:_pieces": "texts that stand in the source or in an owner's file",
    "companion/games/derailed/ui/art.py:face_use": "another text than a card's raises",
    "companion/games/derailed/rules/cards.py:parse_face": "another text than a card's raises",
    "companion/games/railroad_ink/rules/boards/placement.py:fitting": "another text than a shape raises",
    "companion/games/railroad_ink/rules/boards/board.py:can_show": "shapes and dice of the rulebook",
    "companion/games/railroad_ink/rules/match/turn.py:_nothing_fits": "faces of the match's dice",
    "companion/games/railroad_ink/rules/expansions/playing.py:placements_in": "faces that were rolled",
    "companion/games/empire_builder/rules/cards/events.py:effects": "event cards that lie on the table",
    "companion/games/empire_builder/rules/moves/trips.py:_costs": "one byte for each edge of the map",
    "web/pages/assets.py:script_messages": "the scripts that pages name",
    "web/pages/assets.py:script_forms": "the scripts that pages name",
    "web/ui/i18n.py:_pieces": "texts that stand in templates",
    "web/ui/i18n.py:_pieces_of_form": "texts that stand in templates, with the last numbers",
    "vision/pieces/colours.py:_looks_of": "the names of colours in its table",
}
# Containers of modules that are empty at first: where something is kept. Each with why it stays small.
KEPT = {
    "companion/table/database.py:STEPS": "written in the source",
    "companion/games/railroad_ink/rules/expansions/marks.py:NO_MARKS": "stays empty",
    "companion/games/empire_builder/rules/moves/trips.py:_LAST": "one state",
    "web/api/operations.py:OPERATIONS": "written in the source",
    "vision/nets.py:_OTHERS": "networks that a command line names",
    "web/ui/dice.py:_known": "sixteen rolls",
    "companion/games/railroad_ink/bot/engines.py:_compiled": "one engine",
}
_TEXTS = ("str", "bytes", "Any", "object")


def parameters(function: ast.FunctionDef) -> list[str]:
    """The annotations of a function's parameters."""
    given = function.args
    return [
        ast.unparse(one.annotation) if one.annotation else "Any"
        for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)
        if one.arg != "self"
    ]


def is_text(annotation: str) -> bool:
    return any(isinstance(node, ast.Name) and node.id in _TEXTS for node in ast.walk(ast.parse(annotation)))


def fault(function: ast.FunctionDef, decorator: ast.expr) -> str | None:
    """What is wrong with how the results of a function are remembered."""
    call = decorator if isinstance(decorator, ast.Call) else None
    name = ast.unparse(call.func if call else decorator).rpartition(".")[2]
    given = parameters(function)
    if name not in ("cache", "lru_cache") or not given:
        return None
    size = None if call is None else next(iter([*call.args, *(one.value for one in call.keywords)]), None)
    if name == "cache" or size is None or ast.unparse(size) == "None":
        return "is remembered for ever: say how many with lru_cache(maxsize=...)"
    few = isinstance(size, ast.Constant) and isinstance(size.value, int) and size.value <= FEW
    closed = not isinstance(size, ast.Constant)  # as many as a table has, by its name
    if any(map(is_text, given)) and not (few or closed):
        return "remembers many texts of any length: use remembered(...)"
    return None


@cache
def parsed(source: str) -> ast.Module:
    return ast.parse(source)


def faults_in(source: str) -> Iterator[tuple[str, str]]:
    """Functions of a module, and what is wrong with how they are remembered."""
    tree = parsed(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            for one in node.decorator_list:
                if found := fault(node, one):
                    yield node.name, found
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("cache", "functools.cache"):
            yield ast.unparse(node), "remembers for ever"


def containers_in(source: str) -> Iterator[str]:
    """Names at the top of a module that begin empty and can be filled."""
    for node in parsed(source).body:
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        empty = isinstance(value, ast.Dict) and not value.keys
        empty |= isinstance(value, ast.List) and not value.elts
        made = ast.unparse(value.func).rpartition(".")[2] if isinstance(value, ast.Call) else ""
        empty |= made in ("defaultdict", "Counter", "deque") or (
            made in ("dict", "list", "set", "OrderedDict") and isinstance(value, ast.Call) and not value.args
        )
        if empty:
            yield from (ast.unparse(target) for target in targets if target is not None)


def modules() -> list[Path]:
    found = [path for folder in PRODUCT for path in sorted((ROOT / folder).rglob("*.py"))]
    return [path for path in found if "firmware" not in path.relative_to(ROOT).parts]  # MicroPython's


def test_what_is_remembered_has_a_bound() -> None:
    found = {
        f"{path.relative_to(ROOT)}:{name}": why
        for path in modules()
        for name, why in faults_in(path.read_text(encoding="utf-8"))
    }
    assert {name: why for name, why in found.items() if name not in CLOSED} == {}
    assert set(CLOSED) <= set(found), "these need no excuse any more"


def test_containers_of_modules_are_known() -> None:
    found = {
        f"{path.relative_to(ROOT)}:{name}"
        for path in modules()
        for name in containers_in(path.read_text(encoding="utf-8"))
    }
    assert found == set(KEPT)


@pytest.mark.parametrize(
    "source",
    [
        "@cache\ndef f(text: str) -> int: ...",
        "@functools.cache\ndef f(number: int) -> int: ...",
        "@lru_cache\ndef f(number: int) -> int: ...",
        "@lru_cache(None)\ndef f(number: int) -> int: ...",
        "@lru_cache(maxsize=None)\ndef f(number: int) -> int: ...",
        "@lru_cache(maxsize=64)\ndef f(text: str) -> int: ...",
        "@lru_cache(64)\ndef f(names: tuple[str, ...]) -> int: ...",
        "@lru_cache(64)\ndef f(anything) -> int: ...",
        "class A:\n    @cache\n    def f(self, text: str) -> int: ...",
        "f = cache(g)",
    ],
)
def test_a_cache_without_a_bound_would_be_found(source: str) -> None:
    assert list(faults_in(source))


@pytest.mark.parametrize(
    "source",
    [
        "@cache\ndef f() -> int: ...",
        "@lru_cache(maxsize=64)\ndef f(number: int) -> int: ...",
        "@lru_cache(maxsize=8)\ndef f(document: str) -> int: ...",
        "@remembered(64)\ndef f(text: str) -> int: ...",
        "@cached_property\ndef f(self) -> int: ...",
    ],
)
def test_a_bound_is_enough(source: str) -> None:
    assert list(faults_in(source)) == []


@pytest.mark.parametrize("source", ["_known = {}", "_known: dict[str, int] = {}", "A = defaultdict(list)"])
def test_a_container_would_be_found(source: str) -> None:
    assert list(containers_in(source))
