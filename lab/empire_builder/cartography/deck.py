"""``python -m lab.empire_builder.cartography.deck``: make our demand cards for our map again.

Which city asks for which load is drawn with a seed until the deck has the shape of ``deck.toml``; what is
paid follows from what it costs to build there from the nearest source.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from importlib.resources import files
from itertools import cycle, islice
from pathlib import Path
from random import Random

import msgspec

from companion.core.jsontext import builtins_of
from companion.games.empire_builder import rules
from companion.games.empire_builder.rules.boards.board import Board, board
from companion.games.empire_builder.rules.boards.paths import build_costs
from companion.games.empire_builder.rules.cards.demands import OWN_DECK, Demand, DemandCard
from companion.games.empire_builder.rules.rulebook import LOADS
from companion.sheets.lattice import distance

HERE = Path(rules.__path__[0])
TRIES = 2000


class DeckShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The tables of ``deck.toml``."""

    seed: int
    cards: int
    with_major: int
    major_with_medium: int
    nearest: int
    fewest_of_a_load: int
    most_of_a_load: int
    per_cost: float
    base: float
    spread: float
    lowest: int
    premium: dict[str, float]


SHAPE = msgspec.toml.decode(files(__package__).joinpath("deck.toml").read_bytes(), type=DeckShape)


def make_deck(on: Board, shape: DeckShape) -> tuple[DemandCard, ...]:
    """The deck of this seed."""
    random = Random(shape.seed)
    costs = {load: _source_costs(on, load) for load in LOADS}
    for _ in range(TRIES):
        places = _places(on, shape, random)
        loads = _loads(on, shape, random, places)
        if loads is not None:
            break
    else:
        raise RuntimeError(f"no deck of this shape was found in {TRIES} tries: choose another seed")
    cards = []
    for number, (cities, asked) in enumerate(zip(places, loads, strict=True), start=1):
        demands = tuple(
            Demand(city, load, _payout(costs[load][on.cities[city].middle], load, shape, random))
            for city, load in zip(cities, asked, strict=True)
        )
        cards.append(DemandCard(str(number), demands))
    return tuple(cards)


# --- which cities stand on a card ---


def _places(on: Board, shape: DeckShape, random: Random) -> list[list[str]]:
    """Three different cities a card; every city of a size about as often as the others."""
    major, medium, small = (_turns(on, size, random) for size in ("major", "medium", "small"))
    cards = []
    for number in range(shape.cards):
        if number < shape.with_major:
            second = medium if number < shape.major_with_medium else small
            cards.append([next(major), next(second), next(small)])
        else:
            cards.append([next(medium), next(small), next(small)])
    return cards


def _turns(on: Board, size: str, random: Random) -> Iterator[str]:
    """All cities of a size in ever new order, so that none comes up twice before all have."""
    names = [city.name for city in on.cities.values() if city.size == size]
    last: list[str] = []
    for _ in cycle([None]):
        order = random.sample(names, len(names))
        if last and order[0] == last[-1]:  # a card takes two in a row
            order.append(order.pop(0))
        yield from order
        last = order


# --- which loads are asked for ---


def _loads(on: Board, shape: DeckShape, random: Random, places: list[list[str]]) -> list[list[str]] | None:
    """Loads for every card, or None when the drawing ran into a corner."""
    slots = [city for cities in places for city in cities]
    bag = list(islice(cycle(random.sample(LOADS, len(LOADS))), len(slots)))
    random.shuffle(bag)
    allowed = {load: _far_enough(on, load, shape.nearest) for load in LOADS}
    asked: list[list[str]] = []
    pairs: set[tuple[str, str]] = set()
    for cities in places:
        card: list[str] = []
        for city in cities:
            fitting = (
                place
                for place, load in enumerate(bag)
                if city in allowed[load] and load not in card and (city, load) not in pairs
            )
            place = next(fitting, None)
            if place is None:
                return None
            card.append(bag.pop(place))
            pairs.add((city, card[-1]))
        asked.append(card)
    counts = Counter(load for card in asked for load in card)
    inside = all(shape.fewest_of_a_load <= counts[load] <= shape.most_of_a_load for load in LOADS)
    return asked if inside else None


def _far_enough(on: Board, load: str, nearest: int) -> set[str]:
    sources = [on.places[city.middle] for city in on.cities.values() if load in city.loads]
    return {
        city.name
        for city in on.cities.values()
        if all(distance(on.places[city.middle], source) >= nearest for source in sources)
    }


# --- what is paid ---


def _source_costs(on: Board, load: str) -> list[int | None]:
    return build_costs(on, [city.middle for city in on.cities.values() if load in city.loads])


def _payout(cost: int | None, load: str, shape: DeckShape, random: Random) -> int:
    assert cost is not None, "every city of our map can be reached"
    fair = shape.per_cost * cost + shape.base + shape.premium.get(load, 0.0)
    return max(shape.lowest, round(random.gauss(fair, shape.spread)))


def main() -> None:
    """Write the deck where the game reads it."""
    cards = make_deck(board(), SHAPE)
    lines = ",\n".join(json.dumps(builtins_of(card)) for card in cards)
    made = json.dumps({"by": "cartography/deck.py", "seed": SHAPE.seed})
    (HERE / OWN_DECK).write_text(f'{{\n"made": {made},\n"cards": [\n{lines}\n]\n}}\n')


if __name__ == "__main__":
    main()
