"""Put small random faults into the house and count those the gate notices: ``python -m lab.mutants``.

All faults are put into a copy of the committed repository, each with a switch. First the gate's tests run
once with all of them off, which takes as long as the gate and tells which tests reach which fault. Then one
is switched on at a time, and the tests that reach it run, those of its module and the quickest first, until
one fails: seconds a fault. What no test notices is given to the type checker. One seed makes the same faults;
``--faults FILE`` tries those of an earlier run again (its ``verdicts.jsonl``, or some of its lines), so that
gates can be compared.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import msgspec

from companion.core.jsontext import json_of
from lab.mutants.covering import Covering, mark
from lab.mutants.faults import ROOMS, Fault, faults, with_switches
from lab.mutants.trial import Verdict, tried


def main() -> int:
    """Return 0; what survived is for people to look at."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--count", type=int, default=200, help="how many faults")
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--jobs", type=int, default=2)
    asked.add_argument("--folder", type=Path, default=Path("build/mutants"), help="where everything is kept")
    asked.add_argument("--tests", nargs="*", default=[], help="files and folders of tests, instead of all")
    asked.add_argument("--seconds", type=float, default=60, help="of tests against one fault at most")
    asked.add_argument("--marked", action="store_true", help="the tests have run with these faults marked")
    asked.add_argument("--faults", type=Path, help="try the faults of an earlier run's verdicts.jsonl again")
    request = asked.parse_args()
    top, folder = Path.cwd(), request.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    if request.faults:
        lines = request.faults.read_bytes().splitlines()
        chosen = [msgspec.json.decode(line, type=Verdict).fault for line in lines]
    else:
        chosen = list(faults(top, request.count, request.seed))
    tree = _copied(top, folder / "tree", chosen)
    if not request.marked:
        for told in ("marks.tsv", "tests.tsv"):
            (folder / told).write_bytes(b"")
        mark(tree, folder, request.jobs, request.tests)
    verdicts = tried(chosen, tree, folder, Covering(folder), request.seconds, request.jobs)
    (folder / "verdicts.jsonl").write_bytes(b"".join(json_of(verdict) + b"\n" for verdict in verdicts))
    for number, verdict in enumerate(verdicts, 1):
        fault, end = verdict.fault, f"noticed by {verdict.noticed_by}" if verdict.noticed_by else "SURVIVED"
        change = f"{fault.file}:{fault.line} `{fault.was}` becomes `{fault.becomes}`"
        sys.stdout.write(f"{number} {change}: {end} ({verdict.tests} tests)\n")
    for room in (*ROOMS, ""):
        here = [verdict for verdict in verdicts if room in ("", verdict.fault.room)]
        noticed = sum(bool(verdict.noticed_by) for verdict in here)
        unreached = sum(not verdict.tests and not verdict.noticed_by for verdict in here)
        sys.stdout.write(
            f"{room or 'all'}: {noticed} of {len(here)} noticed; {unreached} that no test reaches\n"
        )
    return 0


def _copied(top: Path, tree: Path, chosen: list[Fault]) -> Path:
    """A copy of the committed repository with the tools of this one, and with a switch for each fault."""
    subprocess.run(["rm", "-rf", str(tree)], check=True)
    tree.mkdir()
    subprocess.run(f"git archive HEAD | tar -x -C '{tree}'", shell=True, cwd=top, check=True)
    for shared in (".venv", "node_modules"):
        (tree / shared).symlink_to(top / shared)
    by_file: dict[str, dict[int, Fault]] = defaultdict(dict)
    for number, fault in enumerate(chosen):
        by_file[fault.file][number] = fault
    for name, here in by_file.items():
        file = tree / name
        file.write_text(with_switches(file.read_text(encoding="utf-8"), here), encoding="utf-8")
    return tree


if __name__ == "__main__":
    sys.exit(main())
