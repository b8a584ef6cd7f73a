"""The state of a match for the club's hub: headline and status, and its position while watched."""

from __future__ import annotations

from companion.club.messages import TableState
from companion.club.records import standing_of
from companion.core.messages import Message, data_of, m
from companion.table.events import stored_of
from companion.table.match import Match
from companion.table.standings import as_it_counts, seen_match, standings
from web.ui import presenter_of
from web.ui.scene import scene_of


def table_state(match: Match, whole: bool) -> TableState:
    """Return the match as a watcher may see it; with the full position if ``whole``."""
    view = seen_match(match, None)
    presenter = presenter_of(match.game)
    names = {number: player.name for number, player in match.players.items()}
    status = scene_of(match, None).status if match.finished else presenter.status(view, names)
    number = view.get("round")
    headline = m("Ended early") if match.ended else presenter.headline(view)
    said = {"headline": headline, "status": status}
    return TableState(
        match.id,
        match.version,
        match.game.name,
        headline[:300],
        status[:300],
        [standing_of(match, row) for row in as_it_counts(match, view.get("scores") or standings(match))],
        match.finished,
        number if isinstance(number, int) else None,
        match.opening["setup"].get("options", {}),
        stored_of(view) if whole else None,
        {name: data_of(words) for name, words in said.items() if isinstance(words, Message)},
    )
