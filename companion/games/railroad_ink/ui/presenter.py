"""Railroad Ink on the page: sentences for its view and score; the drawing is in :mod:`.art`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from companion.core.jsontext import JsonObject, builtins_of, builtins_with_messages
from companion.core.messages import joined, listed, m, nm, sentence
from companion.game.base import Game
from companion.games.railroad_ink.rules.boards.position import read_position
from companion.games.railroad_ink.rules.boards.routes import ROUTES, any_route, shape_of
from companion.games.railroad_ink.rules.boards.walls import print_walls
from companion.games.railroad_ink.rules.boards.words import SHAPE_NAMES, route_words
from companion.games.railroad_ink.rules.expansions.frame import face_words
from companion.games.railroad_ink.rules.expansions.tables import known_expansion, table_of
from companion.games.railroad_ink.rules.expansions.words import DICE_NAMES
from companion.games.railroad_ink.rules.match.state import State
from companion.games.railroad_ink.rules.rulebook import EDITION, GOAL_RACE, NAMES
from companion.games.railroad_ink.rules.scoring.explained import again_words, error_words, goal_words
from companion.games.railroad_ink.rules.scoring.goals import BOXES, GOALS
from companion.games.railroad_ink.rules.scoring.scores import (
    GoalScore,
    LongestScore,
    NetworkScore,
    Score,
    score,
    score_json,
)
from companion.games.railroad_ink.ui import art, controls, levels, marking, signs
from companion.games.railroad_ink.ui.kept_boards import drawn_boards
from companion.games.railroad_ink.ui.lesson import RailroadInkLesson
from companion.games.railroad_ink.ui.quick import quick_board
from companion.games.railroad_ink.ui.tapped_walls import ADDRESS
from companion.sheets.drawing import Drawing
from companion.table.seats import Player
from web.ui.parts import Aside, Die, EditorLink, PhotoSheet, Presenter, ScoreLine, ScoreRow
from web.ui.speaking import Markup

_ORIGINS = {
    "factory": m("doubled by a Factory"),
    "special": m("special route"),
    "university": m("free, for the third University"),
    "copy": m("a die drawn twice"),
    "given": m("given"),
}


class RailroadInkPresenter(Presenter[State]):
    """Presents matches of both editions."""

    style_sheet = "railroad-ink/page.css"
    cover = "railroad-ink/cover.svg"
    minutes = (20, 30)
    screen_sheet = "railroad-ink/screen.css"
    play_script = "railroad-ink/play.js"
    editor = marking.walls
    editor_links = (EditorLink("walls", m("Tap them on a board"), ADDRESS),)
    asides_title = m("Goals")
    lesson = RailroadInkLesson()
    die_names = DICE_NAMES

    controls = staticmethod(controls.controls)
    quick = staticmethod(quick_board)

    @property
    def sprite(self) -> Markup:
        """The symbols of routes, exits and buildings."""
        return art.sprite()

    def title(self, game: Game[State], view: JsonObject) -> str:
        """Challenge is the name of one edition only."""
        return game.title if art.edition_of(view).goals else "Railroad Ink"

    def headline(self, view: JsonObject) -> str:
        """The current round, or the final score."""
        if view["finished"]:
            tie = view["scores"][0]["tie"]
            return m("Final score: {tie}", tie=tie) if tie else m("Final score")
        return m("Round {round} of {rounds}", round=view["round"], rounds=view["rounds"])

    def status(self, view: JsonObject, names: Mapping[int, str]) -> str:
        """The players or the roll that the round waits for."""
        if view["mode"] == "scorekeeper":
            return m(
                "Boards are reported as they are drawn; final so far: {done} of {seats}",
                done=len(view["done"]),
                seats=len(names),
            )
        if str(view["you"]) in view.get("behind", {}):
            return m("Catching up: the others are in round {round}", round=view["table_round"])
        if not _lies(view):
            return m("The dice are rolled next")
        return m("Drawing: {drawing}", drawing=listed([names[seat] for seat in self.awaited(view)]))

    def awaited(self, view: JsonObject) -> list[int]:
        """Who still draws; before a roll, and where boards are only reported, nobody in particular."""
        if view["mode"] == "scorekeeper" or not _lies(view):
            return []
        behind = view.get("behind", {})
        last = view.get("table_round", view["round"]) == view["rounds"]
        idle = {*view["done"], *view["out"], *(() if last else map(int, behind))}
        return [int(seat) for seat in view["boards"] if int(seat) not in idle]

    def dice(self, view: JsonObject) -> list[Die]:
        """The route dice, and an expansion's."""
        return [self.face(text) for text in (*view["dice"], *view.get("extra", ()))]

    def dice_view(self, state: State) -> JsonObject:
        """What lies on the table, and which edition's and expansion's dice they are."""
        options = builtins_of(state.options)
        return {"options": options, "dice": list(state.dice), "extra": list(state.extra)}

    def face(self, face: str) -> Die:
        """One face of a route die, or of an expansion's."""
        words = _face_words(face)
        return Die(art.face(face, words) if face in SHAPE_NAMES else signs.face(face, words), words)

    def blank_dice(self, view: JsonObject) -> int:
        """Four, and those of an expansion."""
        name = view["options"].get("expansion", "")
        table = table_of(name) if known_expansion(name) else None
        routes = len(art.edition_of(view).dice)
        if table is None:
            return routes
        return max(routes, len(table.roll)) if table.second_board else routes + len(table.roll)

    def board(self, view: JsonObject, seat: int, name: str) -> Markup:
        """The board of a seat, with a description for screen readers."""
        count = len(view["boards"][str(seat)]["cells"])
        layout = art.edition_of(view).layout
        written = view.get("marks", {}).get(str(seat), {})
        label = m(
            "Board of {name}: {count} of {cells} cells drawn; described below",
            name=name,
            count=count,
            cells=len(layout.cells),
        )
        if levels.below_now(view):
            below = m("Board below ground of {name}; described below", name=name)
            return levels.board_below(view, seat, below)
        if levels.two_levels(view):
            return levels.board_above(view, seat, label, Markup(""))
        marks = signs.marks_on_board(written, view["boards"][str(seat)]["cells"], layout)
        return art.board(view, seat, label, marks)

    def drawn_boards(self, view: JsonObject, players: Mapping[int, Player]) -> list[tuple[int, Drawing]]:
        """Everybody's board as it was drawn."""
        return drawn_boards(view)

    def board_words(self, view: JsonObject, seat: int) -> list[tuple[str, str]]:
        """What was drawn in each round."""
        drawn = view["boards"][str(seat)]
        by_round: dict[int, list[str]] = {}
        for cell, route in drawn["cells"].items():
            by_round.setdefault(drawn["rounds"].get(cell, 0), []).append(
                joined(": ", [cell, route_words(route)])
            )
        better = view["better"].get(str(seat))
        shown: list[tuple[str, str]] = [
            (m("Round {number}", number=number) if number else m("Drawn"), joined("; ", routes))
            for number, routes in sorted(by_round.items())
        ]
        shown += levels.words_below(view, seat) if levels.two_levels(view) else []
        return [*shown, (m("More dice"), better["says"])] if better else shown

    def beside_board(self, view: JsonObject, seat: int) -> Markup:
        """What is left and what is won on the board, and the row of special routes."""
        told = view["boards"][str(seat)]
        if art.edition_of(view).copies:
            return art.stock(view, seat, told["copies"])
        specials = art.special_routes(told["specials"], SHAPE_NAMES)
        stock = art.stock(view, seat, levels.copies_left(view, seat))
        return stock + specials + levels.other_level(view, seat)

    def score_rows(self, row: JsonObject) -> list[ScoreRow]:
        """The same rows for all boards of an edition: Villages and Goals only where it has them."""
        edition = EDITION[row["edition"]]
        parts = msgspec.convert(row["parts"], Score)
        tie = row.get("tie", "")
        middle = _cells(m("In the middle nine cells"), parts.centre, row["centre"])
        open_ends = bool(parts.errors) and not row.get("so_far", row)["errors"]
        errors = [ScoreLine(error_words(end), None if open_ends else -1, (end.cell,)) for end in parts.errors]
        remarks = [ScoreLine(sentence(tie), None)] if tie else []
        station = _cells(m("With a station"), parts.villages, row["villages"])
        villages = [ScoreRow(m("Villages"), row["villages"], station)]
        goals = [ScoreRow(m("Goals"), row["goals"], tuple(map(_goal, parts.goals)))]
        return [
            ScoreRow(m("Exits"), row["exits"], tuple(map(_network, parts.networks))),
            ScoreRow(m("Longest highway"), row["highway"], _longest("highway", parts.highway), m("Highway")),
            ScoreRow(m("Longest railway"), row["railway"], _longest("railway", parts.railway), m("Railway")),
            ScoreRow(m("Centre"), row["centre"], middle),
            *(villages if edition.village or row["villages"] else ()),
            *(goals if edition.goals or row["goals"] else ()),
            ScoreRow(m("Open ends"), len(errors), tuple(errors), counts=False)
            if open_ends
            else ScoreRow(m("Errors"), row["errors"], (*errors, *remarks)),
            *_stars(parts),
        ]

    def position_rows(self, position: JsonObject) -> list[ScoreRow]:
        """A board without a match."""
        one = score(read_position(position))
        told = {"edition": read_position(position).edition.name, "parts": builtins_with_messages(one)}
        return self.score_rows({**score_json(one), **told})

    def position_board(self, position: JsonObject, label: str) -> Markup:
        """The routes and walls of a board without a match."""
        one = read_position(position)
        cells = {NAMES[cell]: route.text for cell, route in one.cells.items()}
        rounds = {NAMES[cell]: number for cell, number in one.rounds.items()}
        options = {"edition": one.edition.name, "blueprint": print_walls(one.walls)}
        return art.board({"boards": {"1": {"cells": cells, "rounds": rounds}}, "options": options}, 1, label)

    @property
    def play_sprite(self) -> Markup:
        """Every turning of every route, by its name."""
        return art.turnings_sprite()

    @property
    def photo_sheet(self) -> PhotoSheet:
        """The board as it is drawn, over its photograph."""
        return PhotoSheet(
            view=art.view_box(),
            slots=art.cell_boxes(),
            sheet=m("The board"),
            entered=(m("Entered: {n} new route"), m("Entered: {n} new routes")),
            look="die",
            asks=m("What is drawn in"),
            none=m("Nothing new is drawn"),
            corners=m("the corners of the 7 by 7 grid"),
            teachable=True,
        )

    def mark_words(self, mark: str) -> str:
        """A route in words; what else may stand in a slot as it is written."""
        return route_words(mark) if mark in ROUTES else super().mark_words(mark)

    def mark_picture(self, mark: str) -> Markup:
        """A route as a die shows it."""
        return art.route_picture(mark) if mark in ROUTES else Markup("")

    def milestone(self, view: JsonObject) -> str:
        """The last round, as soon as it begins."""
        last = not view["finished"] and view["round"] == view["rounds"] and _lies(view)
        return m("The last round") if last else ""

    def rematch_options(self, setup: JsonObject, scores: Sequence[JsonObject]) -> JsonObject:
        """Goals are drawn again, if there were any; from one box, if they may have come from one."""
        options: JsonObject = setup["options"]
        goals = {code for code in options["goals"] if code in GOALS}
        box = next((box for box, cards in BOXES.items() if goals <= set(cards)), "draw")
        return {**options, "goals": box if goals else "none"}

    def event_words(self, kind: str, data: JsonObject) -> str:
        """A roll, a route, a board."""
        match kind:
            case "roll":
                return m("rolled {faces}", faces=listed([_face_words(face) for face in data["faces"]]))
            case "draw":
                drew = {"route": SHAPE_NAMES[shape_of(any_route(data["route"]))], "cell": data["cell"]}
                if data["from"] == "die":
                    return m("drew the {route} in {cell}", **drew)
                return m("drew the {route} in {cell} ({origin})", **drew, origin=_ORIGINS[data["from"]])
            case "turn":
                what = listed(map(_moved_words, data["moves"]))
                return m("photographed {what}", what=what) if what else m("photographed nothing new")
            case "report":
                cells = len(data["cells"])
                return nm("reported a board of {n} cell", "reported a board of {n} cells", cells)
            case _:
                return _expansion_words(kind, data)

    def asides(self, view: JsonObject) -> list[Aside]:
        """The goals in play, who has them, and where on their boards."""
        parts = {row["seat"]: msgspec.convert(row["parts"], Score) for row in view["scores"]}
        cells = {(one.goal, seat): one.cells for seat, score in parts.items() for one in score.goals}
        return [
            Aside(
                goal["goal"],
                _until(goal["says"], goal["deadline"]),
                tuple((int(seat), points) for seat, points in goal["points"].items()),
                {int(seat): cells.get((goal["goal"], int(seat)), ()) for seat in goal["points"]},
            )
            for goal in view["goals"]
        ]


