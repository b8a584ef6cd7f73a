"""Readings and rulings: the types that every reader shares.

    photograph -> PhotoReading of SheetReadings of SlotReadings -> probabilities -> costs -> Ruling

A *slot* is one place on a sheet, a *mark* is what is in it: a route, a card's face, a piece, :data:`EMPTY`.
A slot has a probability for every mark in question, or None where it could not be seen: then it says nothing,
never "empty". Probabilities become *costs*: how much less likely than the slot's best mark
another one is, in nats. A cost of 0 is what the picture shows; 7 is a thousand times less likely. A *ruling*
is the legal position that costs least, with what is doubtful about it; a game says how to search for that.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import exp, log
from typing import Any, Generic, Literal, Self, TypeAlias, TypeVar

from companion.core.jsontext import JsonObject
from companion.core.messages import m
from companion.sheets.drawing import Quad

EMPTY = ""  # the mark of a slot with nothing in it
SURE = 0.9  # a slot whose best mark is less probable than this is doubtful
# How often a picture fools the reader altogether, so that its probabilities mean nothing. It bounds how sure
# a mark can be: with a hundred possible marks, about 11 nats against any other.
OUTLIER_RATE = 1e-3
# How much less probable than the picture itself a legal position may be, in nats: beyond that it is likelier
# that somebody broke a rule than that the picture was misread so badly.
MAX_NLL = 10.0
_OTHERS_WORTH_TELLING, _MOST_OTHERS = 0.001, 5  # of a reading, beside the best mark
_MOST_OPTIONS = 5  # that people choose from

MarkT = TypeVar("MarkT", bound=Hashable)
K = TypeVar("K", int, str)  # slots are named by readers; a ruling may number them

MarkProbabilities: TypeAlias = Mapping[str, float] | None
SheetProbabilities: TypeAlias = Mapping[
    str, MarkProbabilities
]  # by the slot's name; a slot that is left out was not seen


# --- readings ---


@dataclass(frozen=True)
class SlotReading:
    """One slot: every mark in question with its probability, the most probable first.

    With ``cannot_see`` (glare, covered, outside the picture, ...) the probabilities are a guess, and nobody
    may take the best of them for what is there. ``corners`` are those of what was found, in pixels of the
    photograph, where a reader knows them better than the sheet's placement does.
    """

    probabilities: Mapping[str, float]
    cannot_see: str | None = None
    corners: Quad | None = None

    @property
    def best(self) -> str:
        """The most probable mark, or :data:`EMPTY`."""
        return next(iter(self.probabilities))

    @property
    def p(self) -> float:
        """The probability of the best mark."""
        return self.probabilities[self.best]

    @property
    def doubtful(self) -> bool:
        """True if somebody should look at the slot: it cannot be seen, or its best mark is not sure."""
        return self.cannot_see is not None or self.p < SURE


@dataclass(frozen=True)
class Quality:
    """The measures of how well a sheet was seen that every reader provides."""

    found_by: str  # tags, taught, corners, ...
    pixels_per_mm: float
    light: float  # brightness of the paper, 0 to 1


TOO_SMALL = m("too small in the picture: bring the camera nearer")
TOO_DARK = m("too dark: more light")


def advice_of(checks: Mapping[str, bool]) -> tuple[str, ...]:
    """The advice whose checks are true, in the order in which it matters."""
    return tuple(advice for advice, wanted in checks.items() if wanted)


def usual_advice(quality: Quality, pixels_per_mm: float, light: float) -> tuple[str, ...]:
    """Advice on a picture's scale and light, where a reader becomes unreliable below these limits."""
    return advice_of({TOO_SMALL: quality.pixels_per_mm < pixels_per_mm, TOO_DARK: quality.light < light})


SlotT_co = TypeVar("SlotT_co", bound=SlotReading, covariant=True)


