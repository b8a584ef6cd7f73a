"""JSON is written in one place, which knows messages: the library itself fails on the first that it meets."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
PRODUCT = ("companion", "web", "hub", "vision")
_LIBRARY = re.compile(r"msgspec\.(?:json\.(?:encode|Encoder)|to_builtins|msgpack)\b")
# What no message can reach, each with why.
APART = {
    "companion/core/jsontext.py": "is that place",
    "companion/table/events.py": "stores a message as its id and places",
    "companion/service/photos/plain.py": "MessagePack between the service and its reader's process",
    "web/ui/speaking.py": "says messages in the reader's language on the way",
    "web/api/operations.py": "writes what has been said already",
}


def test_json_is_written_in_one_place() -> None:
    found = {
        str(file.relative_to(ROOT))
        for part in PRODUCT
        for file in (ROOT / part).rglob("*.py")
        if _LIBRARY.search(file.read_text())
    }
    assert found <= APART.keys()
