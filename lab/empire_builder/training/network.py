"""The small networks: whether an edge is worth a look, what is on it, and whether a crayon drew it."""

from __future__ import annotations

from typing import cast

from torch import Tensor, nn

from companion.games.empire_builder.reader import looking, whose
from companion.games.empire_builder.reader.places import CORRIDOR
from lab.training.blocks import conv

EDGE_CHANNELS = 5  # as the eye's ``looking.coded`` makes them


class ViewNet(nn.Module):
    """Of views of 24 x 40 pixels: convolutions, the last of which see them whole, and two layers that weigh
    what they found.
    """

    def __init__(self, channels: int, widths: tuple[int, int, int, int], hidden: int, classes: int) -> None:
        super().__init__()
        first, second, third, last = widths
        self.lines = nn.Sequential(
            conv(channels, first, 2), conv(first, second, 2), conv(second, third, 1), conv(third, last, 2)
        )
        self.score = nn.Sequential(
            nn.Flatten(), nn.Linear(last * 15, hidden), nn.ReLU(inplace=True), nn.Linear(hidden, classes)
        )

    def forward(self, views: Tensor) -> Tensor:
        """The scores of all classes, an array (views, classes)."""
        return cast(Tensor, self.score(self.lines(views)))


class GlanceNet(nn.Module):
    """Two layers that weigh the few samples of a glance."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        samples = CORRIDOR[0] * CORRIDOR[1] * looking.GLANCE_CHANNELS
        self.score = nn.Sequential(
            nn.Flatten(), nn.Linear(samples, hidden), nn.ReLU(inplace=True), nn.Linear(hidden, 3)
        )

    def forward(self, glances: Tensor) -> Tensor:
        """The scores of the three classes, an array (glances, 3)."""
        return cast(Tensor, self.score(glances))


def glance_net() -> GlanceNet:
    """Scores of *empty*, *line* and *unseen*; it has a glance at all edges of a map."""
    return GlanceNet(32)


def edge_net() -> ViewNet:
    """Scores of *empty*, *line* and *unseen*; 700,000 multiplications a view."""
    return ViewNet(EDGE_CHANNELS, (12, 20, 28, 36), 36, 3)


def crayon_net() -> ViewNet:
    """Scores of *no* and *yes*; it is asked less often, so it may be larger."""
    return ViewNet(whose.CHANNELS, (16, 28, 36, 44), 40, 2)


def post_net() -> ViewNet:
    """Scores of *nothing*, *pawn* and *chip*; few mileposts have anything around them."""
    return ViewNet(EDGE_CHANNELS, (12, 16, 24, 32), 32, 3)
