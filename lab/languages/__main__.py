"""Collect, update and compile all catalogues: ``python -m lab.languages``; with ``--check`` only look.

``--begin nl`` begins a language: an empty file in every folder of catalogues, which is then filled.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path

from babel import Locale, UnknownLocaleError
from babel.messages.pofile import read_po

from companion.languages import LANGUAGES
from lab.languages.keeping import LEAST_TRANSLATED, renewed
from lab.languages.sources import catalogues


def language_code(code: str) -> str:
    """A language that Babel knows the plurals of, as argparse wants to be told of one that it does not."""
    try:
        return str(Locale.parse(code))
    except (UnknownLocaleError, ValueError):
        raise argparse.ArgumentTypeError(f"{code!r} is no language: write nl, or pt_BR") from None


def begin(language: str, folders: Iterable[Path]) -> None:
    """Put an empty catalogue into each folder that has none of the language."""
    for folder in folders:
        folder.mkdir(exist_ok=True)
        (folder / f"{language}.po").touch()


def standing(language: str, missing: int, size: int) -> str:
    """How far a language is, in one line.

    >>> standing("nl", 3000, 4000)
    'nl: 1000 of 4000 messages translated (25 %), begun; pages offer a language from 80 % on'
    """
    share = 100 * (size - missing) // size
    offered = "offered" if language in LANGUAGES else "begun"
    least = f"pages offer a language from {LEAST_TRANSLATED:.0%} on".replace("%", " %")
    return f"{language}: {size - missing} of {size} messages translated ({share} %), {offered}; {least}"


def main() -> int:
    """How many messages lack a translation; 1 with ``--check`` when a file would change."""
    request = _request()
    only_look = request.check
    changed = []
    theirs = [folder.resolve() for folder in request.folder]
    if request.begin:
        begin(request.begin, [folder / "languages" for folder in theirs] or catalogues())
    sizes: dict[str, tuple[int, int]] = {}
    for file, content, missing in renewed(theirs):
        if not file.exists() or file.read_bytes() != content:
            changed.append(file)
            if not only_look:
                file.parent.mkdir(exist_ok=True)
                file.write_bytes(content)
        if file.suffix == ".po":
            lacking, size = sizes.get(file.stem, (0, 0))
            sizes[file.stem] = lacking + missing, size + len(read_po(BytesIO(content)))
        if missing:
            sys.stdout.write(f"{file}: {missing} to translate\n")
    for language, (lacking, size) in sizes.items():
        if lacking:
            sys.stdout.write(f"{standing(language, lacking, size)}\n")
    for file in changed:
        sys.stdout.write(f"{file} {'would change' if only_look else 'written'}\n")
    return int(only_look and bool(changed))


def _request() -> argparse.Namespace:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument(
        "--check", action="store_true", help="write nothing; fail if something would be written"
    )
    asked.add_argument("--begin", type=language_code, metavar="LANGUAGE", help="begin a language, as nl")
    asked.add_argument(
        "folder", nargs="*", type=Path, help="of games that lie elsewhere: only their catalogues are made"
    )
    return asked.parse_args()


if __name__ == "__main__":
    sys.exit(main())
