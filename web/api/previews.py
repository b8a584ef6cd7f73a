"""Previews of what a step would bring, before it is confirmed."""

from __future__ import annotations

from companion.core.messages import m
from companion.game.base import Action, Refusal
from companion.table.match import Match
from companion.table.previews import previewed
from web.access.people import person
from web.api.matches import problem_of
from web.api.operations import operation
from web.api.shapes import ActionRequest, Foreseen
from web.exc import WebError
from web.site import find_match
from web.ui import presenter_of
from web.ui.scene import scene_of


@operation(
    "POST",
    "/matches/<match>/preview",
    "The effect of an action, without performing it (a seat)",
    Foreseen,
    body=ActionRequest,
    problems=(403, 404, 409),
)
def preview(match: str, body: ActionRequest) -> Foreseen:
    """Preview a step that could be undone; a refusal is the same as that of the action itself."""
    found = find_match(match)
    seat = person().seat_in(found)
    if seat is None:
        raise WebError(403, "no-seat", m("take a seat first"))
    after = previewed(found, Action(body.kind, body.seat, body.data), person().actor(found))
    if isinstance(after, Refusal):
        raise problem_of(after)
    return foreseen(found, after, seat)


def foreseen(before: Match, after: Match, seat: int) -> Foreseen:
    """What a step brings to a seat: the match before it and after it."""
    presenter, scene = presenter_of(before.game), scene_of(after, seat)
    board = scene.shared_board or (scene.mine.board if scene.mine else "")
    says = presenter.foreseen(before.state, after.state, seat, before.players)
    return Foreseen(before.id, before.version, str(board), says)
