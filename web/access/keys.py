"""Keys beside PINs: sixteen letters, eighty random bits, which nobody guesses, so tries need no limit.

Strangers' wrong PINs can use up the tries of all addresses together; a key lets its owner in all the same.
"""

from __future__ import annotations

import hashlib
import secrets

_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # none that reads like another
_LENGTH = 16


def new_key() -> str:
    """A new key, in four groups of letters."""
    letters = "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))
    return "-".join(letters[at : at + 4] for at in range(0, _LENGTH, 4))


def key_digest(text: str) -> str:
    """The digest of a key, however it was typed; empty for what is none.

    >>> key_digest("abcd efgh jklm npqr") == key_digest("ABCD-EFGH-JKLM-NPQR"), key_digest("123456")
    (True, '')
    """
    letters = "".join(letter for letter in text.upper() if letter in _LETTERS)
    return hashlib.sha256(letters.encode()).hexdigest() if len(letters) == _LENGTH else ""


def is_kept_key(kept: str, text: str) -> bool:
    """True if ``text`` is the key of which this digest is kept."""
    digest = key_digest(text)
    return bool(digest) and secrets.compare_digest(kept, digest)
