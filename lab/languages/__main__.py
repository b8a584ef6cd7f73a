"""Collect, update and compile all catalogues: ``python -m lab.languages``; with ``--check`` only look."""

from __future__ import annotations

import argparse
import sys

from lab.languages.keeping import renewed


def main() -> int:
    """How many messages lack a translation; 1 with ``--check`` when a file would change."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument(
        "--check", action="store_true", help="write nothing; fail if something would be written"
    )
    only_look = asked.parse_args().check
    changed = []
    for file, content, missing in renewed():
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
