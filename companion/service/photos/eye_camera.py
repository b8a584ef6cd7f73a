"""The camera's own process: it stays open between pictures, and both are let go when nobody asks.

A picture lit from either side takes the panel's lamps, which belong to the service: they are asked for
through the same pipe. See :mod:`companion.service.photos.camera_process` for its other end.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any

from companion.core.errors import CodedError, StationmasterError
from companion.core.messages import m
from companion.service.photos.camera_process import (
    ANSWER,
    FAILED,
    LAMPS,
    Failed,
    LampRequest,
    ShotRequest,
    Taken,
)
from companion.service.photos.plain import packed
from companion.service.photos.queries import Shot
from companion.service.system.memory import give_memory_back

if TYPE_CHECKING:
    from companion.game.parts import Image
    from vision.cameras.sources import Camera, CameraRequest

IDLE = 120.0  # seconds after which a camera that nobody wants a picture of is let go


def work(pipe: Connection[Any, Any]) -> None:
    """Take one picture after the other until the other end is closed, or nobody has asked for a while."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the service, which then ends this
    give_memory_back()
    camera = EyeCamera(pipe)
    while pipe.poll(IDLE):
        try:
            request = pipe.recv()
        except EOFError:
            break
        pipe.send_bytes(_answer(camera, request))
    camera.rest()


def _answer(camera: EyeCamera, request: ShotRequest) -> bytes:
    try:
        image = camera.picture(request)
        return ANSWER + packed(Taken(image.shape, image.tobytes()))
    except CodedError as problem:
        return FAILED + packed(Failed(problem.code, problem.message))
    except StationmasterError as problem:
        return FAILED + packed(Failed("bad-photo", problem.args[0]))
    except MemoryError:
        return FAILED + packed(Failed("bad-photo", m("that picture needs too much memory")))


class EyeCamera:
    """One camera, opened when it is first wanted. ``pipe`` leads to the service with its lamps."""

    def __init__(self, pipe: Connection[Any, Any] | None = None) -> None:
        self._pipe = pipe
        self._wish: CameraRequest | None = None
        self._camera: Camera | None = None
        self._whole: Callable[[], Image] | None = None  # of the last small picture

    def picture(self, request: ShotRequest) -> Image:
        """Take a picture in the way that is asked for."""
        take = {"still": self.still, "glance": self.glance, "small": self.small, "whole": self.whole}
        return take[request.way](request.shot)

    def still(self, shot: Shot) -> Image:
        """Take a picture for reading: motionless, of several frames, without glare given two lamps."""
        from vision.cameras.watching import SLOW, USUAL, still_picture

        camera = self._opened(shot)
        if getattr(camera, "single", False):
            return self._kept_warm(camera.take)
        patience = SLOW if getattr(camera, "slow", False) else USUAL
        lights = _PanelLights(self._pipe) if shot.lamps and self._pipe is not None else None
        return self._kept_warm(lambda: still_picture(camera, lights, patience).image)

    def glance(self, shot: Shot) -> Image:
        """Take a single frame at once, for placing the camera."""
        return self._kept_warm(self._opened(shot).take)

    def small(self, shot: Shot) -> Image:
        """Take a single frame at once, and give what following the table needs of it: small, and grey."""
        from vision.watch.follower import small

        camera = self._opened(shot)
        glance = getattr(camera, "glance", None)
        frame = self._kept_warm(camera.take if glance is None else glance)
        self._whole = camera.take if glance is not None else lambda: frame
        return small(frame)

    def whole(self, shot: Shot) -> Image:
        """All pixels of the last frame of which :meth:`small` gave a small picture."""
        return self.glance(shot) if self._whole is None else self._kept_warm(self._whole)

    def rest(self) -> None:
        """Close the camera until it is next used."""
        camera, self._camera, self._wish, self._whole = self._camera, None, None, None
        if camera is not None:
            camera.close()

    def _opened(self, shot: Shot) -> Camera:
        from vision.cameras.sources import CameraRequest, opened

        request = CameraRequest(shot.camera, shot.rotation, shot.crop, shot.focus)
        if self._camera is None or request != self._wish:
            self.rest()
            self._camera, self._wish = opened(request), request
        if shot.sent:
            self._camera.push(shot.sent)  # type: ignore[attr-defined]  # only such a camera has something sent
        return self._camera

    def _kept_warm(self, take: Any) -> Image:
        """A picture; after a fault the camera is opened anew for the next one."""
        try:
            image: Image = take()
        except BaseException:
            self.rest()
            raise
        return image


class _PanelLights:
    """The panel's two lamps, as the service lights them for this process."""

    has_two_lamps = True

    def __init__(self, pipe: Connection[Any, Any]) -> None:
        self._pipe = pipe

    @contextmanager
    def lit(self, *, left: bool = False, right: bool = False) -> Iterator[None]:
        """Light the table from one side during the context."""
        self._ask(LampRequest(left, right))
        try:
            yield
        finally:
            self._ask(LampRequest(False, False))

    def _ask(self, request: LampRequest) -> None:
        self._pipe.send_bytes(LAMPS + packed(request))
        self._pipe.recv()  # it is lit
