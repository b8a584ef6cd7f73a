"""Boards that other programs scored: read where they lie beside the repository, else skipped."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "corpus"


def corpus_rows(name: str) -> list[dict[str, Any]]:
    """The rows of a file of the corpus; the test is skipped when there is no corpus on this machine."""
    path = FOLDER / name
    if not path.exists():
        pytest.skip(f"the corpus is not part of the project and is not on this machine: {path} is missing")
    return [json.loads(line) for line in path.read_text().splitlines()]
