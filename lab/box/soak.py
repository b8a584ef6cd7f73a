"""An evening after the other in fast motion: does anything grow that should not?

Matches of all games are played over HTTP by phones that come and go, with photographs in between; after each
match the service is weighed. Memory, open files, threads and what the disk needs for an event have to be
flat: the median of the last third is compared with that of the second.
"""

from __future__ import annotations

import itertools
import random
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, fields
from http.client import HTTPException
from pathlib import Path
from statistics import median

from companion.game.registry import GAMES
from lab.box.boxes import BoxProcess, served
from lab.box.phones import Client, Phone
from lab.box.photographs import studio_photograph
from lab.box.players import seat, the_host

ACTIONS = 60  # of a match; then the host ends it
_WATCHERS = 6
_PHOTOGRAPH_EVERY = 5  # matches
_CURRENT = "/api/v1/matches/current"


@dataclass(frozen=True)
class Weight:
    """The service after a match: megabytes, counts, and kilobytes on the disk for each event."""

    memory: float
    reader: float
    files: float
    threads: float
    disk: float


def report(matches: int, chart: Path | None) -> Iterator[str]:
    """Play, and say how the weights went."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as box:
        weights = list(_played(box, Path(folder), matches))
    minutes = (time.monotonic() - began) / 60
    yield f"{len(weights)} matches of {len(GAMES)} games in {minutes:.0f} minutes"
    for field in fields(Weight):
        found = [getattr(weight, field.name) for weight in weights]
        second, last = _third(found, 1), _third(found, 2)
        yield f"{field.name}: {second:.1f} in the second third, {last:.1f} in the last ({last / second:.3f})"
    if chart is not None:
        chart.write_text(drawn(weights), encoding="utf-8")
        yield f"charts: {chart}"


def _third(found: Sequence[float], number: int) -> float:
    size = max(1, len(found) // 3)
    return median(found[number * size : (number + 1) * size] or found[-1:])


def _played(box: BoxProcess, folder: Path, matches: int) -> Iterator[Weight]:
    """Match after match; how the service is after each."""
    photo = studio_photograph()
    names = itertools.cycle(GAMES)
    events = 0
    with closing(the_host(box.port, box.pin)) as host:
        for number in range(1, matches + 1):
            phones = [Phone(box.port) for _ in range(random.randint(0, _WATCHERS))]
            for phone in phones:
                phone.start()
            if number % _PHOTOGRAPH_EVERY == 0:
                host.send("/api/v1/scores/photos", photo, "image/jpeg")
            events += _match(box, host, next(names))
            for phone in phones:
                phone.stop()
            yield _weighed(box, folder, events)


def _match(box: BoxProcess, host: Client, game: str) -> int:
    """Two people play what they may, without a plan, until it is over or the host ends it; its events."""
    begun = host.post("/api/v1/matches", {"game": game, "players": ["", ""]})
    players = [seat(box.port, begun["join_code"], number) for number in (1, 2)]
    for _ in range(ACTIONS):
        state = host.told(_CURRENT)
        if state["finished"]:
            break
        if state["dice"]:
            players[0].post(f"{_CURRENT}/roll")
        else:
            _act(players)
    if not host.told(_CURRENT)["finished"]:
        host.post(f"{_CURRENT}/actions", {"kind": "end", "as_host": True})
    for player in players:
        player.close()
    return int(host.told(_CURRENT)["version"])


def _act(players: list[Client]) -> None:
    for player in random.sample(players, len(players)):
        legal = player.told(f"{_CURRENT}/legal")
        if legal:
            action = {key: value for key, value in random.choice(legal).items() if key != "seat"}
            player.post(f"{_CURRENT}/actions", action)
            return
    raise HTTPException("nobody may do anything, and the match is not over")


def _weighed(box: BoxProcess, folder: Path, events: int) -> Weight:
    pid = box.pids()[0]
    resident = box.resident()
    service = next(weight for name, weight in resident.items() if name.startswith("service"))
    kilobytes = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1024
    return Weight(
        memory=service,
        reader=sum(resident.values()) - service,
        files=_count(Path(f"/proc/{pid}/fd")),
        threads=_count(Path(f"/proc/{pid}/task")),
        disk=kilobytes / events,
    )


def _count(folder: Path) -> int:
    return sum(1 for _ in folder.iterdir())


_WIDE, _HIGH, _LEFT = 640, 110, 150


def drawn(weights: Sequence[Weight]) -> str:
    """One small line chart for each weight, from zero, as SVG."""
    names = [field.name for field in fields(Weight)]
    parts = [_line(name, [getattr(one, name) for one in weights], place) for place, name in enumerate(names)]
    high = _HIGH * len(names)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDE} {high}" font-family="sans-serif"'
        f' font-size="13"><rect width="100%" height="100%" fill="#fff"/>{"".join(parts)}</svg>\n'
    )


def _line(name: str, values: Sequence[float], place: int) -> str:
    most = max(values) or 1.0
    foot, room = (place + 1) * _HIGH - 15, _HIGH - 30
    step = (_WIDE - _LEFT - 10) / max(1, len(values) - 1)
    points = " ".join(
        f"{_LEFT + step * at:.1f},{foot - room * value / most:.1f}" for at, value in enumerate(values)
    )
    return (
        f'<text x="10" y="{foot - room / 2:.0f}">{name}</text>'
        f'<text x="{_LEFT - 8}" y="{foot - room + 10}" text-anchor="end">{most:.0f}</text>'
        f'<text x="{_LEFT - 8}" y="{foot}" text-anchor="end">0</text>'
        f'<path d="M{_LEFT} {foot}H{_WIDE - 10}" stroke="#999"/>'
        f'<polyline points="{points}" fill="none" stroke="#b3530e" stroke-width="1.5"/>'
    )
