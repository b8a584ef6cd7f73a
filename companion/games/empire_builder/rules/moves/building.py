"""Building track: what a segment costs, what forbids it, and what the cheapest way would be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import msgspec

from companion.core.jsontext import JsonObject, shaped
from companion.core.messages import Seat, joined, m
from companion.core.records import replaced
from companion.game.base import Action, Chance, Fact, Refusal
from companion.game.pictures import Picture, picture_fact
from companion.games.empire_builder.rules.boards.board import Board, City
from companion.games.empire_builder.rules.boards.names import Edges
from companion.games.empire_builder.rules.boards.paths import BuildPath, cheapest_path, edge_kinds
from companion.games.empire_builder.rules.boards.tracks import builders, edges_of, linked_with
from companion.games.empire_builder.rules.match.state import State, Turn, with_money, with_player, with_turn
from companion.games.empire_builder.rules.rulebook import RULES, SIZE_WORDS


class _Build(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    path: tuple[str, ...] = ()
    to: str = ""
    price: int = 0
    more: tuple[tuple[str, ...], ...] = ()  # further lines of the same turn, as a photograph shows them
    picture: Picture | None = None


@dataclass
class Site:
    """What a seat may still build in this turn; :meth:`add` builds one segment on it."""

    state: State
    seat: int
    track: dict[int, int]
    places: set[int]  # hubs on the seat's own track
    left: int  # money that may still be spent on building in this turn
    outs: int
    price: int = 0

    @property
    def board(self) -> Board:
        """The board on which the match is played."""
        return self.state.board

    def starts(self) -> list[int]:
        """Every milepost that track may be built from."""
        own = [place for place in self.places if place not in self.board.major_hubs]
        return [*self.board.major_mileposts, *own]

    def line_starts(self) -> list[int]:
        """Where a plan begins: on the seat's own line; in any major city as long as it has none."""
        line = home(self.state, self.seat)
        hubs = line if line else self.board.major_hubs
        return [milepost for hub in sorted(hubs) for milepost in mileposts_of(self.board, hub)]

    @property
    def outs_left(self) -> int:
        """How many segments may still be built out of major cities in this turn."""
        return RULES.building.out_of_majors - self.outs

    def is_free(self, edge: int) -> bool:
        """True if a path over this edge builds nothing: it is red or the seat's own track."""
        return self.board.red[edge] or self.track.get(edge) == self.seat

    def add(self, one: int, other: int) -> Refusal | None:
        """Build from one milepost to the next; the refusal if that cannot be."""
        edge = self.board.edge_between(one, other)
        if edge is not None and self.is_free(edge):
            return None
        refusal = edge_refusal(self, one, other, edge)
        if refusal is not None or edge is None:
            return refusal
        price = segment_price(self.board, other, edge)
        self.price += price
        self.left -= price
        self.outs += self.board.major_at[one] is not None
        self.track[edge] = self.seat
        self.places.update((self.board.hub[one], self.board.hub[other]))
        return None

    def take(self, path: Sequence[int]) -> None:
        """Count a path as built without regard to money and limits: for plans over more than a turn."""
        for one, other in pairwise(path):
            edge = self.board.edge_between(one, other)
            if edge is not None and not self.board.red[edge]:
                self.track[edge] = self.seat
            self.places.update((self.board.hub[one], self.board.hub[other]))


def building_site(state: State, seat: int) -> Site:
    """The site of a seat as its turn stands; of its next turn, while others play."""
    player = state.players[seat]
    turn = state.turn if seat == state.seat else Turn()
    left = min(player.cash, RULES.building.a_turn - turn.spent)
    return Site(state, seat, dict(state.track), set(player.linked), left, turn.out_of_majors)


def home(state: State, seat: int) -> set[int]:
    """The places of the group of track that the train stands on; of all the seat's track if on none."""
    player = state.players[seat]
    group = None if player.train.at is None else player.linked.get(state.board.hub[player.train.at])
    return {place for place, other in player.linked.items() if group in (None, other)}


def mileposts_of(board: Board, hub: int) -> tuple[int, ...]:
    """The mileposts of a place: seven for a major city."""
    city = board.major_at[hub]
    return city.mileposts if city else (hub,)


