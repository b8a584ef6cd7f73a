"""A network read back from its file says what it said, and can go on learning."""

from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="training needs PyTorch")


def _net(seed: int) -> Any:
    from lab.railroad_ink.training.nets import SignNet

    torch.manual_seed(seed)
    return SignNet(5)


def test_a_file_read_back_says_the_same(tmp_path: Path) -> None:
    from lab.training.going_on import take_weights
    from lab.training.writing import write_network

    net = _net(1)
    pictures = torch.rand(16, 3, 28, 28)
    net.train()
    net(pictures)  # so that the norms have seen something
    write_network(net, (3, 28, 28), tmp_path / "net.onnx")
    again = _net(2)
    take_weights(again, tmp_path / "net.onnx", pictures)
    wanted, other = net.eval()(pictures).detach(), torch.rand(8, 3, 28, 28)
    assert torch.allclose(again.eval()(pictures), wanted, atol=5e-3)
    assert torch.allclose(again.eval()(other), net.eval()(other), atol=5e-3)
    norms = [layer for layer in again.modules() if isinstance(layer, torch.nn.BatchNorm2d)]
    assert len(norms) == 6
    with torch.no_grad():
        lines, taught = again.lines.train()(pictures), again.lines.eval()(pictures)
    assert torch.allclose(lines, taught, atol=0.05)


def test_another_networks_file_is_refused(tmp_path: Path) -> None:
    from lab.training.going_on import take_weights
    from lab.training.writing import write_network

    write_network(torch.nn.Sequential(torch.nn.Conv2d(3, 4, 3)), (3, 28, 28), tmp_path / "net.onnx")
    with pytest.raises(ValueError, match="layers"):
        take_weights(_net(1), tmp_path / "net.onnx", torch.rand(4, 3, 28, 28))
