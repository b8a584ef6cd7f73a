"""Errors of the web layer.

:mod:`companion.core.errors` draws the tree of all errors.
"""

from __future__ import annotations

from companion.core.errors import CodedError
from companion.core.jsontext import JsonObject


class WebError(CodedError):
    """A request that is answered with an error."""

    def __init__(self, status: int, code: str, message: str, detail: JsonObject | None = None) -> None:
        super().__init__(code, message)
        self.status = status
        self.detail = detail or {}
