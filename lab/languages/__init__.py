"""Collects what people read into gettext catalogues, and compiles these: ``python -m lab.languages``.

Collected are

* in Python: the texts of messages (``m``, ``nm`` with both its forms, ``pm`` and ``vocabulary`` with their
  context, ``marked``), which stand where these are called: literally, or as a choice between two;
* in templates: what Jinja's i18n extension finds, ``{% trans %}`` and ``_("...")``, see :mod:`web.ui.i18n`;
* in scripts: the first argument of ``_("...")``;
* in TOML tables of the rules, whose texts ``table_text`` makes messages: what stands under one of the keys
  :data:`lab.languages.collecting.SAID`.

Every file of the product is read (:mod:`lab.languages.sources`). Messages of a game go to ``languages/`` in
its folder, all others to ``companion/languages/``.
"""
