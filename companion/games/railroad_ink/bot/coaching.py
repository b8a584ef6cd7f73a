"""What a drawing cost against the best one that is found, and why: for the coach.

The best turn is looked for first. Then both boards, it and the one that was drawn, are played to the end on
the same fresh dice: whoever is best of many by luck is so no more. The difference is the *cost*, with its
standard error; its parts by what counts in the score say why.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.core.jsontext import JsonObject
from companion.core.messages import Message, m, nm
from companion.games.railroad_ink.bot.engines import Engine
from companion.games.railroad_ink.bot.levels import LEVELS
from companion.games.railroad_ink.bot.question import Question
from companion.games.railroad_ink.bot.tables import Array, Record, mask_of
from companion.games.railroad_ink.bot.thinking import (
    Standing,
    dice_left,
    dice_to_come,
    looks_of,
    scored,
    standing,
    thoughts,
    with_drawings,
)
from companion.games.railroad_ink.rules.boards.board import Drawing
from companion.games.railroad_ink.rules.rulebook import EDITION, NETWORK_VALUES, VILLAGE_VALUES

EFFORT = LEVELS["best"]
PRECISE = 0.5  # the standard error at which no more is played
BLOCK, MOST = 200, 1600  # matches from each of the two boards
NOTICED = 0.4  # points of a part that are worth a sentence


@dataclass(frozen=True)
class Advice:
    """A seat's round: what it drew, what would have been best, and what the difference is."""

    number: int
    made: tuple[Drawing, ...]
    best: tuple[Drawing, ...]
    worth: float  # expected points at the end with the best turn,
    cost: float  # how many fewer they are with what was drawn,
    error: float  # and the standard error of that
    why: tuple[str, ...]

    def as_json(self) -> JsonObject:
        """As it is told to programs."""
        return {
            "round": self.number,
            "cost": round(self.cost, 2),
            "error": round(self.error, 2),
            "worth": round(self.worth, 2),
            "made": moves_json(self.made),
            "best": moves_json(self.best),
            "why": list(self.why),
        }


def moves_json(drawings: Sequence[Drawing]) -> list[JsonObject]:
    """Drawings as moves."""
    return [{"cell": one.cell, "route": one.route, "from": one.source} for one in drawings]


def advice(question: Question, made: tuple[Drawing, ...], engine: Engine) -> Advice:
    """What ``made`` cost, drawn on the board as it was before the round."""
    best = thoughts(question, EFFORT, engine)[0]
    at = standing(question, engine)
    both = [with_drawings(at, best.drawings), with_drawings(at, made)]
    if looks_of(best.drawings) == looks_of(made):
        return Advice(question.number, made, made, best.worth, 0.0, 0.0, ())
    if question.number == question.rounds:
        points = [scored(question, drawings) for drawings in (best.drawings, made)]
        known = [parts_of(one.head[0]) for one in both]
        less = max(0, points[0] - points[1])
        why = (*_more(best.drawings, made), *_reasons(both, known[0] - known[1])) if less else ()
        return Advice(question.number, made, best.drawings, points[0], less, 0.0, why)
    worth, cost, error, parts = _compared(at, both)
    if cost <= 0:
        return Advice(question.number, made, made, worth - cost, 0.0, error, ())
    why = (*_more(best.drawings, made), *_reasons(both, parts))
    return Advice(question.number, made, best.drawings, worth, cost, error, why)


def _compared(at: Standing, both: Sequence[Standing]) -> tuple[float, float, float, Array]:
    """The worth of the first board, what the second one is less, the error of that, and its parts."""
    heads, bodies = (
        np.concatenate([one.head for one in both]),
        np.concatenate([one.body for one in both]),
    )
    dice, widths = dice_to_come(at.question, MOST, "coach"), EFFORT.widths(at.question)
    points, parts = np.zeros((2, 0)), np.zeros((2, 0, len(PARTS)))
    while points.shape[1] < MOST:
        done = points.shape[1]
        finals, more = at.engine.matches(
            heads, bodies, widths, dice[done : done + BLOCK], at.number + 1, at.table
        )
        points = np.concatenate([points, more], axis=1)
        parts = np.concatenate([parts, parts_of(finals)], axis=1)
        difference = points[0] - points[1]
        error = float(difference.std() / len(difference) ** 0.5)
        if error <= PRECISE:
            break
    worth = float(points[0].mean()) + at.question.won
    return worth, float(difference.mean()), error, (parts[0] - parts[1]).mean(axis=0)


