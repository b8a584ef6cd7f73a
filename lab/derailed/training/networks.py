"""The two small networks: one finds cards in a whole picture, one says what a card shows."""

from __future__ import annotations

from typing import cast

import torch
from torch import Tensor, nn

from lab.training.blocks import conv

STRIDE = 8  # pixels of the picture for one place of what the finding network says
# Numbers for each place: score, middle (2), short half side (2), long half side (2), score of a station.
FOUND = 8


class FindNet(nn.Module):
    """A picture (n, 3, height, width), sides multiples of 32: what is found at every eighth pixel."""

    def __init__(self) -> None:
        super().__init__()
        self.eighth = nn.Sequential(conv(3, 12, 2), conv(12, 24, 2), conv(24, 40, 2), conv(40, 40))
        self.sixteenth = nn.Sequential(conv(40, 64, 2), conv(64, 64))
        self.thirtysecond = nn.Sequential(conv(64, 96, 2), conv(96, 96), conv(96, 96))
        self.to_sixteenth, self.joined_sixteenth = nn.Conv2d(96, 64, 1), conv(64, 64)
        self.to_eighth, self.joined_eighth = nn.Conv2d(64, 40, 1), conv(40, 40)
        self.score = nn.Conv2d(40, FOUND, 1)

    def forward(self, pictures: Tensor) -> Tensor:
        """The map of what is found, an array (n, FOUND, height / 8, width / 8)."""
        fine = self.eighth(pictures)
        middle = self.sixteenth(fine)
        coarse = self.to_sixteenth(self.thirtysecond(middle))
        middle = self.joined_sixteenth(middle + nn.functional.interpolate(coarse, scale_factor=2.0))
        fine = self.joined_eighth(fine + nn.functional.interpolate(self.to_eighth(middle), scale_factor=2.0))
        return cast(Tensor, self.score(fine))


class ReadNet(nn.Module):
    """A straightened card of 64 x 88 pixels: scores for everything it may be."""

    score: nn.Sequential

    def __init__(self, classes: int) -> None:
        super().__init__()
        self.lines = nn.Sequential(
            conv(3, 12, 2),
            conv(12, 24, 2),
            conv(24, 24),
            conv(24, 48, 2),
            conv(48, 48),
            conv(48, 64, 2),
        )
        self.score = nn.Sequential(
            nn.Flatten(),
            nn.Dropout(0.1),
            nn.Linear(64 * 6 * 4, 96),
            nn.ReLU(inplace=True),
            nn.Linear(96, classes),
        )

    def forward(self, views: Tensor) -> Tensor:
        """The scores of all classes, an array (n, classes)."""
        return cast(Tensor, self.score(self.lines(views)))


def shapes_of_halves(halves: Tensor) -> Tensor:
    """Half sides (n, 2) as the network learns them: with doubled angles, because opposites are the same."""
    x, y = halves[:, 0], halves[:, 1]
    length = torch.hypot(x, y).clamp(min=1e-6)
    return torch.stack([(x * x - y * y) / length, 2 * x * y / length], dim=1)
