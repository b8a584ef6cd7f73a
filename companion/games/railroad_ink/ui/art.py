"""Railroad Ink as SVG. Everything is drawn in a space of 100 units a cell; colours come from the style sheet.

Each kind of route is one ``<symbol>``; a board places, turns and mirrors it with ``<use>``. A highway is a
wide line (its kerbs) under a narrower one (its surface) under dashes; a railway is a line with ties; a
station is a square.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache

from companion.core.jsontext import JsonObject
from companion.core.messages import joined, m
from companion.core.remembering import remembered
from companion.games.railroad_ink.printing.art import building_shapes
from companion.games.railroad_ink.printing.linework import Bend, Path, spines
from companion.games.railroad_ink.rules.blueprints import blueprint_walls
from companion.games.railroad_ink.rules.boards.layouts import Exit, Layout
from companion.games.railroad_ink.rules.boards.routes import (
    EVERY_SHAPE,
    EXTRA_ROUTES,
    RAILWAY,
    VOCABULARY,
    Route,
    any_route,
    shape_of,
    turned,
)
from companion.games.railroad_ink.rules.boards.walls import Walls, parse_walls
from companion.games.railroad_ink.rules.boards.words import route_words
from companion.games.railroad_ink.rules.expansions.tables import known_expansion
from companion.games.railroad_ink.rules.rulebook import (
    COLUMN,
    NAMES,
    ROW,
    SPECIAL_SHAPES,
    SPECIALS_A_MATCH,
    UNIVERSITY_CIRCLES,
    USUAL,
    Edition,
    edition_with,
)
from companion.sheets.grid import STEPS, SYMMETRIES, Symmetry
from companion.sheets.printing.svg import svg_shapes
from web.ui.parts import Box
from web.ui.speaking import Markup, cached_by_language

_CELL = 100
_STATION = 32
_STUB = 30  # length of an exit, outside the board
_RIM = 62  # left of and above the cells, for letters and numbers; on the other sides there is less
_NOTHING = Markup("")


def view_box(layout: Layout = USUAL) -> Box:
    """The space of a board's drawing, rim included."""
    return (-_RIM, -_RIM, layout.side * _CELL + 96, layout.side * _CELL + 96)


# --- symbols ---


@cache
def sprite() -> Markup:
    """The symbols of all routes, exits and buildings, to stand once on a page."""
    symbols = [
        _symbol(f"route-{number}", _route_lines(any_route(shape))) for number, shape in enumerate(EVERY_SHAPE)
    ]
    symbols += [_symbol(f"exit-{kind}", lines) for kind, lines in enumerate(_EXIT_LINES)]
    symbols += [_symbol(name, _building(name)) for name in ("factory", "village", "university")]
    return Markup('<svg class="sprite" aria-hidden="true">{}</svg>').format(Markup("").join(symbols))


def _symbol(name: str, inside: Markup) -> Markup:
    return Markup('<symbol id="{}" overflow="visible">{}</symbol>').format(name, inside)


def _route_lines(route: Route) -> Markup:
    """Railways first: where an overpass crosses one, the highway's surface lies on top."""
    found = [spine for piece in route.pieces for spine in spines(piece, Bend(1.0))]
    rails = [_path(spine.points) for spine in found if spine.kind == RAILWAY]
    roads = [_path(spine.points) for spine in found if spine.kind != RAILWAY]
    lines = [*_lines(rails, "rail", "ties")]
    if rails and roads and not route.station:
        lines += _lines(roads, "bridge")
    lines += _lines(roads, "kerb", "road", "dash")
    if route.station:
        lines.append(_centred_square(_STATION, "station"))
    return Markup("").join(lines)


def _lines(paths: list[str], *classes: str) -> list[Markup]:
    together = "".join(paths)
    return [Markup('<path class="{}" d="{}"/>').format(name, together) for name in classes if together]


def _path(points: Path) -> str:
    """
    >>> _path(((0.5, 0.0), (0.5, 1.0)))
    'M50 0L50 100'
    """
    return "M" + "L".join(f"{_units(x)} {_units(y)}" for x, y in points)


