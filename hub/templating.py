"""Templates of the hub's pages: where they are, and what they may use, in whichever process."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from flask import Flask
from jinja2 import ChoiceLoader, FileSystemLoader
from markupsafe import Markup

from companion import __version__
from companion.table.seats import SHAPES
from web.pages.assets import asset_url, script_tags, style
from web.pages.page_files import game_templates
from web.ui import languages
from web.ui.words import place_words, seat_mark


def equip(app: Flask, language_of: Callable[[], str]) -> None:
    """Set up an application's templates."""
    here = Path(__file__).parent
    app.jinja_loader = ChoiceLoader(
        [FileSystemLoader([here / "templates", here.parent / "web" / "templates"]), game_templates()]
    )
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.globals.update(
        asset=asset_url,
        scripts=script_tags,
        style=style(),
        version=__version__,
        seat_mark=known_mark,
        place_words=place_words,
        signs_json="",
    )
    languages.equip(app, language_of)


def known_mark(shape: str) -> Markup:
    """A seat's shape; nothing for one that only a newer box knows."""
    return seat_mark(shape) if shape in SHAPES else Markup("")
