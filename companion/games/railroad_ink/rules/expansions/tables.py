"""The tables of ``expansions.toml``, read once and checked: dice, rounds, signs, goals, house rules."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files

import msgspec

from companion.core.messages import joined, table_text
from companion.core.remembering import remembered


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One expansion as it stands in the file; an unknown key is an error."""

    title: str
    box: str
    rounds: int
    dice: dict[str, tuple[str, ...]]
    roll: tuple[str, ...] = ()
    marks: dict[str, str] = {}  # sign -> kind of place, and what may stand behind its colon
    rounds_known: bool = True
    extra_roll: bool = False  # the dice are thrown once more after the last round
    must: int = 0
    must_faces: tuple[str, ...] = ()
    first: tuple[str, ...] = ()
    last: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()  # what a drawn face may leave to be done
    boxes: tuple[str, ...] = ()
    fills: tuple[str, ...] = ()
    on_routes: tuple[str, ...] = ()  # signs that are only written where a route is drawn
    beneath: tuple[str, ...] = ()  # signs of `fills` that lie under routes as well
    alters: bool = False  # drawn routes change or vanish
    neighbours: bool = False  # its dice also write on the boards of neighbours
    shields: tuple[str, ...] = ()
    start: dict[str, str] = {}
    goals: dict[str, str] = {}
    replaces: str = ""  # the white die that `route_die` takes the place of
    route_die: str = ""
    second_board: bool = False
    own_dice: tuple[str, ...] = ()  # the route dice of a game of its own, in the place of all others
    copies: int = 0  # how many of them may be drawn twice in it, instead of special routes
    house: bool = False

    @property
    def own_board(self) -> bool:
        """True if it has a board of its own and so is played without other expansions."""
        return self.second_board or bool(self.own_dice)

    @property
    def faces(self) -> frozenset[str]:
        """Every face that is drawn by the expansion's own rules."""
        return frozenset(face for name in self.roll for face in self.dice[name]) | {*self.steps}

    @property
    def by_house_rules(self) -> bool:
        """True if something is played as this project states it, because no source says it."""
        return self.house or not self.rounds_known


def _load() -> dict[str, Table]:
    text = files(__package__).joinpath("expansions.toml").read_bytes()
    return msgspec.toml.decode(text, type=dict[str, Table])


TABLES: dict[str, Table] = _load()
# The dice that are thrown along with the route dice, by their names; several expansions share no name.
EXPANSION_DICE: dict[str, tuple[str, ...]] = {
    name: faces for table in TABLES.values() for name, faces in table.dice.items()
}
EXPANSION_GOALS: dict[str, str] = {
    code: text for table in TABLES.values() for code, text in table.goals.items()
}


def begins_with(expansion: str, spread: Callable[[str], str]) -> dict[str, str]:
    """What is written on a board before the first round; ``spread`` names its cells on a larger board."""
    return {spread(place): text for place, text in table_of(expansion).start.items()}


# --- several at once ---

_LONGEST = len("+".join(TABLES))  # all of them together


def parts_of(expansion: str) -> tuple[str, ...]:
    """The expansions that are played together; they are written with a plus sign between them.

    >>> parts_of("forest+river"), parts_of("lake"), parts_of("")
    (('forest', 'river'), ('lake',), ())
    """
    return tuple(expansion.split("+")) if expansion else ()


def known_expansion(expansion: str) -> bool:
    """Return True for an expansion that the rules know, or a combination of them without repetition."""
    parts = parts_of(expansion) if len(expansion) <= _LONGEST else ()
    return bool(parts) and len({*parts}) == len(parts) and all(part in TABLES for part in parts)


def title_words(expansion: str) -> str:
    """What an expansion is called, or several played together.

    >>> title_words("forest+river")
    'Forest, River'
    """
    return joined(", ", [table_text(TABLES[part].title) for part in parts_of(expansion)])


@remembered(64)
def table_of(expansion: str) -> Table:
    """The tables of an expansion, or of several played together.

    >>> table_of("forest+river").roll
    ('Forest', 'Forest', 'River', 'River')
    """
    parts = [TABLES[part] for part in parts_of(expansion)]
    if len(parts) == 1:
        return parts[0]
    start: dict[str, str] = {}
    for place, text in ((place, text) for table in parts for place, text in table.start.items()):
        start[place] = f"{start[place]} {text}" if place in start else text
    return Table(
        title=", ".join(table.title for table in parts),
        box=", ".join(dict.fromkeys(table.box for table in parts)),
        rounds=max(table.rounds for table in parts),
        dice={name: faces for table in parts for name, faces in table.dice.items()},
        roll=tuple(name for table in parts for name in table.roll),
        marks={sign: told for table in parts for sign, told in table.marks.items()},
        rounds_known=all(table.rounds_known for table in parts),
        extra_roll=any(table.extra_roll for table in parts),
        must_faces=tuple(face for table in parts for face in table.must_faces),
        must=max(table.must for table in parts),
        # what may be left out would keep the other dice waiting
        first=tuple(
            face
            for table in parts
            if table.must or {*table.must_faces} & {*table.first}
            for face in table.first
        ),
        last=tuple(face for table in parts for face in table.last),
        steps=tuple(face for table in parts for face in table.steps),
        boxes=tuple(dict.fromkeys(box for table in parts for box in table.boxes)),
        fills=tuple(sign for table in parts for sign in table.fills),
        on_routes=tuple(sign for table in parts for sign in table.on_routes),
        beneath=tuple(sign for table in parts for sign in table.beneath),
        alters=any(table.alters for table in parts),
        neighbours=any(table.neighbours for table in parts),
        shields=tuple(sign for table in parts for sign in table.shields),
        start=start,
        goals={code: text for table in parts for code, text in table.goals.items()},
        second_board=any(table.second_board for table in parts),
        house=True,
    )
