"""``replay``: replays or verifies a recorded match."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from companion.cli.output import FINE, NOT_SO, print_json

if TYPE_CHECKING:
    from companion.core.jsontext import JsonObject
    from companion.service.export.proving import Proof
    from companion.table.events import Event
    from companion.table.match import Match


def declare(command: argparse.ArgumentParser) -> None:
    """Declare the options of ``replay``."""
    command.add_argument("file", metavar="FILE", help="a file of the journal folder")
    command.add_argument("--verify", action="store_true", help="recompute everything and the hash chain")
    command.add_argument("--json", action="store_true", help="machine-readable")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print final scores and state of a recorded match; with ``--verify`` recompute all first."""
    from companion.game.registry import GAMES
    from companion.table.journal import read_journal
    from companion.table.replay import replayed

    events = read_journal(Path(options.file))
    if options.verify and (fault := _fault(events)) is not None:
        print_json(fault) if options.json else print(f"Not verified: {fault['message']}")
        return NOT_SO
    match = replayed(events, GAMES)
    if options.json:
        print_json({**_match_json(match), **(_verified_json(events) if options.verify else {})})
        return FINE
    from companion.table.standings import standings

    print(f"{match.game.title}, match {match.id}, begun {match.events[0].at}, {match.version} events")
    print("Finished." if match.finished else "Not finished.")
    for row in standings(match):
        print(f"{row['place'] or '-'}. {match.players[row['seat']].name}: {row['total']}")
        for line in row["lines"][:-1]:
            print(f"     {line}")
    if options.verify:
        print(f"Verified: {len(events)} events, every one by the rules, the chain is whole.")
        proof = _proof(events)
        if proof or match.game.die_faces:
            print(f"Dice: {proof.sentence}" if proof else "Dice: thrown without a commitment to a seed.")
    return FINE


def _proof(events: list[Event]) -> Proof | None:
    from companion.game.registry import GAMES
    from companion.service.export.proving import prove_rolls
    from companion.table.replay import game_of

    return prove_rolls(events, game_of(events, GAMES))


def _fault(events: list[Event]) -> JsonObject | None:
    """What is wrong with a record, if anything; the dice are only looked at in one that is whole."""
    from companion.game.registry import GAMES
    from companion.table.replay import verified

    verdict = verified(events, GAMES)
    if verdict.fault is not None:
        return {"verified": False, "at": verdict.at, "message": verdict.fault}
    proof = _proof(events)
    if proof is not None and proof.faults:
        return {"verified": False, "at": None, "message": proof.sentence}
    return None


def _verified_json(events: list[Event]) -> JsonObject:
    proof = _proof(events)
    return {"verified": True, "dice": asdict(proof) if proof else None}


def _match_json(match: Match) -> JsonObject:
    """A match's outcome and its last state."""
    from companion.core.jsontext import builtins_of
    from companion.table.standings import seen_match, standings

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
