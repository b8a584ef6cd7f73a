"""``python -m lab.case [OUT]``: STL files and drawings of every part."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from lab.case.drawing import svg_of
from lab.case.parts import GLASSES, Sizes, every_part
from lab.case.solids import stl_of


def main(arguments: list[str] | None = None) -> int:
    """Write the parts of the case and a drawing of them."""
    usual = Sizes()
    parser = argparse.ArgumentParser(prog="python -m lab.case", description=__doc__)
    parser.add_argument("out", nargs="?", type=Path, default=Path("build/case"))
    parser.add_argument(
        "--button", type=float, default=usual.button, help="the roll button's thread in mm (16)"
    )
    parser.add_argument("--screen", choices=sorted(GLASSES), default=usual.screen, help="the display (oled)")
    parser.add_argument("--height", type=float, default=usual.height, help="of the roller's tray in mm (32)")
    options = parser.parse_args(arguments)
    if not 6 <= options.button <= 60 or not 20 <= options.height <= 100:
        parser.error("a button has 6 to 60 mm, a tray 20 to 100")
    options.out.mkdir(parents=True, exist_ok=True)
    for part in every_part(Sizes(options.button, options.screen, options.height)):
        (options.out / f"{part.name}.stl").write_bytes(stl_of(part.solid.grid(), part.name))
        (options.out / f"{part.name}.svg").write_text(svg_of(part), encoding="utf-8")
        sys.stdout.write(f"{options.out / part.name}.stl: {part.says}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
