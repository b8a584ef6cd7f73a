"""Sheets in other languages: nothing longer than its room, nothing unreadable, prose in its box."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from companion.cli import main
from companion.core.messages import Message, Speaker
from companion.game.packages import packages
from companion.game.registry import find_game, printables_of
from companion.games.derailed.rules.cards import deck_of
from companion.games.derailed.rules.rulebook import COMPANIES
from companion.games.empire_builder.rules.boards.board import board
from companion.games.spike.rules.boards.board import board_called
from companion.languages import LANGUAGES, catalogue, said
from companion.sheets.drawing import Drawing, Paragraph, Prose, Text
from companion.sheets.printing.fonts import width_of
from companion.sheets.printing.paper import printed
from companion.sheets.printing.wording import Say, in_lines, worded

GAMES = sorted(name for name, package in packages().items() if package.printing)
SMALLEST = 0.55  # of the height of the English letters


def sayer(language: str) -> Say:
    """Says what stands on paper in that language."""
    return Speaker(catalogue(language)).say


@cache
def pages_of(game: str) -> list[Drawing]:
    """Every part of its first edition, each page once."""
    made = printables_of(game)
    parts = [part for part in made.parts if part != "all"]
    found = [page for part in parts for page in printed(made.leaves(part, made.editions[0], "a4"))]
    return list(dict.fromkeys(found))


@cache
def words_of(game: str) -> Drawing:
    """Whatever is said on its pages, each once, as if it stood on one page."""
    said = (one for page in pages_of(game) for one in page.shapes if isinstance(one, Text | Prose))
    return Drawing((0, 0), tuple(dict.fromkeys(said)))


def texts(drawing: Drawing) -> list[Text]:
    return [shape for shape in drawing.shapes if isinstance(shape, Text)]


@pytest.mark.parametrize("game", GAMES)
def test_words_of_every_language_have_room_and_can_be_read(game: str) -> None:
    crowded = set()
    translated = set()
    page = words_of(game)
    for language in LANGUAGES:
        for english, other in zip(texts(page), texts(worded(page, sayer(language))), strict=True):
            room = max(english.room, width_of(english.words, english.size, bold=english.bold))
            long = width_of(other.words, other.size, bold=other.bold) > room + 0.01
            if other.words != english.words:
                translated.add(language)
                if long or other.size < SMALLEST * english.size:
                    crowded.add((language, english.words, other.words, round(other.size, 2)))
    assert not crowded
    assert translated == set(LANGUAGES) - {"en"}


def names_on(game: str) -> set[str]:
    """What nobody translates: names of places and of companies, and cards by their notation."""
    if game == "derailed":
        companies = {company.name for company in COMPANIES.values()}
        return {"Derailed!", "Deadfur", "Canyon", *companies, *deck_of(tunnels=True)}
    if game == "spike":
        return {city.name for city in board_called("eastern-states").cities.values()}
    if game == "empire-builder":
        land = board().data
        return {*(city.name for city in land.cities), *(river.name for river in land.rivers)}
    return set()


@pytest.mark.parametrize("game", GAMES)
def test_all_words_on_paper_are_messages(game: str) -> None:
    words = [text.words for text in texts(words_of(game))]
    plain = {one for one in words if not isinstance(one, Message) and re.search(r"[^\W\d_]{3}", one)}
    assert plain - names_on(game) == set()


@pytest.mark.parametrize("game", GAMES)
def test_prose_of_every_language_stays_in_its_box(game: str) -> None:
    for language in LANGUAGES:
        shapes = worded(words_of(game), sayer(language)).shapes
        for prose in (one for one in shapes if isinstance(one, Prose)):
            lines = [line for line in in_lines([prose]) if isinstance(line, Text)]
            assert lines[-1].at[1] <= prose.corner[1] + prose.size[1]
            assert min(line.size for line in lines) > 2.0  # mm
            for line in lines:
                assert width_of(line.words, line.size, bold=line.bold) <= prose.size[0]


def test_prose_becomes_smaller_until_it_fits() -> None:
    words = Paragraph("All track is for all trains, and a long story says it again. " * 3, 4.0, "#000000")
    lines = [line for line in in_lines([Prose((10, 20), (60, 16), (words, words))]) if isinstance(line, Text)]
    assert lines[0].size < 4.0
    assert lines[0].at[0] == 10
    assert 20 < lines[0].at[1] < lines[-1].at[1] <= 36


def test_the_rules_in_short_are_said_as_a_whole() -> None:
    page = next(page for page in pages_of("derailed") if any(isinstance(one, Prose) for one in page.shapes))
    for language in set(LANGUAGES) - {"en"}:
        (english,) = (one for one in page.shapes if isinstance(one, Prose))
        (other,) = (one for one in worded(page, sayer(language)).shapes if isinstance(one, Prose))
        same = [
            a.words for a, b in zip(english.paragraphs, other.paragraphs, strict=True) if a.words == b.words
        ]
        assert set(same) <= {"Points"}  # as French has it


def test_the_command_line_prints_in_a_language(tmp_path: Path) -> None:
    files = {}
    for language in ("en", "fr"):
        file = tmp_path / f"{language}.pdf"
        assert (
            main(["sheet", "railroad-ink", "--part", "stickers", "--pdf", str(file), "--language", language])
            == 0
        )
        files[language] = file.read_bytes()
    assert files["fr"] != files["en"]


def test_faults_of_an_owner_s_files_are_said_in_the_reader_s_language() -> None:
    for option, text, language, wanted in (
        ("chips", "coal,3\ncole,2", "de", "Warenchips, Zeile 2: Ware 'cole' gibt es nicht: ist es Kohle?"),
        (
            "events",
            "storm\n" * 7,
            "fr",
            "événements, lignes 1, 2, 3 et 4 autres : il n'y a pas de sorte d'événement ''",
        ),
    ):
        faults = find_game("empire-builder").option_faults({option: text})
        assert wanted in [said(fault, language) for fault in faults]
