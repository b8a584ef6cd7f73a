"""Sentences about a match of SPIKE: places, goods, cards, and what happened."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from math import dist

from companion.core.messages import listed
from companion.games.contract import Plain
from companion.games.kit.drawing import Point
from companion.games.spike.rules.board import Board

PART_NAMES = {"speed": "locomotive", "power": "tender", "cargo": "freight cars"}


def spoken(name: str) -> str:
    """A name as it stands in files, as people write it.

    >>> spoken("new-york"), spoken("pigs")
    ('New York', 'Pigs')
    """
    return " ".join(word.capitalize() for word in name.split("-"))


def place_words(plan: Plain, place: str) -> str:
    """A city by its name, a track by the cities nearest to it: its own name is for files only."""
    if place in plan["cities"]:
        return str(plan["cities"][place]["name"])
    if place not in plan["tracks"]:
        return spoken(place)
    cities = {name: (city["at"][0], city["at"][1]) for name, city in plan["cities"].items()}
    spots = {**{name: (at[0], at[1]) for name, at in plan["points"].items()}, **cities}
    near = nearest_two([spots[end] for end in plan["tracks"][place]["ends"]], cities)
    return between_words([str(plan["cities"][name]["name"]) for name in near])


def on_board(board: Board, place: str) -> str:
    """The same from the board itself."""
    if place in board.cities:
        return board.cities[place].name
    cities = {name: city.at for name, city in board.cities.items()}
    near = nearest_two([board.places[end] for end in board.tracks[place].track], cities)
    return between_words([board.cities[name].name for name in near])


def plain(words: str, board: Board) -> str:
    """A sentence of the rules without the names of tracks and points, which stand in files only."""
    names = sorted((*board.tracks, *board.cities), key=len, reverse=True)
    found = re.compile(rf"(?<![\w-])(?:track )?({'|'.join(map(re.escape, names))})(?![\w-])")
    words = re.sub(r"\bthe track (?=\S+-)", "", words)
    return found.sub(lambda name: on_board(board, name[1]), words)


def nearest_two(ends: Sequence[Point], cities: Mapping[str, Point]) -> list[str]:
    """The two cities nearest to the middle of a track.

    >>> nearest_two([(0, 0), (2, 0)], {"erie": (9, 9), "gary": (0, 0), "utica": (4, 0)})
    ['gary', 'utica']
    """
    middle = sum(x for x, _ in ends) / len(ends), sum(y for _, y in ends) / len(ends)
    return sorted(cities, key=lambda name: dist(cities[name], middle))[:2]


def between_words(names: Sequence[str]) -> str:
    """
    >>> between_words(["Gary", "Utica"])
    'the track between Gary and Utica'
    """
    return f"the track between {' and '.join(names)}"


def cards_words(cards: Mapping[str, int]) -> str:
    """
    >>> cards_words({"red": 2, "blue": 1})
    '2 red, 1 blue'
    """
    return ", ".join(f"{count} {suit}" for suit, count in cards.items() if count) or "no cards"


def counted(count: int, thing: str) -> str:
    """
    >>> counted(1, "track"), counted(3, "track"), counted(2, "city")
    ('1 track', '3 tracks', '2 cities')
    """
    many = f"{thing[:-1]}ies" if thing.endswith("y") else f"{thing}s"
    return f"{count} {thing if count == 1 else many}"


def event_words(kind: str, data: Plain) -> str:
    """What happened, as it follows a name."""
    return _SAID[kind](data) if kind in _SAID else "was done"


def _drew(data: Plain) -> str:
    if "count" in data:
        return f"drew {counted(data['count'], 'card')}"
    return "drew from the deck" if data["from"] == "deck" else f"drew a {data['from']} card from the row"


def _built(data: Plain) -> str:
    ends = _far_end(data["path"])
    return f"built {counted(len(data['path']), 'track')}{ends}, for {cards_words(data['cards'])}"


def _far_end(path: list[str]) -> str:
    """Points on the way have digits or short names; nothing is said where that does not tell.

    >>> _far_end(["h3-i4", "green-bay-i4"]), _far_end(["abc-topeka"]), _far_end(["h3-i4"])
    (' to Green Bay', ' to Topeka', '')
    """
    parts = path[-1].split("-")
    ends = [name for name in parts if not re.search(r"\d", name)]
    if ends == parts:
        ends = [name for name in parts if len(name) > 3]
    return f" to {' '.join(end.capitalize() for end in ends)}" if ends else ""


def _to(place: str) -> str:
    """Where a train went, if that is a city: the points between have names for files only.

    >>> _to("new-york"), _to("h3-topeka")
    (' to New York', '')
    """
    return "" if re.search(r"\d", place) else f" to {spoken(place)}"


def _reported(data: Plain) -> str:
    told = [word for word in ("tracks", "money", "routes") if data.get(word)]
    return f"reported {listed(told)}" if told else "reported nothing new"


def _gave(data: Plain) -> str:
    return f"gave a {data['card']} card to the right" if "card" in data else "gave a card to the right"


def _chose_sides(data: Plain) -> str:
    return f"turned {counted(len(data['turned']), 'contract')} over"


_SAID: Mapping[str, Callable[[Plain], str]] = {
    "sides": _chose_sides,
    "give": _gave,
    "route": lambda data: f"has the route of {spoken(data['card'])}" if "card" in data else "kept a route",
    "place": lambda data: f"begins in {spoken(data['city'])}",
    "declare": lambda data: f"has contracts for {listed(name.split('-')[0] for name in data['contracts'])}",
    "market": lambda _: "said how the market lies",
    "move": lambda data: f"moved on{_to(data['to'])}",
    "motion": lambda data: f"set out{_to(data['to'])}",
    "boost": lambda data: f"boosted{_to(data['to'])}",
    "draw": _drew,
    "stop": lambda _: "drew no more",
    "build": _built,
    "report": _reported,
    "upgrade": lambda data: f"improved the {PART_NAMES[data['part']]}",
    "load": lambda data: f"loaded {data['good']}",
    "dump": lambda data: f"put {data['good']} back",
    "deliver": lambda data: f"delivered {data['good']}",
    "finish": lambda _: "ended the turn",
    "pass": lambda _: "passed",
    "time": lambda _: "turned a time card over",
    "done": lambda _: "has a final result",
}
