"""Sentences of the rules as people read them: players by name, events by what happened, places in words.

The rules speak to programs as well: of seats, events and places by their numbers and names in files.
Programs find those in the details beside a sentence.
"""

from __future__ import annotations

import re

from companion.table.match import Match
from web.ui import presenter_of
from web.ui.naming import by_name
from web.ui.speaking import spoken
from web.ui.timeline import event_line, event_words

_FALLEN = re.compile(r"\bevent (?P<seq>\d+) would no longer stand\b")


def for_people(words: str, match: Match) -> str:
    """A sentence about this match."""
    presenter = presenter_of(match.game)

    def fallen(found: re.Match[str]) -> str:
        seq = int(found["seq"])
        if not 0 < seq <= len(match.events):
            return found[0]
        line = event_line(match, match.events[seq - 1], None)
        who = match.players[line.seat].name if line.seat in match.players else "the table"
        return f"what came later would no longer stand ({who} {spoken(event_words(presenter, line))})"

    told = presenter.plain(_FALLEN.sub(fallen, str(words)), match.state)
    return by_name(words if told == words else told, match.players)
