"""Runs trained networks with OpenCV; each reader names its own file, which lies beside it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from threading import Lock

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.register.rectify import Image

_MIDDLE, _SPREAD = 140.0, 60.0  # of the values a network sees
_AT_ONCE = 26_000  # pixels: 33 signs, or one grid
_RUNNING = Lock()  # OpenCV's networks serve one caller at a time
_OTHERS: dict[str, Path] = {}  # networks on trial, by the name of the file whose place they take


def try_networks(folder: Path) -> None:
    """Read with the networks of the same names in another folder, so that benches can compare them."""
    _OTHERS.update({path.name: path for path in folder.glob("*.onnx")})
    _net.cache_clear()


def keep_own_networks() -> None:
    """Go back to our own networks."""
    _OTHERS.clear()
    _net.cache_clear()


@lru_cache(maxsize=4)
def _net(network: Path) -> cv2.dnn.Net:
    file = _OTHERS.get(network.name, network)
    return cv2.dnn.readNetFromONNX(np.frombuffer(file.read_bytes(), np.uint8))


def as_input(pictures: Image) -> NDArray[np.float32]:
    """Pictures (n, height, width, 3) as the input blob of a network."""
    return np.ascontiguousarray(
        (pictures.transpose(0, 3, 1, 2).astype(np.float32) - _MIDDLE) / np.float32(_SPREAD)
    )


def scores(network: Path, pictures: Image) -> NDArray[np.float32]:
    """Run an ONNX network on pictures (n, height, width, channels) and return its scores."""
    at_once = _at_once(pictures.shape[1] * pictures.shape[2])
    parts = (as_input(pictures[first : first + at_once]) for first in range(0, len(pictures), at_once))
    return _said(network, parts)


def layers(network: Path, pictures: Image, names: Sequence[str]) -> list[NDArray[np.float32]]:
    """The outputs of these layers for every picture, each (n, ...): the features before the scores."""
    at_once = _at_once(pictures.shape[1] * pictures.shape[2])
    found: list[list[NDArray[np.float32]]] = [[] for _ in names]
    with _RUNNING:
        net = _net(network)
        for first in range(0, len(pictures), at_once):
            net.setInput(as_input(pictures[first : first + at_once]))
            for own, said_here in zip(found, net.forward(list(names)), strict=True):
                own.append(np.asarray(said_here, np.float32).copy())
    return [np.concatenate(own) for own in found]


def said(network: Path, inputs: NDArray[np.float32]) -> NDArray[np.float32]:
    """Run a network on an input blob (n, channels, height, width)."""
    at_once = _at_once(inputs.shape[2] * inputs.shape[3])
    return _said(network, (inputs[first : first + at_once] for first in range(0, len(inputs), at_once)))


def _at_once(pixels: int) -> int:
    """The batch size: activations of few pictures fit into the processor's cache."""
    return max(1, _AT_ONCE // pixels)


def _said(network: Path, parts: Iterable[NDArray[np.float32]]) -> NDArray[np.float32]:
    with _RUNNING:
        net, found = _net(network), []
        for inputs in parts:
            net.setInput(inputs)
            found.append(np.asarray(net.forward(), np.float32).copy())
    return np.concatenate(found)


def shares(logits: NDArray[np.float32]) -> NDArray[np.float64]:
    """Convert scores to probabilities: softmax along the last axis."""
    rising = np.exp(logits.astype(np.float64) - logits.max(axis=-1, keepdims=True))
    result: NDArray[np.float64] = rising / rising.sum(axis=-1, keepdims=True)
    return result
