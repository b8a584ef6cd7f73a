"""Every threat of the threat model names a test that holds what is promised against it."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "docs/threat-model.md").read_text(encoding="utf-8")


def rows(heading: str) -> list[list[str]]:
    """The rows of the table below a heading, without its head."""
    part = TEXT.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    found = [line.strip("| ").split(" | ") for line in part.splitlines() if line.startswith("| ")]
    return [row for row in found[1:] if not row[0].startswith("---")]


def test_every_threat_has_its_test() -> None:
    threats = [row[0] for row in rows("What could happen, and what is done about it")]
    assert len(threats) > 40
    assert [row[0] for row in rows("Which test holds it")] == threats


def test_the_tests_exist() -> None:
    for threat, held in rows("Which test holds it"):
        named = re.fullmatch(r"`(tests/[\w/]+\.py)` `(test_\w+)`", held)
        assert named is not None, threat
        file, test = named.groups()
        assert f"def {test}(" in (ROOT / file).read_text(encoding="utf-8"), f"{threat}: {held}"
