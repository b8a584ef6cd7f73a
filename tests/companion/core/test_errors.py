"""One root for every error that people may read, drawn as it is."""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from companion.core import errors
from companion.core.errors import NotationError
from companion.table.exc import FullError
from firmware_bridge.exc import NoAnswer
from vision.errors import PictureError
from web.exc import WebError

ROOT = Path(__file__).parents[3]
SHIPPED = ("companion", "firmware_bridge", "hub", "vision", "web")
NOT_FOR_PEOPLE = {
    "NotDrawnError",  # of a position from a foreign box: its page says that it cannot be shown
    "StrangeAnswerError",  # of the reader's process: its caller says that the picture broke it
    "Refused",  # the roller's firmware, which runs alone: an answer on the wire
    "ShuffleWanted",  # a step of SPIKE's rules that begins again
    "TooMuchError",  # of a program that is run within bounds: its caller says what that means
    "TooSlowError",
}
LINE = re.compile(r"^(?P<above>(?:│   |    )*)(?:[├└]── )?(?P<name>\w+)  +\S.*$")
CLASS = re.compile(r"^ *class (\w+)\(([\w., ]+)\):", re.MULTILINE)
ALSO = re.compile(r"\(also an? (\w+)\)$")


def drawn() -> dict[str, list[str]]:
    """Each error of the tree with its parents."""
    tree = (errors.__doc__ or "").split("\n\n")[-1].strip().splitlines()
    found: dict[str, list[str]] = {}
    above: list[str] = []
    for line in tree:
        match = LINE.match(line)
        assert match, line
        depth = 0 if not above else len(match["above"]) // 4 + 1
        above[depth:] = [match["name"]]
        also = ALSO.search(line)
        found[match["name"]] = [*above[depth - 1 : depth], *(also.groups() if also else ())]
    return found


def classes() -> Iterator[tuple[str, list[str]]]:
    for folder in SHIPPED:
        for path in sorted((ROOT / folder).rglob("*.py")):
            for name, bases in CLASS.findall(path.read_text()):
                yield name, bases.replace(" ", "").split(",")


@cache
def raised() -> dict[str, list[str]]:
    """Each class of the house that is an exception, with its parents."""
    known = list(classes())
    found: dict[str, list[str]] = {}
    names = {
        name
        for name, kind in vars(builtins).items()
        if isinstance(kind, type) and issubclass(kind, BaseException)
    }
    while more := {name: bases for name, bases in known if name not in found and names & {*bases}}:
        found |= more
        names |= {*more}
    return found


def test_every_error_is_in_the_tree_where_it_belongs() -> None:
    house = {name: bases for name, bases in raised().items() if name not in NOT_FOR_PEOPLE}
    tree = drawn()
    assert house.pop("StationmasterError") == ["Exception"]
    assert tree.pop("StationmasterError") == []
    assert tree == house


def test_what_is_not_for_people_is_still_there() -> None:
    assert set(raised()) >= NOT_FOR_PEOPLE


def test_one_name_catches_all_and_each_keeps_its_builtin_parent() -> None:
    for error, parent in (
        (NotationError("bad", "that is bad"), ValueError),
        (FullError("disk-full", "that is bad"), OSError),
        (WebError(404, "bad", "that is bad"), Exception),
        (PictureError("that is bad"), ValueError),
        (NoAnswer("that is bad"), TimeoutError),
    ):
        assert isinstance(error, errors.StationmasterError)
        assert isinstance(error, parent)
        assert str(error) == "that is bad"
