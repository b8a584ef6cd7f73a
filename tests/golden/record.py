"""Records the shipped matches: seeded bots play through the table, as people would through their phones."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

from companion.core.jsontext import JsonObject
from companion.game.base import Action, Chance, Game, MatchRequest
from companion.game.bots import any_action, best_action, greedy_action
from companion.game.registry import GAMES
from companion.games.railroad_ink.rules.expansions.tables import TABLES
from companion.table.authority import STAND_IN
from companion.table.chance import SeededChance
from companion.table.events import Actor
from companion.table.journal import journal_path
from companion.table.match import Match
from companion.table.store import Store
from companion.table.table import Accepted, Table
from lab.spike.planplay import planned_action, planned_match
from lab.spike.randomplay import random_start

HERE = Path(__file__).parent
HOST = Actor("host")
UNDONE = ("draw", "place", "turn")  # what people take back now and then
Choose = Callable[[Game[Any], Any, int, Chance], Action | None]
NEEDS_PLANS = ("empire-builder",)
OUTCOME = ("seat", "place", "total", "errors")


@dataclass(frozen=True)
class Recording:
    """One match to record."""

    name: str
    seed: int
    players: tuple[str, ...]
    options: JsonObject = field(default_factory=dict)
    game: str = "railroad-ink"
    photographed: bool = False  # rounds are read from pictures of the boards, not drawn one by one
    planned: bool = False  # by the laboratory's players who plan
    mode: str = "umpire"
    leaving: bool = False  # now and then somebody leaves, hands over to a bot or comes back


USUAL = Recording("usual", 0, ())
CORRECTIONS = """# as on the board in our box
terrain ac40 mountain
loads Omaha: oats, wheat, corn
"""

RECORDINGS = (
    Recording("solo", 1, ("North",)),
    Recording("two", 2, ("North", "South"), {"blueprint": "old-town"}),
    Recording("two-classic", 3, ("North", "South"), {"edition": "classic", "longest": "visits"}),
    Recording("four", 4, ("North", "East", "South", "West")),
    Recording("four-most", 5, ("North", "East", "South", "West"), {"must_draw": "most", "goals": "none"}),
    Recording("three-photographed", 6, ("North", "East", "South"), photographed=True),
    Recording("two", 12, ("Asha", "Bo"), game="derailed"),
    Recording("three", 13, ("Asha", "Bo", "Cyd"), {"companies": "HGA", "tunnels": True}, game="derailed"),
    Recording(
        "four",
        14,
        ("Asha", "Bo", "Cyd", "Dee"),
        {"between_discard": True, "next_start": "fewest", "first": 0},
        game="derailed",
    ),
    Recording("five-table", 15, ("Asha", "Bo", "Cyd", "Dee", "Eli"), {"deal": "table"}, game="derailed"),
    Recording("six", 16, ("Asha", "Bo", "Cyd", "Dee", "Eli", "Fay"), game="derailed"),
    Recording("two", 22, ("Ines", "Jon"), game="empire-builder"),
    Recording("three-corrected", 23, ("Ines", "Jon", "Kim"), {"map": CORRECTIONS}, game="empire-builder"),
    Recording("four", 24, ("Ines", "Jon", "Kim", "Leo"), game="empire-builder"),
    Recording("five", 25, ("Ines", "Jon", "Kim", "Leo", "Mia"), game="empire-builder"),
    Recording("six", 26, ("Ines", "Jon", "Kim", "Leo", "Mia", "Nils"), game="empire-builder"),
    Recording("two", 32, ("Ines", "Jon"), game="spike"),
    Recording(
        "three", 33, ("Ines", "Jon", "Kim"), {"play": "advanced", "skipped_city": "counts"}, game="spike"
    ),
    Recording(
        "four", 34, ("Ines", "Jon", "Kim", "Leo"), {"segments": "shared", "reach": "several"}, game="spike"
    ),
    Recording("three-delivering", 42, ("Ines", "Jon", "Kim"), game="spike", planned=True),
    Recording("two-nothing-left", 39, ("Ines", "Jon"), {"deal": "table"}, game="spike", planned=True),
    Recording("three-table", 37, ("Ines", "Jon", "Kim"), {"deal": "table"}, game="spike", planned=True),
    Recording("three-leaving", 51, ("North", "East", "South"), leaving=True),
    Recording("four-leaving", 52, ("Asha", "Bo", "Cyd", "Dee"), game="derailed", leaving=True),
    Recording("three-leaving", 53, ("Ines", "Jon", "Kim"), game="spike", leaving=True),
    Recording("three-leaving", 54, ("Ines", "Jon", "Kim"), game="empire-builder", leaving=True),
    *(
        Recording(f"expansion-{name}", seed, ("North", "South"), {"expansion": name})
        for seed, name in enumerate(TABLES, 101)
    ),
    Recording(
        "giant-two-expansions",
        201,
        ("North", "South"),
        {"size": "giant", "expansion": "forest", "more": ["river"]},
    ),
    Recording("epic-solo", 202, ("North",), {"size": "epic", "expansion": "portal", "more": ["meteor"]}),
    Recording("two-kept", 38, ("Ines", "Jon"), game="spike", mode="scorekeeper"),
)


def _clock() -> Iterator[datetime]:
    return (datetime(2026, 1, 1, 19, tzinfo=UTC) + timedelta(seconds=20 * n) for n in range(10**6))


def play(table: Table, recording: Recording) -> str:
    """Play a whole match through the table. Returns the match's name."""
    data = {"game": recording.game, "players": list(recording.players), "options": recording.options}
    if recording.mode != "umpire":
        data["mode"] = recording.mode
    started = table.submit(Action("start", data=data), HOST)
    assert isinstance(started, Accepted), started
    if recording.mode == "scorekeeper":
        keep_score(table, recording)
    else:
        play_on(table, SeededChance(recording.seed), recording)
    return started.event.match


