"""Small faults put into Python modules, one at a time: what a slip of the hand does to a program."""

from __future__ import annotations

import ast
import copy
import random
from collections.abc import Iterator
from pathlib import Path

import msgspec

# Room by room: a room's faults are drawn from the files below these folders.
ROOMS: dict[str, tuple[str, ...]] = {
    "rules": ("companion/games/*/rules", "companion/game", "companion/sheets"),
    "link": ("firmware_bridge",),
    "storage": ("companion/table", "companion/club"),
    "pages": ("web", "companion/games/*/ui"),
    "readers": ("vision", "companion/reading", "companion/games/*/reader"),
    "service": ("companion/service", "companion/cli"),
    "hub": ("hub",),
}

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv,
    ast.Div: ast.Mult, ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr,
}  # fmt: skip


class Fault(msgspec.Struct, frozen=True):
    """One change of one line of a module."""

    room: str
    file: str  # from the top of the repository
    line: int
    what: str  # "`<` becomes `<=`"
    text: str  # the whole module with the fault in it


def faults(top: Path, count: int, seed: int) -> Iterator[Fault]:
    """Draw faults at random: each room gets its share, and each file of a room has the same chance."""
    chance = random.Random(f"mutants-{seed}")
    names = list(ROOMS)
    for number in range(count):
        room = names[number % len(names)]
        files = sorted(
            file
            for pattern in ROOMS[room]
            for folder in top.glob(pattern)
            for file in folder.rglob("*.py")
            if "firmware"
            not in file.relative_to(top).parts  # MicroPython's: no test imports it under its name
        )
        while True:
            file = chance.choice(files)
            found = list(_possible(file.read_text(encoding="utf-8")))
            if found:
                break
        line, what, text = chance.choice(found)
        yield Fault(room, str(file.relative_to(top)), line, what, text)


def _possible(source: str) -> Iterator[tuple[int, str, str]]:
    """Every fault that a module can have: its line, what it is, and the module's text with it."""
    lines = source.splitlines(keepends=True)
    for node in _live(ast.parse(source)):
        for what, changed in _changes(node):
            yield node.lineno, what, _with(lines, node, ast.unparse(changed))


def _live(tree: ast.Module) -> Iterator[ast.expr | ast.stmt]:
    """Nodes inside functions that do something: no docstrings, annotations, decorators or type checking."""
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef) or any(
            isinstance(each, ast.Name) and each.id in ("overload", "abstractmethod")
            for each in function.decorator_list
        ):
            continue
        for statement in function.body:
            for node in ast.walk(statement):
                if isinstance(node, ast.FunctionDef) or not isinstance(node, ast.expr | ast.stmt):
                    continue
                if node.lineno == node.end_lineno:
                    yield node


def _changes(node: ast.expr | ast.stmt) -> Iterator[tuple[str, ast.AST]]:  # noqa: C901 (a table)
    """What may go wrong at one node, in words, and the node that stands there then."""
    changed = copy.deepcopy(node)
    match changed:
        case ast.Compare(ops=[op]) if type(op) in _COMPARISONS:
            changed.ops = [_COMPARISONS[type(op)]()]
        case ast.BinOp(op=op) if type(op) in _OPERATORS and not _is_text(changed):
            changed.op = _OPERATORS[type(op)]()
        case ast.BoolOp(op=op):
            changed.op = ast.Or() if isinstance(op, ast.And) else ast.And()
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield _said(node, operand)
            return
        case ast.Constant(value=bool(value)):
            changed.value = not value
        case ast.Constant(value=int(value)):
            changed.value = value + 1
        case ast.Break():
            yield _said(node, ast.Continue())
            return
        case ast.Continue():
            yield _said(node, ast.Break())
            return
        case ast.Return(value=ast.expr()) if not isinstance(changed.value, ast.Constant):
            changed.value = ast.Constant(None)
        case ast.IfExp(test=test):
            changed.test = ast.UnaryOp(ast.Not(), test)
        case ast.Expr(value=ast.Call()):
            yield _said(node, ast.Pass())
            return
        case _:
            return
    yield _said(node, changed)


def _said(node: ast.AST, changed: ast.AST) -> tuple[str, ast.AST]:
    return f"`{ast.unparse(node)}` becomes `{ast.unparse(changed)}`", changed


def _is_text(node: ast.BinOp) -> bool:
    """Return True if one side is plainly a text or a list, where only `+` makes sense."""
    return any(
        isinstance(side, ast.JoinedStr | ast.List | ast.Tuple)
        or (isinstance(side, ast.Constant) and isinstance(side.value, str | bytes))
        for side in (node.left, node.right)
    )


def _with(lines: list[str], node: ast.expr | ast.stmt, text: str) -> str:
    """The module's text with other words where a node of one line stood; a value is put into brackets."""
    if isinstance(node, ast.expr):
        text = f"({text})"
    row = lines[node.lineno - 1].encode()  # the parser counts bytes
    line = row[: node.col_offset] + text.encode() + row[node.end_col_offset :]
    return "".join([*lines[: node.lineno - 1], line.decode(), *lines[node.lineno :]])
