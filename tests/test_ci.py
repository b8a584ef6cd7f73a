"""The gate on a clean machine: what it cannot install stops neither the rest nor the gate.

And the workflows of a forge: they run the commands that everybody runs.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from lab import release

ROOT = Path(__file__).parent.parent
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
RUN = Path(__file__).parent.parent / ".ci" / "run"
REFUSES = """#!/bin/sh
echo "$@" >>"$TOLD"
case "$*" in *chromium) exit 100 ;; update*) exit 100 ;; esac
for name; do :; done
printf '#!/bin/sh\\n' >"$HERE/$name"
chmod +x "$HERE/$name"
"""


@pytest.mark.parametrize("gate", [0, 2])
def test_one_package_that_is_not_there_keeps_no_other_away(tmp_path: Path, gate: int) -> None:
    programs = {"apt-get": REFUSES, "id": "#!/bin/sh\necho 0\n", "make": f"#!/bin/sh\nexit {gate}\n"}
    for name, text in programs.items():
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    for name in ("bash", "sh", "dirname", "chmod"):
        (tmp_path / name).symlink_to(str(shutil.which(name)))
    told = tmp_path / "told"
    environment = {"PATH": str(tmp_path), "TOLD": str(told), "HERE": str(tmp_path)}
    done = subprocess.run([RUN], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == gate, done.stderr
    assert "This machine does not offer chromium: its tests are skipped." in done.stdout
    assert "micropython" not in done.stdout
    asked = [line.split()[-1] for line in told.read_text().splitlines() if line.startswith("install")]
    assert asked[:3] == ["chromium", "chromium-headless-shell", "micropython"]


def steps(workflow: Path) -> list[dict[str, Any]]:
    yaml = pytest.importorskip("yaml")
    (job,) = yaml.safe_load(workflow.read_text())["jobs"].values()
    found: list[dict[str, Any]] = job["steps"]
    return found


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda workflow: workflow.stem)
def test_a_workflow_runs_what_everybody_runs(workflow: Path) -> None:
    """Besides preparing the machine and publishing: ``.ci/run``, chores of the Makefile, ``lab.release``."""
    makefile = (ROOT / "Makefile").read_text()
    commands = [step["run"] for step in steps(workflow) if "run" in step]
    assert commands[0].startswith("apt-get update && ")
    assert commands[1].startswith("git config --global --add safe.directory")
    for command in commands[2:]:
        targets = re.findall(r"(?:^| )(?:make|\.ci/run) ([a-z-]+)", command) + re.findall(
            r"'([a-z]+(?:-[a-z]+)?)'", command
        )
        assert targets or command.startswith((".venv/bin/python -m lab.release ", "gh release create ")), (
            command
        )
        assert all(f"\n{target}:" in makefile for target in targets if target != "schedule"), command
    uses = [step["uses"] for step in steps(workflow) if "uses" in step]
    assert uses == ["actions/checkout@v4"]


def test_the_gate_runs_on_the_systems_and_machines_of_boxes() -> None:
    yaml = pytest.importorskip("yaml")
    gate = yaml.safe_load((ROOT / ".github/workflows/gate.yml").read_text())["jobs"]["gate"]
    install = (ROOT / "docs/install.md").read_text()
    systems = [name.removeprefix("debian:") for name in gate["strategy"]["matrix"]["system"]]
    assert f"Debian {' or '.join(systems)}" in install
    assert [name.endswith("-arm") for name in gate["strategy"]["matrix"]["machine"]] == [False, True]


def test_a_release_publishes_what_make_release_makes() -> None:
    workflow = (ROOT / ".github/workflows/release.yml").read_text()
    order = [
        ".ci/run check-all",
        "make flaky",
        "lab.release --check",
        "make deb",
        "make image",
        "make release",
        "gh release create",
    ]
    assert [workflow.index(one) for one in order] == sorted(workflow.index(one) for one in order)
    assert "build/release/NOTES.md" in workflow
    assert release.make.__doc__ is not None
    assert "build/release" in release.make.__doc__
    assert 'STATIONMASTER_RELEASE: "1"' in workflow
