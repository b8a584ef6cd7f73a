"""Catalogues as files: what was collected is added, what is gone is dropped, translations stay."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from companion.languages import LANGUAGES
from lab.languages.collecting import collected
from lab.languages.sources import catalogues, place_name

_DATE = datetime(2026, 1, 1, tzinfo=UTC)  # the same sources make the same files


def messages(elsewhere: Sequence[Path] = ()) -> dict[Path, dict[str, list[str]]]:
    """By the folder of its catalogues each message, and the files it stands in; ours are no game's."""
    found: dict[Path, dict[str, list[str]]] = {}
    for folder, files in catalogues(elsewhere).items():
        known = next(iter(found.values()), {})
        here: dict[str, list[str]] = {}
        for file in files:
            for message in collected(file):
                if message not in known:
                    places = here.setdefault(message, [])
                    name = place_name(file)
                    if name not in places:
                        places.append(name)
        found[folder] = here
    return found


def renewed(elsewhere: Sequence[Path] = ()) -> Iterator[tuple[Path, bytes, int]]:
    """Each file of the catalogues as it should be, and how many of its messages lack a translation."""
    for folder, here in messages(elsewhere).items():
        for language in LANGUAGES:
            if language == "en":
                continue
            file = folder / f"{language}.po"
            known = _translations(file, language)
            catalogue = _empty(language)
            for message, places in here.items():
                catalogue.add(message, known.get(message, ""), locations=[(place, 0) for place in places])
            missing = sum(not known.get(message) for message in here)
            yield file, _written(catalogue), missing
            compiled = BytesIO()
            write_mo(compiled, catalogue)
            yield file.with_suffix(".mo"), compiled.getvalue(), 0


def _translations(file: Path, language: str) -> dict[str, str]:
    if not file.exists():
        return {}
    with file.open("rb") as content:
        return {str(one.id): str(one.string) for one in read_po(content, locale=language) if one.id}


def _empty(language: str) -> Catalog:
    return Catalog(
        language,
        project="Stationmaster",
        version="",
        copyright_holder="Stationmaster",
        last_translator="",
        language_team="",
        creation_date=_DATE,
        revision_date=_DATE,
        fuzzy=False,
        header_comment="# What people read at the table. Collected and compiled by `make languages`.",
    )


def _written(catalogue: Catalog) -> bytes:
    content = BytesIO()
    write_po(content, catalogue, width=110, include_lineno=False, omit_header=False)
    return content.getvalue()
