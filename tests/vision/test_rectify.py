import numpy as np
import pytest

from companion.games.railroad_ink.printing.printed import PRINTED
from companion.games.railroad_ink.printing.printed_art import sheet_drawing
from companion.games.railroad_ink.printing.prints import RailroadInkPrintables
from companion.games.railroad_ink.reader.boards import cell_views, grid_picture
from companion.sheets.layouts import sheet_layout
from companion.sheets.printing.png import picture
from vision.register.rectify import Placement


@pytest.mark.parametrize("dpi", [60, 100, 300])
def test_a_flat_picture_comes_out_as_it_is(dpi: int) -> None:
    """Cells of a rendered sheet: grid lines at the rim of the cell, the round box at the top right."""
    image = np.asarray(picture(sheet_drawing(1), dpi))[:, :, ::-1]
    layout = sheet_layout(RailroadInkPrintables().sheet(1, "challenge"), dpi)
    scale = layout["size_px"][0] / PRINTED.size[0]
    views = cell_views(image, Placement(np.diag([scale, scale, 1.0])), 48, 8)
    assert views.shape == (49, 64, 64, 3)
    plain = views[8]  # b2: no building
    border = plain[30:50, 6:11].min(axis=(1, 2)).mean()
    assert border < plain[30:50, 20:44].mean() - 15
    round_box = plain[8 + 4 : 8 + 12, 8 + 35 : 8 + 44].mean()
    assert round_box > 250
    assert 225 < plain[30:40, 30:40].mean() < 246


def test_neighbouring_cells_share_their_rim() -> None:
    rng = np.random.default_rng(1)
    image = rng.integers(0, 255, (600, 400, 3), dtype=np.uint8)
    views = cell_views(image, Placement(np.diag([3.0, 3.0, 1.0])), 40, 8)
    np.testing.assert_array_equal(views[0][:, 40:56], views[1][:, :16])
    grid = grid_picture(image, Placement(np.diag([3.0, 3.0, 1.0])), 40, 8)
    np.testing.assert_array_equal(grid[:56, :56], views[0])
