"""Where everything is on our printed player board: the numbers that printing, reading and the page share."""

from __future__ import annotations

from importlib.resources import files

import msgspec

from companion.core.errors import RulesDataError
from companion.core.messages import m, vocabulary
from companion.games.railroad_ink.rules.rulebook import (
    EDITION,
    EDITIONS,
    GOAL_RACE,
    GRID,
    SPECIALS,
    UNIVERSITY_CIRCLES,
    VILLAGE_VALUES,
    EditionName,
)
from companion.sheets.drawing import Point, Quad, rectangle
from companion.sheets.tags import CORNERS, tag_number


class _Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An unknown key in the file is an error."""


class _Tag(_Strict, frozen=True):
    side: float
    margin: float


class _Grid(_Strict, frozen=True):
    corner: Point
    cell: float
    exit: float
    round_box: tuple[float, float, float, float]
    building: tuple[float, float, float]
    tick: float
    ticks: tuple[float, float, float]


class _Specials(_Strict, frozen=True):
    corner: Point
    picture: float
    step: float
    box: tuple[float, float, float]


class _Panel(_Strict, frozen=True):
    corner: Point
    width: float
    row: float
    circle: float
    circle_step: float
    villages: float
    universities: float
    goals: float
    goal_step: float
    goal_box: Point
    goal_value: float


class _ScoreRow(_Strict, frozen=True):
    top: float
    height: float
    boxes: tuple[str, ...]


class _Scores(_Strict, frozen=True):
    gap: float
    challenge: _ScoreRow
    classic: _ScoreRow


class _Box(_Strict, frozen=True):
    corner: Point
    size: Point


class _Boxes(_Strict, frozen=True):
    corner: Point
    box: Point


class _Ink(_Strict, frozen=True):
    dark: str
    middle: str
    grid: str
    tick: str
    cell: str
    centre: str
    building: str
    building_light: str


class _Printed(_Strict, frozen=True):
    name: str
    size: Point
    tag: _Tag
    grid: _Grid
    specials: _Specials
    walls: _Boxes
    panel: _Panel
    scores: _Scores
    network: _Box
    owner: _Box
    ink: _Ink


PRINTED = msgspec.toml.decode(files(__package__).joinpath("printed.toml").read_bytes(), type=_Printed)


def check_edition(edition: str) -> EditionName:
    """The edition, if there is one of that name."""
    for name in EDITIONS:
        if name == edition:
            return name
    raise RulesDataError(
        "unknown-edition",
        m(
            "there is no edition {edition}: choose {editions}",
            edition=repr(edition),
            editions=" or ".join(EDITIONS),
        ),
    )


def tag_kind(edition: EditionName) -> str:
    """What the corner tags of this edition's sheets are called."""
    return f"{PRINTED.name}/{edition}"


def sticker_kind(edition: EditionName) -> str:
    """What the tags are called that are stuck around a genuine board of this edition."""
    return f"{tag_kind(edition)}-stickers"


def box(corner: Point, size: Point) -> Quad:
    """An upright rectangle as a slot."""
    return rectangle(corner, size)


def cell_corner(cell: int) -> Point:
    """The top left corner of a cell."""
    grid = PRINTED.grid
    return (
        grid.corner[0] + cell % GRID.columns * grid.cell,
        grid.corner[1] + cell // GRID.columns * grid.cell,
    )


def cell_quad(cell: int) -> Quad:
    """The corners of a cell."""
    return box(cell_corner(cell), (PRINTED.grid.cell, PRINTED.grid.cell))


def round_quad(cell: int) -> Quad:
    """The box in a cell where the number of the round is written."""
    (x, y), (left, top, width, height) = cell_corner(cell), PRINTED.grid.round_box
    return box((x + left, y + top), (width, height))


def special_picture(number: int) -> Quad:
    """The picture of a special route, by its place in the row."""
    row = PRINTED.specials
    return box((row.corner[0] + number * row.step, row.corner[1]), (row.picture, row.picture))


def special_box(number: int) -> Quad:
    """The tick box under the picture of a special route."""
    (x, y), (left, top, size) = special_picture(number)[0], PRINTED.specials.box
    return box((x + left, y + top), (size, size))


