"""What is settled before a match of Railroad Ink: options, the goals drawn or chosen, walls."""

from __future__ import annotations

import re

import msgspec

from companion.games.contract import Chance, Mode, NoChance, Plain, Refusal, Wishes, drawn
from companion.games.kit.errors import GameError
from companion.games.kit.grid import quoted
from companion.games.kit.jsontext import as_plain, shaped
from companion.games.kit.records import replaced
from companion.games.railroad_ink.rules.blueprints import parse_blueprint
from companion.games.railroad_ink.rules.expansions.tables import TABLES
from companion.games.railroad_ink.rules.goals import BOXES, GOALS
from companion.games.railroad_ink.rules.rulebook import EDITION, GOAL_RACE, GRID
from companion.games.railroad_ink.rules.state import NO_EXPANSION, OTHER, OWN_WALLS, Options
from companion.games.railroad_ink.rules.walls import parse_walls, print_walls

MOST_ROUNDS = 20


def setup(wishes: Wishes, chance: Chance) -> Plain | Refusal:
    """Fill up the options and draw the goals."""
    wanted = dict(wishes.options)
    goals = wanted.pop("goals", "draw")
    cards = wanted.pop("goal_cards", "any")
    if isinstance(cards, list):  # ticked, or written down
        goals = cards or goals
    elif str(cards).strip().lower() not in ("", "any"):
        goals = _words(str(cards).upper())
    labs = wanted.pop("labs", ())
    named = _words(labs.lower()) if isinstance(labs, str) else labs
    wanted["labs"] = [] if named == ["none"] else named
    wanted["rounds"] = str(wanted.get("rounds", "usual"))
    fault = _take_walls(wanted)
    if fault is not None:
        return fault
    options = shaped(wanted, Options, "bad-option")
    fault = _options_fault(options, wishes.seats)
    if fault is not None:
        return fault
    chosen = _goals(goals, options, chance)
    if isinstance(chosen, Refusal):
        return chosen
    options = replaced(options, goals=chosen)
    _ = options.walls  # an unknown blueprint is said now, not in the first round
    told = as_plain(options)
    for newer, usual in (("labs", []), ("expansion", NO_EXPANSION), ("rounds", "usual")):
        if told[newer] == usual:  # as matches were begun before there were these
            del told[newer]
    return {"mode": wishes.mode, "seats": wishes.seats, "options": told}


def _take_walls(wanted: Plain) -> Refusal | None:
    """The walls of an own card as the blueprint."""
    walls = str(wanted.pop("walls", ""))
    if wanted.get("blueprint") == "":
        del wanted["blueprint"]
    if wanted.get("blueprint") != OWN_WALLS:
        return None
    if not walls.strip():
        return Refusal("bad-option", "write down the walls of your own card, or choose another blueprint")
    wanted["blueprint"] = own_walls(walls)
    return None


def _options_fault(options: Options, seats: int) -> Refusal | None:
    """What does not go together."""
    if options.expansion not in (NO_EXPANSION, OTHER, *TABLES):
        names = ", ".join((NO_EXPANSION, *TABLES, OTHER))
        message = f"there is no expansion {quoted(options.expansion)}: they are {names}"
        return Refusal("bad-option", message)
    number = options.rounds
    if number != "usual" and not (number.isdecimal() and 1 <= int(number) <= MOST_ROUNDS):
        return Refusal("bad-option", f"rounds: say how many, 1 to {MOST_ROUNDS}, or usual")
    if options.table is not None and options.table.replaces not in ("", *EDITION[options.edition].dice):
        return Refusal("bad-option", "this expansion's die does not belong to the edition")
    if options.labs and seats > 1:
        return Refusal("bad-option", "Research Labs are on solo boards only")
    for cell in options.labs:
        GRID.cell(cell)
    return None


def own_walls(text: str) -> list[str]:
    """The walls of somebody's own card: a list such as ``c3-c4, d3-d4``, or a file like those of this folder.

    >>> own_walls("c4-c3 d3-d4"), own_walls("name = 'Mine'\\nabout = 'A wall.'\\nwalls = ['c3-c4']")
    (['c3-c4', 'd3-d4'], ['c3-c4'])
    """
    texts = parse_blueprint(text.encode(), "walls").walls if "=" in text else _words(text.lower())
    return print_walls(parse_walls(texts))


def option_faults(options: Plain) -> list[str]:
    """What is wrong with the owner's walls, if there are any."""
    try:
        own_walls(str(options.get("walls", "")))
    except GameError as problem:
        return [f"walls, {problem.message}"]
    return []


def _words(text: str) -> list[str]:
    return [word for word in re.split(r"[\s,;]+", text) if word]


class _Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    mode: Mode
    seats: int
    options: Options


def setup_fault(data: Plain, wishes: Wishes) -> Refusal | None:
    """Why a stored setup could not have come out of :func:`setup`."""
    stored = shaped(data, _Setup)
    if (stored.mode, stored.seats) != (wishes.mode, wishes.seats):
        return Refusal("bad-setup", "the setup is for another mode or another number of seats")
    goals = list(stored.options.goals) or "none"
    again = setup(Wishes(wishes.seats, wishes.mode, {**data["options"], "goals": goals}), NoChance())
    if isinstance(again, Refusal):
        return again
    return None if again == data else Refusal("bad-setup", "the rules make another setup of these options")


def _goals(wish: object, options: Options, chance: Chance) -> tuple[str, ...] | Refusal:
    if wish == "none" or not EDITION[options.edition].goals:
        return ()
    if wish == "draw" or (isinstance(wish, str) and wish in BOXES):
        pile = sorted(GOALS) if wish == "draw" else BOXES[wish]
        own = list(options.table.goals) if options.table is not None else []
        basic = tuple(drawn(pile, GOAL_RACE.drawn - bool(own), chance))
        return (*basic, *drawn(own, 1, chance)) if own else basic
    codes = shaped(wish, tuple[str, ...], "bad-option")
    known = [*GOALS, *(options.table.goals if options.table is not None else ())]
    unknown = next((code for code in codes if code not in known), None)
    if unknown is not None:
        return Refusal("unknown-goal", f"there is no goal {unknown!r}: the codes are {', '.join(known)}")
    if len(set(codes)) != len(codes) or len(codes) > GOAL_RACE.drawn:
        return Refusal("bad-option", f"choose up to {GOAL_RACE.drawn} different goals")
    return codes
