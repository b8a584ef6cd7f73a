"""Is what training needs here? Asked before anything of it is imported."""

from __future__ import annotations

import sys
from importlib.util import find_spec


def need_torch() -> None:
    """Leave with a sentence where PyTorch is not installed."""
    if find_spec("torch") is None:
        sys.exit("training needs PyTorch, which is not installed: make setup-train")
