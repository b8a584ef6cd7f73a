"""The owner's settings while the box is on: checked and changed from the host's page, kept in the file."""

from __future__ import annotations

from pathlib import Path

from companion.core.jsontext import JsonObject
from companion.service.system.settings import Settings, changed, plain_of, write_settings
from companion.service.system.settings_form import AT_ONCE


class OwnerSettings:
    """The settings of a folder, ``now`` and as the box was started with them."""

    def __init__(self, folder: Path, now: Settings) -> None:
        self.now = now
        self._folder = folder
        self._started_with = now

    def check(self, changes: JsonObject) -> None:
        """A TableError says what is wrong with some settings, by section and name."""
        changed(self.now, changes)

    def change(self, changes: JsonObject) -> None:
        """Keep them in the owner's file; those of the box, the camera and the power count at once."""
        self.now = changed(self.now, changes)
        write_settings(self._folder, self.now)

    def suggestions(self) -> dict[str, list[str]]:
        """What a setting (``camera.name``) might be: the cameras that are attached just now."""
        from vision.cameras.sources import cameras_here

        return {"camera.name": [camera.name for camera in cameras_here()]}

    @property
    def waits_for_restart(self) -> bool:
        """Return True if a setting has changed that takes effect only when the box restarts."""
        now, then = plain_of(self.now), plain_of(self._started_with)
        return any(now[section] != then[section] for section in now if section not in AT_ONCE)
