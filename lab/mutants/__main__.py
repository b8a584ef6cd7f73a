"""Put small random faults into the house and count those the gate notices: ``python -m lab.mutants``.

First every test runs once to see which lines it reaches (``--measure``: about twice as long as the gate).
Then each fault is put into a copy of the repository, and the tests that reach its line run, the quickest
first, until one fails; what no test notices is given to the type checker. One seed makes the same faults
in the same files; ``--faults FILE`` tries those of an earlier run again, so that gates can be compared.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

import msgspec

from companion.core.jsontext import json_of
from lab.mutants.covering import Covering, measure
from lab.mutants.faults import ROOMS, Fault, faults
from lab.mutants.trial import Verdict, tried


def main() -> int:
    """Return 0; what survived is for people to look at."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--count", type=int, default=200, help="how many faults")
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--jobs", type=int, default=2)
    asked.add_argument("--folder", type=Path, default=Path("build/mutants"), help="where everything is kept")
    asked.add_argument("--measure", action="store_true", help="run all tests to see which lines they reach")
    asked.add_argument(
        "--tests", nargs="*", default=[], help="with --measure: of these files and folders only"
    )
    asked.add_argument("--faults", type=Path, help="try the faults of an earlier run's verdicts.jsonl again")
    request = asked.parse_args()
    top, folder = Path.cwd(), request.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    if request.measure:
        measure(top, folder, request.jobs, request.tests)
    if request.faults:
        lines = request.faults.read_bytes().splitlines()
        chosen = [msgspec.json.decode(line, type=Verdict).fault for line in lines]
    else:
        chosen = list(faults(top, request.count, request.seed))
    verdicts = _all_tried(chosen, top, folder, request.jobs)
    for room in ROOMS:
        here = [verdict for verdict in verdicts if verdict.fault.room == room]
        noticed = sum(bool(verdict.noticed_by) for verdict in here)
        unreached = sum(not verdict.covering and not verdict.noticed_by for verdict in here)
        sys.stdout.write(f"{room}: {noticed} of {len(here)} noticed; {unreached} on lines no test reaches\n")
    total = Counter(bool(verdict.noticed_by) for verdict in verdicts)
    sys.stdout.write(f"all: {total[True]} of {len(verdicts)} noticed\n")
    return 0


def _all_tried(chosen: list[Fault], top: Path, folder: Path, jobs: int) -> list[Verdict]:
    """Try the faults side by side, each in a copy of the committed repository; show what becomes of each."""
    trees: SimpleQueue[Path] = SimpleQueue()
    for number in range(jobs):
        tree = folder / f"tree-{number}"
        subprocess.run(["rm", "-rf", str(tree)], check=True)
        tree.mkdir()
        subprocess.run(f"git archive HEAD | tar -x -C '{tree}'", shell=True, cwd=top, check=True)
        for shared in (".venv", "node_modules"):
            (tree / shared).symlink_to(top / shared)
        trees.put(tree)
    covering = Covering(top, folder)

    def one(fault: Fault) -> Verdict:
        tree = trees.get()
        try:
            return tried(fault, tree, covering)
        finally:
            trees.put(tree)

    verdicts = []
    with ThreadPoolExecutor(jobs) as pool, (folder / "verdicts.jsonl").open("wb") as kept:
        for number, verdict in enumerate(pool.map(one, chosen), 1):
            verdicts.append(verdict)
            kept.write(json_of(verdict) + b"\n")
            kept.flush()
            fault = verdict.fault
            end = f"noticed by {verdict.noticed_by}" if verdict.noticed_by else "SURVIVED"
            tests = f"{verdict.tried} of {verdict.covering} tests"
            sys.stdout.write(f"{number} {fault.file}:{fault.line} {fault.what}: {end} ({tests})\n")
            sys.stdout.flush()
    return verdicts


if __name__ == "__main__":
    sys.exit(main())
