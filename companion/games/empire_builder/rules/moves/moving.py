"""Running the train: where it can get to, whose track that uses, and what that costs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from companion.core.jsontext import shaped
from companion.core.messages import m, table_text
from companion.game.base import Action, Chance, Fact, Refusal
from companion.games.empire_builder.rules.boards.board import Board
from companion.games.empire_builder.rules.cards.events import Effects, EventCard
from companion.games.empire_builder.rules.match.state import State, with_money, with_train, with_turn
from companion.games.empire_builder.rules.moves.building import path_names
from companion.games.empire_builder.rules.rulebook import RULES

_SLOWED = 1 << 7  # beside a bit for every seat whose track is used
_RED = 7  # the owner of red areas: everybody


class _Move(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    path: tuple[str, ...] = ()
    to: str = ""
    fees: dict[str, int] = {}


class _Place(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    at: str


@dataclass(frozen=True)
class Run:
    """One way to run: the mileposts after the first, and the opponents who have to be paid for it."""

    mileposts: tuple[int, ...]
    fees: tuple[int, ...]

    @property
    def price(self) -> int:
        """The fees for the run, in millions."""
        return len(self.fees) * RULES.money.fee


@dataclass(frozen=True)
class _Leg:
    """A train on its way in the search: ``used`` has a bit for each opponent, and one for half rate."""

    at: int
    came: int | None
    used: int
    before: _Leg | None


def half_rate(speed: int) -> int:
    """Half a train's speed, rounded up.

    >>> half_rate(9), half_rate(12)
    (5, 6)
    """
    return (speed + 1) // 2


def steps_left(state: State, seat: int) -> int:
    """How many mileposts a train may still run in this turn."""
    speed = state.players[seat].train.card.speed
    return (half_rate(speed) if state.turn.slowed else speed) - state.turn.moved


# --- the search ---


class _Railway:
    """The track, the events and the board as a running train meets them."""

    def __init__(self, state: State, seat: int) -> None:
        self.board: Board = state.board
        self.seat = seat
        self.effects: Effects = state.effects
        self.events: dict[str, EventCard] = state.events
        self.speed = state.players[seat].train.card.speed
        self.owner = bytearray(self.board.red).replace(b"\x01", bytes([_RED]))
        for edge, owner in state.track.items():
            self.owner[edge] = owner

    def bit(self, edge: int) -> int | None:
        """The owner of an edge's track as a bit, 0 if nobody is paid for it; None without track."""
        owner = self.owner[edge]
        if owner == 0:
            return None
        return 0 if owner in (self.seat, _RED) else 1 << (owner - 1)

    def steps(self, leg: _Leg, moved: int) -> Iterator[_Leg]:
        """Every next milepost; ``moved`` counts the steps of the turn with this one."""
        half = half_rate(self.speed)
        for there, edge in self.board.ways[leg.at]:
            bit = self.bit(edge)
            if bit is None or there == leg.came or self.is_shut(leg.at, there):
                continue
            slow = _SLOWED if self.is_slow(leg.at, there) else 0
            used = leg.used | bit | slow
            if not (used & _SLOWED and moved > half):
                came = None if self.board.city_at[there] else leg.at
                yield _Leg(there, came, used, leg)

    def is_shut(self, one: int, other: int) -> bool:
        """Return True if an event forbids this step."""
        shut = self.effects.no_entry
        return bool(shut) and (one in shut or other in shut)

    def is_slow(self, one: int, other: int) -> bool:
        """Return True if an event puts this step under half rate."""
        slow = self.effects.half_rate
        return bool(slow) and (one in slow or other in slow)


def _first_leg(state: State, seat: int) -> _Leg | None:
    train = state.players[seat].train
    if train.at is None:
        return None
    used = sum(1 << (owner - 1) for owner in state.turn.paid) | (_SLOWED if state.turn.slowed else 0)
    came = None if state.board.city_at[train.at] else train.came
    return _Leg(train.at, came, used, None)


