"""Attackers of a hub, in a process of their own: each sends as a stranger, lies, replays and floods.

``python -m lab.club attack ADDRESS CODE COUNT`` attacks until its standard input ends, and prints as JSON how
often each kind of batch was answered with what.
"""

from __future__ import annotations

import http.client
import json
import sys
import threading
from collections import Counter
from urllib.parse import urlsplit

import msgspec

from companion.club.keys import new_key, public_key, signature
from companion.club.messages import (
    Batch,
    Paired,
    PairingRequest,
    Record,
    batch_text,
    pairing_text,
    record_hash,
)
from companion.core.jsontext import json_of
from companion.table.events import canonical

_PAUSE = 0.02  # seconds between two batches of an attacker: fifty a second


class Attacker:
    """One that has a box in the club, and the key of another."""

    def __init__(self, address: str, code: str) -> None:
        self._place = urlsplit(address).netloc
        self._connection = http.client.HTTPConnection(self._place, timeout=30)
        self._key, self._strange = new_key(), new_key()
        self.told: Counter[str] = Counter()
        box = public_key(self._key)
        wanted = PairingRequest(code, box, "Attacker", signature(self._key, pairing_text(code, box)))
        status, answer = self._post("/api/v1/boxes", json_of(wanted), {})
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

    def attack(self, stopping: threading.Event) -> None:
        """Until it is enough."""
        old = canonical(self._batch())
        while not stopping.wait(_PAUSE):
            body = canonical(self._batch())
            kind = self._number % 5
            if kind == 0:
                self._send("stranger", self._strange, body, self._club)
            elif kind == 1:
                self._send("altered", self._key, body, self._club, body.replace(b"now", b"new"))
            elif kind == 2:
                self._send("another club's", self._key, body, "0" * 16)
            elif kind == 3:
                self._send("replayed", self._key, old, self._club)
            else:
                self._send("flood", self._key, body, self._club)


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
