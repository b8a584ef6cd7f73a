"""A player who plans: builds towards the cities of the contracts, fetches goods and delivers them.

Players who choose at random hardly ever deliver anything. With this one matches come to full trains, dumping,
upgrades and the end for want of things to do, for benches and recorded matches.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.game.base import Action, Chance, Fact, Refusal, drawn
from companion.games.spike.rules.match.actions import apply, decide
from companion.games.spike.rules.match.opening_actions import legal_before
from companion.games.spike.rules.match.state import Held, Player, State
from companion.games.spike.rules.match.turn import legal_in_turn
from companion.games.spike.rules.moves.builds import network_places
from companion.games.spike.rules.moves.trains import contract_of, price_of
from companion.games.spike.rules.rulebook import BOOK

TIME_EVERY = 40  # actions of people with their own cards, of which one is to turn a time card over
UPGRADE_EVERY = 4
FAR = 1_000


def planned_action(state: State, seat: int, chance: Chance) -> Action | None:
    """What this seat would do now; None when it is not to move."""
    if state.phase == "declare":
        return _declared(state, seat, chance)
    legal = legal_in_turn(state) if state.phase == "play" and seat == state.turn else []
    if state.phase != "play":
        before = legal_before(state, seat)
        return drawn(before, 1, chance)[0] if before else None
    if not legal:
        return None
    if not state.by_box and chance.below(TIME_EVERY) == 0:
        return Action("time", seat)
    choice = next(_wished(state, legal, chance), None)
    return choice or drawn([action for action in legal if action.kind != "time"], 1, chance)[0]


def planned_match(state: State, chance: Chance) -> Iterator[tuple[Fact, State]]:
    """Every fact of a match to its end, each with the state after it."""
    while not state.finished:
        asked = (planned_action(state, seat, chance) for seat in state.players)
        fact = decide(state, next(action for action in asked if action is not None), chance)
        if isinstance(fact, Refusal):
            raise ValueError(f"a planned action was refused: {fact.message}")
        state = apply(state, fact)
        yield fact, state


def _declared(state: State, seat: int, chance: Chance) -> Action | None:
    """What lies on the table of people with their own cards."""
    goods = drawn(list(state.options.on.goods), len(state.options.on.goods), chance)
    if not state.market:
        rows = len(BOOK.prices)
        columns = [goods[start : start + rows] for start in range(0, len(goods), rows)]
        return Action("market", seat, {"columns": columns})
    if seat not in state.waiting:
        return None
    pack = state.options.pack
    dealt = {
        pack.contracts[one.name].contract for player in state.players.values() for one in player.contracts
    }
    each = len(goods) // len(state.players)
    free = [good for good in goods if good not in dealt][:each]
    return Action("declare", seat, {"contracts": [f"{good}-{1 + chance.below(3)}a" for good in free]})


# --- a turn ---


def _wished(state: State, legal: list[Action], chance: Chance) -> Iterator[Action]:
    """The actions of this turn that make sense, the most wanted first."""
    by_kind: dict[str, list[Action]] = {}
    for action in legal:
        by_kind.setdefault(action.kind, []).append(action)
    player, train = state.player, state.player.train
    assert train is not None
    yield from sorted(
        by_kind.get("deliver", []),
        key=lambda one: -(price_of(state, player, one.data["good"], train.at) or 0),
    )
    yield from by_kind.get("load", [])
    yield from (one for one in by_kind.get("dump", []) if not _targets(state, player, one.data["good"]))
    yield from by_kind.get("finish", [])
    if state.drawing:
        yield drawn(by_kind["draw"], 1, chance)[0]
    yield from _nearer(state, by_kind.get("move", []))
    yield from _nearer(state, by_kind.get("motion", []))
    if chance.below(UPGRADE_EVERY) == 0:
        yield from drawn(by_kind.get("upgrade", []), len(by_kind.get("upgrade", [])), chance)
    yield from sorted(
        (one for one in by_kind.get("build", []) if _worth(state, one) > 0),
        key=lambda one: -_worth(state, one),
    )
    yield from drawn(by_kind.get("draw", []), len(by_kind.get("draw", [])), chance)


def _worth(state: State, build: Action) -> float:
    """The value of the new cities of a build, less its cost."""
    board, mine = state.options.on, network_places(state.options.on, state.player)
    ends = {end for track in build.data["path"] for end in board.tracks[track].track}
    cities = [end for end in ends if end in board.cities and end not in mine]
    helps = sum(
        3 * (city in _open_cities(state, state.player, held))
        + 4 * (board.cities[city].good == _good(state, held))
        for city in cities
        for held in state.player.contracts
        if held.delivered is None
    )
    return 1.5 + helps - 0.5 * len(build.data["path"])


def _good(state: State, held: Held) -> str:
    return state.options.pack.contracts[held.name].contract


def _open_cities(state: State, player: Player, held: Held) -> set[str]:
    return set(state.options.pack.contracts[held.name].pays) - player.delivered_to


# --- where to drive ---


def _targets(state: State, player: Player, good: str) -> set[str]:
    """The cities of the network to which a good can be brought."""
    held = contract_of(state, player, good)
    mine = network_places(state.options.on, player)
    return _open_cities(state, player, held) & mine if held is not None and held.delivered is None else set()


def _goals(state: State) -> set[str]:
    """Where something can be delivered; with an empty train, where something can be fetched for delivery."""
    player, train, board = state.player, state.player.train, state.options.on
    assert train is not None
    found = {city for good in train.aboard for city in _targets(state, player, good)}
    if found:
        return found
    mine = network_places(board, player)
    return {
        city
        for held in player.contracts
        if _targets(state, player, _good(state, held))
        for city in board.suppliers[_good(state, held)]
        if city in mine
    }


def _nearer(state: State, actions: list[Action]) -> list[Action]:
    """The movements that lead nearer to a goal, the best first."""
    train = state.player.train
    assert train is not None
    steps = _distances(state, _goals(state)) if actions else {}
    here = steps.get(train.at, FAR)
    found = [action for action in actions if steps.get(action.data["to"], FAR) < here]
    return sorted(found, key=lambda action: steps[action.data["to"]])


def _distances(state: State, goals: set[str]) -> dict[str, int]:
    """How far each city and track of the network is from the nearest goal (breadth-first search)."""
    board, own = state.options.on, set(state.player.tracks)
    steps = dict.fromkeys(sorted(goals), 0)
    waiting = list(steps)
    for here in waiting:
        ends = (here,) if here in board.cities else board.tracks[here].track
        beside = [way.track for end in ends for way in board.ways[end] if way.track in own]
        beside += [end for end in ends if end in board.cities]
        for there in beside:
            if there not in steps:
                steps[there] = steps[here] + 1
                waiting.append(there)
    return steps
