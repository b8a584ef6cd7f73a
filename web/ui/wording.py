"""Messages of the rules as people read them: players by name, events by what happened, places in words.

The rules speak to programs as well: of seats, events and places by their numbers and names in files.
Programs find those in the details beside a sentence.
"""

from __future__ import annotations

from companion.core.messages import EventRef, Message, m, replaced
from companion.table.match import Match
from web.ui import presenter_of
from web.ui.naming import by_name
from web.ui.timeline import event_line, event_words


def for_people(words: str, match: Match) -> str:
    """Return a message of the rules as people of this match read it."""
    presenter = presenter_of(match.game)

    def told(value: object) -> object | None:
        if not isinstance(value, EventRef) or not 0 < value.number <= len(match.events):
            return None
        line = event_line(match, match.events[value.number - 1], None)
        who = match.players[line.seat].name if line.seat in match.players else m("the table")
        return m("what came later ({who} {line})", who=who, line=event_words(presenter, line))

    if isinstance(words, Message):
        words = replaced(words, told)
    plain = presenter.plain(words, match.state)
    return by_name(words if plain == words else plain, match.players)