def _units(value: float) -> str:
    return f"{value * _CELL:.1f}".removesuffix(".0")


def _centred_square(size: int, name: str) -> Markup:
    low = (_CELL - size) // 2
    return Markup('<rect class="{}" x="{}" y="{}" width="{}" height="{}" rx="3"/>').format(
        name, low, low, size, size
    )


_EXIT = f"M50 -{_STUB}V0"
_EXIT_LINES = tuple(
    Markup("").join(_lines([_EXIT], *classes)) for classes in (("kerb", "road", "dash"), ("rail", "ties"))
)


def _building(name: str) -> Markup:
    return Markup(svg_shapes(building_shapes(name, (0, 0), _CELL, "currentColor", "var(--cell)")))


@remembered(1024)
def route_use(text: str) -> Markup:
    """A route, drawn by its symbol turned the right way.

    >>> str(route_use("EW"))
    '<use href="#route-0" transform="rotate(90 50 50)"/>'
    """
    route = any_route(text)
    shape = shape_of(route)
    way = next(one for one in SYMMETRIES if turned(any_route(shape), one) == route)
    return Markup('<use href="#route-{}"{}/>').format(EVERY_SHAPE.index(shape), _transform(way))


@cached_by_language(1)
def turnings_sprite() -> Markup:
    """Every route as a symbol of its own, named by its text: what a script places on a board."""
    symbols = [
        Markup(
            '<symbol id="turn-{}" overflow="visible" data-mark="{}" data-shape="{}" data-words="{}">'
            "{}</symbol>"
        ).format(route.number, route.text, shape_of(route), route_words(route), route_use(route.text))
        for route in VOCABULARY
    ]
    return Markup('<svg class="sprite" aria-hidden="true">{}</svg>').format(Markup("").join(symbols))


def own_symbols(texts: Iterable[str]) -> Markup:
    """A sprite of those of these routes that only expansions draw."""
    symbols = [
        Markup('<symbol id="turn-{}" overflow="visible" data-mark="{}" data-words="{}">{}</symbol>').format(
            EXTRA_ROUTES[text].number, text, route_words(text), route_use(text)
        )
        for text in sorted({*texts} & EXTRA_ROUTES.keys())
    ]
    return Markup('<svg class="sprite" aria-hidden="true">{}</svg>').format(Markup("").join(symbols))


def _transform(way: Symmetry) -> Markup:
    """The mirror comes first, so it stands last."""
    turn = f"rotate({90 * way.quarters} 50 50)" if way.quarters else ""
    mirror = "matrix(-1 0 0 1 100 0)" if way.mirrored else ""
    both = f"{turn} {mirror}".strip()
    return Markup(' transform="{}"').format(both) if both else Markup("")


# --- dice and special routes ---


def face(text: str, words: str) -> Markup:
    """A die's face; without words it only decorates something that is named otherwise."""
    told = Markup('role="img" aria-label="{}"').format(words) if words else Markup('aria-hidden="true"')
    return Markup('<svg class="die" viewBox="0 0 100 100" {}>{}</svg>').format(told, route_use(text))


def route_picture(text: str) -> Markup:
    """A route by its name, turned as it lies."""
    return Markup('<svg class="die" viewBox="0 0 100 100" aria-hidden="true">{}</svg>').format(
        route_use(text)
    )


def special_routes(used: Iterable[str], words: dict[str, str]) -> Markup:
    """The row of special routes; the used ones are crossed out."""
    crossed = set(used)
    return Markup('<ul class="specials" aria-label="{}">{}</ul>').format(
        m("Special routes"),
        Markup("").join(_special(shape, shape in crossed, words[shape]) for shape in SPECIAL_SHAPES),
    )