def segment_price(board: Board, other: int, edge: int) -> int:
    """What a segment into a milepost over an edge costs."""
    return board.price[other] + board.surcharge[edge]


# --- refusals ---


def edge_refusal(site: Site, one: int, other: int, edge: int | None) -> Refusal | None:
    """Why this seat cannot build this segment now."""
    board = site.board
    if edge is None:
        here, there = board.places[one], board.places[other]
        if any(here in pair and there in pair for pair in board.closed):
            message = m(
                "between {one} and {other} lies open water: no track can be built",
                one=board.spoken(one),
                other=board.spoken(other),
            )
            return Refusal("closed", message)
        message = m(
            "{here} and {goal} are no neighbours: go milepost by milepost",
            here=board.spoken(one),
            goal=board.spoken(other),
        )
        return Refusal("not-neighbours", message)
    refusal = _from_refusal(site, one)
    if refusal is not None:
        return refusal
    owner = site.track.get(edge)
    if owner is not None:
        message = m(
            "{owner} has built {edge}: only one line fits there",
            owner=Seat(owner),
            edge=Edges([board.edge_names[edge]]),
        )
        return Refusal("taken", message)
    return (
        weather_refusal(site.state, one, other, edge)
        or city_refusal(board, site.track, site.seat, other)
        or _price_refusal(site, other, edge)
    )


def _from_refusal(site: Site, one: int) -> Refusal | None:
    """Building begins at a major city or at one's own track, and only so often a turn from major cities."""
    board = site.board
    if board.major_at[one] is None and one not in site.places:
        message = m(
            "{one} is neither in a major city nor on your track: build from one of these",
            one=board.spoken(one),
        )
        best = way_to(site, one)
        if best is None:
            return Refusal("not-connected", message)
        cheapest = m("the cheapest way there costs {price} million", price=best.price)
        detail = {"price": best.price, "path": path_names(board, best.mileposts)}
        return Refusal("not-connected", joined("; ", [message, cheapest]), detail)
    limit = RULES.building.out_of_majors
    if board.major_at[one] is not None and site.outs >= limit:
        message = m(
            "only {limit} segments a turn may be built out of major cities: build into {one} "
            "instead, or next turn",
            limit=limit,
            one=board.spoken(one),
        )
        return Refusal("out-of-majors", message)
    return None


def weather_refusal(state: State, one: int, other: int, edge: int) -> Refusal | None:
    """Why an event in force forbids building here."""
    effects = state.effects
    card = effects.flooded.get(edge) or effects.no_building.get(one) or effects.no_building.get(other)
    if card is None:
        return None
    return Refusal(
        "event",
        m("{title}: nothing is built there until that is over", title=state.events[card].title),
        {"card": card},
    )


def city_refusal(board: Board, track: dict[int, int], seat: int, milepost: int) -> Refusal | None:
    """Why the seat may not build into a city: small and medium ones admit only so many players."""
    city = board.city_at[milepost]
    if city is None or city.size == "major":
        return None
    limit = RULES.builders.small if city.size == "small" else RULES.builders.medium
    there = builders(board, track, city)
    if seat in there or len(there) < limit:
        return None
    message = m(
        "{name} is a {size} city: only {limit} players may build into it, and they have",
        name=city.name,
        size=SIZE_WORDS[city.size],
        limit=limit,
    )
    return Refusal("city-full", message, {"builders": sorted(there)})


def _price_refusal(site: Site, other: int, edge: int) -> Refusal | None:
    price = segment_price(site.board, other, edge)
    if price <= site.left:
        return None
    cash = site.state.players[site.seat].cash - site.price
    where = m("the segment to {other} costs {price} million", other=site.board.spoken(other), price=price)
    if price > cash:
        return Refusal(
            "no-money",
            m("{where} and {cash} are left: there is no credit", where=where, cash=cash),
            {"price": price},
        )
    limit = RULES.building.a_turn
    message = m(
        "{where}, and {left} of the {limit} million for building in one turn are left",
        where=where,
        left=site.left,
        limit=limit,
    )
    if not site.left:
        message = m(
            "the {limit} million for building in one turn are spent: build on in your next turn", limit=limit
        )
    return Refusal("turn-limit", message, {"price": price, "left": site.left})


