"""Railroad Ink on the page: sentences for its view and score; the drawing is in :mod:`.art`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from companion.core.jsontext import builtins_of
from companion.core.messages import listed
from companion.games.contract import Plain
from companion.games.railroad_ink.page import art, controls, levels, marking, signs
from companion.games.railroad_ink.page.expanding import face_words
from companion.games.railroad_ink.page.lesson import RailroadInkLesson
from companion.games.railroad_ink.page.quick import quick_board
from companion.games.railroad_ink.page.tapped_walls import ADDRESS
from companion.games.railroad_ink.rules.expansions.tables import known_expansion, table_of
from companion.games.railroad_ink.rules.explained import again_words, error_words, goal_words
from companion.games.railroad_ink.rules.goals import BOXES, GOALS
from companion.games.railroad_ink.rules.position import read_position
from companion.games.railroad_ink.rules.routes import any_route, shape_of
from companion.games.railroad_ink.rules.rulebook import GOAL_RACE
from companion.games.railroad_ink.rules.scoring import (
    GoalScore,
    LongestScore,
    NetworkScore,
    Score,
    score,
    score_json,
)
from companion.games.railroad_ink.rules.state import State
from companion.games.railroad_ink.rules.words import SHAPE_NAMES, route_words
from web.ui.parts import Aside, Die, EditorLink, PhotoSheet, Presenter, ScoreLine, ScoreRow
from web.ui.speaking import Markup

_ORIGINS = {
    "factory": "doubled by a Factory",
    "special": "special route",
    "university": "free, for the third University",
    "copy": "a die drawn twice",
    "given": "given",
}


class RailroadInkPresenter(Presenter[State]):
    """Both editions."""

    style_sheet = "railroad-ink/page.css"
    screen_sheet = "railroad-ink/screen.css"
    play_script = "railroad-ink/play.js"
    editor = marking.walls
    editor_links = (EditorLink("walls", "Tap them on a board", ADDRESS),)
    asides_title = "Goals"
    lesson = RailroadInkLesson()

    controls = staticmethod(controls.controls)
    quick = staticmethod(quick_board)

    @property
    def sprite(self) -> Markup:
        """All routes, exits and buildings."""
        return art.sprite()

    def headline(self, view: Plain) -> str:
        """The round."""
        if view["finished"]:
            tie = view["scores"][0]["tie"]
            return f"Final score: {tie}" if tie else "Final score"
        return f"Round {view['round']} of {view['rounds']}"

    def status(self, view: Plain, names: Mapping[int, str]) -> str:
        """Who or what the round waits for."""
        if view["mode"] == "scorekeeper":
            return f"Boards are reported as they are drawn; final so far: {len(view['done'])} of {len(names)}"
        if not _lies(view):
            return "The dice are rolled next"
        idle = {*view["done"], *view["out"]}
        drawing = [name for seat, name in names.items() if seat not in idle]
        return f"Drawing: {listed(drawing)}"

    def awaited(self, view: Plain) -> list[int]:
        """Who still draws; before a roll, and where boards are only reported, nobody in particular."""
        if view["mode"] == "scorekeeper" or not _lies(view):
            return []
        return [int(seat) for seat in view["boards"] if int(seat) not in {*view["done"], *view["out"]}]

    def dice(self, view: Plain) -> list[Die]:
        """The route dice, and an expansion's."""
        return [self.face(text) for text in (*view["dice"], *view.get("extra", ()))]

    def dice_view(self, state: State) -> Plain:
        """What lies on the table, and which edition's and expansion's dice they are."""
        options = builtins_of(state.options)
        return {"options": options, "dice": list(state.dice), "extra": list(state.extra)}

    def face(self, face: str) -> Die:
        """One face of a route die, or of an expansion's."""
        words = _face_words(face)
        return Die(art.face(face, words) if face in SHAPE_NAMES else signs.face(face, words), words)

    def blank_dice(self, view: Plain) -> int:
        """Four, and those of an expansion."""
        name = view["options"].get("expansion", "")
        table = table_of(name) if known_expansion(name) else None
        routes = len(art.edition_of(view).dice)
        if table is None:
            return routes
        return max(routes, len(table.roll)) if table.second_board else routes + len(table.roll)

    def board(self, view: Plain, seat: int, name: str) -> Markup:
        """The seat's board."""
        count = len(view["boards"][str(seat)]["cells"])
        layout = art.edition_of(view).layout
        written = view.get("marks", {}).get(str(seat), {})
        label = f"Board of {name}: {count} of {len(layout.cells)} cells drawn; described below"
        if levels.below_now(view):
            return levels.board_below(view, seat, f"Board below ground of {name}; described below")
        if levels.two_levels(view):
            return levels.board_above(view, seat, label, Markup(""))
        marks = signs.marks_on_board(written, view["boards"][str(seat)]["cells"], layout)
        return art.board(view, seat, label, marks)

    def board_words(self, view: Plain, seat: int) -> list[tuple[str, str]]:
        """What was drawn in each round."""
        drawn = view["boards"][str(seat)]
        by_round: dict[int, list[str]] = {}
        for cell, route in drawn["cells"].items():
            by_round.setdefault(drawn["rounds"].get(cell, 0), []).append(f"{cell}: {route_words(route)}")
        better = view["better"].get(str(seat))
        shown = [
            (f"Round {number}" if number else "Drawn", "; ".join(routes))
            for number, routes in sorted(by_round.items())
        ]
        shown += levels.words_below(view, seat) if levels.two_levels(view) else []
        return [*shown, ("More dice", better["says"])] if better else shown

    def beside_board(self, view: Plain, seat: int) -> Markup:
        """What is left and what is won on the board, and the row of special routes."""
        told = view["boards"][str(seat)]
        if art.edition_of(view).copies:
            return art.stock(view, seat, told["copies"])
        specials = art.special_routes(told["specials"], SHAPE_NAMES)
        stock = art.stock(view, seat, levels.copies_left(view, seat))
        return stock + specials + levels.other_level(view, seat)

    def score_rows(self, row: Plain) -> list[ScoreRow]:
        """Seven rows, always the same; an eighth only where an expansion counts."""
        parts = msgspec.convert(row["parts"], Score)
        tie = str(row.get("tie", ""))
        middle = _cells("In the middle nine cells", parts.centre, row["centre"])
        open_ends = bool(row.get("so_far", {}).get("note"))
        errors = [ScoreLine(error_words(end), None if open_ends else -1, (end.cell,)) for end in parts.errors]
        remarks = [ScoreLine(f"{tie[0].upper()}{tie[1:]}", None)] if tie else []
        return [
            ScoreRow("Exits", row["exits"], tuple(map(_network, parts.networks))),
            ScoreRow("Longest highway", row["highway"], _longest("highway", parts.highway), "Highway"),
            ScoreRow("Longest railway", row["railway"], _longest("railway", parts.railway), "Railway"),
            ScoreRow("Centre", row["centre"], middle),
            ScoreRow("Villages", row["villages"], _cells("With a station", parts.villages, row["villages"])),
            ScoreRow("Goals", row["goals"], tuple(map(_goal, parts.goals))),
            ScoreRow("Open ends", len(errors), tuple(errors), counts=False)
            if open_ends
            else ScoreRow("Errors", row["errors"], (*errors, *remarks)),
            *_stars(parts),
        ]

    def position_rows(self, position: Plain) -> list[ScoreRow]:
        """A board without a match."""
        one = score(read_position(position))
        return self.score_rows({**score_json(one), "parts": builtins_of(one)})

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
            sheet="The board",
            entered=("Entered: {n} new route", "Entered: {n} new routes"),
            look="die",
            asks="What is drawn in",
            none="Nothing new is drawn",
            corners="the corners of the 7 by 7 grid",
            teachable=True,
        )

    def rematch_options(self, setup: Plain, scores: Sequence[Plain]) -> Plain:
        """Goals are drawn again, if there were any; from one box, if they may have come from one."""
        options: Plain = setup["options"]
        goals = {code for code in options["goals"] if code in GOALS}
        box = next((box for box, cards in BOXES.items() if goals <= set(cards)), "draw")
        return {**options, "goals": box if goals else "none"}

    def event_words(self, kind: str, data: Plain) -> str:
        """A roll, a route, a board."""
        match kind:
            case "roll":
                return f"rolled {listed([_face_words(face) for face in data['faces']])}"
            case "draw":
                origin = "" if data["from"] == "die" else f" ({_ORIGINS[data['from']]})"
                return f"drew the {SHAPE_NAMES[shape_of(any_route(data['route']))]} in {data['cell']}{origin}"
            case "turn":
                return f"photographed {listed([*map(_moved_words, data['moves'])]) or 'nothing new'}"
            case "report":
                return f"reported a board of {len(data['cells'])} cells"
            case _:
                return _expansion_words(kind, data)

    def asides(self, view: Plain) -> list[Aside]:
        """The goals in play and who has them."""
        return [
            Aside(
                goal["goal"],
                _until(goal["says"], goal["deadline"]),
                tuple((int(seat), points) for seat, points in goal["points"].items()),
            )
            for goal in view["goals"]
        ]


