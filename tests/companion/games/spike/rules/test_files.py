"""Board and card files: what is wrong with one is said in a sentence with its line."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.errors import NotationError, RulesDataError
from companion.games.spike.rules.boards.board import (
    board_called,
    board_text,
    describe_board,
    read_board,
    shipped_text,
)
from companion.games.spike.rules.boards.cards import cards_called, describe_cards, read_cards

BOARD = board_text("eastern-states")
CARDS = shipped_text("eastern-states", "cards")
Lines = list[dict[str, Any]]


def lines(text: str) -> Lines:
    return [json.loads(line) for line in text.splitlines()]


def written(said: Lines) -> str:
    return "\n".join(json.dumps(line) for line in said)


def find(said: Lines, kind: str, name: object = None) -> int:
    """The index of a line; its number in the file is one more."""
    return next(n for n, line in enumerate(said) if next(iter(line)) == kind and name in (None, line[kind]))


def changed(text: str, change: Callable[[Lines], Any]) -> str:
    said = lines(text)
    change(said)
    return written(said)


def board_complaints(change: Callable[[Lines], Any]) -> list[str]:
    return [str(fault) for fault in describe_board(changed(BOARD, change))[1]]


def card_complaints(change: Callable[[Lines], Any]) -> list[str]:
    _, faults = describe_cards(changed(CARDS, change), board_called("eastern-states"))
    return [str(fault) for fault in faults]


# --- boards ---


def test_the_shipped_files_have_no_fault() -> None:
    assert describe_board(BOARD)[1] == []
    assert describe_cards(CARDS, board_called("eastern-states"))[1] == []


def test_an_owners_file_is_read_as_the_text_it_is() -> None:
    assert set(board_called(BOARD).tracks) == set(board_called("eastern-states").tracks)
    assert set(cards_called(CARDS, BOARD).routes) == set(board_called(BOARD).cities)


def test_comments_and_empty_lines_are_for_people() -> None:
    assert describe_board(f"# my own board\n\n{BOARD}")[1] == []


def test_unknown_shipped_files_are_named() -> None:
    with pytest.raises(NotationError, match="there is no board 'atlantis': choose eastern-states"):
        board_called("atlantis")


def put(said: Lines, line: dict[str, Any], at: int | None = None) -> None:
    said.insert(len(said) if at is None else at, line)


def puts(said: Lines, *more: dict[str, Any]) -> None:
    said.extend(more)


BOARD_FAULTS: list[tuple[str, Callable[[Lines], Any], str]] = [
    ("no heading", lambda said: said.pop(0), 'line 1: the first line begins with "board": title and size'),
    (
        "two headings",
        lambda said: put(said, {"board": "Two", "format": 1, "size": [500, 560]}),
        "line 746: the board already has its heading on line 1",
    ),
    (
        "another format",
        lambda said: said[0].update(format=2),
        "line 1: 2 is none of the possible values (in format)",
    ),
    ("unknown line", lambda said: put(said, {"river": "Ohio"}), "not with 'river'"),
    ("unknown key", lambda said: said[1].update(shade=3), "line 2: 'shade' is not known here"),
    ("missing key", lambda said: said[find(said, "city")].pop("at"), "'at' is missing"),
    ("a missing suit", lambda said: said.pop(find(said, "suit", "blue")), "a board has 6 suits, here are 5"),
    ("a missing good", lambda said: said.pop(find(said, "good", "oil")), "a board has 12 goods, here are 11"),
    (
        "two suits alike",
        lambda said: said[find(said, "suit", "red")].update(pattern="dotted"),
        "line 4: the suits blue and red both have the pattern dotted",
    ),
    (
        "a bad colour",
        lambda said: said[find(said, "suit", "red")].update(colour="red"),
        "line 4: expected a text",
    ),
    (
        "an unknown suit",
        lambda said: said[find(said, "track")].update(suit="pink"),
        "has the suit 'pink', which is none",
    ),
    (
        "an unused suit",
        lambda said: [
            line.update(suit="blue") for line in said if line.get("suit") == "red" and "track" in line
        ],
        "line 4: no track has the suit red",
    ),
    (
        "an unknown good",
        lambda said: said[find(said, "city", "topeka")].update(good="gold"),
        "Topeka supplies 'gold', which is none of the goods",
    ),
    (
        "a good nobody supplies",
        lambda said: [
            line.update(good="oil") for line in said if line.get("good") == "pigs" and "city" in line
        ],
        "no city supplies pigs",
    ),
    (
        "a city twice",
        lambda said: put(said, said[find(said, "city", "topeka")]),
        "line 746: the city topeka is already on line",
    ),
    (
        "a point with a city's name",
        lambda said: put(said, {"point": "topeka", "at": [60, 60]}),
        "line 746: topeka is already a city, on line",
    ),
    (
        "an unknown city in a track",
        lambda said: put(said, {"track": ["topeka", "atlantis"], "suit": "red"}),
        "line 746: the track topeka-atlantis joins nothing: there is no city or point 'atlantis'",
    ),
    (
        "a track to itself",
        lambda said: put(said, {"track": ["topeka", "topeka"], "suit": "red"}),
        "line 746: the track from topeka to itself joins nothing",
    ),
    (
        "the same track twice",
        lambda said: put(said, said[find(said, "track")]),
        "are already joined on line",
    ),
    (
        "a track the other way round",
        lambda said: put(said, {"track": said[find(said, "track")]["track"][::-1], "suit": "red"}),
        'a track beside it has "number": 2',
    ),
    (
        "a lonely city",
        lambda said: put(said, {"city": "paris", "name": "Paris", "good": "oil", "at": [60, 60]}),
        "line 746: no track leads to the city paris",
    ),
    (
        "a dead end",
        lambda said: puts(
            said,
            {"point": "z1", "at": [60, 60]},
            {"track": ["topeka", "z1"], "suit": "red"},
        ),
        "line 746: only one track leads to the point z1",
    ),
    (
        "a board in two pieces",
        lambda said: puts(
            said,
            {"city": "paris", "name": "Paris", "good": "oil", "at": [60, 60]},
            {"city": "lyon", "name": "Lyon", "good": "oil", "at": [90, 60]},
            {"track": ["paris", "lyon"], "suit": "red"},
        ),
        "line 746: no way leads from albany to paris",
    ),
    (
        "beside the board",
        lambda said: said[find(said, "city", "topeka")].update(at=[501, 20]),
        "501, 20 is not on a board of 500 x 560 mm",
    ),
    (
        "no size",
        lambda said: said[0].update(size=[0, 10]),
        "line 1: width and height of a board are more than 0 mm",
    ),
    (
        "a market place too few",
        lambda said: said.pop(find(said, "market", [1, 3])),
        "not all market places are here",
    ),
    (
        "a market place that is none",
        lambda said: said[find(said, "market", [1, 3])].update(market=[5, 3]),
        "the market places are columns 1 to 4",
    ),
    (
        "a gap in the score track",
        lambda said: said.pop(find(said, "space", 7)),
        "numbered from 0 without a gap",
    ),
    ("a fourth time card", lambda said: put(said, {"time": 4, "at": [60, 60]}), "the time places are 1 to 3"),
]


@pytest.mark.parametrize(
    ("change", "sentence"), [case[1:] for case in BOARD_FAULTS], ids=[c[0] for c in BOARD_FAULTS]
)
def test_a_board_with_a_fault(change: Callable[[Lines], Any], sentence: str) -> None:
    complaints = board_complaints(change)
    assert any(sentence in complaint for complaint in complaints), complaints
    with pytest.raises(RulesDataError, match=r"^my board, line \d+: [^\n]+$"):
        read_board(changed(BOARD, change), "my board")


def test_a_line_that_is_no_json() -> None:
    _, faults = describe_board(BOARD + "{oops")
    assert [str(fault) for fault in faults] == [
        "line 746: not JSON: Expecting property name enclosed in double quotes at character 2"
    ]


# --- cards ---

CARD_FAULTS: list[tuple[str, Callable[[Lines], Any], str]] = [
    ("no heading", lambda said: said.pop(0), 'line 1: the first line has to begin with "cards"'),
    (
        "two headings",
        lambda said: put(said, said[0]),
        "line 110: the cards already have their heading on line 1",
    ),
    (
        "an unknown city",
        lambda said: said[find(said, "contract", "coal")]["pays"].update(atlantis=4),
        "there is no city 'atlantis' on the board Eastern States",
    ),
    (
        "a good that no city supplies",
        lambda said: said[find(said, "contract", "coal")].update(contract="gold"),
        "a contract for 'gold', which no city supplies",
    ),
    (
        "a city that supplies the good itself",
        lambda said: said[find(said, "contract", "pigs")]["pays"].update(norfolk=4),
        "norfolk supplies pigs itself, so nothing is delivered there",
    ),
    (
        "a contract twice",
        lambda said: put(said, said[find(said, "contract", "coal")]),
        "line 110: the contract coal-1a is already on line",
    ),
    ("a contract too few", lambda said: said.pop(find(said, "contract", "coal")), "no contract coal-1a"),
    (
        "a fourth card",
        lambda said: put(said, {"contract": "coal", "card": 4, "side": "a", "pays": {"topeka": 4}}),
        "line 110: the contract cards of a good are numbered 1 to 3, not 4",
    ),
    (
        "a third side",
        lambda said: said[1].update(side="c"),
        "line 2: 'c' is none of the possible values (in side)",
    ),
    (
        "nothing to earn",
        lambda said: said[1].update(pays={}),
        "line 2: this contract names no city that pays",
    ),
    (
        "too much to earn",
        lambda said: said[1].update(pays={"topeka": 100}),
        "line 2: expected a whole number, at most 99",
    ),
    (
        "a route from nowhere",
        lambda said: said[find(said, "route", "topeka")].update(route="atlantis"),
        "a route begins in 'atlantis', which is no city",
    ),
    (
        "a route in a circle",
        lambda said: said[find(said, "route", "topeka")]["pays"].update(topeka=3),
        "the route of topeka leads to topeka itself",
    ),
    (
        "a route twice",
        lambda said: put(said, said[find(said, "route", "topeka")]),
        "the route topeka is already on line",
    ),
    (
        "too few routes",
        lambda said: said.__delitem__(slice(73, None)),
        "four players need 8 route cards, here are 0",
    ),
]


@pytest.mark.parametrize(
    ("change", "sentence"), [case[1:] for case in CARD_FAULTS], ids=[c[0] for c in CARD_FAULTS]
)
def test_cards_with_a_fault(change: Callable[[Lines], Any], sentence: str) -> None:
    complaints = card_complaints(change)
    assert any(sentence in complaint for complaint in complaints), complaints
    with pytest.raises(RulesDataError, match=r"^my cards, line \d+: [^\n]+$"):
        read_cards(changed(CARDS, change), board_called("eastern-states"), "my cards")


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_a_damaged_file_is_read_or_complained_about(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from([BOARD, CARDS]))
    start = data.draw(st.integers(0, len(text)))
    cut = data.draw(st.integers(0, 300))
    damaged = text[:start] + data.draw(st.text(max_size=20)) + text[start + cut :]
    for faults in (describe_board(damaged)[1], describe_cards(damaged, board_called("eastern-states"))[1]):
        for fault in faults:
            assert fault.line >= 1
            assert fault.message
            assert "\n" not in fault.message
