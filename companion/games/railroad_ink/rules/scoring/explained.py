"""A score in sentences: one line for each thing that counts, with the rule that a table would ask about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce

from companion.core.messages import joined, m
from companion.games.railroad_ink.rules.boards.words import END_WORDS, side_words
from companion.games.railroad_ink.rules.expansions.frame import StarLine
from companion.games.railroad_ink.rules.scoring.goals import goal_text
from companion.games.railroad_ink.rules.scoring.scores import (
    ErrorEnd,
    GoalScore,
    LongestScore,
    NetworkScore,
    Score,
)


def explain(score: Score) -> list[str]:
    """The lines, the total last. Of several networks or errors the sum comes first, its parts are indented.

    >>> from companion.games.railroad_ink.rules.boards.position import read_position
    >>> from companion.games.railroad_ink.rules.scoring.scores import score
    >>> print(*explain(score(read_position({"cells": {"b1": "NS", "b2": "NW", "a2": "Ew*"}}))), sep="\\n")
    Network of 2 exits (b1, a2) through b1, a2, b2: 4
    Longest highway a2, b2, b1: 3
    Longest railway a2: 1
    Total: 8
    """
    lines = _summed(m("Exits"), score.exit_points, [_network_line(network) for network in score.networks])
    for name, longest in (("highway", score.highway), ("railway", score.railway)):
        if longest.length:
            lines.append(
                m(
                    "Longest {name} {cells}{longest}: {length}",
                    name=END_WORDS[name],
                    cells=_list(longest.cells),
                    longest=again_words(longest),
                    length=longest.length,
                )
            )
    if score.centre:
        lines.append(
            m("Central spaces {centre}: {centre2}", centre=_list(score.centre), centre2=len(score.centre))
        )
    if score.villages:
        lines.append(
            m(
                "Villages with a station {villages}: {village_points}",
                villages=_list(score.villages),
                village_points=score.village_points,
            )
        )
    lines += [joined(": ", [goal_words(goal), goal.points]) for goal in score.goals]
    lines += _summed(
        m("Errors"),
        -len(score.errors),
        [m("Error in {end}: -1", end=error_words(end)) for end in score.errors],
    )
    stars = [star_words(line) for line in score.stars]
    if score.by_hand or (score.expansion and not stars):
        stars.append(m("Expansion: {by_hand}", by_hand=score.by_hand))
    lines += _summed(m("Expansion"), score.expansion, stars)
    return [*lines, m("Total: {total}", total=score.total)]


def _summed(name: str, points: int, lines: list[str]) -> list[str]:
    if len(lines) < 2:
        return lines
    return [joined(": ", [name, points]), *(m("  {line}", line=line) for line in lines)]


def _network_line(network: NetworkScore) -> str:
    exits, cells = _list(network.exits), _list(network.cells)
    return m(
        "Network of {exits} exits ({exits2}) through {cells}: {value}",
        exits=len(network.exits),
        exits2=exits,
        cells=cells,
        value=network.value,
    )


def again_words(longest: LongestScore) -> str:
    """What the cells count for that a longest route passes again, in brackets; nothing if there are none."""
    return m(" ({again})", again=joined("; ", _again(longest))) if longest.again else ""


def _again(longest: LongestScore) -> Iterator[str]:
    for passed in longest.again:
        if passed.other_curve:
            yield m("{cell} again: its other curve counts, too", cell=passed.cell)
        elif passed.counts:
            yield m("{cell} again: every pass counts", cell=passed.cell)
        else:
            yield m("{cell} again: it counts once", cell=passed.cell)


def goal_words(goal: GoalScore) -> str:
    """What the goal asks for, the cells that achieve it, and why it is worth what it is.

    >>> goal_words(GoalScore("D", 2, ("a1", "g1", "a7"), "in round 5, after others in 1 earlier round"))
    'Goal D, Fill 3 of the four corners (a1, g1, a7), in round 5, after others in 1 earlier round'
    """
    cells = f" ({_list(goal.cells)})" if goal.cells else m(", not achieved on this board")
    return (
        m(
            "Goal {goal}, {goal2}{cells}, {why}",
            goal=goal.goal,
            goal2=goal_text(goal.goal),
            cells=cells,
            why=goal.why,
        )
        if goal.why
        else m(
            "Goal {goal}, {goal2}{cells}{why}",
            goal=goal.goal,
            goal2=goal_text(goal.goal),
            cells=cells,
            why=goal.why,
        )
    )


def star_words(line: StarLine) -> str:
    """A line of an expansion's points.

    >>> star_words(StarLine("Forest of 2 spaces, 2 points each", 4, ("a1", "a2")))
    'Forest of 2 spaces, 2 points each (a1, a2): 4'
    """
    if not line.cells:
        return joined(": ", [line.says, line.points])
    return m("{says} ({cells}): {points}", says=line.says, cells=_list(line.cells), points=line.points)


def error_words(end: ErrorEnd) -> str:
    """The position of a loose end, and what it faces.

    >>> error_words(ErrorEnd("b1", "bottom", "highway", wall=True, behind="b2"))
    'b1: the highway to the bottom stops at the wall to b2'
    """
    if not end.wall:
        return m(
            "{cell}: the {type} to the {side} leads to nothing",
            cell=end.cell,
            type=END_WORDS[end.type],
            side=side_words(end.side),
        )
    return m(
        "{cell}: the {type} to the {side} stops at the wall to {behind}",
        cell=end.cell,
        type=END_WORDS[end.type],
        side=side_words(end.side),
        behind=end.behind,
    )


def tie_words(total: int, errors: Sequence[int]) -> str:
    """What decides between equal totals: the errors of those who have it, fewest first.

    >>> tie_words(42, [3, 5]), tie_words(42, [3, 3])
    ('tie at 42: fewer errors decide (3 to 5)', 'tie at 42, and 3 errors each: the place is shared')
    """
    if len(set(errors)) > 1:
        return m(
            "tie at {total}: fewer errors decide ({errors})",
            total=total,
            errors=_to(errors),
        )
    number = errors[0]
    return (
        m("tie at {total}, and {number} error each: the place is shared", total=total, number=number)
        if number == 1
        else m("tie at {total}, and {number} errors each: the place is shared", total=total, number=number)
    )


def _to(numbers: Sequence[int]) -> str:
    first, *others = numbers
    return reduce(
        lambda some, other: m("{some} to {other}", some=some, other=other), others, m("{n}", n=first)
    )


def _list(cells: Sequence[str]) -> str:
    return ", ".join(cells)
