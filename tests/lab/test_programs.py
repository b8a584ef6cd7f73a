"""The laboratory's programs start where they are said to be."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec

import pytest


def program(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


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
def test_its_options_are_told(module: str) -> None:
    done = program(module, "--help")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("usage: ")


@pytest.mark.skipif(find_spec("torch") is not None, reason="PyTorch is installed")
@pytest.mark.parametrize(
    "folder",
    ["derailed.training", "empire_builder.training", "railroad_ink.training", "pieces", "taught.training"],
)
def test_training_without_pytorch_says_what_to_do(folder: str) -> None:
    done = program(f"lab.{folder}")
    assert done.returncode == 1
    assert done.stderr == "training needs PyTorch, which is not installed: make setup-train\n"
