"""Temperature scaling, on examples whose temperature is known because they were drawn with it."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import pytest
from numpy.typing import NDArray

from lab.training.calibration import calibrate, temperature_of
from vision.nets import shares


def drawn(
    temperature: float, seed: int = 7, count: int = 20_000
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Scores that are so much too large, and labels that come up as often as the right ones say."""
    rng = np.random.default_rng(seed)
    right = rng.normal(0, 2, (count, 6)).astype(np.float32)
    labels = (shares(right).cumsum(axis=1) > rng.random((count, 1))).argmax(axis=1)
    return right * np.float32(temperature), labels.astype(np.int64)


@pytest.mark.parametrize("temperature", [0.4, 1.0, 2.5, 9.0])
def test_the_temperature_is_found(temperature: float) -> None:
    logits, labels = drawn(temperature)
    assert temperature_of(logits, labels) == pytest.approx(temperature, rel=0.03)


def test_what_is_said_with_nine_tenths_is_so_in_nine_of_ten() -> None:
    logits, labels = drawn(3.0)
    probabilities = shares(logits / np.float32(temperature_of(logits, labels)))
    best = probabilities.max(axis=1)
    said = (best > 0.85) & (best < 0.95)
    right = probabilities.argmax(axis=1) == labels
    assert right[said].mean() == pytest.approx(best[said].mean(), abs=0.02)


def test_examples_of_which_nothing_is_known_do_not_count() -> None:
    logits, labels = drawn(1.5)
    others = np.full(500, -1, np.int64)
    more = np.concatenate([logits, np.full((500, 6), 40, np.float32)]), np.concatenate([labels, others])
    assert temperature_of(*more) == temperature_of(logits, labels)


def test_a_network_that_is_always_right_may_be_as_sure_as_it_likes() -> None:
    labels = np.arange(60, dtype=np.int64) % 6
    assert temperature_of(np.eye(6, dtype=np.float32)[labels], labels) == pytest.approx(0.05, rel=0.01)


@pytest.mark.skipif(find_spec("torch") is None, reason="training needs PyTorch")
def test_the_last_layer_says_it_calibrated() -> None:
    import torch

    logits, labels = drawn(2.0)
    last = torch.nn.Linear(6, 6)
    with torch.no_grad():
        last.weight.copy_(torch.eye(6))
        last.bias.zero_()
    said = calibrate(last, logits, labels)
    calibrated = last(torch.from_numpy(logits)).detach().numpy()
    assert said.startswith(f"temperature {temperature_of(logits, labels):.3f}, log loss ")
    assert temperature_of(calibrated, labels) == pytest.approx(1.0, abs=0.001)
