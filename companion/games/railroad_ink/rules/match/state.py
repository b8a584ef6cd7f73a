"""A match of Railroad Ink as plain data, and the options it was begun with."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

import msgspec

from companion.core.messages import m, table_text
from companion.core.records import replaced
from companion.game.base import Coaching, Mode, Option
from companion.games.railroad_ink.rules.blueprints import blueprint_walls, shipped_blueprints
from companion.games.railroad_ink.rules.boards.board import (
    FREE_SPECIAL,
    MUST_DRAW,
    Board,
    FreeSpecial,
    MustDraw,
    Roll,
    Rules,
)
from companion.games.railroad_ink.rules.boards.layouts import SIZES, Size
from companion.games.railroad_ink.rules.boards.position import LONGEST, Longest, Position, WallEnds
from companion.games.railroad_ink.rules.boards.walls import Walls, parse_walls
from companion.games.railroad_ink.rules.expansions.marks import Marks
from companion.games.railroad_ink.rules.expansions.playing import marks_on
from companion.games.railroad_ink.rules.expansions.tables import (
    EXPANSION_GOALS,
    TABLES,
    Table,
    known_expansion,
    parts_of,
    table_of,
)
from companion.games.railroad_ink.rules.rulebook import EDITIONS, USUAL, Edition, EditionName, edition_with
from companion.games.railroad_ink.rules.scoring.goals import GOALS, goal_text

# How well bots play, and the points that each came to on average, in classic, alone: `lab.bots_bench`.
BotLevel: TypeAlias = Literal["child", "casual", "good", "best"]
BOT_POINTS: dict[BotLevel, int] = {"child": 40, "casual": 46, "good": 58, "best": 59}


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
    expansion: str = "none"  # its name, several on a larger board (``forest+river``), or OTHER
    size: Size = "usual"
    rounds: str = "usual"  # as many as the expansion has, or a number
    bots: BotLevel = "good"
    coach: Coaching = "seats"

    @property
    def known(self) -> str:
        """The expansion, if the rules know it."""
        return self.expansion if known_expansion(self.expansion) else ""

    @property
    def board(self) -> Edition:
        """The edition, with the dice as the expansion changes them."""
        return edition_with(self.edition, self.known, self.size)

    @property
    def table(self) -> Table | None:
        """The tables of the expansion, if it is known."""
        return table_of(self.expansion) if self.known else None

    @property
    def all_rounds(self) -> int:
        """How many rounds the match has, the one in which only the expansion's dice are thrown included."""
        table = self.table
        layout = self.board.layout
        usual = table.rounds if table and layout is USUAL else layout.rounds
        if table and table.second_board and layout is not USUAL:
            usual *= 2
        number = usual if self.rounds == "usual" else int(self.rounds)
        return number + bool(table and table.extra_roll)

    @property
    def walls(self) -> Walls:
        """The walls of the blueprint."""
        named = isinstance(self.blueprint, str)
        layout = self.board.layout
        if named:
            return blueprint_walls(str(self.blueprint), layout)
        return parse_walls(self.blueprint, layout)


NO_EXPANSION, OTHER = "none", "other"  # other: an expansion whose points are counted by hand
OWN_WALLS = "own"  # the blueprint whose walls the host writes down

ROUND_CHOICES = ("usual", "5", "6", "7", "8", "12", "14")
OPTIONS: tuple[Option, ...] = (
    Option(
        "edition",
        "challenge",
        m("which board and dice"),
        EDITIONS,
        words=(m("Challenge: with goals, villages and factories"), m("the classic board and dice")),
    ),
    Option(
        "goals",
        "draw",
        m("which goals are played for"),
        ("draw", "green", "yellow", "none"),
        words=(
            m("three of all twelve"),
            m("three of the green box"),
            m("three of the yellow box"),
            m("without goals"),
        ),
    ),
    Option(
        "goal_cards",
        "any",
        m("the goal cards that lie on your table; tick none, and they are drawn"),
        (*GOALS, *EXPANSION_GOALS),
        several=True,
        words=tuple(goal_text(code) for code in (*GOALS, *EXPANSION_GOALS)),
    ),
    Option(
        "blueprint",
        "",
        m("walls on the board"),
        ("", *shipped_blueprints(), OWN_WALLS),
        words=(
            m("no walls"),
            *(one.title for one in shipped_blueprints().values()),
            m("walls of my own, written below"),
        ),
    ),
    Option(
        "walls",
        "",
        m("the walls of your own card"),
        written=m("each between two cells, such as c3-c4 d3-d4; or the card's file"),
    ),
    Option(
        "longest",
        "trail",
        m("how a space passed twice counts for the longest routes"),
        LONGEST,
        words=(m("it counts once"), m("it may not be passed twice"), m("every pass counts")),
    ),
    Option(
        "wall_ends",
        "error",
        m("is a route that ends at a wall an error"),
        ("error", "free"),
        words=(m("it is an error"), m("it costs nothing")),
    ),
    Option(
        "must_draw",
        "fits",
        m("which dice have to be drawn"),
        MUST_DRAW,
        words=(m("those that still fit"), m("those that would have fitted")),
    ),
    Option(
        "free_special",
        "round",
        m("how long the third University's special route waits"),
        FREE_SPECIAL,
        words=(m("until the round ends"), m("until the match ends")),
    ),
    Option(
        "expansion",
        NO_EXPANSION,
        m("an expansion whose dice are thrown as well"),
        (NO_EXPANSION, *TABLES, OTHER),
        words=(
            m("no expansion"),
            *(table_text(table.title) for table in TABLES.values()),
            m("another one, its points counted by hand"),
        ),
    ),
    Option(
        "more",
        "none",
        m("further expansions whose dice are thrown as well, on a giant or an epic board"),
        tuple(TABLES),
        several=True,
        words=tuple(table_text(table.title) for table in TABLES.values()),
    ),
    Option(
        "size",
        "usual",
        m("how large the boards are"),
        SIZES,
        words=(m("usual, 7 x 7"), m("giant, 9 x 9"), m("epic, 11 x 11")),
    ),
    Option(
        "rounds",
        "usual",
        m("how many rounds are played"),
        ROUND_CHOICES,
        words=(m("as the rules say"), *ROUND_CHOICES[1:]),
    ),
    Option(
        "bots",
        "good",
        m("how well bots play; their points are those of the classic board, alone"),
        tuple(BOT_POINTS),
        words=(
            m("like a child: about {points} points", points=BOT_POINTS["child"]),
            m("like somebody now and then: about {points} points", points=BOT_POINTS["casual"]),
            m("well: about {points} points", points=BOT_POINTS["good"]),
            m("as well as they can: about {points} points", points=BOT_POINTS["best"]),
        ),
    ),
    Option(
        "coach",
        "seats",
        m("what the coach says of drawings"),
        get_args(Coaching),
        words=(
            m("after each round, on one's own phone"),
            m("after each round, on the table's screen, too"),
            m("hints while drawing, too"),
        ),
    ),
    Option(
        "labs",
        "",
        m("the Research Labs of your solo board"),
        written=m("their cells, such as b3 e5; left empty, there are none"),
    ),
)


