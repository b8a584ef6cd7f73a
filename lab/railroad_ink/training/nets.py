"""The two small networks: one for the cells of a whole grid at once, one for the signs beside them."""

from __future__ import annotations

from typing import cast

import torch
from torch import Tensor, nn

from lab.training.blocks import conv


class _Residual(nn.Module):
    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = conv(channels, channels)
        self.second = nn.Sequential(
            nn.Conv2d(channels, channels, 3, 1, 1, bias=False), nn.BatchNorm2d(channels)
        )

    def forward(self, seen: Tensor) -> Tensor:
        return torch.relu(seen + cast(Tensor, self.second(self.first(seen))))


class _Context(nn.Module):
    """What the whole board and the neighbours say of every cell, (boards, channels, 7, 7)."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.board = nn.Sequential(
            nn.Conv2d(2 * channels, 32, 1), nn.ReLU(inplace=True), nn.Conv2d(32, channels, 1)
        )
        self.near = nn.Sequential(
            conv(channels, 64, side=1), conv(64, 64), nn.Conv2d(64, channels, 1, bias=False)
        )

    def forward(self, cells: Tensor) -> Tensor:
        whole = torch.cat([cells.mean((2, 3), keepdim=True), cells.amax((2, 3), keepdim=True)], 1)
        cells = torch.relu(cells + cast(Tensor, self.board(whole)))
        return torch.relu(cells + cast(Tensor, self.near(cells)))


class CellNet(nn.Module):
    """A grid picture of 7 x 7 cells of 40 pixels with a rim of 8: scores by cell for every class.

    Every cell looks at itself and its rim; then, several times over, at the whole board and at its
    neighbours: a plain line is a railway for those who dash their highways and a highway for those who draw
    ties, and what leaves one cell mostly goes on in the next.
    """

    score: nn.Conv2d

    def __init__(self, classes: int, width: int = 128, contexts: int = 4) -> None:
        super().__init__()
        self.lines = nn.Sequential(
            conv(3, 24, 2), conv(24, 32, 2), _Residual(32),
            conv(32, 64, 2), _Residual(64), _Residual(64), _Residual(64),
        )  # fmt: skip
        self.cell = conv(64, width, 5, 7)
        self.context = nn.Sequential(*(_Context(width) for _ in range(contexts)))
        self.score = nn.Conv2d(width, classes, 1)

    def forward(self, grids: Tensor) -> Tensor:
        """The scores of every cell, an array (boards, classes, 7, 7)."""
        return cast(Tensor, self.score(self.context(self.cell(self.lines(grids)))))


class MarkNet(nn.Module):
    """The same picture, for the marks of expansions: smaller, as nothing far away tells what a mark is.

    What flows goes on next door, so every cell looks at its neighbours and, for the hand, at the board.
    """

    score: nn.Conv2d

    def __init__(self, classes: int, width: int = 72, contexts: int = 2) -> None:
        super().__init__()
        self.lines = nn.Sequential(
            conv(3, 20, 2), conv(20, 28, 2), _Residual(28), conv(28, 48, 2), _Residual(48), _Residual(48)
        )
        self.cell = conv(48, width, 5, 7)
        self.context = nn.Sequential(*(_Context(width) for _ in range(contexts)))
        self.score = nn.Conv2d(width, classes, 1)

    def forward(self, grids: Tensor) -> Tensor:
        """The scores of every cell, an array (boards, classes, 7, 7)."""
        return cast(Tensor, self.score(self.context(self.cell(self.lines(grids)))))


class SignNet(nn.Module):
    """One small sign in 28 x 28 pixels: scores for every sign there is."""

    score: nn.Sequential

    def __init__(self, classes: int) -> None:
        super().__init__()
        self.lines = nn.Sequential(
            conv(3, 16, 2), conv(16, 32), conv(32, 48, 2), _Residual(48), conv(48, 64, 7, 7)
        )  # fmt: skip
        self.score = nn.Sequential(nn.Dropout(0.1), nn.Flatten(), nn.Linear(64, classes))

    def forward(self, signs: Tensor) -> Tensor:
        """The scores of all classes, an array (signs, classes)."""
        return cast(Tensor, self.score(self.lines(signs)))
