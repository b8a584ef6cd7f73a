"""From a board and the seed to contract and route cards."""

from __future__ import annotations

from collections import Counter
from random import Random

from companion.games.spike.printing.choices import Choices, ContractChoice
from companion.games.spike.rules.boards.board import Board
from companion.games.spike.rules.rulebook import BOOK


def nearest_supply(board: Board, good: str) -> dict[str, int]:
    """How many tracks each city is from the nearest one that supplies the good."""
    hops = [board.hops(city) for city in board.suppliers[good]]
    return {city: min(found[city] for found in hops) for city in board.cities}


def dollars(wish: ContractChoice, tracks: int) -> int:
    """What a delivery over so many tracks brings."""
    return min(wish.most, max(wish.least, round(wish.dollars + wish.dollars_a_track * tracks)))


def contracts(board: Board, choices: Choices) -> list[dict[str, object]]:
    """The sides of all contract cards: a near, a far and two cities between, every city asked for evenly."""
    random = Random(choices.seed + 1)
    wish = choices.contracts
    used: Counter[str] = Counter()
    found: list[dict[str, object]] = []
    for card in range(1, BOOK.contract_cards + 1):
        for side in BOOK.sides:
            for good in random.sample(sorted(board.goods), len(board.goods)):
                tracks = nearest_supply(board, good)
                cities = _spread(tracks, wish, used, random)
                used.update(cities)
                pays = {city: dollars(wish, tracks[city]) for city in sorted(cities, key=lambda c: tracks[c])}
                found.append({"contract": good, "card": card, "side": side, "pays": pays})
    order = list(board.goods)
    return sorted(found, key=lambda one: (order.index(str(one["contract"])), one["card"], one["side"]))


def _spread(tracks: dict[str, int], wish: ContractChoice, used: Counter[str], random: Random) -> list[str]:
    """One city from each of four bands of distance, the least used of its band first."""
    far_enough = sorted(
        (city for city in tracks if tracks[city] >= wish.nearest), key=lambda city: (tracks[city], city)
    )
    size = len(far_enough) / wish.cities
    bands = [far_enough[round(n * size) : round((n + 1) * size)] for n in range(wish.cities)]
    return [min(band, key=lambda city: (used[city], random.random())) for band in bands]


def routes(board: Board, choices: Choices) -> list[dict[str, object]]:
    """A route card for every city: others at growing distances, worth more the farther they are."""
    random = Random(choices.seed + 2)
    used: Counter[str] = Counter()
    found: list[dict[str, object]] = []
    for start in random.sample(sorted(board.cities), len(board.cities)):
        hops = {place: tracks for place, tracks in board.hops(start).items() if place in board.cities}
        cities = _by_value(hops, choices, used, random)
        used.update(cities)
        pays = {city: choices.routes.value(hops[city]) for city in sorted(cities, key=lambda c: hops[c])}
        found.append({"route": start, "pays": pays})
    return sorted(found, key=lambda one: str(one["route"]))


def _by_value(hops: dict[str, int], choices: Choices, used: Counter[str], random: Random) -> list[str]:
    """One city of each of the highest values there are, the least used first."""
    bands: dict[int, list[str]] = {}
    for city in sorted(hops):
        bands.setdefault(choices.routes.value(hops[city]), []).append(city)
    values = sorted((value for value in bands if value), reverse=True)[: choices.routes.cities]
    picked = [min(bands[value], key=lambda city: (used[city], random.random())) for value in values]
    while len(picked) < choices.routes.cities:
        left = [city for city in bands[values[-1]] if city not in picked]
        picked.append(min(left, key=lambda city: (used[city], random.random())))
    return picked
