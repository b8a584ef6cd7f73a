"""Collects what people read into gettext catalogues, and compiles these: ``python -m lab.languages``.

Collected are

* in Python: the texts of messages (``m``, ``nm`` with both its forms, ``pm`` with its context);
  besides strings and f-strings of two words or more, and single words on a line that ends in ``# said``,
  but nothing of a statement whose first line ends in ``# not said``; places of an f-string are called
  by the last name in them, an ending of two kinds (``{"s" if many else ""}``) makes two messages, and
  ``seat {number}`` is a place itself, for there a player's name may stand;
* in templates: what Jinja's i18n extension finds, ``{% trans %}`` and ``_("...")``, see :mod:`web.ui.i18n`;
* in scripts: the first argument of ``_("...")``;
* in the TOML files of the rules: strings of two words or more;
* in ``languages/words.txt``: single words of a game's data.

Messages of a game go to ``languages/`` in its folder, all others to ``companion/languages/``. Nothing is
collected from what only programs and owners of files read (:data:`lab.languages.sources.LEFT_OUT`).
"""
