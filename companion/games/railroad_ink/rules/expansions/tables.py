"""The tables of ``expansions.toml``, read once and checked: dice, rounds, signs, goals, house rules."""

from __future__ import annotations

from importlib.resources import files

import msgspec


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
    shields: tuple[str, ...] = ()
    start: dict[str, str] = {}
    goals: dict[str, str] = {}
    replaces: str = ""  # the white die that `route_die` takes the place of
    route_die: str = ""
    second_board: bool = False
    house: bool = False

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
