"""In the reader's process: boards and decks of the owner's own are learnt from photographs."""

from __future__ import annotations

from pathlib import Path

from companion.core.messages import m
from companion.game.packages import find_package
from companion.game.parts import DECK_ENDING
from companion.game.registry import find_reader
from companion.game.teaching import check_is_empty_board
from companion.reading.types import Corners, ReadHints, TaughtBoardAnswer
from companion.service.photos.pictures import OpenedPhoto, decoded, shrunk_to
from companion.service.photos.queries import CleanPhoto, MatchContext
from companion.service.photos.worker import Worker
from companion.table.exc import TableError


def clean_photo(_: Worker, photo: bytes, longest: int = 0) -> CleanPhoto:
    """Clean a photograph, to be kept; ``longest``: the pixels of its longer side at most."""
    pixels = decoded(photo)
    opened = OpenedPhoto(pixels=shrunk_to(pixels, longest) if longest else pixels)
    return CleanPhoto(opened.digest, opened.cleaned, (opened.image.shape[1], opened.image.shape[0]))


def teach_board(
    worker: Worker, match: MatchContext, photo: Path, seat: int, corners: Corners, folder: Path
) -> TaughtBoardAnswer:
    """Learn an empty board from a kept photograph and the corners of its area, into a file of the folder."""
    reader = find_reader(match.game)
    if not reader.learns_boards:
        title = find_package(match.game).title
        raise TableError("not-teachable", m("boards of {title} cannot be taught", title=title))
    hints = reader.hints(match.state, seat, corners, ())
    name = f"{hints.edition or match.game}-{photo.stem[:8]}"
    folder.mkdir(parents=True, exist_ok=True)
    image = OpenedPhoto(kept=photo).image
    check_is_empty_board(image, reader)
    says = reader.teach(folder / f"{name}.json", image, hints)
    worker.readings.clear()  # a board of this name may have been known otherwise before
    return TaughtBoardAnswer(name, says)


def teach_deck(
    worker: Worker,
    game: str,
    number: int,
    photo: bytes | Path,
    path: Path,
    edition: str,
    corners: Corners | None,
) -> TaughtBoardAnswer:
    """Learn the cards of one photograph of a game's printed order, counted from 1, into a deck's file.

    ``photo`` is packed, or kept; ``corners`` are those of the field of cards, where somebody marked them.
    """
    reader = find_reader(game)
    if not reader.learns_decks:
        title = find_package(game).title
        raise TableError("not-teachable", m("decks of {title} cannot be taught", title=title))
    image = OpenedPhoto(kept=photo).image if isinstance(photo, Path) else decoded(photo)
    says = reader.teach_deck(path, number, image, ReadHints(edition, corners=corners))
    worker.readings.clear()  # the deck was known otherwise before, or not at all
    return TaughtBoardAnswer(path.name.removesuffix(DECK_ENDING), says)
