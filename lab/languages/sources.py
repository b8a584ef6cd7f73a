"""Where people's texts stand: in every file of the product."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from companion.game.packages import packages

ROOT = Path(__file__).parents[2]
# All folders of the product, in the order in which their messages are listed: what people see first.
PRODUCT = (
    *("web/templates", "web/static", "web", "companion/table", "companion/service", "companion/club", "hub"),
    *("companion/updates", "companion/game", "companion/reading", "companion/sheets", "vision"),
    *("companion", "firmware_bridge"),
)
OF_A_GAME = ("ui/templates", "ui/static", "ui", "rules", "printing", "reader", "bot", ".")
_KINDS = (".html", ".js", ".py", ".toml")


def catalogues(elsewhere: Sequence[Path] = ()) -> Mapping[Path, list[Path]]:
    """Each folder of catalogues, and the files its messages come from; other games lie ``elsewhere``."""
    games = ROOT / "companion" / "games"
    ours = [file for file in _files(ROOT, PRODUCT) if games not in file.parents[1:]]
    names = sorted(name.replace("-", "_") for name in packages())
    folders = [games / name for name in names if (games / name).is_dir()]
    found = {ROOT / "companion" / "languages": ours}
    return found | {folder / "languages": _files(folder, OF_A_GAME) for folder in (*folders, *elsewhere)}


def place_name(file: Path) -> str:
    """As the catalogues say where a message stands: from our folder, or from that of the game."""
    from_ours = file.is_relative_to(ROOT)
    return str(file.relative_to(ROOT)) if from_ours else "/".join(file.parts[-3:])


def _files(folder: Path, places: Sequence[str]) -> list[Path]:
    """Each file once, where it is met first."""
    found = (file for place in places for file in sorted((folder / place).rglob("*")))
    return list(dict.fromkeys(file for file in found if file.suffix in _KINDS))
