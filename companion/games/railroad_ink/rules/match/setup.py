"""What is settled before a match of Railroad Ink: options, the goals drawn or chosen, walls."""

from __future__ import annotations

import re
from collections import Counter

import msgspec

from companion.core.errors import GameError, quoted
from companion.core.jsontext import JsonObject, as_plain, shaped
from companion.core.messages import m
from companion.core.records import replaced
from companion.game.base import Chance, MatchRequest, Mode, NoChance, Refusal, drawn
from companion.games.railroad_ink.rules.blueprints import parse_blueprint
from companion.games.railroad_ink.rules.boards.layouts import Layout
from companion.games.railroad_ink.rules.boards.walls import parse_walls, print_walls
from companion.games.railroad_ink.rules.expansions.tables import TABLES, parts_of
from companion.games.railroad_ink.rules.match.state import NO_EXPANSION, OTHER, OWN_WALLS, Options
from companion.games.railroad_ink.rules.rulebook import EDITION, GOAL_RACE, LAYOUTS, USUAL
from companion.games.railroad_ink.rules.scoring.goals import BOXES, GOALS

MOST_ROUNDS = 20
_NEWER = {
    "labs": [],
    "expansion": NO_EXPANSION,
    "rounds": "usual",
    "size": "usual",
    "bots": "good",
    "coach": "seats",
}


def setup(request: MatchRequest, chance: Chance) -> JsonObject | Refusal:
    """Fill up the options and draw the goals."""
    wanted = dict(request.options)
    goals = wanted.pop("goals", "draw")
    cards = wanted.pop("goal_cards", "any")
    if isinstance(cards, list):  # ticked, or written down
        goals = cards or goals
    elif str(cards).strip().lower() not in ("", "any"):
        goals = _words(str(cards).upper())
    labs = wanted.pop("labs", ())
    named = _words(labs.lower()) if isinstance(labs, str) else labs
    wanted["labs"] = [] if named == ["none"] else named
    fault = _take_expansions(wanted)
    if fault is not None:
        return fault
    wanted["rounds"] = str(wanted.get("rounds", "usual"))
    fault = _take_walls(wanted)
    if fault is not None:
        return fault
    options = shaped(wanted, Options, "bad-option")
    fault = _options_fault(options, request.seats)
    if fault is not None:
        return fault
    chosen = _goals(goals, options, chance)
    if isinstance(chosen, Refusal):
        return chosen
    options = replaced(options, goals=chosen)
    _ = options.walls  # an unknown blueprint is said now, not in the first round
    told = as_plain(options)
    for newer, usual in _NEWER.items():
        if told[newer] == usual:  # as matches were begun before there were these
            del told[newer]
    return {"mode": request.mode, "seats": request.seats, "options": told}


def _take_walls(wanted: JsonObject) -> Refusal | None:
    """The walls of an own card as the blueprint."""
    walls = str(wanted.pop("walls", ""))
    if wanted.get("blueprint") == "":
        del wanted["blueprint"]
    if wanted.get("blueprint") != OWN_WALLS:
        return None
    if not walls.strip():
        return Refusal("bad-option", m("write down the walls of your own card, or choose another blueprint"))
    wanted["blueprint"] = own_walls(walls, _layout(wanted))
    return None


def _options_fault(options: Options, seats: int) -> Refusal | None:
    """What does not go together."""
    fault = _expansion_fault(options)
    if fault is not None:
        return fault
    number = options.rounds
    if number != "usual" and not (number.isdecimal() and 1 <= int(number) <= MOST_ROUNDS):
        return Refusal(
            "bad-option", m("rounds: say how many, 1 to {most_rounds}, or usual", most_rounds=MOST_ROUNDS)
        )
    if options.labs and seats > 1:
        return Refusal("bad-option", m("Research Labs are on solo boards only"))
    for cell in options.labs:
        options.board.layout.cell(cell)
    return None


def _take_expansions(wanted: JsonObject) -> Refusal | None:
    """The expansion and further ones, as one name: ``forest+river``, in the order of the rules."""
    more = wanted.pop("more", "none")
    ticked = more if isinstance(more, list) else [] if str(more) in ("", "none") else _words(str(more))
    if not ticked:
        return None
    own = str(wanted.get("expansion", NO_EXPANSION))
    names = {*own.split("+"), *map(str, ticked)} - {NO_EXPANSION, ""}
    unknown = sorted(names - {*TABLES})
    if unknown:
        first, others = quoted(unknown[0]), ", ".join(TABLES)
        message = m(
            "{first} cannot be played along with others: those that can are {others}",
            first=first,
            others=others,
        )
        return Refusal("bad-option", message)
    wanted["expansion"] = "+".join(name for name in TABLES if name in names)
    return None