def _special(shape: str, used: bool, words: str) -> Markup:
    cross = Markup('<path class="cross" d="M8 8L92 92M92 8L8 92"/>') if used else Markup("")
    label = m("{words}, used", words=words) if used else m("{words}, free", words=words)
    return Markup(
        '<li class="{}"><svg viewBox="0 0 100 100" role="img" aria-label="{}">{}{}</svg></li>'
    ).format("used" if used else "free", label, route_use(shape), cross)


def stock(view: JsonObject, seat: int, copies: int | None = None) -> Markup:
    """What a seat has left and has won, each with its sign on the board: the legend, too.

    ``copies`` is how many dice may still be drawn twice.
    """
    told, edition = view["boards"][str(seat)], edition_of(view)
    items = []
    if not edition.copies:
        left = max(0, SPECIALS_A_MATCH - len(told["specials"]))
        items.append(_stock_item("special", m("Special routes"), m("{left} remaining", left=left)))
    if copies is not None:
        items.append(_stock_item("copies", m("Dice drawn twice"), m("{left} remaining", left=copies)))
    if edition.university:
        marked = m("{marked} of {all}", marked=len(told["universities"]), all=UNIVERSITY_CIRCLES)
        items.append(_stock_item("university", m("Universities"), marked))
    if edition.village:
        marked = m("{marked} of {all}", marked=len(told["villages"]), all=len(edition.village))
        items.append(_stock_item("village", m("Villages"), marked))
    if edition.factory:
        used = sum(NAMES[cell] in told["cells"] for cell in edition.factory)
        copies_now = told["duplicates"] and not view["finished"]
        so_far = m("{used} of {all} used", used=used, all=len(edition.factory))
        now = m("copies a die now") if copies_now else so_far
        items.append(_stock_item("factory", m("Factories"), now))
    return Markup('<ul class="stock" aria-label="{}">{}</ul>').format(
        m("What is left"), Markup("").join(items)
    )


def _stock_item(sign: str, name: str, count: str) -> Markup:
    pictures = {"special": "NESW", "copies": "NS|ew"}
    picture = route_use(pictures[sign]) if sign in pictures else Markup('<use href="#{}"/>').format(sign)
    return Markup(
        '<li class="of-{}"><svg viewBox="0 0 100 100" aria-hidden="true">{}</svg>'
        "<span>{}</span> <b>{}</b></li>"
    ).format(sign, picture, name, count)


# --- the board ---


def board(view: JsonObject, seat: int, label: str, above: Markup = _NOTHING, kind: str = "") -> Markup:
    """A seat's board: paper, buildings, walls, exits, and what is drawn with the number of its round.

    ``above`` lies over all of it: the marks of an expansion. ``kind`` is a class of its own.
    """
    drawn = view["boards"][str(seat)]
    edition = edition_of(view)
    layout = edition.layout
    rounds = drawn["rounds"]
    inked = {name: _cell(name, text, rounds.get(name, 0), edition) for name, text in drawn["cells"].items()}
    frame = _frame(walls_of(view), layout)
    parts = (_surroundings(layout), *{**_empty_cells(edition), **inked}.values(), frame, above)
    return Markup('<svg class="board {}" viewBox="{} {} {} {}" role="img" aria-label="{}">{}</svg>').format(
        f"{layout.size} {kind}".strip(), *view_box(layout), label, Markup("").join(parts)
    )


def edition_of(view: JsonObject) -> Edition:
    """The edition and the board of a match, or of a position that is entered."""
    options = view["options"]
    name = options.get("expansion", "")
    known = name if known_expansion(name) else ""
    return edition_with(options["edition"], known, options.get("size", "usual"))


def cell_boxes(layout: Layout = USUAL) -> dict[str, Box]:
    """The rectangle of each cell in the board's drawing."""
    return {NAMES[cell]: (*_corner(cell), _CELL, _CELL) for cell in layout.cells}


def walls_of(view: JsonObject) -> Walls:
    """The walls on everybody's board."""
    return _walls(view["options"]["blueprint"], edition_of(view).layout)


