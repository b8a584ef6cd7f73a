"""The layers with weights of a network file: what is averaged with another's, or trained further."""

from __future__ import annotations

from onnx import ModelProto, TensorProto

_WITH_WEIGHTS = {"Conv", "Gemm"}


def layer_tensors(model: ModelProto) -> list[list[TensorProto]]:
    """The kernel and bias of each layer as they are stored, in the order in which layers run.

    Files keep them in 16 bits; each is made 32 again by a node of its own.
    """
    stored = {one.name: one for one in model.graph.initializer}
    casts = {node.output[0]: node.input[0] for node in model.graph.node if node.op_type == "Cast"}
    layers = [node for node in model.graph.node if node.op_type in _WITH_WEIGHTS]
    return [[stored[casts.get(name, name)] for name in node.input[1:]] for node in layers]
