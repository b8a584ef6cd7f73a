"""Root's part of an update: takes the service's request, installs only what is signed, goes back by itself.

The service runs without rights. It lays a package and a request into its own folder; systemd sees the
request and starts this program, which trusts nothing that lies there: it copies the package to a place of
own, checks
the signature of the copy, and installs that. The version that is installed is packed again first, so that
there is always one to go back to; the package's own script makes a backup of the table before anything is
changed. A version that does not answer a page within two minutes is taken back.

What is being done is written down before it is done (``state.json``, and ``under-way``, for which systemd
looks at the next start), so a power cut in the middle ends in one of the two versions, whole.
"""

from __future__ import annotations

import json
import os
import shutil
import stat
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal, Protocol, TypeAlias

from companion.core.messages import m
from companion.updates.signed import LARGEST, UpdateError, check_package

PATIENCE = 120.0  # seconds for a new version to answer its page
STEADY = 10.0  # it has to answer that long after the first time, too
PACKAGE, WISH = "package.deb", "wish"  # in the service's folder
STATE, UNDER_WAY = "state.json", "under-way"  # in root's
_NEXT, _BEFORE, PREVIOUS = "next.deb", "before.deb", "previous.deb"
_LOOKS_EVERY = 2.0

Phase: TypeAlias = Literal["idle", "installing", "taking-back", "installed", "taken-back", "refused"]


@dataclass(frozen=True)
class State:
    """How the last update went; ``back_to`` is the version that one tap brings back."""

    phase: Phase = "idle"
    before: str = ""
    after: str = ""
    says: str = ""
    back_to: str = ""
    port: int = 80

    @property
    def is_under_way(self) -> bool:
        """True if an update is half done."""
        return self.phase in ("installing", "taking-back")


class System(Protocol):
    """What the installer needs of the machine."""

    def arch(self) -> str:
        """The architecture of the packages that the machine takes."""

    def installed(self) -> str:
        """The version that is wholly installed; empty while it is half installed."""

    def repack(self, target: Path) -> None:
        """Make a package of what is installed."""

    def version_in(self, package: Path) -> str:
        """The version that a package brings."""

    def install(self, package: Path, *, taking_back: bool = False) -> str:
        """Install a package, newer or older; a sentence when that failed."""

    def restart(self) -> None:
        """Start the service again."""

    def answers(self, version: str, port: int) -> bool:
        """True if this version answers a page."""

    def restore_older(self) -> str:
        """Make newer data one that the installed version understands; out of what, or nothing."""

    def clock(self) -> float:
        """A monotonic clock, in seconds."""

    def sleep(self, seconds: float) -> None:
        """Wait so many seconds."""


@dataclass(frozen=True)
class Places:
    """``inbox`` is the service's, ``own`` root's; ``keys`` are folders of public keys."""

    inbox: Path = Path("/var/lib/stationmaster/update")
    own: Path = Path("/var/lib/stationmaster-updates")
    keys: tuple[Path, ...] = (
        Path("/usr/lib/stationmaster/update-keys"),
        Path("/etc/stationmaster/update-keys"),
    )

    def all_keys(self) -> list[Path]:
        """The public keys that are trusted."""
        return [key for folder in self.keys for key in sorted(folder.glob("*.pem"))]


def read_state(folder: Path) -> State:
    """The state that was written last; an empty one where no update was ever made."""
    try:
        return State(**json.loads((folder / STATE).read_bytes()))
    except (OSError, ValueError, TypeError):
        return State()


