"""What people read, in their language: catalogues, and recognition of English text that is no message yet.

Rules, table and readers make messages (:mod:`companion.core.messages`), which a catalogue says by their ids.
What is plain English text still (of pages, of old matches, of journals) is recognised where it leaves for a
person: :func:`said` finds out which message of the catalogue it is (``cell {cell} is taken already``), and
says that one with what stood in its places. A sentence that no catalogue has stays English.

The catalogues are gettext's, one a language in ``<language>.po`` and compiled in ``<language>.mo``: ours
beside this module, a game's own in ``languages/`` in its folder. ``make languages`` collects the messages
(how, says :mod:`lab.languages`) and compiles.
"""

from companion.core.messages import Message, Speaker
from companion.languages.catalogue import LANGUAGES, catalogue, speech

__all__ = ["LANGUAGES", "catalogue", "said", "speech"]


def said(words: str, language: str) -> str:
    """Translate an English sentence; return it unchanged if no catalogue has it."""
    if isinstance(words, Message):
        return Speaker(catalogue(language)).say(words)
    return speech(language).say(words)
