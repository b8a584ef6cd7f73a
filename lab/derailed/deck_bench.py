"""How much a taught deck helps: ``python -m lab.derailed.deck_bench``.

Every deck is taught from photographs of its cards in the printed order, on the mat, and then read in tables
of legal play, with and without what was taught. The hands are those held out of training, and decks like no
other.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np

from companion.games.contract import Plain
from companion.games.derailed.eye.deck import KnownDeck, known_deck
from companion.games.derailed.eye.deck_teaching import teach_photograph
from companion.games.derailed.eye.reading import read_cards
from companion.games.derailed.eye.readings import CardReading, seen_from_the_other_end
from companion.games.derailed.eye.tables import Expected
from companion.games.derailed.paper.deck_order import deck_order
from companion.games.derailed.rules.network import grid_of
from companion.games.faces import DECK_ENDING
from lab.derailed.reading_bench import TILTS, is_right, is_unreadable
from lab.derailed.studio.hands import HELD_OUT, STRANGE
from lab.derailed.studio.output import take_card_picture
from lab.derailed.studio.positions import CardTable, played_table
from lab.derailed.studio.scenes import CardWish
from lab.reading_tables import Shares, tell, tell_shares
from vision.decoding import decoded
from vision.errors import PlacementError

FIRST_SEED = 9_400_000
_LANES, _MEGAPIXELS = 6, (2.0, 4.0, 8.0)


@dataclass(frozen=True)
class Score:
    """How one table was read."""

    strange: bool
    mat: bool
    taught: bool
    found: bool
    cards: int = 0
    right: int = 0
    silent: int = 0


def taught_deck(path: Path, hand: str, deck: int, photographs: int) -> KnownDeck:
    """The deck of a hand, learnt from so many photographs."""
    for number in range(1, photographs + 1):
        order = deck_order(number, _LANES)
        columns = tuple(order[name] for name in order if name.endswith("-start"))
        cells: dict[str, tuple[str, ...]] = {
            name: (order[name],) for name in grid_of(_LANES).names if name in order
        }
        wish = CardWish(
            cards=CardTable(columns, columns, cells),
            hand=hand, deck_seed=deck, mat=True, megapixels=6.0, tilt=(0.0, 15.0),
        )  # fmt: skip
        data, _ = take_card_picture(FIRST_SEED + 100 * deck + number, "clean", wish=wish)
        teach_photograph(path, number, decoded(data, 1).image, Expected((_LANES,)))
    return known_deck(path)


def table_picture(hand: str, deck: int, number: int, mat: bool) -> tuple[bytes, Plain, int]:
    """A table of that deck, its truth, and how many lanes it has."""
    rng = np.random.default_rng([FIRST_SEED, deck, number])
    table = played_table(rng, 3 + number % 4, int(rng.integers(8, 22)))
    wish = CardWish(
        cards=table, hand=hand, deck_seed=deck, mat=mat, megapixels=_MEGAPIXELS[number % 3],
        tilt=TILTS["table"], turned=True,
    )  # fmt: skip
    data, truth = take_card_picture(FIRST_SEED + 50 + 100 * deck + number, "table", wish=wish)
    return data, truth["sheets"][0], table.lanes


def judged(hand: str, deck: int, tables: int, known: KnownDeck) -> Iterator[Score]:
    """Every table, with and without what was taught."""
    for number in range(tables):
        mat = number % 2 == 0
        data, truth, lanes = table_picture(hand, deck, number, mat)
        for decks in ((), (known,)):
            sheets = read_cards(data, Expected((lanes,), None, decks)).sheets
            found = len(sheets) == 1 and sheets[0].lanes == lanes
            score = _best(sheets[0], truth) if found else (0, 0, 0)
            yield Score(hand in STRANGE, mat, bool(decks), found, *score)


def _best(sheet: CardReading, truth: Plain) -> tuple[int, int, int]:
    """Cards, those right, those wrong and not flagged; a bare table the way round that fits better."""
    ways = [sheet] if sheet.mat is not None else [sheet, seen_from_the_other_end(sheet)]
    return max((_counted(way, truth) for way in ways), key=lambda score: score[1])


def _counted(sheet: CardReading, truth: Plain) -> tuple[int, int, int]:
    places = truth["places"]
    cards = [name for name in sheet.cells if name in places and not is_unreadable(places[name])]
    wrong = [name for name in cards if not is_right(sheet, name, places[name]["card"])]
    return len(cards), len(cards) - len(wrong), sum(not sheet.cells[name].doubtful for name in wrong)


_SHARES: Shares[Score] = {
    "found": lambda scores: (sum(s.found for s in scores), len(scores)),
    "cards right": lambda scores: (sum(s.right for s in scores), sum(s.cards for s in scores)),
    "wrong, not flagged": lambda scores: (sum(s.silent for s in scores), sum(s.cards for s in scores)),
}


def _row(score: Score) -> str:
    deck = "like no other" if score.strange else "hand held out"
    return f"{deck}, {'mat' if score.mat else 'bare'}, {'taught' if score.taught else 'not taught'}"


def bench(hands: Sequence[str], decks: int, tables: int, photographs: int) -> list[Score]:
    """Teach and read; a deck that cannot be taught is told and counts as not found."""
    scores: list[Score] = []
    with TemporaryDirectory() as folder:
        for hand in hands:
            for deck in range(decks):
                path = Path(folder) / f"{hand}-{deck}{DECK_ENDING}"
                try:
                    scores += judged(hand, deck, tables, taught_deck(path, hand, deck, photographs))
                except PlacementError as problem:
                    tell(f"{hand}, deck {deck}: not taught: {problem}")
                    rows = [(n % 2 == 0, taught) for n in range(tables) for taught in (False, True)]
                    scores += [Score(hand in STRANGE, mat, taught, found=False) for mat, taught in rows]
    return scores


def main() -> None:
    """The bench."""
    parser = argparse.ArgumentParser(prog="python -m lab.derailed.deck_bench", description=__doc__)
    parser.add_argument("--hands", nargs="+", default=[*HELD_OUT, *STRANGE])
    parser.add_argument("--decks", type=int, default=2, help="of each hand")
    parser.add_argument("--tables", type=int, default=6, help="of each deck")
    parser.add_argument("--photographs", type=int, default=3, help="by which a deck is taught")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    scores = bench(options.hands, options.decks, options.tables, options.photographs)
    tell_shares("deck, on", "pictures", _SHARES, scores, _row)


if __name__ == "__main__":
    main()