def _lies(view: Plain) -> bool:
    """Do this round's dice lie on the table?"""
    return bool(view["dice"] or view.get("extra"))


def _face_words(face: str) -> str:
    return SHAPE_NAMES[face] if face in SHAPE_NAMES else face_words(face)


def _moved_words(move: Plain) -> str:
    """A route or a placement of a photographed round."""
    if "uses" in move:
        return _placed_words(move)
    return f"{SHAPE_NAMES[shape_of(any_route(move['route']))]} in {move['cell']}"


def _expansion_words(kind: str, data: Plain) -> str:
    """What was done with an expansion; else a seat was done."""
    if kind == "place":
        return f"used {_placed_words(data)}"
    if kind == "star":
        return f"counted {data['points']} points of the expansion"
    return "was done"


def _placed_words(data: Plain) -> str:
    """An expansion's dice and where something came of them."""
    what = ", ".join(map(face_words, data["uses"])) or data.get("special", "")
    where = ", ".join([*([data["cell"]] if "cell" in data else []), *data.get("marks", {})])
    return f"{what} ({where})" if where else what


def _stars(parts: Score) -> list[ScoreRow]:
    """An eighth row, only where an expansion counts."""
    lines = [ScoreLine(line.says, line.points, line.cells) for line in parts.stars]
    if parts.by_hand and lines:
        lines.append(ScoreLine("Counted by hand", parts.by_hand))
    return [ScoreRow("Expansion", parts.expansion, tuple(lines))] if parts.expansion or lines else []


def _until(goal: str, number: int | None) -> str:
    """A goal; in a solo match also until which round it brings how much."""
    if number is None:
        return goal
    return f"{goal} ({GOAL_RACE.solo_in_time} points until round {number}, then {GOAL_RACE.solo_late})"


def _network(network: NetworkScore) -> ScoreLine:
    exits = network.exits
    return ScoreLine(f"Network of {len(exits)} exits: {listed(list(exits))}", network.value, network.cells)


def _longest(kind: str, longest: LongestScore) -> tuple[ScoreLine, ...]:
    if not longest.length:
        return ()
    says = f"{kind.capitalize()} through {', '.join(longest.cells)}{again_words(longest)}"
    return (ScoreLine(says, longest.length, longest.cells),)


def _cells(why: str, cells: tuple[str, ...], points: int) -> tuple[ScoreLine, ...]:
    return (ScoreLine(f"{why}: {listed(list(cells))}", points, cells),) if cells else ()


def _goal(goal: GoalScore) -> ScoreLine:
    return ScoreLine(goal_words(goal), goal.points, goal.cells)