def _expansion_fault(options: Options) -> Refusal | None:
    """What does not go together of expansions and boards."""
    if options.expansion not in (NO_EXPANSION, OTHER) and not options.known:
        names = ", ".join((NO_EXPANSION, *TABLES, OTHER))
        message = m(
            "there is no expansion {expansion}: they are {names}",
            expansion=quoted(options.expansion),
            names=names,
        )
        return Refusal("bad-option", message)
    parts = parts_of(options.known)
    if len(parts) > 1 and options.size == "usual":
        message = m("more than one expansion at a time: on a giant or an epic board only")
        return Refusal("bad-option", message)
    if len(parts) > 1 and any(TABLES[part].own_board for part in parts):
        return Refusal("bad-option", m("an expansion with a board of its own is played alone"))
    replaced_dice = Counter(TABLES[part].replaces for part in parts if TABLES[part].replaces)
    own_dice = Counter(EDITION[options.edition].dice)
    if any(number > own_dice[die] for die, number in replaced_dice.items()):
        return Refusal("bad-option", m("this expansion's die does not belong to the edition"))
    return None


def own_walls(text: str, layout: Layout = USUAL) -> list[str]:
    """The walls of somebody's own card: a list such as ``c3-c4, d3-d4``, or a file like those of this folder.

    >>> own_walls("c4-c3 d3-d4"), own_walls("name = 'Mine'\\nabout = 'A wall.'\\nwalls = ['c3-c4']")
    (['c3-c4', 'd3-d4'], ['c3-c4'])
    """
    texts = parse_blueprint(text.encode(), "walls").walls if "=" in text else _words(text.lower())
    return print_walls(parse_walls(texts, layout))


def option_faults(options: JsonObject) -> list[str]:
    """What is wrong with the owner's walls, if there are any."""
    try:
        own_walls(str(options.get("walls", "")), _layout(options))
    except GameError as problem:
        return [m("walls, {message}", message=problem.message)]
    return []


def _layout(wanted: JsonObject) -> Layout:
    """The board of a size that was asked for; of an unknown one, which is refused elsewhere, the usual."""
    return next((layout for size, layout in LAYOUTS.items() if size == wanted.get("size")), USUAL)


def _words(text: str) -> list[str]:
    return [word for word in re.split(r"[\s,;]+", text) if word]


class _Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    mode: Mode
    seats: int
    options: Options


def setup_fault(data: JsonObject, request: MatchRequest) -> Refusal | None:
    """Why a stored setup could not have come out of :func:`setup`."""
    stored = shaped(data, _Setup)
    if (stored.mode, stored.seats) != (request.mode, request.seats):
        return Refusal("bad-setup", m("the setup is for another mode or another number of seats"))
    goals = list(stored.options.goals) or "none"
    again = setup(MatchRequest(request.seats, request.mode, {**data["options"], "goals": goals}), NoChance())
    if isinstance(again, Refusal):
        return again
    return None if again == data else Refusal("bad-setup", m("by the rules these options make another setup"))


def _goals(asked: object, options: Options, chance: Chance) -> tuple[str, ...] | Refusal:
    if asked == "none" or not options.board.goals:
        return ()
    if asked == "draw" or (isinstance(asked, str) and asked in BOXES):
        pile = sorted(GOALS) if asked == "draw" else BOXES[asked]
        own = list(options.table.goals) if options.table is not None else []
        basic = tuple(drawn(pile, GOAL_RACE.drawn - bool(own), chance))
        return (*basic, *drawn(own, 1, chance)) if own else basic
    codes = shaped(asked, tuple[str, ...], "bad-option")
    known = [*GOALS, *(options.table.goals if options.table is not None else ())]
    unknown = next((code for code in codes if code not in known), None)
    if unknown is not None:
        return Refusal(
            "unknown-goal",
            m(
                "there is no goal {unknown}: the codes are {known}",
                unknown=repr(unknown),
                known=", ".join(known),
            ),
        )
    if len(set(codes)) != len(codes) or len(codes) > GOAL_RACE.drawn:
        return Refusal("bad-option", m("choose up to {drawn} different goals", drawn=GOAL_RACE.drawn))
    return codes
