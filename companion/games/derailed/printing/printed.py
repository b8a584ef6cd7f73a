"""Where everything is on our printed mat: the numbers that printing, reading and the page share."""

from __future__ import annotations

from importlib.resources import files

import msgspec

from companion.core.errors import RulesDataError
from companion.core.messages import m
from companion.games.derailed.rules.network import grid_of, lane_name
from companion.games.derailed.rules.rulebook import ARRIVALS_TO_END, ROWS
from companion.sheets.drawing import Point, Quad, rectangle
from companion.sheets.layouts import corner_tags


class _Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An unknown key in the file is an error."""


class _Card(_Strict, frozen=True):
    size: Point
    border: float
    radius: float
    track: float
    line: float
    stub_across: float
    stub_along: float
    bar: Point
    bulge: float
    tie: Point


class _Mat(_Strict, frozen=True):
    cell: Point
    side: float
    edge: float
    tag: float
    tag_margin: float


class _Token(_Strict, frozen=True):
    diameter: float
    step: float


class _Ink(_Strict, frozen=True):
    line: str
    ballast: str
    tie: str
    ground: str
    border: str
    scenery: str
    dark: str
    middle: str
    pale: str
    paper: str
    back: str
    back_light: str


class _Printed(_Strict, frozen=True):
    name: str
    card: _Card
    mat: _Mat
    token: _Token
    ink: _Ink


PRINTED = msgspec.toml.decode(files(__package__).joinpath("printed.toml").read_bytes(), type=_Printed)
# One mat for each number of lanes; the widest is the usual one, for it serves any number.
MATS: dict[str, int] = {f"lanes-{lanes}": lanes for lanes in sorted(ARRIVALS_TO_END, reverse=True)}


def lanes_of_mat(edition: str) -> int:
    """How many lanes a mat has.

    >>> lanes_of_mat("lanes-4")
    4
    """
    if edition not in MATS:
        raise RulesDataError(
            "unknown-edition",
            m("there is no mat {edition}: choose {mats}", edition=repr(edition), mats=", ".join(MATS)),
        )
    return MATS[edition]


def mat_size(lanes: int) -> Point:
    """Width and height of a mat."""
    mat = PRINTED.mat
    return 2 * mat.side + lanes * mat.cell[0], 2 * mat.edge + (ROWS + 2) * mat.cell[1]


def card_corner(lane: int, row: int) -> Point:
    """The top left corner of a card's place; row 0 is the starting column, the last the destinations."""
    mat, card = PRINTED.mat, PRINTED.card
    air = (mat.cell[0] - card.size[0]) / 2, (mat.cell[1] - card.size[1]) / 2
    return mat.side + lane * mat.cell[0] + air[0], mat.edge + row * mat.cell[1] + air[1]


def slot_quads(lanes: int) -> dict[str, Quad]:
    """Every place for a card: ``a1``.. for rail cards, ``a-start`` and ``a-destination`` for stations."""
    size = PRINTED.card.size
    slots = {
        name: rectangle(card_corner(cell % lanes, cell // lanes + 1), size)
        for cell, name in enumerate(grid_of(lanes).names)
    }
    for lane in range(lanes):
        slots[f"{lane_name(lane)}-start"] = rectangle(card_corner(lane, 0), size)
        slots[f"{lane_name(lane)}-destination"] = rectangle(card_corner(lane, ROWS + 1), size)
    return slots


def tag_quads(lanes: int) -> dict[int, Quad]:
    """The black squares of a mat's four tags by number; the tags of a mat tell how many lanes it has."""
    return corner_tags(PRINTED.name, lanes, mat_size(lanes), PRINTED.mat.tag, PRINTED.mat.tag_margin)
