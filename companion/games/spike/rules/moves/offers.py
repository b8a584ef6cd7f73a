"""The builds open now by the city they lead to, with what each brings and costs: as people choose one."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from companion.games.spike.rules.match.state import State
from companion.games.spike.rules.moves.build_search import PricedBuild, nearest_builds, priced_builds
from companion.games.spike.rules.moves.builds import Build, Ground, ground_of
from companion.games.spike.rules.moves.market import Market, all_sold
from companion.games.spike.rules.moves.payment import Counts

PATHS = 12  # to the same city; there are more only for big hands
WAYS = 24  # to pay for the same path


class Offer(NamedTuple):
    """One path: where it ends, what the market pays for it, and every way to pay, the cheapest first."""

    city: str
    brings: int
    path: tuple[str, ...]
    need: Counts
    ways: tuple[Counts, ...]

    @property
    def cost(self) -> int:
        """Cards of the cheapest way."""
        return sum(self.ways[0])


class CityOffers(NamedTuple):
    """The ways to one city, the cheapest first, and how many there are in all."""

    city: str
    offers: tuple[Offer, ...]
    total: int

    @property
    def best(self) -> Offer:
        """The offer with the lowest price."""
        return self.offers[0]


def city_offers(state: State) -> tuple[CityOffers, ...]:
    """For every city that can be reached now the cheapest paths, the best paying city first.

    Nobody knows the hands of people who play with their own cards: there it is one shortest path a city.
    """
    return _city_offers(ground_of(state, state.turn), state.player.hand if state.by_box else (), state.market)


@lru_cache(maxsize=16)
def _city_offers(ground: Ground, hand: Counts, market: Market) -> tuple[CityOffers, ...]:
    """Found once a version: the view, the controls and every page ask for the same."""
    found = [_ranked(ground, market, city, builds) for city, builds in _by_city(ground, hand)]
    return tuple(sorted(found, key=lambda one: (-one.best.brings, one.best.cost, one.city)))


def _by_city(ground: Ground, hand: Counts) -> tuple[tuple[str, tuple[PricedBuild, ...]], ...]:
    found: dict[str, list[PricedBuild]] = {}
    for build, ways in priced_builds(ground, hand) if hand else _unpriced(ground):
        found.setdefault(_end(ground, build), []).append((build, ways))
    return tuple((city, tuple(builds)) for city, builds in found.items())


def _unpriced(ground: Ground) -> list[PricedBuild]:
    return [(build, (build.need,)) for build in nearest_builds(ground)]


def _end(ground: Ground, build: Build) -> str:
    """Where a build ends: in its last new city, or where it comes back to the network."""
    tracks = ground.board.tracks
    ends = tracks[build.path[-1]].track
    if len(build.path) > 1:
        before = tracks[build.path[-2]].track
        return next(end for end in ends if end not in before)
    cities = [end for end in ends if end in ground.board.cities]
    return next((city for city in cities if city not in ground.mine), cities[-1])


def _ranked(ground: Ground, market: Market, city: str, builds: tuple[PricedBuild, ...]) -> CityOffers:
    ranked = sorted(builds, key=lambda one: (sum(one[1][0]), one[0].path))
    offers = tuple(
        Offer(city, _brings(ground, market, build), build.path, build.need, ways[:WAYS])
        for build, ways in ranked[:PATHS]
    )
    return CityOffers(city, offers, len(builds))


def _brings(ground: Ground, market: Market, build: Build) -> int:
    goods = [ground.board.cities[city].good for city in build.cities]
    return all_sold(market, goods)[0]
