"""Corner tags of any sheet in a picture."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np

from vision.rectify import Image, Places

_LEAST_SIDE = 9  # pixels of a tag


def seen_tags(image: Image) -> list[tuple[int, Places]]:
    """Their numbers, and their corners clockwise from the top left."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    quads, numbers, _ = _detector(-(-max(grey.shape) // 256) * 256).detectMarkers(grey)
    if numbers is None:
        return []
    # OpenCV counts from the middle of the first pixel.
    return [
        (int(number), np.asarray(quad, np.float64).reshape(4, 2) + 0.5)
        for number, quad in zip(np.ravel(numbers), quads, strict=True)
    ]


@cache
def _detector(longest: int) -> cv2.aruco.ArucoDetector:
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    settings.cornerRefinementWinSize = 4
    settings.minMarkerPerimeterRate = 4 * _LEAST_SIDE / longest
    settings.adaptiveThreshWinSizeMin = 5
    settings.adaptiveThreshWinSizeMax = 25
    settings.adaptiveThreshWinSizeStep = 10
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36H11), settings)
