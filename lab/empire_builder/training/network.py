"""The small network: a view of an edge in, scores for *empty*, *line* and *unseen* out."""

from __future__ import annotations

from typing import cast

from torch import Tensor, nn


def _conv(before: int, after: int, stride: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(before, after, 3, stride, 1, bias=False), nn.BatchNorm2d(after), nn.ReLU(inplace=True)
    )


CHANNELS = 5  # as in the eye's MapLook.inputs


class EdgeNet(nn.Module):
    """Views of 24 x 40 pixels in five channels; about a million multiplications a view."""

    def __init__(self, classes: int = 3) -> None:
        super().__init__()
        self.lines = nn.Sequential(
            _conv(CHANNELS, 12, 2), _conv(12, 24, 2), _conv(24, 32, 1), _conv(32, 40, 2)
        )
        self.score = nn.Sequential(
            nn.Flatten(), nn.Linear(40 * 15, 40), nn.ReLU(inplace=True), nn.Linear(40, classes)
        )

    def forward(self, views: Tensor) -> Tensor:
        """Scores, (views, classes)."""
        return cast(Tensor, self.score(self.lines(views)))
