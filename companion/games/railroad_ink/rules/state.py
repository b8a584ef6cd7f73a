"""A match of Railroad Ink as plain data, and the options it was begun with."""

from __future__ import annotations

import msgspec

from companion.games.contract import Mode, Option
from companion.games.railroad_ink.rules.blueprints import blueprint_walls, shipped_blueprints
from companion.games.railroad_ink.rules.board import (
    FREE_SPECIAL,
    MUST_DRAW,
    Board,
    FreeSpecial,
    MustDraw,
    Roll,
    Rules,
)
from companion.games.railroad_ink.rules.goals import GOALS
from companion.games.railroad_ink.rules.position import LONGEST, Longest, Position, WallEnds
from companion.games.railroad_ink.rules.rulebook import EDITION, EDITIONS, ROUNDS, EditionName
from companion.games.railroad_ink.rules.walls import Walls, parse_walls


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What was chosen before the match; the goals are in here once they have been drawn."""

    edition: EditionName = "challenge"
    goals: tuple[str, ...] = ()
    blueprint: str | tuple[str, ...] = ()
    longest: Longest = "trail"
    wall_ends: WallEnds = "error"
    must_draw: MustDraw = "fits"
    free_special: FreeSpecial = "round"
    labs: tuple[str, ...] = ()

    @property
    def walls(self) -> Walls:
        """The blueprint's walls."""
        named = isinstance(self.blueprint, str)
        return blueprint_walls(str(self.blueprint)) if named else parse_walls(self.blueprint)


OWN_WALLS = "own"  # the blueprint whose walls the host writes down

OPTIONS: tuple[Option, ...] = (
    Option("edition", "challenge", "which board and dice", EDITIONS),
    Option(
        "goals",
        "draw",
        "goals: draw three of all twelve, of the cards in the green or yellow box, or none",
        ("draw", "green", "yellow", "none"),
    ),
    Option(
        "goal_cards",
        "any",
        "the goal cards that lie on your table (none ticked: drawn as chosen under goals)",
        tuple(GOALS),
        several=True,
    ),
    Option(
        "blueprint", "", "walls on the board (own: as written below)", ("", *shipped_blueprints(), OWN_WALLS)
    ),
    Option("walls", "", "walls of your own card: a list such as c3-c4 d3-d4, or a blueprint file"),
    Option("longest", "trail", "how a space passed twice counts for the longest routes", LONGEST),
    Option("wall_ends", "error", "is a route end that faces a wall an error", ("error", "free")),
    Option(
        "must_draw", "fits", "which skipped dice are refused: that still fit, or would have fitted", MUST_DRAW
    ),
    Option("free_special", "round", "how long the third University's special route waits", FREE_SPECIAL),
    Option("labs", "none", "cells of the Research Labs of your solo board, such as b3 e5"),
)


class Better(msgspec.Struct, frozen=True):
    """A sentence about a round in which more dice could have been drawn, in other places."""

    round: int
    says: str


class State(msgspec.Struct, frozen=True):
    """Everything the rules know. ``dice`` is empty until this round's roll."""

    mode: Mode
    options: Options
    boards: dict[int, Board]
    round: int = 1
    dice: tuple[str, ...] = ()
    done: tuple[int, ...] = ()
    achieved: dict[str, dict[int, int]] = {}  # goal -> seat -> the round in which it was, 0: not known
    finished: bool = False
    better: dict[int, Better] = {}  # by seat, what its last round could have been
    dice_round: int = 0  # the round in which the dice on the table were rolled
    research_spent: int = 0
    out: tuple[int, ...] = ()  # seats that nobody plays: their boards stay, and nobody waits for them

    @property
    def rules(self) -> Rules:
        """What drawing depends on."""
        chosen = self.options
        return Rules(EDITION[chosen.edition], chosen.walls, chosen.must_draw, chosen.free_special)

    @property
    def roll(self) -> Roll:
        """This round's roll."""
        return Roll(self.round, self.dice or None)

    @property
    def awaited(self) -> list[int]:
        """The seats that have not finished this round."""
        return [seat for seat in self.boards if seat not in self.done and seat not in self.out]

    @property
    def last_round(self) -> bool:
        """Is this the last round?"""
        return self.round == ROUNDS


def position_of(state: State, seat: int, up_to_round: int = ROUNDS) -> Position:
    """A seat's board as the scorer wants it, without the goals; later rounds left away."""
    board = state.boards[seat]
    if up_to_round < ROUNDS:
        board = board.before_round(up_to_round + 1)
    chosen = state.options
    return Position(
        cells=board.cells(),
        edition=EDITION[chosen.edition],
        rounds=board.rounds(),
        longest=chosen.longest,
        walls=chosen.walls,
        wall_ends=chosen.wall_ends,
    )
