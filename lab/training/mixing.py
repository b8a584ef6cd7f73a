"""Networks of one kind averaged weight by weight in their files: what went on learning, what it came from.

A network that goes on learning from new examples forgets some of the old ones. The two stay near enough to
each other for the mean of their weights to be a network that knows both (weight-space ensembles; Wortsman et
al., "Robust fine-tuning of zero-shot models", 2022).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
from onnx import ModelProto, TensorProto, numpy_helper

from lab.training.layers import layer_tensors


def mix(files: Sequence[Path], shares: Sequence[float], path: Path) -> None:
    """Write the network whose weights are the means of those in ``files``, each with its share."""
    models = [onnx.load(str(file)) for file in files]
    for tensors in zip(*map(_weights_of, models), strict=True):
        mean = sum(
            share * numpy_helper.to_array(tensor).astype(np.float64)
            for share, tensor in zip(shares, tensors, strict=True)
        )
        _set(tensors[0], np.asarray(mean))
    onnx.save(models[0], str(path))


def scale_scores(path: Path, factor: float) -> None:
    """Multiply what the last layer of a network says: a temperature is one over the factor."""
    model = onnx.load(str(path))
    for tensor in layer_tensors(model)[-1]:
        _set(tensor, numpy_helper.to_array(tensor).astype(np.float64) * factor)
    onnx.save(model, str(path))


def _weights_of(model: ModelProto) -> list[TensorProto]:
    """Kernels and biases in the order of the layers."""
    return [tensor for layer in layer_tensors(model) for tensor in layer]


def _set(tensor: TensorProto, values: np.ndarray) -> None:
    kind = numpy_helper.to_array(tensor).dtype
    tensor.CopyFrom(numpy_helper.from_array(values.astype(kind), tensor.name))