# --- the cheapest way ---


def way_to(site: Site, goal: int, starts: Iterable[int] | None = None) -> BuildPath | None:
    """The cheapest way to build to a milepost: from the seat's own line, or from ``starts``.

    It may cost more than there is. If that way cannot be begun, or not be finished, because of the segments
    that were built out of major cities in this turn, it is the cheapest way that can be.
    """
    if starts is not None:
        return _told(site, _cheapest_way(site, starts, goal))
    line = site.line_starts()
    best = _cheapest_way(site, line, goal)
    soon = best is not None and (site.outs_left <= 0 or best.price <= site.left)
    if best is not None and soon and _outs(site, best.mileposts) > site.outs_left:
        best = _way_around(site, line, goal) or best
    return _told(site, best)


def _told(site: Site, found: BuildPath | None) -> BuildPath | None:
    return None if found is None else BuildPath(_without_free_start(site, found.mileposts), found.price)


def _outs(site: Site, path: Sequence[int]) -> int:
    """How many new segments of a path begin in a major city."""
    edges = ((one, site.board.edge_between(one, other)) for one, other in pairwise(path))
    return sum(
        site.board.major_at[one] is not None and edge is not None and not site.is_free(edge)
        for one, edge in edges
    )


def _way_around(site: Site, line: Sequence[int], goal: int) -> BuildPath | None:
    """The cheapest way that leaves a major city only where it begins, and only if one may be left."""
    board = site.board
    starts = [one for one in line if site.outs_left > 0 or board.major_at[one] is None]
    city = board.city_at[goal]
    open_ones = {*starts, *(city.mileposts if city else ())}
    return _cheapest_way(site, starts, goal, [one for one in board.major_mileposts if one not in open_ones])


def way_through(site: Site, goals: Sequence[int], starts: Iterable[int] | None = None) -> BuildPath | None:
    """The cheapest way through several mileposts in this order, leg by leg, as one path."""
    path: tuple[int, ...] = ()
    price = 0
    for goal in goals:
        leg = _cheapest_way(site, path[-1:], goal) if path else way_to(site, goal, starts)
        if leg is None:
            return None
        path, price = (*path[:-1], *leg.mileposts), price + leg.price
        site.take(leg.mileposts)
    return BuildPath(path, price)


def full_cities(site: Site) -> list[City]:
    """The cities into which this seat may not build any more."""
    cities = site.board.cities.values()
    return [
        city for city in cities if city_refusal(site.board, site.track, site.seat, city.middle) is not None
    ]


def _cheapest_way(
    site: Site, starts: Iterable[int], goal: int, avoid: Iterable[int] = ()
) -> BuildPath | None:
    board, effects = site.board, site.state.effects
    own = edges_of(site.track, site.seat)
    others = [edge for edge, owner in site.track.items() if owner != site.seat]
    shut = [edge for milepost in effects.no_building for _, edge in board.ways[milepost]]
    full = [
        milepost for city in full_cities(site) if goal not in city.mileposts for milepost in city.mileposts
    ]
    kinds = edge_kinds(board, own, [*others, *effects.flooded, *shut])
    return cheapest_path(board, starts, {goal}, kinds, [*full, *avoid])


def _without_free_start(site: Site, path: tuple[int, ...]) -> tuple[int, ...]:
    """The path from its first new segment on."""
    for place in range(len(path) - 1):
        edge = site.board.edge_between(path[place], path[place + 1])
        if edge is not None and not site.is_free(edge):
            return path[place:]
    return path[-1:]


def affordable(site: Site, path: tuple[int, ...]) -> tuple[int, ...]:
    """The longest beginning of a path that may be built in this turn."""
    trial = Site(site.state, site.seat, dict(site.track), set(site.places), site.left, site.outs)
    for place in range(len(path) - 1):
        if trial.add(path[place], path[place + 1]) is not None:
            return path[: place + 1]
    return path


# --- the action ---


