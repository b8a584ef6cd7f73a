"""Container images made from this folder start: built with buildah on a base that debootstrap made."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest

ROOT = Path(__file__).parents[1]
BASE = "docker.io/library/debian:trixie-slim"
PROGRAMS = ("buildah", "debootstrap")
CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"
WITHIN = 60.0  # seconds: a start with compiling, on a busy machine

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(3000),
    pytest.mark.skipif(
        os.geteuid() != 0 or not all(map(shutil.which, PROGRAMS)),
        reason="images need root, buildah, debootstrap",
    ),
]


class Builder:
    """Buildah with a store of its own, so that no image of this machine is touched or used."""

    def __init__(self, folder: Path) -> None:
        self._environment = {**os.environ, "STORAGE_DRIVER": "vfs", "BUILDAH_ISOLATION": "chroot"}
        self._start = ["buildah", "--root", str(folder / "store"), "--runroot", str(folder / "run")]
        self.folder = folder

    def __call__(self, *words: str) -> str:
        done = subprocess.run(
            [*self._start, *words],
            cwd=ROOT,
            env=self._environment,
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout.strip()

    def image(self, target: str) -> str:
        """Build one of the Dockerfile's images; its name."""
        # The machine's certificates: a build behind a proxy has others than the base.
        volume = f"{CERTIFICATES}:{CERTIFICATES}:ro"
        recipe = ["-f", "docs/Dockerfile", "--ignorefile", "docs/Dockerfile.dockerignore"]
        self("bud", "--pull-never", "--layers", "-v", volume, *recipe, "--target", target, "-t", target, ".")
        return f"localhost/{target}"

    @contextmanager
    def running(self, image: str, *command: str) -> Iterator[subprocess.Popen[bytes]]:
        """Run a container of the image for the context."""
        container = self("from", "--pull-never", image)
        words = [*self._start, "run", container, "--", "/opt/stationmaster/bin/stationmaster", *command]
        process = subprocess.Popen(words, env=self._environment, stdout=subprocess.DEVNULL)
        try:
            yield process
        finally:
            process.terminate()
            process.wait(20)
            self("rm", container)


@pytest.fixture(scope="module")
def builder(tmp_path_factory: pytest.TempPathFactory) -> Builder:
    folder = tmp_path_factory.mktemp("images")
    rooms, builder = folder / "base", Builder(folder)
    subprocess.run(
        ["debootstrap", "--variant=minbase", "--include=ca-certificates", "trixie", str(rooms)],
        check=True,
        capture_output=True,
    )
    container = builder("from", "scratch")
    builder("add", container, str(rooms), "/")
    builder("commit", container, BASE)
    return builder


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def answer(process: subprocess.Popen[bytes], port: int) -> str:
    """The first page, as soon as there is one."""
    until = time.monotonic() + WITHIN
    while True:
        try:
            with urlopen(f"http://127.0.0.1:{port}/", timeout=10) as page:
                return str(page.read().decode())
        except OSError:
            assert process.poll() is None, "it ended"
            assert time.monotonic() < until, "nobody answers"
            time.sleep(0.2)


@pytest.mark.parametrize(
    ("target", "command", "says"),
    [("box", ("serve",), "Stationmaster"), ("hub", ("hub", "--name", "The Roundhouse"), "The Roundhouse")],
)
def test_an_image_of_this_folder_serves_pages(
    builder: Builder, target: str, command: tuple[str, ...], says: str
) -> None:
    image, port = builder.image(target), free_port()
    with builder.running(image, *command, "--host", "127.0.0.1", "--port", str(port)) as process:
        assert says in answer(process, port)
