"""``make injuries``: a table's folder is injured at random, again and again, and opened as the service does.

Bits are flipped, pages zeroed, files cut off, swapped, doubled or lost: of the database and its log,
journals, backups, the second copy and settings. Each time the service has to start; whatever was stored has
to be there as it was, as far as one good copy of it was left; and whatever is missing has to be told of.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from companion.game.base import Action
from companion.game.registry import GAMES
from companion.service.running import opened_service
from companion.service.service import Service
from companion.service.system.doctor import look_beside_a_service
from companion.service.system.settings import settings_or_usual
from companion.table.backup import automatic_backup
from companion.table.chance import SeededChance
from companion.table.events import Actor, Event, chain_fault
from companion.table.folder import DATABASE, JOURNAL, SECOND_COPY
from companion.table.seats import token_digest
from companion.table.store import Store
from companion.table.table import Accepted, Table
from lab.bench import say

NOW = datetime(2026, 5, 1, 22, 0, tzinfo=UTC)
PAGE = 4096
HOST = Actor("host")
UNHURT = ("lock", f"{DATABASE}-shm")  # a start makes both anew


@dataclass
class Whole:
    """A folder before anything happened to it, and what it knows."""

    folder: Path
    events: dict[str, list[Event]] = field(default_factory=dict)
    tokens: dict[tuple[str, int], str] = field(default_factory=dict)
    ends: dict[str, str | None] = field(default_factory=dict)  # since when each match is over


@dataclass
class Outcome:
    """What became of one injured folder."""

    seed: int
    injuries: list[str]
    fault: str = ""  # what must not be
    lost: int = 0  # events of which no good copy was left
    told: bool = False


def whole_folder(folder: Path, matches: int = 4) -> Whole:
    """An evening: some matches of every game, seats, settings, a backup in the middle, photographs."""
    made, cut = Whole(folder), folder.with_name(f"{folder.name}-cut")
    with Store(folder) as store:
        ids = (f"match-{number}" for number in range(matches))
        table = Table(store, GAMES, chance=SeededChance(1), clock=lambda: NOW, new_id=lambda: next(ids))
        for number, name in zip(range(matches), list(GAMES) * matches, strict=False):
            fewest, _ = GAMES[name].seats
            data = {"game": name, "players": [""] * max(2, fewest)}
            begun = table.submit(Action("start", data=data), HOST)
            if not isinstance(begun, Accepted):
                raise RuntimeError(f"no match of {name}: {begun.message}")
            match = begun.event.match
            made.tokens[match, 1] = f"the phone of {match}"
            store.put_token(match, 1, token_digest(made.tokens[match, 1]))
            _play(table, match, 12, SeededChance(number))
            if number == matches // 2:
                automatic_backup(store, NOW)
            if number < matches - 1:
                table.submit(Action("end"), HOST, match=match)
        store.put_setting("host-pin", "salt:digest")
    with Store(folder) as store:  # from here on everything is only in the database's log
        table = Table(store, GAMES, chance=SeededChance(2), clock=lambda: NOW)
        made.tokens[match, 2] = f"another phone of {match}"
        store.put_token(match, 2, token_digest(made.tokens[match, 2]))
        _play(table, match, 6, SeededChance(matches))
        made.events = {stored.id: store.events(stored.id) for stored in store.matches()}
        made.ends = {stored.id: stored.finished for stored in store.matches()}
        shutil.copytree(folder, cut)  # as a power cut leaves it
    shutil.rmtree(folder)
    cut.rename(folder)
    (folder / "settings.toml").write_text('[roller]\nvirtual = true\n\n[camera]\nname = ""\n')
    return made


def _play(table: Table, match_id: str, steps: int, chance: SeededChance) -> None:
    for _ in range(steps):
        match = table.match(match_id)
        if match is None or match.finished:
            return
        if match.game.dice(match.state):
            table.submit(Action("roll"), HOST, match=match_id)
            continue
        for seat in match.players:
            legal = [one for one in match.game.legal(match.state, seat) if one.kind != "roll"]
            if legal:
                table.submit(legal[chance.below(len(legal))], Actor("player", seat), match=match_id)
                break


# --- injuries ---

Injury = Callable[[Path, random.Random, Path], None]


def flip(path: Path, chance: random.Random, _folder: Path) -> None:
    """One to three bits."""
    text = bytearray(path.read_bytes())
    for _ in range(chance.randint(1, 3)):
        text[chance.randrange(len(text))] ^= 1 << chance.randrange(8)
    path.write_bytes(text)


def zero(path: Path, chance: random.Random, _folder: Path) -> None:
    """A page, as a worn card gives it back."""
    text = bytearray(path.read_bytes())
    at = chance.randrange(len(text)) // PAGE * PAGE
    text[at : at + PAGE] = bytes(len(text[at : at + PAGE]))
    path.write_bytes(text)


def cut(path: Path, chance: random.Random, _folder: Path) -> None:
    """The end is missing."""
    path.write_bytes(path.read_bytes()[: chance.randrange(path.stat().st_size)])


def lose(path: Path, _chance: random.Random, _folder: Path) -> None:
    """The file is gone."""
    path.unlink()


def rubbish(path: Path, chance: random.Random, _folder: Path) -> None:
    """Something else is in it."""
    path.write_bytes(chance.randbytes(chance.randrange(1, 9000)))


def swap(path: Path, chance: random.Random, folder: Path) -> None:
    """Two files have each other's content."""
    other = chance.choice([one for one in files_of(folder) if one != path])
    mine, theirs = path.read_bytes(), other.read_bytes()
    path.write_bytes(theirs)
    other.write_bytes(mine)


