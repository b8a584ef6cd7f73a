"""The rules of every expansion by name, and what the rest of the engine asks of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from companion.core.remembering import remembered
from companion.games.railroad_ink.rules.boards.position import Position
from companion.games.railroad_ink.rules.expansions.arcade import (
    GALACTIC_INVADERS,
    PLUCK_MAN,
    RAINBOW,
    TETROMINO,
)
from companion.games.railroad_ink.rules.expansions.classic_boxes import (
    LAKE_RULES,
    LAVA_RULES,
    METEOR_RULES,
    RIVER_RULES,
)
from companion.games.railroad_ink.rules.expansions.eldritch import INVESTIGATION, PORTAL, RITUAL, TENTACLE
from companion.games.railroad_ink.rules.expansions.engineer import CONSTRUCTION, RENOVATION
from companion.games.railroad_ink.rules.expansions.frame import Placement, Rules, StarLine, Turn, no_faults
from companion.games.railroad_ink.rules.expansions.lush_green import FOREST, TRAIL
from companion.games.railroad_ink.rules.expansions.shining_yellow import CANYON, DESERT
from companion.games.railroad_ink.rules.expansions.skies import (
    AIRLINE,
    ALIEN_FARMER,
    CITY_BUILDER,
    POWER_GRID,
    STREET_LAMPS,
    SUPERCONNECTION,
    WEATHER,
)
from companion.games.railroad_ink.rules.expansions.tables import TABLES, parts_of, table_of
from companion.games.railroad_ink.rules.expansions.underground import UNDERGROUND, UNDERGROUND_ALONE
from companion.games.railroad_ink.rules.rulebook import NEIGHBOURS
from companion.games.railroad_ink.rules.scoring.network import Tracks
from companion.sheets.grid import DIRECTIONS, opposite

RULES: Mapping[str, Rules] = {
    "forest": FOREST,
    "trail": TRAIL,
    "desert": DESERT,
    "canyon": CANYON,
    "river": RIVER_RULES,
    "lake": LAKE_RULES,
    "lava": LAVA_RULES,
    "meteor": METEOR_RULES,
    "superconnection": SUPERCONNECTION,
    "city-builder": CITY_BUILDER,
    "alien-farmer": ALIEN_FARMER,
    "weather": WEATHER,
    "airline": AIRLINE,
    "street-lamps": STREET_LAMPS,
    "power-grid": POWER_GRID,
    "construction": CONSTRUCTION,
    "renovation": RENOVATION,
    "separation": Rules(),
    "special": Rules(),
    "galactic-invaders": GALACTIC_INVADERS,
    "pluck-man": PLUCK_MAN,
    "rainbow": RAINBOW,
    "tetromino": TETROMINO,
    "portal": PORTAL,
    "ritual": RITUAL,
    "tentacle": TENTACLE,
    "investigation": INVESTIGATION,
    "underground": UNDERGROUND,
    "underground-alone": UNDERGROUND_ALONE,
}


@remembered(64)
def rules_of(expansion: str) -> Rules:
    """The rules of an expansion, or of several played together: each goes by its own dice."""
    parts = [(TABLES[part], RULES[part]) for part in parts_of(expansion)]
    if len(parts) == 1:
        return parts[0][1]

    def placed(position: Position, turn: Turn) -> Iterator[Placement]:
        for table, rules in parts:
            own = tuple(face for face in turn.left if face in table.faces)
            rolled = tuple(face for face in turn.rolled if face in table.faces)
            yield from rules.placements(position, replace(turn, left=own, rolled=rolled))

    def counted(position: Position) -> Iterator[StarLine]:
        for _, rules in parts:
            yield from rules.points(position)

    def laid(position: Position, tracks: Tracks) -> Tracks:
        for _, rules in parts:
            tracks = rules.tracks(position, tracks)
        return tracks

    def wrong(position: Position) -> Iterator[str]:
        for _, rules in parts:
            yield from rules.faults(position)

    goals = {code: shown for _, rules in parts for code, shown in rules.goals.items()}
    limits = wrong if any(rules.faults is not no_faults for _, rules in parts) else no_faults
    return Rules(placed, counted, laid, goals, limits)


def with_expansion(position: Position, tracks: Tracks) -> Tracks:
    """The tracks of a board with what its expansion joins, and without the ends that are no errors there."""
    shields = table_of(position.expansion).shields
    if shields:
        signs = position.having(*shields)
        shielded = {
            (other, opposite(way))
            for cell in signs
            if cell not in position.cells
            for way in DIRECTIONS
            if (other := NEIGHBOURS[cell][way]) >= 0
        }
        kept = [end for end in tracks.loose if end[:2] not in shielded]
        tracks = replace(tracks, loose=kept)
    return rules_of(position.expansion).tracks(position, tracks)


def star_lines(position: Position) -> tuple[StarLine, ...]:
    """The points for the star box, line by line."""
    return tuple(rules_of(position.expansion).points(position)) if position.expansion else ()


def placements(position: Position, turn: Turn) -> Iterator[Placement]:
    """Yield the legal placements of the expansion dice; only those that must come first, if there are any."""
    table = table_of(position.expansion)
    first = [face for face in turn.left if face in table.first]
    asked = replace(turn, left=tuple(first)) if first else turn
    seen = set()
    for placement in rules_of(position.expansion).placements(position, asked):
        if placement not in seen:
            seen.add(placement)
            yield placement
