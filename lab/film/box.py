"""A box over a filmed table: the service with its watching camera, of which only the camera is made up.

The reader works in this process, so that what it costs can be told; time is the film's.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from companion.core.errors import CodedError, StationmasterError
from companion.game.base import Action, Fact
from companion.service.photos.camera_process import DistantCamera, Frame
from companion.service.photos.eye import Answer, Eye, Given
from companion.service.photos.queries import Shot
from companion.service.photos.worker import Worker
from companion.service.service import Service
from companion.table.events import Actor
from companion.table.exc import TableError
from companion.table.match import NO_CHANCE, Match
from companion.table.table import Accepted
from lab.film.film import FilmFrame
from vision.register.rectify import Image

_HOST = Actor("host")
_EARLY = 0.01  # seconds that do not count
_FOLLOWING = "follow"  # the name of the function that is called for every frame


@dataclass
class Costs:
    """Seconds of the processor while something goes on, and what they were spent on."""

    following: float = 0.0
    reading: float = 0.0
    passed: float = 0.0  # seconds of the film


class FilmCamera(DistantCamera):
    """The box's camera, which sees the film's newest frame; ``spent``: seconds in which it was made."""

    def __init__(self) -> None:
        super().__init__()
        self.newest: FilmFrame | None = None
        self.spent = 0.0

    def frame(self, shot: Shot) -> Frame:
        """The newest frame; all of it is made only where it is wanted."""
        newest = self.newest
        assert newest is not None
        return Frame(self._made(newest.small), lambda: self._made(newest.whole))

    def _made(self, make: Callable[[], Image]) -> Image:
        begun = time.process_time()
        made = make()
        self.spent += time.process_time() - begun
        return made


class EyeHere(Eye):
    """The reader in this process; ``costs`` says what its calls took."""

    def __init__(self, camera: FilmCamera) -> None:
        super().__init__()
        self._worker, self._camera = Worker(camera), camera
        self.costs = Costs()

    def call(
        self, function: Callable[[Worker, *Given], Answer], *given: *Given, plays: bool = True
    ) -> Answer:
        """Do it now, with the errors of a reader in a process of its own."""
        begun, made = time.process_time(), self._camera.spent
        try:
            return function(self._worker, *given)
        except CodedError as problem:
            raise TableError(problem.code, problem.message) from problem
        except StationmasterError as problem:
            raise TableError("bad-photo", problem.args[0]) from problem
        finally:
            spent = time.process_time() - begun - (self._camera.spent - made)
            if function.__name__ == _FOLLOWING:
                self.costs.following += spent
            else:
                self.costs.reading += spent


class FilmedBox:
    """A box whose camera watches a film; ``changed`` is called when people are told something else."""

    def __init__(self, service: Service, changed: Callable[[], None] = lambda: None) -> None:
        self.service = service
        self.camera = FilmCamera()
        self.eye = EyeHere(self.camera)
        service.eye = service.photos.eye = service.taught.eye = self.eye
        service.settings.change({"camera": {"name": "usb", "watch": True}})
        self.now = 0.0
        self.watch = service.start_watching(threading.Event(), changed=changed, clock=lambda: self.now)

    @property
    def match(self) -> Match:
        """The match that is played."""
        match = self.service.table.current
        assert match is not None
        return match

    def say(self, action: Action, seat: int | None = None) -> None:
        """Somebody at the table says or taps something that the rules allow."""
        actor = _HOST if seat is None else Actor("player", seat)
        answer = self.service.table.submit(action, actor)
        assert isinstance(answer, Accepted), answer

    @property
    def told(self) -> Any:
        """The state of the match, with what the camera proposes to enter."""
        match, proposal = self.match, self.watch.proposal
        fact = None if proposal is None else match.game.decide(match.state, proposal.action, NO_CHANCE)
        return match.game.apply(match.state, fact) if isinstance(fact, Fact) else match.state

    @property
    def goes_on(self) -> bool:
        """Whether the screen asks for the next dice, in games that have any."""
        match = self.match
        return self.watch.news.throws or not match.game.dice(match.state)

    def agree(self) -> None:
        """Somebody taps that a proposal is right."""
        proposal = self.watch.proposal
        if proposal is not None:
            assert isinstance(self.watch.agree(self.match, proposal.seat, proposal.photo), Accepted)

    def look(self, frame: FilmFrame, costs: Costs) -> bool:
        """One more frame; False if the box does not look yet, as it looks less often while nothing moves."""
        if frame.at < self.now + self.watch.between - _EARLY:
            return False
        costs.passed += frame.at - self.now
        self.camera.newest, self.now, self.eye.costs = frame, frame.at, costs
        self.watch.look()
        return True
