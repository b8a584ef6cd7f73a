"""The box's camera from where it is wanted: its own process opens devices and talks to the network.

The reader of photographs has neither right, because pictures come to it from strangers' phones. When it needs
a picture of the box's camera, it asks the service, which takes it here and hands it on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from multiprocessing.connection import Connection
from time import monotonic
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from companion.core.messages import m
from companion.core.spawned import SpawnedProcess
from companion.service.photos.plain import LARGEST, StrangeAnswerError, packed, unpacked
from companion.service.photos.queries import Shot
from companion.service.photos.sent_pictures import PHONE
from companion.table.exc import TableError

if TYPE_CHECKING:
    from companion.game.parts import Image
    from companion.service.photos.eye_camera import EyeCamera

Way: TypeAlias = Literal["still", "glance", "small", "whole"]

# Every answer of either process begins with what it is.
ANSWER, FAILED, LAMPS, SHOT = b"a", b"f", b"l", b"s"


@dataclass(frozen=True)
class ShotRequest:
    """A picture that the reader asks for: motionless, at once, or small and then all of the same frame."""

    way: Way
    shot: Shot


@dataclass(frozen=True)
class Taken:
    """The pixels of a picture."""

    shape: tuple[int, ...]
    pixels: bytes


@dataclass(frozen=True)
class LampRequest:
    """What the camera's process asks for while it takes a picture: light from there; neither: as before."""

    left: bool
    right: bool


@dataclass(frozen=True)
class Failed:
    """A call's error: a message for people."""

    code: str
    message: str


def shots_in(given: object) -> Iterator[Shot]:
    """The pictures that a call may want taken; whoever takes the reader over gets no other."""
    if isinstance(given, Shot):
        yield given
    elif isinstance(given, tuple | list):
        for one in given:
            yield from shots_in(one)


class CameraProcess:
    """The camera's process; it is started when a picture is wanted, and ends when none was for a while."""

    def __init__(self) -> None:
        self._process = SpawnedProcess("camera")
        self.light: Callable[[LampRequest], None] = lambda _: None  # lights the table for a picture

    def take(self, request: ShotRequest, until: float) -> bytes:
        """Have a picture taken by that time; the answer for the reader, packed."""
        from companion.service.photos.eye_camera import work

        pipe = self._process.pipe or self._process.start(work)
        lit = False
        try:
            pipe.send(request)
            while True:
                if not pipe.poll(max(0.0, until - monotonic())):
                    raise TimeoutError
                told = pipe.recv_bytes(LARGEST)
                if told[:1] != LAMPS:
                    return told
                lit = True
                self.light(unpacked(told[1:], LampRequest))
                pipe.send(None)  # it is lit
        except (EOFError, OSError, StrangeAnswerError) as problem:
            self._process.end()
            message = m("that took too long") if isinstance(problem, TimeoutError) else m("the camera failed")
            failed = Failed("bad-photo", m("{message}: take another one", message=message))
            return FAILED + packed(failed)
        finally:
            if lit:
                self.light(LampRequest(False, False))

    def stop(self) -> None:
        """End the process and release its resources; may be called more than once."""
        self._process.end()


@dataclass
class Frame:
    """One frame: ``small`` is enough to see what moves; all of it is fetched only where it is wanted."""

    small: Image
    take: Callable[[], Image]

    @cached_property
    def whole(self) -> Image:
        """All its pixels."""
        return self.take()


class DistantCamera:
    """The box's camera as the reader's process has it: every picture is asked for through the pipe.

    Those that a phone sends are unpacked here, like all others from phones.
    """

    def __init__(self, pipe: Connection[Any, Any] | None = None) -> None:
        self._pipe = pipe
        self._sent: EyeCamera | None = None

    def still(self, shot: Shot) -> Image:
        """Take a picture for reading: motionless, of several frames, without glare given two lamps."""
        return self._image(ShotRequest("still", shot))

    def glance(self, shot: Shot) -> Image:
        """Take a single frame at once, for placing the camera."""
        return self._image(ShotRequest("glance", shot))

    def frame(self, shot: Shot) -> Frame:
        """Take a single frame at once, for following what lies on the table."""
        return Frame(self._image(ShotRequest("small", shot)), lambda: self._image(ShotRequest("whole", shot)))

    def _image(self, request: ShotRequest) -> Image:
        import numpy as np

        if request.shot.camera == PHONE:
            return self._of_a_phone().picture(request)
        taken = self._taken(request)
        return np.frombuffer(taken.pixels, np.uint8).reshape(taken.shape).copy()

    def _of_a_phone(self) -> EyeCamera:
        from companion.service.photos.eye_camera import EyeCamera

        if self._sent is None:
            self._sent = EyeCamera()
        return self._sent

    def _taken(self, request: ShotRequest) -> Taken:
        if self._pipe is None:
            raise TableError("no-camera", m("this box has no camera: use the phone's"))
        self._pipe.send_bytes(SHOT + packed(request))
        told = self._pipe.recv_bytes(LARGEST)
        if told[:1] == FAILED:
            failed: Failed = unpacked(told[1:], Failed)
            raise TableError(failed.code, failed.message)
        taken: Taken = unpacked(told[1:], Taken)
        return taken
