"""How much a taught deck helps: ``python -m lab.derailed.deck_bench``.

Every deck is taught from photographs of its cards in the printed order, on the mat, and then read in tables
of legal play, with and without what was taught. The hands are those held out of training, and decks like no
other; of these ``--hands held-out`` has those by which nothing was ever chosen. ``--pictures`` keeps the
photographs, so that another run need not take them anew.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import msgspec
import numpy as np

from companion.core.jsontext import JsonObject, json_of
from companion.game.parts import DECK_ENDING
from companion.games.derailed.printing.deck_order import deck_order
from companion.games.derailed.reader.decks.taught import DeckModel, known_deck
from companion.games.derailed.reader.decks.teaching import teach_photograph
from companion.games.derailed.reader.grids.tables import Expected
from companion.games.derailed.reader.reading import read_cards
from companion.games.derailed.reader.readings import CardReading, seen_from_the_other_end
from companion.games.derailed.rules.network import grid_of
from companion.games.derailed.rules.rulebook import COMPANIES
from lab.bench import say
from lab.derailed.reading_bench import TILTS, is_right, is_unreadable
from lab.derailed.studio.hands import HELD_OUT, STRANGE, STRANGE_HELD_OUT
from lab.derailed.studio.output import take_card_picture
from lab.derailed.studio.positions import CardTable, played_table
from lab.derailed.studio.scenes import CardSpec
from lab.reading_bench import Columns, tell_tables
from vision.decoding import decoded
from vision.errors import PlacementError

FIRST_SEED = 9_400_000
_LANES, _MEGAPIXELS = 6, (2.0, 4.0, 8.0)


@dataclass(frozen=True)
class Score:
    """How one table was read."""

    hand: str
    mat: bool
    taught: bool
    took: float  # seconds of the processor
    found: bool
    cards: int = 0
    right: int = 0
    silent: int = 0
    flagged: int = 0


@dataclass(frozen=True)
class Album:
    """Photographs of decks, taken once if there is a folder to keep them in."""

    folder: Path | None

    def order(self, hand: str, deck: int, number: int) -> bytes:
        """The cards of a deck in the printed order, on the mat."""
        order, earlier = deck_order(number, _LANES), Counter[str]()
        for before in range(1, number):
            earlier.update(deck_order(before, _LANES).values())
        columns = tuple(order[name] for name in order if name.endswith("-start"))
        cells: dict[str, tuple[str, ...]] = {
            name: (order[name],) for name in grid_of(_LANES).names if name in order
        }
        spec = CardSpec(
            cards=CardTable(columns, columns, cells),
            hand=hand, deck_seed=deck, mat=True, megapixels=6.0, tilt=(0.0, 15.0),
            copies={name: earlier[mark] for name, mark in order.items() if mark not in COMPANIES},
        )  # fmt: skip
        seed = FIRST_SEED + 100 * deck + number
        return self._taken(f"{hand}-{deck}-order-{number}", seed, "clean", spec)[0]

    def table(self, hand: str, deck: int, number: int, mat: bool) -> tuple[bytes, JsonObject, int]:
        """A table of that deck, its truth, and how many lanes it has."""
        rng = np.random.default_rng([FIRST_SEED, deck, number])
        table = played_table(rng, 3 + (number + number // 4) % 4, int(rng.integers(10, 30)))
        spec = CardSpec(
            cards=table, hand=hand, deck_seed=deck, mat=mat, megapixels=_MEGAPIXELS[number % 3],
            tilt=TILTS["table"], turned=True, shuffled=True,
        )  # fmt: skip
        seed = FIRST_SEED + 50 + 100 * deck + number
        data, truth = self._taken(f"{hand}-{deck}-table-{number}-{mat}", seed, "table", spec)
        return data, truth["sheets"][0], table.lanes

    def _taken(self, name: str, seed: int, level: str, spec: CardSpec) -> tuple[bytes, JsonObject]:
        if self.folder is None:
            return take_card_picture(seed, level, spec=spec)
        photo, told = self.folder / f"{name}.jpg", self.folder / f"{name}.json"
        if not told.exists():
            self.folder.mkdir(parents=True, exist_ok=True)
            data, truth = take_card_picture(seed, level, spec=spec)
            photo.write_bytes(data)
            told.write_bytes(json_of(truth))
        return photo.read_bytes(), msgspec.json.decode(told.read_bytes())


def taught_deck(album: Album, path: Path, hand: str, deck: int, photographs: int) -> DeckModel:
    """The deck of a hand, learnt from so many photographs."""
    for number in range(1, photographs + 1):
        image = decoded(album.order(hand, deck, number), 1).image
        teach_photograph(path, number, image, Expected((_LANES,)))
    return known_deck(path)


def judged(album: Album, hand: str, deck: int, tables: int, known: DeckModel) -> Iterator[Score]:
    """Every table, with and without what was taught."""
    for number in range(tables):
        mat = number % 2 == 0
        data, truth, lanes = album.table(hand, deck, number, mat)
        for decks in ((), (known,)):
            started = time.process_time()
            sheets = read_cards(data, Expected((lanes,), None, decks)).sheets
            took = time.process_time() - started
            found = len(sheets) == 1 and sheets[0].lanes == lanes
            score = _best(sheets[0], truth) if found else (0, 0, 0, 0)
            yield Score(hand, mat, bool(decks), took, found, *score)


def _best(sheet: CardReading, truth: JsonObject) -> tuple[int, int, int, int]:
    """A sheet's figures; a bare table the way round that fits better."""
    ways = [sheet] if sheet.mat is not None else [sheet, seen_from_the_other_end(sheet)]
    return max((_counted(way, truth) for way in ways), key=lambda score: score[1])