@dataclass(frozen=True)
class SheetReading(Generic[SlotT_co]):
    """One sheet in one photograph: its slots by name, and how well it was seen."""

    sheet: str
    edition: str  # "" where nothing in the picture tells it
    seat: int
    corners_px: Quad  # of the sheet in the photograph, clockwise from the sheet's own top left
    slots: Mapping[str, SlotT_co]
    quality: Quality

    @property
    def doubtful(self) -> tuple[str, ...]:
        """The slots that somebody should look at, by name."""
        return tuple(name for name, slot in self.slots.items() if slot.doubtful)

    @property
    def probabilities(self) -> dict[str, MarkProbabilities]:
        """What the rules want to know of the sheet."""
        return probabilities_of(self.slots)

    def explained(self) -> JsonObject:
        """How the reading came about, as ``read --explain`` tells it, where a reader keeps it."""
        return {}

    def as_json(self) -> JsonObject:
        """The sheet in a line of ``read --json``; games with names of their own for slots tell them here."""
        return {
            "sheet": self.sheet,
            "edition": self.edition or None,
            "seat": self.seat,
            "corners": corners_json(self.corners_px, 2),
            "slots": {name: slot_json(slot, "mark") for name, slot in self.slots.items()},
            "doubtful": list(self.doubtful),
            "quality": {
                "found_by": self.quality.found_by,
                "pixels_per_mm": round(self.quality.pixels_per_mm, 2),
                "light": round(self.quality.light, 2),
            },
        }


SheetT_co = TypeVar("SheetT_co", bound=SheetReading[SlotReading], covariant=True)


@dataclass(frozen=True)
class PhotoReading(Generic[SheetT_co]):
    """Everything read from one photograph; ``notes`` are sentences for people.

    ``unread``: sheets lie there besides of which too little is seen; the notes say why.
    """

    width: int
    height: int
    sheets: tuple[SheetT_co, ...]
    notes: tuple[str, ...] = ()
    unread: bool = False


def photo_json(
    photo: str, reading: PhotoReading[SheetT_co], rulings: Mapping[int, Ruling[K, MarkT]] | None = None
) -> JsonObject:
    """One line of ``read --json``; ``rulings`` are by the sheet's place in the reading."""
    told = {place: ruling.as_json() for place, ruling in (rulings or {}).items()}
    return {
        "photo": photo,
        "width": reading.width,
        "height": reading.height,
        "sheets": [
            sheet.as_json() | ({"ruling": told[n]} if n in told else {})
            for n, sheet in enumerate(reading.sheets)
        ],
        "notes": list(reading.notes),
    }


def slot_json(slot: SlotReading, called: str, **more: Any) -> JsonObject:
    """One slot: its best mark under the name that the game has for marks, then ``more``, then other marks.

    What cannot be seen is never told as empty.

    >>> slot_json(SlotReading({"NS": 0.9, "": 0.1}), "route", round=2)
    {'route': 'NS', 'p': 0.9, 'round': 2, 'others': [[None, 0.1]]}
    >>> slot_json(SlotReading({"": 0.9, "NS": 0.1}, "glare"), "route")
    {'cannot_see': 'glare'}
    """
    if slot.cannot_see is not None:
        return {"cannot_see": slot.cannot_see}
    others = [
        [mark or None, round(p, 4)]
        for mark, p in list(slot.probabilities.items())[1 : _MOST_OTHERS + 1]
        if p >= _OTHERS_WORTH_TELLING
    ]
    return {called: slot.best or None, "p": round(slot.p, 4), **more} | ({"others": others} if others else {})


def corners_json(corners: Quad, digits: int) -> list[list[float]]:
    """Four corners in pixels as JSON."""
    return [[round(x, digits), round(y, digits)] for x, y in corners]


# --- looks and costs ---


def probabilities_of(slots: Mapping[str, SlotReading]) -> dict[str, MarkProbabilities]:
    """The probabilities of some slots; one that cannot be seen says nothing."""
    return {name: None if slot.cannot_see is not None else slot.probabilities for name, slot in slots.items()}


