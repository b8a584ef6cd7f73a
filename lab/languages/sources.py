"""Where people's texts stand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from companion.game.packages import packages

ROOT = Path(__file__).parents[2]

# Folders and files, in the order in which their messages are listed.
OURS = (
    "companion/languages/words.txt",
    "web/templates",
    "web/static",
    "web",
    "companion/table/archive.py",
    "companion/table/authority.py",
    "companion/table/backup.py",
    "companion/table/consent.py",
    "companion/table/exc.py",
    "companion/table/match.py",
    "companion/table/previews.py",
    "companion/table/requests.py",
    "companion/table/seats.py",
    "companion/table/table.py",
    "companion/service",
    "companion/club",
    "hub",
    "companion/updates",
    "companion/game/bots.py",
    "companion/game/base.py",
    "companion/game/registry.py",
    "companion/game/teaching.py",
    "companion/game/pictures.py",
    "companion/reading/colour_owners.py",
    "companion/reading/evidence.py",
    "companion/reading/joining.py",
    "companion/sheets",
    "vision/decoding.py",
    "vision/quality.py",
    "vision/seeing.py",
    "vision/watching.py",
)
OF_A_GAME = ("languages/words.txt", "ui/templates", "ui/static", "ui", "rules", "printing", "reader", "bot")
WORDS = "words.txt"  # in a folder of catalogues: single words of the data
# The notation of positions and moves is for programs and the command line; so is what the
# service says to the terminal, and the document of the API.
LEFT_OUT = (
    "companion/service/system/addresses.py",
    "companion/service/system/backup_keeper.py",
    "companion/service/demonstration.py",
    "companion/service/devices/roller_board.py",
    "companion/service/running.py",
    "companion/service/stand_ins.py",
    "companion/club/keys.py",
    "hub/command.py",
    "hub/database.py",
    "hub/log.py",
    "hub/migrations.py",
    "hub/mqtt.py",
    "hub/pyproject.toml",
    "hub/response_cache.py",
    "hub/serving.py",
    "hub/stream.py",
    "companion/core/json_input.py",
    "companion/sheets/layouts.py",
    "companion/sheets/printing",
    "companion/sheets/tags.py",
    "web/api/openapi.py",
    "web/api/shapes.py",
    "web/pages/assets.py",
    "web/pages/scripts.py",
    "web/server.py",
    "printing/choices.toml",
    "rules/check.py",
    "bot/features.py",
    "bot/model.py",
    "bot/thinking.py",
    "bot/worth.py",
    "rules/batch_lines.py",
    "rules/batch.py",
    "rules/line_kernels.py",
    "rules/position.py",
)


def catalogues(elsewhere: Sequence[Path] = ()) -> Mapping[Path, list[Path]]:
    """Each folder of catalogues, and the files its messages come from; other games lie ``elsewhere``."""
    games = ROOT / "companion" / "games"
    ours = [file for place in OURS for file in _files(ROOT / place)]
    found = {ROOT / "companion" / "languages": list(dict.fromkeys(ours))}
    for folder in sorted(games.iterdir()):
        if folder.name in {name.replace("-", "_") for name in packages()}:
            found[folder / "languages"] = _of_game(folder)
    return {**found, **{folder / "languages": _of_game(folder) for folder in elsewhere}}


def place_name(file: Path) -> str:
    """As the catalogues say where a message stands: from our folder, or from that of the game."""
    from_ours = file.is_relative_to(ROOT)
    return str(file.relative_to(ROOT)) if from_ours else "/".join(file.parts[-3:])


def _of_game(folder: Path) -> list[Path]:
    files = [file for place in OF_A_GAME for file in _files(folder / place)]
    return list(dict.fromkeys(files))


def _files(place: Path) -> Iterator[Path]:
    files = [place] if place.is_file() else sorted(place.rglob("*")) if place.exists() else []
    for file in files:
        path = place_name(file)
        left_out = any(path.startswith(one) or f"/{one}" in path for one in LEFT_OUT)
        if (file.suffix in (".py", ".html", ".js", ".toml") or file.name == WORDS) and not left_out:
            yield file
