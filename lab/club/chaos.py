"""Kill -9 of NATS servers, PostgreSQL, hubs and boxes in random order while people play; then compare.

Three NATS servers with JetStream, PostgreSQL with fsync as it comes from the distribution, two hubs, and
boxes that are processes with the real store and the real outbox. Every few seconds one of them is killed and
started again. In the end every record of every match has to be at the hub once, every chain has to verify,
and the standings at the hub have to be those that follow from the boxes' own journals.
"""

from __future__ import annotations

import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from http.client import HTTPException
from itertools import count
from pathlib import Path
from typing import NoReturn
from urllib.error import HTTPError
from urllib.request import urlopen

from companion.club.membership import Memberships
from companion.table.recovery import open_store
from hub.intake.ledger import CODE, found_club
from hub.results import table_of
from hub.standings import Scheme, standings
from hub.state import HubState
from hub.storage.database import Database, setting
from hub.storage.migrations import opened_database
from lab.club.boxes import PlayingBox
from lab.club.comparing import compared
from lab.club.engines import Nats, Postgres, Server, free_port
from lab.club.looking import Elsewhere, Looker

TOLD = "told"  # a box's list of its events and when they happened
_REST = 1.5  # seconds between a kill and the start after it
_STARTS = 20.0  # seconds after a kill in which an engine or hub starts and catches up
_SETTLES = 10.0  # and in which a box does after its next event
_CATCH_UP = 240.0  # seconds for everything to arrive when nothing is killed any more


def box_process(folder: Path, hub: str, seed: int, every: float) -> NoReturn:
    """What a box's process does until it is killed: play, and let the outbox's own thread send."""
    store, _ = open_store(folder)
    store.close()
    box = PlayingBox(folder, seed)
    Memberships(box.store.setting, box.store.put_setting).change(hub=hub)
    box.outbox.start()
    chance = random.Random(time.time_ns())
    with (folder.parent / TOLD).open("a", buffering=1) as told:
        while True:
            match, seq = box.event()
            told.write(f"{match} {seq} {time.monotonic():.3f}\n")
            time.sleep(chance.uniform(0.2, 1.8) * every)


class _Looker(threading.Thread):
    """Somebody who opens pages all the time, at whichever hub there is."""

    def __init__(self, links: list[str]) -> None:
        super().__init__(name="looker", daemon=True)
        self._links = links
        self._stopping = threading.Event()
        self.took: list[tuple[float, float]] = []  # when it was asked for, and how long the answer took
        self.answers: Counter[str] = Counter()

    def run(self) -> None:
        pages = ("", "standings", "screen", "table/1", "api/v1/tables")
        for number in count():
            if self._stopping.wait(0.2):
                return
            begun = time.monotonic()
            try:
                link = self._links[number % len(self._links)]
                with urlopen(link + pages[number % len(pages)], timeout=20) as page:
                    page.read()
                self.answers["answered"] += 1
                self.took.append((begun, time.monotonic() - begun))
            except HTTPError as problem:
                self.answers[str(problem.code)] += 1
            except (OSError, HTTPException):
                self.answers["hub away"] += 1

    def told(self, kills: Sequence[tuple[float, str]]) -> Iterator[str]:
        """To print, when it is enough: all pages, and those for which nothing was down."""
        self._stopping.set()
        self.join()
        yield f"pages: {dict(self.answers)}"
        down = _down(kills)
        quiet = [took for begun, took in self.took if not _is_within(begun, down)]
        for name, took in (("all", [took for _, took in self.took]), ("undisturbed", quiet)):
            if len(took) > 1:
                cuts = statistics.quantiles(took, n=100)
                yield (
                    f"pages, {name}: {len(took)}, median {cuts[49] * 1000:.0f} ms,"
                    f" 95 % {cuts[94] * 1000:.0f} ms, most {max(took):.2f} s"
                )


class _Seer(threading.Thread):
    """Somebody before a hub's first page, who notes when an event of a table is there."""

    def __init__(self, link: str) -> None:
        super().__init__(name="seer", daemon=True)
        self._looker = Looker(link)
        self._stopping = threading.Event()

    def run(self) -> None:
        """Look five times a second, beside what the stream says: hubs come and go."""
        while not self._stopping.wait(0.2):
            with suppress(OSError, HTTPException, ValueError):
                self._looker.look()

    def seen(self) -> list[tuple[str, int, float]]:
        """When each event was first seen."""
        self._stopping.set()
        self.join()
        return self._looker.seen


def _first_seen(seers: Sequence[_Seer]) -> dict[tuple[str, int], float]:
    """When each event was first seen at whichever hub."""
    found: dict[tuple[str, int], float] = {}
    for match, seq, at in (told for one in seers for told in one.seen()):
        found[match, seq] = min(at, found.get((match, seq), at))
    return found


