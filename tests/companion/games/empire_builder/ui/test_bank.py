"""The bank on the page, where borrowing was agreed on: what is owed, forms with their limits, and Undo."""

from __future__ import annotations

from flask import Flask
from flask.testing import FlaskClient

from companion.core.records import replaced
from companion.game.base import Action
from companion.game.registry import GAMES
from companion.games.empire_builder.rules.match.state import State, Turn
from companion.games.empire_builder.ui import words
from companion.games.empire_builder.ui.controls import controls
from companion.games.empire_builder.ui.presenter import EmpireBuilderPresenter
from companion.service.service import Service
from companion.table.match import Match
from companion.table.replay import verified
from companion.table.seats import default_player
from tests.companion.games.empire_builder.rules.tables import GAME, after, begun, train_at, with_cash
from tests.web.houses import accepted
from tests.web.people import get, good, post, seated

PRESENTER = EmpireBuilderPresenter()
NAMES = {1: "East", 2: "North"}


def lending() -> State:
    return replaced(begun(borrow="double"), round=3, turn=Turn())


def current(house: Service) -> Match:
    match = house.table.current
    assert match is not None
    return match


def test_what_is_owed_stands_beside_the_cash_everywhere() -> None:
    state = after(lending(), "borrow", 1, amount=6)
    view, players = GAME.view(state, 2), {seat: default_player(seat) for seat in state.players}
    assert "56 of 250, owes 12" in PRESENTER.beside_shared(view, players)
    assert PRESENTER.board_words(view, 1)[0] == ("Bank", "owes 12 million")
    assert PRESENTER.board_words(view, 2)[0][0] == "Train"
    assert PRESENTER.shared_words(view, players)[0][1].endswith("; owes 12 million")
    for row in view["scores"]:
        rows = {one.name: one.points for one in PRESENTER.score_rows(row)}
        assert sum(rows.values()) == row["total"]
        assert rows["Still owed"] == (-12 if row["seat"] == 1 else 0)


def test_the_score_sheet_has_no_bank_where_nothing_is_lent() -> None:
    (row, _) = GAME.score(begun())
    assert "Borrowed" not in [one.name for one in PRESENTER.score_rows(row)]
    assert controls(begun(), 1).told["bank"] is None


def test_a_delivery_says_what_goes_to_the_bank() -> None:
    state = lending()
    demand = state.cards[state.players[1].hand[0]].demands[0]
    there = train_at(after(state, "borrow", 1, amount=1), 1, demand.city, loads=(demand.load,))
    notes = [
        button.note for button in controls(there, 1).told["buttons"] if button.action["kind"] == "deliver"
    ]
    assert notes == [f"+{demand.payout} million, 2 of it to the bank"]


def test_who_is_stuck_is_told_of_the_bank_as_long_as_it_lends() -> None:
    broke = with_cash(lending(), 1, 0)
    says = controls(broke, 1).told["say"]
    assert says.endswith("can help, or up to 20 million borrowed before you build.")
    told = words.stuck_words(GAME.view(broke, None), NAMES)
    assert told == ["East can do nothing any more that brings money, unless by borrowing"]
    spent = with_cash(after(broke, "borrow", 1, amount=20), 1, 0)
    assert words.stuck_words(GAME.view(spent, None), NAMES) == [
        "East can do nothing any more that brings money"
    ]
    assert controls(spent, 1).told["say"].endswith("can help.")


def test_borrowing_on_a_phone_and_taking_it_back(app: Flask, house: Service, client: FlaskClient) -> None:
    options = {"deal": "table", "first": 1, "borrow": "double"}
    accepted(house, Action("start", data={"game": "empire-builder", "players": ["", ""], "options": options}))
    east = seated(app, house, 1, "East")
    page = get(east, "/pieces?page=play")["pieces"]["controls"]
    assert 'id="eb-borrow"' in page
    assert 'max="20"' in page
    assert 'id="eb-repay"' not in page
    borrowed = good(post(east, "/matches/current/actions", {"kind": "borrow", "data": {"amount": 8}}))
    assert borrowed["data"] == {"amount": 8, "owed": 16}
    page = get(east, "/pieces?page=play")["pieces"]["controls"]
    assert "owes 16" in page
    assert "you owe 16 million" in page
    assert 'max="12"' in page
    good(post(east, "/matches/current/actions", {"kind": "repay", "data": {"amount": 16}}))
    assert "you owe nothing" in get(east, "/pieces?page=play")["pieces"]["controls"]
    match = current(house)
    told = [PRESENTER.event_words(event.kind, event.data) for event in match.events[-2:]]
    assert told == [
        "borrowed 8 million and owes the bank 16",
        "paid 16 million back to the bank: nothing is owed any more",
    ]
    for event in reversed(match.events[-2:]):
        good(post(east, "/matches/current/actions", {"kind": "undo", "data": {"seq": event.seq}}))
    east_now = current(house).state.players[1]
    assert (east_now.cash, east_now.owed) == (50, 0)
    verdict = verified(current(house).events, GAMES)
    assert verdict.fault is None
