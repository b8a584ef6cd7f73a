"""The errors of this package; :mod:`companion.core.errors` draws the tree of all errors."""

from __future__ import annotations

from companion.core.errors import StationmasterError


class VisionError(StationmasterError):
    """Base of everything this package raises."""


class StudioError(VisionError, ValueError):
    """The studio was asked for something it does not have."""


class PictureError(VisionError, ValueError):
    """These bytes are no picture that can be read."""


class PlacementError(VisionError, ValueError):
    """Corners or a taught picture that make no sense."""


class CameraError(VisionError):
    """No picture can be had: there is no camera, it hangs, or nothing keeps still."""
