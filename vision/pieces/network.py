"""The inputs and outputs of the network that looks at the views of segments."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.register.rectify import Image

MODEL = Path(__file__).parent / "pieces.onnx"
NOTHING, ONE, TWO, UNSEEN = range(
    4
)  # classes: how many pieces lie there, or that something hides the segment
CLASSES = 4
CHANNELS = 8  # the picture's colours, the blank's, and the lean along and across
_MIDDLE, _SPREAD = 128.0, 64.0


def as_input(even: Image, blank: Image, lean: NDArray[np.float32]) -> NDArray[np.float32]:
    """Views (n, height, width, 3) and leans (n, 2) as the network's input."""
    count, height, width, _ = even.shape
    inputs = np.empty((count, CHANNELS, height, width), np.float32)
    for first, views in ((0, even), (3, blank)):
        inputs[:, first : first + 3] = views.transpose(0, 3, 1, 2)
    inputs[:, :6] -= _MIDDLE
    inputs[:, :6] /= _SPREAD
    inputs[:, 6:] = lean[:, :, None, None] / 4
    return inputs
