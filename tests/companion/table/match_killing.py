"""Whole matches of Railroad Ink through the table, killed again and again; run by ``test_match_killing.py``.

    python -m tests.companion.table.match_killing FOLDER KILLS SEED

Each time a child is forked, opens the table as a service would, goes on with the match that is there and
tells each accepted event through a pipe. After a few of them, at a random moment, it gets ``kill -9``. The
next child goes on; a finished match is followed by another. At the end every match is replayed strictly.
"""

from __future__ import annotations

import json
import os
import random
import select
import signal
import sys
import threading
from pathlib import Path

from companion.game.base import Action
from companion.game.registry import GAMES
from companion.table.chance import SeededChance
from companion.table.events import Actor
from companion.table.recovery import open_store
from companion.table.replay import replayed, verified
from companion.table.store import Store
from companion.table.table import Accepted, Table
from tests.golden.record import play_on

HOST = Actor("host")
PLAYERS = ["North", "East", "South", "West"]


def serve(folder: Path, promises: int, seed: int) -> None:
    """The child: play for ever, and say what was accepted only once it was."""
    store, _ = open_store(folder)
    table = Table(store, GAMES, chance=SeededChance(seed))
    subscription = table.subscribe()

    def tell() -> None:
        for event in subscription:
            os.write(promises, f"{event.match} {event.seq} {event.hash}\n".encode())

    threading.Thread(target=tell, daemon=True).start()
    while True:
        if table.current is None or table.current.finished:
            started = table.submit(Action("start", data={"game": "railroad-ink", "players": PLAYERS}), HOST)
            assert isinstance(started, Accepted), started
        play_on(table, SeededChance(seed))


def killed_once(folder: Path, chance: random.Random) -> list[str]:
    """Let a child play and kill it; returns everything it had promised."""
    reading, writing = os.pipe()
    seed, wanted = chance.randrange(10**6), chance.randrange(9)
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            serve(folder, writing, seed)
        finally:
            os._exit(1)  # only reached when something is wrong: the parent sees that nobody was killed
    os.close(writing)
    heard = b""
    while heard.count(b"\n") < wanted:
        heard += os.read(reading, 4096) or sys.exit("the child stopped by itself")
    select.select([], [], [], chance.uniform(0, 0.03))  # anywhere between two events
    os.kill(child, signal.SIGKILL)
    if not os.WIFSIGNALED(os.waitpid(child, 0)[1]):
        sys.exit("the child stopped by itself")
    heard += b"".join(iter(lambda: os.read(reading, 4096), b""))
    os.close(reading)
    return heard.decode().splitlines()


def main(folder: Path, kills: int, seed: int) -> None:
    """All kills, then the judgement; prints one JSON line of figures."""
    chance = random.Random(seed)
    promised = [line.split() for _ in range(kills) for line in killed_once(folder, chance)]
    with Store(folder, read_only=True) as store:
        stored = {match.id: store.events(match.id) for match in store.matches()}
    lost = [line for line in promised if stored[line[0]][int(line[1]) - 1].hash != line[2]]
    faults = [verdict.fault for events in stored.values() if (verdict := verified(events, GAMES)).fault]
    finished = sum(replayed(events, GAMES).finished for events in stored.values())
    events = sum(map(len, stored.values()))
    figures = {"kills": kills, "promised": len(promised), "events": events, "finished": finished}
    print(json.dumps({**figures, "lost": lost, "faults": faults}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