def _counted(sheet: CardReading, truth: JsonObject) -> tuple[int, int, int, int]:
    """Cards that can be seen, those right, those wrong and not flagged, those flagged."""
    places = truth["places"]
    cards = [name for name in sheet.cells if name in places and not is_unreadable(places[name])]
    wrong = [name for name in cards if not is_right(sheet, name, places[name]["card"])]
    silent = sum(not sheet.cells[name].doubtful for name in wrong)
    return len(cards), len(cards) - len(wrong), silent, sum(sheet.cells[name].doubtful for name in cards)


_COLUMNS: Columns[Score] = {
    "found": lambda scores: (sum(s.found for s in scores), len(scores)),
    "cards right": lambda scores: (sum(s.right for s in scores), sum(s.cards for s in scores)),
    "wrong, not flagged": lambda scores: (sum(s.silent for s in scores), sum(s.cards for s in scores)),
    "flagged": lambda scores: (sum(s.flagged for s in scores), sum(s.cards for s in scores)),
}


_GROUPS = {
    "tuning": STRANGE,
    "held-out": (*HELD_OUT, *STRANGE_HELD_OUT),
}


def _row(score: Score) -> str:
    return f"{'mat' if score.mat else 'bare'}, {'taught' if score.taught else 'not taught'}"


def bench(album: Album, hands: Sequence[str], decks: int, tables: int, photographs: int) -> list[Score]:
    """Teach and read; a deck that cannot be taught is told and counts as not found."""
    scores: list[Score] = []
    with TemporaryDirectory() as folder:
        for hand, deck in product(hands, range(decks)):
            path = Path(folder) / f"{hand}-{deck}{DECK_ENDING}"
            try:
                known = taught_deck(album, path, hand, deck, photographs)
            except PlacementError as problem:
                say(f"{hand}, deck {deck}: not taught: {problem}")
                rows = [(n % 2 == 0, taught) for n in range(tables) for taught in (False, True)]
                scores += [Score(hand, mat, taught, 0.0, found=False) for mat, taught in rows]
                continue
            own = list(judged(album, hand, deck, tables, known))
            scores += own
            plain, taught = ([s for s in own if s.taught == known] for known in (False, True))
            told = [f"{sum(s.right for s in one)} of {sum(s.cards for s in one)}" for one in (plain, taught)]
            seconds = [sum(s.took for s in some) / len(some) for some in (plain, taught)]
            say(
                f"{hand}, deck {deck}: {told[0]} cards right in {seconds[0]:.1f} s a picture;"
                f" taught {told[1]} in {seconds[1]:.1f} s"
            )
    return scores


def main() -> None:
    """Read the options, run the bench and print its tables."""
    parser = argparse.ArgumentParser(prog="python -m lab.derailed.deck_bench", description=__doc__)
    parser.add_argument("--hands", nargs="+", default=["tuning", "held-out"], help="names, or these groups")
    parser.add_argument("--decks", type=int, default=1, help="of each hand")
    parser.add_argument("--tables", type=int, default=4, help="of each deck")
    parser.add_argument("--photographs", type=int, default=3, help="by which a deck is taught")
    parser.add_argument("--pictures", type=Path, help="a folder in which photographs are kept")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    for asked in options.hands:
        hands = _GROUPS.get(asked, (asked,))
        own = bench(Album(options.pictures), hands, options.decks, options.tables, options.photographs)
        tell_tables("pictures", _COLUMNS, {f"{asked}, on": _row}, own)


if __name__ == "__main__":
    main()
