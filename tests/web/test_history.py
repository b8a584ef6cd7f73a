"""The history of many matches: lines that are remembered, players over time, a chart of them."""

from __future__ import annotations

import re

from flask import Flask
from flask.testing import FlaskClient
from markupsafe import escape

from companion.game.base import Action
from companion.service.service import Service
from companion.table.coaching import Priced
from companion.table.match import Match
from tests.web.houses import accepted, begin, play_rounds
from web.pages.history import HistoryBook, Played, Result, players_over_time
from web.pages.people import person_record
from web.ui import presenter_of
from web.ui.charts import Curve, chart, results_chart
from web.ui.costs import seat_costs
from web.ui.moments import moments
from web.ui.progress import progress, rounds, step_of
from web.ui.timeline import event_line, event_words


def finished(title: str, began: str, *results: tuple[str, int], ended: bool = False) -> Played:
    """A match; the first of its results won."""
    found = tuple(Result(name, place, total) for place, (name, total) in enumerate(results, start=1))
    return Played(began, title, began, finished=True, ended=ended, results=found)


MATCHES = [
    finished("Railroad Ink", "2026-05-03", ("North", 50), ("East", 48)),
    finished("Railroad Ink", "2026-05-01", ("East", 40), ("North", 35)),
    finished("SPIKE", "2026-05-02", ("South", 210), ("East", 190)),
    finished("Railroad Ink", "2026-05-02", ("East", 44)),
    finished("Railroad Ink", "2026-05-04", ("North", 5), ended=True),
]


def test_each_game_has_its_own_players_and_its_own_points() -> None:
    ink, spike = players_over_time(MATCHES)
    assert (ink.title, ink.days) == ("Railroad Ink", ("2026-05-01", "2026-05-02", "2026-05-03"))
    east, north = ink.players
    assert (east.name, east.wins, east.matches, east.best, east.mean) == ("East", 1, 3, 48, 44.0)
    assert (north.totals, north.numbers) == ((35, 50), (0, 2)), "he was not there the second time"
    assert [player.name for player in spike.players] == ["South", "East"]


def test_the_chart_tells_players_apart_without_colours_and_in_words() -> None:
    (ink, _) = players_over_time(MATCHES)
    picture = str(results_chart(ink))
    assert 'role="img" aria-label="Railroad Ink: points by match, at the end: East 48; North 50"' in picture
    assert re.findall(r"trace (dash-\d)", picture) == ["dash-0", "dash-1"]
    assert picture.count("<circle") == len(ink.players[0].totals)
    assert picture.count("<polygon") == len(ink.players[1].totals)
    names = [float(y) for y in re.findall(r'<text x="[\d.]+" y="([\d.]+)">(?:East|North)<', picture)]
    assert len(names) == 2
    assert abs(names[0] - names[1]) >= 15, "names do not lie on each other"


def test_whoever_stopped_earlier_has_a_mark_before_the_name() -> None:
    short = Curve("Maximilian the Great", "red", "circle", [(0, 5)])
    whole = Curve("East", "blue", "square", [(0, 1), (1, 2)])
    picture = str(chart("Points", [short, whole], ["a", "b"]))
    assert picture.count("<circle") == 2
    assert ">Maximilian th…<" in picture
    assert "Maximilian the Great 5" in picture, "the words have the whole name"


def test_labels_leave_each_other_room_and_lines_are_at_round_numbers() -> None:
    days = [f"2026-05-{day:02}" for day in range(1, 31)]
    picture = str(chart("Points", [Curve("East", "red", "circle", [(n, 1300 * n) for n in range(30)])], days))
    labels = re.findall(r'class="label">([^<]+)<', picture)
    assert (labels[0], labels[-1]) == ("2026-05-01", "2026-05-30")
    assert 2 <= len(labels) <= 5
    rules = [int(value) for value in re.findall(r'class="value">(\d+)<', picture)]
    assert 3 <= len(rules) <= 8
    assert all(value % 1000 == 0 for value in rules)


def test_lines_of_matches_that_are_over_are_remembered_until_they_change(house: Service) -> None:
    begin(house, "East", "North")
    asked: list[str] = []

    def find(match_id: str) -> Match:
        asked.append(match_id)
        found = house.table.match(match_id)
        assert found is not None
        return found

    book = HistoryBook()
    for _ in range(2):
        assert not book.line(house.history.matches()[0], find).finished
    assert asked == ["m1", "m1"], "one under way changes all the time"
    play_rounds(house, 7)
    lines = [book.line(house.history.matches()[0], find) for _ in range(3)]
    assert len(asked) == 3
    assert lines[0] is lines[2]
    names = {result.name for result in lines[0].results}
    assert names == {"East", "North"}
    accepted(house, Action("sit", 2, {"name": "Northern", "colour": "blue", "shape": "square"}))
    assert "Northern" in {result.name for result in book.line(house.history.matches()[0], find).results}


