"""Collect, update and compile all catalogues: ``python -m lab.languages``; with ``--check`` only look."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from lab.languages.keeping import renewed


def main() -> int:
    """How many messages lack a translation; 1 with ``--check`` when a file would change."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument(
        "--check", action="store_true", help="write nothing; fail if something would be written"
    )
    asked.add_argument(
        "folder", nargs="*", type=Path, help="of games that lie elsewhere: only their catalogues are made"
    )
    request = asked.parse_args()
    only_look = request.check
    changed = []
    theirs = [folder.resolve() for folder in request.folder]
    for file, content, missing in renewed(theirs):
        if theirs and file.parents[1] not in theirs:
            continue
        if not file.exists() or file.read_bytes() != content:
            changed.append(file)
            if not only_look:
                file.parent.mkdir(exist_ok=True)
                file.write_bytes(content)
        if missing:
            sys.stdout.write(f"{file}: {missing} to translate\n")
    for file in changed:
        sys.stdout.write(f"{file} {'would change' if only_look else 'written'}\n")
    return int(only_look and bool(changed))


if __name__ == "__main__":
    sys.exit(main())
