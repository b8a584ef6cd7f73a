"""How every training starts: its options, and whether PyTorch is here before anything of it is imported."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path


def training_parser(module: str, doc: str | None, folder: str, threads: int) -> argparse.ArgumentParser:
    """The options that every training has."""
    parser = argparse.ArgumentParser(prog=f"python -m {module}", description=doc)
    parser.add_argument("--folder", type=Path, default=Path(folder), help="where material is kept")
    parser.add_argument("--threads", type=int, default=threads, help="more help on an idle machine only")
    return parser


def start(parser: argparse.ArgumentParser, program: str) -> None:
    """Read the options, then run the module that trains; leave with a sentence where PyTorch is missing."""
    options = parser.parse_args()
    if find_spec("torch") is None:
        sys.exit("training needs PyTorch, which is not installed: make setup-train")
    run: Callable[[argparse.Namespace], None] = import_module(program).run
    run(options)
