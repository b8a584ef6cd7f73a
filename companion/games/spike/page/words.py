"""Sentences about a match of SPIKE: places, goods, cards, and what happened."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.games.contract import Plain
from companion.games.kit.words import listed
from companion.games.spike.rules.board import Board

PART_NAMES = {"speed": "locomotive", "power": "tender", "cargo": "freight cars"}


def spoken(name: str) -> str:
    """A name as it stands in files, as people write it.

    >>> spoken("new-york"), spoken("pigs")
    ('New York', 'Pigs')
    """
    return " ".join(word.capitalize() for word in name.split("-"))


def place_words(plan: Plain, place: str) -> str:
    """A city by its name, a track by what it joins."""
    if place in plan["cities"]:
        return str(plan["cities"][place]["name"])
    if place not in plan["tracks"]:
        return spoken(place)
    return track_words({name: city["name"] for name, city in plan["cities"].items()}, plan["tracks"][place])


def track_words(cities: Mapping[str, str], track: Plain) -> str:
    """
    >>> track_words({"tulsa": "Tulsa"}, {"ends": ["j1", "tulsa"]})
    'the track j1 – Tulsa'
    """
    return "the track " + " – ".join(cities.get(end, end) for end in track["ends"])


def on_board(board: Board, place: str) -> str:
    """The same from the board itself."""
    if place in board.cities:
        return board.cities[place].name
    names = {name: city.name for name, city in board.cities.items()}
    return track_words(names, {"ends": board.tracks[place].track})


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
    """Cities have longer names than the points on the way; nothing is said where that does not tell."""
    ends = [name for name in path[-1].replace("-", " ").split() if len(name) > 3]
    return f" to {' '.join(end.capitalize() for end in ends)}" if ends else ""


def _reported(data: Plain) -> str:
    told = [word for word in ("tracks", "money", "routes") if data.get(word)]
    return f"reported {listed(told)}" if told else "reported nothing new"


def _chose_sides(data: Plain) -> str:
    return f"turned {counted(len(data['turned']), 'contract')} over"


_SAID: Mapping[str, Callable[[Plain], str]] = {
    "sides": _chose_sides,
    "give": lambda data: f"gave a {data['card'] + ' ' if 'card' in data else ''}card to the right",
    "route": lambda data: f"has the route of {spoken(data['card'])}" if "card" in data else "kept a route",
    "place": lambda data: f"begins in {spoken(data['city'])}",
    "declare": lambda data: f"has contracts for {listed(name.split('-')[0] for name in data['contracts'])}",
    "market": lambda _: "said how the market lies",
    "move": lambda data: f"moved on to {spoken(data['to'])}",
    "motion": lambda data: f"set out to {spoken(data['to'])}",
    "boost": lambda data: f"boosted to {spoken(data['to'])}",
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
