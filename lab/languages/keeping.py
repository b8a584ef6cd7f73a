"""Catalogues as files: what was collected is added, what is gone is dropped, translations stay."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from companion.languages import LANGUAGES
from lab.languages.collecting import Collected, collected
from lab.languages.sources import catalogues, place_name

LEAST_TRANSLATED = 0.8  # of a language's messages, before pages offer it
_DATE = datetime(2026, 1, 1, tzinfo=UTC)  # the same sources make the same files


def messages(elsewhere: Sequence[Path] = ()) -> dict[Path, dict[Collected, list[str]]]:
    """By the folder of its catalogues each message, and the files it stands in; ours are no game's."""
    found: dict[Path, dict[Collected, list[str]]] = {}
    for folder, files in catalogues(elsewhere).items():
        known = next(iter(found.values()), {})
        here: dict[Collected, list[str]] = {}
        for file in files:
            for message in _collected(file, file.stat().st_mtime_ns):
                if message not in known:
                    places = here.setdefault(message, [])
                    name = place_name(file)
                    if name not in places:
                        places.append(name)
        # A text that has a form for several is one message, also where it stands alone. That form itself is
        # another message where it stands alone: scripts ask for each by its text.
        forms = {one.text for one in here if one.many}
        found[folder] = {one: at for one, at in here.items() if one.many or one.text not in forms}
    return found


@lru_cache(maxsize=4096)
def _collected(file: Path, _written: int) -> tuple[Collected, ...]:
    return tuple(collected(file))


def renewed(elsewhere: Sequence[Path] = ()) -> Iterator[tuple[Path, bytes, int]]:
    """Each file of the catalogues as it should be, and how many of its messages lack a translation.

    With games that lie ``elsewhere`` these are only their files: nothing of ours is written for them.

    A translator's name, notes and marks (``fuzzy``: not sure yet, so not shown) stay. A language that has
    been begun and is not offered yet is kept like the others.
    """
    for folder, here in messages(elsewhere).items():
        if elsewhere and folder.parent not in elsewhere:
            continue
        begun = {file.stem for file in folder.glob("*.po")} if folder.exists() else set()
        for language in sorted({*LANGUAGES, *begun} - {"en"}):
            file = folder / f"{language}.po"
            known = _known(file, language)
            catalogue = Catalog(
                language,
                project="Stationmaster",
                version="",
                copyright_holder="Stationmaster",
                last_translator=known.last_translator,
                language_team=known.language_team,
                creation_date=_DATE,
                revision_date=_DATE,
                fuzzy=False,
                header_comment="# What people read at the table. Collected and compiled by `make languages`.",
            )
            missing = 0
            for message, places in here.items():
                old = known.get(message.text, message.context or None)
                says = _translated(message, known)
                catalogue.add(
                    (message.text, message.many) if message.many else message.text,
                    says,
                    locations=[(place, 0) for place in places],
                    flags=old.flags if old else (),
                    user_comments=old.user_comments if old else (),
                    context=message.context or None,
                )
                done = all(says) if isinstance(says, tuple) else bool(says)
                missing += not (old and done and not old.fuzzy)
            content = BytesIO()
            write_po(content, catalogue, width=110, include_lineno=False, omit_header=False)
            yield file, content.getvalue(), missing
            compiled = BytesIO()
            write_mo(compiled, catalogue)
            yield file.with_suffix(".mo"), compiled.getvalue(), 0


def _translated(message: Collected, known: Catalog) -> str | tuple[str, ...]:
    """What the catalogue says for a message; of one with a form for several each form of the language.

    Two messages that become the two forms of one keep what was said for them.
    """
    old, several = known.get(message.text, message.context or None), known.get(message.many)
    said = (old.string or "") if old else ""
    if not message.many:
        return said if isinstance(said, str) else said[0]
    if not isinstance(said, str):
        return tuple(said)
    return (said, *[str(several.string) if several else ""] * (known.num_plurals - 1))


def shares(elsewhere: Sequence[Path] = ()) -> dict[str, tuple[int, int]]:
    """By language how many messages lack a translation, and how many there are."""
    found: dict[str, tuple[int, int]] = {}
    for file, content, missing in renewed(elsewhere):
        if file.suffix == ".po":
            lacking, size = found.get(file.stem, (0, 0))
            found[file.stem] = lacking + missing, size + len(read_po(BytesIO(content)))
    return found


def _known(file: Path, language: str) -> Catalog:
    if not file.exists():
        return Catalog(language)
    with file.open("rb") as content:
        return read_po(content, locale=language)
