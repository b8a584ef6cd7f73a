"""Questions to the rules for planning (costs, routes), which change nothing."""

from __future__ import annotations

from companion.core.errors import GameError
from companion.core.jsontext import read_object
from companion.core.messages import m
from companion.game.base import Action, Refusal
from companion.table.match import Match
from web.access.people import person
from web.api.operations import operation
from web.api.shapes import Question, RulesAnswer
from web.exc import WebError
from web.site import find_match
from web.ui.naming import told_by_name


@operation(
    "GET",
    "/matches/<match>/ask",
    "Ask the rules, for a plan (a seat)",
    RulesAnswer,
    query=Question,
    problems=(403, 404, 409),
)
def ask(match: str, query: Question) -> RulesAnswer:
    """Answer from what the seat may see; 409 with the reason if the rules have no answer."""
    found = find_match(match)
    seat = person().seat_in(found)
    if seat is None:
        raise WebError(403, "no-seat", m("take a seat first"))
    return answered(found, seat, query)


def answered(match: Match, seat: int, query: Question) -> RulesAnswer:
    """What the rules say to a seat's question; an error with the reason if they have no answer."""
    if not match.game.answers_questions:
        raise WebError(
            404,
            "no-answers",
            m("{title} cannot answer questions: ask for the legal actions", title=match.game.title),
        )
    try:
        data = read_object(query.data.encode())
        answer = match.game.ask(match.state, seat, Action(query.about, seat, data))
    except GameError as problem:
        raise WebError(422, problem.code, problem.message) from None
    if isinstance(answer, Refusal):
        raise WebError(409, answer.code, answer.message, answer.detail)
    return RulesAnswer(query.about, told_by_name(answer, match.players))
