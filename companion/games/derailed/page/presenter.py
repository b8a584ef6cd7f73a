"""Derailed! on the page: sentences for its view and score; the drawing is in :mod:`.art`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from companion.games.contract import Plain
from companion.games.derailed.page import art, controls
from companion.games.derailed.page.ahead import foreseen
from companion.games.derailed.page.lesson import DerailedLesson
from companion.games.derailed.rules.cards import face_words
from companion.games.derailed.rules.network import grid_of, lane_name
from companion.games.derailed.rules.position import score_position
from companion.games.derailed.rules.rounds import fewest
from companion.games.derailed.rules.rulebook import COMPANIES, POINTS, ROUNDS
from companion.games.derailed.rules.state import State
from companion.table.seats import Player
from web.ui.parts import Aside, PhotoSheet, Presenter, ScoreLine, ScoreRow
from web.ui.speaking import Markup

_ARRIVED = ("", "arrived first", "arrived second", "arrived third")


class DerailedPresenter(Presenter[State]):
    """Two to six companies in shared lanes."""

    style_sheet = "derailed/page.css"
    screen_sheet = "derailed/screen.css"
    board_script = "derailed/lanes.js"
    play_script = "derailed/play.js"
    asides_title = "This round"
    lesson = DerailedLesson()

    controls = staticmethod(controls.controls)
    foreseen = staticmethod(foreseen)

    @property
    def photo_sheet(self) -> PhotoSheet:
        """Cards have no fixed places in the picture, so they are drawn into it where they were found."""
        return PhotoSheet(
            sheet="The lanes",
            entered=("Entered: {n} new card", "Entered: {n} new cards"),
            size=(63, 88),
            look="rail-card",
            asks="What lies in",
            none="Nothing new is laid",
            corners="the outer corners of all cards, stations included",
        )

    @property
    def sprite(self) -> Markup:
        """Cards, heads, tokens."""
        return art.sprite()

    def headline(self, view: Plain) -> str:
        """The round."""
        if not view["finished"]:
            return f"Round {view['round']} of {view['rounds']}"
        shared = [row["place"] for row in view["scores"]].count(1) > 1
        return "Final score: points alone decide, so the win is shared" if shared else "Final score"

    def status(self, view: Plain, names: Mapping[int, str]) -> str:
        """Whose turn it is, and what for."""
        if view["mode"] == "scorekeeper":
            return "Cards are reported as they lie on the table"
        if view["phase"] == "between":
            stuck = ", for nobody could lay a card" if view["endings"][-1] == "stalemate" else ""
            return f"Round {view['round']} is over{stuck}: set up the next one"
        name = names[view["turn"]]
        return f"{name} takes a card" if view["phase"] == "take" else f"{name} lays a card"

    def awaited(self, view: Plain) -> list[int]:
        """Whose turn it is; between two rounds anybody may set up the next one."""
        return [] if view["mode"] == "scorekeeper" or view["phase"] == "between" else [view["turn"]]

    def shared_board(self, view: Plain, players: Mapping[int, Player]) -> Markup:
        """The lanes, and whose track is to be shown."""
        return Markup('<div class="derailed">{}{}</div>').format(
            art.board(view, players), _toggles(view, players)
        )

    def shared_words(self, view: Plain, players: Mapping[int, Player]) -> list[tuple[str, str]]:
        """Lane by lane, then company by company."""
        lanes = [_lane_words(view, number, lane) for number, lane in enumerate(view["lanes"])]
        reach = [
            (f"{_company(view, seat)}, {players[int(seat)].name}", _reach_words(view, seat))
            for seat in view["companies"]
        ]
        return [*lanes, *reach]

    def beside_board(self, view: Plain, seat: int) -> Markup:
        """The company, how its track is drawn, and how it stands."""
        letter = view["companies"][str(seat)]["letter"]
        return Markup('<p class="company">{}<b>{}</b>{}<span class="soft">{}</span></p>').format(
            art.token(letter), COMPANIES[letter].name, art.swatch(letter), _standing(view, seat)
        )

    def score_rows(self, row: Plain) -> list[ScoreRow]:
        """Always three rounds."""
        by_round = {one["round"]: one for one in row["rounds"]}
        now = len(row["rounds"])
        return [_round_row(number, by_round.get(number), number == now) for number in range(1, ROUNDS + 1)]

    def position_rows(self, position: Plain) -> list[ScoreRow]:
        """One row a company."""
        told = score_position(position)
        return [
            ScoreRow(COMPANIES[letter].name, points, _position_lines(told, letter))
            for letter, points in told["points"].items()
        ]

    def rematch_options(self, setup: Plain, scores: Sequence[Plain]) -> Plain:
        """The same, begun by who made the fewest points; a start that was drawn is drawn again."""
        options: Plain = setup["options"]
        totals = {row["seat"]: row["total"] for row in scores}
        return {**options, "first": 0 if setup.get("drawn") else fewest(totals, options["first"] + 1)}

    def event_words(self, kind: str, data: Plain) -> str:
        """A card, a pass, a round."""
        words = _EVENT_WORDS.get(kind)
        return words(data) if words else "did something"

    def asides(self, view: Plain) -> list[Aside]:
        """How near the end of the round is, and the cards."""
        arrivals = tuple((one["seat"], one["points"]) for one in view["arrived"])
        says = f"{len(arrivals)} of {view['needed']} that end the round"
        found = [Aside("Arrivals", says, arrivals)]
        if view["options"]["deal"] == "box":
            laid_aside = sum(view["discards"].values())
            cards = f"{view['deck']} in the deck, {laid_aside} on the discard pile"
            found.append(Aside("Cards", cards, None))
        if view["swaps"]:
            found.append(Aside("Stations moved", "; ".join(map(_swap_words, view["swaps"])), None))
        return found


# --- what happened ---


def _discard_words(data: Plain) -> str:
    count = len(data["cards"])
    return f"changed {count} card{'s' if count > 1 else ''}"


def _counted(count: int, thing: str) -> str:
    return f"{count} {thing}{'' if count == 1 else 's'}"


_EVENT_WORDS: Mapping[str, Callable[[Plain], str]] = {
    "place": lambda data: f"laid a card at {data['cell']}: {face_words(data['card'])}",
    "take": lambda data: "took a card, the discards being shuffled" if "source" in data else "took a card",
    "pass": lambda _: "passed the turn",
    "discard": _discard_words,
    "round": lambda _: "set up the next round",
    "report": lambda data: f"reported the lanes with {_counted(len(data['grid']), 'card')}",
    "turns": lambda data: f"has had {_counted(data['count'], 'turn')} since arriving",
}


# --- the lanes in words ---


def _toggles(view: Plain, players: Mapping[int, Player]) -> Markup:
    labels = [
        _toggle(view["companies"][seat]["letter"], players[int(seat)].name) for seat in view["companies"]
    ]
    return Markup('<div class="toggles" role="group" aria-label="{}">{}</div>').format(
        "Whose track is shown", Markup("").join(labels)
    )


def _toggle(letter: str, name: str) -> Markup:
    return Markup(
        '<label class="toggle"><input type="checkbox" id="show-{}" data-show="{}" checked>'
        '<span>{}</span>{}<span class="sr">{}</span></label>'
    ).format(letter, letter, letter, art.swatch(letter), f"track of {COMPANIES[letter].name}, {name}")


def _company(view: Plain, seat: str) -> str:
    name: str = view["companies"][seat]["name"]
    return name


def _lane_words(view: Plain, number: int, lane: Plain) -> tuple[str, str]:
    lanes = len(view["lanes"])
    names = grid_of(lanes).names[number::lanes]
    cells = [art.cell_words(name, view["grid"].get(name), view["stacks"].get(name, 0)) for name in names]
    start, end = (COMPANIES[lane[end]].name for end in ("start", "destination"))
    return f"Lane {lane_name(number)}: from {start} to {end}", "; ".join(cells)


def _reach_words(view: Plain, seat: str) -> str:
    cells = list(dict.fromkeys(step.partition(":")[0] for step in view["reach"][seat]))
    standing = _standing(view, int(seat))
    where = f"trains reach {', '.join(cells)}" if cells else "no track yet"
    return f"{where}; {standing}" if standing else where


def _standing(view: Plain, seat: int) -> str:
    """How a company stands this round."""
    place = next((n for n, one in enumerate(view["arrived"], start=1) if one["seat"] == seat), 0)
    found = []
    if place:
        found.append(_ARRIVED[place] if place < len(_ARRIVED) else f"arrived as number {place}")
    elif not view["finished"]:
        missing = next(-row["prospect"] for row in view["scores"] if row["seat"] == seat)
        found.append(f"at least {missing} card{'' if missing == 1 else 's'} to its station")
    if str(seat) in view["held"]:
        card = view["held"][str(seat)]
        found.append(f"holds {card}")
    return ", ".join(found)


def _swap_words(swap: Plain) -> str:
    return (
        f"{COMPANIES[swap['company']].short} would have ended in its own lane {swap['lane']}"
        f" and has changed places with {COMPANIES[swap['other']].short}"
    )


# --- points ---


def _round_row(number: int, told: Plain | None, now: bool) -> ScoreRow:
    if told is None or not told["points"]:
        return ScoreRow(f"Round {number}", 0, short=f"R{number}")
    cells = tuple(dict.fromkeys(step.partition(":")[0] for step in told["path"]))
    over = f" over {', '.join(cells)}" if cells else ""
    # The cards of earlier rounds are gone, so there is nothing to light up.
    lines = [ScoreLine(f"Arrived{over}", told["arrival"], cells if now else ())]
    if told["first"]:
        lines.append(ScoreLine("The first to arrive", told["first"]))
    if told["turns"]:
        count = told["turns"] // POINTS.turn
        lines.append(ScoreLine(f"{count} later turn{'s' if count > 1 else ''}", told["turns"]))
    return ScoreRow(f"Round {number}", told["points"], tuple(lines), short=f"R{number}")


def _position_lines(told: Plain, letter: str) -> tuple[ScoreLine, ...]:
    path = told["paths"].get(letter)
    if path is None:
        return ()
    cells = dict.fromkeys(step.partition(":")[0] for step in path)
    return (ScoreLine(f"Arrived over {', '.join(cells)}", None, tuple(cells)),)
