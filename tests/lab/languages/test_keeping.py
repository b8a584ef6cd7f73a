"""The catalogues: complete, up to date, and each message recognised in the sentences it makes."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from companion.languages import LANGUAGES, speech
from companion.languages.recognition import PLACE
from lab.languages.keeping import messages, renewed

OTHERS = [language for language in LANGUAGES if language != "en"]
_TAG = re.compile(r"<[^>]*>")
_READ = re.compile(r'title="[^"]*"')


@cache
def collected() -> dict[Path, dict[str, list[str]]]:
    return messages()


@cache
def translated(folder: Path, language: str) -> dict[str, str]:
    with (folder / f"{language}.po").open("rb") as file:
        return {str(one.id): str(one.string) for one in read_po(file, locale=language) if one.id}


def test_the_catalogues_are_what_make_languages_writes() -> None:
    old = [file.name for file, content, _ in renewed() if not file.exists() or file.read_bytes() != content]
    assert not old, "run: make languages"


@pytest.mark.parametrize("language", OTHERS)
def test_every_message_is_translated(language: str) -> None:
    missing = [
        message
        for folder, here in collected().items()
        for message in here
        if not translated(folder, language).get(message)
    ]
    assert not missing


@pytest.mark.parametrize("language", OTHERS)
def test_places_and_tags_agree(language: str) -> None:
    wrong = [
        (message, meaning)
        for folder in collected()
        for message, meaning in translated(folder, language).items()
        if set(PLACE.findall(message)) != set(PLACE.findall(meaning))
        or Counter(_TAG.findall(_READ.sub("", message))) != Counter(_TAG.findall(_READ.sub("", meaning)))
    ]
    assert not wrong


@pytest.mark.parametrize("language", OTHERS)
def test_the_sentences_of_a_message_are_recognised(language: str) -> None:
    """With numbers in its places every message is taken for itself, or for one that says the same."""
    says = speech(language)
    unknown = []
    for here in collected().values():
        for message in here:
            if PLACE.search(message) and "<" not in message:
                sentence = PLACE.sub("17", message)
                wanted = PLACE.sub("17", says.word(message))
                if says.say(sentence.strip()).strip() != wanted.strip() and says.say(sentence) == sentence:
                    unknown.append(message)
    assert not unknown
