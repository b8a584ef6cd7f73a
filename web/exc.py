"""What can go wrong on the way from a phone to the table.

WebError                an answer with a status, a code for programs and a sentence for people
"""

from __future__ import annotations

from companion.games.contract import Plain


class WebError(Exception):
    """A request that is answered with an error."""

    def __init__(self, status: int, code: str, message: str, detail: Plain | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.detail = detail or {}
