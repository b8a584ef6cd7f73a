"""The probabilities of a board's slots: all that a ruling takes from a photograph."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field, replace

from companion.core.errors import NotationError, quoted
from companion.core.messages import m
from companion.games.railroad_ink.reader.labels import LABELS, label_number, label_text
from companion.games.railroad_ink.reader.mark_classes import CLASSES_OF, NONE, told_mark
from companion.games.railroad_ink.reader.readings import SheetReading
from companion.games.railroad_ink.rules.rulebook import GRID
from companion.reading.evidence import MarkProbabilities, SheetProbabilities, with_answers

CROSSED_OFF = "crossed-off"  # the slot in which one asks which special route was crossed off
_MARK = "+"  # behind the name of a cell: the slot of its mark, where routes and marks are asked about
_LEAST = 1e-6  # a probability that is never undercut
_CRATER = "crater"


@dataclass(frozen=True)
class SlotProbabilities:
    """The probability of every label by slot; slots that cannot be seen are None or left out.

    ``routes``: by cell. ``marks``: the classes of an ``expansion``'s marks by place, where these are read.
    ``route_guesses``, ``mark_guesses``: at slots that cannot be seen well. ``crossed``: how probably each
    special route's picture beside the grid is crossed off. ``circles``: of Villages and of Universities, how
    probably each is marked. ``written``: how probably a round number stands in a cell's box; ``rounds``:
    which. ``outside``: cells that are not in the picture. ``veiled``: cells under so much light that ink in
    them would look wiped. ``crossed_for``: what people say was crossed off for a die; "" is nothing.
    """

    routes: SheetProbabilities
    expansion: str = ""
    marks: SheetProbabilities = field(default_factory=dict)
    route_guesses: SheetProbabilities = field(default_factory=dict)
    mark_guesses: SheetProbabilities = field(default_factory=dict)
    crossed: Mapping[str, float] = field(default_factory=dict)
    circles: tuple[Sequence[float], Sequence[float]] = ((), ())
    written: Mapping[str, float] = field(default_factory=dict)
    rounds: Mapping[str, int] = field(default_factory=dict)
    outside: frozenset[str] = frozenset()
    veiled: frozenset[str] = frozenset()
    crossed_for: str | None = None

    @classmethod
    def of(cls, sheet: SheetReading) -> SlotProbabilities:
        """The probabilities as read from a sheet."""
        seen = {name: cell for name, cell in sheet.cells.items() if cell.cannot_see is None}
        return cls(
            routes=sheet.probabilities,
            expansion=sheet.expansion,
            marks=sheet.mark_looks,
            route_guesses=sheet.glimpses,
            mark_guesses=sheet.mark_glimpses,
            crossed=sheet.panel.specials,
            circles=(sheet.panel.villages, sheet.panel.universities),
            written={name: cell.written for name, cell in seen.items() if cell.written is not None},
            rounds={name: cell.round for name, cell in sheet.cells.items() if cell.round},
            outside=sheet.outside,
            veiled=frozenset(name for name, cell in sheet.cells.items() if cell.veiled),
        )

    def hidden(self, known: Container[str]) -> list[str]:
        """The cells that cannot be seen, except those ``known`` from before."""
        return [name for name in GRID.names if not self.routes.get(name) and name not in known]

    def guessed(self, known: Container[str]) -> SlotProbabilities:
        """The probabilities with guesses at partly hidden slots, except those ``known`` from before."""

        def both(probabilities: SheetProbabilities, guesses: SheetProbabilities) -> SheetProbabilities:
            hidden = (place for place in guesses if not probabilities.get(place) and place not in known)
            return {**probabilities, **{place: guesses[place] for place in hidden}}

        return replace(
            self,
            routes=both(self.routes, self.route_guesses),
            marks=both(self.marks, self.mark_guesses),
        )

    def settled(self, answers: Mapping[str, str]) -> SlotProbabilities:
        """The probabilities with slots settled by people ("" is nothing); raises NotationError if unknown.

        >>> SlotProbabilities({"a1": None}).settled({"a1": "EN"}).routes
        {'a1': {'NE': 1.0}}
        >>> SlotProbabilities({}, "forest", {"c3": {"trees": 0.6, "": 0.4}}).settled({"c3+": ""}).marks
        {'c3': {'': 1.0}}
        """
        of_marks = {slot: text for slot, text in answers.items() if slot.endswith(_MARK) or "-" in slot}
        routes = with_answers(
            self.routes,
            {slot: text for slot, text in answers.items() if slot not in of_marks},
            lambda name: GRID.names[GRID.cell(name)],
            lambda text: label_text(LABELS[label_number(text)]),
        )
        crossed_for = of_marks.pop(CROSSED_OFF, self.crossed_for)
        marks = {slot.removesuffix(_MARK): self._settled_mark(slot, text) for slot, text in of_marks.items()}
        return replace(self, routes=routes, marks={**self.marks, **marks}, crossed_for=crossed_for)

    def _settled_mark(self, slot: str, text: str) -> MarkProbabilities:
        """The classes that look like the mark, as probable among each other as they are seen."""
        place = slot.removesuffix(_MARK)
        names = CLASSES_OF.get(self.expansion, ()) if place in GRID.names else ("canyon", NONE)
        wanted = _CRATER if text.startswith(_CRATER) else text  # its number is no part of its picture
        fitting = [name for name in names if told_mark(name) == wanted]
        if not fitting or place not in self.marks:
            raise NotationError(
                "unknown-mark",
                m("{text} cannot be the mark of {slot}", text=quoted(text), slot=quoted(slot)),
            )
        seen = self.marks[place] or {}
        shares = {name: max(seen.get(name, 0.0), _LEAST) for name in fitting}
        return {name: p / sum(shares.values()) for name, p in shares.items()}


def mark_slot(place: str) -> str:
    """The slot in which a mark is asked about: that of a cell's route has the cell's name alone.

    >>> mark_slot("c3"), mark_slot("c3-d3")
    ('c3+', 'c3-d3')
    """
    return f"{place}{_MARK}" if place in GRID.names else place
