"""Temperature scaling: a classifier's probabilities are made to hold on examples that it never learnt from.

Of what is said with 0.9 nine in ten should be so, because rulings weigh it. One number serves all classes:
the scores are divided by it, which changes how sure the network is and never what it finds most probable.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from torch import nn

_COLDEST, _HOTTEST = 0.05, 20.0
_NARROWED = 40  # times that the interval is narrowed: to far less than a thousandth


def temperature_of(logits: NDArray[np.float32], labels: NDArray[np.int64]) -> float:
    """The temperature with the lowest log loss, for scores (n, classes) and the true classes.

    The log loss is convex in the inverse temperature, so a golden-section search finds it. Labels below 0 say
    that nothing is known of an example.
    """
    known = labels >= 0
    scores, truth = logits[known].astype(np.float64), labels[known]
    golden = (np.sqrt(5) - 1) / 2
    low, high = 1 / _HOTTEST, 1 / _COLDEST
    inner = [high - golden * (high - low), low + golden * (high - low)]
    losses = [_log_loss(scores * inverse, truth) for inverse in inner]
    for _ in range(_NARROWED):
        if losses[0] < losses[1]:
            high, inner[1], losses[1] = inner[1], inner[0], losses[0]
            inner[0] = high - golden * (high - low)
            losses[0] = _log_loss(scores * inner[0], truth)
        else:
            low, inner[0], losses[0] = inner[0], inner[1], losses[1]
            inner[1] = low + golden * (high - low)
            losses[1] = _log_loss(scores * inner[1], truth)
    return float(2 / (low + high))


def calibrate(last: nn.Module, logits: NDArray[np.float32], labels: NDArray[np.int64]) -> str:
    """Fold the temperature into the last (linear) layer of a network, and say what it was.

    ``logits`` are what the network says now of examples that it did not learn from.
    """
    import torch

    known, temperature = labels >= 0, temperature_of(logits, labels)
    with torch.no_grad():
        for weights in last.parameters():
            weights.div_(temperature)
    before, after = (_log_loss(logits[known] / heat, labels[known]) for heat in (1.0, temperature))
    return f"temperature {temperature:.3f}, log loss {before:.5f} before, {after:.5f} after"


def _log_loss(scores: NDArray[np.floating], truth: NDArray[np.int64]) -> float:
    """The mean of -ln p of the true classes, p by the softmax of the scores."""
    raised = scores - scores.max(axis=1, keepdims=True)
    of_truth = np.take_along_axis(raised, truth[:, None], axis=1)[:, 0]
    return float(np.mean(np.log(np.exp(raised).sum(axis=1)) - of_truth))
