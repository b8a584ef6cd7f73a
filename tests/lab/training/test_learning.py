"""The training loop on a toy: bright pictures and dark ones."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs PyTorch")


def toy_batch(rng: np.random.Generator) -> Any:
    labels = rng.integers(2, size=32)
    bright = np.where(labels, 190, 60)[:, None, None, None]
    return np.clip(bright + rng.normal(0, 25, (32, 8, 8, 3)), 0, 255).astype(np.uint8), labels


def toy_net() -> Any:
    from lab.training.blocks import conv

    torch.manual_seed(1)
    return torch.nn.Sequential(conv(3, 4, 2), torch.nn.Flatten(), torch.nn.Linear(4 * 16, 2))


def test_a_network_learns_is_written_and_is_trained_further(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from lab.training import learning

    def batches(course: learning.Course, batch: learning.BatchMaker) -> Any:
        return (batch(np.random.default_rng([course.seed, step])) for step in range(course.steps))

    monkeypatch.setattr(learning, "_batches", batches)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    net = learning.train(toy_net(), learning.Course(100, seed=1, rate=1e-2, averaged_over=20), toy_batch)
    torch.set_num_threads(threads)
    pictures, labels = toy_batch(np.random.default_rng(99))
    logits = learning.finish(net, net[-1], pictures, labels, tmp_path / "toy.onnx", "pictures")
    assert (logits.argmax(axis=1) == labels).mean() > 0.95
    told = capsys.readouterr().out
    assert told.startswith("step 100: loss ")
    assert "temperature " in told
    assert "OpenCV differs by " in told
    assert "pictures right: " in told
    again = toy_net()
    learning.go_on_from(again, tmp_path / "toy.onnx", toy_batch)
    said, wanted = learning.scores_of(again.eval(), pictures), learning.scores_of(net, pictures)
    assert np.allclose(said, wanted, atol=0.05 * np.abs(wanted).max())


def test_finished_inputs_stay_as_they_are_and_pictures_become_inputs() -> None:
    from lab.training.learning import as_tensors

    pictures, labels = toy_batch(np.random.default_rng(1))
    inputs, truth = as_tensors((pictures, labels))
    assert inputs.shape == (32, 3, 8, 8)
    assert truth.dtype == torch.int64
    (same,) = as_tensors((inputs.numpy(),))
    assert torch.equal(same, inputs)
