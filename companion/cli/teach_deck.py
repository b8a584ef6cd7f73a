"""``teach-deck``: a deck of the owner's own, from photographs of its cards in a printed order."""

from __future__ import annotations

import argparse

from companion.cli.options import add_folder, photographs


def declare(command: argparse.ArgumentParser) -> None:
    """Declare the options of ``teach-deck``."""
    command.add_argument("name", metavar="NAME", help="what to call it in read --taught")
    command.add_argument(
        "photos", metavar="PHOTO", nargs="*", help="in the order of the pages of sheet GAME --part deck-order"
    )
    command.add_argument("--game", help="whose deck it is, where several games have decks to be taught")
    command.add_argument("--first", type=int, default=1, metavar="N", help="the first photo is photograph N")
    command.add_argument("--edition", default="", help="the edition for which the order was printed")
    command.add_argument(
        "--corners", metavar="X,Y", nargs="+", help="the four corners of the field of cards, where needed"
    )
    add_folder(command, "where taught decks are kept")
    command.add_argument("--json", action="store_true", help="JSON only")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Learn a deck and keep it."""
    code: int = photographs().teach_deck(options)
    return code
