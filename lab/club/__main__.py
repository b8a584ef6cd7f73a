"""``python -m lab.club load``, ``growth``, ``chaos``, ``bulk``: club nights on this machine, measured."""

from __future__ import annotations

import argparse
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lab.bench import say
from lab.club import attacking, bare, bulk, chaos, fuzzing, load, looking
from lab.club.growth import growth_chart

_SIZES = {"load": [50], "growth": [10, 50, 200, 500, 1000]}


def main() -> None:
    """Run the measurement that was asked for and print its lines."""
    parser = argparse.ArgumentParser(prog="python -m lab.club", description=__doc__)
    wanted = parser.add_subparsers(required=True)
    _add_measures(wanted)
    _add_parts(wanted)
    chosen = parser.parse_args()
    logging.basicConfig(level=logging.ERROR)
    for line in chosen.lines(chosen):
        say(line)


def _add_measures(wanted: Any) -> None:
    for name in ("load", "growth"):
        one = wanted.add_parser(name)
        one.add_argument("--boxes", type=int, nargs="+", default=_SIZES[name])
        one.add_argument("--seconds", type=float, default=60.0, help="how long they play (60)")
        one.add_argument("--every", type=float, default=20.0, help="seconds between two events of a box (20)")
        one.add_argument("--watchers", type=int, default=0, help="phones that look at the standings (0)")
        one.add_argument("--attackers", type=int, default=0, help="who send lies and floods meanwhile (0)")
        one.add_argument("--postgres", action="store_true", help="on PostgreSQL instead of SQLite")
        one.add_argument("--into", type=Path, help="an SVG of how it grows")
        one.set_defaults(lines=_loaded)
    killed = wanted.add_parser("chaos")
    killed.add_argument("--minutes", type=float, default=15.0)
    killed.add_argument("--boxes", type=int, default=4)
    killed.add_argument("--every", type=float, default=0.5, help="seconds between two events of a box, about")
    killed.add_argument("--together", type=int, default=3, help="how many are killed at once, at most (3)")
    killed.add_argument("--seed", type=int, default=1)
    killed.add_argument(
        "--hostile", type=int, default=0, help="members that send lies, floods and poison (0)"
    )
    killed.set_defaults(
        lines=lambda chosen: chaos.chaos(
            chosen.minutes, chosen.boxes, chosen.every, chosen.seed, chosen.together, chosen.hostile
        )
    )
    fuzzed = wanted.add_parser("fuzz")
    fuzzed.add_argument("--batches", type=int, default=10_000)
    fuzzed.add_argument("--seed", type=int, default=1)
    fuzzed.add_argument("--pages-every", type=int, default=5, help="batches from all pages to all pages (5)")
    fuzzed.set_defaults(
        lines=lambda chosen: fuzzing.fuzz(chosen.batches, chosen.seed, chosen.pages_every).lines()
    )
    bare_system = wanted.add_parser("bare", help="the set-up of the document on a bare Debian")
    bare_system.add_argument("--debian", nargs="+", choices=list(bare.SUITES), default=list(bare.SUITES))
    bare_system.add_argument("--folder", type=Path, default=Path("build/bare"), help="where systems are made")
    bare_system.set_defaults(
        lines=lambda chosen: (line for one in chosen.debian for line in bare.bare(one, chosen.folder))
    )
    much = wanted.add_parser("bulk")
    much.add_argument("--pictures", type=int, default=240)
    much.add_argument("--positions", type=int, default=20_000)
    much.set_defaults(lines=lambda chosen: bulk.bulk(chosen.pictures, chosen.positions))


def _add_parts(wanted: Any) -> None:
    """What runs in a process of its own."""
    box = wanted.add_parser("box", help="one box of the chaos")
    for name in ("folder", "hub", "seed", "every"):
        box.add_argument(name)
    box.set_defaults(
        lines=lambda chosen: chaos.box_process(
            Path(chosen.folder), chosen.hub, int(chosen.seed), float(chosen.every)
        )
    )
    inside = wanted.add_parser("bare-inside", help="the bare system's part of that")
    inside.add_argument("root", type=Path)
    inside.set_defaults(lines=lambda chosen: bare.bare_inside(chosen.root))
    looks = wanted.add_parser("look", help="somebody who looks at all tables")
    looks.add_argument("address")
    looks.set_defaults(lines=lambda chosen: [looking.look(chosen.address)])
    watches = wanted.add_parser("watch", help="phones on the standings")
    watches.add_argument("address")
    watches.add_argument("count", type=int)
    watches.add_argument("streams", type=int)
    watches.set_defaults(lines=lambda chosen: [looking.watch(chosen.address, chosen.count, chosen.streams)])
    attacks = wanted.add_parser("attack", help="strangers, lies, replays, floods")
    attacks.add_argument("address")
    attacks.add_argument("code")
    attacks.add_argument("count", type=int)
    attacks.set_defaults(lines=lambda chosen: [attacking.attack(chosen.address, chosen.code, chosen.count)])


def _loaded(chosen: argparse.Namespace) -> Iterator[str]:
    found = []
    for boxes in chosen.boxes:
        request = load.LoadPlan(
            boxes, chosen.seconds, chosen.every, chosen.watchers, chosen.attackers, chosen.postgres
        )
        found.append(load.measured(request))
        yield from found[-1].lines()
        if chosen.into:  # after each, so that an evening that was cut short has its picture, too
            chosen.into.write_text(growth_chart(found, chosen.every), encoding="utf-8")


if __name__ == "__main__":
    main()
