"""What was played, for other programs: CSV, JSON, the Board Game Stats app, BoardGameGeek."""

from __future__ import annotations

import csv
import json
import unicodedata
from collections.abc import Callable, Iterable
from io import StringIO
from urllib.parse import quote
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from companion.core.jsontext import JsonObject, json_of
from companion.service.export.elsewhere import NOT_SAID, Elsewhere
from companion.table.events import is_move
from companion.table.match import Match, in_effect
from companion.table.seats import is_seen
from companion.table.standings import has_won, standings
from companion.table.timing import minutes

BGSTATS = "https://app.bgstatsapp.com/createPlay.html?data="
_COLUMNS = ("match", "game", "began", "finished", "seat", "player", "place", "total")


def results_json(matches: Iterable[Match]) -> str:
    """Return every player's result of every match as one line of JSON."""
    rows = [row for match in matches for row in _result_rows(match)]
    return json_of(rows).decode() + "\n"


def results_csv(matches: Iterable[Match]) -> str:
    """Return every player's result of every match as CSV, without the parts of the scores."""
    text = StringIO()
    writer = csv.DictWriter(text, fieldnames=_COLUMNS, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    for match in matches:
        for row in _result_rows(match):
            writer.writerow({**row, "player": _spreadsheet_safe(row["player"])})
    return text.getvalue()


def _result_rows(match: Match) -> list[JsonObject]:
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
    """Quote a name that a spreadsheet would evaluate as a formula.

    So would one that begins like it once wide letters are taken as usual, and what is not seen is left out.

    >>> _spreadsheet_safe("=1+1"), _spreadsheet_safe("\uff1d1+1"), _spreadsheet_safe("Ada")
    ("'=1+1", "'\uff1d1+1", 'Ada')
    """
    usual = unicodedata.normalize("NFKC", "".join(one for one in name if is_seen(one)))
    return f"'{name}" if usual.startswith(("=", "+", "-", "@")) or name.startswith(("\t", "\r")) else name


def rows_csv(matches: Iterable[Match]) -> str:
    """Every part of every score, a line each, for spreadsheets."""
    text = StringIO()
    writer = csv.DictWriter(text, fieldnames=(*_COLUMNS, "row", "points"), lineterminator="\n")
    writer.writeheader()
    for match in matches:
        for row in _result_rows(match):
            told = {name: row[name] for name in _COLUMNS} | {"player": _spreadsheet_safe(row["player"])}
            for name, points in row["score"].items():
                if type(points) is int and name not in _NO_PARTS:
                    writer.writerow({**told, "row": name, "points": points})
    return text.getvalue()


_NO_PARTS = ("seat", "place", "total")


def starter(match: Match) -> int | None:
    """Return who began: the chosen player or the first to act; nobody where all play at once."""
    chosen = [event.data["seat"] for event in match.events if event.kind == "first"]
    if chosen:
        return int(chosen[-1])
    if match.game.die_faces:
        return None
    moves = (fact.seat for fact in in_effect(match.events).values() if is_move(fact) and fact.seat)
    return next(moves, None)


def bgstats_link(match: Match, elsewhere: Elsewhere = NOT_SAID) -> str:
    """A link that opens the Board Game Stats app with this play filled in."""
    number = {"bggId": elsewhere.bgg} if elsewhere.bgg else {}
    place = {"location": elsewhere.place} if elsewhere.place else {}
    first = starter(match)
    play = {
        "sourceName": "Stationmaster",
        "sourcePlayId": match.id,
        "playDate": match.events[0].at[:19].replace("T", " "),
        "durationMin": minutes(match),
        **place,
        "game": {
            "name": match.game.title,
            "highestWins": True,
            "sourceGameId": match.game.name,
            **number,
        },
        "players": [
            {
                "name": match.players[row["seat"]].name,
                "sourcePlayerId": match.players[row["seat"]].person or f"{match.id}-{row['seat']}",
                "startPlayer": row["seat"] == first,
                "score": row["total"],
                "rank": row["place"],
                "winner": has_won(match, row),
            }
            for row in standings(match)
            if row["place"] is not None
        ],
    }
    return BGSTATS + quote(json.dumps(play, separators=(",", ":")))


def bgg_plays(matches: Iterable[Match], elsewhere: Callable[[Match], Elsewhere]) -> str:
    """Finished matches as BoardGameGeek tells plays (its XML API 2), for programs that take such files."""
    root = Element("plays")
    for match in matches:
        if match.finished:
            _add_play(root, match, elsewhere(match))
    root.set("total", str(len(root)))
    indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{tostring(root, encoding="unicode")}\n'


def _add_play(root: Element, match: Match, elsewhere: Elsewhere) -> None:
    told = {
        "id": match.id,
        "date": match.events[0].at[:10],
        "quantity": "1",
        "length": str(minutes(match)),
        "incomplete": str(int(match.ended)),
        "nowinstats": "0",
        "location": elsewhere.place,
    }
    play = SubElement(root, "play", told)
    number = str(elsewhere.bgg) if elsewhere.bgg else ""
    SubElement(play, "item", {"name": match.game.title, "objecttype": "thing", "objectid": number})
    players = SubElement(play, "players")
    first = starter(match)
    for row in standings(match):
        if row["place"] is None:
            continue
        who = match.players[row["seat"]]
        # Remove characters that XML does not allow
        seen = {
            "name": "".join(one for one in who.name if one.isprintable()),
            "startposition": "1" if row["seat"] == first else "",
        }
        score = {"color": who.colour, "score": str(row["total"]), "win": str(int(has_won(match, row)))}
        SubElement(players, "player", {**seen, **score, "new": "0", "rating": "0"})
