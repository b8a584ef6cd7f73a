"""A process that is killed again and again while it stores events; run by ``test_killing.py``.

    python -m tests.companion.table.killing FOLDER ROUNDS SEED

Each round forks a child (cheaper than starting one anew) that opens the table, appends events and tells each
one it was promised through a pipe. At a random moment it gets ``kill -9``. Then the table is opened again and
everything the child was promised has to be there. Prints one JSON line of figures.
"""

from __future__ import annotations

import json
import os
import random
import select
import signal
import sys
from pathlib import Path

from companion.table.backup import automatic_backup, automatic_backups, check_backup
from companion.table.events import Event, chain_fault
from companion.table.journal import journal_path, line_of
from companion.table.recovery import open_store
from companion.table.store import Answer, Snapshot, Store
from tests.companion.table.chains import begun, following

ROUNDS_A_MATCH = 10


def play(folder: Path, match: str, promises: int) -> None:
    """What the child does until it is killed."""
    store, _ = open_store(folder)
    last = store.last(match)
    while True:
        last = following(last) if last else begun(match)
        store.append(last, Answer("host:", f"{match}/{last.seq}", last.hash, match, last.seq))
        os.write(promises, f"{last.seq} ".encode())
        if last.seq % 5 == 0:
            store.put_snapshot(Snapshot(match, last.seq, last.hash, "{}"))
        if last.seq % 23 == 0:
            automatic_backup(store, kept=2)


def killed_round(folder: Path, match: str, chance: random.Random) -> int:
    """Let a child play, kill it, and return the number of the last event it was promised (0: none)."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            play(folder, match, writing)
        finally:
            os._exit(1)  # only reached when something is wrong: the parent sees that nobody was killed
    os.close(writing)
    heard = b""
    wanted = chance.choice([0, chance.randrange(40)])
    while heard.count(b" ") < wanted:
        heard += os.read(reading, 1000) or sys.exit("the child stopped by itself")
    select.select(
        [], [], [], chance.uniform(0, 0.02 if wanted == 0 else 0.004)
    )  # anywhere between two promises
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if not os.WIFSIGNALED(status):
        sys.exit("the child stopped by itself")
    heard += b"".join(iter(lambda: os.read(reading, 1000), b""))
    os.close(reading)
    return int(heard.split()[-1]) if heard.split() else 0


def faults(folder: Path, match: str, promised: int) -> list[str]:
    """What is not as it was promised, after opening the table again."""
    store, notes = open_store(folder)
    with store:
        events = store.events(match)
        found = [f"said at the start: {note}" for note in notes]
        if not promised <= len(events) <= promised + 1:
            found.append(f"{match}: {promised} events were promised, {len(events)} are there")
        found += [f"{match}: {fault}" for fault in [chain_fault(events)] if fault]
        found += [f"{match}: no answer for {event.seq}" for event in events if not answered(store, event)]
        path = journal_path(folder, match)
        if events and path.read_bytes() != b"".join(map(line_of, events)):
            found.append(f"{path} differs from the database")
    return found


def answered(store: Store, event: Event) -> bool:
    """Is the answer stored with this event?"""
    answer = store.answer("host:", f"{event.match}/{event.seq}")
    return answer is not None and answer.digest == event.hash


def main(folder: Path, rounds: int, seed: int) -> None:
    """All rounds, then the backups."""
    chance = random.Random(seed)
    promised: dict[str, int] = {}
    found: list[str] = []
    for number in range(rounds):
        match = f"m{number // ROUNDS_A_MATCH}"
        promised[match] = max(killed_round(folder, match, chance), promised.get(match, 0))
        wrong = faults(folder, match, promised[match])
        found += wrong
        with Store(
            folder, read_only=True
        ) as store:  # one more than promised may be there, and counts from now on
            last = store.last(match)
            promised[match] = last.seq if last else 0
    for file in automatic_backups(folder):
        check_backup(file)
    figures = {"kills": rounds, "events": sum(promised.values()), "backups": len(automatic_backups(folder))}
    print(json.dumps({**figures, "faults": found}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
