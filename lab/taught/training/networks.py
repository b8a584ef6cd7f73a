"""The network that says what lies on a segment."""

from __future__ import annotations

from typing import cast

from torch import Tensor, nn

from lab.training.blocks import conv
from vision.pieces.trained import CHANNELS, CLASSES


class SegmentNet(nn.Module):
    """Views of 64 x 32 pixels, of the picture and of the blank at once: scores for what lies there."""

    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            conv(CHANNELS, 24, 2),
            conv(24, 32),
            conv(32, 48, 2),
            conv(48, 48),
            conv(48, 64, 2),
            conv(64, 64),
        )
        self.score = nn.Sequential(
            nn.Flatten(),
            nn.Dropout(0.15),
            nn.Linear(64 * 8 * 4, 64),
            nn.ReLU(inplace=True),
            nn.Linear(64, CLASSES),
        )

    def forward(self, views: Tensor) -> Tensor:
        """The scores of all classes, an array (n, classes)."""
        return cast(Tensor, self.score(self.features(views)))
