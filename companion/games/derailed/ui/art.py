"""Derailed! as SVG, one unit a millimetre: the cards as they are printed, in the page's own colours.

Every card is one ``<symbol>``, which the lanes and hands place and turn with ``<use>``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache, lru_cache

from companion.core.jsontext import JsonObject
from companion.core.messages import joined, m, nm
from companion.games.derailed.printing.card_art import head_shapes
from companion.games.derailed.printing.extras_art import token_shapes
from companion.games.derailed.printing.printed import PRINTED
from companion.games.derailed.printing.trackwork import face_track
from companion.games.derailed.rules.cards import DECK, TUNNELS, card_of, face_words, faces_of, parse_face
from companion.games.derailed.rules.network import grid_of
from companion.games.derailed.rules.rulebook import COMPANIES, ROWS
from companion.games.derailed.ui.tracks import tracks
from companion.sheets.drawing import Line, Polygon, Shape, filled, recoloured, simplified
from companion.sheets.printing.svg import svg_shapes
from companion.sheets.seat_marks import seat_shape
from companion.table.seats import Player
from web.ui.speaking import Markup
from web.ui.words import place_words

CARDS = (*DECK, *TUNNELS)
WIDTH, HEIGHT = PRINTED.card.size
_LANE, _ROW = PRINTED.mat.cell
_STATION = 38.0  # stations are lower here than their printed cards: a phone has no room to spare
_LEFT, _TOP = 13.0, 14.0  # room for the names of rows and lanes
_NEAR = 0.1  # mm; finer than a pixel on any screen

_INK = PRINTED.ink
_PAGE_COLOURS = {
    _INK.line: "var(--dr-line)",
    _INK.ballast: "var(--dr-ballast)",
    _INK.tie: "var(--dr-tie)",
    _INK.middle: "var(--dr-tie)",
    _INK.ground: "var(--dr-ground)",
}
_PAPER = Markup('<rect class="dr-paper" x=".5" y=".5" width="{}" height="{}" rx="{}"/>').format(
    int(WIDTH) - 1, int(HEIGHT) - 1, int(PRINTED.card.radius)
)


# --- symbols ---


@cache
def sprite() -> Markup:
    """All cards, and every company's head and token, to stand once on a page."""
    symbols = [_card_symbol(number, card) for number, card in enumerate(CARDS)]
    for letter, company in COMPANIES.items():
        symbols.append(
            _symbol(f"dr-head-{letter}", Markup(""), Markup(svg_shapes(head_shapes(company, (0, 0)))))
        )
        symbols.append(
            _symbol(f"dr-token-{letter}", Markup(""), Markup(svg_shapes(token_shapes(company, (0, 0)))))
        )
    return Markup('<svg class="sprite" aria-hidden="true">{}</svg>').format(Markup("").join(symbols))


def _symbol(name: str, named: Markup, inside: Markup) -> Markup:
    return Markup('<symbol id="{}" overflow="visible"{}>{}</symbol>').format(name, named, inside)


def _card_symbol(number: int, card: str) -> Markup:
    shapes = recoloured(face_track(parse_face(card), _INK.ground), _PAGE_COLOURS)
    named = Markup(' data-mark="{}" data-turned="{}"').format(card, faces_of(card)[-1])
    return _symbol(f"dr-{number}", named, _PAPER + Markup(svg_shapes(map(_for_screens, shapes))))


def _for_screens(shape: Shape) -> Shape:
    """Simplify a shape to the precision of a screen."""
    if not isinstance(shape, Line | Polygon):
        return shape
    points = simplified(shape.points, _NEAR)
    return replace(shape, points=tuple((round(x, 1), round(y, 1)) for x, y in points))


@lru_cache(maxsize=256)
def face_use(face: str) -> Markup:
    """A card as it lies.

    >>> str(face_use("RB|lt"))
    '<use href="#dr-15" transform="rotate(180 31.5 44)"/>'
    """
    card = card_of(face)
    turn = "" if face == card else Markup(' transform="rotate(180 31.5 44)"')
    return Markup('<use href="#dr-{}"{}/>').format(CARDS.index(card), turn)


def card_picture(face: str) -> Markup:
    """A card alone; it only decorates something that is named otherwise."""
    return Markup('<svg class="rail-card" viewBox="0 0 63 88" aria-hidden="true">{}</svg>').format(
        face_use(face)
    )


def token(letter: str) -> Markup:
    """A company's token; it only decorates its name."""
    return Markup(
        '<svg class="token" viewBox="-14 -14 28 28" aria-hidden="true"><use href="#dr-token-{}"/></svg>'
    ).format(letter)


def swatch(letter: str) -> Markup:
    """How a company's track is drawn: its colour and its pattern."""
    return Markup(
        '<svg class="swatch" viewBox="0 0 48 12" aria-hidden="true"><path class="casing" d="M3 6H45"/>'
        '<path class="strand pattern-{}" stroke="{}" d="M3 6H45"/></svg>'
    ).format(letter, COMPANIES[letter].ink)


# --- the lanes ---


