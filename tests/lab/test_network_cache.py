"""A network is not run again on a picture on which it was run before."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from companion.games.derailed.reader.cards.views import HEIGHT, MODEL, WIDTH
from lab import network_cache
from lab.network_cache import cached_networks
from vision.nets import layers, scores

FEATURES = "onnx_node!/score/score.3/Relu"


def test_what_was_said_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    views = np.random.default_rng(1).integers(0, 255, (3, HEIGHT, WIDTH, 3), np.uint8)
    plain = scores(MODEL, views)
    file = tmp_path / "kept" / "networks.pickle"
    with cached_networks(file):
        assert np.allclose(scores(MODEL, views), plain, atol=1e-4)
        features, said = layers(MODEL, views, (FEATURES, "scores"))
    assert features.shape[0] == said.shape[0] == 3

    def never(network: Path) -> None:
        raise AssertionError(network)

    monkeypatch.setattr(network_cache, "net_of", never)
    with cached_networks(file, kept=False):
        assert np.allclose(scores(MODEL, views[::-1]), plain[::-1], atol=1e-4)
        assert (layers(MODEL, views, (FEATURES, "scores"))[1] == said).all()
        with pytest.raises(AssertionError):
            scores(MODEL, views // 2)
    assert np.allclose(scores(MODEL, views), plain, atol=1e-4)
