"""The moving picture at the head of README: ``python -m lab.railroad_ink.motion docs/screens/motion.webp``.

A bot's board as the studio photographs it, the same with what was read laid over it, and the score with its
reasons: the last two by the commands that everybody has. The same sources make the same picture.
"""

from __future__ import annotations

import io
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from PIL import Image, ImageDraw, ImageFont

from companion.core.chance import SeededChance
from companion.game.base import Action, MatchRequest, Refusal
from companion.game.bots import best_action
from companion.game.registry import find_game, find_studio

SEED, NUMBER = 4, 1  # of the bot's match, and of the studio's photographs of it
SIZE = (1200, 600)
SECONDS = (2.2, 2.6, 4.2)
MOST_BYTES = 400_000
_PAPER, _INK, _SOFT, _GREEN = "#fffdf8", "#20292e", "#7d8a90", "#2e7d4f"
_STEPS = ("Draw with a real pen", "Photograph: every route is read", "The score, and why")
_MOST_LINES = 9


def played() -> Any:
    """The end of a match of one seat, played by the game's bot."""
    game, chance = find_game("railroad-ink"), SeededChance(Random(SEED))
    data = game.setup(MatchRequest(1, "umpire", {}), chance)
    assert not isinstance(data, Refusal)
    state = game.start(data)
    while not game.finished(state):
        action = best_action(game, state, 1, chance) or Action("roll")
        fact = game.decide(state, action, chance)
        assert not isinstance(fact, Refusal), fact
        state = game.apply(state, fact)
    return state


def photographed(folder: Path) -> tuple[Image.Image, Image.Image, list[str]]:
    """The board as it was photographed, what was read laid over it, and the score line by line."""
    photo, over, position = folder / "photo.jpg", folder / "read.jpg", folder / "position.json"
    photo.write_bytes(find_studio("railroad-ink").picture(played(), NUMBER))
    told = json.loads(_ours("read", "railroad-ink", str(photo), "--overlay", str(over)))
    (sheet,) = told["sheets"]
    cells = {cell: slot["route"] for cell, slot in sheet["cells"].items() if slot.get("route")}
    position.write_text(json.dumps({"cells": cells}))
    lines = _ours("score", "railroad-ink", str(position), "--explain").split("\n")
    board = _around(sheet["corners"])
    share = [side / whole for side, whole in zip(board, (told["width"], told["height"]) * 2, strict=True)]
    return _cut(photo, share), _cut(over, share), [line for line in lines if line[:1].strip()]


def _around(corners: Sequence[Sequence[float]]) -> tuple[float, float, float, float]:
    """A square around the upper part of the sheet, which has the board."""
    across, down = [x for x, _ in corners], [y for _, y in corners]
    side = 1.08 * (max(across) - min(across))
    left, top = (max(across) + min(across) - side) / 2, min(down) - 0.04 * side
    return left, top, left + side, top + side


def _cut(file: Path, share: Sequence[float]) -> Image.Image:
    picture = Image.open(file).convert("RGB")
    box = [round(part * whole) for part, whole in zip(share, picture.size * 2, strict=True)]
    return picture.crop((box[0], box[1], box[2], box[3]))


def _ours(*words: str) -> str:
    command = [sys.executable, "-m", "companion", *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def frames(photo: Image.Image, over: Image.Image, lines: Sequence[str]) -> list[Image.Image]:
    """The three pictures."""
    return [_frame(photo, 0, ()), _frame(over, 1, ()), _frame(over, 2, lines)]


def _frame(picture: Image.Image, step: int, lines: Sequence[str]) -> Image.Image:
    width, height = SIZE
    frame = Image.new("RGB", SIZE, _PAPER)
    frame.paste(picture.resize((height, height), Image.Resampling.LANCZOS))
    draw = ImageDraw.Draw(frame)
    begin = height + 44
    for number, words in enumerate(_STEPS):
        y = 44 + 46 * number
        now = number == step
        draw.ellipse((begin, y, begin + 30, y + 30), fill=_GREEN if number <= step else _SOFT)
        draw.text((begin + 15, y + 15), str(number + 1), _PAPER, _font(18), anchor="mm")
        draw.text((begin + 46, y + 15), words, _INK if now else _SOFT, _font(25), anchor="lm")
    shown = _shortened(lines)
    for number, (words, points) in enumerate(shown):
        y = 212 + 36 * number
        last = number == len(shown) - 1
        if last:
            draw.line((begin, y, width - 48, y), fill=_SOFT, width=2)
            y += 10
        draw.text((begin, y + 16), words, _INK, _font(25 if last else 20), anchor="lm")
        draw.text((width - 48, y + 16), points, _INK, _font(25 if last else 20), anchor="rm")
    return frame


def _shortened(lines: Sequence[str]) -> list[tuple[str, str]]:
    """What counts, without the cells, and the points.

    >>> _shortened(["Network of 2 exits (b1, d1) through b1, c2: 4", "Longest railway a3, b3: 2", "Total: 6"])
    [('Network of 2 exits', '4'), ('Longest railway', '2'), ('Total', '6')]
    """
    found = []
    for line in lines:
        words, _, points = line.rpartition(": ")
        bare = words.split(" through ")[0].split(" (")[0]
        found.append((" ".join(word for word in bare.split() if not _is_cell(word)), points))
    return [*found[: _MOST_LINES - 1], *found[-1:]] if len(found) > _MOST_LINES else found


def _is_cell(word: str) -> bool:
    bare = word.strip(",")
    return len(bare) == 2 and bare[0] in "abcdefg" and bare[1].isdigit()


def _font(size: int) -> Any:
    return ImageFont.load_default(size)


def packed(pictures: Sequence[Image.Image]) -> bytes:
    """As an animated WebP that is small enough for a page."""
    for quality in range(86, 30, -6):
        told = io.BytesIO()
        durations = [round(1000 * seconds) for seconds in SECONDS]
        pictures[0].save(
            told,
            "webp",
            save_all=True,
            append_images=pictures[1:],
            duration=durations,
            loop=0,
            quality=quality,
        )
        if told.tell() <= MOST_BYTES:
            break
    return told.getvalue()


def main() -> int:
    """Write the picture to the file that is named."""
    with tempfile.TemporaryDirectory() as folder:
        Path(sys.argv[1]).write_bytes(packed(frames(*photographed(Path(folder)))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
