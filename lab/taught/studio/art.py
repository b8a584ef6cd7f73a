"""How made-up boards are printed: landscapes, words, ornaments, and segments in the colours of pieces."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from lab.studio.habits import one_of
from lab.studio.ink import noise
from lab.studio.strokes import Points
from lab.taught.studio.boards import Plan
from lab.taught.studio.colours import NAMES, Colour, colour_named, printed_like

Codes = NDArray[np.uint8]  # sRGB, red first
GROUNDS = ("map", "map", "flat", "photo", "dark", "white")
SEGMENTS = ("filled", "filled", "wagon", "outline", "sleepers", "hatched", "shaded")
_FONTS = (
    cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_SCRIPT_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX,
)  # fmt: skip
_LETTERS = "ABCDEFGHIJKLMNOPRSTUVWZ"


def printed_inks(rng: np.random.Generator) -> list[tuple[str, Colour]]:
    """The colours that segments are printed in, by name: like those of pieces, and a nameless grey."""
    names = [str(name) for name in rng.choice(NAMES, int(rng.integers(4, 9)), replace=False)]
    inks = [(name, printed_like(rng, colour_named(rng, name))) for name in names]
    return [*inks, ("", np.full(3, rng.uniform(110, 190)) + rng.normal(0, 6, 3))]


def painted(
    rng: np.random.Generator, plan: Plan, inks: list[Colour], scale: float, styles: tuple[str, str]
) -> Codes:
    """A board as it is printed, ``scale`` pixels per mm; ``styles`` are those of its ground and segments."""
    ground, style = styles
    size = round(plan.size[0] * scale), round(plan.size[1] * scale)
    paper = ground_for(rng, size, scale, ground)
    # Borders, rivers, hills, words, a frame with a score track
    height, width = paper.shape[:2]
    for _ in range(int(rng.integers(0, 26))):
        count = int(rng.integers(4, 14))
        start = rng.uniform((0, 0), (width, height))
        line = start + np.cumsum(rng.normal(0, 14 * scale, (count, 2)) + rng.normal(0, 9 * scale, 2), axis=0)
        colour = _ink(rng, paper)
        cv2.polylines(
            paper,
            [np.rint(line).astype(np.int32)],
            False,
            colour,
            max(1, round(rng.uniform(0.2, 1.2) * scale)),
            cv2.LINE_AA,
        )
    for _ in range(int(rng.integers(0, 90))):
        x, y = rng.uniform((0, 0), (width, height))
        high = rng.uniform(2, 7) * scale
        hill = np.array([(x - high, y), (x, y - high), (x + high, y)])
        cv2.polylines(
            paper,
            [np.rint(hill).astype(np.int32)],
            False,
            _ink(rng, paper),
            max(1, round(0.4 * scale)),
            cv2.LINE_AA,
        )
    for _ in range(int(rng.integers(2, 40))):
        _word(rng, paper, rng.uniform((0, 0), (width, height)), rng.uniform(2.0, 9.0) * scale)
    if rng.random() < 0.6:
        _score_track(rng, paper, scale)
    edge = np.clip(rng.choice([30, 230]) + rng.normal(0, 20, 3), 0, 255)
    look = _Look(rng, style, edge, float(rng.uniform(0.3, 1.1)))
    for route in plan.routes:
        for quad in route.quads:
            look.draw(paper, quad * scale, inks[route.ink], scale)
    radius = plan.segment[1] * float(rng.uniform(0.35, 0.75)) * scale
    fill, rim = _ink(rng, paper), _ink(rng, paper)
    for city in plan.cities * scale:
        middle = (int(city[0]), int(city[1]))
        cv2.circle(paper, middle, int(radius), fill, -1, cv2.LINE_AA)
        cv2.circle(paper, middle, int(radius), rim, max(1, int(radius / 4)), cv2.LINE_AA)
        _word(rng, paper, city + np.array([radius, -radius]), rng.uniform(3.5, 6) * scale)
    grain = noise(rng, size, 1.3)[..., None] * float(rng.uniform(0, 5))
    return np.clip(paper + grain, 0, 255).astype(np.uint8)


# --- what lies under the routes ---


def ground_for(
    rng: np.random.Generator, size: tuple[int, int], scale: float, kind: str
) -> NDArray[np.float32]:
    """A printed ground of a kind, so many pixels wide and high."""
    tone = {
        "map": rng.uniform(150, 235), "flat": rng.uniform(90, 240), "photo": rng.uniform(70, 190),
        "dark": rng.uniform(15, 60), "white": rng.uniform(225, 250),
    }[kind]  # fmt: skip
    tint = {"white": 3.0, "dark": 14.0}.get(kind, 28.0)
    paper = np.empty((size[1], size[0], 3), np.float32)
    paper[:] = np.clip(tone + rng.normal(0, tint, 3), 5, 252)
    if kind in ("map", "photo", "dark"):
        rough = noise(rng, size, 90 * scale) + 0.5 * noise(rng, size, 30 * scale)
        rough += 0.25 * noise(rng, size, 8 * scale)
        sea = (rough > rng.uniform(0.2, 1.2)).astype(np.float32)
        shore = np.abs(cv2.GaussianBlur(sea, (0, 0), 1 + 0.5 * scale) - 0.5) < 0.25
        other = np.clip(paper[0, 0] + rng.normal(0, 45 if kind != "dark" else 20, 3), 5, 250)
        paper += sea[..., None] * (other - paper)
        paper[shore] *= rng.uniform(0.4, 0.95)
    octaves = {"photo": (40, 12, 4, 1.5), "map": (25, 6, 2), "dark": (30, 5, 1.2)}.get(kind, (60,))
    strength = {"photo": rng.uniform(6, 18), "map": rng.uniform(2, 10), "dark": rng.uniform(3, 9)}.get(
        kind, 2.0
    )
    for grain in octaves:
        colour = 1 + rng.normal(0, 0.25, 3)
        paper += noise(rng, size, max(1.2, grain * scale))[..., None] * (strength * colour).astype(np.float32)
    return np.clip(paper, 0, 255)


def _ink(rng: np.random.Generator, paper: NDArray[np.float32]) -> tuple[float, float, float]:
    base = float(np.median(paper[::97, ::89]))
    r, g, b = np.clip((base - 130 if base > 120 else base + 100) + rng.normal(0, 45, 3), 0, 255)
    return float(r), float(g), float(b)


def _word(rng: np.random.Generator, paper: NDArray[np.float32], at: Points, size: float) -> None:
    text = "".join(rng.choice(list(_LETTERS), int(rng.integers(3, 11))))
    if rng.random() < 0.6:
        text = text.title()
    cv2.putText(
        paper, text, (int(at[0]), int(at[1])), one_of(rng, _FONTS), size / 22, _ink(rng, paper),
        max(1, round(size / rng.uniform(8, 16))), cv2.LINE_AA,
    )  # fmt: skip


def _score_track(rng: np.random.Generator, paper: NDArray[np.float32], scale: float) -> None:
    height, width = paper.shape[:2]
    side = int(rng.uniform(10, 18) * scale)
    fill, line = np.clip(rng.uniform(60, 230) + rng.normal(0, 25, 3), 0, 255), _ink(rng, paper)
    boxes = [(x, y) for x in range(0, width - side, side) for y in (0, height - side)]
    boxes += [(x, y) for y in range(side, height - side, side) for x in (0, width - side)]
    for n, (x, y) in enumerate(boxes):
        cv2.rectangle(paper, (x, y), (x + side, y + side), tuple(map(float, fill)), -1)
        cv2.rectangle(paper, (x, y), (x + side, y + side), line, max(1, round(0.4 * scale)), cv2.LINE_AA)
        cv2.putText(
            paper,
            str(n % 100),
            (x + side // 5, y + int(0.7 * side)),
            _FONTS[0],
            side / 50,
            line,
            max(1, side // 22),
            cv2.LINE_AA,
        )


# --- segments ---


class _Look:
    """One board's way of printing segments."""

    def __init__(self, rng: np.random.Generator, style: str, edge: Colour, thick: float) -> None:
        self.style, self.edge, self.thick = style, tuple(map(float, edge)), thick
        self.inner, self.pale = float(rng.uniform(0.5, 1.3)), float(rng.uniform(0.3, 0.95))
        self.bands, self.shine = int(rng.integers(2, 7)), float(rng.uniform(0.8, 1.35))

    def draw(self, paper: NDArray[np.float32], quad: Points, ink: Colour, scale: float) -> None:
        """Draw one segment; ``quad`` is in pixels."""
        fill = tuple(map(float, np.clip(ink, 0, 255)))
        other = tuple(map(float, np.clip(ink * self.inner, 0, 255)))
        line = max(1, round(self.thick * scale))
        whole = [np.rint(quad * 16).astype(np.int32)]
        if self.style == "outline":
            _tint(paper, quad, ink, 1 - self.pale)
            cv2.polylines(paper, whole, True, fill, 2 * line, cv2.LINE_AA, 4)
            return
        cv2.fillPoly(paper, whole, fill, cv2.LINE_AA, 4)
        if self.style == "wagon":
            cv2.fillPoly(paper, [_part(quad, (0.06, 0.94), (0.15, 0.85))], other, cv2.LINE_AA, 4)
            for n in range(self.bands):
                at = 0.12 + 0.76 * n / self.bands
                cv2.fillPoly(
                    paper, [_part(quad, (at, at + 0.4 / self.bands), (0.3, 0.6))], fill, cv2.LINE_AA, 4
                )
        elif self.style == "sleepers":
            for n in range(self.bands + 2):
                at = 0.05 + 0.9 * n / (self.bands + 2)
                cv2.fillPoly(paper, [_part(quad, (at, at + 0.05), (0.1, 0.9))], other, cv2.LINE_AA, 4)
            for low in (0.25, 0.67):
                cv2.fillPoly(paper, [_part(quad, (0.02, 0.98), (low, low + 0.08))], self.edge, cv2.LINE_AA, 4)
        elif self.style == "hatched":
            for n in range(2 * self.bands):
                at = n / (2 * self.bands)
                cv2.fillPoly(
                    paper, [_part(quad, (at, at + 0.25 / self.bands), (0.0, 1.0))], other, cv2.LINE_AA, 4
                )
        elif self.style == "shaded":
            light = tuple(map(float, np.clip(ink * self.shine, 0, 255)))
            cv2.fillPoly(paper, [_part(quad, (0.05, 0.95), (0.08, 0.45))], light, cv2.LINE_AA, 4)
        cv2.polylines(paper, whole, True, self.edge, line, cv2.LINE_AA, 4)


def _part(quad: Points, along: tuple[float, float], across: tuple[float, float]) -> NDArray[np.int32]:
    """A rectangle within a segment, in shares of its sides, as fixed-point pixels of 4 bits."""
    at, right, down = quad[0], quad[1] - quad[0], quad[3] - quad[0]
    corners = [(along[0], across[0]), (along[1], across[0]), (along[1], across[1]), (along[0], across[1])]
    places = np.array([at + x * right + y * down for x, y in corners])
    return np.asarray(np.rint(places * 16), np.int32)


def _tint(paper: NDArray[np.float32], quad: Points, ink: Colour, share: float) -> None:
    low = np.maximum(np.floor(quad.min(axis=0)).astype(int), 0)
    high = np.ceil(quad.max(axis=0)).astype(int) + 1
    part = paper[low[1] : high[1], low[0] : high[0]]
    mask = np.zeros(part.shape[:2], np.uint8)
    cv2.fillPoly(mask, [np.rint(quad - low).astype(np.int32)], 1)
    part[mask > 0] += (ink.astype(np.float32) - part[mask > 0]) * np.float32(share)
