"""SPIKE on the page: sentences for its view and score; the drawing is in :mod:`.art`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from companion.core.jsontext import JsonObject
from companion.core.messages import Seat, joined, listed, m, nm, sentence
from companion.games.spike.rules.boards.position import explain_position, score_position
from companion.games.spike.rules.match.state import State
from companion.games.spike.rules.words import board_words, good_words
from companion.games.spike.ui import art, seats
from companion.games.spike.ui.controls import controls
from companion.games.spike.ui.editor import editor
from companion.games.spike.ui.kept_boards import drawn_board
from companion.games.spike.ui.lesson import SpikeLesson
from companion.games.spike.ui.words import event_words, place_words, plain, spoken
from companion.sheets.drawing import Drawing
from companion.table.seats import Player
from web.ui.parts import EditorLink, PhotoSheet, Presenter, ScoreLine, ScoreRow
from web.ui.speaking import Markup

_AWAITED: Mapping[str, Callable[[str], str]] = {
    "declare": lambda names: m("Waiting for {names} to say which contracts they have", names=names),
    "sides": lambda names: m("Waiting for {names} to choose the sides of their contracts", names=names),
    "give": lambda names: m("Waiting for {names} to give a card to the right", names=names),
    "routes": lambda names: m("Waiting for {names} to keep one of two routes", names=names),
    "place": lambda names: m("Waiting for {names} to place a locomotive", names=names),
    "reveal": lambda names: m("Waiting for {names} to show their routes", names=names),
}


class SpikePresenter(Presenter[State]):
    """Presents a match on one map that all share."""

    lesson = SpikeLesson()
    style_sheet = "spike/page.css"
    cover = "spike/cover.svg"
    minutes = (45, 90)
    screen_sheet = "spike/screen.css"
    board_script = "spike/map.js"
    play_script = "spike/play.js"
    feats = frozenset({"deliver"})
    unit = m("Dollars")
    editor = editor
    editor_links = tuple(
        EditorLink(option, m("Draw it over a photograph"), "/host/spike") for option in ("board", "cards")
    )

    controls = staticmethod(controls)
    event_words = staticmethod(event_words)
    beside_board = staticmethod(seats.papers)

    @property
    def sprite(self) -> Markup:
        """The symbols of land, water and goods."""
        return art.sprite()

    def amount(self, total: int) -> str:
        """What a player has, in words."""
        return nm("{n} dollar", "{n} dollars", total)

    @property
    def photo_sheet(self) -> PhotoSheet:
        """The map is shown as it was photographed; what was read is laid over it."""
        return PhotoSheet(
            sheet=m("The map"),
            entered=(m("Entered: {n} new track"), m("Entered: {n} new tracks")),
            asks=m("Whose track is"),
            none=m("Nothing new is seen"),
            corners=m("the corners of the printed sheet"),
        )

    def headline(self, view: JsonObject) -> str:
        """The round, or what comes before and after."""
        if view["mode"] == "scorekeeper" and not view["finished"]:
            return m("Keeping the score")
        match view["phase"]:
            case "play":
                return m("Round {round} of {rounds}", round=view["round"], rounds=view["rounds"])
            case "over":
                return m("Final score")
            case "reveal":
                return m("The routes are shown")
            case _:
                return m("Setting up")

    def status(self, view: JsonObject, names: Mapping[int, str]) -> str:
        """The players awaited, and what they have to do."""
        if view["mode"] == "scorekeeper":
            done = len(names) - len(view["waiting"])
            return m("Final so far: {done} of {seats}", done=done, seats=len(names))
        awaited = [view["turn"]] if view["turn"] else view["waiting"]
        waiting = listed(names[seat] for seat in awaited)
        if view["phase"] != "play":
            first = _AWAITED[view["phase"]](waiting) if waiting else ""
            market = m("somebody has to say how the market lies") if _market_missing(view) else ""
            return joined("; ", filter(None, (first, market)))
        last = view["last_turns"]
        if last is None:
            return m("{name}'s turn", name=waiting)
        return nm(
            "{name}'s turn, {n} turn remaining", "{name}'s turn, {n} turns remaining", last, name=waiting
        )

    def feat_cells(self, kind: str, data: JsonObject, seat: int) -> tuple[str, ...]:
        """A good is delivered where the train is."""
        return (f"train-{seat}",)

    def awaited(self, view: JsonObject) -> list[int]:
        """Whose turn it is; while contracts and cities are chosen all who have not."""
        if view["mode"] == "scorekeeper":
            return []
        return [view["turn"]] if view["turn"] else list(view["waiting"])

    def board(self, view: JsonObject, seat: int, name: str) -> Markup:
        """What lies in front of a player."""
        return seats.panel(view, seat)

    def on_turn(self, view: JsonObject, seat: int) -> Markup:
        """The contracts of whoever plays."""
        return seats.orders(view, seat)

    def board_words(self, view: JsonObject, seat: int) -> list[tuple[str, str]]:
        """The network by its cities."""
        player = view["seats"][str(seat)]
        cities = [place_words(view["map"], city) for city in player["cities"]]
        train = player["train"]
        return [
            *([(m("Connected"), listed(cities))] if cities else []),
            *([(m("Train"), place_words(view["map"], train["at"]))] if train else []),
            (m("Pieces"), seats.counts_words(view, player)),
        ]

    def ground(self, state: State) -> Markup:
        """The map as it is printed."""
        return art.ground(state.options.board)

    def shared_board(self, view: JsonObject, players: Mapping[int, Player]) -> Markup:
        """The board with everybody's track and trains."""
        built = sum(len(player["tracks"]) for player in view["seats"].values())
        label = nm(
            "The map {title} with {n} track built; described below",
            "The map {title} with {n} tracks built; described below",
            built,
            title=board_words(view["map"]["title"]),
        )
        return art.board(view, players, label)

    def beside_shared(self, view: JsonObject, players: Mapping[int, Player]) -> Markup:
        """The market, the cards and the rounds."""
        return seats.beside_map(view)

    def drawn_boards(self, view: JsonObject, players: Mapping[int, Player]) -> list[tuple[int, Drawing]]:
        """The board with everybody's track."""
        return [(0, drawn_board(view, players))]

    def shared_words(self, view: JsonObject, players: Mapping[int, Player]) -> list[tuple[str, str]]:
        """Everybody's network and train in words."""
        return [
            (player.name, joined("; ", [joined(": ", line) for line in self.board_words(view, seat)]))
            for seat, player in players.items()
        ]

    def score_rows(self, row: JsonObject) -> list[ScoreRow]:
        """Money, the route, and what decides between equals."""
        return [
            ScoreRow(m("Money"), row["money"], _money_lines(row)),
            ScoreRow(m("Route"), row["route"], _route_lines(row)),
            ScoreRow(m("Cities, if tied"), row["cities"]),
            ScoreRow(m("Track left, if still tied"), row["tracks_left"]),
        ]

    def position_rows(self, position: JsonObject) -> list[ScoreRow]:
        """Every seat of a position, best first."""
        lines = tuple(ScoreLine(line, None) for line in explain_position(position))
        return [
            ScoreRow(Seat(row["seat"], begins=True), row["total"], lines if number == 0 else ())
            for number, row in enumerate(score_position(position)["seats"])
        ]

    def rematch_options(self, setup: JsonObject, scores: Sequence[JsonObject]) -> JsonObject:
        """The options of this match, dealt again; a chosen first player begins again if still there."""
        options: JsonObject = setup["options"]
        first = next((row["seat"] for row in scores if row["was"] == options["first"]), 0)
        return {**options, "first": first}

    def plain(self, words: str, state: State) -> str:
        """A sentence without the names of tracks."""
        return plain(words, state.options.on)


def _market_missing(view: JsonObject) -> bool:
    return view["phase"] == "declare" and not view["market"]


def _money_lines(row: JsonObject) -> tuple[ScoreLine, ...]:
    if "market" not in row:
        return ()
    delivered = [ScoreLine(_delivered_words(one), one["pays"], (one["city"],)) for one in row["deliveries"]]
    lines = [ScoreLine(m("Connecting cities, as the market paid"), row["market"])] if row["market"] else []
    spent = [ScoreLine(m("Better parts for the train"), -row["upgrades"])] if row["upgrades"] else []
    return (*lines, *delivered, *spent)


def _delivered_words(delivery: JsonObject) -> str:
    return m("{good} to {city}", good=good_words(spoken(delivery["good"])), city=spoken(delivery["city"]))


def _route_lines(row: JsonObject) -> tuple[ScoreLine, ...]:
    """The rules' own sentence; the cities behind it light up."""
    return tuple(
        ScoreLine(sentence(line), None, tuple(row.get("route_cities", ())))
        for line in row["lines"]
        if line.startswith("route")
    )
