"""Derailed! on the page: sentences for its view and score; the drawing is in :mod:`.art`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from companion.core.jsontext import JsonObject
from companion.core.messages import joined, m, nm
from companion.games.derailed.rules.cards import face_words
from companion.games.derailed.rules.network import grid_of, lane_name
from companion.games.derailed.rules.position import score_position
from companion.games.derailed.rules.rounds import fewest
from companion.games.derailed.rules.rulebook import COMPANIES, POINTS, ROUNDS
from companion.games.derailed.rules.state import State
from companion.games.derailed.ui import art, controls
from companion.games.derailed.ui.ahead import foreseen
from companion.games.derailed.ui.kept_boards import drawn_lanes
from companion.games.derailed.ui.lesson import DerailedLesson
from companion.sheets.drawing import Drawing
from companion.table.seats import Player
from web.ui.parts import Aside, PhotoSheet, Presenter, ScoreLine, ScoreRow
from web.ui.speaking import Markup

_ARRIVED = ("", m("arrived first"), m("arrived second"), m("arrived third"))


class DerailedPresenter(Presenter[State]):
    """Two to six companies in shared lanes."""

    style_sheet = "derailed/page.css"
    cover = "derailed/cover.svg"
    minutes = (30, 45)
    screen_sheet = "derailed/screen.css"
    board_script = "derailed/lanes.js"
    play_script = "derailed/play.js"
    asides_title = m("This round")
    lesson = DerailedLesson()

    controls = staticmethod(controls.controls)
    foreseen = staticmethod(foreseen)

    @property
    def photo_sheet(self) -> PhotoSheet:
        """Cards have no fixed places in the picture, so they are drawn into it where they were found."""
        return PhotoSheet(
            sheet=m("The lanes"),
            entered=(m("Entered: {n} new card"), m("Entered: {n} new cards")),
            size=(63, 88),
            look="rail-card",
            asks=m("What lies in"),
            none=m("Nothing new is laid"),
            corners=m("the outer corners of all cards, stations included"),
        )

    @property
    def sprite(self) -> Markup:
        """The symbols of cards, heads and tokens."""
        return art.sprite()

    def headline(self, view: JsonObject) -> str:
        """The current round, or how the match ended."""
        if not view["finished"]:
            return m("Round {round} of {rounds}", round=view["round"], rounds=view["rounds"])
        shared = [row["place"] for row in view["scores"]].count(1) > 1
        if shared:
            return m("Final score: points alone decide, so the win is shared")
        return m("Final score")

    def status(self, view: JsonObject, names: Mapping[int, str]) -> str:
        """Whose turn it is, and what is to be done."""
        if view["mode"] == "scorekeeper":
            return m("Cards are reported as they lie on the table")
        if view["phase"] == "between":
            number = view["round"]
            if view["endings"][-1] == "stalemate":
                return m(
                    "Round {number} is over, for nobody could lay a card: set up the next one", number=number
                )
            return m("Round {number} is over: set up the next one", number=number)
        name = names[view["turn"]]
        return (
            m("{name} takes a card", name=name)
            if view["phase"] == "take"
            else m("{name} lays a card", name=name)
        )

    def awaited(self, view: JsonObject) -> list[int]:
        """Whose turn it is; between two rounds anybody may set up the next one."""
        return [] if view["mode"] == "scorekeeper" or view["phase"] == "between" else [view["turn"]]

    def shared_board(self, view: JsonObject, players: Mapping[int, Player]) -> Markup:
        """The lanes, and whose track is to be shown."""
        return Markup('<div class="derailed">{}{}</div>').format(
            art.board(view, players), _toggles(view, players)
        )

    def drawn_boards(self, view: JsonObject, players: Mapping[int, Player]) -> list[tuple[int, Drawing]]:
        """The lanes with their cards."""
        return [(0, drawn_lanes(view))]

    def shared_words(self, view: JsonObject, players: Mapping[int, Player]) -> list[tuple[str, str]]:
        """Lane by lane, then company by company."""
        lanes = [_lane_words(view, number, lane) for number, lane in enumerate(view["lanes"])]
        reach = [
            (joined(", ", [_company(view, seat), players[int(seat)].name]), _reach_words(view, seat))
            for seat in view["companies"]
        ]
        return [*lanes, *reach]

    def beside_board(self, view: JsonObject, seat: int) -> Markup:
        """The company, how its track is drawn, and how it stands."""
        letter = view["companies"][str(seat)]["letter"]
        return Markup('<p class="company">{}<b>{}</b>{}<span class="soft">{}</span></p>').format(
            art.token(letter), COMPANIES[letter].name, art.swatch(letter), _standing(view, seat)
        )

    def score_rows(self, row: JsonObject) -> list[ScoreRow]:
        """One row for each of the three rounds, played or not."""
        by_round = {one["round"]: one for one in row["rounds"]}
        now = len(row["rounds"])
        return [_round_row(number, by_round.get(number), number == now) for number in range(1, ROUNDS + 1)]

    def position_rows(self, position: JsonObject) -> list[ScoreRow]:
        """One row for each company."""
        told = score_position(position)
        return [
            ScoreRow(COMPANIES[letter].name, points, _position_lines(told, letter))
            for letter, points in told["points"].items()
        ]

    def rematch_options(self, setup: JsonObject, scores: Sequence[JsonObject]) -> JsonObject:
        """The options of this match; whoever has the fewest points begins, and drawn starts are redrawn."""
        options: JsonObject = setup["options"]
        totals = {row["seat"]: row["total"] for row in scores}
        return {**options, "first": 0 if setup.get("drawn") else fewest(totals, options["first"] + 1)}

    def event_words(self, kind: str, data: JsonObject) -> str:
        """A card, a pass, a round."""
        words = _EVENT_WORDS.get(kind)
        return words(data) if words else m("did something")

    def asides(self, view: JsonObject) -> list[Aside]:
        """How near the end of the round is, and the cards."""
        arrivals = tuple((one["seat"], one["points"]) for one in view["arrived"])
        says = m("{arrived} of {needed} that end the round", arrived=len(arrivals), needed=view["needed"])
        paths = {one["seat"]: tuple(way.partition(":")[0] for way in one["path"]) for one in view["arrived"]}
        found = [Aside(m("Arrivals"), says, arrivals, paths)]
        if view["options"]["deal"] == "box":
            cards = m(
                "{deck} in the deck, {discarded} on the discard pile",
                deck=view["deck"],
                discarded=sum(view["discards"].values()),
            )
            found.append(Aside(m("Cards"), cards, None))
        if view["swaps"]:
            moved = joined("; ", map(_swap_words, view["swaps"]))
            found.append(Aside(m("Stations moved"), moved, None))
        return found


# --- what happened ---


def _discard_words(data: JsonObject) -> str:
    return nm("changed {n} card", "changed {n} cards", len(data["cards"]))


def _taken_words(data: JsonObject) -> str:
    return m("took a card, the discards being shuffled") if "source" in data else m("took a card")


def _laid_words(data: JsonObject) -> str:
    return m("laid a card at {cell}: {card}", cell=data["cell"], card=face_words(data["card"]))


def _reported_words(data: JsonObject) -> str:
    cards = len(data["grid"])
    return nm("reported the lanes with {n} card", "reported the lanes with {n} cards", cards)


def _turns_words(data: JsonObject) -> str:
    return nm("has had {n} turn since arriving", "has had {n} turns since arriving", data["count"])


_EVENT_WORDS: Mapping[str, Callable[[JsonObject], str]] = {
    "place": _laid_words,
    "take": _taken_words,
    "pass": lambda _: m("passed the turn"),
    "discard": _discard_words,
    "round": lambda _: m("set up the next round"),
    "report": _reported_words,
    "turns": _turns_words,
}


# --- the lanes in words ---


def _toggles(view: JsonObject, players: Mapping[int, Player]) -> Markup:
    labels = [
        _toggle(view["companies"][seat]["letter"], players[int(seat)].name) for seat in view["companies"]
    ]
    return Markup('<div class="toggles" role="group" aria-label="{}">{}</div>').format(
        m("Whose track is shown"), Markup("").join(labels)
    )


def _toggle(letter: str, name: str) -> Markup:
    return Markup(
        '<label class="toggle"><input type="checkbox" id="show-{}" data-show="{}" checked>'
        '<span>{}</span>{}<span class="sr">{}</span></label>'
    ).format(letter, letter, letter, art.swatch(letter), _track_words(letter, name))


def _track_words(letter: str, name: str) -> str:
    return m("track of {company}, {name}", company=COMPANIES[letter].name, name=name)


def _company(view: JsonObject, seat: str) -> str:
    name: str = view["companies"][seat]["name"]
    return name


def _lane_words(view: JsonObject, number: int, lane: JsonObject) -> tuple[str, str]:
    lanes = len(view["lanes"])
    names = grid_of(lanes).names[number::lanes]
    cells = [art.cell_words(name, view["grid"].get(name), view["stacks"].get(name, 0)) for name in names]
    start, end = (COMPANIES[lane[end]].name for end in ("start", "destination"))
    where = m("Lane {lane}: from {start} to {end}", lane=lane_name(number), start=start, end=end)
    return where, joined("; ", cells)


def _reach_words(view: JsonObject, seat: str) -> str:
    cells = list(dict.fromkeys(step.partition(":")[0] for step in view["reach"][seat]))
    standing = _standing(view, int(seat))
    where = m("trains reach {cells}", cells=", ".join(cells)) if cells else m("no track yet")
    return joined("; ", [where, standing]) if standing else where


def _standing(view: JsonObject, seat: int) -> str:
    """How a company stands this round."""
    place = next((n for n, one in enumerate(view["arrived"], start=1) if one["seat"] == seat), 0)
    found = []
    if place:
        late = place >= len(_ARRIVED)
        found.append(m("arrived as number {place}", place=place) if late else _ARRIVED[place])
    elif not view["finished"]:
        missing = next(-row["prospect"] for row in view["scores"] if row["seat"] == seat)
        found.append(nm("at least {n} card to its station", "at least {n} cards to its station", missing))
    if str(seat) in view["held"]:
        found.append(m("holds {count}", count=view["held"][str(seat)]))
    return joined(", ", found)


def _swap_words(swap: JsonObject) -> str:
    return m(
        "{company} would have ended in its own lane {lane} and has changed places with {other}",
        company=COMPANIES[swap["company"]].short,
        lane=swap["lane"],
        other=COMPANIES[swap["other"]].short,
    )


# --- points ---


def _round_row(number: int, told: JsonObject | None, now: bool) -> ScoreRow:
    name, short = m("Round {number}", number=number), m("R{number}", number=number)
    if told is None or not told["points"]:
        return ScoreRow(name, 0, short=short)
    cells = tuple(dict.fromkeys(step.partition(":")[0] for step in told["path"]))
    arrived = m("Arrived over {cells}", cells=", ".join(cells)) if cells else m("Arrived")
    # The cards of earlier rounds are gone, so there is nothing to light up.
    lines = [ScoreLine(arrived, told["arrival"], cells if now else ())]
    if told["first"]:
        lines.append(ScoreLine(m("The first to arrive"), told["first"]))
    if told["turns"]:
        count = told["turns"] // POINTS.turn
        lines.append(ScoreLine(nm("{n} later turn", "{n} later turns", count), told["turns"]))
    return ScoreRow(name, told["points"], tuple(lines), short=short)


def _position_lines(told: JsonObject, letter: str) -> tuple[ScoreLine, ...]:
    path = told["paths"].get(letter)
    if path is None:
        return ()
    cells = dict.fromkeys(step.partition(":")[0] for step in path)
    return (ScoreLine(m("Arrived over {cells}", cells=", ".join(cells)), None, tuple(cells)),)
