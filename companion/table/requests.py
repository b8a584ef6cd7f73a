"""What becomes of a request: the fact to store, or the reason why not. Nothing in here changes anything."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from companion.games.contract import Action, Chance, Fact, Game, Mode, Plain, Refusal, Wishes
from companion.games.kit.grid import quoted
from companion.games.kit.jsontext import shaped
from companion.table import fairplay
from companion.table.authority import as_asked, authority_fault
from companion.table.events import Actor, Event
from companion.table.match import NO_CHANCE, Match, fact_of, in_effect, refold_fault
from companion.table.seats import Player, default_player, player_fault


class _Start(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    game: str
    players: list[str | Player]
    mode: Mode = "umpire"
    options: Plain = {}
    fair: bool = False  # dice by commitment: see companion.table.fairplay


class _Started(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    game: str
    mode: Mode
    players: list[Player]
    setup: Plain
    fair: bool = False


class _Undo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    seq: int | None = None


class _Correct(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    seq: int
    data: Plain


def decide_start(action: Action, games: Mapping[str, Game[Any]], chance: Chance) -> Fact | Refusal:
    """Begin a match: everything that is drawn or shuffled at setup goes into the event."""
    wish = shaped(action.data, _Start)
    game = games.get(wish.game)
    if game is None:
        return Refusal(
            "unknown-game", f"there is no game {quoted(wish.game)}: choose one of {', '.join(games)}"
        )
    fewest, most = game.seats
    if not fewest <= len(wish.players) <= most:
        return Refusal(
            "bad-seats", f"{game.title} is for {fewest} to {most} players, not {len(wish.players)}"
        )
    players = _players(wish.players)
    if isinstance(players, Refusal):
        return players
    setup = game.setup(Wishes(len(players), wish.mode, wish.options), chance)
    if isinstance(setup, Refusal):
        return setup
    names = [msgspec.to_builtins(player) for player in players.values()]
    data = {"game": wish.game, "mode": wish.mode, "players": names, "setup": setup}
    return Fact("start", None, {**data, "fair": True} if wish.fair else data)


def _players(wanted: list[str | Player]) -> dict[int, Player] | Refusal:
    players: dict[int, Player] = {}
    for seat, wish in enumerate(wanted, start=1):
        usual = default_player(seat)
        player = Player(wish or usual.name, usual.colour, usual.shape) if isinstance(wish, str) else wish
        fault = player_fault(player, players)
        if fault is not None:
            return fault
        players[seat] = player
    return players


def decide_in_match(match: Match, action: Action, actor: Actor, chance: Chance) -> Fact | Refusal:
    """Anything that happens in a match after its start."""
    if action.kind == "start":
        return Refusal("started", "this match has already begun")
    decide = _TABLE_REQUESTS.get(action.kind)
    if decide is not None:
        return decide(match, action, actor, chance)
    if match.finished:
        return Refusal("finished", "this match is over: only undo, corrections and a new match are possible")
    if action.seat is not None and action.seat not in match.players:
        return Refusal("no-seat", f"there is no seat {action.seat} in this match")
    return match.game.decide(match.state, action, chance)


def _sit(match: Match, action: Action, _actor: Actor, _chance: Chance) -> Fact | Refusal:
    player = shaped(action.data, Player)
    if action.seat not in match.players:
        return Refusal("no-seat", f"there is no seat {action.seat} in this match")
    others = {seat: other for seat, other in match.players.items() if seat != action.seat}
    return player_fault(player, others) or Fact("sit", action.seat, msgspec.to_builtins(player))


def _end(match: Match, _action: Action, _actor: Actor, _chance: Chance) -> Fact | Refusal:
    if match.ended:
        return Refusal("finished", "this match has already been ended")
    return Fact("end", None, {})


def _undo(match: Match, action: Action, actor: Actor, _chance: Chance) -> Fact | Refusal:
    """Take back the last thing a seat did (the host: anybody did), but never what came before a roll."""
    wanted = shaped(action.data, _Undo).seq
    facts = in_effect(match.events)
    target = wanted if wanted is not None else _last_of(facts, None if actor.role == "host" else action.seat)
    if target is None or target not in facts:
        return Refusal("nothing-to-undo", "there is nothing of yours to take back")
    fault = _undo_fault(match, facts, target, actor)
    if fault is not None:
        return fault
    left = {seq: fact for seq, fact in facts.items() if seq != target}
    return refold_fault(match, left) or Fact("undo", facts[target].seat, {"seq": target})


def _last_of(facts: dict[int, Fact], seat: int | None) -> int | None:
    return next((seq for seq, fact in reversed(facts.items()) if seat in (None, fact.seat)), None)


def _undo_fault(match: Match, facts: dict[int, Fact], target: int, actor: Actor) -> Refusal | None:
    if actor.role == "player" and facts[target].seat != actor.seat:
        return Refusal("not-your-seat", "you can take back only what you did yourself")
    barrier = next((seq for seq, fact in facts.items() if seq >= target and match.game.lasting(fact)), None)
    if barrier is not None:
        message = "undo never crosses a roll: what was thrown or seen stays; a correction is still possible"
        return Refusal("behind-a-roll", message, {"seq": barrier})
    return None


def _correct(match: Match, action: Action, actor: Actor, _chance: Chance) -> Fact | Refusal:
    """Change what an earlier event says; everything after it must still stand."""
    wish = shaped(action.data, _Correct)
    facts = in_effect(match.events)
    fact = facts.get(wish.seq)
    if fact is None:
        return Refusal("nothing-to-correct", f"event {wish.seq} is no move that counts in this match")
    if actor.role == "player" and fact.seat != actor.seat:
        return Refusal("not-your-seat", "you can correct only what you did yourself: ask the host")
    if _thrown_by_a_device(match, fact):
        return Refusal("not-correctable", "a roll of the dice roller stays as it was thrown")
    corrected = Fact(fact.kind, fact.seat, _with_source(wish.data, fact))
    fault = refold_fault(match, {**facts, wish.seq: corrected})
    return fault or Fact("correct", fact.seat, {"seq": wish.seq, "data": corrected.data})


def _thrown_by_a_device(match: Match, fact: Fact) -> bool:
    by_hand = fact.data.get("source", {}).get("kind") == "hand"
    return match.game.lasting(fact) and not by_hand


def _with_source(data: Plain, fact: Fact) -> Plain:
    """A correction changes what was said, never where it came from."""
    return {**data, "source": fact.data["source"]} if "source" in fact.data else data


_TABLE_REQUESTS: dict[str, Callable[[Match, Action, Actor, Chance], Fact | Refusal]] = {
    "sit": _sit,
    "end": _end,
    "undo": _undo,
    "correct": _correct,
    "first": fairplay.decide_first,
    "commit": fairplay.decide_commit,
    "word": fairplay.decide_word,
    "mix": fairplay.decide_mix,
    "reveal": fairplay.decide_reveal,
}


def start_fault(event: Event, game: Game[Any]) -> Refusal | None:
    """Why a stored start event could not have been one."""
    if event.kind != "start":
        return Refusal("no-start", "a match begins with a start event")
    start = shaped(event.data, _Started)
    players = _players(list(start.players))
    if isinstance(players, Refusal):
        return players
    fewest, most = game.seats
    if not fewest <= len(players) <= most:
        return Refusal("bad-seats", f"{game.title} is for {fewest} to {most} players, not {len(players)}")
    return game.setup_fault(start.setup, Wishes(len(players), start.mode))


def stored_fault(match: Match, event: Event) -> Refusal | None:
    """Why a stored event could not have been accepted at its place: the strict replay's question."""
    fact = fact_of(event)
    fault = authority_fault(as_asked(fact, event.actor), event.actor)
    if fault is not None:
        return fault
    again = decide_in_match(match, fact, event.actor, NO_CHANCE)
    if isinstance(again, Refusal):
        return again
    if again != fact:
        return Refusal(
            "not-the-same", f"the rules make something else of event {event.seq} than what is stored"
        )
    return None
