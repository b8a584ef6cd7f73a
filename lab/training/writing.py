"""Write a trained network as a file that OpenCV reads, half as big because its weights have 16 bits."""

from __future__ import annotations

import warnings
from pathlib import Path

import cv2
import numpy as np
import onnx
import torch
from onnx import helper, numpy_helper
from torch import nn


def write_network(net: nn.Module, shape: tuple[int, ...], path: Path) -> str:
    """Write it, and say how big it is and how exactly OpenCV agrees."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the exporter that needs fewer packages
        axes = {"pictures": {0: "n"}, "scores": {0: "n"}}
        torch.onnx.export(
            net.eval(), (torch.zeros(1, *shape),), str(path), dynamo=False,
            input_names=["pictures"], output_names=["scores"], dynamic_axes=axes,
        )  # fmt: skip
    # Keep weights in 16 bits; they are made 32 again when the file is read
    model = onnx.load(str(path))
    casts = []
    for weights in model.graph.initializer:
        if weights.data_type != onnx.TensorProto.FLOAT:
            continue
        name, half = weights.name, numpy_helper.to_array(weights).astype(np.float16)
        weights.CopyFrom(numpy_helper.from_array(half, f"{name}_half"))
        casts.append(helper.make_node("Cast", [f"{name}_half"], [name], to=onnx.TensorProto.FLOAT))
    nodes = [*casts, *model.graph.node]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    onnx.checker.check_model(model)
    onnx.save(model, str(path))
    return f"{path.name}: {path.stat().st_size} bytes, OpenCV differs by {_difference(net, shape, path):.1e}"


@torch.no_grad()
def _difference(net: nn.Module, shape: tuple[int, ...], path: Path) -> float:
    """How far OpenCV's scores are from those of the network that was trained."""
    inputs = np.random.default_rng(1).normal(size=(3, *shape)).astype(np.float32)
    reader = cv2.dnn.readNetFromONNX(str(path))
    reader.setInput(inputs)
    return float(np.abs(np.asarray(reader.forward()) - net(torch.from_numpy(inputs)).numpy()).max())
