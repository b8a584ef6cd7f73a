"""``python -m lab.club load``, ``growth``, ``chaos``: club nights on this machine, measured."""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Iterable
from pathlib import Path

from lab.club import chaos, load, looking
from lab.club.growth import growth_chart

_SIZES = {"load": [50], "growth": [10, 50, 200, 500, 1000]}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m lab.club", description=__doc__)
    wishes = parser.add_subparsers(dest="what", required=True)
    for name in ("load", "growth"):
        one = wishes.add_parser(name)
        one.add_argument("--boxes", type=int, nargs="+", default=_SIZES[name])
        one.add_argument("--seconds", type=float, default=60.0, help="how long they play (60)")
        one.add_argument("--every", type=float, default=20.0, help="seconds between two events of a box (20)")
        one.add_argument("--watchers", type=int, default=0, help="phones that look at the standings (0)")
        one.add_argument("--postgres", action="store_true", help="on PostgreSQL instead of SQLite")
        one.add_argument("--into", type=Path, help="an SVG of how it grows")
    killed = wishes.add_parser("chaos")
    killed.add_argument("--minutes", type=float, default=15.0)
    killed.add_argument("--boxes", type=int, default=4)
    killed.add_argument("--every", type=float, default=0.5, help="seconds between two events of a box, about")
    killed.add_argument("--seed", type=int, default=1)
    box = wishes.add_parser("box", help="one box of the chaos")
    for name in ("folder", "hub", "seed", "every"):
        box.add_argument(name)
    looks = wishes.add_parser("look", help="somebody who looks at all tables")
    looks.add_argument("address")
    watches = wishes.add_parser("watch", help="phones on the standings")
    watches.add_argument("address")
    watches.add_argument("count", type=int)
    watches.add_argument("streams", type=int)
    chosen = parser.parse_args()
    logging.basicConfig(level=logging.ERROR)
    if chosen.what == "box":
        chaos.box_process(Path(chosen.folder), chosen.hub, int(chosen.seed), float(chosen.every))
    elif chosen.what == "look":
        _say([looking.look(chosen.address)])
    elif chosen.what == "watch":
        _say([looking.watch(chosen.address, chosen.count, chosen.streams)])
    elif chosen.what == "chaos":
        _say(chaos.chaos(chosen.minutes, chosen.boxes, chosen.every, chosen.seed))
    else:
        found = []
        for boxes in chosen.boxes:
            found.append(load.measured(boxes, chosen.seconds, chosen.every, chosen.watchers, chosen.postgres))
            _say(found[-1].lines())
            if chosen.into:  # after each, so that an evening that was cut short has its picture, too
                chosen.into.write_text(growth_chart(found, chosen.every), encoding="utf-8")


def _say(lines: Iterable[str]) -> None:
    for line in lines:
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
