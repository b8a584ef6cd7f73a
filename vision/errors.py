"""What can go wrong with pictures.

VisionError
├── StudioError     the studio was asked for something it does not have
├── PictureError    these bytes are no picture that can be read
├── CameraError     a camera is missing, hangs, or sees nothing still
└── PlacementError  given corners or a taught picture that make no sense
"""

from __future__ import annotations


class VisionError(Exception):
    """Base of everything this package raises; the text is for people."""


class StudioError(VisionError, ValueError):
    """The studio was asked for something it does not have."""


class PictureError(VisionError, ValueError):
    """These bytes are no picture that can be read."""


class PlacementError(VisionError, ValueError):
    """Corners or a taught picture that make no sense."""


class CameraError(VisionError):
    """No picture can be had: there is no camera, it hangs, or nothing keeps still."""
