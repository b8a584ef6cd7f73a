"""A match as the pages show it, rendered once per version and cached: all phones ask for the same."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from flask import render_template
from markupsafe import Markup, escape

from companion.core.jsontext import JsonObject
from companion.core.messages import joined, listed, m
from companion.table.consent import asked_for
from companion.table.match import Match, in_effect
from companion.table.requests import to_take_back
from companion.table.seats import Player
from companion.table.standings import as_it_counts, seen_match
from companion.table.timing import length_words
from web.ui import presenter_of
from web.ui.charts import points_chart
from web.ui.parts import Aside, Controls, Die, Presenter, ScoreRow
from web.ui.signs import Signs, awaited_seats, signs_of
from web.ui.speaking import language, spoken
from web.ui.timeline import EventLine, asked_changes, change_words, event_line, event_words
from web.ui.wording import for_people
from web.ui.words import place_words

_KEPT = 32  # rendered pages; a few matches, seats and kinds of page

_DICE_SOURCES = {
    "virtual": m("virtual dice, thrown by the box"),
    "seeded": m("virtual dice of a demonstration"),
    "hand": m("entered by hand"),
    "club": m("the club's dice: the same at every table"),
}


@dataclass(frozen=True)
class SeatScene:
    """One seat: who sits there, the board, and the score."""

    number: int
    player: Player
    place: int  # those who do not rank come after all who do
    total: int
    note: str  # what may still change the total, in a few words
    place_said: str  # why it has none, where it does not rank; nothing where nobody can win any more
    absent: str  # why it does not rank: "left" or "empty"; or nothing
    bot: bool
    awaited: bool  # the others wait for it
    board: Markup
    words: list[tuple[str, str]]
    beside: Markup
    rows: list[ScoreRow]
    on_turn: Markup  # while the others wait for this seat alone


@dataclass(frozen=True)
class Scene:
    """Everything a page shows of a match."""

    match: str
    version: int
    game: str
    title: str
    headline: str
    status: str
    finished: bool
    ended: bool  # early
    dice: list[Die]
    blank_dice: int
    dice_source: str
    shared_board: Markup  # empty where everybody has a board
    shared_words: list[tuple[str, str]]
    ground: Markup  # under the one board of all: once a page, in no piece
    beside_shared: Markup
    seats: list[SeatScene]
    asides: list[Aside]
    asides_title: str
    players: dict[int, Player]
    mine: SeatScene | None
    controls: Controls | None
    latest: list[Markup]  # what happened last, as it is said to the reader, the newest first
    last_own: int | None  # the event that Undo takes back; none where it could only refuse
    unit: str  # what the totals count, as the head of a column
    signs: Signs
    began: str
    took: str  # how long it was played
    changes: list[Change] = field(default_factory=list)


@dataclass(frozen=True)
class Change:
    """A proposed change of an event that is already settled."""

    seq: int
    name: str
    words: str
    mine: bool  # I ask for it
    agreed: bool  # I have agreed
    waiting: list[str]  # for whom


@dataclass(frozen=True)
class Photos:
    """What can be done with photographs in this match."""

    possible: bool = False
    camera: bool = False
    of_table: str = ""  # the digest of the one of the whole table, when all is over


NO_PHOTOS = Photos()


def scene_of(match: Match, seat: int | None) -> Scene:
    """Return the match as that seat (None: a watcher) may see it."""
    presenter = presenter_of(match.game)
    # Pages show a match that was ended early as one that is over.
    view = {**seen_match(match, seat), "finished": match.finished}
    names = {number: player.name for number, player in match.players.items()}
    rows = sorted(as_it_counts(match, view["scores"]), key=lambda row: int(row["seat"]))
    awaited = awaited_seats(presenter, view, match)
    alone = len(awaited) == 1
    seats = [_seat_scene(presenter, view, row, rows, match, row["seat"] in awaited, alone) for row in rows]
    asides = presenter.asides(view)
    return Scene(
        match=match.id,
        version=match.version,
        game=match.game.name,
        title=presenter.title(match.game, view),
        headline=m("Ended early") if match.ended else presenter.headline(view),
        status=_outcome(presenter, match, rows, names) if match.finished else presenter.status(view, names),
        finished=match.finished,
        ended=match.ended,
        dice=presenter.dice(view),
        blank_dice=presenter.blank_dice(view),
        dice_source=_dice_source(match),
        shared_board=presenter.shared_board(view, match.players),
        shared_words=presenter.shared_words(view, match.players),
        ground=presenter.ground(match.state),
        beside_shared=presenter.beside_shared(view, match.players),
        seats=seats,
        asides=asides,
        asides_title=presenter.asides_title,
        players=match.players,
        mine=next((one for one in seats if one.number == seat), None),
        controls=presenter.controls(match.state, seat) if seat is not None and not match.finished else None,
        latest=_latest(match, seat),
        last_own=to_take_back(match, seat) if seat else None,
        unit=presenter.unit,
        began=match.events[0].at,
        took=length_words(match),
        signs=signs_of(presenter, match, view, rows, awaited, asides),
        changes=_changes(match, seat),
    )


def _changes(match: Match, seat: int | None) -> list[Change]:
    names = {number: player.name for number, player in match.players.items()}
    return [
        Change(
            one.seq,
            names[one.seat],
            change_words(presenter_of(match.game), line),
            mine=one.seat == seat,
            agreed=seat in one.agreed,
            waiting=[names[number] for number in sorted(asked_for(match, one.seat) - one.agreed)],
        )
        for one, line in asked_changes(match, seat)
    ]


def _latest(match: Match, seat: int | None, count: int = 4) -> list[Markup]:
    """Return the latest events, newest first, as lines that this seat (None: a watcher) may see."""
    presenter = presenter_of(match.game)
    lines = [event_line(match, event, seat) for event in match.events[-count:]]
    names = {number: player.name for number, player in match.players.items()}

    def told(line: EventLine) -> Markup:
        words = for_people(event_words(presenter, line), match)
        who = names[line.seat] if line.seat in names else m("The table")
        return escape(spoken(joined(" ", [who, words])))

    return [told(line) for line in reversed(lines)]


def _seat_scene(
    presenter: Presenter[Any],
    view: JsonObject,
    row: JsonObject,
    rows: list[JsonObject],
    match: Match,
    awaited: bool,
    alone: bool,
) -> SeatScene:
    number = row["seat"]
    absent = row.get("absent", "")
    shared = [other["place"] for other in rows].count(row["place"]) > 1
    return SeatScene(
        number=number,
        player=match.players[number],
        place=len(match.players) if absent else row["place"],
        total=row["total"],
        note="" if match.finished else row.get("so_far", {}).get("note", ""),
        place_said=place_words(row["place"], shared, absent) if absent or not match.ended else "",
        absent=absent,
        bot=match.holder(number).by == "bot",
        awaited=awaited,
        board=presenter.board(view, number, match.players[number].name),
        words=presenter.board_words(view, number),
        beside=presenter.beside_board(view, number),
        rows=presenter.score_rows(row),
        on_turn=presenter.on_turn(view, number) if awaited and alone else Markup(""),
    )


def _outcome(presenter: Presenter[Any], match: Match, rows: list[JsonObject], names: dict[int, str]) -> str:
    if match.ended:
        return m("No winner: the match was not played to its end")
    first = [row for row in rows if row["place"] == 1]
    winners = listed(names[row["seat"]] for row in first)
    total = presenter.amount(first[0]["total"])
    if sum(row["place"] is not None for row in rows) == 1:
        return m("{winners} finished with {total}", winners=winners, total=total)
    if len(first) > 1:
        return m("{winners} share the win with {total}", winners=winners, total=total)
    return m("{winners} wins with {total}", winners=winners, total=total)


def _dice_source(match: Match) -> str:
    """Say where a roll came from: roller, box or people's hands."""
    rolls = [fact for fact in in_effect(match.events).values() if fact.kind == "roll"]
    source = rolls[-1].data.get("source", {}) if rolls else {}
    kind, uid = source.get("kind", ""), source.get("uid", "")
    if not kind:
        return ""
    roller = m("thrown by the dice roller {get}", get=uid) if uid else m("thrown by the dice roller")
    return _DICE_SOURCES.get(kind, roller)


