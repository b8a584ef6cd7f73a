"""Texts in templates: Jinja's own i18n extension, which says them from the house's catalogues.

::

    {% trans name=guest.name %}You are here, <b>{{ name }}</b>.{% endtrans %}
    {% trans n=cards|length %}{{ n }} card{% pluralize %}{{ n }} cards{% endtrans %}
    <button title="{{ _("Open {page}", page=page) }}">{{ _("Open") }}</button>
    {% trans names=players|listed %}Already here: {{ names }}.{% endtrans %}

The extension hands over places as ``%(name)s``. The catalogues have ``{name}`` for templates, scripts and
Python alike: what two of them say is one message, and translators meet one kind of place.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from jinja2 import Environment

from companion.core.messages import PLACE, listed
from companion.languages import catalogue
from web.ui.speaking import Markup, language

_FORMAT = re.compile(r"%\((\w+)\)s")


def install(environment: Environment) -> None:
    """Install translation in a Jinja environment: texts are rendered in the reader's language."""
    # Functions of the new style are given a text's places, too, and fill them. The extension's own way to
    # install some would fill them itself: it knows neither messages nor the reader's language.
    environment.extend(newstyle_gettext=True)
    environment.add_extension("jinja2.ext.i18n")
    environment.filters["listed"] = listed
    environment.policies["ext.i18n.trimmed"] = True
    environment.globals.update(_=gettext, gettext=gettext, ngettext=ngettext, pgettext=pgettext)


def in_catalogues(text: str) -> str:
    """A text of a template as catalogues have it.

    >>> in_catalogues("%(name)s has 100 %% of them")
    '{name} has 100 % of them'
    """
    return _FORMAT.sub(r"{\1}", text).replace("%%", "%")


def gettext(text: str, /, **places: object) -> Markup:
    """A text of a template, which is markup; what stands in its places is escaped."""
    return _filled(_pieces(language(), text), places)


def ngettext(one: str, many: str, n: int, /, **places: object) -> Markup:
    """The form that the language has for a number, which stands in the place ``n``."""
    return _filled(_pieces_of_form(language(), one, many, n), {"n": n, **places})


def pgettext(context: str, text: str, /, **places: object) -> Markup:
    """Translate a text in a context."""
    return _filled(_pieces(language(), text, context), places)


@lru_cache(maxsize=8192)
def _pieces(wanted: str, text: str, context: str = "") -> tuple[str, ...]:
    """Literal text and names of places, alternately."""
    known, message = catalogue(wanted), in_catalogues(text)
    return tuple(PLACE.split(known.pgettext(context, message) if context else known.gettext(message)))


@lru_cache(maxsize=8192)
def _pieces_of_form(wanted: str, one: str, many: str, n: int) -> tuple[str, ...]:
    return tuple(PLACE.split(catalogue(wanted).ngettext(in_catalogues(one), in_catalogues(many), n)))


def _filled(pieces: tuple[str, ...], places: Mapping[str, object]) -> Markup:
    if len(pieces) == 1:
        return Markup(pieces[0])
    filled = list(pieces)
    for at in range(1, len(pieces), 2):
        name = pieces[at]
        filled[at] = Markup.escape(places[name]) if name in places else f"{{{name}}}"
    return Markup("".join(filled))