class Installer:
    """One run: finish what a power cut left half done, then carry out the request, if any."""

    def __init__(
        self, places: Places, system: System, say: Callable[[str], None], patience: float = PATIENCE
    ) -> None:
        self.places = places
        self.system = system
        self._say = say
        self._patience = patience
        self.state = read_state(places.own)

    def run(self) -> None:
        """Carry out what there is to do."""
        self.places.own.mkdir(mode=0o755, parents=True, exist_ok=True)
        if self.state.is_under_way:
            self._go_on()
        request = _taken(self.places.inbox / WISH)
        if request is None:
            return
        try:
            self._change(*self._wished(request), port=request["port"])
        except UpdateError as problem:
            self._tell(replace(self.state, phase="refused", says=problem.message))
        except OSError as problem:
            if self.state.is_under_way:
                raise  # the next start goes on with it
            message = m(
                "there is no room for it on the box, or its disk fails: {strerror}", strerror=problem.strerror
            )
            self._tell(replace(self.state, phase="refused", says=message))
        (self.places.own / _NEXT).unlink(missing_ok=True)

    def _wished(self, request: dict[str, Any]) -> tuple[Path, str]:
        """The package to install and its version: a checked copy, or the previous package."""
        own = self.places.own
        if request["do"] == "back":
            if not (own / PREVIOUS).exists():
                raise UpdateError("no-way-back", m("there is no version before this one to go back to"))
            return own / PREVIOUS, self.system.version_in(own / PREVIOUS)
        _copy(self.places.inbox / PACKAGE, own / _NEXT)
        statement = check_package(own / _NEXT, self.places.all_keys())
        if statement.arch != self.system.arch():
            message = m(
                "this update is for {arch}, and this box is {arch2}",
                arch=statement.arch,
                arch2=self.system.arch(),
            )
            raise UpdateError("wrong-machine", message)
        return own / _NEXT, statement.version

    def _change(self, package: Path, version: str, port: int) -> None:
        """From the version that is here to another one, or back again."""
        before = self.system.installed()
        if not before:
            raise UpdateError("half-installed", m("another program is being installed: try again"))
        half = self.places.own / f"half-{_BEFORE}"
        self.system.repack(half)
        half.replace(self.places.own / _BEFORE)
        self._tell(replace(self.state, phase="installing", before=before, after=version, says="", port=port))
        fault = self.system.install(package)
        if not fault:
            fault = self._waited(version)
        if fault and package.name == PREVIOUS:
            fault = self._with_older_data(version, fault)
        if fault:
            self._take_back(fault)
        else:
            self._done()

    def _go_on(self) -> None:
        """Go on with an update that a power cut interrupted."""
        after = self.state.after
        fault: str = m("the power failed while it was being installed")
        if self.state.phase == "installing" and self.system.installed() == after:
            self.system.restart()
            fault = self._waited(after)
        if fault:
            self._take_back(fault)
        else:
            self._done()

    def _done(self) -> None:
        """Keep the new version, and the previous package for going back."""
        (self.places.own / _BEFORE).replace(self.places.own / PREVIOUS)
        before, after = self.state.before, self.state.after
        self._tell(
            replace(
                self.state, phase="installed", says=m("{after} is installed", after=after), back_to=before
            )
        )

    def _take_back(self, fault: str) -> None:
        before, after = self.state.before, self.state.after
        self._tell(replace(self.state, phase="taking-back", says=fault))
        problem = ""
        if self.system.installed() != before:
            problem = self.system.install(self.places.own / _BEFORE, taking_back=True)
        self.system.restart()
        problem = problem or self._waited(before)
        if problem:
            problem = self._with_older_data(before, problem)
        says = m(
            "{after} was not installed: {fault}. {before} is still installed",
            after=after,
            fault=fault,
            before=before,
        )
        if problem:
            says = m(
                "{after} was not installed: {fault}. {before} does not answer either: {problem}",
                after=after,
                fault=fault,
                before=before,
                problem=problem,
            )
        self._tell(replace(self.state, phase="taken-back", says=says))

    def _with_older_data(self, version: str, fault: str) -> str:
        """Give an older version data that it can open, and restart; a sentence where that fails."""
        if self.system.installed() != version or not self.system.restore_older():
            return fault
        self.system.restart()
        return self._waited(version)

    def _waited(self, version: str) -> str:
        """Wait until the new version answers steadily; a sentence where it does not."""
        until, since = self.system.clock() + self._patience, None
        while self.system.clock() < until or since is not None:
            now = self.system.clock()
            if not self.system.answers(version, self.state.port):
                since = None
            elif since is None:
                since = now
            elif now - since >= STEADY:
                return ""
            self.system.sleep(_LOOKS_EVERY)
        return m(
            "{version} did not answer within {patience} seconds",
            version=version,
            patience=f"{self._patience:.0f}",
        )

    def _tell(self, state: State) -> None:
        """Write the state down before the step is taken."""
        self.state = state
        own = self.places.own
        if state.is_under_way:
            (own / UNDER_WAY).touch()
        half = own / f"{STATE}.half"
        with half.open("w") as file:
            json.dump(asdict(state), file)
            file.flush()
            os.fsync(file.fileno())
        half.chmod(0o644)
        half.replace(own / STATE)
        folder = os.open(own, os.O_RDONLY | os.O_DIRECTORY)
        os.fsync(folder)
        os.close(folder)
        if not state.is_under_way:
            (own / UNDER_WAY).unlink(missing_ok=True)
        self._say(f"{state.phase}: {state.says or f'{state.before}, {state.after}'}")


def _taken(path: Path) -> dict[str, Any] | None:
    """Take the request, which counts once; None where there is none that makes sense."""
    try:
        with _opened(path, 1000) as file:
            told = json.loads(file.read())
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError, UpdateError):
        told = None
    path.unlink(missing_ok=True)
    if not isinstance(told, dict) or told.get("do") not in ("install", "back"):
        return None
    port = told.get("port")
    return {"do": told["do"], "port": port if isinstance(port, int) and 0 < port < 65536 else 80}


def _copy(source: Path, target: Path) -> None:
    try:
        with _opened(source, LARGEST) as file, target.open("wb") as out:
            shutil.copyfileobj(file, out)
    except OSError as problem:
        raise UpdateError(
            "no-package", m("the update cannot be read: {strerror}", strerror=problem.strerror)
        ) from None


def _opened(path: Path, largest: int) -> Any:
    """Open a file that somebody else wrote: a plain one, no link, no pipe, not too large."""
    file = os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC), "rb")
    about = os.fstat(file.fileno())
    if not stat.S_ISREG(about.st_mode) or about.st_size > largest:
        file.close()
        raise UpdateError("no-package", m("the update is not a regular file, or is far too large"))
    return file


def main() -> int:
    """The program that systemd starts."""
    from companion.updates.debian import Debian

    os.umask(0o022)
    patience = float(os.environ.get("STATIONMASTER_PATIENCE") or PATIENCE)  # emulated machines need more
    Installer(Places(), Debian(), lambda words: print(words, flush=True), patience).run()  # noqa: T201
    return 0
