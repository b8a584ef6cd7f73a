"""One picture of a card table to be taken: cards in their lanes, everything else about, light and camera."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from msgspec import structs

from companion.games.derailed.printing.printed import MATS, PRINTED, card_corner, mat_size
from companion.games.derailed.rules.cards import DECK, FACES, card_of
from companion.games.derailed.rules.network import grid_of, lane_name
from companion.games.derailed.rules.rulebook import ROWS
from lab.derailed.studio.decks import BACK, STATION_BACK, Deck
from lab.derailed.studio.hands import PEOPLE, hand_of, take_card_hand
from lab.derailed.studio.positions import LANES, CardTable, played_table, scattered_table
from lab.studio.cameras import Matrix, rotation, shift, transformed
from lab.studio.habits import Range, between, one_of
from lab.studio.levels import Level
from lab.studio.settings import Patch, Setting, Subject, setting_for
from lab.studio.strokes import Points, as_points
from lab.studio.things import Thing, hand_over, pen, small_thing

CARD = as_points([PRINTED.card.size])[0]
START, DESTINATION = "start", "destination"
Oddity = Literal["askew", "crosswise", "between", "outside", "back", "foreign"]
ODDITIES: tuple[Oddity, ...] = ("askew", "crosswise", "between", "outside", "back", "foreign")
HELD_OUT_SURFACES = ("rug", "terrazzo")  # never learnt from, as the hands in HELD_OUT
_PRINTED_DECK = 0.3  # share of tables with our own cards
_ON_MAT = 0.5
# By level: how far cards lie off (mm and degrees), pixels per mm at least.
_OFF = {"clean": (0.8, 0.7), "table": (1.5, 1.6), "hard": (2.4, 2.6)}
_SCALE = {"clean": 1.5, "table": 1.2, "hard": 0.9}
_BESIDE = {"clean": 0.1, "table": 0.35, "hard": 0.6}  # share with a pile or cards beside the lanes
_ON_CARDS = {"clean": 0.0, "table": 0.12, "hard": 0.3}  # share with a token or a pen on the cards


@dataclass(frozen=True)
class PlacedCard:
    """A card on the table; ``place`` is its cell, or ``a-start`` and the like, or empty for one beside."""

    card: str  # a face, a company's letter, or a back
    place: str
    to_table: Matrix  # mm on the card to mm on the table
    copy: int
    top: bool = True  # no other card of its place lies on it
    turned: bool = False  # of a card that shows the same face either way up: it lies turned by half
    odd: Oddity | None = None


@dataclass(frozen=True)
class CardScene(Setting):
    """Everything about one picture."""

    cards: CardTable
    deck: Deck
    mat: int | None  # the lanes of the mat, if there is one
    to_table: Matrix  # mm from the top left corner of the railway area to the table, stations included
    placed: list[PlacedCard] = field(default_factory=list)
    slots: dict[str, Matrix] = field(default_factory=dict)  # where cards of the cells should lie
    level: str = ""


@dataclass(frozen=True)
class CardSpec:
    """What is asked of a scene beyond its level; ``None`` leaves it to the seed."""

    cards: CardTable | None = None
    lanes: int | None = None
    mat: bool | None = None
    without: Collection[str] = ()  # hands left out
    hand: str | None = None  # this hand only; ``printed`` for our own deck
    deck_seed: int | None = None  # the same deck from picture to picture
    scattered: bool = False
    odd: Oddity | None = None
    megapixels: float | None = None
    table_pixels: int = 512
    tilt: Range | None = None  # of the camera, in degrees, instead of the level's
    surface: str = ""  # what the cards or the mat lie on: one of lab.studio.tables.KINDS
    turned: bool = False  # the starts of a bare table lie on any side, not at the top or the left only
    copies: Mapping[str, int] = field(default_factory=dict)  # by place, which copy of its card lies there
    shuffled: bool = False  # elsewhere any copies lie, not the first ones


def make_card_scene(seed: int, name: str, level: Level, spec: CardSpec | None = None) -> CardScene:
    """The scene that belongs to a seed."""
    spec = spec or CardSpec()
    rng = np.random.default_rng([seed, 6])
    level = structs.replace(level, scale=_SCALE[name], tilt=spec.tilt or level.tilt)
    cards = spec.cards or _cards(rng, spec)
    deck = _deck(rng, spec)
    on_mat = bool(rng.random() < _ON_MAT) if spec.mat is None else spec.mat
    mat = int(rng.choice([n for n in MATS.values() if n >= cards.lanes])) if on_mat else None
    area = _Area(rng, level, name, cards, mat, spec.turned, _Copies(seed, spec))
    placed = area.cards() + area.odd_cards(spec.odd) + area.beside()
    patch = area.patch()
    subject = Subject([patch], 180.0, spec.megapixels, spec.table_pixels, spec.surface)
    setting = setting_for(rng, seed, level, subject, lambda: _things(rng, level, name, patch, spec.odd))
    return CardScene(
        **vars(setting),
        cards=cards,
        deck=deck,
        mat=mat,
        to_table=area.to_table,
        placed=placed,
        slots=area.slots(),
        level=name,
    )


def slot_card(scene: CardScene, cell: str) -> PlacedCard:
    """A card lying exactly in a cell, for measuring; it is not part of the scene."""
    return PlacedCard("", cell, scene.slots[cell], 0)


def _cards(rng: np.random.Generator, spec: CardSpec) -> CardTable:
    lanes = spec.lanes or one_of(rng, LANES)
    if spec.scattered:
        return scattered_table(rng, lanes)
    return played_table(rng, lanes, int(rng.integers(0, 7 * lanes)), tunnels=bool(rng.random() < 0.25))


def _deck(rng: np.random.Generator, spec: CardSpec) -> Deck:
    own = rng if spec.deck_seed is None else np.random.default_rng([spec.deck_seed, 8])
    if spec.hand is not None:
        return Deck(hand_of(own, PEOPLE[spec.hand]) if spec.hand in PEOPLE else None)
    return Deck(None if own.random() < _PRINTED_DECK else take_card_hand(own, spec.without))


# --- cards ---


class _Copies:
    """Takes every copy of a card from the deck once, in any order: copies drawn by hand differ."""

    def __init__(self, seed: int, spec: CardSpec) -> None:
        self.rng, self.spec = np.random.default_rng([seed, 21]), spec
        self._left: dict[str, list[int]] = {}

    def taken(self, card: str, place: str) -> tuple[int, bool]:
        """Take a copy of a card for a place: its number, and whether it is rotated by 180 degrees."""
        if card not in FACES:
            return 0, False  # both stations of a company are alike
        left = self._left.get(card_of(card))
        if not left:
            copies = list(range(max(DECK[card_of(card)], 1)))[::-1]
            left = self.rng.permutation(copies).tolist() if self.spec.shuffled else copies
            self._left[card_of(card)] = left
        return self.spec.copies.get(place, left.pop()), bool(self.rng.random() < 0.5)


class _Area:
    """Lays the cards of one table."""

    def __init__(
        self,
        rng: np.random.Generator,
        level: Level,
        name: str,
        cards: CardTable,
        mat: int | None,
        turned: bool,
        copies: _Copies,
    ) -> None:
        self.rng, self.level, self.name, self.table, self.mat = rng, level, name, cards, mat
        self.turned, self.copies = turned, copies
        gap = np.array([between(rng, (0.2, 4.0)), between(rng, (0.2, 4.0))])
        self.pitch = as_points([PRINTED.mat.cell])[0] if mat else CARD + gap
        self.size = mat_size(mat) if mat else tuple((self.pitch * [cards.lanes, ROWS + 2]).tolist())
        # A mat serves fewer lanes, too: any of its lanes that lie side by side.
        self.first = int(rng.integers(0, mat - cards.lanes + 1)) if mat else 0
        self.to_table = rotation(self._turn()) @ shift(-np.asarray(self.size) / 2)

    def _turn(self) -> float:
        """A mat may lie anyhow; without one the starts are at the top or at the left, if not wished so."""
        off = float(np.clip(self.rng.normal(0, self.level.turn / 2.5), -self.level.turn, self.level.turn))
        if self.mat or self.turned:
            turn = float(self.rng.choice([0, 0, 90, 180, 270]))
            return turn + (off if self.mat else float(np.clip(off, -30, 30)))
        return float(self.rng.choice([0, 0, -90])) + float(np.clip(off, -30, 30))

    def patch(self) -> Patch:
        """The rectangle that the camera must see."""
        return Patch(self.to_table, (float(self.size[0]), float(self.size[1])))

    def corner(self, lane: int, row: int) -> Points:
        """The top left corner of a place; row 0 is the starting column."""
        if self.mat:
            return np.asarray(card_corner(lane + self.first, row))
        corner: Points = (self.pitch - CARD) / 2 + self.pitch * [lane, row]
        return corner

    def cards(self) -> list[PlacedCard]:
        """Lay stations and rail cards; in a stack the lower ones first."""
        placed = []
        names = grid_of(self.table.lanes).names
        for lane in range(self.table.lanes):
            for row, end, letters in (
                (0, START, self.table.starts),
                (ROWS + 1, DESTINATION, self.table.destinations),
            ):
                placed.append(self._laid(letters[lane], f"{lane_name(lane)}-{end}", self.corner(lane, row)))
        order = self.rng.permutation(len(self.table.stacks))
        stacks = list(self.table.stacks.items())
        for place in order:
            cell, stack = stacks[place]
            lane, row = names.index(cell) % self.table.lanes, names.index(cell) // self.table.lanes + 1
            for n, face in enumerate(stack):
                placed.append(self._laid(face, cell, self.corner(lane, row), top=n == len(stack) - 1))
        return placed

    def _laid(self, card: str, place: str, corner: Points, top: bool = True) -> PlacedCard:
        far, turn = _OFF[self.name]
        off = np.clip(self.rng.normal(0, far, 2), -3 * far, 3 * far)
        matrix = self._at(corner + off, float(np.clip(self.rng.normal(0, turn), -8, 8)))
        copy, turned = self.copies.taken(card, place)
        return PlacedCard(card, place, matrix, copy, top, turned=turned)

    def _at(self, corner: Points, turn: float) -> Matrix:
        return self.to_table @ shift(corner + CARD / 2) @ rotation(turn) @ shift(-CARD / 2)

    def slots(self) -> dict[str, Matrix]:
        """Where cards of the cells should lie, and on a mat also those of the lanes that are not in use."""
        names = grid_of(self.table.lanes).names
        places = {name: (n % self.table.lanes, n // self.table.lanes + 1) for n, name in enumerate(names)}
        for lane in range(-self.first, (self.mat or 0) - self.first):
            if not 0 <= lane < self.table.lanes:  # a lane of the mat that nobody needs
                places |= {f"unused {lane} {row}": (lane, row) for row in range(ROWS + 2)}
        return {name: self._at(self.corner(*place), 0.0) for name, place in places.items()}

    def odd_cards(self, odd: Oddity | None) -> list[PlacedCard]:
        """One card that does not lie as it should."""
        if odd is None or odd == "foreign":
            return []
        face = one_of(self.rng, sorted(FACES))
        lane, row = int(self.rng.integers(self.table.lanes)), int(self.rng.integers(1, ROWS + 1))
        cell = f"{lane_name(lane)}{row}"
        corner, turn = self.corner(lane, row), float(self.rng.normal(0, 2))
        match odd:
            case "askew":
                turn = float(self.rng.choice([-1, 1]) * self.rng.uniform(33, 57))
            case "crosswise":
                turn += 90.0
            case "between":
                corner = corner + CARD * [0, 0.5]
            case "outside":
                corner, cell = self._outside(), ""
            case "back":
                face = BACK
        return [PlacedCard(face, cell, self._at(corner, turn), 0, odd=odd)]

    def _outside(self) -> Points:
        side = -1.25 if self.rng.random() < 0.5 else self.table.lanes + 0.25
        corner: Points = self.corner(0, 1) + self.pitch * [side, float(self.rng.uniform(0, ROWS - 1))]
        return corner

    def beside(self) -> list[PlacedCard]:
        """Lay cards beside the lanes: the deck, discards, a hand; face down or open."""
        if self.rng.random() >= _BESIDE[self.name]:
            return []
        placed = []
        for _ in range(int(self.rng.integers(1, 4))):
            card = one_of(self.rng, (BACK, BACK, STATION_BACK, *sorted(FACES)[:6]))
            far = self.size[0] * self.rng.uniform(0.0, 0.35) + 55
            side = -far if self.rng.random() < 0.5 else self.size[0] + far - CARD[0] / 2
            corner = np.array([side - CARD[0] / 2, self.rng.uniform(0, self.size[1] - CARD[1])])
            placed.append(PlacedCard(card, "", self._at(corner, float(self.rng.normal(0, 30))), 0))
        return placed


# --- what lies about ---


def _things(
    rng: np.random.Generator, level: Level, name: str, patch: Patch, odd: Oddity | None
) -> list[Thing]:
    outline = patch.outline
    middle = outline.mean(axis=0)
    things = [
        small_thing(rng, _around(rng, outline), over=False)
        for _ in range(int(rng.integers(level.clutter[0], level.clutter[1] + 1)))
    ]
    if rng.random() < level.pens_near:
        things.append(pen(rng, _around(rng, outline)))
    if odd == "foreign" or rng.random() < _ON_CARDS[name]:
        things += [_on_top(rng, _within(rng, patch)) for _ in range(int(rng.integers(1, 3)))]
    if rng.random() < 2 * level.hands:
        tip = _within(rng, patch)
        away = tip - middle
        away = away / max(float(np.hypot(*away)), 1e-6)
        things.append(hand_over(rng, tip, tip + away * 400))
    return things


def _around(rng: np.random.Generator, outline: Points) -> Points:
    """A place around the area."""
    middle, share = outline.mean(axis=0), float(rng.uniform(0, 1))
    side = int(rng.integers(4))
    rim = outline[side] * (1 - share) + outline[(side + 1) % 4] * share
    place: Points = middle + (rim - middle) * rng.uniform(1.15, 1.6)
    return place


def _within(rng: np.random.Generator, patch: Patch) -> Points:
    place: Points = transformed(patch.to_table, rng.uniform((0, 0), patch.size)[None])[0]
    return place


def _on_top(rng: np.random.Generator, at: Points) -> Thing:
    """A token, a coin or a die on the cards."""
    while True:
        thing = small_thing(rng, at, over=True)
        if np.ptp(thing.surfaces[0].outline, axis=0).max() < 32:
            return thing
