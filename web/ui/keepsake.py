"""A finished match as one picture to keep and to send: everybody's boards, places, the day, where it was."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.sheets.drawing import Drawing, Point, RoundedRect, Shape, Text, filled, moved, scaled
from companion.sheets.printing.fonts import width_of
from companion.sheets.printing.wording import worded
from companion.sheets.seat_marks import ink_of, seat_shape
from companion.table.match import Match
from companion.table.seats import Player
from companion.table.standings import seen_match, standings
from web.ui.parts import Presenter
from web.ui.speaking import spoken
from web.ui.words import place_words

PIXELS = 1500  # across
_WIDTH, _MARGIN, _GAP = 200.0, 10.0, 6.0  # mm
_GROUND, _PANEL, _TEXT, _SOFT = "#f3efe6", "#fffdf8", "#1e2a30", "#56646b"
_TALLEST = 1.25  # of a board, as a share of its width on the picture


@dataclass(frozen=True)
class Keepsake:
    """What stands on the picture besides the boards, in the reader's language."""

    title: str
    day: str
    place: str
    outcome: str


def keepsake(match: Match, presenter: Presenter[Any], told: Keepsake) -> Drawing:
    """The whole picture."""
    shapes: list[Shape] = [
        Text((_MARGIN, 17.0), told.title, 8.5, _TEXT, "start", bold=True),
        Text((_MARGIN, 24.5), " · ".join(filter(None, (told.day, told.place))), 4.2, _SOFT, "start"),
        _fitting((_MARGIN, 36.0), told.outcome, 7.0),
    ]
    y = 42.0
    for row in standings(match):
        shapes += _place(match, presenter, row, y)
        y += 10.0
    y += 4.0
    boards = presenter.drawn_boards(seen_match(match, None), match.players)
    columns = 1 if len(boards) == 1 else 2 if len(boards) <= 4 else 3
    width = (_WIDTH - 2 * _MARGIN - (columns - 1) * _GAP) / columns
    for at in range(0, len(boards), columns):
        row_of = [
            _board(drawing, match.players.get(seat), width) for seat, drawing in boards[at : at + columns]
        ]
        for number, one in enumerate(row_of):
            shapes += moved(one.shapes, (_MARGIN + number * (width + _GAP), y))
        y += max(one.size[1] for one in row_of) + _GAP
    size = (_WIDTH, y + 2.0)
    return Drawing(size, (RoundedRect((0, 0), size, 0, filled(_GROUND)), *shapes))


def _fitting(at: Point, words: str, most: float) -> Text:
    """One line of words, in letters so small that they fit."""
    room = _WIDTH - 2 * _MARGIN
    return Text(
        at, words, min(most, most * room / width_of(words, most, bold=True)), _TEXT, "start", bold=True
    )


def _place(match: Match, presenter: Presenter[Any], row: dict[str, Any], y: float) -> list[Shape]:
    """A seat's place, mark, name and total, as a line of the podium."""
    player, absent = match.players[row["seat"]], row.get("absent", "")
    shared = [other["place"] for other in standings(match)].count(row["place"]) > 1
    place = spoken(place_words(row["place"], shared, absent)) if absent or not match.ended else ""
    first = row["place"] == 1 and not match.ended
    total = spoken(presenter.amount(row["total"]))
    ground = RoundedRect((_MARGIN, y), (_WIDTH - 2 * _MARGIN, 9.0), 1.6, filled(_PANEL))
    return [
        *([ground] if first else []),
        _mark(player, (_MARGIN + 6, y + 4.5), 2.6),
        Text((_MARGIN + 12, y + 6.2), player.name, 5.2, _TEXT, "start", bold=True),
        Text((_WIDTH / 2 + 20, y + 6.0), place, 4.2, _SOFT),
        Text(
            (_WIDTH - _MARGIN - 4, y + 6.2),
            total,
            5.2,
            _TEXT,
            "end",
            bold=first,
        ),
    ]


def _board(drawing: Drawing, player: Player | None, width: float) -> Drawing:
    """A board on a card, its owner's name above it."""
    head = 9.0 if player else 0.0
    share = min((width - 4.0) / drawing.size[0], width * _TALLEST / drawing.size[1])
    tall = drawing.size[1] * share
    aside = (width - drawing.size[0] * share) / 2
    shapes: list[Shape] = [RoundedRect((0, 0), (width, head + tall + 4.0), 2.0, filled(_PANEL))]
    if player:
        shapes += [
            _mark(player, (6, 6), 2.2),
            Text((11, 7.6), player.name, 4.4, _TEXT, "start", bold=True),
        ]
    shapes += moved(scaled(worded(drawing, spoken).shapes, share), (aside, head + 2.0))
    return Drawing((width, head + tall + 4.0), tuple(shapes))


def _mark(player: Player, at: Point, radius: float) -> Shape:
    return seat_shape(player.shape, at, radius, filled(ink_of(player.colour)))
