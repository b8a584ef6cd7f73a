"""What a seat does in its turn: the train first, then the action that brings most."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from companion.game.base import Action, Bot, Chance
from companion.games.spike.bot.errands import (
    FAR,
    Errand,
    cheapest_way,
    errands,
    free_hops,
    hops_from,
    turns_left,
)
from companion.games.spike.bot.opening import opening
from companion.games.spike.rules.match.flow import player_of
from companion.games.spike.rules.match.state import State
from companion.games.spike.rules.match.turn import legal_in_turn
from companion.games.spike.rules.moves.building import build_action
from companion.games.spike.rules.moves.builds import Build, Ground, ground_of, needed
from companion.games.spike.rules.moves.cargo import dumps
from companion.games.spike.rules.moves.drawing_cards import drawable
from companion.games.spike.rules.moves.moving import boosts, motions, moves
from companion.games.spike.rules.moves.offers import Offer, city_offers
from companion.games.spike.rules.moves.rail_cards import DECK, can_draw, suits_of
from companion.games.spike.rules.moves.trains import deliverable, has_room, loadable, price_of, upgrades
from companion.games.spike.rules.rulebook import BOOK, Part

# All in dollars; found by matches of this bot against itself with other numbers.
CARD = 0.45  # a rail card in the hand
ENOUGH = 13  # cards in the hand, after which another one is worth little
PER_TURN: dict[Part, tuple[float, float]] = {
    "speed": (0.3, 0.15),
    "power": (0.22, 0.1),
    "cargo": (0.06, 0.02),
}
WEIGHTS = (1.0, 0.5, 0.3)  # of the best errands, when builds are compared
ROUTE = 0.5  # of a route's dollars, while it is not joined


class SpikeBot(Bot[State]):
    """A bot that uses its own hand and route and open information, and no randomness."""

    def decide(self, state: State, seat: int, chance: Chance) -> Action | None:
        """What the seat does next; None when it is not to act, or when only people know the answer."""
        if state.mode == "scorekeeper" or state.finished or seat not in state.players:
            return None
        if state.phase != "play":
            return opening(state, seat)
        if seat != state.turn:
            return None
        return _in_turn(state) if state.by_box else _with_paper_cards(state)


def _with_paper_cards(state: State) -> Action | None:
    """The action of a bot with real cards, of which nothing is known: draw one, or pass."""
    legal = legal_in_turn(state)
    wanted = ("finish", "draw", "pass", "motion")
    return next((action for kind in wanted for action in legal if action.kind == kind), None)


def _in_turn(state: State) -> Action:
    return (
        _unloading(state)
        or _loading(state)
        or _drawing_on(state)
        or _finishing(state)
        or _free_movement(state)
        or _best_action(state)
    )


# --- in a city, and what ends a turn ---


def _unloading(state: State) -> Action | None:
    """The best delivery here, unless the same good brings clearly more in a city that is not far."""
    player, train = player_of(state, state.turn)
    if state.drawing:
        return None
    found = [(price_of(state, player, good, train.at) or 0, good) for good in deliverable(state, player)]
    if not found:
        return None
    return Action("deliver", state.turn, {"good": max(found)[1]})


def _loading(state: State) -> Action | None:
    """Load what some city wants; put back what no city wants to make room."""
    player, train = player_of(state, state.turn)
    good = loadable(state, player)
    if good is None or state.drawing:
        return None
    wanted = {errand.good for errand in errands(state, state.turn)}
    if good not in wanted:
        return None
    if has_room(train):
        return Action("load", state.turn, {"good": good})
    useless = [other for other in dumps(state) if other not in wanted]
    return Action("dump", state.turn, {"good": useless[0]}) if useless else None


def _drawing_on(state: State) -> Action | None:
    return _draw(state) if state.drawing else None


def _finishing(state: State) -> Action | None:
    return Action("finish", state.turn) if state.acted else None


# --- the train ---


@dataclass(frozen=True)
class Goal:
    """A city that the train should go to, what it brings there, and how many spaces away it is."""

    city: str
    dollars: float
    spaces: int


def _goal(state: State) -> Goal | None:
    """The best destination on existing track: to deliver, or to fetch a deliverable good."""
    _, train = player_of(state, state.turn)
    found: list[tuple[float, Goal]] = []
    for good in _goods(state):
        aboard = good in train.aboard
        if not aboard and not has_room(train):
            continue
        for city, dollars, spaces, actions in _trips(state, good, aboard=aboard):
            turns = spaces / train.speed
            if turns < turns_left(state):
                goal = Goal(city, dollars, _spaces_to(state, train.at).get(city, FAR))
                found.append((dollars / (actions + 0.5 * turns), goal))
    return max(found, key=lambda one: (one[0], one[1].city), default=(0.0, None))[1]


def _goods(state: State) -> list[str]:
    player = state.player
    contracts = state.options.pack.contracts
    return [contracts[held.name].contract for held in player.contracts if held.delivered is None]


def _trips(state: State, good: str, *, aboard: bool) -> Iterator[tuple[str, int, int, int]]:
    """For a good: the next city, the expected dollars, the total number of spaces, and the starts."""
    player, train = player_of(state, state.turn)
    near = _spaces_to(state, train.at)
    pays = {
        city: price
        for city in state.options.on.cities
        if city not in player.delivered_to and (price := price_of(state, player, good, city))
    }
    if aboard:
        yield from ((city, price, near[city], 1) for city, price in pays.items() if city in near)
        return
    for source in state.options.on.suppliers[good]:
        if source in near:
            onwards = _spaces_to(state, source)
            yield from (
                (source, price, near[source] + onwards[city], 2)
                for city, price in pays.items()
                if city in onwards
            )


def _spaces_to(state: State, at: str) -> dict[str, int]:
    """The spaces from a place to every other one on the seat's own tracks (breadth-first search).

    Cities on the way are skipped; where that counts a space, it is counted.
    """
    board, own = state.options.on, set(state.player.tracks)
    skipping = 1 if state.options.skipped_city == "counts" else 0
    found = {at: 0}
    waiting = [at]
    for here in waiting:
        city = here in board.cities
        far = found[here] - (1 - skipping if city and here != at else 0)
        ends = (here,) if city else board.tracks[here].track
        beside = [
            way.track for end in ends for way in board.ways[end] if way.track in own and way.track != here
        ]
        beside += [] if city else [end for end in ends if end in board.cities]
        for there in beside:
            if far + 1 < found.get(there, FAR):
                found[there] = far + 1
                waiting.append(there)
    return found


def _towards(state: State, goal: Goal, places: list[str]) -> str | None:
    """The place that brings the train nearest to its goal; a city on the way would stop it."""
    cities = state.options.on.cities
    back = _spaces_to(state, goal.city)
    possible = [place for place in places if place == goal.city or (place not in cities and place in back)]
    here = back.get(player_of(state, state.turn)[1].at, FAR)
    best = min(possible, key=lambda place: (back[place], place), default=None)
    return best if best is not None and (back[best] < here or best == goal.city) else None


def _free_movement(state: State) -> Action | None:
    places = moves(state)
    goal = _goal(state) if places else None
    to = _towards(state, goal, places) if goal else None
    return Action("move", state.turn, {"to": to}) if to else None


# --- the action of the turn ---


def _best_action(state: State) -> Action:
    """The action that brings most; the first of equals."""
    found = [*_riding(state), *_upgrading(state), *_building(state), *_drawing(state)]
    if not found:
        kinds = ("motion", "boost", "upgrade", "pass")
        return next(action for kind in kinds for action in legal_in_turn(state) if action.kind == kind)
    return max(found, key=lambda one: one[0])[1]


def _riding(state: State) -> Iterator[tuple[float, Action]]:
    _, train = player_of(state, state.turn)
    goal = _goal(state)
    if goal is None or goal.city == train.at:
        return
    to = _towards(state, goal, motions(state))
    if to:
        yield (
            0.5 * goal.dollars * 0.97 ** (goal.spaces / train.speed),
            Action("motion", state.turn, {"to": to}),
        )
    if goal.city in boosts(state):
        yield 0.9 + 0.1 * goal.dollars, Action("boost", state.turn, {"to": goal.city})


def _upgrading(state: State) -> Iterator[tuple[float, Action]]:
    player, train = player_of(state, state.turn)
    left = turns_left(state)
    for part in upgrades(player):
        level = train.level(part)
        gain = PER_TURN[part][level] * left - BOOK.upgrade_costs[level]
        if gain > 0:
            yield gain, Action("upgrade", state.turn, {"part": part})


def _drawing(state: State) -> Iterator[tuple[float, Action]]:
    player, train = player_of(state, state.turn)
    if can_draw(state):
        worth = CARD if player.held + train.power <= ENOUGH and player.pieces else 0.1
        yield train.power * worth + 0.2, _draw(state)


def _building(state: State) -> Iterator[tuple[float, Action]]:
    """Builds by what the market pays, how near they bring the best errands and the route, and their cards."""
    ground = ground_of(state, state.turn)
    near, wanted = free_hops(ground), errands(state, state.turn)[: len(WEIGHTS)]
    left = turns_left(state)
    for found in city_offers(state):
        offer = found.best
        help_ = _help(state, ground, near, wanted, offer) if left > 3 else 0.0
        paid = offer.ways[0]
        action = build_action(state, Build(offer.path, (offer.city,), offer.need), paid)
        yield offer.brings + help_ - CARD * sum(paid), action


def _help(state: State, ground: Ground, near: dict[str, int], wanted: list[Errand], offer: Offer) -> float:
    """How much nearer a build brings the errands and the route, in dollars."""
    board = ground.board
    laid = {end for track in offer.path for end in board.tracks[track].track}

    def after(place: str) -> int:
        hops = hops_from(board, place)
        return min(near.get(place, FAR), *[hops.get(end, FAR) for end in laid])

    total = 0.0
    for weight, errand in zip(WEIGHTS, wanted, strict=False):
        if errand.lacking:
            source = after(errand.source) if errand.source else 0
            apart = hops_from(board, errand.source).get(errand.city, FAR) if errand.source else FAR
            rest = source + min(after(errand.city), apart)
            total += weight * errand.pays * 0.6 * max(0, errand.lacking - rest) / errand.lacking
    return total + _route_help(state, near, after)


def _route_help(state: State, near: dict[str, int], after: Callable[[str], int]) -> float:
    """How much nearer a build brings the start of one's route and its best city."""
    own = state.player.route
    if own is None:
        return 0.0
    pays = state.options.pack.routes[own].pays
    best = min(pays, key=lambda city: (near.get(city, FAR) - pays[city], city))
    before = near.get(own, FAR) + near.get(best, FAR)
    then = after(own) + after(best)
    return ROUTE * pays[best] * (before - then) / before if 0 < before < FAR else 0.0