def _lies(view: JsonObject) -> bool:
    """Return True if this round's dice have been rolled."""
    return bool(view["dice"] or view.get("extra"))


def _face_words(face: str) -> str:
    return SHAPE_NAMES[face] if face in SHAPE_NAMES else face_words(face)


def _moved_words(move: JsonObject) -> str:
    """A route or a placement of a photographed round."""
    if "uses" in move:
        return _placed_words(move)
    shape = SHAPE_NAMES[shape_of(any_route(move["route"]))]
    return m("{route} in {cell}", route=shape, cell=move["cell"])


def _expansion_words(kind: str, data: JsonObject) -> str:
    """What was done with an expansion; else a seat was done."""
    if kind == "place":
        return m("used {what}", what=_placed_words(data))
    if kind == "star":
        points = data["points"]
        return nm("counted {n} point of the expansion", "counted {n} points of the expansion", points)
    return m("was done")


def _placed_words(data: JsonObject) -> str:
    """An expansion's dice and where something came of them."""
    what = joined(", ", map(face_words, data["uses"])) or data.get("special", "")
    where = ", ".join([*([data["cell"]] if "cell" in data else []), *data.get("marks", {})])
    return m("{what} ({where})", what=what, where=where) if where else what


def _stars(parts: Score) -> list[ScoreRow]:
    """An eighth row, only where an expansion counts."""
    lines = [ScoreLine(line.says, line.points, line.cells) for line in parts.stars]
    if parts.by_hand and lines:
        lines.append(ScoreLine(m("Counted by hand"), parts.by_hand))
    return [ScoreRow(m("Expansion"), parts.expansion, tuple(lines))] if parts.expansion or lines else []


