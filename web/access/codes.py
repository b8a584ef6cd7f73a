"""Codes that people read from one screen and type on another."""

from __future__ import annotations

import secrets

ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # nothing that looks like something else
_CODE_LENGTH = 5


def new_code(length: int = _CODE_LENGTH) -> str:
    """A code that nobody can guess within the tries there are."""
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def tidy(code: str) -> str:
    """A typed code as it was meant.

    >>> tidy(" a7-k2 p ")
    'A7K2P'
    """
    return "".join(letter for letter in code.upper() if letter in ALPHABET)


def same_code(typed: str, code: str) -> bool:
    """Return True if ``typed`` is the code once tidied (case, spaces and hyphens do not matter)."""
    return secrets.compare_digest(tidy(typed), code)