# --- pieces: the parts of a page that change ---

Piece: TypeAlias = tuple[str, str, SeatScene | None]  # its name, its template, the seat it shows


def _seat_pieces(template: str) -> Callable[[Scene], list[Piece]]:
    return lambda scene: [(f"seat-{one.number}", template, one) for one in scene.seats]


def _shared_piece(scene: Scene) -> list[Piece]:
    if scene.ground:
        return [("shared", "over-ground", None), ("beside-shared", "beside-shared", None)]
    return [("shared", "shared", None)] if scene.shared_board else []


def _own_piece(scene: Scene) -> list[Piece]:
    return _shared_piece(scene) if scene.ground else [("board", "board", scene.mine)]


def _common(*names: str) -> Callable[[Scene], list[Piece]]:
    return lambda scene: [(name, name, scene.mine) for name in names]


_PAGES: Mapping[str, tuple[Callable[[Scene], list[Piece]], ...]] = {
    "watch": (_common("headline", "signs", "dice", "asides"), _shared_piece, _seat_pieces("seat")),
    "tv": (
        _common("headline", "signs", "dice", "asides", "latest", "turn", "finale"),
        _shared_piece,
        _seat_pieces("tv-seat"),
    ),
    "play": (
        _common("headline", "signs", "asides", "asked", "controls", "explained", "others"),
        _own_piece,
        lambda scene: [("dice", "play-dice", scene.mine)],
    ),
}


