"""A member's box that says anything: mutated batches of every kind and game, and every page after them.

``python -m lab.club fuzz --batches 10000`` plays every game a little, changes what its box would send at
random places (also where no box of this version would), signs it and sends it to a hub on SQLite, beside an
honest table. In the end there has to be no page in error, and the honest table shown as it stands.
"""

from __future__ import annotations

import json
import random
import statistics
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from companion.club.keys import new_key, public_key, signature
from companion.club.messages import Batch, PairingRequest, Record, batch_text, pairing_text, record_hash
from companion.club.records import RecordBuilder
from companion.core.jsontext import JsonObject
from companion.game.base import Action
from companion.game.bots import greedy_action
from companion.game.registry import GAMES
from companion.table.chance import SeededChance
from companion.table.events import Actor, canonical
from companion.table.match import Match
from companion.table.store import Store
from companion.table.table import Accepted, Table
from hub.app import create_app, made_house
from hub.foreign.confined import Confined
from hub.foreign.drawing import Drawings
from hub.intake.ledger import CODE
from hub.storage.database import setting
from hub.storage.migrations import opened_database
from web.access.limits import Limiter
from web.live.club_night import table_state

PAGES = ("/", "/table/1", "/table/2", "/standings", "/screen", "/api/v1/tables", "/standings?season=0")
ODD: tuple[Any, ...] = (
    None, True, False, 0, -1, -7, 1, 2, 99, 100, 10**6, 10**9, 2**53, 2**63, -(2**63), 1.5, 1e300,
    "", "\0", "\n", "zigzag", "x" * 50, "x" * 5000, "<script>", "{a}", "Ä\u202e", "\ud7ff", "../..", "1e9",
    [], {}, [[]], [None] * 40, {"": ""}, {"a": {"a": {"a": []}}}, {"message_id": "{a}", "places": 3},
    {"message_id": "{n} card", "many": "{n} cards", "places": {"n": "x"}}, {"message_id": "x", "context": []},
)  # fmt: skip
_STEPS = 30


@dataclass
class Told:
    """What became of the batches and the pages."""

    batches: Counter[str] = field(default_factory=Counter)
    pages: int = 0
    errors: list[str] = field(default_factory=list)
    seconds: dict[str, list[float]] = field(default_factory=dict)  # of every page
    calm: dict[str, list[float]] = field(default_factory=dict)  # beside a member that says what it should

    def lines(self) -> Iterator[str]:
        """To print."""
        yield f"{sum(self.batches.values())} batches: {dict(self.batches.most_common())}"
        yield f"{self.pages} pages, {len(self.errors)} in error {self.errors[:5]}"
        for name, pages in (("as it should be", self.calm), ("with them", self.seconds)):
            took = [one for page in pages.values() for one in page]
            cuts = statistics.quantiles(took, n=100)
            middle, slow = cuts[49] * 1000, cuts[94] * 1000
            yield f"{name}: median {middle:.0f} ms, 95 % {slow:.0f} ms, most {max(took):.2f} s"
        ratios = {
            page: statistics.median(self.seconds[page]) / statistics.median(self.calm[page]) for page in PAGES
        }
        slower = ", ".join(f"{page} {ratio:.2f}" for page, ratio in ratios.items())
        yield f"times as long as it should be, by page (medians): {slower}"


class _Member:
    """A box of the club, by its key."""

    def __init__(self, hub: _Hub) -> None:
        self._hub, self._key, self._number = hub, new_key(), 0
        self.box = public_key(self._key)
        wish = PairingRequest(hub.code, self.box, "x", signature(self._key, pairing_text(hub.code, self.box)))
        hub.house.ledger.pair(wish)

    def send(self, batch: JsonObject) -> str:
        self._number += 1
        told = {"club": self._hub.house.club.id, "number": self._number, **batch}
        body = json.dumps(told).encode()
        signed = signature(self._key, batch_text(self._hub.house.club.id, body))
        headers = {"Stationmaster-Box": self.box, "Stationmaster-Signature": signed}
        answer = self._hub.client.post("/api/v1/batches", data=body, headers=headers)
        return "taken" if answer.status_code == 200 else str((answer.json or {})["error"]["code"])


class _Hub:
    """A hub in this process, without limits in time for batches."""

    def __init__(self, folder: Path, drawing: Confined) -> None:
        self.database = opened_database("", folder)
        self.house = made_house(self.database, threading.Event(), name="Fuzz")
        self.house.drawings = Drawings(drawing.draw)
        self.ticks = 0.0
        self.house.limiter = Limiter(clock=self._tick)
        self.client = create_app(self.house).test_client()
        with self.database.reading() as look:
            self.code = setting(look, CODE) or ""

    def _tick(self) -> float:
        self.ticks += 1
        return self.ticks

    def pages(self, told: Told, took: dict[str, list[float]]) -> None:
        """Fetch every page, in a language chosen by turns."""
        self.house.state.refresh()
        self.house.drawings.forget_pauses()  # so that every position is tried
        wanted = ("en", "de", "fr")[told.pages % 3]
        for page in PAGES:
            begun = time.monotonic()
            answer = self.client.get(page, headers={"Accept-Language": wanted})
            took.setdefault(page, []).append(time.monotonic() - begun)
            told.pages += 1
            if answer.status_code != 200:
                told.errors.append(f"{page}: {answer.status_code}")


