"""SPIKE on the page: sentences for its view and score; the drawing is in :mod:`.art`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.core.messages import listed
from companion.games.contract import Plain
from companion.games.spike.page import art, seats
from companion.games.spike.page.controls import controls
from companion.games.spike.page.editor import editor
from companion.games.spike.page.lesson import SpikeLesson
from companion.games.spike.page.words import counted, event_words, place_words, plain, spoken
from companion.games.spike.rules.position import explain_position, score_position
from companion.games.spike.rules.state import State
from companion.table.seats import Player
from web.ui.parts import EditorLink, PhotoSheet, Presenter, ScoreLine, ScoreRow
from web.ui.speaking import Markup

_AWAITED = {
    "declare": "{} to say which contracts they have",
    "sides": "{} to choose the sides of their contracts",
    "give": "{} to give a card to the right",
    "routes": "{} to keep one of two routes",
    "place": "{} to place a locomotive",
    "reveal": "{} to show their routes",
}
_HEADLINES = {"play": "Round {round} of {rounds}", "over": "Final score", "reveal": "The routes are shown"}


class SpikePresenter(Presenter[State]):
    """One map for all."""

    lesson = SpikeLesson()
    style_sheet = "spike/page.css"
    screen_sheet = "spike/screen.css"
    board_script = "spike/map.js"
    play_script = "spike/play.js"
    feats = frozenset({"deliver"})
    unit = "Dollars"  # said
    editor = editor
    editor_links = tuple(
        EditorLink(option, "Draw it over a photograph", "/host/spike") for option in ("board", "cards")
    )

    controls = staticmethod(controls)
    event_words = staticmethod(event_words)
    beside_board = staticmethod(seats.papers)

    @property
    def sprite(self) -> Markup:
        """Land, water, goods."""
        return art.sprite()

    def amount(self, total: int) -> str:
        """What a player has, in words."""
        return f"{total} dollar{'' if total == 1 else 's'}"

    @property
    def photo_sheet(self) -> PhotoSheet:
        """The map is shown as it was photographed; what was read is laid over it."""
        return PhotoSheet(
            sheet="The map",
            entered=("Entered: {n} new track", "Entered: {n} new tracks"),
            asks="Whose track is",
            none="Nothing new is seen",
            corners="the corners of the printed sheet",
        )

    def headline(self, view: Plain) -> str:
        """The round, or what comes before and after."""
        if view["mode"] == "scorekeeper" and not view["finished"]:
            return "Keeping the score"
        return _HEADLINES.get(view["phase"], "Setting up").format(**view)

    def status(self, view: Plain, names: Mapping[int, str]) -> str:
        """Who is awaited, and for what."""
        if view["mode"] == "scorekeeper":
            return f"Final so far: {len(names) - len(view['waiting'])} of {len(names)}"
        awaited = [view["turn"]] if view["turn"] else view["waiting"]
        waiting = listed(names[seat] for seat in awaited)
        if view["phase"] != "play":
            first = f"Waiting for {_AWAITED[view['phase']].format(waiting)}" if waiting else ""
            market = "somebody has to say how the market lies" if _market_missing(view) else ""
            return "; ".join(filter(None, (first, market)))
        last = view["last_turns"]
        return f"{waiting}'s turn" + (f", {counted(last, 'turn')} remaining" if last is not None else "")

    def awaited(self, view: Plain) -> list[int]:
        """Whose turn it is; while contracts and cities are chosen all who have not."""
        if view["mode"] == "scorekeeper":
            return []
        return [view["turn"]] if view["turn"] else list(view["waiting"])

    def board(self, view: Plain, seat: int, name: str) -> Markup:
        """What lies in front of a player."""
        return seats.panel(view, seat)

    def board_words(self, view: Plain, seat: int) -> list[tuple[str, str]]:
        """The network by its cities."""
        player = view["seats"][str(seat)]
        cities = [place_words(view["map"], city) for city in player["cities"]]
        train = player["train"]
        return [
            *([("Connected", listed(cities))] if cities else []),  # said
            *([("Train", place_words(view["map"], train["at"]))] if train else []),
            ("Pieces", seats.counts_words(view, player)),  # said
        ]

    def ground(self, state: State) -> Markup:
        """The map as it is printed."""
        return art.ground(state.options.board)

    def shared_board(self, view: Plain, players: Mapping[int, Player]) -> Markup:
        """Everybody's track and trains."""
        built = sum(len(player["tracks"]) for player in view["seats"].values())
        label = f"The map {view['map']['title']} with {counted(built, 'track')} built; described below"
        return art.board(view, players, label)

    def beside_shared(self, view: Plain, players: Mapping[int, Player]) -> Markup:
        """Market, cards and rounds."""
        return seats.beside_map(view)

    def shared_words(self, view: Plain, players: Mapping[int, Player]) -> list[tuple[str, str]]:
        """Everybody's network and train."""
        return [
            (player.name, "; ".join(f"{head}: {text}" for head, text in self.board_words(view, seat)))
            for seat, player in players.items()
        ]

    def score_rows(self, row: Plain) -> list[ScoreRow]:
        """Money, the route, and what decides between equals."""
        return [
            ScoreRow("Money", row["money"], _money_lines(row)),
            ScoreRow("Route", row["route"], _route_lines(row)),
            ScoreRow("Cities, if tied", row["cities"]),
            ScoreRow("Track left, if still tied", row["tracks_left"]),
        ]

    def position_rows(self, position: Plain) -> list[ScoreRow]:
        """Every seat of a position, best first."""
        lines = tuple(ScoreLine(line, None) for line in explain_position(position))
        return [
            ScoreRow(f"Seat {row['seat']}", row["total"], lines if number == 0 else ())
            for number, row in enumerate(score_position(position)["seats"])
        ]

    def rematch_options(self, setup: Plain, scores: Sequence[Plain]) -> Plain:
        """The same, dealt again; a seat that was to begin begins again, if its player is still there."""
        options: Plain = setup["options"]
        first = next((row["seat"] for row in scores if row["was"] == options["first"]), 0)
        return {**options, "first": first}

    def plain(self, words: str, state: State) -> str:
        """Without the names of tracks."""
        return plain(words, state.options.on)


def _market_missing(view: Plain) -> bool:
    return view["phase"] == "declare" and not view["market"]


def _money_lines(row: Plain) -> tuple[ScoreLine, ...]:
    if "market" not in row:
        return ()
    delivered = [
        ScoreLine(f"{spoken(one['good'])} to {spoken(one['city'])}", one["pays"], (one["city"],))
        for one in row["deliveries"]
    ]
    lines = [ScoreLine("Connecting cities, as the market paid", row["market"])] if row["market"] else []
    spent = [ScoreLine("Better parts for the train", -row["upgrades"])] if row["upgrades"] else []
    return (*lines, *delivered, *spent)


def _route_lines(row: Plain) -> tuple[ScoreLine, ...]:
    """The rules' own sentence; the cities behind it light up."""
    return tuple(
        ScoreLine(_upper(line), None, tuple(row.get("route_cities", ())))
        for line in row["lines"]
        if line.startswith("route")
    )


def _upper(line: str) -> str:
    return line[:1].upper() + line[1:]