def reachable(state: State, seat: int, turns: int = 1) -> dict[int, Run]:
    """Every milepost a train can still get to in this turn, by the cheapest and then the shortest way.

    With more ``turns``, every milepost it could get to if it went on running so long.
    """
    first = _first_leg(state, seat)
    if first is None:
        return {}
    best: dict[int, tuple[int, int, _Leg]] = {}
    purse = state.players[seat].cash // RULES.money.fee
    most = steps_left(state, seat) + (turns - 1) * state.players[seat].train.card.speed
    for steps, leg in _legs(state, seat, first, most):
        fees = (leg.used & ~first.used & ~_SLOWED).bit_count()
        if fees <= purse and (leg.at not in best or (fees, steps) < best[leg.at][:2]):
            best[leg.at] = (fees, steps, leg)
    best.pop(first.at, None)
    return {at: _run(first, leg) for at, (_, _, leg) in best.items()}


def _legs(state: State, seat: int, first: _Leg, most: int) -> Iterator[tuple[int, _Leg]]:
    """Breadth-first search over milepost and heading, dominated legs dropped.

    An earlier leg dominates if it used no track and no half rate that the later one did not use.
    """
    railway = _Railway(state, seat)
    seen: dict[tuple[int, int | None], list[int]] = {}
    layer = [first]
    for step in range(1, most + 1):
        fresh: list[_Leg] = []
        for leg in layer:
            for after in railway.steps(leg, state.turn.moved + step):
                known = seen.setdefault((after.at, after.came), [])
                if not any(used & after.used == used for used in known):
                    known.append(after.used)
                    fresh.append(after)
                    yield step, after
        layer = fresh


def _run(first: _Leg, leg: _Leg) -> Run:
    path = []
    here: _Leg | None = leg
    while here is not None and here is not first:
        path.append(here.at)
        here = here.before
    used = leg.used & ~first.used & ~_SLOWED
    return Run(tuple(reversed(path)), tuple(seat for seat in range(1, 7) if used >> (seat - 1) & 1))


# --- one given path ---


def followed(state: State, seat: int, path: tuple[int, ...]) -> Run | Refusal:
    """The run along these mileposts, or the first rule against it."""
    leg = first = _first_leg(state, seat)
    if leg is None or first is None:
        return Refusal("not-placed", m("first put your train on a city of your track"))
    railway = _Railway(state, seat)
    if len(path) > steps_left(state, seat):
        return _too_far(state, seat, len(path))
    for step, there in enumerate(path, start=1):
        following = next(
            (after for after in railway.steps(leg, state.turn.moved + step) if after.at == there), None
        )
        if following is None:
            return _step_refusal(railway, leg, there)
        leg = following
    run = _run(first, leg)
    cash = state.players[seat].cash
    if run.price > cash:
        message = m(
            "this run uses the track of {fees} opponents: {price} million, and you have {cash}",
            fees=len(run.fees),
            price=run.price,
            cash=cash,
        )
        return Refusal("no-money", message, {"fees": list(run.fees)})
    return run


def _too_far(state: State, seat: int, steps: int) -> Refusal:
    left, train = steps_left(state, seat), state.players[seat].train
    says = {"title": table_text(train.card.title), "speed": train.card.speed}
    runs = (
        m("a {title} runs {speed} mileposts a turn at half rate", **says)
        if state.turn.slowed
        else m("a {title} runs {speed} mileposts a turn", **says)
    )
    message = m("{runs}: {left} are left, this is {steps}", runs=runs, left=left, steps=steps)
    return Refusal("too-far", message, {"left": left})


def _step_refusal(railway: _Railway, leg: _Leg, there: int) -> Refusal:
    board = railway.board
    here, goal = board.spoken(leg.at), board.spoken(there)
    edge = board.edge_between(leg.at, there)
    if edge is None:
        return Refusal(
            "not-neighbours",
            m("{here} and {goal} are no neighbours: go milepost by milepost", here=here, goal=goal),
        )
    flood = railway.effects.flooded.get(edge)
    if flood is not None:
        return Refusal(
            "event",
            m("{title}: nobody crosses it until that is over", title=railway.events[flood].title),
            {"card": flood},
        )
    if railway.bit(edge) is None:
        return Refusal("no-track", m("there is no track from {here} to {goal}", here=here, goal=goal))
    if there == leg.came:
        return Refusal("no-reversing", m("a train turns round only in a city, and {here} is none", here=here))
    card = (
        railway.effects.no_entry.get(leg.at)
        or railway.effects.no_entry.get(there)
        or railway.effects.half_rate.get(leg.at)
        or railway.effects.half_rate.get(there)
    )
    title = railway.events[card].title if card else m("half rate")
    half = half_rate(railway.speed)
    shut = railway.is_shut(leg.at, there)
    why = (
        m("no train passes its mountains")
        if shut
        else m("only {half} mileposts in a turn that touches it", half=half)
    )
    return Refusal(
        "event",
        m(
            "{title}: {why}, so there is no going on from {here} to {goal}",
            title=title,
            why=why,
            here=here,
            goal=goal,
        ),
        {"card": card},
    )


