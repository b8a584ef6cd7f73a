"""Puts the map together and writes it where the game reads it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from companion.games import empire_builder
from companion.games.empire_builder.rules.boards.names import edge_name, place_name
from lab.empire_builder.cartography.choices import CHOICES, Choices
from lab.empire_builder.cartography.landscape import landscape
from lab.empire_builder.cartography.outlines import outlines
from lab.empire_builder.cartography.sources import Sources, heights
from lab.empire_builder.cartography.survey import Survey, surveyed

HERE = Path(empire_builder.__path__[0])
MAP, OUTLINES = "rules/data/north_america.json", "printing/data/north_america_outlines.json"
LICENCE = (
    "Made from Natural Earth (public domain) and ETOPO5 (NOAA, public domain) by the program in the folder "
    "cartography, with the decisions of its choices.toml."
)


def make(packages: Path, out: Path = HERE) -> None:
    """Read the sources, survey the board, write map and outlines."""
    sources = Sources.in_folder(packages)
    land = landscape(sources, CHOICES)
    survey = surveyed(land, heights(sources), CHOICES)
    made = {"licence": LICENCE, "sources": sources.provenance()}
    write(out / MAP, {"made": made, **board_json(survey, CHOICES)})
    write(out / OUTLINES, {"made": made, **outlines(land, CHOICES)})


def board_json(survey: Survey, choices: Choices) -> dict[str, Any]:
    """The board as the game reads it."""
    return {
        "name": "North America",
        "columns": choices.columns,
        "rows": choices.rows,
        "mileposts": [
            [place_name(place), "mountain" if place in survey.mountains else "clear", country]
            for place, country in survey.country.items()
        ],
        "cities": [
            {
                "name": city.name,
                "size": city.size,
                "at": place_name(survey.cities[city.name]),
                "loads": list(city.loads),
            }
            for city in choices.cities
        ],
        "rivers": [
            {"name": name, "edges": [edge_name(one) for one in edges]}
            for name, edges in survey.rivers.items()
        ],
        "channels": [{"name": name, "edge": edge_name(one)} for name, one in survey.channels.items()],
        "closed": [edge_name(one) for one in survey.closed],
        "coasts": [
            {"sea": sea, "mileposts": [place_name(place) for place in places]}
            for sea, places in survey.coasts.items()
        ],
    }


def write(path: Path, value: dict[str, Any]) -> None:
    """Write JSON with one entry a line, so that a change can be read."""
    path.parent.mkdir(parents=True, exist_ok=True)
    parts = [f"{json.dumps(key)}: {_lines(entry)}" for key, entry in value.items()]
    path.write_text("{\n" + ",\n".join(parts) + "\n}\n")


def _lines(entry: Any) -> str:
    if isinstance(entry, list) and entry:
        return "[\n" + ",\n".join(json.dumps(item) for item in entry) + "\n]"
    return json.dumps(entry)
