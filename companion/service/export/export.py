"""What was played, written for other programs in the form they read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

from companion.service.export.elsewhere import Elsewhere, elsewhere_of
from companion.service.export.results import bgg_plays, bgstats_link, results_csv, results_json, rows_csv
from companion.table.journal import line_of
from companion.table.match import Match

ExportForm: TypeAlias = Literal["csv", "rows", "json", "bgg", "journal"]


class Export:
    """With the numbers and the place that the owner has entered; ``setting`` is where they are kept."""

    def __init__(self, setting: Callable[[str], str | None]) -> None:
        self._setting = setting

    def write(self, matches: Sequence[Match], form: ExportForm) -> str:
        """Export results or whole matches in the given format."""
        match form:
            case "journal":
                return "".join(line_of(event).decode() for match in matches for event in match.events)
            case "bgg":
                return bgg_plays(matches, self._elsewhere)
            case "csv":
                return results_csv(matches)
            case "rows":
                return rows_csv(matches)
            case "json":
                return results_json(matches)

    def bgstats_link(self, match: Match) -> str:
        """A link that opens the Board Game Stats app with this play filled in."""
        return bgstats_link(match, self._elsewhere(match))

    def _elsewhere(self, match: Match) -> Elsewhere:
        return elsewhere_of(match, self._setting)
