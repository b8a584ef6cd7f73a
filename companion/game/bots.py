"""Bots: what a seat that nobody plays does next, in any game.

:func:`best_action` is what a table asks. A game may have a :class:`Bot` of its own (the part ``bot`` of its
:class:`~companion.game.packages.Package`); for a game without one :func:`greedy_action` compares a few legal
actions by their points, knowing nothing but the list of legal actions. :func:`any_action` does not even do
that.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.core.chance import SeededChance
from companion.core.jsontext import JsonObject
from companion.core.records import replaced
from companion.game.base import Action, Bot, Chance, Game, MatchRequest, Refusal, drawn
from companion.game.packages import loaded, packages

TRIED = 12  # actions that the greedy bot compares
_LEVEL = "bots"  # the option that says how well bots play, in games where they play at several levels


def own_bot(game: Game[Any]) -> Bot[Any] | None:
    """The bot that comes with a game, if one does."""
    package = packages().get(game.name)
    found: Bot[Any] | None = loaded(package.bot) if package is not None and package.bot else None
    return found


def best_action(game: Game[Any], state: Any, seat: int, chance: Chance) -> Action | None:
    """What the game's own bot does, or the greedy one where there is none; None: nothing to do now."""
    bot = own_bot(game)
    return bot.decide(state, seat, chance) if bot else greedy_action(game, state, seat, chance)


def at_mixed_levels(game: Game[Any], state: Any, seat: int) -> Any:
    """The state as a bot of this seat's own level sees it, for a table whose bots are to differ.

    The first seat plays at the level of the match, the others at the next ones: bots that are equally good
    do much the same with the same dice.
    """
    levels = next((option.choices for option in game.options if option.name == _LEVEL), ())
    if not levels:
        return state
    level = levels[(levels.index(state.options.bots) + seat - 1) % len(levels)]
    return replaced(state, options=replaced(state.options, bots=level))


def points_alone(game: Game[Any], options: JsonObject, rolls: Sequence[Sequence[str]]) -> int | None:
    """What a game's own bot comes to alone when the dice fall so; None where no bot can play alone."""
    bot, chance = own_bot(game), SeededChance(1)
    data = game.setup(MatchRequest(1, "umpire", options), chance)
    if bot is None or isinstance(data, Refusal):
        return None
    state = game.start(data)
    for faces in rolls:
        state = _after(game, state, Action("roll", data={"faces": list(faces)}), chance)
        while (action := bot.decide(state, 1, chance)) is not None:
            state = _after(game, state, action, chance)
    return int(game.score(state)[0]["total"])


def _after(game: Game[Any], state: Any, action: Action, chance: Chance) -> Any:
    fact = game.decide(state, action, chance)
    assert not isinstance(fact, Refusal), (action, fact)
    return game.apply(state, fact)


def any_action(game: Game[Any], state: Any, seat: int, chance: Chance) -> Action | None:
    """One of the seat's legal actions, each as likely as the other; None when there is nothing to do."""
    legal = game.legal(state, seat)
    return drawn(legal, 1, chance)[0] if legal else None


def greedy_action(game: Game[Any], state: Any, seat: int, chance: Chance) -> Action | None:
    """The action with the most points right afterwards, or the best prospect, among a few legal ones."""
    legal = [action for action in game.legal(state, seat) if action.kind != "roll"]
    if not legal:
        return any_action(game, state, seat, chance)
    tried = drawn(legal, min(TRIED, len(legal)), chance)
    return max(tried, key=lambda action: _points_after(game, state, seat, action, chance))


def _points_after(
    game: Game[Any], state: Any, seat: int, action: Action, chance: Chance
) -> tuple[float, float]:
    """What an action would bring; where chance takes part, one of the ways it could go.

    A score may say with ``prospect`` how near further points are: in some games most moves bring none yet.
    """
    after = _after(game, state, action, chance)
    row = next(row for row in game.score(after) if row["seat"] == seat)
    return row["total"], row.get("prospect", 0)
