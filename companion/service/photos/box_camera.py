"""The box's own camera, as the service knows it: which one, how its last picture went, what to take next."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from companion.service.devices.lights import Lights
from companion.service.photos.queries import Shot
from companion.service.photos.sent_pictures import PHONE, SentPictures
from companion.service.system.owner_settings import OwnerSettings
from companion.service.system.settings import CameraSettings
from companion.table.exc import TableError
from companion.table.match import Match


class BoxCamera:
    """The camera that the settings name; ``usual`` is the one where they name none."""

    def __init__(self, settings: OwnerSettings, lights: Lights) -> None:
        self.usual = ""
        self.sent = SentPictures()
        self._settings = settings
        self._lights = lights
        self._last: tuple[CameraSettings, str] | None = None  # with which settings, and what was wrong

    @property
    def name(self) -> str:
        """The camera's name in the settings; empty if only phones take pictures."""
        return self._settings.now.camera.name or self.usual

    @property
    def is_there(self) -> bool:
        """Return True if the box has a camera."""
        return bool(self.name)

    @property
    def trouble(self) -> str | None:
        """The fault of the last picture; empty: none; None: no picture taken with these settings yet."""
        if self._last is None or self._last[0] != self._settings.now.camera:
            return None
        return self._last[1]

    @property
    def watches(self) -> bool:
        """Return True if the camera is set to look for new drawings by itself."""
        return self._settings.now.camera.watch and self.name not in ("", "studio")

    def shot(self, match: Match, without: str) -> Shot:
        """A picture to be taken of the match's table; ``without`` a camera a sentence."""
        if not self.name:
            raise TableError("no-camera", without)
        return self._shot(match, self.sent.newest if self.name == PHONE else b"")

    def next_frame(self, match: Match) -> Shot | None:
        """One more frame of a watched table; None where the camera sends pictures and has sent no new one.

        After a silence it is asked all the same, and says so.
        """
        if self.name != PHONE:
            return self._shot(match, b"")
        sent = self.sent.take()
        return self._shot(match, sent) if sent or self.sent.is_silent else None

    def _shot(self, match: Match, sent: bytes) -> Shot:
        hints = self._settings.now.camera
        lamps = self._lights.has_two
        return Shot(self.name, match.version, hints.rotation, hints.part, hints.focus, lamps, sent)

    @property
    def rolls_after(self) -> int:
        """Seconds after which dice are thrown by themselves, once everybody is done; 0: never."""
        return self._settings.now.camera.rolls_after

    @contextmanager
    def watched(self, used: bool = True) -> Iterator[None]:
        """Remember for the host's page whether taking a picture succeeds."""
        settings = self._settings.now.camera
        try:
            yield
        except TableError as problem:
            if used and problem.code == "bad-photo":
                self._last = settings, problem.message
            raise
        if used:
            self._last = settings, ""
