"""Measures and prints; each measurement can be asked for by itself and for as long as wanted."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path

from companion.game.registry import GAMES
from lab.bench import say
from lab.box import flood, footprint, load, photographs, pieces, rolls, soak, throws


def main(arguments: list[str] | None = None) -> None:
    """Run the measurements that were asked for and print their lines."""
    parser = argparse.ArgumentParser(prog="python -m lab.box", description=__doc__)
    parser.add_argument("what", nargs="?", default="all", choices=["all", *MEASUREMENTS])
    parser.add_argument("--rolls", type=int, default=50, help="rolls to be timed (50)")
    parser.add_argument("--phones", type=int, default=100, help="phones with a stream (100)")
    parser.add_argument("--minutes", type=float, default=0.5, help="how long the load lasts (0.5)")
    parser.add_argument("--throws", type=int, default=20, help="throws of the roller to be timed (20)")
    parser.add_argument("--listeners", type=int, default=50, help="phones that wait for them (50)")
    parser.add_argument("--photographs", type=int, default=3, help="photographs to be timed (3)")
    parser.add_argument("--seconds", type=float, default=10.0, help="how long idling is watched (10)")
    parser.add_argument("--rude", type=float, default=5.0, help="how long each rude neighbour stays (5)")
    parser.add_argument("--games", nargs="*", default=list(GAMES), help="whose pages are drawn (all)")
    parser.add_argument("--beside", default="", help="another checkout whose pages are drawn for comparison")
    parser.add_argument("--matches", type=int, default=8, help="matches that are played for the soak (8)")
    parser.add_argument("--chart", type=Path, help="draw how the soak went into this file (SVG)")
    chosen = parser.parse_args(arguments)
    for name, measure in MEASUREMENTS.items():
        if chosen.what in ("all", name):
            for line in measure(chosen):
                say(f"{name}: {line}")


MEASUREMENTS: dict[str, Callable[[argparse.Namespace], Iterator[str]]] = {
    "rolls": lambda chosen: iter([rolls.report(chosen.rolls)]),
    "throws": lambda chosen: iter([throws.report(chosen.throws, chosen.listeners)]),
    "photographs": lambda chosen: photographs.report(chosen.photographs),
    "pages": lambda _: footprint.pages_report(),
    "pieces": lambda chosen: pieces.report(chosen.games, chosen.beside),
    "idle": lambda chosen: footprint.idle_report(chosen.seconds),
    "small": lambda chosen: footprint.small_report(chosen.seconds),
    "flood": lambda chosen: flood.report(chosen.rude),
    "soak": lambda chosen: soak.report(chosen.matches, chosen.chart),
    "load": lambda chosen: load.report(chosen.minutes, chosen.phones),
}


if __name__ == "__main__":
    main()
