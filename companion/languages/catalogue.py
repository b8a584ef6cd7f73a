"""The catalogues of one language: ours, and those of every game that is here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from gettext import GNUTranslations, NullTranslations
from importlib.util import find_spec
from pathlib import Path

from companion.core.messages import Catalogue
from companion.game.packages import packages

LANGUAGES: Mapping[str, str] = {
    "en": "English",
    "de": "Deutsch",
    "fr": "Français",
    "es": "Español",
    "it": "Italiano",
}


def catalogue(language: str) -> Catalogue:
    """The messages of a language; what is missing is said in English."""
    return _catalogue(language if language in LANGUAGES else "en")


@lru_cache(maxsize=16)
def _catalogue(language: str) -> Catalogue:
    merged: GNUTranslations | None = None
    for folder in folders():
        file = folder / f"{language}.mo"
        if not file.exists():
            continue
        with file.open("rb") as content:
            here = GNUTranslations(content)
        if merged is None:
            merged = here
        else:
            # One table: a chain of fallbacks would ask every game's catalogue for every word. The library's
            # interface does not offer what it has read.
            merged._catalog = {**here._catalog, **merged._catalog}  # type: ignore[attr-defined]
    return merged or NullTranslations()


def folders() -> Iterator[Path]:
    """Where catalogues lie: ours first, then the games'."""
    yield Path(__file__).parent
    for package in packages().values():
        spec = find_spec(package.rules.partition(":")[0].rpartition(".rules")[0])
        if spec is not None and spec.origin is not None:
            yield Path(spec.origin).parent / "languages"
