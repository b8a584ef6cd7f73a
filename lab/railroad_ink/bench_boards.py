"""What the benches of routes and of marks share: the pictures they take, what can be seen in them."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from companion.core.jsontext import JsonObject
from companion.games.railroad_ink.rules.boards.board import Board, specials_used
from companion.games.railroad_ink.rules.boards.routes import shape_of
from companion.games.railroad_ink.rules.rulebook import GRID, SPECIALS, EditionName
from lab.railroad_ink.studio.boards import GivenBoard, HeldOut, SheetMarks, with_panel
from lab.railroad_ink.studio.hands import STYLES
from lab.railroad_ink.studio.scenes import SceneSpec
from lab.railroad_ink.studio.strangers import STRANGERS

MEGAPIXELS = (1.5, 4.0, 12.0)
_FORGETFUL = 0.15  # share of players who mark nothing beside the grid, though the rules ask for it
_VISIBLE = 0.2  # share of a cell that may be hidden or drowned in glare


def played_marks(edition: EditionName, board: Board, seed: int, unmarked: bool) -> SheetMarks:
    """What stands on the sheet of a board in a match; ``unmarked``: nothing beside the grid."""
    rounds = {GRID.cell(one.cell): one.round for one in board.drawings}
    marks = SheetMarks(edition, board.cells(), rounds)
    forgets = Random(f"{seed} forgets").random() < _FORGETFUL
    if unmarked or forgets:
        return marks
    used = specials_used(board)  # also for the dice of an expansion, with nothing drawn
    specials = tuple(route.text for route in SPECIALS if shape_of(route) in used)
    return replace(with_panel(marks), specials=specials)


def board_wish(given: GivenBoard, style: str, megapixels: float, careless: float | None = None) -> SceneSpec:
    """A photograph of a known board, drawn in a style or by a stranger."""
    is_stranger = style in STRANGERS
    return SceneSpec(
        boards=(given,),
        held_out=HeldOut(styles=[other for other in STYLES if other != style and not is_stranger]),
        people=style if is_stranger else None,
        careless=careless,
        megapixels=megapixels,
        table_pixels=256,
    )


def visible_cells(true: JsonObject) -> dict[str, JsonObject]:
    """The truth about the cells of which enough can be seen, by name."""
    return {
        name: cell
        for name, cell in true["cells"].items()
        if cell.get("hidden", 0) + cell.get("glare", 0) <= _VISIBLE
    }
