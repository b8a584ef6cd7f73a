"""What known marks tell about how their player draws."""

from __future__ import annotations

from companion.games.kit.evidence import Look
from companion.games.railroad_ink.eye.mark_habits import with_mark_habits

_PALM = {"+cactus": 0.55, "+oasis": 0.4, "": 0.05}


def test_oases_that_look_like_cacti_are_taken_for_oases() -> None:
    """Four palms are known to be oases: the fifth, that looks the same, is one, too."""
    looks: dict[str, Look] = {place: dict(_PALM) for place in ("a1", "b2", "c3", "d4", "e5")}
    known = dict.fromkeys(("a1", "b2", "c3", "d4"), "+oasis")
    found = with_mark_habits(looks, "desert", known)["e5"]
    assert found is not None
    assert next(iter(found)) == "+oasis"
    assert abs(sum(found.values()) - 1) < 1e-9


def test_rivers_that_are_railways_elsewhere_are_doubted() -> None:
    """Beside known routes the reader saw rivers that are none: the next one is less sure."""
    ladder = {"+river:NS": 0.7, "": 0.3}
    looks: dict[str, Look] = {place: dict(ladder) for place in ("a1", "b2", "c3", "d4")}
    found = with_mark_habits(looks, "river", dict.fromkeys(("a1", "b2", "c3"), ""))["d4"]
    assert found is not None
    assert found["+river:NS"] < 0.5


def test_little_that_is_known_says_nothing() -> None:
    """Two signs are too few; of canyons' borders only those with one are known; hidden places stay so."""
    looks: dict[str, Look] = {"a1": dict(_PALM), "b2": dict(_PALM), "c3": None, "d4": {"": 1.0}}
    assert with_mark_habits(looks, "desert", {"a1": "+oasis", "b2": "+oasis", "c3": "+oasis"}) == looks
    borders: dict[str, Look] = {f"a{n}-b{n}": {"canyon": 0.6, "": 0.4} for n in range(1, 6)}
    assert with_mark_habits(borders, "canyon", dict.fromkeys(list(borders)[:4], "canyon")) == borders
