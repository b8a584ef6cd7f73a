"""Printed on both sides, as printers do, nothing of any game spoils anything else."""

from __future__ import annotations

import pytest

from companion.game.packages import loaded, packages
from companion.game.registry import games_with_printables, printables_of
from companion.sheets.printing.paper import PAPERS, PaperName, printed


def _seldom(part: str, paper: PaperName, number: int, editions: int) -> bool:
    """All parts on other paper, which is each of them once more; editions between the first and the last."""
    return (part == "all" and paper != "a4") or 0 < number < editions - 1


EVERYTHING = [  # every edition on A4, and one on all other paper
    pytest.param(
        name,
        part,
        edition,
        paper,
        marks=pytest.mark.slow if _seldom(part, paper, number, len(sheets.editions)) else (),
    )
    for name, package in packages().items()
    if package.printing
    for sheets in [loaded(package.printing)]
    for part in sheets.parts
    for number, edition in enumerate(sheets.editions)
    for paper in (PAPERS if number == 0 else ("a4",))
]
WITH_BACKS = {  # cards that a hidden side belongs to, or trains that are turned over
    ("derailed", "cards"),
    ("derailed", "stations"),
    ("spike", "rails"),
    ("spike", "routes"),
    ("spike", "contracts"),
    ("empire-builder", "locos"),
}


@pytest.mark.parametrize(("name", "part", "edition", "paper"), EVERYTHING)
def test_no_front_has_another_front_behind_it(name: str, part: str, edition: str, paper: PaperName) -> None:
    sheets = printables_of(name)
    leaves = sheets.leaves(part, edition, paper)
    pages = printed(leaves)
    fronts, behind = pages[::2], pages[1::2]
    assert fronts == [leaf.front for leaf in leaves]
    assert all(front.shapes for front in fronts)
    assert all(back.size == front.size for front, back in zip(fronts, behind, strict=False))
    backs = {back.shapes for back in behind if back.shapes}
    assert not any(front.shapes in backs for front in fronts), "a front lies behind another page"
    if part != "all":
        having = [leaf.back is not None for leaf in leaves]
        assert having == [(name, part) in WITH_BACKS] * len(leaves)
    assert pages[-1].shapes, "no blank page at the end"


def test_all_is_every_part_and_each_with_its_own_backs() -> None:
    for name in games_with_printables():
        sheets = printables_of(name)
        if "all" not in sheets.parts:
            continue
        edition = sheets.editions[0]
        single = [
            leaf for part in sheets.parts if part != "all" for leaf in sheets.leaves(part, edition, "a4")
        ]
        for leaf in sheets.leaves("all", edition, "a4"):
            assert leaf in single, name