def double(path: Path, chance: random.Random, _folder: Path) -> None:
    """A piece of it stands twice."""
    text = path.read_bytes()
    begin, end = sorted(chance.randrange(len(text)) for _ in range(2))
    path.write_bytes(text[:end] + text[begin:])


INJURIES: dict[str, Injury] = {
    one.__name__: one for one in (flip, flip, zero, cut, lose, rubbish, swap, double)
}


def files_of(folder: Path) -> list[Path]:
    """Everything that can be hurt."""
    found = [path for path in folder.rglob("*") if path.is_file() and path.name not in UNHURT]
    return sorted(path for path in found if path.stat().st_size > 0)


def injure(folder: Path, chance: random.Random) -> list[str]:
    """One injury, or a few at once: what was done."""
    done = []
    for _ in range(chance.choice([1, 1, 1, 2, 3])):
        kind, path = chance.choice(list(INJURIES)), chance.choice(files_of(folder))
        INJURIES[kind](path, chance, folder)
        done.append(f"{kind} {path.relative_to(folder)}")
    return done


# --- what has to be so afterwards ---


def opened_after(whole: Whole, seed: int) -> Outcome:
    """Injure a copy, start on it twice, and judge."""
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "table"
        shutil.copytree(whole.folder, folder)
        outcome = Outcome(seed, injure(folder, chance))
        try:
            notes = _started(folder, whole, outcome)
            again = _started(folder, None, outcome)
            if not outcome.fault and not set(again) <= set(notes):
                outcome.fault = f"the second start has news: {again}"
        except Exception as problem:  # noqa: BLE001 - the very thing that must not happen
            outcome.fault = f"no start: {type(problem).__name__}: {problem}"
    return outcome


def _started(folder: Path, whole: Whole | None, outcome: Outcome) -> list[str]:
    """Start, judge what is there (at the first start), and go on playing; what the owner is told."""
    _, settings_note = settings_or_usual(folder)
    with opened_service(folder) as service:
        notes = [*service.notes, *settings_note]
        look_beside_a_service(folder)
        outcome.told |= bool(notes)
        if whole is not None:
            _judge(service, whole, outcome)
        current = service.table.current
        if current is not None and not current.finished:
            answer = service.table.submit(Action("end"), HOST)
            if not isinstance(answer, Accepted):
                outcome.fault = f"the table cannot go on: {answer.message}"
            elif chain_fault(service.store.events(current.id)):
                outcome.fault = "the chain is broken after going on"
    return notes


def _judge(service: Service, whole: Whole, outcome: Outcome) -> None:
    hurt = {injury.split(" ", 1)[1] for injury in outcome.injuries}
    swapped = any(injury.startswith("swap") for injury in outcome.injuries)
    for match, events in whole.events.items():
        found = service.store.events(match)
        if found != events[: len(found)]:
            outcome.fault = f"match {match} is not what it was"
        missing = len(events) - len(found)
        held = service.store.match(match)
        if held is not None and not missing and held.finished != whole.ends[match]:
            outcome.fault = f"match {match} is over since {held.finished}, and was since {whole.ends[match]}"
        outcome.lost = max(outcome.lost, missing)
        copies_hurt = hurt & {DATABASE, f"{DATABASE}-wal"} and f"{JOURNAL}/{match}.jsonl" in hurt
        if missing and not copies_hurt and not swapped:
            outcome.fault = f"{missing} events of match {match} are lost, and there was a good copy"
        # A log and a journal that both end early are as if these events had never been.
        unknown = f"{DATABASE}-wal" in hurt and f"{JOURNAL}/{match}.jsonl" in hurt
        if missing and not outcome.told and not unknown:
            outcome.fault = f"{missing} events of match {match} are lost without a word"
    seats = all(
        service.table.seat_of_token(match, token) == seat
        for (match, seat), token in whole.tokens.items()
        if service.store.match(match) is not None
    )
    database_hurt = bool(hurt & {DATABASE, f"{DATABASE}-wal"})
    if not seats and not swapped and not (database_hurt and SECOND_COPY in hurt):
        outcome.fault = "a phone lost its seat"


def main(arguments: list[str] | None = None) -> int:
    """Injure so often, and print what came of it; 1 when something happened that must not."""
    parser = argparse.ArgumentParser(prog="python -m lab.box.injuries", description=__doc__)
    parser.add_argument("count", nargs="?", type=int, default=2000)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    chosen = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as name:
        whole = whole_folder(Path(name) / "table")
        counts: Counter[str] = Counter()
        for seed in range(chosen.first, chosen.first + chosen.count):
            outcome = opened_after(whole, seed)
            counts["told of"] += outcome.told
            counts["lost events, both copies hurt"] += outcome.lost > 0
            counts["faults"] += bool(outcome.fault)
            if outcome.fault:
                say(f"seed {seed}: {outcome.fault} after {', '.join(outcome.injuries)}")
    say(f"{chosen.count} injuries: {', '.join(f'{n} {what}' for what, n in counts.items())}")
    return 1 if counts["faults"] else 0


if __name__ == "__main__":
    sys.exit(main())
