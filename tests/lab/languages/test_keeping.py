"""The catalogues: up to date, complete at a release, their places and tags in every translation."""

from __future__ import annotations

import argparse
import ast
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from companion.core.messages import PLACE, Speaker, m, nm, pm
from companion.languages import LANGUAGES, catalogue
from lab.languages import collecting
from lab.languages.__main__ import begin, language_code, standing
from lab.languages.collecting import Collected
from lab.languages.keeping import LEAST_TRANSLATED, messages, renewed, shares
from lab.languages.sources import ROOT, catalogues
from web.pages.scripts import counted as script_forms

OTHERS = [language for language in LANGUAGES if language != "en"]
BEGUN = sorted({file.stem for folder in catalogues() for file in folder.glob("*.po")} - {*LANGUAGES})
_TAG = re.compile(r"<[^>]*>")
_READ = re.compile(r'title="[^"]*"')


@cache
def collected() -> dict[Path, dict[Collected, list[str]]]:
    return messages()


@cache
def translated(folder: Path, language: str) -> dict[str, str]:
    """What is not, is said in English."""
    with (folder / f"{language}.po").open("rb") as file:
        known = read_po(file, locale=language)
    return {
        message: meaning
        for one in known
        if one.id
        for message, meaning in zip(_forms(one.id), _forms(one.string), strict=False)
        if meaning
    }


def _forms(texts: object) -> list[str]:
    return [str(text) for text in texts] if isinstance(texts, tuple | list) else [str(texts)]


@cache
def lacking() -> dict[str, tuple[int, int]]:
    return shares()


def test_the_catalogues_are_what_make_languages_writes() -> None:
    old = [file.name for file, content, _ in renewed() if not file.exists() or file.read_bytes() != content]
    assert not old, "run: make languages"


def test_two_forms_of_a_message_keep_what_was_said_for_each(tmp_path: Path) -> None:
    """Where a number with its noun becomes one message with plurals, and a word gets a context."""
    folder = tmp_path / "game" / "languages"
    (tmp_path / "game" / "rules").mkdir(parents=True)
    folder.mkdir()
    (tmp_path / "game" / "rules" / "words.py").write_text(
        'HERE = nm("{n} wagon", "{n} wagons", 2), pm("side", "port"), m("siding"), "{n} wagon"\n'
    )
    (folder / "de.po").write_text(
        'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n\n'
        'msgid "{n} wagon"\nmsgstr "{n} Wagen"\n\nmsgid "{n} wagons"\nmsgstr "{n} viele Wagen"\n\n'
        'msgctxt "side"\nmsgid "port"\nmsgstr "Backbord"\n\nmsgid "siding"\nmsgstr "Nebengleis"\n'
    )
    made = {file: content for file, content, _ in renewed([tmp_path / "game"]) if file.parent == folder}
    says = Speaker(GNUTranslations(BytesIO(made[folder / "de.mo"])))
    wagons = [says.say(nm("{n} wagon", "{n} wagons", n)) for n in (1, 4)]
    assert wagons == ["1 Wagen", "4 viele Wagen"]
    assert (says.say(pm("side", "port")), says.say(m("siding"))) == ("Backbord", "Nebengleis")
    (folder / "de.po").write_bytes(made[folder / "de.po"])
    again = {file: content for file, content, _ in renewed([tmp_path / "game"])}
    assert again[folder / "de.po"] == made[folder / "de.po"]


@pytest.mark.parametrize("language", OTHERS)
def test_what_is_offered_is_translated(language: str, record_property: Callable[[str, object], None]) -> None:
    """Nearly all of it at every change, all of it at a release; what is missing until then is in English."""
    missing, size = lacking()[language]
    if missing:
        record_property("left untranslated", f"{language}: {missing} of {size} messages")
    assert missing <= (0 if os.environ.get("STATIONMASTER_RELEASE") else size * (1 - LEAST_TRANSLATED))


def test_a_language_may_be_begun_by_one_sentence(tmp_path: Path) -> None:
    """A translator's name, notes and doubts stay; what is doubtful or missing is not shown."""
    folder = tmp_path / "game" / "languages"
    (tmp_path / "game" / "ui").mkdir(parents=True)
    folder.mkdir()
    (tmp_path / "game" / "ui" / "words.py").write_text(
        'HERE = m("The first thing is said here."), m("The second thing is said here."), m("The third.")\n'
    )
    (folder / "nl.po").write_text(
        'msgid ""\nmsgstr ""\n"Last-Translator: Somebody <somebody@example.org>\\n"\n'
        '"Language-Team: Dutch <nl@example.org>\\n"\n"Content-Type: text/plain; charset=utf-8\\n"\n\n'
        '# as the rules say it\nmsgid "The first thing is said here."\nmsgstr "Het eerste."\n\n'
        '#, fuzzy\nmsgid "The second thing is said here."\nmsgstr "Het tweede?"\n'
    )
    made = {file: content for file, content, _ in renewed([tmp_path / "game"]) if file.parent == folder}
    text = made[folder / "nl.po"].decode()
    assert "Last-Translator: Somebody <somebody@example.org>" in text
    assert "Dutch <nl@example.org>" in text
    assert "# as the rules say it\n#: " in text
    assert '#, fuzzy\nmsgid "The second thing is said here."\nmsgstr "Het tweede?"' in text
    spoken = GNUTranslations(BytesIO(made[folder / "nl.mo"]))
    assert spoken.gettext("The first thing is said here.") == "Het eerste."
    assert spoken.gettext("The second thing is said here.") == "The second thing is said here."
    assert shares([tmp_path / "game"])["nl"] == (2, 3)


