"""How routes are called in sentences."""

from __future__ import annotations

from companion.games.railroad_ink.rules.routes import Route, parse_route, shape_of

SHAPE_NAMES: dict[str, str] = {
    "NS": "straight highway",
    "NE": "highway curve",
    "NES": "highway T",
    "NESW": "highway crossroads",
    "ns": "straight railway",
    "ne": "railway curve",
    "nes": "railway T",
    "nesw": "railway crossing",
    "NS|ew": "overpass",
    "NE|SW": "double highway curve",
    "ne|sw": "double railway curve",
    "N*": "highway terminal",
    "n*": "railway terminal",
    "Ns*": "straight station",
    "Ne*": "curve station",
    "NSe*": "highway station with a railway",
    "nsE*": "railway station with a highway",
    "NEsw*": "corner station of two highways and two railways",
    "NeSw*": "crossing station of two highways and two railways",
    "NESw*": "station of three highways and a railway",
    "Nesw*": "station of three railways and a highway",
}


def route_words(route: Route | str) -> str:
    """What a route is called, and how it is written as given.

    >>> route_words("ESW")
    'highway T ESW'
    """
    drawn = parse_route(route) if isinstance(route, str) else route
    return f"{SHAPE_NAMES[shape_of(drawn)]} {drawn.text}"
