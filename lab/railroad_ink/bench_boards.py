"""What the benches of routes and of marks share: the pictures they take, what can be seen in them."""

from __future__ import annotations

from pathlib import Path

from companion.games.contract import Plain
from lab.railroad_ink.studio.boards import GivenBoard, HeldOut
from lab.railroad_ink.studio.hands import STYLES
from lab.railroad_ink.studio.scenes import Wish
from lab.railroad_ink.studio.strangers import STRANGERS

MEGAPIXELS = (1.5, 4.0, 12.0)
_VISIBLE = 0.2  # share of a cell that may be hidden or drowned in glare


def board_wish(given: GivenBoard, style: str, megapixels: float, careless: float | None = None) -> Wish:
    """A photograph of a known board, drawn in a style or by a stranger."""
    is_stranger = style in STRANGERS
    return Wish(
        boards=(given,),
        held_out=HeldOut(styles=[other for other in STYLES if other != style and not is_stranger]),
        people=style if is_stranger else None,
        careless=careless,
        megapixels=megapixels,
        table_pixels=256,
    )


def visible_cells(true: Plain) -> dict[str, Plain]:
    """The truth about the cells of which enough can be seen, by name."""
    return {
        name: cell
        for name, cell in true["cells"].items()
        if cell.get("hidden", 0) + cell.get("glare", 0) <= _VISIBLE
    }


def keep_failure(folder: Path, name: str, data: bytes) -> None:
    """Keep a photograph that was not read right."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.jpg").write_bytes(data)