def decide_build(state: State, action: Action, _chance: Chance) -> Fact | Refusal:
    """Build along a path of mileposts, or to a milepost by the cheapest way."""
    request = shaped(action.data, _Build, "bad-action")
    seat = action.seat or 0
    if state.turn.upgraded:
        return Refusal("upgraded", m("in one turn you build track or upgrade the train, not both"))
    path = _wanted_path(building_site(state, seat), request)
    if isinstance(path, Refusal):
        return path
    more = [state.board.path(line) for line in request.more]
    fact = _built(building_site(state, seat), [path, *more])
    if isinstance(fact, Refusal):
        return fact
    return Fact(fact.kind, fact.seat, {**fact.data, **picture_fact(request.picture)})


def _wanted_path(site: Site, request: _Build) -> tuple[int, ...] | Refusal:
    if request.path:
        return site.board.path(request.path)
    if not request.to:
        return Refusal("bad-action", m("say where to build: a path of mileposts, or the milepost to reach"))
    goal = site.board.milepost(request.to)
    full = city_refusal(site.board, site.track, site.seat, goal)
    if full is not None and goal not in site.places:
        return full
    best = way_to(site, goal)
    if best is None:
        return Refusal("no-way", m("nothing can be built to {goal} now", goal=site.board.spoken(goal)))
    if len(best.mileposts) < 2:
        return Refusal("nothing-new", m("your track is at {goal} already", goal=site.board.spoken(goal)))
    return best.mileposts


def _built(site: Site, lines: Sequence[tuple[int, ...]]) -> Fact | Refusal:
    for path in lines:
        before = len(site.track)
        whole = Site(site.state, site.seat, dict(site.track), set(site.places), site.left, site.outs)
        for one, other in pairwise(path):
            refusal = site.add(one, other)
            if refusal is not None:
                return Refusal(refusal.code, refusal.message, {**_hint(whole, path), **refusal.detail})
        if len(site.track) == before:
            return Refusal(
                "nothing-new", m("there is nothing new on this path: all of it is yours or a red area")
            )
    first, *more = (path_names(site.board, path) for path in lines)
    return Fact("build", site.seat, {"path": first, "price": site.price, **({"more": more} if more else {})})


def _hint(site: Site, path: tuple[int, ...]) -> JsonObject:
    """The part of a refused path that would be legal, for the refusal's details."""
    part = affordable(site, path)
    return {"legal": path_names(site.board, part)} if len(part) > 1 else {}


def path_names(board: Board, path: Iterable[int]) -> list[str]:
    """A path as people read it."""
    return [board.names[milepost] for milepost in path]


def after_build(state: State, fact: Fact) -> State:
    """The track built and paid for; building ends the operations of a turn."""
    seat, site = fact.seat or 0, building_site(state, fact.seat or 0)
    for line in (fact.data["path"], *fact.data.get("more", ())):
        for one, other in pairwise(state.board.numbers[name] for name in line):
            site.add(one, other)
    linked = state.players[seat].linked
    for edge in list(site.track)[len(state.track) :]:
        linked = linked_with(state.board, linked, edge)
    after = replaced(with_player(state, seat, linked=linked), track=site.track)
    spent = state.turn.spent + site.price
    after = with_turn(after, phase="build", spent=spent, out_of_majors=site.outs)
    return with_money(after, seat, track=site.price)


def legal_builds(state: State, seat: int) -> list[tuple[int, int, int]]:
    """Every segment (from, to, price) that a seat may build now."""
    site = building_site(state, seat)
    board, track, left = state.board, state.track, site.left
    if state.turn.upgraded or left <= 0:
        return []
    out_allowed = site.outs < RULES.building.out_of_majors
    full: dict[int, bool] = {}
    found = []
    for one in site.starts():
        if board.major_at[one] is not None and not out_allowed:
            continue
        for other, edge in board.ways[one]:
            if edge in track or board.red[edge]:
                continue
            price = board.price[other] + board.surcharge[edge]
            if price <= left and not _blocked(site, one, other, edge, full):
                found.append((one, other, price))
    return found


def _blocked(site: Site, one: int, other: int, edge: int, full: dict[int, bool]) -> bool:
    """True if an event or the players in a city forbid building there; ``full`` is a cache."""
    if weather_refusal(site.state, one, other, edge) is not None:
        return True
    if other not in full:
        full[other] = city_refusal(site.board, site.track, site.seat, other) is not None
    return full[other]
