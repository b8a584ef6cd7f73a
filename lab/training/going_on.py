"""Read a network's file back into the network that was trained, to train it further.

The file has no batch normalisation any more: it was folded into the convolutions before. Here each gets it
back, set so that it changes nothing on some examples, and learns from there.
"""

from __future__ import annotations

from pathlib import Path
from typing import TypeAlias

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import Tensor, nn

from lab.training.layers import layer_tensors

_Weights: TypeAlias = tuple[NDArray[np.float32], NDArray[np.float32] | None]


@torch.no_grad()
def take_weights(net: nn.Module, path: Path, examples: Tensor) -> None:
    """Give a network the weights of its file; ``examples`` are inputs like those it learns from.

    Layers are matched by the order in which they run, which is that of the file.
    """
    steps = _in_order(net.eval(), examples[:1])
    weights = _weights_of(path)
    layers = [step for step in steps if isinstance(step, (nn.Conv2d, nn.Linear))]
    if len(layers) != len(weights):
        raise ValueError(f"{path} has {len(weights)} layers, the network {len(layers)}")
    shifts: dict[nn.Module, Tensor] = {}
    for layer, (kernel, bias) in zip(layers, weights, strict=True):
        layer.weight.copy_(torch.from_numpy(kernel))
        if layer.bias is not None and bias is not None:
            layer.bias.copy_(torch.from_numpy(bias))
        elif bias is not None:
            shifts[steps[steps.index(layer) + 1]] = torch.from_numpy(bias)
    _set_norms(net, shifts, examples)


def _in_order(net: nn.Module, example: Tensor) -> list[nn.Module]:
    found: list[nn.Module] = []
    kinds = (nn.Conv2d, nn.Linear, nn.BatchNorm2d)
    hooks = [
        layer.register_forward_hook(lambda layer, _, __: found.append(layer))
        for layer in net.modules()
        if isinstance(layer, kinds)
    ]
    net(example)
    for hook in hooks:
        hook.remove()
    return found


def _weights_of(path: Path) -> list[_Weights]:
    arrays = (
        [numpy_helper.to_array(tensor).astype(np.float32) for tensor in layer]
        for layer in layer_tensors(onnx.load(str(path)))
    )
    return [(kernel, bias[0] if bias else None) for kernel, *bias in arrays]


def _set_norms(net: nn.Module, shifts: dict[nn.Module, Tensor], examples: Tensor) -> None:
    """Set each norm by the mean and variance of its input, so that it only adds its shift."""

    def set_norm(norm: nn.Module, inputs: tuple[Tensor, ...]) -> None:
        assert isinstance(norm, nn.BatchNorm2d)
        seen = inputs[0]
        mean, variance = seen.mean((0, 2, 3)), seen.var((0, 2, 3), unbiased=False)
        assert norm.running_mean is not None
        assert norm.running_var is not None
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(variance)
        norm.weight.copy_(torch.sqrt(variance + norm.eps))
        norm.bias.copy_(mean + shifts.get(norm, torch.zeros_like(mean)))

    norms = [layer for layer in net.modules() if isinstance(layer, nn.BatchNorm2d)]
    hooks = [norm.register_forward_pre_hook(set_norm) for norm in norms]
    net.eval()(examples)
    for hook in hooks:
        hook.remove()
