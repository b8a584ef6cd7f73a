"""Pictures drawn as text."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.errors import RulesDataError
from companion.game.base import Game
from companion.game.registry import GAMES
from companion.sheets.dots import read_dots

ROWS = "\n".join(["#.#.#.#."] * 8)


def test_rows_become_hex_digits() -> None:
    assert read_dots(f"# a comment\n\n= x\n{ROWS}\n\n= y\n{ROWS}", "here") == {"x": "aa" * 8, "y": "aa" * 8}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (ROWS, "line 1"),
        ("= x\n####", "line 2"),
        ("= x\n#.#.#.#x", "line 2"),
        ("= x\n#.#.#.#.", "has 1 rows"),
        (f"= x\n{ROWS}\n#.#.#.#.", "has 9 rows"),
    ],
)
def test_a_broken_picture_is_named(text: str, said: str) -> None:
    with pytest.raises(RulesDataError, match=said):
        read_dots(text, "here")


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_every_face_of_a_die_has_a_picture_or_none_has(game: Game[Any]) -> None:
    pictures = game.die_pictures
    for die, faces in game.die_faces.items():
        assert set(faces) & set(pictures) in (set(faces), set()), die
    assert set(pictures) <= {face for faces in game.die_faces.values() for face in faces}
    assert len(set(pictures.values())) == len(pictures)