def keep_score(table: Table, recording: Recording) -> None:
    """A match that people play on their own, reported now and then as it lies."""
    chance = SeededChance(recording.seed)
    played = enumerate(planned_match(random_start(MatchRequest(len(recording.players)), chance), chance))
    states = [state for number, (_, state) in played if number % 40 == 39 or state.finished]
    for state in states:
        tracks = {str(seat): list(player.tracks) for seat, player in state.players.items()}
        money = {str(seat): player.money for seat, player in state.players.items()}
        routes = {str(seat): player.route for seat, player in state.players.items()} if state.finished else {}
        report = Action("report", 1, {"tracks": tracks, "money": money, "routes": routes})
        answer = table.submit(report, Actor("player", 1))
        assert isinstance(answer, Accepted), answer
    for seat in states[-1].players:
        table.submit(Action("done", seat), Actor("player", seat))


def play_on(table: Table, chance: SeededChance, recording: Recording = USUAL) -> None:
    """Play the current match to its end; take something back now and then, as people do."""
    while (match := table.current) and not match.finished:
        seat = 1 + chance.below(len(match.players))
        if recording.leaving and chance.below(25) == 0:
            change_holder(table, match, seat, ("person", "bot", "nobody")[chance.below(3)])
            continue
        if recording.planned:
            action = planned_action(match.state, seat, chance)
        else:
            action = _chooser(match.game, seat, chance)(match.game, match.state, seat, chance)
        if action is None:
            continue
        if recording.photographed and action.kind == "draw":
            action = whole_turn(match, seat, chance, action)
        by_bot = match.holder(seat).by == "bot"
        answer = table.submit(action, STAND_IN if by_bot else Actor("player", seat))
        assert isinstance(answer, Accepted), (action, answer)
        if action.kind in UNDONE and chance.below(15) == 0:
            table.submit(Action("undo", seat), Actor("player", seat))


def change_holder(table: Table, match: Match, seat: int, by: str) -> None:
    """Who plays a seat; the first one stays, so that the match goes on."""
    if seat != 1 and match.holder(seat).by != by:
        assert isinstance(table.submit(Action("hold", seat, {"by": by}), HOST), Accepted)


def whole_turn(match: Match, seat: int, chance: SeededChance, action: Action | None) -> Action:
    """The round that begins with this drawing, as a picture of the board would show it: without any order."""
    moves: list[JsonObject] = []
    state = match.state
    while action is not None and action.kind == "draw":
        moves.append({"cell": action.data["cell"], "route": action.data["route"]})
        state = match.game.apply(state, action)
        action = any_action(match.game, state, seat, chance)
    moves.sort(key=lambda move: str(move["cell"]))
    photo = sha256(repr(moves).encode()).hexdigest()  # there is no real picture
    settled = {moves[0]["cell"]: moves[0]["route"]} if len(moves) % 2 else {}
    return Action("turn", seat, {"moves": moves, "picture": {"photo": photo, "settled": settled}})


def _chooser(game: Game[Any], seat: int, chance: SeededChance) -> Choose:
    """Half of the bots think; where nothing ends without plans, all of them do nearly always."""
    if game.name in NEEDS_PLANS:
        return best_action if chance.below(40) else any_action
    return greedy_action if seat % 2 else any_action


def record(recording: Recording, folder: Path) -> tuple[Path, list[JsonObject]]:
    """The match's journal in ``folder``, and the final scores."""
    clock = _clock()
    with Store(folder) as store:
        table = Table(
            store,
            GAMES,
            chance=SeededChance(recording.seed),
            clock=lambda: next(clock),
            new_id=lambda: recording.name,
        )
        match_id = play(table, recording)
        match = table.match(match_id)
        assert match is not None
        scores: list[dict[str, Any]] = match.game.score(match.state)
    return journal_path(folder, match_id), [
        {key: row[key] for key in OUTCOME if key in row} for row in scores
    ]


def main() -> None:
    """Record all of them."""
    for game in {recording.game for recording in RECORDINGS}:
        outcomes = {}
        (HERE / game).mkdir(exist_ok=True)
        for recording in (one for one in RECORDINGS if one.game == game):
            with tempfile.TemporaryDirectory() as folder:
                journal, outcomes[recording.name] = record(recording, Path(folder))
                shutil.copy(journal, HERE / game / f"{recording.name}.jsonl")
        (HERE / game / "scores.json").write_text(json.dumps(outcomes, indent=1) + "\n")


if __name__ == "__main__":
    main()