def circle_quad(group: float, number: int) -> Quad:
    """The square around a village or university circle; ``group`` is where its row begins in the panel."""
    panel = PRINTED.panel
    left = panel.corner[0] + group + 7.6 + number * panel.circle_step
    return box((left, panel.corner[1] + (panel.row - panel.circle) / 2), (panel.circle, panel.circle))


def goal_quad(number: int) -> Quad:
    """The box for the code of a goal."""
    panel = PRINTED.panel
    left = panel.corner[0] + panel.goals + number * panel.goal_step
    return box((left, panel.corner[1]), panel.goal_box)


def goal_value_quad(number: int, place: int) -> Quad:
    """The square around one of the values under a goal, which is circled or ticked when it is scored."""
    (x, y), panel = goal_quad(number)[0], PRINTED.panel
    step = panel.goal_box[0] / len(GOAL_RACE.values)
    left = x + (place + 0.5) * step - panel.goal_value / 2
    return box((left, y + panel.row - panel.goal_value), (panel.goal_value, panel.goal_value))


SCORE_WORDS = vocabulary(
    "score box", "exits", "highway", "railway", "centre", "villages", "goals", "expansion", "errors", "total"
)


def score_quads(edition: EditionName) -> dict[str, Quad]:
    """The score boxes by name, from left to right."""
    panel, gap = PRINTED.panel, PRINTED.scores.gap
    row = PRINTED.scores.challenge if edition == "challenge" else PRINTED.scores.classic
    width = (panel.width - gap * (len(row.boxes) - 1)) / len(row.boxes)
    return {
        name: box((panel.corner[0] + n * (width + gap), row.top), (width, row.height))
        for n, name in enumerate(row.boxes)
    }


def tag_corner(corner: int) -> Point:
    """The top left corner of a tag's black square; corners are numbered clockwise from the top left."""
    tag, (width, height) = PRINTED.tag, PRINTED.size
    far_x, far_y = width - tag.margin - tag.side, height - tag.margin - tag.side
    return (far_x if corner in {1, 2} else tag.margin), (far_y if corner in {2, 3} else tag.margin)


def tag_quads(edition: EditionName, seat: int) -> dict[int, Quad]:
    """The black squares of a seat's four tags by number, each clockwise from its own top left."""
    side = (PRINTED.tag.side, PRINTED.tag.side)
    kind = tag_kind(edition)
    return {tag_number(kind, seat, n): box(tag_corner(n), side) for n in range(len(CORNERS))}


def slot_quads(edition: EditionName) -> dict[str, Quad]:
    """Every place where something can be written: ``a1``.., ``a1-round``.., ``special-NESW``.., and so on.

    A special route has two places: people tick the box under it or cross out the picture (``..-picture``).
    """
    slots = {name: cell_quad(cell) for cell, name in enumerate(GRID.names)}
    slots |= {f"{name}-round": round_quad(cell) for cell, name in enumerate(GRID.names)}
    slots |= {f"special-{route.text}": special_box(n) for n, route in enumerate(SPECIALS)}
    slots |= {f"special-{route.text}-picture": special_picture(n) for n, route in enumerate(SPECIALS)}
    if EDITION[edition].goals:
        slots |= _building_quads() | _goal_quads()
    return slots | {f"score-{name}": quad for name, quad in score_quads(edition).items()}


def _building_quads() -> dict[str, Quad]:
    panel = PRINTED.panel
    villages = {f"village-{n + 1}": circle_quad(panel.villages, n) for n in range(len(VILLAGE_VALUES) - 1)}
    return villages | {
        f"university-{n + 1}": circle_quad(panel.universities, n) for n in range(UNIVERSITY_CIRCLES)
    }


def _goal_quads() -> dict[str, Quad]:
    found: dict[str, Quad] = {}
    for number in range(GOAL_RACE.drawn):
        found[f"goal-{number + 1}"] = goal_quad(number)
        for place, value in enumerate(GOAL_RACE.values):
            found[f"goal-{number + 1}-{value}"] = goal_value_quad(number, place)
    return found
