"""The box's camera in the reader's process: it stays open between pictures, and is let go when nobody asks.

A picture lit from either side takes the panel's lamps, which belong to the service: they are asked for
through the same pipe (:class:`companion.service.photos.eye.LampRequest`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any

from companion.service.photos.eye import LAMPS, LampRequest
from companion.service.photos.plain import packed
from companion.service.photos.queries import Shot

if TYPE_CHECKING:
    from companion.game.parts import Image
    from companion.service.watching.filming import FilmCamera
    from vision.cameras.sources import Camera, CameraRequest

IDLE = 120.0  # seconds after which a camera that nobody wants a picture of is let go


@dataclass
class Frame:
    """One frame: ``small`` is enough to see what moves; all of it is unpacked only where it is wanted."""

    small: Image
    take: Callable[[], Image]

    @cached_property
    def whole(self) -> Image:
        """All its pixels."""
        return self.take()


class EyeCamera:
    """One camera, opened when it is first wanted. ``pipe`` leads to the service with its lamps."""

    def __init__(self, pipe: Connection[Any, Any] | None = None) -> None:
        self._pipe = pipe
        self._wish: CameraRequest | None = None
        self._camera: Camera | None = None
        self.film: FilmCamera | None = None  # of a demonstration

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

    def frame(self, shot: Shot, at: float) -> Frame:
        """Take a single frame at once, for following what lies on the table."""
        if self.film is not None and shot.camera == "film":
            picture = self.film.frame(at)
            return Frame(picture.small(), picture.whole)
        camera = self._opened(shot)
        glance = getattr(camera, "glance", None)
        if glance is not None:
            return Frame(self._kept_warm(glance), camera.take)
        whole = self._kept_warm(camera.take)
        return Frame(whole, lambda: whole)

    def rest(self) -> None:
        """Close the camera until it is next used."""
        camera, self._camera, self._wish = self._camera, None, None
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