def _visible(
    folder: Path, seen: Mapping[tuple[str, int], float], kills: Sequence[tuple[float, str]]
) -> Iterator[str]:
    """How late events were on the page: all of them, and those for which all that they need was up.

    An engine or hub is up again some time after it was killed, a box some time after its next event: on a
    busy machine a process takes long to start. What a later event of the same box has taken off the page
    counts as seen then.
    """
    late: dict[str, list[float]] = {"all": [], "undisturbed": []}
    last = max(seen.values(), default=0.0)
    for place in sorted(folder.glob(f"box*/{TOLD}")):
        told = [line.split() for line in place.read_text().splitlines()]
        events = [(match, int(seq), float(when)) for match, seq, when in told]
        down = _down(kills)
        for begun in (0.0, *(at for at, name in kills if name == place.parent.name)):
            first = next((when for *_, when in events if when > begun), last)
            down.append((begun - 1.0, first + _SETTLES))
        at = last
        for match, seq, when in reversed(events):
            at = min(at, seen.get((match, seq), at))
            if when > last - _SETTLES:
                continue
            late["all"].append(at - when)
            if not _is_within(when, down):
                late["undisturbed"].append(at - when)
    for name, all_of_them in late.items():
        if len(all_of_them) > 1:
            cuts = statistics.quantiles(all_of_them, n=100)
            within = sum(one <= 1.0 for one in all_of_them) / len(all_of_them)
            yield (
                f"visible, {name}: {len(all_of_them)} events, median {cuts[49]:.2f} s, 95 % {cuts[94]:.2f} s,"
                f" 99 % {cuts[98]:.2f} s; {100 * within:.1f} % within a second"
            )


def _down(kills: Sequence[tuple[float, str]]) -> list[tuple[float, float]]:
    """When an engine or a hub was down."""
    return [(at - 1.0, at + _STARTS) for at, name in kills if not name.startswith("box")]


def _is_within(moment: float, spans: Sequence[tuple[float, float]]) -> bool:
    return any(since < moment < until for since, until in spans)


def chaos(
    minutes: float, boxes: int, every: float, seed: int, together: int, hostile: int = 0
) -> Iterator[str]:
    """Kill for so long, ``hostile`` members among the boxes; the last line says whether all is well."""
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="club-chaos-", dir="/tmp") as name, ExitStack() as ended:
        folder = Path(name)
        folder.chmod(0o755)
        postgres = Postgres(folder / "postgres", safe=True)
        routes = tuple(free_port() for _ in range(3))
        nats = [Nats(folder / f"nats{at}", f"n{at}", cluster=routes, at=at) for at in range(3)]
        engines: list[Server] = [postgres, *nats]
        for server in engines:
            ended.callback(server.kill)
            server.start()
        postgres.wait()
        for one in nats:
            one.wait()
        address = postgres.database("club")
        database = opened_database(address, folder)
        ended.callback(database.close)
        found_club(database, "Chaos")
        made = [_hub(folder, number, address, ",".join(one.address for one in nats)) for number in range(2)]
        links = [f"http://127.0.0.1:{port}/" for _, port in made]
        hubs = [server for server, _ in made]
        for server in hubs:
            ended.callback(server.kill)
            server.start()
        players = _paired(folder, boxes, links, database, every)
        for server in players:
            ended.callback(server.kill)
            server.start()
        with database.reading() as look:
            code = setting(look, CODE) or ""
        attackers = Elsewhere("attack", links[0], code, str(hostile))
        groups = {"engines": engines, "hubs": hubs, "boxes": players}
        yield from _killed_and_watched(groups, links, folder, minutes, chance, together)
        attacks = attackers.stop()
        if hostile:
            yield f"hostile boxes were told: {dict(sorted(attacks.items()))}"
        for server in players:
            server.kill()
        postgres.wait()
        yield from _after(folder, boxes, links, opened_database(address, folder), [*engines, *hubs])