def with_answers(
    by_slot: SheetProbabilities,
    answers: Mapping[str, str],
    slot_name: Callable[[str], str],
    mark_name: Callable[[str], str],
) -> dict[str, MarkProbabilities]:
    """The probabilities with some slots settled by people.

    ``slot_name`` and ``mark_name`` give the usual spelling, or refuse what is no slot or mark of the game.

    >>> with_answers({"a1": None, "b1": None}, {"A1": "ns"}, str.lower, str.upper)
    {'a1': {'NS': 1.0}, 'b1': None}
    """
    return {**by_slot, **{slot_name(slot): {mark_name(mark): 1.0} for slot, mark in answers.items()}}


def costs_of(marks: Mapping[MarkT, float], possible: int) -> dict[MarkT, float]:
    """The cost in nats of every mark that a look names; so many marks are possible in the game.

    The look's probabilities are mixed with a small uniform share, for pictures that fool the reader.

    >>> {mark: round(cost, 1) for mark, cost in costs_of({"TB": 0.9, "": 0.1, "LR": 0.0}, 45).items()}
    {'TB': 0.0, '': 2.2, 'LR': 10.6}
    """
    total = sum(marks.values())
    shares = {mark: OUTLIER_RATE / possible + (1 - OUTLIER_RATE) * p / total for mark, p in marks.items()}
    best = max(shares.values())
    return {mark: log(best / share) for mark, share in shares.items()}


def stray_share(cost: float, reach: float = MAX_NLL) -> float:
    """The probability that a rule was broken, when the best legal position costs so much.

    >>> round(stray_share(0), 5), stray_share(MAX_NLL)
    (5e-05, 0.5)
    """
    return 1 / (1 + exp(min(reach - cost, 500.0)))


# --- rulings ---

Outcome: TypeAlias = Literal["accepted", "ask", "refused"]
Options: TypeAlias = tuple[tuple[str | None, float], ...]  # labels with their probabilities; None is nothing
Questions: TypeAlias = Mapping[str, Options]  # by the slot's name


@dataclass(frozen=True)
class Doubt(Generic[K, MarkT]):
    """A slot to ask about and what may be in it, the most probable first; None or ``""`` is nothing."""

    slot: K
    options: tuple[tuple[MarkT | None, float], ...]

    @property
    def named(self) -> Options:
        """The options as text; nothing is None however a game writes it."""
        return tuple((None if mark is None else str(mark) or None, p) for mark, p in self.options)


@dataclass(frozen=True)
class RulingSummary:
    """A ruling as it leaves the reader's process: slots and labels by name, and nothing of the game's types.

    ``told`` is its JSON, with what the game tells besides.
    """

    outcome: Outcome
    labels: Mapping[str, str]
    changes: tuple[str, ...] = ()
    uncertain: tuple[str, ...] = ()
    questions: Questions = field(default_factory=dict)
    against: tuple[str, ...] = ()
    told: JsonObject = field(default_factory=dict)


