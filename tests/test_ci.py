"""The gate on a clean machine: what it cannot install stops neither the rest nor the gate."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

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
