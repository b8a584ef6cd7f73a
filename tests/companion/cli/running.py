"""What the fixture ``run`` is: arguments in; exit code, output and complaints out."""

from __future__ import annotations

from collections.abc import Callable

Run = Callable[..., tuple[int, str, str]]
