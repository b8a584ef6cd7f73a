"""The tokens to be cut out, and the rules in short: one page together."""

from __future__ import annotations

from importlib.resources import files

import msgspec

from companion.core.messages import joined, m, table_text
from companion.games.derailed.printing.card_art import readable
from companion.games.derailed.printing.printed import PRINTED
from companion.games.derailed.rules.rulebook import ARRIVALS_TO_END, COMPANIES, HAND, POINTS, ROUNDS, Company
from companion.sheets.drawing import (
    Circle,
    Drawing,
    Line,
    Paragraph,
    Point,
    Polygon,
    Prose,
    RoundedRect,
    Shape,
    Text,
    filled,
    stroked,
)

_INK, _TOKEN = PRINTED.ink, PRINTED.token
_TOP = 36.0  # mm from the edge of the page to the rules


class _Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    heading: str
    text: str


class _Rules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    section: tuple[_Section, ...]


def rules_in_short() -> list[tuple[str, str]]:
    """Each heading with its text, the numbers filled in."""
    file = files(__package__).joinpath("rules_in_short.toml").read_bytes()
    sections = msgspec.toml.decode(file, type=_Rules).section
    return [(table_text(one.heading), table_text(one.text, **_numbers())) for one in sections]


def _numbers() -> dict[str, object]:
    return {
        "hand": HAND,
        "rounds": ROUNDS,
        "arrival": POINTS.arrival,
        "first": POINTS.first,
        "turn": POINTS.turn,
        "ends": joined(
            ", ",
            [
                m("{count} of {players}", count=count, players=players)
                for players, count in ARRIVALS_TO_END.items()
            ],
        ),
    }


def extras_page(size: Point) -> Drawing:
    """A page with the rules in short and the tokens under them."""
    tokens = size[1] - 12 - 2 * _TOKEN.step
    paragraphs = [
        paragraph
        for heading, text in rules_in_short()
        for paragraph in (
            Paragraph(heading, 4.4, _INK.back, bold=True, gap=3.0),
            Paragraph(text, 3.45, _INK.dark, gap=0.6),
        )
    ]
    rules = Prose((18, _TOP - 4), (size[0] - 36, tokens - _TOP), tuple(paragraphs))
    paper = RoundedRect((0, 0), size, 0, filled(_INK.paper))
    return Drawing(size, (paper, *_title(size), rules, *_tokens(size, tokens)))


def _title(size: Point) -> list[Shape]:
    middle = size[0] / 2
    return [
        Text((middle, 20), "Derailed!", 10.0, _INK.back, bold=True),
        Text((middle, 26.5), m("the rules in short, and the tokens"), 3.8, _INK.middle, room=size[0] - 36),
        Line(((18, 29.5), (size[0] - 18, 29.5)), stroked(_INK.pale, 0.4)),
    ]


def _tokens(size: Point, top: float) -> list[Shape]:
    """Two rows of four; the dashed circle is the cut."""
    columns = 4
    left = size[0] / 2 - (columns - 1) * _TOKEN.step / 2
    shapes: list[Shape] = []
    for n, company in enumerate(COMPANIES.values()):
        at = (left + n % columns * _TOKEN.step, top + _TOKEN.diameter / 2 + n // columns * _TOKEN.step)
        shapes += token_shapes(company, at)
        shapes.append(Circle(at, _TOKEN.diameter / 2, stroked(_INK.middle, 0.25, (1.2, 1.2))))
    return shapes


def token_shapes(company: Company, at: Point) -> list[Shape]:
    """The shapes of a company's token, centred at a point in mm."""
    (x, y), radius = at, _TOKEN.diameter / 2
    rim = stroked(_INK.dark, 0.35)
    sides = (((x + s * 8.6, y - 1), (x + s * 7.8, y - 10.2), (x + s * 2.0, y - 7.6)) for s in (-1, 1))
    ears = [Polygon(points, style) for points in sides for style in (filled(_INK.paper), rim)]
    return [
        Circle(at, radius, filled(company.ink)),
        *ears,
        Circle(at, 8.6, filled(_INK.paper)),
        Circle(at, 8.6, rim),
        RoundedRect((x - 7.6, y - 6.2), (15.2, 6.0), 2.4, filled(_INK.paper)),
        Text((x, y + 3.9), company.letter, 10.8, readable(company), bold=True),
    ]
