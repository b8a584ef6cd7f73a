"""Pieces painted on views of empty segments, and a written network taken up again."""

from __future__ import annotations

import numpy as np
import pytest

from lab.pieces.painted import painted
from vision.nets import said
from vision.pieces.network import CHANNELS, MODEL, NOTHING, ONE, TWO, UNSEEN
from vision.pieces.views import SIZE

EMPTY = np.full((36, 52, 3), 180, np.uint8)


def test_what_is_painted_is_what_is_said() -> None:
    rng = np.random.default_rng(5)
    found = [painted(rng, EMPTY, EMPTY, np.array([1.5, -2.0], np.float32)) for _ in range(60)]
    told = [one for one in found if one is not None]
    assert {label for _, _, label in told} >= {NOTHING, ONE, TWO}
    for view, tops, label in told:
        assert view.shape == EMPTY.shape
        assert (label in (NOTHING, UNSEEN)) == (not tops.any())
        if label in (ONE, TWO):
            assert tops[10:26, 8:44].any()


def test_a_network_is_taken_up_as_it_was_written() -> None:
    torch = pytest.importorskip("torch", reason="training needs PyTorch")
    from lab.pieces.networks import PieceNet
    from lab.training.going_on import take_weights

    net = PieceNet()
    take_weights(net, MODEL, torch.rand(16, CHANNELS, SIZE[1], SIZE[0]))
    views = np.random.default_rng(1).normal(size=(3, CHANNELS, SIZE[1], SIZE[0])).astype(np.float32)
    with torch.no_grad():
        again = net.eval()(torch.from_numpy(views)).numpy()
    assert np.abs(again - said(MODEL, views)).max() < 1e-3
