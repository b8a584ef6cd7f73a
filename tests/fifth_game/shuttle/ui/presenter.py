"""Shuttle on the page: what every game shows already, with a line of stops to look at and to tap."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.jsontext import JsonObject
from companion.core.messages import joined, m
from web.ui.parts import Controls, Presenter, ScoreLine, ScoreRow
from web.ui.speaking import Markup

from ..rules.game import State
from ..rules.line import ROUNDS, STOPS, offered, runs


class ShuttlePresenter(Presenter[State]):
    """One to six lines."""

    style_sheet = "shuttle/page.css"

    def headline(self, view: JsonObject) -> str:
        if view["finished"]:
            return m("Final score")
        return m("Round {round} of {rounds}", round=view["round"], rounds=ROUNDS)

    def status(self, view: JsonObject, names: Mapping[int, str]) -> str:
        """Who has not served yet."""
        if not view["dice"]:
            return m("The dice are thrown next")
        waiting = [name for seat, name in names.items() if seat not in view["done"]]
        return m("Serving: {names}", names=joined(", ", waiting))

    def blank_dice(self, view: JsonObject) -> int:
        """Two dice."""
        return 0 if view["finished"] else 2

    def board(self, view: JsonObject, seat: int, name: str) -> Markup:
        """A seat's line."""
        served = view["served"][str(seat)]
        stops = Markup("").join(
            Markup('<li class="stop{}">{}</li>').format(" served" if stop in served else "", stop)
            for stop in range(1, STOPS + 1)
        )
        return Markup('<ol class="line" aria-label="{}">{}</ol>').format(
            m("Line of {name}", name=name), stops
        )

    def board_words(self, view: JsonObject, seat: int) -> list[tuple[str, str]]:
        served = view["served"][str(seat)]
        return [(m("Served"), ", ".join(map(str, served)) or m("no stop yet"))]

    def score_rows(self, row: JsonObject) -> list[ScoreRow]:
        """One row with a line a run."""
        lines = tuple(ScoreLine(text, None) for text in row["lines"])
        return [ScoreRow(m("Runs"), row["total"], lines)]

    def position_rows(self, position: JsonObject) -> list[ScoreRow]:
        lines = tuple(
            ScoreLine(m("{n} in a row", n=len(run)), len(run) ** 2) for run in runs(position["stops"])
        )
        return [ScoreRow(m("Runs"), sum(line.points or 0 for line in lines), lines)]

    def controls(self, state: State, seat: int) -> Controls:
        """The stops that the dice offer, to be tapped."""
        open_stops = () if seat in state.done else offered(state.dice, state.served[seat])
        told = {
            "stops": range(1, STOPS + 1),
            "served": state.served[seat],
            "open": open_stops,
            "rolled": bool(state.dice),
            "done": seat in state.done,
        }
        return Controls("shuttle/controls.html", told)

    def event_words(self, kind: str, data: JsonObject) -> str:
        """A stop, or none."""
        return m("served stop {stop}", stop=data["stop"]) if kind == "serve" else m("found no stop to serve")
