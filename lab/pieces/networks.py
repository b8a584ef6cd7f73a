"""The small network that says how many pieces lie on a segment, and where their tops are seen."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from vision.pieces.network import CHANNELS, CLASSES
from vision.pieces.views import SIZE


def _conv(before: int, after: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(before, after, 3, stride, 1, bias=False), nn.BatchNorm2d(after), nn.ReLU(inplace=True)
    )


class PieceNet(nn.Module):
    """Views (n, 8, 24, 40): scores of the classes, then of every second pixel whether it is a top."""

    score: nn.Sequential

    def __init__(self) -> None:
        super().__init__()
        self.fine = nn.Sequential(_conv(CHANNELS, 16, 2), _conv(16, 24))
        self.coarse = nn.Sequential(_conv(24, 40, 2), _conv(40, 40), _conv(40, 40))
        self.score = nn.Sequential(
            _conv(40, 48, 2),
            nn.Flatten(),
            nn.Dropout(0.1),
            nn.Linear(48 * (SIZE[0] // 8) * (SIZE[1] // 8), 64),
            nn.ReLU(inplace=True),
            nn.Linear(64, CLASSES),
        )
        self.wider = nn.Conv2d(40, 24, 1)
        self.tops = nn.Sequential(nn.ReLU(inplace=True), nn.Conv2d(24, 1, 3, 1, 1))

    def forward(self, views: Tensor) -> Tensor:
        """(n, 4 + 12 * 20)."""
        fine = self.fine(views)
        coarse = self.coarse(fine)
        tops = self.tops(fine + nn.functional.interpolate(self.wider(coarse), scale_factor=2.0))
        return cast(Tensor, torch.cat([self.score(coarse), tops.flatten(1)], dim=1))


def begin_with(net: PieceNet, file: Path) -> None:
    """Give it the weights of a written network, in which normalisation has become part of the convolutions.

    The net's own then changes nothing, as long as it goes by what it has counted and not by the batch.
    """
    model = onnx.load(str(file))
    stored = {one.name.removesuffix("_half"): numpy_helper.to_array(one) for one in model.graph.initializer}
    with torch.no_grad():
        for node in model.graph.node:
            if node.op_type not in ("Conv", "Gemm"):
                continue
            path = node.name.split("/")[-2]  # of the module, as it was exported
            weight, bias = (torch.from_numpy(stored[name].astype("float32")) for name in node.input[1:])
            layer = net.get_submodule(path)
            cast(Tensor, layer.weight).copy_(weight)
            if isinstance(layer.bias, Tensor):
                layer.bias.copy_(bias)
                continue
            norm = cast(nn.BatchNorm2d, net.get_submodule(f"{path.rpartition('.')[0]}.1"))
            cast(Tensor, norm.running_mean).zero_()
            cast(Tensor, norm.running_var).fill_(1 - norm.eps)
            norm.weight.fill_(1.0)
            norm.bias.copy_(bias)
