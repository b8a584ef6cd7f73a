"""Where the mileposts of an owner's map are printed, as the owner's file may say beside the map itself.

In a table they are lines ``spot,ao38,812 455``, and ``size,,1500 990`` says in which plane they were
measured; in JSON the keys ``"spots": {"ao38": [812, 455]}`` and ``"size"``. Without a size they are pixels of
the photograph from which the map is taught. A file that says nothing else is about our own map.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from companion.core.errors import NotationError, quoted
from companion.core.jsontext import json_of
from companion.core.messages import m
from companion.games.empire_builder.rules.boards.names import place_called, place_name
from companion.games.empire_builder.rules.boards.tables import plain, rows
from companion.games.empire_builder.rules.boards.wholemap import CORRECTIONS, divided
from companion.sheets.drawing import Point

_COLUMNS = ("what", "where", "kind")
_SPOT, _SIZE = "spot", "size"
_MOST = 5000  # mileposts; more have no room on any table


@dataclass(frozen=True)
class Spots:
    """The places of mileposts by name, and the size of the plane in which they were measured."""

    places: Mapping[str, Point]
    size: Point | None = None


class _InJson(msgspec.Struct, frozen=True):
    spots: dict[str, Point] = {}
    size: Point | None = None


def divided_spots(text: str) -> tuple[str, Spots]:
    """The map without what is said of places, and the places; lines keep their numbers."""
    text = text.removeprefix("\ufeff")
    if text.lstrip().startswith("{"):
        return _from_json(text)
    first = next((line for line in text.splitlines() if line.strip()), "")
    if not plain(first).startswith("what where"):
        return text, Spots({})
    lines, faults = text.splitlines(), list[tuple[int, str]]()
    places: dict[str, Point] = {}
    size: Point | None = None
    for number, row in rows(text, _COLUMNS, {}, faults):
        what, where, at = [*row, "", ""][:3]
        if plain(what) not in (_SPOT, _SIZE):
            continue
        lines[number - 1] = ""
        if plain(what) == _SIZE:
            size = _point(at, number)
        else:
            places[_milepost(where)] = _point(at, number)
    left = [line for line in lines if line.strip()]
    return ("\n".join(lines) if len(left) > 1 else ""), _checked(Spots(places, size))


def _from_json(text: str) -> tuple[str, Spots]:
    whole, corrections = divided(text)
    try:
        plainly = msgspec.json.decode(whole)
    except msgspec.DecodeError:
        return text, Spots({})  # whoever reads the map says what is wrong with it
    try:
        told = msgspec.convert(plainly, _InJson)
    except msgspec.ValidationError as problem:
        raise NotationError("bad-map", m("the map is not JSON: {problem}", problem=problem)) from None
    if not {"spots", _SIZE} & plainly.keys():
        return text, Spots({})
    places = {_milepost(name): place for name, place in told.spots.items()}
    rest = {key: value for key, value in plainly.items() if key not in ("spots", _SIZE)}
    left = json_of(rest).decode() if rest else ""
    if corrections:  # their lines keep their numbers
        lines = whole.count("\n") + 1
        left += "\n" * lines + f"{CORRECTIONS}\n{corrections[lines + 1 :]}"
    return left, _checked(Spots(places, told.size))


def _milepost(name: str) -> str:
    return place_name(place_called(name.lower()))


def _point(words: str, line: int) -> Point:
    try:
        x, y = (float(word) for word in words.replace(",", " ").replace(";", " ").split())
    except ValueError:
        raise NotationError(
            "bad-map", m("line {line}: {words} is no place: write x and y", line=line, words=quoted(words))
        ) from None
    return x, y


def _checked(spots: Spots) -> Spots:
    if len(spots.places) > _MOST:
        raise NotationError("bad-map", m("at most {most} mileposts have a place", most=_MOST))
    return spots
