"""What people read, in their language: catalogues, and the recognition of finished English sentences.

Rules, table and reader say everything in English: that is what journals keep, what programs are told, what
comes from other processes and what old matches hold. Where a sentence leaves for a person, and only there,
:func:`said` finds out which message of the catalogue it is (``cell {cell} is taken already``), and says that
message in the language of whoever reads it, with what stood in its places. A sentence that no catalogue has
stays English.

The catalogues are gettext's, one a language in ``<language>.po`` and compiled in ``<language>.mo``: ours
beside this module, a game's own in ``languages/`` in its folder. ``make languages`` collects the messages
(how, says :mod:`lab.languages`) and compiles.
"""

from companion.core.messages import Message, Speaker
from companion.languages.catalogue import LANGUAGES, catalogue, speech

__all__ = ["LANGUAGES", "catalogue", "said", "speech"]


def said(words: str, language: str) -> str:
    """A sentence of the house or of a game in that language; as it is where no catalogue knows it."""
    if isinstance(words, Message):
        return Speaker(catalogue(language)).say(words)
    return speech(language).say(words)
