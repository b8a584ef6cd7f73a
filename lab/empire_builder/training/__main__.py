"""Teach the networks of the eye: ``python -m lab.empire_builder.training``, after ``make setup-train``.

Photographs are made by the studio once and kept in the folder; the crayons and styles of ``KEPT_APART`` are
never among them.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from lab.training.installed import need_torch

_NETWORKS = ("glance", "edges", "crayons", "posts")


def main() -> None:
    """Options; the work needs PyTorch."""
    parser = argparse.ArgumentParser(prog="python -m lab.empire_builder.training", description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path("build/empire-builder"))
    parser.add_argument("--pictures", type=int, default=211)
    parser.add_argument("--steps", type=int, help="instead of all")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--networks", nargs="+", choices=_NETWORKS, default=_NETWORKS)
    parser.add_argument("--out", type=Path, help="a folder, instead of the eye's own")
    options = parser.parse_args()
    need_torch()
    from lab.empire_builder.training.program import run

    run(options)


if __name__ == "__main__":
    main()