def test_no_message_is_left_out() -> None:
    """The collector reads every file, and finds every text: it stands where the message is made.

    Texts of tables are made messages by another function, ``table_text``.
    """
    left = [
        f"{file.relative_to(ROOT)}:{node.lineno}"
        for files in catalogues().values()
        for file in files
        if file.suffix == ".py" and file not in _FROM_TABLES
        for node in _unseen(ast.parse(file.read_text()))
    ]
    assert not left, "the collector cannot know the texts of these messages"
    read = {file for files in catalogues().values() for file in files}
    for part in ("companion", "firmware_bridge", "hub", "vision", "web"):
        assert {*(ROOT / part).rglob("*.py"), *(ROOT / part).rglob("*.html")} <= read


_FROM_TABLES = (ROOT / "companion/core/messages.py",)
_MAKERS = {"m": 1, "nm": 2, "pm": 2, "vocabulary": None}  # how many of their arguments are texts


def _unseen(tree: ast.AST) -> Iterator[ast.Name]:
    """Where a message is made of what is no text in the source."""
    named = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id in _MAKERS]
    called = {node.func: node.args for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in named:
        texts = called.get(node, [node])[: _MAKERS[node.id]]
        if isinstance(node.ctx, ast.Load) and not all(collecting.texts_of(text) for text in texts):
            yield node


def test_words_of_data_are_collected(tmp_path: Path) -> None:
    """Vocabularies with their context, both texts of a choice, and what tables of the rules say."""
    (tmp_path / "words.py").write_text(
        'LOADS = vocabulary("load", "corn", *("lead", "wood"))\n'
        'HERE = m("it rains" if wet else "it is dry", n=1), m(name), pm("side", "left"), marked("or")\n'
        'ONLY_PLACES = m("{a}: {b}")\n'
    )
    (tmp_path / "rules.toml").write_text(
        'title = "Harbour"\nkind = "sea"\n[ties]\nwins = "who won more"\n[usual]\nties = ["wins"]\n'
    )
    assert list(collecting.collected(tmp_path / "words.py")) == [
        *(Collected(text, context="load") for text in ("corn", "lead", "wood")),
        *map(Collected, ("it rains", "it is dry")),
        Collected("left", context="side"),
        Collected("or"),
    ]
    assert [one.text for one in collecting.collected(tmp_path / "rules.toml")] == ["Harbour", "who won more"]


def test_scripts_say_nothing_that_has_two_forms_elsewhere() -> None:
    """Their words come one by one, unless both forms stand side by side."""
    for folder, files in catalogues().items():
        forms = {text for message in collected()[folder] if message.many for text in message[:2]}
        scripts = [file for file in files if file.suffix == ".js"]
        counted = {text for file in scripts for pair in script_forms(file.read_text()) for text in pair}
        said = {message.text for file in scripts for message in collecting.collected(file)}
        assert not forms & said - counted


def test_a_language_is_begun_by_empty_files(tmp_path: Path) -> None:
    """It is filled with every message, with as many forms as the language has, and says English."""
    (tmp_path / "ui").mkdir()
    (tmp_path / "ui" / "words.py").write_text('HERE = nm("{n} wagon", "{n} wagons", 2)\n')
    begin("pl", [tmp_path / "languages"])
    begin("pl", [tmp_path / "languages"])
    assert (tmp_path / "languages" / "pl.po").read_text() == ""
    made = {file.name: content for file, content, _ in renewed([tmp_path]) if file.parent.parent == tmp_path}
    text = made["pl.po"].decode()
    forms = re.search(r"nplurals=(\d)", text)
    assert forms is not None
    assert int(forms[1]) == text.count("\nmsgstr[") > 2
    says = Speaker(GNUTranslations(BytesIO(made["pl.mo"])))
    assert says.say(nm("{n} wagon", "{n} wagons", 4)) == "4 wagons"
    with pytest.raises(argparse.ArgumentTypeError, match="is no language: write nl, or pt_BR"):
        language_code("klingon")


@pytest.mark.parametrize("language", BEGUN)
def test_what_is_begun_is_kept_and_not_offered_yet(language: str) -> None:
    """Its catalogues are there for every game; pages answer in English, as for any language not spoken."""
    missing, size = lacking()[language]
    assert 0 < size - missing < size * LEAST_TRANSLATED, "enough is translated: add it to LANGUAGES"
    assert all((folder / f"{language}.mo").exists() for folder in catalogues())
    assert catalogue(language).gettext("Join") == "Join"


def test_the_page_for_translators_shows_what_make_languages_says() -> None:
    page = (ROOT / "docs/translating.md").read_text()
    shown = re.search(r"^nl: (\d+) of (\d+) messages .*$", page, re.MULTILINE)
    assert shown is not None
    done, size = map(int, shown.groups())
    assert standing("nl", size - done, size) == shown[0]
    masks = re.findall(r"`(companion/\S*)\*\.po`", page)
    assert {file for mask in masks for file in ROOT.glob(f"{mask}nl.po")} == {
        folder / "nl.po" for folder in catalogues()
    }


@pytest.mark.parametrize("language", OTHERS + BEGUN)
def test_places_and_tags_agree(language: str) -> None:
    wrong = [
        (message, meaning)
        for folder in collected()
        for message, meaning in translated(folder, language).items()
        if set(PLACE.findall(message)) != set(PLACE.findall(meaning))
        or Counter(_TAG.findall(_READ.sub("", message))) != Counter(_TAG.findall(_READ.sub("", meaning)))
    ]
    assert not wrong
