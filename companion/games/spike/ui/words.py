"""Sentences about a match of SPIKE: places, goods, cards, and what happened."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from math import dist

from companion.core.jsontext import JsonObject
from companion.core.messages import Message, listed, m, nm, replaced
from companion.games.spike.rules.boards.board import ON_TRACK, Board
from companion.games.spike.rules.moves.rail_cards import cards_words
from companion.games.spike.rules.words import PART_WORDS, good_words, suit_words
from companion.sheets.drawing import Point

_REPORTED = {"tracks": m("tracks"), "money": m("money"), "routes": m("routes")}


def spoken(name: str) -> str:
    """A name as it stands in files, as people write it.

    >>> spoken("new-york"), spoken("pigs")
    ('New York', 'Pigs')
    """
    return " ".join(word.capitalize() for word in name.split("-"))


def place_words(plan: JsonObject, place: str) -> str:
    """A city by its name, a track by the cities nearest to it: its own name is for files only."""
    if place in plan["cities"]:
        return str(plan["cities"][place]["name"])
    if place not in plan["tracks"]:
        return spoken(place)
    return between_words(near_cities(plan, place))


def near_cities(plan: JsonObject, track: str) -> list[str]:
    """The cities between which a track lies."""
    cities = {name: (city["at"][0], city["at"][1]) for name, city in plan["cities"].items()}
    spots = {**{name: (at[0], at[1]) for name, at in plan["points"].items()}, **cities}
    near = nearest_two([spots[end] for end in plan["tracks"][track]["ends"]], cities)
    return [str(plan["cities"][name]["name"]) for name in near]


def on_board(board: Board, place: str) -> str:
    """A city by its name, a track by the two nearest cities, looked up on the board."""
    if place in board.cities:
        return board.cities[place].name
    return between_words(near_on_board(board, place))


def near_on_board(board: Board, track: str) -> list[str]:
    """The cities between which a track of the board lies."""
    cities = {name: city.at for name, city in board.cities.items()}
    near = nearest_two([board.places[end] for end in board.tracks[track].track], cities)
    return [board.cities[name].name for name in near]


def plain(words: str, board: Board) -> str:
    """A sentence of the rules without the names of tracks and points, which stand in files only."""

    def named(value: object) -> object | None:
        if isinstance(value, Message):
            if value.id != ON_TRACK:
                return None
            return m(
                "on the track between {names}", names=listed(near_on_board(board, value.places["track"]))
            )
        known = isinstance(value, str) and (value in board.tracks or value in board.cities)
        return on_board(board, str(value)) if known else None

    return replaced(words, named) if isinstance(words, Message) else words


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
    return m("the track between {names}", names=listed(names))


def event_words(kind: str, data: JsonObject) -> str:
    """What happened, as it follows a name."""
    return _SAID[kind](data) if kind in _SAID else m("was done")


def _drew(data: JsonObject) -> str:
    if "count" in data:
        return nm("drew {n} card", "drew {n} cards", data["count"])
    if data["from"] == "deck":
        return m("drew from the deck")
    return m("drew a {suit} card from the row", suit=suit_words(data["from"]))


def _built(data: JsonObject) -> str:
    cards, tracks, city = cards_words(data["cards"]), len(data["path"]), _far_end(data["path"])
    if not city:
        return nm("built {n} track, for {cards}", "built {n} tracks, for {cards}", tracks, cards=cards)
    return nm(
        "built {n} track to {city}, for {cards}",
        "built {n} tracks to {city}, for {cards}",
        tracks,
        city=city,
        cards=cards,
    )


def _far_end(path: list[str]) -> str:
    """Points on the way have digits or short names; nothing is said where that does not tell.

    >>> _far_end(["h3-i4", "green-bay-i4"]), _far_end(["abc-topeka"]), _far_end(["h3-i4"])
    ('Green Bay', 'Topeka', '')
    """
    parts = path[-1].split("-")
    ends = [name for name in parts if not re.search(r"\d", name)]
    if ends == parts:
        ends = [name for name in parts if len(name) > 3]
    return " ".join(end.capitalize() for end in ends)


def _went(data: JsonObject, somewhere: str, to_city: Callable[[str], str]) -> str:
    """Where a train went, if that is a city: the points between have names for files only.

    >>> _went({"to": "new-york"}, m("boosted"), lambda city: m("boosted to {city}", city=city))
    'boosted to New York'
    >>> _went({"to": "h3-topeka"}, m("boosted"), lambda city: m("boosted to {city}", city=city))
    'boosted'
    """
    place: str = data["to"]
    return somewhere if re.search(r"\d", place) else to_city(spoken(place))


def _reported(data: JsonObject) -> str:
    told = [words for key, words in _REPORTED.items() if data.get(key)]
    return m("reported {told}", told=listed(told)) if told else m("reported nothing new")


def _gave(data: JsonObject) -> str:
    if "card" in data:
        return m("gave a {suit} card to the right", suit=suit_words(data["card"]))
    return m("gave a card to the right")


def _chose_sides(data: JsonObject) -> str:
    return nm("turned {n} contract over", "turned {n} contracts over", len(data["turned"]))


def _kept_route(data: JsonObject) -> str:
    if "card" in data:
        return m("has the route of {city}", city=spoken(data["card"]))
    return m("kept a route")


def _declared(data: JsonObject) -> str:
    goods = listed(good_words(name.partition("-")[0]) for name in data["contracts"])
    return m("has contracts for {goods}", goods=goods)


_SAID: Mapping[str, Callable[[JsonObject], str]] = {
    "sides": _chose_sides,
    "give": _gave,
    "route": _kept_route,
    "place": lambda data: m("begins in {city}", city=spoken(data["city"])),
    "declare": _declared,
    "market": lambda _: m("said how the market lies"),
    "move": lambda data: _went(data, m("moved on"), lambda city: m("moved on to {city}", city=city)),
    "motion": lambda data: _went(data, m("set out"), lambda city: m("set out to {city}", city=city)),
    "boost": lambda data: _went(data, m("boosted"), lambda city: m("boosted to {city}", city=city)),
    "draw": _drew,
    "stop": lambda _: m("drew no more"),
    "build": _built,
    "report": _reported,
    "upgrade": lambda data: m("improved the {part}", part=PART_WORDS[data["part"]]),
    "load": lambda data: m("loaded {good}", good=good_words(data["good"])),
    "dump": lambda data: m("put {good} back", good=good_words(data["good"])),
    "deliver": lambda data: m("delivered {good}", good=good_words(data["good"])),
    "finish": lambda _: m("ended the turn"),
    "pass": lambda _: m("passed"),
    "time": lambda _: m("turned a time card over"),
    "done": lambda _: m("has a final result"),
}
