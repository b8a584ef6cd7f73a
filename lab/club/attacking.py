"""Attackers of a hub, in a process of their own: each sends as a stranger, lies, replays and floods.

``python -m lab.club attack ADDRESS CODE COUNT`` attacks until its standard input ends, and prints as JSON how
often each kind of batch was answered with what.
"""

from __future__ import annotations

import http.client
import json
import sys
import threading
import time
from collections import Counter
from typing import Any
from urllib.parse import urlsplit

import msgspec

from companion.club.keys import new_key, public_key, signature
from companion.club.messages import (
    MOST_SEATS,
    Batch,
    Paired,
    PairingRequest,
    Record,
    Standing,
    batch_text,
    pairing_text,
    record_hash,
)
from companion.core.jsontext import JsonObject, json_of
from companion.table.events import FIRST_HASH, canonical

_TRIES = 60
_PAUSE = 0.02  # seconds between two batches of an attacker: fifty a second


def _first(data: JsonObject, results: list[JsonObject] | None = None) -> JsonObject:
    """The first record of a match, signed and chained as it should be."""
    record = Record("poisoned", 1, "now", "start", None, "host", data, [], "", "0" * 64)
    told: JsonObject = json.loads(canonical(record)) | {"results": results or []}
    try:
        told["hash"] = record_hash(msgspec.convert(told, Record))
    except msgspec.ValidationError:
        told["hash"] = "0" * 64
    return {"records": [told]}


def _table(**changed: Any) -> JsonObject:
    """How a match stands."""
    told = {"match": "poisoned", "seq": 1, "game": "spike", "headline": "", "status": "", "seats": []}
    return {"table": {**told, "finished": False, **changed}}


_STANDING = {"seat": 1, "name": "Eve", "total": 7, "place": 1, "colour": "red", "shape": "circle"}
POISON: dict[str, JsonObject] = {
    "NUL in a call for help": {"help": "a\0b"},
    "NUL in a game": _first({"game": "a\0b"}),
    "a place of -7": _first({"game": "spike"}, [{**_STANDING, "place": -7}]),
    "no duplicate": _first({"game": "railroad-ink", "duplicate": None}),
    "a large number": _first({"game": "spike", "n": 2**63}),
    "an unknown shape": _table(seats=[{**_STANDING, "shape": "zigzag"}]),
    "a position without end": _table(view={"rounds": 20_000_000}),
    "a thousand questions": {"asks": [f"q{number}" for number in range(1000)], "help": "?"},
    "a number without end": _first({"game": "spike", "n": 1}),
    "a position of another game": _table(view={"scores": [{"seat": 1}], "rounds": 900_000}),
}


class Attacker:
    """One that has a box in the club, and the key of another."""

    def __init__(self, address: str, code: str) -> None:
        self._place = urlsplit(address).netloc
        self._connection = http.client.HTTPConnection(self._place, timeout=30)
        self._key, self._strange = new_key(), new_key()
        self.told: Counter[str] = Counter()
        box = public_key(self._key)
        wanted = PairingRequest(code, box, "Attacker", signature(self._key, pairing_text(code, box)))
        status, answer = 0, b""
        for _ in range(_TRIES):  # the hub may only just have been started
            status, answer = self._post("/api/v1/boxes", json_of(wanted), {})
            if status == 201:
                break
            time.sleep(1)
        assert status == 201, answer
        self._club = msgspec.json.decode(answer, type=Paired).club
        self._number = 0

    def _post(self, path: str, body: bytes, headers: dict[str, str]) -> tuple[int, bytes]:
        try:
            self._connection.request("POST", path, body, {"Content-Type": "application/json", **headers})
            answer = self._connection.getresponse()
            return answer.status, answer.read()
        except (OSError, http.client.HTTPException) as problem:
            self._connection.close()
            return 0, json_of({"error": {"code": type(problem).__name__}})

    def _send(self, kind: str, key: str, body: bytes, club: str, sent: bytes | None = None) -> None:
        told = {
            "Stationmaster-Box": public_key(key),
            "Stationmaster-Signature": signature(key, batch_text(club, body)),
        }
        status, answer = self._post("/api/v1/batches", body if sent is None else sent, told)
        code = "taken" if status == 200 else json.loads(answer)["error"]["code"]
        self.told[f"{kind}: {code}"] += 1

    def _batch(self) -> Batch:
        """A match that nobody played, with a record that continues nothing."""
        self._number += 1
        record = Record("forged", 1 + self._number, "now", "roll", None, "host", {}, [], "", "f" * 64)
        record = msgspec.structs.replace(record, hash=record_hash(record))
        return Batch(self._club, self._number, [record], help=f"flood {self._number}")

    def _poison(self) -> tuple[str, bytes]:
        """A batch that no hub may choke on: what breaks a database or a page, or a newer box says."""
        names = list(POISON)
        kind = names[self._number // 7 % len(names)]
        batch: JsonObject = json.loads(canonical(Batch(self._club, self._number)))
        return kind, json.dumps(batch | POISON[kind]).replace('"n": 1}', f'"n": {"9" * 4000}}}').encode()

    def _made_up(self) -> bytes:
        """A match that nobody played, with as many at the table as there may be."""
        match = f"made-up-{self._number}"
        seats = [
            Standing(seat, f"{match} {seat}", seat, MOST_SEATS + 1 - seat)
            for seat in range(1, MOST_SEATS + 1)
        ]
        record = Record(match, 1, "now", "start", None, "host", {"game": "derailed"}, seats, "", FIRST_HASH)
        record = msgspec.structs.replace(record, hash=record_hash(record))
        return canonical(Batch(self._club, self._number, [record]))

    def attack(self, stopping: threading.Event) -> None:
        """Until it is enough."""
        old = canonical(self._batch())
        while not stopping.wait(_PAUSE):
            body = canonical(self._batch())
            kind = self._number % 7
            if kind == 0:
                self._send("stranger", self._strange, body, self._club)
            elif kind == 1:
                self._send("altered", self._key, body, self._club, body.replace(b"now", b"new"))
            elif kind == 2:
                self._send("another club's", self._key, body, "0" * 16)
            elif kind == 3:
                self._send("replayed", self._key, old, self._club)
            elif kind == 4:
                self._send("flood", self._key, body, self._club)
            elif kind == 5:
                self._send("made up", self._key, self._made_up(), self._club)
            else:
                name, poison = self._poison()
                self._send(f"poison, {name}", self._key, poison, self._club)


def attack(address: str, code: str, count: int) -> str:
    """Attack until standard input ends; what the attackers were told."""
    attackers = [Attacker(address, code) for _ in range(count)]
    stopping = threading.Event()
    threads = [threading.Thread(target=one.attack, args=(stopping,)) for one in attackers]
    for thread in threads:
        thread.start()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.read()
    stopping.set()
    for thread in threads:
        thread.join()
    return json.dumps(sum((one.told for one in attackers), Counter()))