def _until(goal: str, number: int | None) -> str:
    """A goal; in a solo match also until which round it brings how much."""
    if number is None:
        return goal
    return m(
        "{goal} ({points} points until round {number}, then {late})",
        goal=goal,
        points=GOAL_RACE.solo_in_time,
        number=number,
        late=GOAL_RACE.solo_late,
    )


def _network(network: NetworkScore) -> ScoreLine:
    exits = network.exits
    says = m("Network of {count} exits: {exits}", count=len(exits), exits=listed(exits))
    return ScoreLine(says, network.value, network.cells)


def _longest(kind: str, longest: LongestScore) -> tuple[ScoreLine, ...]:
    if not longest.length:
        return ()
    through = {"cells": ", ".join(longest.cells), "again": again_words(longest)}
    says = (
        m("Highway through {cells}{again}", **through)
        if kind == "highway"
        else m("Railway through {cells}{again}", **through)
    )
    return (ScoreLine(says, longest.length, longest.cells),)


def _cells(why: str, cells: tuple[str, ...], points: int) -> tuple[ScoreLine, ...]:
    return (ScoreLine(joined(": ", [why, listed(cells)]), points, cells),) if cells else ()


def _goal(goal: GoalScore) -> ScoreLine:
    return ScoreLine(goal_words(goal), goal.points, goal.cells)
