"""The laboratory's programs start where they are said to be."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.util import find_spec
from runpy import run_module

import pytest

Program = Callable[..., tuple[object, str, str]]
# A module that another test has loaded is run all the same.
pytestmark = pytest.mark.filterwarnings("ignore:.*found in sys.modules:RuntimeWarning")


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Program:
    """What ``python -m`` does, in this process: to load the libraries anew takes a second each time."""

    def run(*arguments: str) -> tuple[object, str, str]:
        monkeypatch.setattr(sys, "argv", list(arguments))
        with pytest.raises(SystemExit) as ended:
            run_module(arguments[0], run_name="__main__", alter_sys=True)
        told = capsys.readouterr()
        return ended.value.code, told.out, told.err

    return run


@pytest.mark.parametrize(
    "module",
    [
        "lab.box",
        "lab.derailed.deck_bench",
        "lab.derailed.reading_bench",
        "lab.derailed.sensitivity",
        "lab.derailed.training",
        "lab.empire_builder.cartography",
        "lab.empire_builder.reading_bench",
        "lab.empire_builder.training",
        "lab.pieces",
        "lab.railroad_ink.reading_bench",
        "lab.railroad_ink.training",
        "lab.spike.reading_bench",
        "lab.taught.grid_bench",
        "lab.taught.reading_bench",
        "lab.taught.training",
        "lab.taught.training.presence",
    ],
)
def test_its_options_are_told(program: Program, module: str) -> None:
    code, told, complaints = program(module, "--help")
    assert code in (None, 0), complaints
    assert told.startswith("usage: ")


@pytest.mark.skipif(find_spec("torch") is not None, reason="PyTorch is installed")
@pytest.mark.parametrize(
    "folder",
    ["derailed.training", "empire_builder.training", "railroad_ink.training", "pieces", "taught.training"],
)
def test_training_without_pytorch_says_what_to_do(program: Program, folder: str) -> None:
    code, _, _ = program(f"lab.{folder}")
    assert code == "training needs PyTorch, which is not installed: make setup-train"
