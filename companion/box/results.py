"""What was played, for other programs: CSV for spreadsheets, JSON, and links to the Board Game Stats app."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable
from io import StringIO
from urllib.parse import quote

import msgspec

from companion.games.contract import Plain
from companion.table.match import Match
from companion.table.standings import standings

BGSTATS = "https://app.bgstatsapp.com/createPlay.html?data="
_COLUMNS = ("match", "game", "began", "finished", "seat", "player", "place", "total")


def results_json(matches: Iterable[Match]) -> str:
    """Every player's result of every match as one line of JSON."""
    rows = [row for match in matches for row in _result_rows(match)]
    return msgspec.json.encode(rows).decode() + "\n"


def results_csv(matches: Iterable[Match]) -> str:
    """The same for spreadsheets, without the parts of the scores."""
    text = StringIO()
    writer = csv.DictWriter(text, fieldnames=_COLUMNS, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    for match in matches:
        for row in _result_rows(match):
            writer.writerow({**row, "player": _spreadsheet_safe(row["player"])})
    return text.getvalue()


def _result_rows(match: Match) -> list[Plain]:
    return [
        {
            "match": match.id,
            "game": match.game.name,
            "began": match.events[0].at,
            "finished": match.finished,
            "seat": row["seat"],
            "player": match.players[row["seat"]].name,
            "place": row["place"],
            "total": row["total"],
            "score": row,
        }
        for row in standings(match)
    ]


def _spreadsheet_safe(name: str) -> str:
    """A name beginning like a formula would be run by a spreadsheet.

    >>> _spreadsheet_safe("=1+1")
    "'=1+1"
    """
    return f"'{name}" if name.startswith(("=", "+", "-", "@", "\t")) else name


def bgstats_link(match: Match) -> str:
    """A link that opens the Board Game Stats app with this play filled in."""
    play = {
        "sourceName": "Stationmaster",
        "sourcePlayId": match.id,
        "playDate": match.events[0].at[:19].replace("T", " "),
        "game": {"name": match.game.title, "highestWins": True, "sourceGameId": match.game.name},
        "players": [
            {
                "name": match.players[row["seat"]].name,
                "sourcePlayerId": match.players[row["seat"]].person or f"{match.id}-{row['seat']}",
                "score": row["total"],
                "rank": row["place"],
                "winner": row["place"] == 1,
            }
            for row in standings(match)
            if row["place"] is not None
        ],
    }
    return BGSTATS + quote(json.dumps(play, separators=(",", ":")))
