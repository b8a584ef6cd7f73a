"""A game without a show of its own: names, totals, the lines of the score, legal actions as buttons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar

from companion.games.contract import Action, Game, Plain
from companion.table.seats import Player
from web.show.parts import Aside, Controls, Die, Facing, ScoreLine, ScoreRow
from web.speaking import Markup

_PIPS = {  # where the pips of an ordinary die are, in thirds
    "1": ((1, 1),),
    "2": ((0, 0), (2, 2)),
    "3": ((0, 0), (1, 1), (2, 2)),
    "4": ((0, 0), (2, 0), (0, 2), (2, 2)),
    "5": ((0, 0), (2, 0), (1, 1), (0, 2), (2, 2)),
    "6": ((0, 0), (2, 0), (0, 1), (2, 1), (0, 2), (2, 2)),
}


def plain_face(face: str) -> Die:
    """A face of any die: pips where they are numbers up to six, else what is printed on it."""
    if face not in _PIPS:
        return Die(Markup('<b class="die face">{}</b>').format(face), face)
    pips = Markup("").join(
        Markup('<circle cx="{}" cy="{}" r="9"/>').format(24 + 26 * x, 24 + 26 * y) for x, y in _PIPS[face]
    )
    drawn = Markup('<svg class="die pips" viewBox="0 0 100 100" aria-hidden="true">{}</svg>').format(pips)
    return Die(drawn, face)


def face_of(show: Any, face: str) -> Die:
    """A face as the game draws it, or as any die's."""
    return show.face(face) if isinstance(show, Facing) else plain_face(face)


S = TypeVar("S")  # the state of the game's rules

_MOST_BUTTONS = 60
_NOT_SCORES = ("seat", "place", "total")


class PlainShow(Generic[S]):
    """What every game promises is enough for this."""

    sprite = Markup("")
    play_sprite = Markup("")
    style_sheet = ""
    board_script = ""
    play_script = "actions.js"
    asides_title = "On the table"

    def __init__(self, game: Game[S]) -> None:
        self._game = game

    def headline(self, view: Plain) -> str:
        """The round, where there are rounds."""
        return f"Round {view['round']}" if "round" in view else "Match under way"

    def status(self, view: Plain, names: Mapping[int, str]) -> str:
        """Whose turn it is, where there are turns."""
        turn = view.get("turn")
        return f"{names[turn]}'s turn" if isinstance(turn, int) and turn in names else ""

    def dice(self, view: Plain) -> list[Die]:
        """Faces in words."""
        return [
            Die(Markup('<b class="die face">{}</b>').format(face), str(face)) for face in view.get("dice", [])
        ]

    def blank_dice(self, view: Plain) -> int:
        """Nothing is kept free."""
        return 0

    def board(self, view: Plain, seat: int, name: str) -> Markup:
        """No picture."""
        return Markup("")

    def board_words(self, view: Plain, seat: int) -> list[tuple[str, str]]:
        """Nothing to tell."""
        return []

    def shared_board(self, view: Plain, players: Mapping[int, Player]) -> Markup:
        """No picture."""
        return Markup("")

    def shared_words(self, view: Plain, players: Mapping[int, Player]) -> list[tuple[str, str]]:
        """Nothing to tell."""
        return []

    def beside_board(self, view: Plain, seat: int) -> Markup:
        """Nothing."""
        return Markup("")

    def score_rows(self, row: Plain) -> list[ScoreRow]:
        """Every number of the score, and its lines under the total."""
        numbers = [
            ScoreRow(key.replace("_", " ").capitalize(), value)
            for key, value in row.items()
            if isinstance(value, int) and not isinstance(value, bool) and key not in _NOT_SCORES
        ]
        lines = tuple(ScoreLine(str(line), None) for line in row.get("lines", ()))
        return [*numbers, ScoreRow("Why", row["total"], lines)]

    def position_rows(self, position: Plain) -> list[ScoreRow]:
        """The same for a board without a match."""
        return self.score_rows(self._game.score_position(position))

    def controls(self, state: S, seat: int) -> Controls:
        """A button for every legal action, as long as they can be counted."""
        legal = self._game.legal(state, seat)
        buttons = [(action, _words(action)) for action in legal[:_MOST_BUTTONS]]
        return Controls("play/actions.html", {"buttons": buttons, "more": len(legal) - len(buttons)})

    def rematch_options(self, setup: Plain, scores: Sequence[Plain]) -> Plain:
        """What was chosen, where the setup says so."""
        options: Plain = setup.get("options", {})
        return options

    def event_words(self, kind: str, data: Plain) -> str:
        """The kind and what goes with it, as far as people could have said it; of a roll the faces."""
        if kind == "roll":
            return f"rolled {', '.join(data['faces'])}"
        return _words(
            Action(kind, None, {key: one for key, one in data.items() if isinstance(one, str | int)})
        )

    def asides(self, view: Plain) -> list[Aside]:
        """Nothing."""
        return []


def _words(action: Action) -> str:
    told = ", ".join(f"{key} {value}" for key, value in action.data.items())
    return f"{action.kind} {told}".strip()
