"""What people read, in their language: gettext's catalogues.

Rules, readers, services and pages make messages (:mod:`companion.core.messages`), which a catalogue says by
their ids where they leave for a person. A message that no catalogue has is said in English.

The catalogues lie in ``<language>.po`` and compiled in ``<language>.mo``: ours beside this module, a game's
own in ``languages/`` in its folder. ``make languages`` collects the messages (how, says :mod:`lab.languages`)
and compiles.
"""

from companion.core.messages import Speaker
from companion.languages.catalogue import LANGUAGES, catalogue

__all__ = ["LANGUAGES", "catalogue", "said"]


def said(words: str, language: str) -> str:
    """A message in that language; other text as it is."""
    return Speaker(catalogue(language)).say(words)
