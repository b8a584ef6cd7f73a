"""The owner's files for a game, such as genuine cards or corrections of a map: checked, then stored."""

from __future__ import annotations

from companion.core.errors import GameError
from companion.core.messages import m
from web.access.people import host_only
from web.api.operations import operation
from web.api.shapes import OptionText, Said
from web.exc import WebError
from web.pages.owners import keep_option, kept_options
from web.site import site


@operation(
    "POST",
    "/host/options",
    "Check and keep an owner's file for a game (host)",
    Said,
    body=OptionText,
    problems=(403, 404),
    allowed=host_only,
)
def keep(body: OptionText) -> Said:
    """422 with every fault and its line when the rules cannot play with it; new matches may then use it."""
    game = site().service.games.get(body.game)
    if game is None or body.option not in game.file_options:
        raise WebError(404, "no-option", m("there is no game here with such a file"))
    kept = kept_options(site().service.store, game)
    try:
        faults = game.option_faults({**kept, body.option: body.text})
    except GameError as problem:
        raise WebError(422, problem.code, problem.message) from None
    own = [fault for fault in faults if fault.startswith(f"{body.option},")] or faults
    if own:
        more = len(own) - 1
        message = m("{fault}, and {more} more", fault=own[0], more=more) if more else own[0]
        raise WebError(422, "bad-option", message, {"faults": own})
    keep_option(site().service.store, game.name, body.option, body.text)
    return Said(m("checked and saved: new matches can use it"))