def test_the_page_has_a_chart_as_soon_as_there_is_something_to_compare(
    client: FlaskClient, app: Flask, house: Service
) -> None:
    begin(house, "East", "North")
    play_rounds(house, 7)
    assert "chart" not in client.get("/history").get_data(as_text=True).partition("<main")[2]
    begin(house, "East", "<b>South</b>")
    play_rounds(house, 7, seed=4)
    page = client.get("/history").get_data(as_text=True)
    assert "Players of Railroad Ink" in page
    assert 'class="chart"' in page
    assert "<b>South</b>" not in page
    assert "&lt;b&gt;South" in page
    assert 'role="region"' not in page, "the tables lie within the regions that are named after them"


def test_what_was_taken_back_is_told(house: Service) -> None:
    begin(house, "East")
    accepted(house, Action("roll", data={"faces": ["NS", "ne", "N*", "NS|ew"]}))
    accepted(house, Action("draw", 1, {"cell": "b1", "route": "NS", "from": "die"}))
    accepted(house, Action("undo", 1))
    match = house.table.current
    assert match is not None
    line = event_line(match, match.events[-1], None)
    assert (line.data["what"], line.data["undone"]["cell"]) == ("draw", "b1")
    told = str(event_words(presenter_of(match.game), line))
    assert told.startswith("took back: ")
    assert "b1" in told


def test_a_person_over_the_years() -> None:
    matches = [
        *MATCHES,
        finished("SPIKE", "2025-12-27", ("South", 250), ("East", 180)),
        finished("SPIKE", "2025-12-28", ("South", 240), ("East", 190)),
    ]
    east = person_record("East", matches, ["Railroad Ink", "SPIKE", "Derailed!"])
    assert east is not None
    assert [(one.year, one.matches, one.wins) for one in east.years] == [("2026", 4, 1), ("2025", 2, 0)]
    ink, spike = east.games
    assert (ink.title, ink.best, ink.best_match.began, ink.wins) == ("Railroad Ink", 48, "2026-05-03", 1)
    assert spike.wins == 0
    assert [(one.name, one.matches, one.ahead, one.behind) for one in east.rivals] == [
        ("South", 3, 0, 3),
        ("North", 2, 1, 1),
    ]
    told = {one.says: one.so_far for one in east.challenges}
    assert told["Railroad Ink: 50 or more"] == "never over 48 yet"
    assert told["Railroad Ink: 2 wins in a row"] == "never more than 1 yet"
    assert told["A first match of Derailed!"] == "never yet"
    assert told["To be ahead of South"] == "not once in 3 matches"
    assert "SPIKE: 1 wins in a row" not in told, "one win comes before several in a row"
    assert person_record("Nobody", matches, []) is None
    broken = person_record("West", [finished("SPIKE", "2026-05-05", ("West", 3), ended=True)], [])
    assert broken is not None, "who was only in a match that was ended early has a page, too"
    assert (broken.years, broken.games) == ((), ())


def test_after_an_early_end_names_are_links_and_no_round_is_shown_that_nobody_played(
    app: Flask, house: Service
) -> None:
    match_id = begin(house, "East", "North")
    play_rounds(house, 3)
    accepted(house, Action("end"))
    match = house.table.match(match_id)
    assert match is not None
    assert [step.label for step in progress(match)] == ["1", "2", "3"]
    client = app.test_client()
    assert '<a href="/history/person?name=East">East</a>' in client.get("/history").text
    page = client.get("/history/person?name=East").text
    assert "ended early, does not count" in page
    assert "No match was played to its end yet." in page


def test_the_page_of_a_person_and_who_is_nobody(app: Flask, house: Service) -> None:
    begin(house, "East", "<b>North")
    play_rounds(house, 99)
    client = app.test_client()
    page = client.get("/history/person?name=%3Cb%3ENorth").get_data(as_text=True)
    assert "&lt;b&gt;North" in page
    assert "<b>North" not in page
    assert "never over" in page
    assert "/history/person?name=%3Cb%3ENorth" in client.get("/history").get_data(as_text=True)
    assert client.get("/history/person?name=Anna").status_code == 404


def test_the_moments_of_a_match_stand_in_its_report(app: Flask, house: Service) -> None:
    begin(house, "East", "North")
    play_rounds(house, 99)
    match = house.table.current
    assert match is not None
    played = list(rounds(match))
    found = moments(match, played, [step_of(match, one) for one in played])
    assert [one.says for one in found if "the most in one round" in one.says], "somebody had the best round"
    goals = sum(
        len(aside.points or ())
        for aside in presenter_of(match.game).asides(match.game.view(match.state, None))
    )
    assert sum(": " in one.says and "+" in one.says for one in found) == goals
    assert [int(one.round) for one in found] == sorted(int(one.round) for one in found)
    page = app.test_client().get("/match/current").get_data(as_text=True)
    assert all(str(escape(one.says)) in page for one in found)


def test_what_drawings_cost_is_told_of_seats_of_which_every_round_is_known() -> None:
    def round_(seat: int, number: int, cost: float) -> Priced:
        return Priced(seat, {"round": number, "worth": 40.0, "cost": cost, "error": 0.3}, None, None)

    told = [round_(1, 1, 2.0), round_(1, 2, 0.0), round_(2, 1, 0.0), round_(1, 3, 1.5)]
    (one,) = seat_costs(told, (1, 2), 3)
    assert (one.seat, one.cost, one.dearest) == (1, 3.5, 1), "of seat 2 two rounds are missing"
    assert round(one.error, 2) == 0.52