# --- why ---

# What the score is made of.
PARTS: dict[str, Message] = {
    "exits": m("joined exits"),
    "highway": m("the longest highway"),
    "railway": m("the longest railway"),
    "centre": m("the central spaces"),
    "errors": m("ends that lead to nothing"),
    "villages": m("villages"),
    "goals": m("goals"),
}


def parts_of(heads: Array) -> Array:
    """What boards count, by part: ``[.., part]``."""
    centre = np.uint64(mask_of(EDITION["classic"].centre))  # of all editions
    live = heads["live"][..., None] >> np.arange(heads["ends"].shape[-1]) & 1
    values = np.array(NETWORK_VALUES)[np.bitwise_count(heads["exits"].astype(np.uint64)) * live]
    drawn = ~heads["empty"].astype(np.uint64) & centre
    return np.stack(
        [
            heads["bank"] + values.sum(axis=-1),
            heads["longest"][..., 0],
            heads["longest"][..., 1],
            np.bitwise_count(drawn).astype(np.int64),
            -heads["lost"] - (heads["ends"] * live).sum(axis=-1),
            np.array(VILLAGE_VALUES)[heads["villages"]],
            heads["prizes"],
        ],
        axis=-1,
    ).astype(np.float64)


def _more(best: Sequence[Drawing], made: Sequence[Drawing]) -> tuple[str, ...]:
    """If all that was made is a part of the best turn: what else that draws."""
    if not looks_of(made) < looks_of(best):
        return ()
    cells = {one.cell for one in best} - {one.cell for one in made}
    return (m("all of it is right, but {cells} could be drawn, too", cells=", ".join(sorted(cells))),)


def networks_of(head: Record) -> int:
    """How many networks with an exit there are on a board."""
    live = int(head["live"]) >> np.arange(head["ends"].shape[-1]) & 1
    return int(head["closed"]) + int(((head["exits"] > 0) & (live > 0)).sum())


def _reasons(both: Sequence[Standing], parts: Array) -> tuple[str, ...]:
    """What differs between the best board and the other one, the dearest first; then what is seen at once."""
    told = sorted(zip(parts, PARTS.values(), strict=True), key=lambda one: -one[0])
    found: list[str] = [
        m("{part}: about {points} points less in the end", part=part, points=round(float(points), 1))
        for points, part in told
        if points >= NOTICED
    ]
    found += [
        m("{part}: about {points} points more, in return", part=part, points=round(float(-points), 1))
        for points, part in reversed(told)
        if points <= -NOTICED
    ]
    best, other = (one.head[0] for one in both)
    shut = int(other["shut"]) - int(best["shut"])
    if shut > 0:
        found.append(
            nm("{n} exit more can no longer be joined", "{n} exits more can no longer be joined", shut)
        )
    lost = int(other["lost"]) - int(best["lost"])
    if lost > 0:
        found.append(
            nm("{n} end more leads to nothing for good", "{n} ends more lead to nothing for good", lost)
        )
    apart = networks_of(other) - networks_of(best)
    if apart > 0:
        found.append(
            nm(
                "{n} network more with an exit stays apart from the others",
                "{n} networks more with exits stay apart from the others",
                apart,
            )
        )
    undrawn = dice_left(both[1].body[0]) - dice_left(both[0].body[0])
    if undrawn > 0:
        found.append(nm("{n} die more could have been drawn", "{n} dice more could have been drawn", undrawn))
    specials = int(best["specials"]) - int(other["specials"])
    if specials > 0:
        found.append(m("the special route is better kept for later"))
    elif specials < 0:
        found.append(m("a special route is worth using now"))
    for kind, words in enumerate((PARTS["highway"], PARTS["railway"])):
        if best["depth"][kind] >= best["longest"][kind] > 2 > other["depth"][kind]:
            found.append(m("{route} cannot go on", route=words))
    return tuple(found)
