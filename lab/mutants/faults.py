"""Small faults put into Python modules, one at a time: what a slip of the hand does to a program."""

from __future__ import annotations

import ast
import copy
import random
from collections.abc import Iterable, Iterator
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

_STATEMENTS = ("break", "continue")
_SWITCH = "_the_fault_is_on"
_IMPORT = f"from __future__ import annotations; from lab.mutants.marks import fault_is_on as {_SWITCH}"


class Fault(msgspec.Struct, frozen=True):
    """One change of one line of a module."""

    room: str
    file: str  # from the top of the repository
    line: int
    begin: int  # where in the line what is changed begins and ends, in bytes
    end: int
    was: str
    becomes: str


def with_faults(source: str, here: Iterable[Fault]) -> str:
    """A module's text with faults in it."""
    return _put(source, [(one.line, one.begin, one.end, _value(one.becomes)) for one in here])


def with_switches(source: str, here: dict[int, Fault]) -> str:
    """A module's text that does what it did, and tells by its number that a fault's place is reached.

    Once that fault is switched on, it does the wrong thing.
    """
    places = []
    for number, fault in here.items():
        indent = " " * fault.begin
        before, after = f"({_value(fault.becomes)} if {_SWITCH}({number}) else (", "))"
        if fault.becomes in _STATEMENTS:
            before, after = f"if {_SWITCH}({number}): {fault.becomes}\n{indent}", ""
        places.append((fault.line, fault.begin, fault.begin, before))
        places.append((fault.line, fault.end, fault.end, after))
    return _put(source, places).replace("from __future__ import annotations", _IMPORT, 1)


def _value(text: str) -> str:
    return text if text in _STATEMENTS else f"({text})"


def _put(source: str, changes: list[tuple[int, int, int, str]]) -> str:
    """Other words at places of lines: row, first byte, first byte after it, words."""
    lines = source.splitlines(keepends=True)
    for line, begin, end, words in sorted(changes, key=lambda one: one[:3], reverse=True):
        row = lines[line - 1].encode()  # the parser counts bytes
        lines[line - 1] = (row[:begin] + words.encode() + row[end:]).decode()
    return "".join(lines)


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
            # The roller's is MicroPython's: no test imports it under its name.
            if "firmware" not in file.relative_to(top).parts
        )
        while True:
            file = chance.choice(files)
            found = list(_possible(room, str(file.relative_to(top)), file.read_text(encoding="utf-8")))
            if found:
                break
        yield chance.choice(found)


def _possible(room: str, name: str, source: str) -> Iterator[Fault]:
    """Every fault that a module can have."""
    for node in _live(ast.parse(source)):
        for place, becomes in _changes(node):
            yield Fault(
                room, name, place.lineno, place.col_offset, place.end_col_offset or 0,
                ast.unparse(place), ast.unparse(becomes),
            )  # fmt: skip


def _live(tree: ast.Module) -> Iterator[ast.expr | ast.stmt]:
    """Nodes of one line inside functions that do something: no docstrings, annotations or decorators.

    Left out are what the parser does not place exactly (inside f-strings), patterns, which are no values, and
    what is compiled to machine code, which takes a minute for each fault.
    """
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef) or any(
            isinstance(each, ast.Name) and each.id in ("overload", "abstractmethod", "compiled")
            for each in function.decorator_list
        ):
            continue
        todo: list[ast.AST] = list(function.body)
        while todo:
            node = todo.pop(0)
            if isinstance(node, ast.FunctionDef | ast.JoinedStr | ast.pattern):
                continue
            annotation = node.annotation if isinstance(node, ast.AnnAssign) else None
            todo += [child for child in ast.iter_child_nodes(node) if child is not annotation]
            if isinstance(node, ast.expr | ast.stmt) and node.lineno == node.end_lineno:
                yield node


def _changes(node: ast.expr | ast.stmt) -> Iterator[tuple[ast.expr | ast.stmt, ast.AST]]:  # noqa: C901 (a table)
    """What may go wrong at one node: it, or its value, and what stands there then."""
    changed = copy.deepcopy(node)
    match changed:
        case ast.Compare(ops=[op]) if type(op) in _COMPARISONS:
            changed.ops = [_COMPARISONS[type(op)]()]
        case ast.BinOp(op=op) if type(op) in _OPERATORS and not _is_text(changed):
            changed.op = _OPERATORS[type(op)]()
        case ast.BoolOp(op=op):
            changed.op = ast.Or() if isinstance(op, ast.And) else ast.And()
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield node, operand
            return
        case ast.Constant(value=bool(value)):
            changed.value = not value
        case ast.Constant(value=int(value)):
            changed.value = value + 1
        case ast.Break():
            yield node, ast.Continue()
            return
        case ast.Continue():
            yield node, ast.Break()
            return
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            yield value, ast.Constant(None)
            return
        case ast.IfExp(test=test):
            changed.test = ast.UnaryOp(ast.Not(), test)
        case ast.Expr(value=ast.Call() as call):
            yield call, ast.Constant(None)
            return
        case _:
            return
    yield node, changed


def _is_text(node: ast.BinOp) -> bool:
    """Return True if one side is plainly a text or a list, where only `+` makes sense."""
    return any(
        isinstance(side, ast.JoinedStr | ast.List | ast.Tuple)
        or (isinstance(side, ast.Constant) and isinstance(side.value, str | bytes))
        for side in (node.left, node.right)
    )
