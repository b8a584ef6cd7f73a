"""How well every face of a deck is named when it lies flat: ``python -m lab.derailed.faces_bench``.

No grid, no rules, no slant: what is wrong here is wrong on every table. Each deck lies on a plain table,
evenly lit and sharp, and each of its faces is named by the network alone. The hands are those held out of
training.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.games.derailed.printing.printed import PRINTED
from companion.games.derailed.reader.cards.classification import ImagePyramid, class_probabilities
from companion.games.derailed.reader.cards.faces import CLASSES, FACE_CLASSES
from companion.games.derailed.rules.cards import DECK, card_of
from lab.bench import say
from lab.derailed.studio.decks import Deck, card_picture
from lab.derailed.studio.hands import HELD_OUT, OURS, PEOPLE, STRANGE_HELD_OUT, hand_of
from lab.reading_bench import Columns, tell_tables

FIRST_SEED = 9_700_000
_SCALE = 2.0  # pixels per mm
_ROOM = 12  # mm of table around each card
_TABLE = (96, 118, 140)  # its colour
_SURE = 0.97  # what the reader takes for sure without a second look


@dataclass(frozen=True)
class Score:
    """One face of one deck."""

    hand: str
    face: str
    read: str
    p: float

    @property
    def right(self) -> bool:
        """Is it named?"""
        return self.read == self.face

    @property
    def silent(self) -> bool:
        """Is it named wrong, and no second look follows?"""
        return not self.right and self.p >= _SURE


def deck_scores(hand: str, number: int) -> Iterator[Score]:
    """Every copy of every face of a hand's deck."""
    own = None if hand == OURS else hand_of(np.random.default_rng([FIRST_SEED, number]), PEOPLE[hand])
    deck = Deck(own)
    wide, high = PRINTED.card.size
    faces = [(face, copy) for face in FACE_CLASSES for copy in range(max(DECK[card_of(face)], 1))]
    quads, tables = [], []
    for face, copy in faces:
        card = card_picture(deck, face, copy, _SCALE)[..., ::-1]
        room = round(_ROOM * _SCALE)
        tables.append(cv2.copyMakeBorder(card, room, room, room, room, cv2.BORDER_CONSTANT, value=_TABLE))
        corners = np.array([(0, 0), (wide, 0), (wide, high), (0, high)]) + _ROOM
        quads.append(corners * _SCALE)
    for (face, _), table, quad in zip(faces, tables, quads, strict=True):
        own_shares = class_probabilities(ImagePyramid(np.asarray(table, np.uint8)), [quad])[0]
        best = int(own_shares.argmax())
        yield Score(hand, face, CLASSES[best], float(own_shares[best]))


_COLUMNS: Columns[Score] = {
    "right": lambda scores: (sum(s.right for s in scores), len(scores)),
    "right and sure": lambda scores: (sum(s.right and s.p >= _SURE for s in scores), len(scores)),
    "wrong and sure": lambda scores: (sum(s.silent for s in scores), len(scores)),
}


def bench(hands: Sequence[str], decks: range) -> list[Score]:
    """So many decks of each hand."""
    return [score for hand in hands for number in decks for score in deck_scores(hand, number)]


def main() -> None:
    """Read the options, run the bench and print its tables."""
    parser = argparse.ArgumentParser(prog="python -m lab.derailed.faces_bench", description=__doc__)
    parser.add_argument("--hands", nargs="+", default=[OURS, *HELD_OUT, *STRANGE_HELD_OUT])
    parser.add_argument("--decks", type=int, default=8, help="of each hand")
    parser.add_argument("--first", type=int, default=0, help="the first deck")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    scores = bench(options.hands, range(options.first, options.first + options.decks))
    tell_tables("faces", _COLUMNS, {"hand": lambda score: score.hand}, scores)
    taken = Counter((score.face, score.read) for score in scores if not score.right)
    for (face, read), times in taken.most_common(25):
        say(f"{face} read as {read or 'nothing'}: {times}")


if __name__ == "__main__":
    main()
