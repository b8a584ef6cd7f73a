"""Messages keep what they mean until somebody reads them."""

from __future__ import annotations

import copy
import pickle

import msgspec
import pytest

from companion.core.jsontext import json_of
from companion.core.messages import (
    Message,
    Seat,
    Speaker,
    Texts,
    data_of,
    joined,
    listed,
    m,
    nm,
    pm,
    replaced,
    sentence,
    with_messages,
)
from companion.languages import said

GERMAN = Texts(
    {
        "{who} waits for {others}": "{who} wartet auf {others}",
        "and": "und",
        "the box": "die Box",
        "curve": "Kurve",
        "{n} card": "{n} Karte",
        "{n} cards": "{n} Karten",
        "seat {number}": "Platz {number}",
        "it is over": "es ist vorbei",
    }
)
WAITS = m("{who} waits for {others}", who=Seat(1), others=listed([Seat(2), "the box"]))
ALL = [
    WAITS,
    Seat(3),
    listed([m("curve"), "a1"], "or"),
    joined("; ", [m("curve"), WAITS]),
    sentence(WAITS),
    nm("{n} card", "{n} cards", 3),
    pm("side", "left"),
]


@pytest.mark.parametrize("message", ALL)
@pytest.mark.parametrize("again", [copy.deepcopy, lambda message: pickle.loads(pickle.dumps(message))])
def test_a_message_goes_through_pipes(message: Message, again: object) -> None:
    assert callable(again)
    told = again(message)
    assert type(told) is type(message)
    assert (told, told.id, told.places, told.context, told.many) == (
        message,
        message.id,
        message.places,
        message.context,
        message.many,
    )
    assert Speaker(GERMAN, {1: "Ada"}).say(told) == Speaker(GERMAN, {1: "Ada"}).say(message)


def test_names_are_neither_translated_nor_mistaken() -> None:
    assert (
        Speaker(GERMAN, {1: "the box", 2: "{others}"}).say(WAITS) == "the box wartet auf {others} und the box"
    )


def test_a_seat_without_a_name_is_said_in_the_language() -> None:
    assert Speaker(GERMAN).say(WAITS) == "Platz 1 wartet auf Platz 2 und the box"


def test_names_may_be_put_in_before_the_language_is_known() -> None:
    named = replaced(sentence(WAITS), lambda value: "Ben" if value == Seat(1) else None)
    assert named == "Ben waits for seat 2 and the box"
    assert Speaker(GERMAN).say(named) == "Ben wartet auf Platz 2 und the box"


def test_a_number_has_the_noun_of_its_language() -> None:
    said = [Speaker(GERMAN).say(nm("{n} card", "{n} cards", n)) for n in (0, 1, 2)]
    assert said == ["0 Karten", "1 Karte", "2 Karten"]


def test_what_is_joined_and_begun_is_still_said_in_the_language() -> None:
    said = Speaker(GERMAN).say(sentence(joined("; ", [m("it is over"), m("curve"), 3])))
    assert said == "Es ist vorbei; Kurve; 3"


def test_programs_are_told_in_english() -> None:
    assert json_of({"message": WAITS, "says": [sentence(WAITS)]}) == (
        b'{"message":"seat 1 waits for seat 2 and the box","says":["Seat 1 waits for seat 2 and the box"]}'
    )
    with pytest.raises(NotImplementedError, match="object cannot be written as JSON"):
        json_of(object())


def test_a_number_with_a_fraction_is_written_as_its_language_does() -> None:
    words = m("about {points} more ends lead to nothing in the end", points=2.2)
    assert words == "about 2.2 more ends lead to nothing in the end"
    assert "2,2" in said(words, "de")
    assert with_messages(msgspec.json.decode(msgspec.json.encode(data_of(words)))).places["points"] == 2.2
