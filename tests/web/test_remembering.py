"""What strangers ask for leaves nothing behind that grows."""

from __future__ import annotations

import functools
import gc
from collections import OrderedDict
from itertools import islice, permutations
from urllib.parse import urlencode

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.service.service import Service
from tests.web.houses import begin
from web.access.guards import MOST_ADDRESS

TIMES = 300
# The parameters that any page or piece asks for, and a few that none does.
NAMES = (
    "expansion",
    "size",
    "edition",
    "match",
    "page",
    "game",
    "back",
    "name",
    "seat",
    "v",
    "what",
    "board",
)


@pytest.fixture(autouse=True)
def _everything_is_seen() -> None:
    """Also what was there when tests were collected, which `tests/conftest.py` hides from the collector."""
    gc.unfreeze()


def caches() -> list[tuple[str, functools._lru_cache_wrapper[object]]]:
    """Everything of ours that remembers results, by its name."""
    found = (one for one in gc.get_objects() if isinstance(one, functools._lru_cache_wrapper))
    ours = ("companion.", "web.", "vision.", "hub.", "firmware_bridge.")
    named = [(f"{getattr(one, '__module__', '')}.{getattr(one, '__name__', 'say')}", one) for one in found]
    return [(name, one) for name, one in named if name.startswith(ours)]


def containers() -> dict[int, int]:
    """How many entries each dictionary has."""
    return {id(one): len(one) for one in gc.get_objects() if isinstance(one, dict | OrderedDict | set)}


def addresses(app: Flask) -> list[str]:
    """Every address that anybody may get, with made-up words in its places."""
    rules = [rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ())]
    built = (
        app.url_map.bind("localhost").build(
            rule.endpoint, dict.fromkeys(rule.arguments, "WORD"), force_external=False
        )
        for rule in rules
        if not any(word in rule.rule for word in ("stream", "int:"))
    )
    return sorted(built)


def test_made_up_words_in_addresses_are_not_kept(app: Flask, client: FlaskClient, house: Service) -> None:
    begin(house)
    asked = [one for one in addresses(app) if one != "/api/v1/backup"]
    assert any(one.startswith("/pieces/") for one in asked)

    def ask(number: int) -> None:
        word = f"{number:08x}" + "x" * 120
        query = dict.fromkeys(NAMES, word)
        path = asked[number % len(asked)].replace("WORD", word[:8])
        for address in (path, "/pieces/railroad-ink", "/pieces/railroad-ink?size=usual&edition=classic"):
            named = {name: word for name in query if f"{name}=" not in address}
            answer = client.get(f"{address}{'&' if '?' in address else '?'}{urlencode(named)}")
            assert answer.status_code < 500, address
            answer.close()

    for number in range(len(asked)):
        ask(number)
    before = {id(one): one.cache_info().currsize for _, one in caches()}
    sizes = containers()
    for number in range(len(asked), len(asked) + TIMES):
        ask(number)
    grown = [name for name, one in caches() if one.cache_info().currsize - before.get(id(one), 0) > 40]
    assert grown == []
    gc.collect()
    larger = [size for key, size in containers().items() if size - sizes.get(key, size) > TIMES / 2]
    assert larger == []


def test_however_many_expansions_are_named_few_are_kept(client: FlaskClient) -> None:
    """Every order of those played together is a name that is known."""
    names = ("forest", "river", "lake", "desert", "lava", "trail")
    for order in islice(permutations(names), TIMES):
        answer = client.get("/pieces/railroad-ink", query_string={"expansion": "+".join(order)})
        assert answer.status_code in (200, 404)
    unbounded = [name for name, one in caches() if one.cache_parameters()["maxsize"] is None]
    sizes = {name: one.cache_info().currsize for name, one in caches() if name in unbounded}
    assert {name for name, size in sizes.items() if size > 1} == {"companion.game.packages._loaded"}


@pytest.mark.parametrize("name", NAMES)
def test_a_long_address_is_refused_before_anything_looks_at_it(client: FlaskClient, name: str) -> None:
    answer = client.get("/pieces/railroad-ink", query_string={name: "x" * 200_000})
    assert answer.status_code == 414
    assert answer.text == "An address has up to 2,000 letters here.\n"
    assert client.get("/photos/" + "x" * MOST_ADDRESS).status_code == 414
    assert client.get("/pieces/railroad-ink", query_string={name: "x" * 1500}).status_code != 414
