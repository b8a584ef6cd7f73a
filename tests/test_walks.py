"""The walks in docs/architecture.md go where they say, and are drawn as the code goes now."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hub.houses import needs_signing
from tests.walks import WALKS, Walk, a_photograph, an_event, drawn, walked

DOCS = Path(__file__).parents[1] / "docs"
MARKS: dict[Walk, list[pytest.MarkDecorator]] = {a_photograph: [pytest.mark.slow], an_event: [needs_signing]}


@pytest.mark.parametrize(
    "walk", [pytest.param(walk, id=walk.__name__, marks=MARKS.get(walk, [])) for walk in WALKS]
)
def test_a_walk_passes_its_stations_and_its_picture_shows_them(walk: Walk) -> None:
    file = DOCS / "walks" / f"{walk.__name__.replace('_', '-')}.svg"
    assert drawn(walk, walked(walk)) == file.read_text(), "python -m tests.walks docs/walks"
    assert f"(walks/{file.name})" in (DOCS / "architecture.md").read_text()
