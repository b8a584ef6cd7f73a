"""What cannot be on a board, whoever drew it: said beside its score, which counts it all the same."""

from __future__ import annotations

from companion.games.railroad_ink.rules.boards.placement import loose_remarks
from companion.games.railroad_ink.rules.boards.position import Position
from companion.games.railroad_ink.rules.boards.specials import specials_reasons
from companion.games.railroad_ink.rules.expansions.impossible import marks_reasons, specials_are_open


def position_remarks(position: Position) -> list[str]:
    """Special routes that are too many, routes that could not be drawn, marks that cannot stand there.

    With an expansion routes may be drawn anywhere, be joined in other ways, and be destroyed.

    >>> from companion.games.railroad_ink.rules.boards.position import read_position
    >>> position_remarks(read_position({"cells": {"d4": "NS"}}))
    ['joined to no exit, so it could not have been drawn: d4']
    """
    specials = specials_reasons(position.cells, position.edition)
    if not position.expansion:
        return specials + loose_remarks(position.cells, position.walls)
    return [*([] if specials_are_open(position.expansion) else specials), *marks_reasons(position)]
