"""The deck as in the facts, and the notation of its cards."""

from __future__ import annotations

import contextlib
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.errors import NotationError
from companion.games.derailed.rules.cards import (
    DECK,
    FACES,
    TUNNELS,
    card_of,
    deck_of,
    face_words,
    faces_of,
    parse_face,
)
from companion.games.derailed.rules.rulebook import ARRIVALS_TO_END, COMPANIES, DECK_TABLE, ROWS, TUNNEL_TABLE

# The table of the designer's print-and-play deck, as bits L T R B: ports/linked.
BY_COPIES = {
    4: "1111/1111",
    3: "0111/0111 1011/1011 1101/1101 1110/1110 1111/0111 1111/1011 1111/1101 1111/1110",
    2: "0011/0011 0101/0101 0110/0110 0111/0011 0111/0101 0111/0110 1010/1010 1011/0011 1011/1001 1011/1010 "
    "1101/0101 1101/1001 1101/1100 1110/0110 1110/1010 1110/1100 1111/0011 1111/0101 1111/0110 1111/1001 "
    "1111/1010 1111/1100",
}
OTHERS = ("LT|RB", "LB|TR", "LR|TB", "LB|RB|t", "LB|LR|t", "LR|RB|t")


def test_the_90_rail_cards_are_those_of_the_design() -> None:
    wanted: Counter[str] = Counter()
    for copies, cards in BY_COPIES.items():
        for card in cards.split():
            wanted[parse_face(card).text] += copies
    wanted += Counter(dict.fromkeys(OTHERS, 3))
    assert dict(wanted) == DECK_TABLE
    assert sum(DECK.values()) == 90


def test_turned_by_half_some_cards_are_the_same() -> None:
    assert len(DECK_TABLE) == 37
    assert len(DECK) == 25
    assert len({face for card in DECK for face in faces_of(card)}) == 42
    assert DECK["LTB"] == DECK_TABLE["LTB"] + DECK_TABLE["TRB"] == 6


def test_the_tunnels_are_optional() -> None:
    assert sum(deck_of(False).values()) == 90
    assert deck_of(True) - deck_of(False) == TUNNELS == Counter({"LU|TU|RU": 2})


def test_cards_may_be_turned_by_180_degrees() -> None:
    for face in FACES:
        turned = parse_face(face).turned
        assert turned.text in FACES
        assert turned.turned.text == face
        assert card_of(turned.text) == card_of(face)
    assert parse_face("LT|rb").turned.text == "RB|lt"


@pytest.mark.parametrize("text", sorted(FACES))
def test_notation_round_trips(text: str) -> None:
    assert parse_face(text).text == text
    assert text in faces_of(card_of(text))


@given(face=st.sampled_from(sorted(FACES)), seed=st.randoms())
def test_letters_and_pieces_are_read_in_any_order(face: str, seed: object) -> None:
    pieces = face.split("|")
    ends = [pieces.pop()] if pieces[-1].islower() else []
    shuffle = seed.shuffle  # type: ignore[attr-defined]
    shuffle(pieces)
    letters = [list(piece) for piece in [*pieces, *ends]]
    for piece in letters:
        shuffle(piece)
    assert parse_face("|".join("".join(piece) for piece in letters)).text == face


def test_a_dead_end_is_a_port_that_leads_nowhere() -> None:
    face = parse_face("TRB|l")
    assert face.ports - face.linked == face.dead
    assert all(not face.exits[port] for port in face.dead)


def test_points_do_not_join_their_two_arms() -> None:
    top, right, bottom, left = range(4)
    face = parse_face("LB|RB|t")
    assert face.exits[left] == face.exits[right] == (bottom,)
    assert face.exits[bottom] == (right, left)
    assert face.exits[top] == ()


def test_a_bridge_is_two_tracks() -> None:
    assert parse_face("LR|TB").exits[:4] == ((2,), (3,), (0,), (1,))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "bad-card"),
        ("|", "bad-card"),
        ("lt", "bad-card"),
        ("LtB", "bad-card"),
        ("LL", "bad-card"),
        ("XY", "bad-card"),
        ("LT|RB|", "bad-card"),
        ("101/101", "bad-card"),
        ("1111/11/1", "bad-card"),
        ("1x11/1111", "bad-card"),
        ("L", "not-in-the-deck"),
        ("LB|RT|t", "not-in-the-deck"),
        ("TB|LR|LB", "not-in-the-deck"),
        ("0001/0001", "not-in-the-deck"),
        ("0011/1100", "bad-card"),
        ("0000/0000", "bad-card"),
    ],
)
def test_cards_not_in_the_deck_are_said(text: str, code: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_face(text)
    assert caught.value.code == code
    assert text in caught.value.message


@given(text=st.text(max_size=30))
def test_any_nonsense_is_one_sentence(text: str) -> None:
    with contextlib.suppress(NotationError):
        assert parse_face(text).text in FACES


def test_every_face_has_words() -> None:
    for face in FACES:
        assert face_words(face)
    assert face_words("LT|TR|b") == "points at the top, dead end bottom"
    assert face_words("LR|TB") == "bridge"


def test_the_tables_are_complete() -> None:
    assert list(COMPANIES) == list("ABCDEFGH")
    assert len({company.colour for company in COMPANIES.values()}) == 8
    assert ARRIVALS_TO_END == {2: 1, 3: 2, 4: 3, 5: 3, 6: 3}
    assert ROWS == 4
    assert TUNNEL_TABLE == {"LU|RU|BU": 2}
