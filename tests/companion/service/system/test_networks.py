"""Real networks of this kernel, in namespaces: whatever the box is in, its code leads a phone to the page."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.companion.service.system import networks_scenario

PRIVATE = ["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "bash", "-c"]
ROOM = 'mount -t tmpfs run /run && mount -t sysfs sysfs /sys && exec "$@"'


def missing() -> str:
    if os.geteuid() != 0:
        return "not root"
    if shutil.which("ip") is None or shutil.which("unshare") is None:
        return "this machine has no ip or no unshare"
    tried = [*PRIVATE, f"{ROOM}", "room", "ip", "link", "add", "va", "type", "veth", "peer", "name", "vb"]
    done = subprocess.run(tried, capture_output=True, text=True, check=False)
    return done.stderr.strip() if done.returncode else ""


def test_the_code_leads_to_the_page_in_every_network(tmp_path: Path) -> None:
    reason = missing()
    if reason:
        pytest.skip(f"no network namespaces here: {reason}")
    scenario = [sys.executable, networks_scenario.__file__, str(tmp_path)]
    done = subprocess.run(
        [*PRIVATE, ROOM, "room", *scenario], capture_output=True, text=True, check=False, timeout=200
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("ok: ") == 4
