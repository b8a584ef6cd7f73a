"""Deciding requests: the fact to store, or a refusal. Nothing here changes any state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any

import msgspec

from companion.core.errors import quoted
from companion.core.jsontext import JsonObject, builtins_of, shaped
from companion.core.messages import Seat, m
from companion.game.base import Action, Chance, Fact, Game, MatchRequest, Mode, NoChance, Refusal
from companion.table import fairplay
from companion.table.authority import STAND_IN, as_asked, authority_fault
from companion.table.consent import (
    asked_for,
    entered_by_hand,
    open_proposals,
    owners,
    settled,
)
from companion.table.events import Actor, Event, is_move
from companion.table.match import NO_CHANCE, Match, fact_of, in_effect, refold_fault
from companion.table.seats import Holder, Player, default_player, player_fault

# Seconds that a turn should take; 0: as long as it likes. Pages tell; nobody's turn is ever ended by it.
Timer = Annotated[int, msgspec.Meta(ge=0, le=3600)]


class _Start(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    game: str
    players: list[str | Player]
    mode: Mode = "umpire"
    options: JsonObject = {}
    fair: bool = False  # dice by commitment: see companion.table.fairplay
    timer: Timer = 0
    duplicate: fairplay.Duplicate | None = None  # the dice of a club's round


class _Started(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    game: str
    mode: Mode
    players: list[Player]
    setup: JsonObject
    fair: bool = False
    timer: Timer = 0
    duplicate: fairplay.Duplicate | None = None


class _Undo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    seq: int | None = None


class _Correct(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    seq: int
    data: JsonObject


class _End(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    judged: bool = False


def decide_start(action: Action, games: Mapping[str, Game[Any]], chance: Chance) -> Fact | Refusal:
    """Begin a match: everything that is drawn or shuffled at setup goes into the event."""
    asked = shaped(action.data, _Start)
    game = games.get(asked.game)
    if game is None:
        return Refusal(
            "unknown-game",
            m(
                "there is no game {game}: choose one of {games}",
                game=quoted(asked.game),
                games=", ".join(games),
            ),
        )
    fewest, most = game.seats
    if not fewest <= len(asked.players) <= most:
        return Refusal(
            "bad-seats",
            m(
                "{title} is for {fewest} to {most} players, not {players}",
                title=game.title,
                fewest=fewest,
                most=most,
                players=len(asked.players),
            ),
        )
    players = _players(asked.players)
    if isinstance(players, Refusal):
        return players
    setup = game.setup(MatchRequest(len(players), asked.mode, asked.options), chance)
    if isinstance(setup, Refusal):
        return setup
    names = [builtins_of(player) for player in players.values()]
    data = {"game": asked.game, "mode": asked.mode, "players": names, "setup": setup}
    request = {"fair": asked.fair, "timer": asked.timer, "duplicate": asked.duplicate}
    if asked.duplicate is not None and not game.duplicable:
        return Refusal(
            "no-duplicate", m("tables apart cannot play the same match of {title}", title=game.title)
        )
    said = {name: builtins_of(value) for name, value in request.items() if value}
    return Fact("start", None, {**data, **said})


def _players(wanted: list[str | Player]) -> dict[int, Player] | Refusal:
    players: dict[int, Player] = {}
    for seat, asked in enumerate(wanted, start=1):
        usual = default_player(seat)
        player = Player(asked or usual.name, usual.colour, usual.shape) if isinstance(asked, str) else asked
        fault = player_fault(player, players)
        if fault is not None:
            return fault
        players[seat] = player
    return players


def decide_in_match(match: Match, action: Action, actor: Actor, chance: Chance) -> Fact | Refusal:
    """Decide any action in a match after its start."""
    if action.kind == "start":
        return Refusal("started", m("this match has already begun"))
    decide = _TABLE_REQUESTS.get(action.kind)
    if decide is not None:
        return decide(match, action, actor, chance)
    if match.finished:
        return Refusal(
            "finished", m("this match is over: only undo, corrections and a new match are possible")
        )
    if action.seat is not None and action.seat not in match.players:
        return Refusal("no-seat", m("there is no seat {seat} in this match", seat=action.seat))
    fault = _held_fault(match, action.seat, actor) or fairplay.own_dice_fault(match, action)
    return fault or match.game.decide(match.state, action, chance)


def _held_fault(match: Match, seat: int | None, actor: Actor) -> Refusal | None:
    """Why this actor cannot act for a seat that no person plays."""
    by = match.holder(seat).by if seat is not None else "person"
    if by == "bot" and actor.role == "player":
        return Refusal(
            "bot-plays", m("a bot plays for {seat}: take the seat back first", seat=Seat(seat or 0))
        )
    if by == "person" and seat is not None and actor == STAND_IN:
        return Refusal("taken-back", m("{seat} is played by a person again", seat=Seat(seat or 0)))
    if by == "nobody" and (actor != STAND_IN or match.game.skips_empty_seats):
        return Refusal(
            "left", m("{seat} is out of the match: somebody has to take it first", seat=Seat(seat or 0))
        )
    return None


def _sit(match: Match, action: Action, _actor: Actor, _chance: Chance) -> Fact | Refusal:
    player = shaped(action.data, Player)
    if action.seat not in match.players:
        return Refusal("no-seat", m("there is no seat {seat} in this match", seat=action.seat))
    others = {seat: other for seat, other in match.players.items() if seat != action.seat}
    return player_fault(player, others) or Fact("sit", action.seat, builtins_of(player))


def _hold(match: Match, action: Action, _actor: Actor, chance: Chance) -> Fact | Refusal:
    """Leave a seat, hand it to a bot, or take it again; its name and what lies before it stay."""
    asked = shaped(action.data, Holder)
    seat = action.seat
    if seat is None or seat not in match.players:
        return Refusal("no-seat", m("there is no seat {seat} in this match", seat=seat))
    if match.finished:
        return Refusal("finished", m("this match is over: nobody has to be waited for"))
    if asked.by == "person" and asked.free:
        return Refusal("not-free", m("a seat that a person plays is not free"))
    fault = _bot_fault(match, chance) if asked.by == "bot" else None
    if fault is not None:
        return fault
    if asked == match.holder(seat):
        return Refusal("no-change", m("{seat} {by} already", seat=Seat(seat), by=_HELD[asked.by]))
    return Fact("hold", seat, builtins_of(asked))


def _bot_fault(match: Match, chance: Chance) -> Refusal | None:
    """Why no bot can play in this match."""
    if match.opening["mode"] == "scorekeeper":
        return Refusal(
            "no-bot", m("as scorekeeper the box only counts what people play, so bots cannot play")
        )
    # Matches in which a bot was given a seat before this was asked stay as they were.
    if isinstance(chance, NoChance):
        return None
    return match.game.bots_fault(match.opening["setup"].get("options", {}))


_HELD = {
    "person": m("is played by a person"),
    "bot": m("is played by a bot"),
    "nobody": m("is out of the match"),
}


def _admit(match: Match, action: Action, _actor: Actor, _chance: Chance) -> Fact | Refusal:
    """Add a seat for somebody who comes late."""
    player = shaped(action.data, Player)
    seat = len(match.players) + 1
    if action.seat not in (None, seat):
        return Refusal("no-seat", m("the next seat of this match is {seat}", seat=Seat(seat)))
    fault = admit_fault(match) or player_fault(player, match.players)
    return fault or Fact("admit", seat, builtins_of(player))


def admit_fault(match: Match) -> Refusal | None:
    """Why nobody can join this match any more; None when somebody can."""
    if match.finished:
        return Refusal("finished", m("this match is over"))
    most = match.game.seats[1]
    if len(match.players) >= most:
        return Refusal("full", m("{title} is for at most {most} players", title=match.game.title, most=most))
    rolls = [fact for fact in in_effect(match.events).values() if fact.kind == "roll"]
    if fairplay.duplicate_of(match) is not None and len(rolls) > 1:
        return Refusal(
            "too-late", m("in a round of the club nobody joins after the first dice, which others could tell")
        )
    return match.game.admit_fault(match.state)


def _end(match: Match, action: Action, _actor: Actor, chance: Chance) -> Fact | Refusal:
    if match.ended:
        return Refusal("finished", m("this match has already been ended"))
    stored = shaped(action.data, _End)
    # Matches that were ended before there was anything to judge stay as they were.
    judged = stored.judged if isinstance(chance, NoChance) else match.game.judges_end
    return Fact("end", None, {"judged": True} if judged else {})


def _undo(match: Match, action: Action, actor: Actor, _chance: Chance) -> Fact | Refusal:
    """Take back the last thing a seat did (the host: anybody did), but never what came before a roll.

    A roll that was entered by hand can be taken back itself, as long as nothing followed from it.
    """
    wanted = shaped(action.data, _Undo).seq
    if wanted is None and actor.role == "device":
        return _NOT_ITS_OWN
    facts = in_effect(match.events)
    target = wanted if wanted is not None else last_of(match, None if actor.role == "host" else action.seat)
    if target is None or target not in facts or not is_move(facts[target]):
        return Refusal("nothing-to-undo", m("there is nothing of yours to take back"))
    fault = _undo_fault(match, facts, target, actor)
    if fault is not None:
        return fault
    left = {seq: fact for seq, fact in facts.items() if seq != target}
    return refold_fault(match, left) or Fact("undo", facts[target].seat, {"seq": target})


def last_of(match: Match, seat: int | None) -> int | None:
    """The last move of a seat (None: of anybody), or the last roll that it entered by hand."""
    facts = in_effect(match.events)
    moves = (seq for seq, fact in reversed(facts.items()) if is_move(fact))
    return next((seq for seq in moves if seat is None or seat in owners(match, seq, facts[seq])), None)


def to_take_back(match: Match, seat: int) -> int | None:
    """The last event of a seat, if undo would not have to cross a roll."""
    last = last_of(match, seat)
    if last is None or _undo_fault(match, in_effect(match.events), last, Actor("player", seat)):
        return None
    return last


def last_roll(match: Match) -> int | None:
    """The event of the dice that lie on the table, if somebody typed them in."""
    facts = in_effect(match.events)
    rolls = [seq for seq, fact in facts.items() if fact.kind == "roll"]
    return rolls[-1] if rolls and entered_by_hand(facts[rolls[-1]]) else None


def followed(match: Match, seq: int) -> bool:
    """True if anybody has moved since that event."""
    return any(later > seq and is_move(fact) for later, fact in in_effect(match.events).items())


_NOT_ITS_OWN = Refusal("device", m("a device takes back only what it has reported itself"))


def _foreign_fault(match: Match, facts: dict[int, Fact], seq: int, actor: Actor) -> Refusal | None:
    """Why a device may not change this event: it is not its own, or dice have been thrown since."""
    if actor.role != "device":
        return None
    if match.events[seq - 1].actor.role != "device" or match.game.lasting(facts[seq]):
        return _NOT_ITS_OWN
    if settled(match, facts, seq) is not None:
        return Refusal("everybody", m("that was settled before the last roll: only people can change it"))
    return None


def _undo_fault(match: Match, facts: dict[int, Fact], target: int, actor: Actor) -> Refusal | None:
    foreign = _foreign_fault(match, facts, target, actor)
    if foreign is not None:
        return foreign
    if actor.role == "player" and actor.seat not in owners(match, target, facts[target]):
        return Refusal("not-your-seat", m("you can take back only what you did yourself"))
    later = {seq: fact for seq, fact in facts.items() if seq > target and is_move(fact)}
    if entered_by_hand(facts[target]) and not later:
        return None
    barrier = next((seq for seq in (target, *later) if match.game.lasting(facts[seq])), None)
    return None if barrier is None else Refusal("behind-a-roll", _stays(facts, target), {"seq": barrier})


def _stays(facts: dict[int, Fact], target: int) -> str:
    """What undo does not take back, and what helps instead."""
    if entered_by_hand(facts[target]):
        return m("somebody has played with these dice already: Correct the dice changes them")
    if facts[target].kind == "roll":
        return m(
            "dice that were not thrown by hand stay: set your own dice to show the same. "
            "For the next rolls the host can choose your own dice: The box, Rolls come from"
        )
    return m("undo never crosses a roll: what was thrown or seen stays; a correction is still possible")


def _correct(match: Match, action: Action, actor: Actor, _chance: Chance) -> Fact | Refusal:
    """Change what an earlier event says; everything after it must still stand."""
    asked = shaped(action.data, _Correct)
    facts = in_effect(match.events)
    fact = facts.get(asked.seq)
    if fact is None or not is_move(fact):
        return Refusal(
            "nothing-to-correct", m("event {seq} is not a move that counts in this match", seq=asked.seq)
        )
    if actor.role == "player" and actor.seat not in owners(match, asked.seq, fact):
        return Refusal("not-your-seat", m("you can correct only what you did yourself: ask the host"))
    foreign = _foreign_fault(match, facts, asked.seq, actor)
    if foreign is not None:
        return foreign
    corrected = _corrected(match, facts, asked)
    if isinstance(corrected, Refusal):
        return corrected
    return Fact("correct", fact.seat, {"seq": asked.seq, "data": corrected.data})


def _corrected(match: Match, facts: dict[int, Fact], asked: _Correct) -> Fact | Refusal:
    """What a fact becomes by a correction, if everything after it still stands."""
    fact = facts[asked.seq]
    if _thrown_by_a_device(match, fact):
        return Refusal("not-correctable", m("a roll of the dice roller stays as it was thrown"))
    corrected = Fact(fact.kind, fact.seat, _with_source(asked.data, fact))
    return refold_fault(match, {**facts, asked.seq: corrected}) or corrected


# --- corrections that everybody agrees to ---


def _propose(match: Match, action: Action, _actor: Actor, chance: Chance) -> Fact | Refusal:
    """Ask everybody to let a player change what is settled."""
    asked = shaped(action.data, _Correct)
    facts = in_effect(match.events)
    fact = facts.get(asked.seq)
    if fact is None or action.seat is None:
        return Refusal(
            "nothing-to-correct", m("event {seq} is not a move that counts in this match", seq=asked.seq)
        )
    if action.seat not in owners(match, asked.seq, fact):
        return Refusal("not-your-seat", m("you can ask for a change only of what you did yourself"))
    if settled(match, facts, asked.seq) is None or not asked_for(match, action.seat):
        return Refusal("not-settled", m("nobody has to be asked: correct it yourself"))
    corrected = _corrected(match, facts, asked)
    if isinstance(corrected, Refusal):
        return corrected
    # Such questions were asked and recorded before this was looked at.
    if corrected == fact and not isinstance(chance, NoChance):
        return Refusal("no-change", m("that is what stands there already: nothing would change"))
    return Fact("propose", action.seat, {"seq": asked.seq, "data": corrected.data})


class _About(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    seq: int
    correct: JsonObject = {}


def _agree(match: Match, action: Action, _actor: Actor, _chance: Chance) -> Fact | Refusal:
    """Agree to a change that somebody asks for; with the last seat that does, it happens.

    When everybody who was still to be asked has left, it is the asker's own seat that closes it.
    """
    seq = shaped(action.data, _About).seq
    proposal = open_proposals(match.events).get(seq)
    if proposal is None:
        return _NOT_ASKED
    waiting = asked_for(match, proposal.seat) - proposal.agreed or {proposal.seat}
    if action.seat not in waiting:
        return Refusal("agreed", m("that seat need not be asked, or has agreed already"))
    if waiting != {action.seat}:
        return Fact("agree", action.seat, {"seq": seq})
    asked = _Correct(proposal.about, proposal.data)
    corrected = _corrected(match, in_effect(match.events), asked)
    if isinstance(corrected, Refusal):
        return corrected
    return Fact("agree", action.seat, {"seq": seq, "correct": proposal.correction})


def _object(match: Match, action: Action, _actor: Actor, _chance: Chance) -> Fact | Refusal:
    """Object to a change, or take back what one asked for."""
    seq = shaped(action.data, _About).seq
    if seq not in open_proposals(match.events) or action.seat not in match.players:
        return _NOT_ASKED
    return Fact("object", action.seat, {"seq": seq})


_NOT_ASKED = Refusal("not-asked", m("nobody asks for this change any more"))


def _thrown_by_a_device(match: Match, fact: Fact) -> bool:
    by_hand = fact.data.get("source", {}).get("kind") == "hand"
    return match.game.lasting(fact) and not by_hand


def _with_source(data: JsonObject, fact: Fact) -> JsonObject:
    """The corrected data with its source kept: a correction never changes where dice came from."""
    return {**data, "source": fact.data["source"]} if "source" in fact.data else data


_TABLE_REQUESTS: dict[str, Callable[[Match, Action, Actor, Chance], Fact | Refusal]] = {
    "sit": _sit,
    "hold": _hold,
    "admit": _admit,
    "end": _end,
    "undo": _undo,
    "correct": _correct,
    "propose": _propose,
    "agree": _agree,
    "object": _object,
    "first": fairplay.decide_first,
    "commit": fairplay.decide_commit,
    "word": fairplay.decide_word,
    "mix": fairplay.decide_mix,
    "reveal": fairplay.decide_reveal,
}


def start_fault(event: Event, game: Game[Any]) -> Refusal | None:
    """Why a stored start event could not have been one."""
    if event.kind != "start":
        return Refusal("no-start", m("a match begins with a start event"))
    start = shaped(event.data, _Started)
    players = _players(list(start.players))
    if isinstance(players, Refusal):
        return players
    fewest, most = game.seats
    if not fewest <= len(players) <= most:
        return Refusal(
            "bad-seats",
            m(
                "{title} is for {fewest} to {most} players, not {players}",
                title=game.title,
                fewest=fewest,
                most=most,
                players=len(players),
            ),
        )
    return game.setup_fault(start.setup, MatchRequest(len(players), start.mode))


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
            "not-the-same",
            m("by the rules event {seq} has another result than the one stored", seq=event.seq),
        )
    return None
