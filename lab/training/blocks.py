"""What the networks are made of."""

from __future__ import annotations

from torch import nn


def conv(before: int, after: int, stride: int = 1, side: int = 3) -> nn.Sequential:
    """A convolution with batch normalisation; strides of 3 and more take patches without a rim."""
    return nn.Sequential(
        nn.Conv2d(before, after, side, stride, side // 2 if stride < 3 else 0, bias=False),
        nn.BatchNorm2d(after),
        nn.ReLU(inplace=True),
    )
