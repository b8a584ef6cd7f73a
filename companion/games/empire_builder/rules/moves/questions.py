"""What may be asked about a position, for plans. Nothing happens by it, and nothing hidden is told.

======= ============================ ======================================================================
about   data                         answers
======= ============================ ======================================================================
way     ``through``: mileposts,      the cheapest way to build from one's own line to the first and on to the
        ``start``                    next ones: its ``path`` and ``price``, how many ``turns`` it takes, what
                                     of it may be built ``now`` (and what the rules ``say`` against the rest),
                                     and the ``others``: cheaper ways from elsewhere, each with its ``start``
run     ``to``                       the cheapest run there: ``path``, ``fees``, mileposts ``left`` then, what
                                     may be delivered and loaded ``there`` (``room`` is what is free before
                                     anything is delivered); if it is too far for one turn, as far as the
                                     train comes (``steps`` is the whole length then)
here    ``at``                       what lies at a milepost, and what it costs to build into it
trips                                what each of my demands would take
board                                the whole board by number
======= ============================ ======================================================================
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import msgspec

from companion.core.errors import quoted
from companion.core.jsontext import JsonObject, shaped
from companion.core.messages import joined, m
from companion.core.records import replaced
from companion.game.base import Action, Refusal
from companion.games.empire_builder.rules.boards.paths import BuildPath
from companion.games.empire_builder.rules.boards.tracks import builders
from companion.games.empire_builder.rules.match.results import board_view
from companion.games.empire_builder.rules.match.state import State, Turn, hand_of, supply
from companion.games.empire_builder.rules.match.turns import not_now
from companion.games.empire_builder.rules.moves.building import (
    affordable,
    building_site,
    mileposts_of,
    path_names,
    segment_price,
    way_through,
)
from companion.games.empire_builder.rules.moves.moving import Run, followed, reachable, steps_left
from companion.games.empire_builder.rules.moves.trips import trips
from companion.games.empire_builder.rules.rulebook import RULES

_MOST_GOALS = 40


class _Through(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    through: tuple[str, ...]
    start: str = ""


class _To(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    to: str


class _At(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    at: str


def answered(state: State, seat: int, question: Action) -> JsonObject | Refusal:
    """The answer, or why there is none."""
    if question.kind not in _ANSWERS:
        message = m(
            "nothing is known about {kind}: ask about {answers}",
            kind=quoted(question.kind),
            answers=", ".join(_ANSWERS),
        )
        return Refusal("unknown-question", message)
    return _ANSWERS[question.kind](state, seat, question.data)


# --- building ---


def _way(state: State, seat: int, data: JsonObject) -> JsonObject | Refusal:
    wish = shaped(data, _Through, "bad-question")
    if not 1 <= len(wish.through) <= _MOST_GOALS:
        return Refusal(
            "bad-question", m("say where to build: 1 to {most_goals} mileposts", most_goals=_MOST_GOALS)
        )
    board, goals = state.board, [state.board.milepost(name) for name in wish.through]
    starts = None
    if wish.start:
        hub = board.hub[board.milepost(wish.start)]
        starts = list(mileposts_of(board, hub))
        if not set(starts).issubset(building_site(state, seat).starts()):
            message = m(
                "{starts} is neither in a major city nor on your track", starts=board.spoken(starts[0])
            )
            return Refusal("not-connected", message)
    best = way_through(building_site(state, seat), goals, starts)
    others = [] if wish.start else list(_elsewhere(state, seat, goals, best))
    if best is None:
        message = m("nothing can be built from your line to {goal} now", goal=board.spoken(goals[-1]))
        if not others:
            return Refusal("no-way", message)
        return Refusal("no-way", joined(": ", [message, others[0]["says"]]), {"others": others})
    now, says = _buildable(state, seat, best.mileposts)
    return {
        "path": path_names(board, best.mileposts),
        "price": best.price,
        "turns": _turns(state, seat, best.mileposts),
        "now": now,
        "says": says,
        "others": others,
    }


def _elsewhere(state: State, seat: int, goals: list[int], best: BuildPath | None) -> Iterator[JsonObject]:
    """Cheaper ways: from where the line is not, and out of a major city in the next turn."""
    site = building_site(state, seat)
    line = site.line_starts()
    apart = [one for one in site.starts() if one not in set(line)]
    for starts, note in ((apart, m("not joined to your line")), (line, m("not before your next turn"))):
        found = way_through(building_site(state, seat), goals, starts)
        if found is None or (best is not None and found.price >= best.price):
            continue
        begins = state.board.city_at[found.mileposts[0]]
        start = begins.name if begins else state.board.names[found.mileposts[0]]
        says = (
            m("from {start} for {price} million, {note}", start=start, price=found.price, note=note)
            if found.price
            else m("begin at {start}, {note}", start=start, note=note)
        )
        yield {"start": start, "price": found.price, "joined": starts is line, "says": says}


def _buildable(state: State, seat: int, path: tuple[int, ...]) -> tuple[JsonObject | None, str]:
    """What of a path may be built at once, and the rule against going on."""
    if state.mode == "scorekeeper":
        return None, ""
    refusal = not_now(state, seat, "build")
    if refusal is not None or state.turn.upgraded:
        return (
            None,
            refusal.message if refusal else m("a better train was bought in this turn: build in the next"),
        )
    part = affordable(building_site(state, seat), path)
    site = building_site(state, seat)
    refusals = [site.add(one, other) for one, other in pairwise(path[: len(part) + 1])]
    says = next((refusal.message for refusal in refusals if refusal is not None), "")
    now = {"path": path_names(state.board, part), "price": site.price} if site.price else None
    return now, says


def _turns(state: State, seat: int, path: Sequence[int]) -> int:
    """How many turns a path takes at least: what is left of this one, and whole ones."""
    site = building_site(state, seat)
    turns, spent, outs = 0, RULES.building.a_turn, 0
    if seat == state.seat and not state.turn.upgraded:
        spent, outs = state.turn.spent, site.outs
    counted = False  # has anything been built in the turn that is being filled?
    for one, other in pairwise(path):
        edge = site.board.edge_between(one, other)
        if edge is None or site.is_free(edge):
            continue
        price, out = segment_price(site.board, other, edge), site.board.major_at[one] is not None
        if spent + price > RULES.building.a_turn or outs + out > RULES.building.out_of_majors:
            spent, outs, counted = 0, 0, False
        turns, counted = turns + (not counted), True
        spent, outs = spent + price, outs + out
    return turns


# --- running ---


def _run(state: State, seat: int, data: JsonObject) -> JsonObject | Refusal:
    """The run to a place in this turn or, while others play, in the seat's next one."""
    wish = shaped(data, _To, "bad-question")
    says = not_now(state, seat, "move")
    then = state if says is None else replaced(state, turn=Turn())
    goal = state.board.milepost(wish.to)
    run, steps = _run_to(then, seat, goal), 0
    if isinstance(run, Refusal):
        part = _run_towards(then, seat, goal)
        if part is None:
            return run
        run, steps = part
    return {
        **({"steps": steps} if steps else {"there": _freight_at(state, seat, goal)}),
        "path": path_names(state.board, run.mileposts),
        "fees": {str(owner): RULES.money.fee for owner in run.fees},
        "left": steps_left(then, seat) - len(run.mileposts),
        "now": says is None,
        "says": says.message if says else "",
    }