class Better(msgspec.Struct, frozen=True):
    """A sentence about a round in which more dice could have been drawn, in other places."""

    round: int
    says: str


class State(msgspec.Struct, frozen=True):
    """The complete state of a match; ``dice`` is empty until this round's roll."""

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
    extra: tuple[str, ...] = ()  # the faces of the expansion's dice
    stars: dict[int, int] = {}  # by seat, points for the star box that were counted by hand
    out: tuple[int, ...] = ()  # seats that nobody plays: their boards stay, and nobody waits for them
    thrown: tuple[tuple[str, ...], ...] = ()  # the faces of the rounds that are over, an expansion's included
    behind: dict[int, int] = {}  # late guests, and the round that each draws of those they have missed
    caught_up: dict[int, int] = {}  # late guests, and the round in which they had drawn all they had missed

    @property
    def rules(self) -> Rules:
        """The rules on which drawing depends."""
        chosen = self.options
        return Rules(chosen.board, chosen.walls, chosen.must_draw, chosen.free_special, chosen.known)

    @property
    def roll(self) -> Roll:
        """The roll of the current round."""
        return Roll(self.round, self.dice or (() if self.extra else None))

    @property
    def lies(self) -> bool:
        """Return True if this round's dice have been rolled."""
        return bool(self.dice or self.extra)

    @property
    def only_extra(self) -> bool:
        """Return True in a round with the expansion's dice alone: below ground, or after the usual rounds."""
        table = self.options.table
        if table is None:
            return False
        below = table.second_board and self.round % 2 == 0
        return below or (table.extra_roll and self.round == self.options.all_rounds)

    @property
    def extra_dice(self) -> tuple[str, ...]:
        """The expansion's dice that are thrown in this round, by their names."""
        table = self.options.table
        if table is None or (table.second_board and not self.only_extra):
            return ()
        if self.only_extra and table.extra_roll:
            parts = map(table_of, parts_of(self.options.known))
            return tuple(die for part in parts if part.extra_roll for die in part.roll)
        return table.roll

    @property
    def awaited(self) -> list[int]:
        """The seats that have not finished this round; for late guests only the last one waits."""
        late = () if self.last_round else self.behind
        return [
            seat for seat in self.boards if not any(seat in those for those in (self.done, self.out, late))
        ]

    @property
    def last_round(self) -> bool:
        """Return True in the last round."""
        return self.round == self.options.all_rounds

    def at_seat(self, seat: int) -> State:
        """The match as a seat plays it: before a late guest lie the dice of a round that it missed."""
        number = self.behind.get(seat)
        if number is None:
            return self
        behind = {other: round_ for other, round_ in self.behind.items() if other != seat}
        there = replaced(self, round=number, behind=behind)
        faces = self.thrown[number - 1]
        count = 0 if there.only_extra else len(self.options.board.dice)
        return replaced(there, dice=faces[:count], extra=faces[count:], dice_round=number)


def marks_of(state: State, board: Board) -> Marks:
    """What an expansion wrote on a board; of a scorekeeper's what was reported, which holds the beginning."""
    known = state.options.known
    return marks_on(known, board, begun=state.mode == "umpire") if known else {}


def position_of(state: State, seat: int, up_to_round: int = 0) -> Position:
    """A seat's board as the scorer wants it, without the goals; rounds after a given one left away."""
    board = state.boards[seat]
    if up_to_round:
        board = board.before_round(up_to_round + 1)
    chosen = state.options
    return Position(
        cells=board.cells(),
        edition=chosen.board,
        rounds=board.rounds(),
        expansion_points=state.stars.get(seat, 0),
        expansion=chosen.known,
        marks=marks_of(state, board),
        longest=chosen.longest,
        walls=chosen.walls,
        wall_ends=chosen.wall_ends,
    )
