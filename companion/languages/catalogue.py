"""The catalogues of one language: ours, and those of every game that is here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from gettext import GNUTranslations, NullTranslations
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from companion.core.messages import Catalogue
from companion.games.packages import packages
from companion.languages.recognition import Speech

LANGUAGES: Mapping[str, str] = {
    "en": "English",
    "de": "Deutsch",
    "fr": "Français",
    "es": "Español",
    "it": "Italiano",
}


def speech(language: str) -> Speech:
    """Return the translator of a language; English and unknown languages leave texts unchanged."""
    return _speech(language if language in LANGUAGES else "en")


@lru_cache(maxsize=16)
def _speech(language: str) -> Speech:
    messages: dict[str, str] = {}
    for folder in folders():
        file = folder / f"{language}.mo"
        if file.exists():
            for message, meaning in _messages(file).items():
                messages.setdefault(message, meaning)
    return Speech(messages)


def catalogue(language: str) -> Catalogue:
    """The messages of a language; what is missing is said in English."""
    return _catalogue(language if language in LANGUAGES else "en")


@lru_cache(maxsize=16)
def _catalogue(language: str) -> Catalogue:
    merged = NullTranslations()
    for folder in reversed(list(folders())):
        file = folder / f"{language}.mo"
        if file.exists():
            with file.open("rb") as content:
                here = GNUTranslations(content)
            here.add_fallback(merged)
            merged = here
    return merged


def folders() -> Iterator[Path]:
    """Where catalogues lie: ours first, then the games'."""
    yield Path(__file__).parent
    for package in packages().values():
        spec = find_spec(package.rules.partition(":")[0].rpartition(".rules")[0])
        if spec is not None and spec.origin is not None:
            yield Path(spec.origin).parent / "languages"


def _messages(file: Path) -> dict[str, str]:
    with file.open("rb") as content:
        # The one place where the library keeps what it has read; nothing in its interface lists messages.
        found: dict[Any, str] = GNUTranslations(content)._catalog  # type: ignore[attr-defined]
    # Of what has plurals scripts ask for the form for one, by its text. A context never has to be recognised.
    alone: dict[str, str] = {}
    for text, said in found.items():
        if isinstance(text, str):
            alone[text] = said
        elif text[1] == 0:
            alone[text[0]] = said
    return {text: said for text, said in alone.items() if text and said and "\x04" not in text}
