"""Cards as pictures: of our own printed deck, or of one that somebody drew."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.derailed.printing.card_art import card_drawing, rail_back, station_back, station_drawing
from companion.games.derailed.printing.printed import PRINTED
from companion.games.derailed.rules.cards import FACES, card_of, parse_face
from companion.games.derailed.rules.rulebook import COMPANIES
from companion.sheets.drawing import arc_points
from companion.sheets.printing.png import MM_PER_INCH, picture
from lab.derailed.studio.hands import OURS, CardHand
from lab.derailed.studio.track_marks import HEIGHT, WIDTH, face_strokes
from lab.studio.habits import one_of
from lab.studio.ink import InkLayer, Window, inked
from lab.studio.strokes import Points, Stroke, area, as_points, stroke

Codes = NDArray[np.uint8]  # sRGB, red first
BACK, STATION_BACK = "back", "station-back"
_PRINTED_COPIES = 3  # different drawings of one card in our own deck


@dataclass(frozen=True)
class Deck:
    """The deck on the table: drawn by a hand, or without one our printed one."""

    hand: CardHand | None

    @property
    def name(self) -> str:
        """The name of the hand that drew the deck, or of our printed one."""
        return self.hand.name if self.hand else OURS

    @property
    def radius(self) -> float:
        """The radius of the corners, in mm; printed cards are often cut straight."""
        return self.hand.radius if self.hand else PRINTED.card.radius


def card_rim(radius: float) -> Points:
    """The outline of a card, in mm, with so many points that a lens can bend it."""
    corners = ((WIDTH, 0, -90), (WIDTH, HEIGHT, 0), (0, HEIGHT, 90), (0, 0, 180))
    r = max(radius, 0.05)
    points: list[tuple[float, float]] = []
    for x, y, turn in corners:
        centre = (x - r if x else r, y - r if y else r)
        points += arc_points(centre, r, turn, turn + 90)[:: 3 if radius else 30]
    return as_points(points)


@lru_cache(maxsize=1024)
def card_picture(deck: Deck, card: str, copy: int, scale: float, turned: bool = False) -> Codes:
    """A card as it lies: a face, a company's letter, or a back.

    A drawn card that lies turned by half is the same drawing, turned: its other face, or, if ``turned``, the
    same face of a card that shows one face either way up.
    """
    if deck.hand is None:
        return _printed(card, copy, scale)
    named = card_of(card) if card in FACES else card
    if named != card or (turned and card in FACES and parse_face(card).turned.text == card):
        return np.ascontiguousarray(card_picture(deck, named, copy, scale)[::-1, ::-1])
    rng = np.random.default_rng([deck.hand.seed, 0 if deck.hand.alike else copy, *card.encode()])
    if card in COMPANIES:
        return _drawn_station(rng, deck.hand, card, scale)
    if card in (BACK, STATION_BACK):
        return _drawn_back(rng, deck.hand, scale)
    drawn = face_strokes(rng, deck.hand, parse_face(card))
    paper = _paper(deck.hand, scale)
    layers = [
        InkLayer("#cfc4ae", tuple(_doodles(rng, deck.hand)), seed=1),
        InkLayer(deck.hand.bed or deck.hand.ink, tuple(drawn.beds), seed=7),
        InkLayer(
            "#d8c8a4" if deck.hand.ties == "pale" else deck.hand.ink,
            _thinner(drawn.ties, deck.hand),
            deck.hand.dry,
            seed=2,
        ),
        InkLayer(deck.hand.ink, tuple(drawn.lines), deck.hand.dry, seed=int(rng.integers(2**31))),
    ]
    codes = _on_paper(paper, layers, scale)
    return 255 - codes if deck.hand.negative else codes


def _printed(card: str, copy: int, scale: float) -> Codes:
    dpi = scale * MM_PER_INCH
    if card in COMPANIES:
        return np.asarray(picture(station_drawing(card), dpi))
    if card in (BACK, STATION_BACK):
        return np.asarray(picture(rail_back() if card == BACK else station_back(), dpi))
    return np.asarray(picture(card_drawing(card, copy % _PRINTED_COPIES), dpi))


# --- drawn by hand ---


def _rgb(colour: str) -> NDArray[np.float64]:
    return np.array([int(colour[n : n + 2], 16) for n in (1, 3, 5)], np.float64)


def _paper(hand: CardHand, scale: float, ground: NDArray[np.float64] | None = None) -> Codes:
    size = round(HEIGHT * scale), round(WIDTH * scale)
    paper = _rgb(hand.paper)
    sheet = np.empty((*size, 3), np.float64)
    sheet[:] = paper if ground is None else ground
    rim = round(2.0 * scale)
    if hand.frame == "light":
        whole = sheet.copy()
        sheet[:] = np.minimum(paper + 10, 255)
        sheet[rim:-rim, rim:-rim] = whole[rim:-rim, rim:-rim] - (0 if ground is not None else 3)
    codes = np.clip(sheet, 0, 255).astype(np.uint8)
    if hand.frame in ("line", "band"):
        rng = np.random.default_rng([hand.seed, 7])
        colour = [60, 60, 64] if hand.frame == "line" else rng.integers(40, 230, 3).tolist()
        width = 0.4 if hand.frame == "line" else float(rng.uniform(1.2, 3.0))
        low = round((float(rng.uniform(0.5, 3.0)) if hand.frame == "line" else width / 2) * scale)
        height, wide = codes.shape[:2]
        cv2.rectangle(
            codes,
            (low, low),
            (wide - 1 - low, height - 1 - low),
            colour,
            max(1, round(width * scale)),
            cv2.LINE_AA,
        )
    return codes


def _on_paper(paper: Codes, layers: list[InkLayer], scale: float) -> Codes:
    window = Window((0.0, 0.0), scale, (paper.shape[1], paper.shape[0]))
    return inked(paper, [layer for layer in layers if layer.strokes], window)


def _thinner(ties: list[Stroke], hand: CardHand) -> tuple[Stroke, ...]:
    share = 1.3 if hand.ties == "pale" else 0.5
    return tuple(Stroke(line.points, line.widths * share, line.strengths) for line in ties)


def _doodles(rng: np.random.Generator, hand: CardHand) -> list[Stroke]:
    """Pale grass, stones and paws anywhere: nothing that anybody would take for track."""
    found: list[Stroke] = []
    for _ in range(int(rng.poisson(9 * hand.scenery))):
        at = rng.uniform((5, 5), (WIDTH - 5, HEIGHT - 5))
        for _ in range(int(rng.integers(1, 4))):
            step = rng.normal(0, 2.4, (2, 2))
            found.append(stroke(rng, hand, at + step, 0.5))
    return found


# Degrees on the colour circle that people would call by the company's colour.
_HUES = {"A": (-16, 12), "B": (19, 39), "C": (45, 63), "D": (90, 165), "E": (195, 240), "F": (258, 312)}


def _company_ground(rng: np.random.Generator, hand: CardHand, letter: str) -> NDArray[np.float64]:
    """This deck's idea of a company's colour."""
    own = np.random.default_rng([hand.seed, 11])
    if hand.wide_hues and letter in _HUES:
        own = np.random.default_rng([hand.seed, 17, *letter.encode()])
        bright = float(own.uniform(0.82, 1.0) if letter in "BC" else own.uniform(0.45, 1.0))
        hue = float(own.uniform(*_HUES[letter])) % 360
        hsv = np.array([[[hue, own.uniform(0.6, 1.0), bright]]], np.float32)
        rgb = np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB)[0, 0], np.float64)
        return np.clip(255 * rgb + rng.normal(0, 3, 3), 8, 255)
    shift = own.normal(0, 9, 3) + rng.normal(0, 4, 3)
    return np.clip(_rgb(COMPANIES[letter].ink) + shift * (0.3 if letter in "GH" else 1), 8, 255)


def _drawn_station(rng: np.random.Generator, hand: CardHand, letter: str, scale: float) -> Codes:
    ground = _company_ground(rng, hand, letter)
    codes = _paper(hand, scale, ground if hand.station == "ground" else None)
    if hand.station != "ground":
        codes = _coloured(rng, hand, codes, ground, scale)
    layers: list[InkLayer] = []
    if hand.station_tracks:
        track = face_strokes(rng, hand, parse_face("TB"))
        ink = "#f0f0f0" if letter == "H" else hand.ink
        if letter == "H":  # black lines on black would not be seen: the track lies on a strip of paper
            half = (hand.gauge + 2 * hand.width) / 2 * scale
            middle = codes.shape[1] / 2
            codes[:, round(middle - half) : round(middle + half)] = _rgb(hand.paper).astype(np.uint8)
            ink = hand.ink
        layers.append(InkLayer(ink, tuple(track.lines), hand.dry, seed=3))
    codes = _on_paper(codes, layers, scale)
    return _with_sign(codes, hand, letter, scale)


def _coloured(
    rng: np.random.Generator, hand: CardHand, paper: Codes, colour: NDArray[np.float64], scale: float
) -> Codes:
    """A station on white paper, its colour inside a rim, as a disc, hatched, as bands or as a frame."""
    codes = np.ascontiguousarray(paper)
    height, width = codes.shape[:2]
    rim, ink = round(hand.rim * scale), colour.tolist()
    dark = [40, 40, 44]  # the outline without which white would not be seen on white
    if hand.station in ("rim", "disc"):
        mask = np.zeros((height, width), np.uint8)
        if hand.station == "rim":
            cv2.rectangle(mask, (rim, rim), (width - 1 - rim, height - 1 - rim), 255, -1)
        else:
            radius = min(width, height) // 2 - rim // 2
            cv2.circle(mask, (width // 2, height // 2), radius, 255, -1, cv2.LINE_AA)
        codes = np.asarray(codes + (colour - codes) * (mask[..., None] / 255), np.uint8)
        edge, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        if min(ink) > 200:
            cv2.drawContours(codes, edge, -1, dark, max(1, round(0.6 * scale)), cv2.LINE_AA)
        return codes
    if hand.station == "hatched":
        own = np.random.default_rng([hand.seed, 18])
        step, slope = float(own.uniform(2.2, 5.0)), float(own.uniform(-1.2, 1.2))
        starts = np.arange(-1.3 * HEIGHT, WIDTH + 1.3 * HEIGHT, step)
        lines = tuple(
            stroke(rng, hand, as_points([(x, 1), (x + slope * HEIGHT, HEIGHT - 1)]), 0.4) for x in starts
        )
        thick = tuple(Stroke(one.points, one.widths * 0 + 0.45 * step, one.strengths) for one in lines)
        red, green, blue = (int(value) for value in (dark if min(ink) > 200 else ink))
        return _on_paper(codes, [InkLayer(f"#{red:02x}{green:02x}{blue:02x}", thick, seed=5)], scale)
    low = max(2, round((4 + 1.6 * hand.rim) * scale))
    if hand.station == "bands":
        codes[:low], codes[-low:] = colour, colour
        if min(ink) > 200:
            codes[low : low + max(1, round(scale))] = dark
            codes[-low - max(1, round(scale)) : -low] = dark
        return codes
    inner = codes[low:-low, low:-low].copy()
    codes[:] = colour
    codes[low:-low, low:-low] = inner
    if min(ink) > 200:
        cv2.rectangle(
            codes, (low, low), (width - 1 - low, height - 1 - low), dark, max(1, round(0.6 * scale))
        )
    return codes


def _with_picture(hand: CardHand, codes: Codes, letter: str, scale: float) -> Codes:
    """Some creature or emblem in dark lines, as real decks have them: another one for each company."""
    own = np.random.default_rng([hand.seed, 19, *letter.encode()])
    middle = as_points([(WIDTH / 2, HEIGHT / 2)])[0] + own.normal(0, 3, 2)
    lines = []
    for _ in range(int(own.integers(3, 9))):
        at, size = middle + own.normal(0, 7, 2), own.uniform(3, 14)
        turn = np.linspace(0, float(own.uniform(2.5, 2 * np.pi)), 14) + float(own.uniform(0, 6))
        loop = at + np.stack([np.cos(turn), np.sin(turn) * float(own.uniform(0.4, 1.4))], axis=1) * size
        blob = own.random() < 0.25
        lines.append(area(own, hand, loop) if blob else stroke(own, hand, loop, 0.5))
    return _on_paper(codes, [InkLayer(hand.ink, tuple(lines), seed=6)], scale)


def _with_sign(codes: Codes, hand: CardHand, letter: str, scale: float) -> Codes:
    """The letter, on a disc, on a box, or plain; some decks have none and only their colour tells."""
    own = np.random.default_rng([hand.seed, 12])
    kind = one_of(own, ("disc", "box", "plain", "none", "picture"))
    if kind == "picture" and letter != "H":
        return _with_picture(hand, codes, letter, scale)
    if letter in "GH":
        kind = "disc"
    middle = (round(WIDTH / 2 * scale), round(HEIGHT / 2 * scale))
    size = float(own.uniform(9, 18)) * scale
    codes = np.ascontiguousarray(codes)
    if kind == "disc":
        cv2.circle(codes, middle, round(size), (20, 20, 24), -1, cv2.LINE_AA)
        cv2.circle(codes, middle, round(size - 1.4 * scale), (250, 250, 246), -1, cv2.LINE_AA)
    if kind == "box":
        low = (round(middle[0] - size), round(middle[1] - 0.7 * size))
        high = (round(middle[0] + size), round(middle[1] + 0.7 * size))
        cv2.rectangle(codes, low, high, (250, 250, 246), -1)
        cv2.rectangle(codes, low, high, (20, 20, 24), max(1, round(0.8 * scale)), cv2.LINE_AA)
    if kind != "none":
        tall = 1.0 * size / 22
        thick = max(1, round(float(own.uniform(1.0, 2.5)) * scale))
        (wide, high_), _ = cv2.getTextSize(letter, cv2.FONT_HERSHEY_DUPLEX, tall, thick)
        at = (middle[0] - wide // 2, middle[1] + high_ // 2)
        cv2.putText(codes, letter, at, cv2.FONT_HERSHEY_DUPLEX, tall, (18, 18, 20), thick, cv2.LINE_AA)
    return codes


def _drawn_back(rng: np.random.Generator, hand: CardHand, scale: float) -> Codes:
    """A hand-drawn back: plain, hatched, or one colour with a frame."""
    own = np.random.default_rng([hand.seed, 13])
    colour = own.integers(20, 235, 3).astype(np.float64)
    codes = _paper(hand, scale, colour if own.random() < 0.6 else None)
    if own.random() < 0.6:
        slope = float(own.uniform(-1, 1))
        step = float(own.uniform(4, 12))
        lines = tuple(
            stroke(rng, hand, as_points([(x, 2), (x + slope * HEIGHT, HEIGHT - 2)]), 0.5)
            for x in np.arange(-HEIGHT, WIDTH + HEIGHT, step)
        )
        codes = _on_paper(codes, [InkLayer("#555560", lines, seed=4)], scale)
    return codes
