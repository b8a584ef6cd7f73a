"""How matches are followed without a touch: ``python -m lab.film.bench [--level calm ..] [--matches 2]``.

A box with a watching camera sees matches filmed with hands, pens, decks, tables and seeds that nothing was
tuned on (``--tuning`` for others, to work with). A part of a match, a round or a turn, counts as settled when
the box has entered for everybody what is really there before the patience of the table is over; where it only
proposes, when it proposes just that. People throw the dice, or go on, only when nobody draws any more. Those
who hear of an arm on their board take it away.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from msgspec.structs import replace

from companion.core.jsontext import builtins_of
from companion.game.base import Action
from companion.game.registry import GAMES, find_reader
from companion.service.service import Service
from companion.table.chance import SeededChance
from companion.table.seats import COLOURS, Player, default_player
from companion.table.store import Store
from companion.table.table import Table
from lab.bench import at_share, say
from lab.derailed.film import FilmedDerailed
from lab.derailed.studio.hands import HELD_OUT as DECKS_HELD_OUT
from lab.empire_builder.film import FilmedEmpireBuilder
from lab.empire_builder.studio.crayons import KEPT_APART, NOTHING_HELD_OUT
from lab.film.box import Costs, FilmedBox
from lab.film.levels import FILM_LEVELS
from lab.film.match import FilmedMatch
from lab.railroad_ink.film import HELD_OUT_PENS, HELD_OUT_STYLES, FilmedRailroadInk
from lab.spike.film import FilmedSpike
from lab.studio.pieces import HELD_OUT as PIECES_HELD_OUT
from vision.pieces.colours import usual_name

FIRST_SEED = 9_000_000  # of matches that are for reporting only
TUNING_SEED = 500_000
_CARDS = 7  # the seed of cards that the box deals
_PATIENCE = 12.0  # seconds after the last line until somebody takes a phone
_LINGER = 2.0  # seconds from "all are done" to the next throw


@dataclass
class Result:
    """What was counted over matches of one level."""

    parts: int = 0
    settled: int = 0
    wrong: int = 0  # of those that were settled
    early: int = 0  # in which somebody was said to be done who still drew
    kept: int = 0  # of these, those in which that was not put right by itself
    delays: list[float] = field(default_factory=list)
    drawing: Costs = field(default_factory=Costs)
    idle: Costs = field(default_factory=Costs)
    unsettled: list[str] = field(default_factory=list)


def filmed(game: str, level: str, number: int, *, tuning: bool) -> FilmedMatch:
    """A match with this number, of those to work with or of those for reporting."""
    seed = (TUNING_SEED if tuning else FIRST_SEED) + number
    if game == FilmedDerailed.game:
        return FilmedDerailed(level, seed, DECKS_HELD_OUT if tuning else ())
    if game == FilmedSpike.game:
        return FilmedSpike(level, seed, PIECES_HELD_OUT if tuning else ())
    if game == FilmedEmpireBuilder.game:
        return FilmedEmpireBuilder(level, seed, KEPT_APART if tuning else NOTHING_HELD_OUT)
    return FilmedRailroadInk(level, seed, *((HELD_OUT_STYLES, HELD_OUT_PENS) if tuning else ((), ())))


def _players(match: FilmedMatch) -> list[Player]:
    """People who have chosen the colours in which they play, as far as the table has them."""
    called = {usual_name(colour): colour for colour in COLOURS}
    left = [colour for name, colour in called.items() if name not in match.colours.values()]
    usual = {seat: default_player(seat) for seat in range(1, match.seats + 1)}
    if not match.colours:
        return list(usual.values())
    return [
        replace(one, colour=called.get(match.colours[seat]) or left.pop(0)) for seat, one in usual.items()
    ]


def watch_match(match: FilmedMatch, name: str, parts: int, result: Result) -> None:
    """Film a match and watch it, part by part; it ends where something wrong was entered."""
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder)) as store:
        box = FilmedBox(Service(store, Table(store, GAMES, chance=SeededChance(_CARDS))))
        players = [builtins_of(player) for player in _players(match)]
        data = {"game": match.game, "players": players, "options": match.options}
        box.say(Action("start", data=data))
        match.lay_out(box.match.state)
        for number in range(1, min(parts, match.parts) + 1):
            if box.match.finished or not _part(box, match, f"{name} part {number}", result):
                break


def _part(box: FilmedBox, match: FilmedMatch, name: str, result: Result) -> bool:
    """One part; False if the match cannot go on."""
    while (told := match.before(box.match.state)) is not None:
        box.say(told, told.seat)
    match.begin(box.match.state)
    film = match.film
    seats = list(match.entered(box.match.state))
    until = max(film.last_line(seat) for seat in seats) + _PATIENCE
    since: dict[int, float] = {}  # from when on the box has had something right for a seat
    early: set[int] = set()
    all_in: float | None = None
    proposes = find_reader(match.game).proposes
    while film.at < until and (all_in is None or film.drawing or film.at < all_in + _LINGER):
        frame = film.next()
        if not box.look(frame, result.drawing if frame.drawing else result.idle):
            continue
        for one in box.watch.news.seats:
            if one.state == "covered":
                film.withdraw(one.seat)
        entered, right = match.entered(box.told), match.right(box.told)
        early |= {seat for seat in seats if entered[seat] and seat in frame.drawing}
        since = {seat: since.get(seat, film.at) for seat in seats if right[seat]}
        # Whoever gets a proposal waits until it is what was built; dice are thrown when the screen asks
        ready = all(right.values()) if proposes else all(entered.values()) and box.goes_on
        all_in = (all_in or film.at) if ready else None
    return _counted(box, match, name, result, (since, early))


def _counted(
    box: FilmedBox,
    match: FilmedMatch,
    name: str,
    result: Result,
    seen: tuple[Mapping[int, float], set[int]],
) -> bool:
    """Count a part, and have people tap what the box did not see; False if it has something wrong."""
    since, early = seen
    entered, right = match.entered(box.told), match.right(box.told)
    result.parts += 1
    done = all(entered.values())
    result.settled += done and all(right.values())
    result.wrong += done and not all(right.values())
    result.early += bool(early)
    result.kept += any(entered[seat] and not right[seat] for seat in early)
    result.delays += [at - match.film.last_line(seat) for seat, at in since.items()]
    for seat, is_right in right.items():
        if not is_right:
            told = box.watch.news.of(seat)
            says = "nothing" if told is None else f"{told.state} {' '.join(told.says)[:110]}"
            result.unsettled.append(f"{name} seat {seat}{' WRONG' * entered[seat]}: {says}")
    if all(right.values()):
        box.agree()
    if any(is_in and not right[seat] for seat, is_in in match.entered(box.match.state).items()):
        return False
    for seat, is_in in match.entered(box.match.state).items():
        if not is_in:
            for action in match.by_hand(box.match.state, seat):
                box.say(action, seat)
    return True


def told(level: str, result: Result) -> str:
    """A row of the table."""
    delays = sorted(result.delays) or [float("nan")]
    cells = (
        level,
        f"{result.parts}",
        f"{result.settled / max(result.parts, 1):.0%}",
        f"{result.wrong}",
        f"{at_share(delays, 0.5):.1f} / {at_share(delays, 0.95):.1f} s",
        f"{result.early}, {result.kept} kept",
        _share_of_core(result.idle),
        _share_of_core(result.drawing),
    )
    return "| " + " | ".join(cells) + " |"


def _share_of_core(costs: Costs) -> str:
    seconds = max(costs.passed, 1e-9)
    return f"{costs.following / seconds:.1%} + {costs.reading / seconds:.1%} reading"


def main(arguments: Sequence[str] | None = None) -> None:
    """Film, watch, and print the table."""
    parser = argparse.ArgumentParser(prog="lab.film.bench", description=__doc__.splitlines()[0])
    games = (FilmedRailroadInk.game, FilmedDerailed.game, FilmedSpike.game, FilmedEmpireBuilder.game)
    parser.add_argument("--game", default=games[0], choices=games)
    parser.add_argument("--level", action="append", choices=tuple(FILM_LEVELS), help="again for several")
    parser.add_argument("--matches", type=int, default=2, help="of each level")
    parser.add_argument("--parts", type=int, default=100, help="of each match: rounds, or turns")
    parser.add_argument("--first", type=int, default=0, help="number of the first match")
    parser.add_argument("--tuning", action="store_true", help="matches to work with, not to report")
    options = parser.parse_args(arguments)
    say("| table | parts | settled | wrong | right after the last line | early | idle | drawing |")
    say("|---" * 8 + "|")
    for level in options.level or FILM_LEVELS:
        result = Result()
        for number in range(options.first, options.first + options.matches):
            match = filmed(options.game, level, number, tuning=options.tuning)
            watch_match(match, f"{level} match {number}", options.parts, result)
        say(told(level, result))
        for line in result.unsettled:
            say(f"  {line}")


if __name__ == "__main__":
    main()
