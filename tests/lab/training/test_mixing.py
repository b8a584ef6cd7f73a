"""Networks averaged weight by weight."""

from pathlib import Path

import cv2
import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs PyTorch")


def _said(path: Path, inputs: np.ndarray) -> np.ndarray:
    reader = cv2.dnn.readNetFromONNX(str(path))
    reader.setInput(inputs)
    return np.asarray(reader.forward())


def test_the_mean_of_two_linear_networks_says_the_mean_of_what_they_say(tmp_path: Path) -> None:
    from lab.training.mixing import mix, scale_scores
    from lab.training.writing import write_network

    files = [tmp_path / "one.onnx", tmp_path / "two.onnx"]
    for seed, file in enumerate(files):
        torch.manual_seed(seed)
        write_network(torch.nn.Sequential(torch.nn.Conv2d(3, 4, 3)), (3, 8, 8), file)
    inputs = np.random.default_rng(1).normal(size=(2, 3, 8, 8)).astype(np.float32)
    mixed = tmp_path / "mixed.onnx"
    mix(files, [0.25, 0.75], mixed)
    wanted = 0.25 * _said(files[0], inputs) + 0.75 * _said(files[1], inputs)
    np.testing.assert_allclose(_said(mixed, inputs), wanted, atol=5e-3)
    scale_scores(mixed, 0.5)
    np.testing.assert_allclose(_said(mixed, inputs), 0.5 * wanted, atol=5e-3)
    mix([files[0], mixed], [1.0, 0.0], files[0])
    assert files[0].stat().st_size == files[1].stat().st_size
