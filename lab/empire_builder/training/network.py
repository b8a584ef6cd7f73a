"""The small networks: what is on an edge, and whether a crayon drew it. Views of 24 x 40 pixels."""

from __future__ import annotations

from typing import cast

from torch import Tensor, nn

from companion.games.empire_builder.eye import whose

EDGE_CHANNELS = 5  # as the eye's ``looking.coded`` makes them


def _conv(before: int, after: int, stride: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(before, after, 3, stride, 1, bias=False), nn.BatchNorm2d(after), nn.ReLU(inplace=True)
    )


class ViewNet(nn.Module):
    """Convolutions, the last of which see the whole view, and two layers that weigh what they found."""

    def __init__(self, channels: int, widths: tuple[int, int, int, int], hidden: int, classes: int) -> None:
        super().__init__()
        first, second, third, last = widths
        self.lines = nn.Sequential(
            _conv(channels, first, 2), _conv(first, second, 2), _conv(second, third, 1), _conv(third, last, 2)
        )
        self.score = nn.Sequential(
            nn.Flatten(), nn.Linear(last * 15, hidden), nn.ReLU(inplace=True), nn.Linear(hidden, classes)
        )

    def forward(self, views: Tensor) -> Tensor:
        """Scores, (views, classes)."""
        return cast(Tensor, self.score(self.lines(views)))


def edge_net() -> ViewNet:
    """Scores of *empty*, *line* and *unseen*; 700,000 multiplications a view."""
    return ViewNet(EDGE_CHANNELS, (12, 20, 28, 36), 36, 3)


def crayon_net() -> ViewNet:
    """Scores of *no* and *yes*; it is asked less often, so it may be larger."""
    return ViewNet(whose.CHANNELS, (16, 28, 36, 44), 40, 2)
