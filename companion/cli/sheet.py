"""``sheet``: boards, cards and maps to print, or one blank sheet as a picture with its numbers."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.cli.output import FINE, print_json
from companion.core.errors import NotationError, quoted
from companion.core.jsontext import json_of
from companion.core.messages import Speaker, m
from companion.game.registry import games_with_printables, printables_of
from companion.languages import LANGUAGES, catalogue
from companion.sheets.layouts import sheet_layout
from companion.sheets.printing.paper import PAPERS, printed
from companion.sheets.printing.wording import worded

if TYPE_CHECKING:
    from companion.game.parts import Printables


def declare(command: argparse.ArgumentParser) -> None:
    """Declare the options of ``sheet``."""
    command.add_argument("game", metavar="GAME", help=f"one of {', '.join(games_with_printables())}")
    command.add_argument("--pdf", type=Path, metavar="FILE", help="write pages to print (at 100 %%)")
    command.add_argument("--png", type=Path, metavar="FILE", help="write one blank sheet as a picture")
    command.add_argument(
        "--layout", type=Path, metavar="FILE", help="write where everything is on that sheet"
    )
    command.add_argument("--part", help="what to print: boards, stickers, cards, ... (usually the first)")
    command.add_argument(
        "--stickers", action="store_const", dest="part", const="stickers", help="corner tags"
    )
    command.add_argument("--edition", help="which edition of the game")
    command.add_argument("--paper", choices=PAPERS, default="a4")
    command.add_argument("--language", choices=LANGUAGES, default="en", help="of the words on the sheets")
    command.add_argument("--seat", type=int, default=1)
    command.add_argument("--dpi", type=float, default=300.0)
    command.add_argument("--json", action="store_true", help="what was written, as JSON")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Write what was asked for."""
    printables = _printables_of(options.game)
    if not (options.pdf or options.png or options.layout):
        raise NotationError("nothing-asked", "say what to write: --pdf, --png or --layout, each with a file")
    edition = _chosen(options.edition, printables.editions, "edition")
    written = []
    if options.pdf:
        written.append(_write_pdf(printables, edition, options))
    if options.png:
        written.append(_write_png(printables, edition, options))
    if options.layout:
        layout = sheet_layout(printables.sheet(options.seat, edition), _checked_dpi(options.dpi))
        options.layout.write_bytes(json_of(layout) + b"\n")
        written.append(str(options.layout))
    print_json({"written": written}) if options.json else print("\n".join(written))
    return FINE


def _printables_of(game: str) -> Printables:
    if game not in games_with_printables():
        message = (
            f"there are no sheets for {quoted(game)}: choose one of {', '.join(games_with_printables())}"
        )
        raise NotationError("unknown-game", message)
    return printables_of(game)


def _write_pdf(printables: Printables, edition: str, options: argparse.Namespace) -> str:
    from companion.sheets.printing.pdf import write_pdf

    part = options.part
    if part is None or part in printables.parts or not printables.own_part(part):
        part = _chosen(part, printables.parts, "part")
    say = Speaker(catalogue(options.language)).say
    pages = [worded(page, say) for page in printed(printables.leaves(part, edition, options.paper))]
    write_pdf(
        pages,
        options.pdf,
        say(m("{title}: {part}", title=printables.title, part=printables.part_words(part))),
    )
    return str(options.pdf)


def _write_png(printables: Printables, edition: str, options: argparse.Namespace) -> str:
    from companion.sheets.printing.png import write_png

    sheet = worded(printables.sheet(options.seat, edition).draw(), Speaker(catalogue(options.language)).say)
    write_png(sheet, options.png, _checked_dpi(options.dpi))
    return str(options.png)


def _chosen(request: str | None, choices: Any, what: str) -> str:
    if request is not None and request not in choices:
        raise NotationError(
            f"unknown-{what}", f"there is no {what} {quoted(request)}: choose {' or '.join(choices)}"
        )
    return request or str(choices[0])


def _checked_dpi(dpi: float) -> float:
    if not 20 <= dpi <= 1200:
        raise NotationError("bad-dpi", f"cannot paint at {dpi:g} dpi: choose 20 to 1200")
    return dpi
