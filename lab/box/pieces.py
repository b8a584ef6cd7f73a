"""What an event costs for everybody who looks: the changing parts of each page, drawn and in bytes.

``--beside FOLDER`` measures another checkout with the same script in the same run.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from time import process_time
from typing import Any

STEPS = 90  # actions of a match in its middle
PAGES = (("watch", None), ("tv", None), ("play", 1), ("play", 2), ("play", 3))


def report(games: Sequence[str], beside: str) -> Iterator[str]:
    """A line a game here, and one for the checkout beside this one."""
    for game in games:
        for name, folder in (("here", ""), (beside, beside)):
            if name:
                told = subprocess.run(
                    [sys.executable, __file__, game],
                    env={**os.environ, **({"PYTHONPATH": folder} if folder else {})},
                    cwd=folder or None,
                    capture_output=True,
                    text=True,
                    check=True,
                )
                yield f"{game}, {name}: {told.stdout.strip()}"


def measure(game_name: str, folder: Path) -> str:
    """The middle of a match that anybody plays anyhow, seen from every page."""
    before, match, app, draw = _middle_of_a_match(game_name, folder)
    sizes, times = [], []
    with app.test_request_context():
        for page, seat in PAGES:
            draw(before, page, seat)  # what is kept from event to event is made already
        for page, seat in PAGES:
            began = process_time()
            pieces = draw(match, page, seat)
            times.append(process_time() - began)
            sizes.append(sum(len(html.encode()) for html in pieces.values()))
    each = [
        f"{page}{seat or ''} {size / 1000:.1f} kB {time * 1000:.0f} ms"
        for (page, seat), size, time in zip(PAGES, sizes, times, strict=True)
    ]
    return f"{', '.join(each)}; all {sum(sizes) / 1000:.0f} kB {sum(times) * 1000:.0f} ms"


def _middle_of_a_match(game_name: str, folder: Path) -> tuple[Any, Any, Any, Any]:
    # By name, so that an older checkout, where some lay elsewhere, can be measured, too.
    try:
        service = import_module("companion.service.service").Service
    except ModuleNotFoundError:
        service = import_module("companion.service").Service
    bots, scene = import_module("companion.game.bots"), import_module("web.ui.scene")
    chance = import_module("companion.table.chance").SeededChance(5)
    action = import_module("companion.game.base").Action
    host = import_module("companion.table.events").Actor("host")
    store = import_module("companion.table.store").Store(folder)
    games = import_module("companion.game.registry").GAMES
    table = import_module("companion.table.table").Table(store, games, chance=chance)
    app = import_module("web.app").create_app(service(store, table))
    table.submit(action("start", data={"game": game_name, "players": ["Ada", "Ben", "Cas"]}), host)
    for _ in range(STEPS):
        match = before = table.current
        actions = (bots.any_action(match.game, match.state, seat, chance) for seat in match.players)
        request = next((one for one in actions if one is not None), None)
        if request is None or match.finished:
            break
        table.submit(request, host)

    def draw(match: Any, page: str, seat: int | None) -> dict[str, str]:
        html: dict[str, str] = scene.FragmentCache().pieces(match, page, seat).html
        return html

    return before, table.current, app, draw


def main() -> None:
    """One game, in the checkout that comes first among the paths."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    with tempfile.TemporaryDirectory() as folder:
        sys.stdout.write(measure(parser.parse_args().game, Path(folder)) + "\n")


if __name__ == "__main__":
    main()
