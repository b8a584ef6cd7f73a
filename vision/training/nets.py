"""The two small networks: one for the cells of a whole grid at once, one for the signs beside them."""

from __future__ import annotations

from typing import cast

import torch
from torch import Tensor, nn


def _conv(before: int, after: int, stride: int = 1, side: int = 3) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(before, after, side, stride, side // 2 if stride < 3 else 0, bias=False),
        nn.BatchNorm2d(after),
        nn.ReLU(inplace=True),
    )


class _Residual(nn.Module):
    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = _conv(channels, channels)
        self.second = nn.Sequential(
            nn.Conv2d(channels, channels, 3, 1, 1, bias=False), nn.BatchNorm2d(channels)
        )

    def forward(self, seen: Tensor) -> Tensor:
        return torch.relu(seen + cast(Tensor, self.second(self.first(seen))))


class CellNet(nn.Module):
    """A grid picture of 7 x 7 cells of 40 pixels with a rim of 8: scores by cell for every class.

    Every cell looks at itself and its rim, then at what its neighbours look like, and at the whole board: a
    plain line is a railway for those who dash their highways, and a highway for those who draw ties.
    """

    score: nn.Sequential

    def __init__(self, classes: int) -> None:
        super().__init__()
        self.lines = nn.Sequential(
            _conv(3, 16, 2), _conv(16, 32, 2), _conv(32, 32), _conv(32, 64, 2), _Residual(64)
        )
        self.cell = nn.Sequential(_conv(64, 96, 5, 7), nn.Dropout(0.15))
        self.board = nn.Sequential(nn.Conv2d(192, 32, 1), nn.ReLU(inplace=True), nn.Conv2d(32, 96, 1))
        self.around = _conv(96, 96)
        self.score = nn.Sequential(nn.Dropout(0.1), nn.Conv2d(96, classes, 1))

    def forward(self, grids: Tensor) -> Tensor:
        """Scores, (boards, classes, 7, 7)."""
        cells = self.cell(self.lines(grids))
        whole = torch.cat([cells.mean((2, 3), keepdim=True), cells.amax((2, 3), keepdim=True)], 1)
        cells = torch.relu(cells + self.board(whole))
        return cast(Tensor, self.score(cells + self.around(cells)))


class SignNet(nn.Module):
    """One small sign in 28 x 28 pixels: scores for every sign there is."""

    score: nn.Sequential

    def __init__(self, classes: int) -> None:
        super().__init__()
        self.lines = nn.Sequential(_conv(3, 16, 2), _conv(16, 32), _conv(32, 48, 2), _conv(48, 64, 7, 7))
        self.score = nn.Sequential(nn.Dropout(0.1), nn.Flatten(), nn.Linear(64, classes))

    def forward(self, signs: Tensor) -> Tensor:
        """Scores, (signs, classes)."""
        return cast(Tensor, self.score(self.lines(signs)))
