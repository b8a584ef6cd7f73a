"""Empire Builder on the page: its view and score in sentences; :mod:`.art` draws the map."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.core.jsontext import JsonObject
from companion.core.messages import Seat, joined, m
from companion.games.empire_builder.rules.boards.position import explain_position, score_position
from companion.games.empire_builder.rules.match.state import State
from companion.games.empire_builder.ui import art, controls, sides, words
from companion.games.empire_builder.ui import ground as land
from companion.games.empire_builder.ui.corrections import ADDRESS, corrections
from companion.games.empire_builder.ui.kept_boards import drawn_map
from companion.games.empire_builder.ui.lesson import EmpireBuilderLesson
from companion.sheets.drawing import Drawing
from companion.table.seats import Player
from web.ui.parts import EditorLink, Milestone, PhotoSheet, Presenter, ScoreLine, ScoreRow
from web.ui.speaking import Markup

_LEDGER = (
    ("start", m("Start"), 1),
    ("payouts", m("Deliveries"), 1),
    ("rent_had", m("Rent received"), 1),
    ("rent_paid", m("Rent paid"), -1),
    ("track", m("Track"), -1),
    ("trains", m("Trains"), -1),
    ("tax", m("Tax"), -1),
)
_BANK = (("borrowed", m("Borrowed"), 1), ("repaid", m("Paid back"), -1))


class EmpireBuilderPresenter(Presenter[State]):
    """Presents matches on our map or the owner's, with digital or genuine cards and money."""

    lesson = EmpireBuilderLesson()
    style_sheet = "empire-builder/page.css"
    cover = "empire-builder/cover.svg"
    minutes = (120, 240)
    screen_sheet = "empire-builder/screen.css"
    board_script = "empire-builder/map.js"
    play_script = "empire-builder/play.js"
    editor = corrections
    editor_links = (EditorLink("map", m("Correct it on the map"), ADDRESS),)
    feats = frozenset({"deliver"})
    overtaking = False  # money comes and goes with every turn
    unit = m("Millions")

    headline = staticmethod(words.headline)
    status = staticmethod(words.status)
    event_words = staticmethod(words.event_words)
    beside_shared = staticmethod(sides.beside_map)
    controls = staticmethod(controls.controls)

    @property
    def photo_sheet(self) -> PhotoSheet:
        """The map is shown as it was photographed; what was read is laid over it."""
        return PhotoSheet(
            sheet=m("The map"),
            entered=(m("Entered: {n} new segment"), m("Entered: {n} new segments")),
            asks=m("Whose track is"),
            none=m("Nothing new is seen"),
            corners=m("the corners of the printed sheet"),
        )

    def feat_cells(self, kind: str, data: JsonObject, seat: int) -> tuple[str, ...]:
        """A load is delivered where the train is."""
        return (f"train-{seat}",)

    def milestones(self, view: JsonObject) -> list[Milestone]:
        """Major cities that somebody has joined to the others."""
        return [
            Milestone(f"{city} {seat}", int(seat), m("joins {city} to the network", city=city))
            for seat, told in view["players"].items()
            for city in told["majors"][1:]
        ]

    def amount(self, total: int) -> str:
        """What a player has, in words."""
        return m("{total} million", total=total)

    def awaited(self, view: JsonObject) -> list[int]:
        """Whose turn it is, or who has to choose what a derailment takes."""
        return [int(seat) for seat in view["losing"]] or [view["seat"]]

    def ground(self, state: State) -> Markup:
        """Land, water, mileposts and cities."""
        return land.ground(state.options.map)

    def shared_board(self, view: JsonObject, players: Mapping[int, Player]) -> Markup:
        """The map with everybody's track and trains and the areas of events."""
        built = sum(map(len, view["track"].values()))
        return art.overlay(
            view, players, m("Map with {built} segments of track; described below", built=built)
        )

    def drawn_boards(self, view: JsonObject, players: Mapping[int, Player]) -> list[tuple[int, Drawing]]:
        """The map with everybody's track."""
        return [(0, drawn_map(view, players))]

    def shared_words(self, view: JsonObject, players: Mapping[int, Player]) -> list[tuple[str, str]]:
        """Everybody's track and train in words."""
        return [
            (player.name, words.seat_words(view["players"][str(seat)], len(view["track"][str(seat)])))
            for seat, player in players.items()
        ]

    def board(self, view: JsonObject, seat: int, name: str) -> Markup:
        """How near a seat is to winning, and its train."""
        return sides.progress(view, seat)

    def board_words(self, view: JsonObject, seat: int) -> list[tuple[str, str]]:
        """A seat's position in words."""
        player = view["players"][str(seat)]
        cards = joined(
            "; ",
            [
                joined(": ", [card["card"], joined(", ", map(words.demand_words, card["demands"]))])
                for card in player["hand"]
            ],
        )
        debt = [(m("Bank"), m("owes {owed} million", owed=player["owed"]))] if player["owed"] else []
        return [
            *debt,
            (m("Train"), words.train_words(player)),
            (m("Major cities"), words.majors_words(player)),
            (m("Demand cards"), cards or m("on the table")),
        ]

    def beside_board(self, view: JsonObject, seat: int) -> Markup:
        """The demand cards, which lie open."""
        return sides.hand(view["players"][str(seat)]["hand"])

    def on_turn(self, view: JsonObject, seat: int) -> Markup:
        """The demand cards of whoever plays."""
        return sides.orders(view["players"][str(seat)]["hand"])

    def score_rows(self, row: JsonObject) -> list[ScoreRow]:
        """The player's income and expenses; the rows add up to the total."""
        ledger = row["ledger"]
        lines = {"start": tuple(ScoreLine(line, None) for line in row["lines"])}
        rows = [ScoreRow(name, sign * ledger[key], lines.get(key, ())) for key, name, sign in _LEDGER]
        if "owed" in row:
            rows += [ScoreRow(name, sign * ledger[key]) for key, name, sign in _BANK]
            rows.append(ScoreRow(m("Still owed"), -row["owed"]))
        counted = [ScoreRow(m("As counted on the table"), ledger["counted"])] if ledger["counted"] else []
        return [*rows, *counted]

    def position_rows(self, position: JsonObject) -> list[ScoreRow]:
        """A position without a match: every seat's cash, explained."""
        lines = tuple(ScoreLine(line, None) for line in explain_position(position))
        return [
            ScoreRow(Seat(row["seat"], begins=True), row["total"], lines if number == 0 else ())
            for number, row in enumerate(score_position(position)["scores"])
        ]

    def rematch_options(self, setup: JsonObject, scores: Sequence[JsonObject]) -> JsonObject:
        """The options of this match, with the same map and cards; the first player is determined again."""
        options: JsonObject = setup["options"]
        return {**options, "first": 0}

    def plain(self, words_of_rules: str, state: State) -> str:
        """A sentence without the names of mileposts."""
        return words.plain(words_of_rules, state.board)
