"""People may call themselves whatever they like: a word of a message, of a heading, of a place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product
from pathlib import Path

import pytest

from companion.game.base import Action
from tests.web.english import LANGUAGES_BUT_ENGLISH, lines_of
from tests.web.houses import accepted, play_steps, small_house
from tests.web.people import seated, the_host
from web import create_app

PLAIN = ("Zoë", "Yann", "Xaver", "Wim")
STRANGE = ("the box", "Total", "Left", "{name}")
STEPS = {"railroad-ink": 2000, "derailed": 2000, "spike": 2000, "empire-builder": 60}  # its matches are long
_NAMES = re.compile("|".join(PLAIN))
PATHS = ("/", "/tv", "/play", "/host", "/history", "/match/m1")
# Join codes (before the address, perhaps), times, addresses, folders and the room on the disk.
_CHANGES = re.compile(r"\b[0-9A-Z]{5}(?=\b|192\.)|\d+:\d\d(:\d\d)?|https?:\S+|/\S+|\d+ [MG]B")


def told(folder: Path, game: str, players: Sequence[str], languages: Sequence[str]) -> dict[str, set[str]]:
    """What each page says in these languages of a match under way, and of the same match when it is over."""
    found: dict[str, set[str]] = {}
    with small_house(folder) as house:
        app = create_app(house)
        accepted(house, Action("start", data={"game": game, "players": list(players)}))
        host, player = the_host(app, house), seated(app, house, 1, players[0])
        for steps in (13, STEPS[game]):
            play_steps(house, steps)
            for path, language in product(PATHS, languages):
                browser = host if path == "/host" else player
                page = browser.get(path, headers={"Accept-Language": language}).get_data(as_text=True)
                found[f"{language} {path} {steps}"] = {_CHANGES.sub("*", line) for line in lines_of(page)}
    return found


@LANGUAGES_BUT_ENGLISH
@pytest.mark.parametrize("game", STEPS)
def test_no_name_is_taken_for_a_word(tmp_path: Path, game: str, languages: Sequence[str]) -> None:
    """The pages are those of the same match with other names."""
    plain = told(tmp_path / "plain", game, PLAIN, languages)
    strange = told(tmp_path / "strange", game, STRANGE, languages)
    for path, lines in plain.items():
        renamed = {_NAMES.sub(lambda found: STRANGE[PLAIN.index(found[0])], line) for line in lines}
        assert strange[path] == renamed, (path, sorted(strange[path] ^ renamed))