def _draw(state: State) -> Action:
    """The shown card that the next build lacks; else one that makes a set; else the unknown one."""
    suits, hand, places = suits_of(state), state.player.hand, drawable(state)
    need = _needed(state)
    shown = [suit for suit in places if suit != DECK]
    lacking = {suit: need[suits.index(suit)] - hand[suits.index(suit)] for suit in shown}
    useful = [suit for suit in shown if lacking[suit] > 0]
    if useful:
        return Action("draw", state.turn, {"from": max(useful, key=lambda suit: (lacking[suit], suit))})
    sets = [suit for suit in shown if hand[suits.index(suit)]]
    if sets and (DECK not in places or len(sets) == len(shown)):
        return Action(
            "draw", state.turn, {"from": max(sets, key=lambda suit: (hand[suits.index(suit)], suit))}
        )
    return Action("draw", state.turn, {"from": DECK if DECK in places else places[0]})


def _needed(state: State) -> tuple[int, ...]:
    """The cards for the way to the next place of the best errand that takes track."""
    ground = ground_of(state, state.turn)
    for errand in errands(state, state.turn):
        if errand.lacking:
            goals = [city for city in (errand.source, errand.city) if city and city not in ground.mine]
            way = cheapest_way(ground, goals[:1])
            if way:
                return needed(ground.board, way)
    return (0,) * BOOK.suits
