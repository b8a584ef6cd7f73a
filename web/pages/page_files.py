"""Locates the page files of each game without importing the game."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from jinja2 import BaseLoader, FileSystemLoader, PrefixLoader

from companion.game.packages import packages


@cache
def page_folders() -> Mapping[str, Path]:
    """Return the folder of each game's page, which contains ``static/`` and ``templates/<game>/``."""
    return {name: _folder(package.ui) for name, package in packages().items() if package.ui}


def _folder(page: str) -> Path:
    """The package that the page's module is, or is in."""
    module = page.partition(":")[0]
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"there is no module {module}", name=module)
    return Path(spec.origin).parent


def game_templates() -> BaseLoader:
    """Every game's templates as ``<game>/<name>.html``, so that those of two games never clash."""
    return PrefixLoader(
        {name: FileSystemLoader(folder / "templates" / name) for name, folder in page_folders().items()}
    )
