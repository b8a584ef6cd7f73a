"""How the map and the deck are made: what needs no sources is made again here."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from companion.games.empire_builder.rules.cards.demands import own_cards
from companion.sheets.lattice import from_doubled
from lab.empire_builder.cartography import __main__ as program
from lab.empire_builder.cartography.choices import CHOICES, PLANE
from lab.empire_builder.cartography.deck import SHAPE, make_deck
from lab.empire_builder.cartography.projection import Projection
from tests.companion.games.empire_builder.rules.tables import BOARD

PROJECTION = Projection(CHOICES.parallels, CHOICES.middle, CHOICES.middle_at, CHOICES.pitch)
HAS_LIBRARIES = all(importlib.util.find_spec(name) for name in ("scipy", "shapefile", "shapely"))


def test_our_deck_is_what_its_seed_makes_of_our_map() -> None:
    assert make_deck(BOARD, SHAPE) == own_cards()


@pytest.mark.parametrize(
    ("latitude", "longitude"), [(19.4, -99.1), (47.6, -122.3), (45.5, -73.6), (25.8, -80.2)]
)
def test_the_projection_has_an_inverse(latitude: float, longitude: float) -> None:
    there = PROJECTION.to_plane(latitude, longitude)
    assert PROJECTION.to_earth(there) == pytest.approx((latitude, longitude), abs=1e-9)


def test_a_milepost_is_about_fifty_miles() -> None:
    one, other = PLANE.at(from_doubled(30, 50)), PLANE.at(from_doubled(30, 52))
    (north, _), (south, _) = PROJECTION.to_earth(one), PROJECTION.to_earth(other)
    assert (north - south) * 69.05 == pytest.approx(CHOICES.pitch, rel=0.1)


def test_cities_lie_where_they_really_are() -> None:
    places = {
        "Chicago": (41.88, -87.63),
        "Denver": (39.74, -104.99),
        "Miami": (25.76, -80.19),
        "Mexico City": (19.43, -99.13),
    }
    for name, (latitude, longitude) in places.items():
        x, y = PROJECTION.to_plane(latitude, longitude)
        at = PLANE.at(BOARD.places[BOARD.cities[name].middle])
        assert ((at[0] - x) ** 2 + (at[1] - y) ** 2) ** 0.5 < 1.2


def test_every_place_belongs_to_a_region_with_a_share_of_mountains() -> None:
    for number in range(0, len(BOARD.places), 97):
        region = CHOICES.relief.region(*PROJECTION.to_earth(PLANE.at(BOARD.places[number])))
        assert 0 <= region.share <= 1


def test_what_is_missing_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert program.main([str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert ("has to hold one file" if HAS_LIBRARIES else "make geography") in said