def _walls(blueprint: str | list[str], layout: Layout) -> Walls:
    named = isinstance(blueprint, str)
    return blueprint_walls(str(blueprint), layout) if named else parse_walls(blueprint, layout)


@lru_cache(maxsize=8)
def _surroundings(layout: Layout) -> Markup:
    """The exits, letters and numbers around the grid."""
    return Markup("").join([*(_exit(exit) for exit in layout.exits), *_letters(layout)])


@lru_cache(maxsize=64)
def _empty_cells(edition: Edition) -> dict[str, Markup]:
    return {NAMES[cell]: _empty_cell(cell, edition) for cell in edition.layout.cells}


def _empty_cell(cell: int, edition: Edition) -> Markup:
    classes = "cell centre" if cell in edition.centre else "cell"
    building = edition.building(cell)
    inside = Markup('<use class="building" href="#{}" transform="translate(27 27) scale(.46)"/>').format(
        building
    )
    return Markup(
        '<g transform="translate({} {})" data-cell="{}"><rect class="{}" width="100" height="100"/>{}</g>'
    ).format(*_corner(cell), NAMES[cell], classes, inside if building else "")


def _corner(cell: int) -> tuple[int, int]:
    return COLUMN[cell] * _CELL, ROW[cell] * _CELL


def _exit(exit: Exit) -> Markup:
    """A stub that points outwards; drawn for the top and turned."""
    return Markup('<use href="#exit-{}" transform="translate({} {}) rotate({} 50 50)"/>').format(
        exit.type, *_corner(exit.cell), 90 * exit.direction
    )


def _letters(layout: Layout) -> list[Markup]:
    """Column letters and row numbers, outside the exits."""
    text = Markup('<text class="at" x="{}" y="{}">{}</text>')
    columns = [text.format(100 * n + 50, -46, chr(97 + n)) for n in range(layout.side)]
    return columns + [text.format(-48, 100 * n + 50, n + 1) for n in range(layout.side)]


@cached_by_language(4096)
def _cell(name: str, route: str, round_number: int, edition: Edition) -> Markup:
    """A drawn cell; the same ones come again with every version of a board."""
    cell = edition.layout.cell(name)
    building = edition.building(cell)
    return _DRAWN.format(
        round_number,
        *_corner(cell),
        name,
        _cell_words(name, route, round_number),
        _SMALL_BUILDING.format(building) if building else "",
        route_use(route),
        _ROUND.format(round_number) if round_number else "",
    )


def _cell_words(name: str, route: str, number: int) -> str:
    if not number:
        return joined(": ", [name, route_words(route)])
    return m("{cell}: {route}, round {number}", cell=name, route=route_words(route), number=number)


_DRAWN = Markup(
    '<g class="drawn round-{}" transform="translate({} {})" data-cell="{}"><title>{}</title>'
    '<rect class="cell" width="100" height="100"/>{}{}{}</g>'
)
_SMALL_BUILDING = Markup('<use class="building small" href="#{}" transform="translate(4 70) scale(.26)"/>')
_ROUND = Markup('<text class="round" x="94" y="17">{}</text>')


@lru_cache(maxsize=64)
def _frame(walls: Walls, layout: Layout) -> Markup:
    """The border, the middle nine cells, and walls, on top of everything."""
    low, side = (layout.side // 2 - 1) * _CELL, layout.side * _CELL
    lines = [
        Markup('<rect class="middle" x="{}" y="{}" width="300" height="300"/>').format(low, low),
        Markup('<rect class="border" width="{}" height="{}"/>').format(side, side),
    ]
    return Markup("").join([*lines, *(_wall(cell, direction) for cell, direction in sorted(walls))])


def _wall(cell: int, direction: int) -> Markup:
    x, y = (corner + 50 + 50 * step for corner, step in zip(_corner(cell), STEPS[direction], strict=True))
    along = (0, 50) if STEPS[direction][0] else (50, 0)
    return Markup('<path class="wall" d="M{} {}L{} {}"/>').format(
        x - along[0], y - along[1], x + along[0], y + along[1]
    )
