"""Players for demonstrations and recorded matches: they know nothing but a game's list of legal actions.

Where a match never ends without plans over many turns, the game itself has a player that plans.
"""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from companion.games.contract import Action, Chance, Game, Refusal, drawn

TRIED = 12  # actions a thinking bot compares


@runtime_checkable
class Planner(Protocol):
    """A game that has a planning player of its own."""

    def suggestion(self, state: Any, seat: int) -> Action | None:
        """What it would do now; None when that seat is not to move."""


def any_action(game: Game[Any], state: Any, seat: int, chance: Chance) -> Action | None:
    """One of the seat's legal actions, each as likely as the other; None when there is nothing to do."""
    legal = game.legal(state, seat)
    return drawn(legal, 1, chance)[0] if legal else None


def best_action(game: Game[Any], state: Any, seat: int, chance: Chance) -> Action | None:
    """The action with the most points right afterwards, or the best prospect, among a few legal ones."""
    if isinstance(game, Planner):
        return game.suggestion(state, seat)
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
    fact = game.decide(state, action, chance)
    assert not isinstance(fact, Refusal), (action, fact)
    after = game.apply(state, fact)
    row = next(row for row in game.score(after) if row["seat"] == seat)
    return row["total"], row.get("prospect", 0)