def _run_to(state: State, seat: int, goal: int) -> Run | Refusal:
    if state.players[seat].train.at is None:
        return Refusal("not-placed", m("first put your train on a city of your track"))
    found = reachable(state, seat).get(goal)
    left, where = steps_left(state, seat), state.board.spoken(goal)
    message = m(
        "the train cannot get to {where} with the {left} mileposts it has left", where=where, left=left
    )
    return (
        followed(state, seat, found.mileposts) if found else Refusal("out-of-reach", message, {"left": left})
    )


_TURNS_AHEAD = 4


def _run_towards(state: State, seat: int, goal: int) -> tuple[Run, int] | None:
    """The part of a longer run that a train can make in this turn, and the length of the whole run."""
    left = steps_left(state, seat)
    if state.players[seat].train.at is None or not left:
        return None
    whole = reachable(state, seat, _TURNS_AHEAD).get(goal)
    part = followed(state, seat, whole.mileposts[:left]) if whole else None
    return (part, len(whole.mileposts)) if whole and isinstance(part, Run) else None


def _freight_at(state: State, seat: int, at: int) -> JsonObject:
    """What a train that comes to a city may deliver and load there, of what its player is asked for."""
    city = state.board.city_at[at]
    if city is None or state.mode != "umpire" or at in state.effects.strikes:
        return {"deliver": [], "pickup": [], "room": 0}
    train, chips = state.players[seat].train, supply(state)
    demands = [(card.card, demand) for card in hand_of(state, seat) for demand in card.demands]
    deliver = [
        {"card": card, "load": demand.load, "payout": demand.payout}
        for card, demand in demands
        if demand.city == city.name and demand.load in train.loads
    ]
    room = train.card.loads - len(train.loads)
    delivered = {one["load"] for one in deliver}
    asked = {demand.load for _, demand in demands} - (set(train.loads) - delivered)
    return {
        "deliver": deliver,
        "pickup": [load for load in city.loads if room + len(delivered) and chips[load] and load in asked],
        "room": room,
    }


# --- the rest ---


def _here(state: State, seat: int, data: JsonObject) -> JsonObject:
    board = state.board
    at = board.milepost(shaped(data, _At, "bad-question").at)
    city = board.city_at[at]
    told: JsonObject = {"at": board.names[at], "terrain": board.terrain[at], "price": board.price[at]}
    if city is None:
        return told
    chips = supply(state)
    return told | {
        "city": city.name,
        "size": city.size,
        "supplies": {load: chips[load] for load in city.loads},
        "wanted": [
            {"card": card.card, "load": demand.load, "payout": demand.payout}
            for card in hand_of(state, seat)
            for demand in card.demands
            if demand.city == city.name
        ],
        "builders": sorted(builders(board, state.track, city)),
    }


_ANSWERS: dict[str, Callable[[State, int, JsonObject], JsonObject | Refusal]] = {
    "way": _way,
    "run": _run,
    "here": _here,
    "trips": lambda state, seat, _data: {"trips": trips(state, seat)},
    "board": lambda state, _seat, _data: board_view(state.board),
}