def board(view: JsonObject, players: Mapping[int, Player]) -> Markup:
    """The railway area between the two columns of stations."""
    lanes = len(view["lanes"])
    parts = [
        *_names(lanes),
        *_cells(view, lanes),
        *_stations(view, players),
        Markup('<g class="tracks">{}</g>').format(tracks(view, (_LANE, _ROW))),
    ]
    size = lanes * _LANE + _LEFT + 1, ROWS * _ROW + 2 * _STATION + _TOP + 2
    box = f"{-_LEFT:g} {-_STATION - _TOP:g} {size[0]:g} {size[1]:g}"
    label = m(
        "The lanes: {cards} of {places} places have cards; described below",
        cards=len(view["grid"]),
        places=lanes * ROWS,
    )
    return Markup(
        '<svg class="board lanes lanes-{}" viewBox="{}" role="img" aria-label="{}">{}</svg>'
    ).format(lanes, box, label, Markup("").join(parts))


def _names(lanes: int) -> list[Markup]:
    """Lane letters and row numbers."""
    text = Markup('<text class="at" x="{:g}" y="{:g}">{}</text>')
    across = [text.format((n + 0.5) * _LANE, -_STATION - 0.45 * _TOP, chr(97 + n)) for n in range(lanes)]
    return across + [text.format(-0.5 * _LEFT, (n + 0.5) * _ROW, n + 1) for n in range(ROWS)]


def _cells(view: JsonObject, lanes: int) -> Iterable[Markup]:
    for number, name in enumerate(grid_of(lanes).names):
        row, lane = divmod(number, lanes)
        at = f"{lane * _LANE + 0.5:g} {row * _ROW + 0.5:g}"
        yield _cell(name, at, view["grid"].get(name), view["stacks"].get(name, 0), view["last"] == name)


_PLACE = Markup('<rect class="{}" width="63" height="88" rx="5"/>')


def _cell(name: str, at: str, face: str | None, stack: int, last: bool) -> Markup:
    """One place for a card; the frame lies on top, to be lit."""
    card = _PLACE.format("place") if face is None else face_use(face)
    if stack > 1:
        card += Markup(
            '<g class="stack upright"><circle cx="9" cy="9" r="7"/><text x="9" y="9">{}</text></g>'
        ).format(stack)
    return Markup('<g class="{}" transform="translate({})" data-cell="{}"><title>{}</title>{}{}</g>').format(
        "spot last" if last else "spot", at, name, cell_words(name, face, stack), card, _PLACE.format("frame")
    )


def cell_words(name: str, face: str | None, stack: int = 1) -> str:
    """What lies in a place.

    >>> cell_words("a1", "TB", 2), cell_words("b2", None)
    ('a1: straight along the lane, on top of 1 card', 'b2: empty')
    """
    if face is None:
        return m("{name}: empty", name=name)
    under = [nm("on top of {n} card", "on top of {n} cards", stack - 1)] if stack > 1 else []
    return joined(": ", [name, joined(", ", [face_words(face), *under])])


# --- stations ---


def _stations(view: JsonObject, players: Mapping[int, Player]) -> Iterable[Markup]:
    seats = {company["letter"]: int(seat) for seat, company in view["companies"].items()}
    arrived = {arrival["seat"]: place for place, arrival in enumerate(view["arrived"], start=1)}
    for number, lane in enumerate(view["lanes"]):
        x, seat = number * _LANE + 0.5, seats[lane["start"]]
        turn = view["mode"] == "umpire" and view["turn"] == seat
        yield _station(lane["start"], (x, -_STATION), players[seat], "start", turn=turn)
        seat = seats[lane["destination"]]
        place = arrived.get(seat, 0)
        at = (x, ROWS * _ROW + 1)
        yield _station(lane["destination"], at, players[seat], "destination", place=place)


def _station(
    letter: str, at: tuple[float, float], player: Player, kind: str, *, turn: bool = False, place: int = 0
) -> Markup:
    """A company's sign with its player's mark; the company on turn, or at its destination, stands out."""
    whose = {"company": COMPANIES[letter].name, "name": player.name}
    start = kind == "start"
    words = (
        m("start of {company}, {name}", **whose) if start else m("destination of {company}, {name}", **whose)
    )
    if turn or place:
        standing = m("on turn") if turn else m("arrived as number {place}", place=place)
        words = joined("; ", [words, standing])
    return _STATION_FORM.format(
        " turn" if turn else " reached" if place else "",
        *at,
        words,
        COMPANIES[letter].ink,
        letter,
        player.colour,
        _mark(player.shape),
        _TURN if turn else _reached(letter, place) if place else "",
    )


_STATION_FORM = Markup(
    '<g class="station{}" transform="translate({:g} {:g})"><title>{}</title>'
    '<rect class="sign" width="63" height="37" rx="5" fill="{}"/>'
    '<g class="upright"><use href="#dr-head-{}" transform="translate(31.5 20.5) scale(.62)"/></g>'
    '<g class="upright colour-{}">{}</g>{}</g>'
)
_TURN = Markup('<path class="arrow" d="M5 12h12v8h5l-11 12-11-12h5z"/>')


def _mark(shape: str) -> Markup:
    """A seat's shape on a disc of paper."""
    drawn = svg_shapes([seat_shape(shape, (52, 18.5), 6.4, filled("currentColor"))])
    return Markup('<g class="mark"><circle class="disc" cx="52" cy="18.5" r="9"/>{}</g>').format(
        Markup(drawn)
    )


def _reached(letter: str, place: int) -> Markup:
    """The token at its destination, with the order of arrival."""
    return Markup(
        '<g class="upright"><use href="#dr-token-{}" transform="translate(11 14) scale(.72)"/>'
        '<text class="order" x="11" y="31.5">{}</text></g>'
    ).format(letter, place_words(place, shared=False))