@dataclass(frozen=True)
class Pieces:
    """The changing parts of a page as HTML, by name."""

    match: str
    version: int
    html: dict[str, str]


# match, version, page, seat, photographs, language
_Key: TypeAlias = tuple[str, int, str, int | None, Photos, str]


@dataclass
class FragmentCache:
    """A cache of rendered pieces; different pages are rendered concurrently, each of them once."""

    _made: OrderedDict[_Key, Pieces] = field(default_factory=OrderedDict)
    _making: dict[_Key, Future[Pieces]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)  # never held while a page is drawn

    def pieces(self, match: Match, page: str, seat: int | None, photos: Photos = NO_PHOTOS) -> Pieces:
        """Return the pieces of a page; concurrent requests for the same wait for one to render it."""
        key = (match.id, match.version, page, seat, photos, language())
        with self._lock:
            if key in self._made:
                self._made.move_to_end(key)
                return self._made[key]
            awaited = self._making.get(key)
            making = self._making.setdefault(key, Future())
        if awaited is not None:
            return awaited.result()
        try:
            made = _rendered(match, page, seat, photos)
        except BaseException as problem:
            making.set_exception(problem)
            with self._lock:
                del self._making[key]
            raise
        with self._lock:
            self._made[key] = made
            del self._making[key]
            while len(self._made) > _KEPT:
                self._made.popitem(last=False)
        making.set_result(made)
        return made


def _rendered(match: Match, page: str, seat: int | None, photos: Photos) -> Pieces:
    curves = points_chart(match) if page == "tv" and match.finished else ""
    return Pieces(match.id, match.version, rendered(scene_of(match, seat), page, photos, curves))


def rendered(scene: Scene, page: str, photos: Photos = NO_PHOTOS, curves: str = "") -> dict[str, str]:
    """The changing parts of a page, as HTML by their names."""
    return {
        name: render_template(
            f"pieces/{template}.html", scene=scene, seat=shown, photos=photos, curves=curves
        )
        for list_pieces in _PAGES[page]
        for name, template, shown in list_pieces(scene)
    }


def drawn_dice(match: Match) -> str:
    """The dice as watchers see them, without drawing the rest of the page."""
    presenter = presenter_of(match.game)
    view = presenter.dice_view(match.state)
    if view is None:
        view = match.game.view(match.state, None)
    scene = {
        "dice": presenter.dice(view),
        "blank_dice": presenter.blank_dice(view),
        "dice_source": _dice_source(match),
        "finished": match.finished,
    }
    return render_template("pieces/dice.html", scene=scene)
