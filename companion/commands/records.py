"""``games``, ``replay`` and ``export``: what can be played, and what was."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.box.elsewhere import elsewhere_of
from companion.box.results import bgg_plays, bgstats_link, results_csv, results_json, rows_csv
from companion.commands.exits import FINE, NOT_SO
from companion.commands.lines import print_json
from companion.core.jsontext import builtins_of
from companion.games.contract import Game, Option, Plain
from companion.games.kit.words import listed
from companion.games.registry import GAMES
from companion.table.events import Event
from companion.table.exc import TableError
from companion.table.journal import read_journal
from companion.table.match import Match
from companion.table.replay import game_of, replayed, verified
from companion.table.standings import seen_match, standings
from companion.table.store import Store

if TYPE_CHECKING:
    from companion.box.proving import Proof


def list_games(games: Mapping[str, Game[Any]], *, as_json: bool) -> int:
    """Every game with its players and options."""
    if as_json:
        print_json([_game_json(game) for game in games.values()])
        return FINE
    for game in games.values():
        print(f"{game.name:14} {game.title}, {game.seats[0]} to {game.seats[1]} players")
        for option in game.options:
            told = [_choice_words(one) + _meaning(option, one) for one in option.choices]
            choices = f": {' | '.join(told)}" if told else ""
            print(f"  {option.name:15} {option.help}{choices} (usually {_choice_words(option.default)})")
    return FINE


def _choice_words(choice: Any) -> str:
    """
    >>> [_choice_words(choice) for choice in ("", False, 0, "draw")]
    ['-', 'no', '0', 'draw']
    """
    if isinstance(choice, bool):
        return "yes" if choice else "no"
    return str(choice) or "-"


def _meaning(option: Option, choice: Any) -> str:
    """A number that is chosen does not say by itself what it stands for.

    >>> _meaning(Option("first", 0, "who begins", (0, 1), words=("by chance", "seat 1")), 0)
    ' (by chance)'
    """
    return f" ({option.words_of(choice)})" if type(choice) is int else ""


def _game_json(game: Game[Any]) -> Plain:
    options = [builtins_of(option) for option in game.options]
    return {"game": game.name, "title": game.title, "players": list(game.seats), "options": options}


# --- replay ---


def replay(file: str, verify: bool, as_json: bool) -> int:
    """Final scores and state of a recorded match; with ``verify`` everything is recomputed first."""
    events = read_journal(Path(file))
    if verify and (fault := _fault(events)) is not None:
        print_json(fault) if as_json else print(f"Not verified: {fault['message']}")
        return NOT_SO
    match = replayed(events, GAMES)
    if as_json:
        print_json({**match_json(match), **(_verified_json(events) if verify else {})})
        return FINE
    _print_match(match)
    if verify:
        print(f"Verified: {len(events)} events, every one by the rules, the chain is whole.")
        proof = _proof(events)
        if proof or match.game.die_faces:
            print(f"Dice: {proof.sentence}" if proof else "Dice: thrown without a commitment to a seed.")
    return FINE


def _proof(events: list[Event]) -> Proof | None:
    from companion.box.proving import prove_rolls

    return prove_rolls(events, game_of(events, GAMES))


def _fault(events: list[Event]) -> Plain | None:
    """What is wrong with a record, if anything; the dice are only looked at in one that is whole."""
    verdict = verified(events, GAMES)
    if verdict.fault is not None:
        return {"verified": False, "at": verdict.at, "message": verdict.fault}
    proof = _proof(events)
    if proof is not None and proof.faults:
        return {"verified": False, "at": None, "message": proof.sentence}
    return None


def _verified_json(events: list[Event]) -> Plain:
    proof = _proof(events)
    return {"verified": True, "dice": asdict(proof) if proof else None}


def match_json(match: Match) -> Plain:
    """A match's outcome and its last state."""
    return {
        "match": match.id,
        "game": match.game.name,
        "began": match.events[0].at,
        "events": match.version,
        "finished": match.finished,
        "players": {str(seat): builtins_of(player) for seat, player in match.players.items()},
        "scores": standings(match),
        "state": seen_match(match, None),
    }


def _print_match(match: Match) -> None:
    print(f"{match.game.title}, match {match.id}, begun {match.events[0].at}, {match.version} events")
    print("Finished." if match.finished else "Not finished.")
    for row in standings(match):
        print(f"{row['place'] or '-'}. {match.players[row['seat']].name}: {row['total']}")
        for line in row["lines"][:-1]:
            print(f"     {line}")


# --- export ---


def export(folder: Path, form: str, only: str | None) -> int:
    """Results of all matches (or one), oldest first."""
    matches = _matches(folder, only)
    with Store(folder, read_only=True) as store:
        known = {match.id: elsewhere_of(match, store.setting) for match in matches}
    if form == "bgstats":
        for match in matches:
            print(bgstats_link(match, known[match.id]))
        return FINE
    forms = {
        "json": lambda: results_json(matches),
        "csv": lambda: results_csv(matches),
        "rows": lambda: rows_csv(matches),
        "bgg": lambda: bgg_plays(matches, lambda match: known[match.id]),
    }
    sys.stdout.write(forms[form]())
    return FINE


def _matches(folder: Path, only: str | None) -> list[Match]:
    with Store(folder, read_only=True) as store:
        stored = [match for match in store.matches() if only in (None, match.id)]
        if only is not None and not stored:
            raise TableError("no-match", f"there is no match {only!r} in {folder}")
        known = [match for match in stored if only is not None or match.game in GAMES]
        if left_out := [match.id for match in stored if match not in known]:
            print(f"Left out, as their games are not here: {listed(left_out)}", file=sys.stderr)
        return [replayed(store.events(match.id), GAMES) for match in known]
