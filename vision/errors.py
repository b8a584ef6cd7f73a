"""What can go wrong with pictures.

VisionError
└── StudioError     the studio was asked for something it does not have
"""

from __future__ import annotations


class VisionError(Exception):
    """Base of everything this package raises; the text is for people."""


class StudioError(VisionError, ValueError):
    """The studio was asked for something it does not have."""