@dataclass(frozen=True)
class Ruling(Generic[K, MarkT]):
    """The ruling on a sheet by the rules of its game.

    *accepted*: ``cells`` is the most probable legal position. *ask*: it is, but people should settle the
    doubts (:func:`with_answers`, then rule again). *refused*: no legal position is nearly as probable as the
    picture; ``cells`` is the picture as it was seen, ``against`` what somebody who knows the rules would say.
    """

    outcome: Outcome
    cells: dict[K, MarkT]
    p: float = 0.0
    changed: tuple[K, ...] = ()
    doubts: tuple[Doubt[K, MarkT], ...] = ()
    against: tuple[str, ...] = ()

    @classmethod
    def ruled(
        cls, cells: dict[K, MarkT], p: float, before: Mapping[K, MarkT], doubts: Iterable[Doubt[K, MarkT]]
    ) -> Self:
        """A legal position: accepted if nothing is in doubt."""
        doubts = tuple(doubts)
        return cls("ask" if doubts else "accepted", cells, p, changed_slots(before, cells), doubts)

    @classmethod
    def refused(
        cls,
        cells: dict[K, MarkT],
        before: Mapping[K, MarkT],
        against: Iterable[str],
        doubts: Iterable[Doubt[K, MarkT]] = (),
    ) -> Self:
        """The picture as it was seen, with what is against the rules about it."""
        return cls("refused", cells, 0.0, changed_slots(before, cells), tuple(doubts), tuple(against))

    @classmethod
    def refused_outright(cls, sentence: str, cells: dict[K, MarkT] | None = None) -> Self:
        """No ruling on the picture: what was asked makes no sense with these rules."""
        return cls("refused", cells or {}, against=(sentence,))

    @property
    def doubtful(self) -> tuple[K, ...]:
        """The slots to ask about."""
        return tuple(doubt.slot for doubt in self.doubts)

    def slot_name(self, slot: K) -> str:
        """The name of a slot; games that number their slots say it here."""
        return str(slot)

    @property
    def labels(self) -> dict[str, str]:
        """What is in which slot, by the slot's name."""
        return {self.slot_name(slot): str(mark) for slot, mark in self.cells.items()}

    @property
    def changes(self) -> tuple[str, ...]:
        """The names of the slots that are not as they were."""
        return tuple(self.slot_name(slot) for slot in self.changed)

    @property
    def uncertain(self) -> tuple[str, ...]:
        """The names of the slots to ask about."""
        return tuple(self.slot_name(slot) for slot in self.doubtful)

    @property
    def questions(self) -> Questions:
        """What may be in the slots to ask about, by the slot's name, the most probable first."""
        return {self.slot_name(doubt.slot): doubt.named for doubt in self.doubts}

    @property
    def summary(self) -> RulingSummary:
        """What others than the game itself need of it."""
        return RulingSummary(
            self.outcome,
            self.labels,
            self.changes,
            self.uncertain,
            self.questions,
            self.against,
            self.as_json(),
        )

    def as_json(self) -> JsonObject:
        """The ruling as ``read --json`` and the pages tell it; games may tell more."""
        return {
            "outcome": self.outcome,
            "cells": self.labels,
            "p": round(self.p, 4),
            "changed": list(self.changes),
            "doubtful": list(self.uncertain),
            "questions": {
                name: [[label, round(p, 4)] for label, p in options]
                for name, options in self.questions.items()
            },
            "against_the_rules": list(self.against),
        }


def changed_slots(before: Mapping[K, MarkT], after: Mapping[K, MarkT]) -> tuple[K, ...]:
    """The slots that are not as they were, in order.

    >>> changed_slots({"b1": "TB"}, {"a1": "TB", "b1": "LR"})
    ('a1', 'b1')
    """
    return tuple(sorted(slot for slot in {**before, **after} if before.get(slot) != after.get(slot)))


def ranked(probabilities: Mapping[MarkT, float], least: float = 0.0) -> tuple[tuple[MarkT, float], ...]:
    """The most probable marks to choose from, those of at least so much."""
    first = sorted(probabilities.items(), key=lambda pair: -pair[1])[:_MOST_OPTIONS]
    return tuple((mark, p) for mark, p in first if p >= least)


_MOST_ASKED = 12
OF_ANOTHER_BOARD = m(
    "the picture fits this match in too few places: take it again, or see whether it is of another board"
)

RulingT = TypeVar("RulingT", bound=Ruling[str, str])


def asked_within_reason(ruling: RulingT, colours: tuple[Doubt[str, str], ...] = ()) -> RulingT:
    """The ruling of a match, that asks no more than anybody wants to answer; else the picture is refused.

    Whose ``colours`` are whose is asked first and alone, for much else is only unclear until that is known.
    """
    if colours:
        return replace(ruling, outcome="ask", doubts=colours, against=())
    if len(ruling.doubts) > _MOST_ASKED:
        return replace(ruling, outcome="refused", p=0.0, doubts=(), against=(OF_ANOTHER_BOARD,))
    return ruling
