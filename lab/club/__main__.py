"""``python -m lab.club load``, ``growth``, ``chaos``: club nights on this machine, measured."""

from __future__ import annotations

import argparse
import logging
import sys
from pathlib import Path

from lab.club import chaos, load


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m lab.club", description=__doc__)
    wishes = parser.add_subparsers(dest="what", required=True)
    for name in ("load", "growth"):
        one = wishes.add_parser(name)
        one.add_argument("--boxes", type=int, nargs="+", default=[50] if name == "load" else [10, 50, 200])
        one.add_argument("--seconds", type=float, default=60.0, help="how long they play (60)")
        one.add_argument("--every", type=float, default=20.0, help="seconds between two events of a box (20)")
        one.add_argument("--watchers", type=int, default=0, help="phones that look at the standings (0)")
        one.add_argument("--postgres", action="store_true", help="on PostgreSQL instead of SQLite")
    killed = wishes.add_parser("chaos")
    killed.add_argument("--minutes", type=float, default=15.0)
    killed.add_argument("--boxes", type=int, default=4)
    killed.add_argument("--every", type=float, default=0.5, help="seconds between two events of a box, about")
    killed.add_argument("--seed", type=int, default=1)
    box = wishes.add_parser("box", help="one box of the chaos")
    for name in ("folder", "hub", "seed", "every"):
        box.add_argument(name)
    chosen = parser.parse_args()
    logging.basicConfig(level=logging.ERROR)
    if chosen.what == "box":
        chaos.box_process(Path(chosen.folder), chosen.hub, int(chosen.seed), float(chosen.every))
    elif chosen.what == "chaos":
        _say(*chaos.chaos(chosen.minutes, chosen.boxes, chosen.every, chosen.seed))
    else:
        for boxes in chosen.boxes:
            for line in load.measured(boxes, chosen.seconds, chosen.every, chosen.watchers, chosen.postgres):
                _say(line)


def _say(*lines: str) -> None:
    for line in lines:
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
