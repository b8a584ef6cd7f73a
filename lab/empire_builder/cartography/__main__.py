"""``python -m lab.empire_builder.cartography FOLDER``: make the map again from its sources.

FOLDER holds the three packages as they were downloaded; the map is written where the game reads it.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
from collections.abc import Sequence
from pathlib import Path

from companion.core.errors import GameError

_LIBRARIES = ("scipy", "shapefile", "shapely")


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the map; 2 and one sentence when something is missing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the packages lie")
    parser.add_argument("--out", type=Path, default=None, help="where to write (usually the game's data)")
    options = parser.parse_args(arguments)
    missing = next((name for name in _LIBRARIES if importlib.util.find_spec(name) is None), None)
    if missing is not None:
        return _complain(f"{missing} is not installed: make geography")
    try:
        from lab.empire_builder.cartography.making import HERE, make

        make(options.folder, options.out or HERE)
    except GameError as problem:
        return _complain(problem.message)
    return 0


def _complain(message: str) -> int:
    sys.stderr.write(f"cartography: {message}\n")
    return 2


if __name__ == "__main__":
    raise SystemExit(main())