def _killed_and_watched(
    groups: Mapping[str, list[Server]],
    links: list[str],
    folder: Path,
    minutes: float,
    chance: random.Random,
    together: int,
) -> Iterator[str]:
    """Kill servers of all groups while somebody looks at the pages; what these saw, and what it cost."""
    looker, seers = _Looker(links), [_Seer(link) for link in links]
    for one in (looker, *seers):
        one.start()
    before = {name: _processor(servers) for name, servers in groups.items()}
    killed = _killed([one for servers in groups.values() for one in servers], minutes * 60, chance, together)
    used = {name: (_processor(servers) - before[name]) / (60 * minutes) for name, servers in groups.items()}
    kills = Counter(name.rstrip("0123456789") for _, name in killed)
    yield f"{sum(kills.values())} kills in {minutes:g} minutes, up to {together} at once: {dict(kills)}"
    cores = ", ".join(f"{name} {share:.2f}" for name, share in used.items())
    yield f"load average of the machine {os.getloadavg()[1]:.1f} on {os.cpu_count()} cores; of these {cores}"
    yield from _visible(folder, _first_seen(seers), killed)
    yield from looker.told(killed)


def _processor(servers: Sequence[Server]) -> float:
    """Seconds of processor time of these servers so far."""
    return sum(server.used + server.cpu for server in servers)


def _hub(folder: Path, number: int, address: str, stream: str) -> tuple[Server, int]:
    place, port = folder / f"hub{number}", free_port()
    place.mkdir()
    command = [sys.executable, "-m", "companion", "hub", "--host", "127.0.0.1", "--port", str(port)]
    return Server([*command, "--folder", str(place), "--database", address, "--stream", stream], place), port


def _paired(folder: Path, boxes: int, links: list[str], database: Database, every: float) -> list[Server]:
    """Processes of boxes that have joined the club."""
    found = []
    for number in range(boxes):
        place = folder / f"box{number}"
        place.mkdir()
        link = links[number % len(links)]
        box = PlayingBox(place / "table", number)
        box.join(database, link)
        box.close()
        command = [
            sys.executable,
            "-m",
            "lab.club",
            "box",
            str(place / "table"),
            link,
            str(number),
            str(every),
        ]
        found.append(Server(command, Path.cwd()))
        found[-1].folder = place
    return found


def _killed(
    everybody: list[Server], seconds: float, chance: random.Random, together: int
) -> list[tuple[float, str]]:
    """Kill up to so many at the same moment, and start them again; when what was killed, by its folder."""
    end, kills = time.monotonic() + seconds, list[tuple[float, str]]()
    while time.monotonic() < end:
        time.sleep(chance.uniform(1, 5))
        _revive(everybody)
        chosen = chance.sample(everybody, chance.randint(1, together))
        for server in chosen:
            kills.append((time.monotonic(), server.folder.name))
            server.kill(signal.SIGKILL)
        time.sleep(_REST)
        for server in chosen:
            server.start()
        time.sleep(0.5)
        for server in chosen:
            # What the one before had in memory may keep it from starting.
            while server.process is not None and server.process.poll() is not None:
                time.sleep(0.5)
                server.start()
                time.sleep(0.5)
    return kills


def _revive(everybody: Sequence[Server]) -> None:
    """Start what ended by itself, as systemd does: a hub that found no database when it was started."""
    for server in everybody:
        if server.process is not None and server.process.poll() is not None:
            server.start()


def _after(
    folder: Path, boxes: int, links: list[str], database: Database, servers: Sequence[Server]
) -> Iterator[str]:
    """Deliver the rest, and compare."""
    begun = time.monotonic()
    made = []
    for number in range(boxes):
        store, _ = open_store(folder / f"box{number}" / "table")
        store.close()
        box = PlayingBox(folder / f"box{number}" / "table", number)
        box.outbox.memberships.change(hub=links[number % len(links)])
        made.append(box)
    lacking = set(range(boxes))
    while lacking and time.monotonic() < begun + _CATCH_UP:
        for number in sorted(lacking):
            outbox = made[number].outbox
            if made[number].deliver() and not outbox.waiting and not outbox.unsettled:
                lacking.discard(number)
        time.sleep(0.5)
        _revive(servers)
    took = time.monotonic() - begun
    told = compared(database, made)
    hub_state = HubState(database)
    hub_state.refresh()
    ours = {line.person: (line.points, line.played) for line in standings(told.outcomes, Scheme())}
    theirs = {
        line.person: (line.points, line.played) for line in table_of(hub_state) if line.person in ours
    }  # attackers have made people up
    for box in made:
        box.close()
    database.close()
    yield (
        f"{boxes} boxes, {told.matches} matches, {told.records} events;"
        f" all there {took:.0f} s after the last kill"
    )
    yield (
        f"{told.lost} lost, {told.doubled} doubled, {told.broken} chains broken,"
        f" {len(told.outcomes)} matches over"
    )
    same = ours == theirs
    says = "equal" if same else "DIFFER FROM"
    yield f"standings of {len(ours)} people {says} those of the boxes' own journals"
    if told.lost or told.doubled or told.broken or lacking or not same:
        raise subprocess.SubprocessError("something was lost, doubled or broken")
