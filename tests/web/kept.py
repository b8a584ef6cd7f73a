"""What Flask makes anew for every application, kept for all applications of a process.

Nearly every test of the pages has a house and an application of its own. Their addresses are always the
same, and to compile them took half of such a test's time.
"""

from __future__ import annotations

from typing import Any, ClassVar

from flask import Flask
from werkzeug.routing import Rule


class KeptRule(Rule):
    """An address that is compiled once: the next one that says the same takes over what was made of it."""

    _made: ClassVar[dict[object, dict[str, Any]]] = {}

    def compile(self) -> None:
        """As the base class does, or as it did."""
        assert self.map is not None
        said = {name: value for name, value in vars(self).items() if name != "map"}
        key = repr(said), self.map.host_matching, *self.map.converters.items()
        if key not in self._made:
            super().compile()
            self._made[key] = {name: value for name, value in vars(self).items() if name != "map"}
        vars(self).update(self._made[key])


def keep_addresses() -> None:
    """For every application that is made from now on."""
    Flask.url_rule_class = KeptRule
