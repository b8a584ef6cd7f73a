"""What people read in templates is marked for translation, and said in the reader's language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from jinja2 import Environment, nodes

from companion.core.messages import Seat, m
from tests.web.english import SPOKEN_ATTRIBUTES
from web.pages.page_files import page_folders
from web.ui.i18n import install
from web.ui.speaking import speaking

ROOT = Path(__file__).parents[2]
FIFTH = ROOT / "tests" / "fifth_game" / "shuttle" / "ui"
TEMPLATES = sorted(
    file
    for folder in (ROOT / "web", ROOT / "hub", FIFTH, *page_folders().values())
    for file in (folder / "templates").rglob("*.html")
)
EVERYWHERE = re.compile(r"\b(Stationmaster|CSV|JSON)\b")  # names, in every language
ATTRIBUTES = ("data", "look", "root")  # blocks of attributes
SENT = ("somebody is needed",)  # by a button; the hub says it
_WORD = re.compile(r"[^\W\d_]{2}")
_PROSE = re.compile(r"[^\W\d_]{2,}[,:]? [^\W\d_]")
_GETTEXT = ("_", "gettext", "ngettext", "pgettext")


def environment() -> Environment:
    made = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    install(made)
    return made


class Texts(HTMLParser):
    """The texts of a page, and of those attributes that are read."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self._silent: list[str] = []
        self.feed(source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._silent += [tag] if tag in ("script", "style", "code") else []
        self.found += [value for name, value in attrs if name in SPOKEN_ATTRIBUTES and value]

    def handle_endtag(self, tag: str) -> None:
        if self._silent and self._silent[-1] == tag:
            self._silent.pop()

    def handle_data(self, data: str) -> None:
        self.found += [] if self._silent else [data]


def literal(node: nodes.Node) -> Iterator[str]:
    """What a template says itself: what is marked is no text of it any more."""
    if isinstance(node, nodes.TemplateData):
        yield node.data
    if not (isinstance(node, nodes.Block) and node.name in ATTRIBUTES):
        for child in node.iter_child_nodes():
            yield from literal(child)


def sentences(node: nodes.Node) -> Iterator[str]:
    """Strings in expressions that somebody might read."""
    if isinstance(node, nodes.Const) and isinstance(node.value, str) and _PROSE.search(node.value):
        yield node.value
    marked = isinstance(node, nodes.Call) and isinstance(node.node, nodes.Name) and node.node.name in _GETTEXT
    for field, child in ((name, one) for name in node.fields for one in node.iter_child_nodes(only=[name])):
        if not isinstance(node, nodes.Compare) and not (marked and field == "args"):
            yield from sentences(child)


def unmarked(source: str) -> list[str]:
    tree = environment().parse(source)
    texts = (EVERYWHERE.sub("", text) for text in Texts("".join(literal(tree))).found)
    return [text for text in (*texts, *sentences(tree)) if _WORD.search(text) and text not in SENT]


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda file: "/".join(file.parts[-3:]))
def test_every_text_is_marked(template: Path) -> None:
    assert unmarked(template.read_text()) == []


@pytest.mark.parametrize(
    ("source", "left"),
    [
        ("<p>Waiting for {{ who }}.</p>", ["Waiting for ."]),
        ('<button title="Go on">{{ mark }}</button>', ["Go on"]),
        ('<p title="{{ _("Go on") }}">{% trans %}Waiting for {{ who }}.{% endtrans %}</p>', []),
        ('{{ "it is over" if done else _("under way") }}', ["it is over"]),
        ('{% if says == "it is over" %}<code>match end</code>{% endif %}', []),
        ("{% block data %} data-page='host'{% endblock %}", []),
    ],
)
def test_what_is_not_marked_is_found(source: str, left: list[str]) -> None:
    assert unmarked(source) == left


def said(source: str, language: str = "de", **values: object) -> str:
    with speaking(language):
        return environment().from_string(source).render(values)


def test_places_are_called_as_in_messages() -> None:
    """So what a template and Python both say is one message of the catalogues."""
    wanted = "Platz &lt;b&gt;"
    assert said('{{ _("Seat {number}", number=who) }}', who="<b>") == wanted
    assert said("{% trans number=who %}Seat {{ number }}{% endtrans %}", who="<b>") == wanted
    assert said("{% trans %}100 % of {{ n }}{% endtrans %}", "en", n=7) == "100 % of 7"


def test_what_stands_in_a_place_is_said_once() -> None:
    """Messages in the reader's language, names as they are."""
    source = "{% trans number=who %}Seat {{ number }}{% endtrans %}"
    assert said(source, who=m("and")) == "Platz und"
    assert said(source, who=Seat(2)) == "Platz Platz 2"
    assert said(source, who="{name}") == "Platz {name}"


def test_names_are_listed_as_the_language_lists_them() -> None:
    source = "{% trans names=names|listed %}Already here: {{ names }}.{% endtrans %}"
    assert said(source, names=["Ada", "<Ben>", "Cleo"]) == "Schon da: Ada, &lt;Ben&gt; und Cleo."
    assert said(source, names=["Ada"]) == "Schon da: Ada."


def test_a_number_has_its_noun() -> None:
    source = "{% trans n=tables %}{{ n }} table{% pluralize %}{{ n }} tables{% endtrans %}"
    assert [said(source, tables=n) for n in (0, 1, 2)] == ["0 Tische", "1 Tisch", "2 Tische"]
    assert said(source, "fr", tables=0) == "0 table", "which French says of nothing, too"
    assert said('{{ ngettext("{n} table", "{n} tables", 1) }}') == "1 Tisch"


def test_a_word_means_what_its_context_says() -> None:
    source = '{{ pgettext("deck", "Its name") }}, {{ pgettext("season", "Its name") }}'
    assert said(source) == "Sein Name, Ihr Name"


def test_style_sheets_say_nothing() -> None:
    """What they add to a page comes from an attribute, which a template fills in the reader's language."""
    sheets = [*ROOT.glob("web/static/*.css"), *ROOT.glob("companion/games/*/ui/static/*.css")]
    assert sheets
    added = [said for file in sheets for said in re.findall(r'content: *"([^"]*)', file.read_text())]
    assert [said for said in added if re.search(r"[^\W\d_]{2}", said)] == []
