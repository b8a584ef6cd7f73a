"""The small network that says how many pieces lie on a segment, and where their tops are seen."""

from __future__ import annotations

from typing import cast

import torch
from torch import Tensor, nn

from lab.training.blocks import conv
from vision.pieces.network import CHANNELS, CLASSES
from vision.pieces.views import SIZE


class PieceNet(nn.Module):
    """Views (n, 8, 24, 40): scores of the classes, then of every second pixel whether it is a top."""

    score: nn.Sequential

    def __init__(self) -> None:
        super().__init__()
        self.fine = nn.Sequential(conv(CHANNELS, 16, 2), conv(16, 24))
        self.coarse = nn.Sequential(conv(24, 40, 2), conv(40, 40), conv(40, 40))
        self.score = nn.Sequential(
            conv(40, 48, 2),
            nn.Flatten(),
            nn.Dropout(0.1),
            nn.Linear(48 * (SIZE[0] // 8) * (SIZE[1] // 8), 64),
            nn.ReLU(inplace=True),
            nn.Linear(64, CLASSES),
        )
        self.wider = nn.Conv2d(40, 24, 1)
        self.tops = nn.Sequential(nn.ReLU(inplace=True), nn.Conv2d(24, 1, 3, 1, 1))

    def forward(self, views: Tensor) -> Tensor:
        """The scores, an array (n, 4 + 12 * 20): the classes, then the tops."""
        fine = self.fine(views)
        coarse = self.coarse(fine)
        tops = self.tops(fine + nn.functional.interpolate(self.wider(coarse), scale_factor=2.0))
        return cast(Tensor, torch.cat([self.score(coarse), tops.flatten(1)], dim=1))