# --- the actions ---


def decide_move(state: State, action: Action, _chance: Chance) -> Fact | Refusal:
    """Run along a path, or to a milepost by the cheapest way."""
    request = shaped(action.data, _Move, "bad-action")
    seat = action.seat or 0
    path = _wanted(state, seat, request)
    run = path if isinstance(path, Refusal) else followed(state, seat, path)
    if isinstance(run, Refusal):
        return run
    fees = {str(owner): RULES.money.fee for owner in run.fees}
    return Fact("move", seat, {"path": path_names(state.board, run.mileposts), "fees": fees})


def _wanted(state: State, seat: int, request: _Move) -> tuple[int, ...] | Refusal:
    if request.path:
        return tuple(state.board.milepost(name) for name in request.path)
    if not request.to:
        return Refusal("bad-action", m("say where to run: a path of mileposts, or the milepost to reach"))
    if state.players[seat].train.at is None:
        return Refusal("not-placed", m("first put your train on a city of your track"))
    goal = state.board.milepost(request.to)
    city = state.board.city_at[goal]
    goals = city.mileposts if city and request.to == city.name else (goal,)
    runs = reachable(state, seat)
    ways = [runs[milepost] for milepost in goals if milepost in runs]
    if not ways:
        message = m(
            "the train cannot get to {to} with the {seat} mileposts it has left",
            to=request.to,
            seat=steps_left(state, seat),
        )
        return Refusal("out-of-reach", message, {"left": steps_left(state, seat)})
    return min(ways, key=lambda run: (run.price, len(run.mileposts))).mileposts


def after_move(state: State, fact: Fact) -> State:
    """The fees are paid before the train runs."""
    seat = fact.seat or 0
    board = state.board
    path = [board.numbers[name] for name in fact.data["path"]]
    start = state.players[seat].train.at
    owners = tuple(int(owner) for owner in fact.data["fees"])
    after = state
    for owner in owners:
        after = with_money(after, owner, rent_had=RULES.money.fee)
        after = with_money(after, seat, rent_paid=RULES.money.fee)
    came = path[-2] if len(path) > 1 else start
    slow = state.effects.half_rate
    slowed = state.turn.slowed or any(milepost in slow for milepost in (start, *path))
    after = with_turn(
        after, moved=state.turn.moved + len(path), slowed=slowed, paid=(*state.turn.paid, *owners)
    )
    return with_train(after, seat, at=path[-1], came=came)


def decide_place(state: State, action: Action, _chance: Chance) -> Fact | Refusal:
    """Put the train on the board for the first time."""
    at = state.board.milepost(shaped(action.data, _Place, "bad-action").at)
    seat = action.seat or 0
    before = state.players[seat].train.at
    if before is not None:
        return Refusal("placed", m("your train is at {before} already", before=state.board.spoken(before)))
    if at not in starting_mileposts(state, seat):
        message = m("{at} is no city of your track: a train begins in one", at=state.board.spoken(at))
        return Refusal("not-your-city", message, {"legal": starting_cities(state, seat)})
    return Fact("place", seat, {"at": state.board.names[at]})


def starting_mileposts(state: State, seat: int) -> list[int]:
    """The mileposts of the cities that a seat's track reaches."""
    linked, hub = state.players[seat].linked, state.board.hub
    return [
        milepost
        for city in state.board.cities.values()
        for milepost in city.mileposts
        if hub[milepost] in linked
    ]


def starting_cities(state: State, seat: int) -> list[str]:
    """The names of the cities where the seat's train may start, sorted."""
    found = (state.board.city_at[milepost] for milepost in starting_mileposts(state, seat))
    return sorted({city.name for city in found if city is not None})


def after_place(state: State, fact: Fact) -> State:
    """The train on the board."""
    return with_train(state, fact.seat or 0, at=state.board.numbers[fact.data["at"]])
