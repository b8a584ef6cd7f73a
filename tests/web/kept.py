"""What Flask makes anew for every application, kept for all applications of a process.

Nearly every test of the pages has a house and an application of its own. Their addresses and templates are
always the same, and to compile them took three quarters of such a test's time.
"""

from __future__ import annotations

from types import CodeType
from typing import Any, ClassVar

from flask import Flask
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket
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


class KeptTemplates(BytecodeCache):
    """Templates that are compiled once; again where an application writes them differently."""

    def __init__(self) -> None:
        self._made: dict[object, CodeType] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """What an equal application has compiled, if one has."""
        bucket.code = self._made.get(_said(bucket))

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep what was compiled."""
        if bucket.code is not None:
            self._made[_said(bucket)] = bucket.code


def _said(bucket: Bucket) -> object:
    """Whatever the code of a template depends on."""
    by = bucket.environment
    return bucket.key, bucket.checksum, by.trim_blocks, by.lstrip_blocks, by.finalize, *sorted(by.extensions)


def keep_for_all_applications() -> None:
    """For every application that is made from now on."""
    Flask.url_rule_class = KeptRule
    Flask.jinja_options = {**Flask.jinja_options, "bytecode_cache": KeptTemplates()}