def fuzz(batches: int, seed: int = 1, pages_every: int = 5) -> Told:
    """Send so many mutated batches, with all pages after every few of them.

    Another hub beside it gets the same batches as they should be, so that its pages can be compared.
    """
    chance, told = random.Random(seed), Told()
    drawing = Confined()
    with tempfile.TemporaryDirectory(prefix="club-fuzz-") as name:
        folder = Path(name)
        hub, calm = _Hub(folder / "hub", drawing), _Hub(folder / "calm", drawing)
        try:
            honest, hostile = _Member(hub), _Member(hub)
            others = _Member(calm), _Member(calm)
            material = [batch for game in GAMES for batch in _material(folder / game, game, seed)]
            for first, second in ((honest, hostile), others):
                assert first.send(material[0]) == "taken"
                second.send(material[1])
            for number in range(batches):
                batch = _of_a_match(chance.choice(material), number)
                others[1].send(_chained(batch))
                told.batches[hostile.send(_mutated(batch, chance))] += 1
                if number % pages_every == 0:
                    calm.pages(told, told.calm)
                    hub.pages(told, told.seconds)
            shown = hub.client.get("/api/v1/tables").json
            assert shown is not None
            assert shown["tables"][0]["seq"] == material[0]["table"]["seq"]
        finally:
            drawing.stop()
            hub.database.close()
            calm.database.close()
    return told


def _material(folder: Path, game: str, seed: int) -> list[JsonObject]:
    """What a box would send of a match of this game: in the middle, and when it is over."""
    found = []
    with closing(Store(folder)) as store:
        table = Table(store, GAMES, chance=SeededChance(seed))
        players = [f"P{number}" for number in range(GAMES[game].seats[0] + 1)]
        answer = table.submit(Action("start", data={"game": game, "players": players}), Actor("host"))
        assert isinstance(answer, Accepted), answer
        for step in range(_STEPS):
            match = table.current
            assert match is not None
            if match.finished:
                break
            if step in (_STEPS // 2, _STEPS - 1):
                found.append(_batch(match))
            dice = SeededChance(seed + step)
            wishes = (greedy_action(match.game, match.state, seat, dice) for seat in match.players)
            table.submit(next(one for one in wishes if one is not None), Actor("host"))
        table.submit(Action("end"), Actor("host"))
        assert table.current is not None
        found.append(_batch(table.current))
    return found


def _batch(match: Match) -> JsonObject:
    records = list(RecordBuilder(match.game).records(match.events))[-100:]
    batch: JsonObject = json.loads(canonical(Batch("", 0, records, table=table_state(match, True))))
    del batch["club"], batch["number"]
    return batch


def _of_a_match(batch: JsonObject, number: int) -> JsonObject:
    """The batch, of a match of its own."""
    found: JsonObject = json.loads(json.dumps(batch))
    match = f"f{number % 60}"  # some go on, some begin
    for told in (*found["records"], found["table"]):
        told["match"] = match
    return found


def _mutated(batch: JsonObject, chance: random.Random) -> JsonObject:
    """A batch changed at one to four places, its records chained anew."""
    changed: JsonObject = json.loads(json.dumps(batch))
    if chance.random() < 0.3:
        changed["records"] = []
    for _ in range(chance.randint(1, 4)):
        _change(_root(changed, chance), chance)
    return _chained(changed)


def _root(batch: JsonObject, chance: random.Random) -> Any:
    """Where to change something: what has no shape of its own the more often, for shapes are refused."""
    records, state = batch.get("records"), batch.get("table")
    weights: list[tuple[Any, int]] = [(batch, 1), (state, 1)]
    if isinstance(records, list):
        weights += [(one.get("data"), 3) for one in records[:1] + records[-1:] if isinstance(one, dict)]
        weights += [(one.get("results"), 2) for one in records[-1:] if isinstance(one, dict)]
    if isinstance(state, dict):
        weights += [(state.get("view"), 8), (state.get("seats"), 1), (state.get("said"), 2)]
    found = [(root, weight) for root, weight in weights if isinstance(root, dict | list) and root]
    return chance.choices([root for root, _ in found], [weight for _, weight in found])[0]


def _change(root: Any, chance: random.Random) -> None:
    """Change one value somewhere below."""
    at = root
    while True:
        key = chance.choice(list(at) if isinstance(at, dict) else range(len(at)))
        below = at[key]
        if not isinstance(below, dict | list) or not below or chance.random() < 0.15:
            break
        at = below
    what = chance.random()
    if what < 0.15:
        del at[key]
    elif what < 0.25 and isinstance(at, list):
        at.extend(deepcopy(at[:50]))
    elif what < 0.3 and isinstance(at, dict):
        at[str(chance.choice(ODD))[:60]] = deepcopy(at[key])
    elif what < 0.5 and isinstance(below, int):
        at[key] = below + chance.choice((-1, 1, -100, 100, 50_000))
    else:
        at[key] = deepcopy(chance.choice(ODD))


def _chained(batch: JsonObject) -> JsonObject:
    """The hashes of a box that signs what it says, as far as it still has the shape of records."""
    prev = "0" * 64
    try:
        for at, told in enumerate(batch["records"]):
            told["seq"], told["prev"], told["hash"] = at + 1, prev, ""
            record = msgspec.convert(told, Record)
            prev = told["hash"] = record_hash(record)
    except (msgspec.ValidationError, TypeError, KeyError, AttributeError, OverflowError, UnicodeEncodeError):
        return batch
    return batch
