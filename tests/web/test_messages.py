"""A message reaches every kind of answer in the language of whoever reads it."""

from __future__ import annotations

from flask import Flask, render_template_string

from companion.core.messages import Seat, m, pm
from companion.table.seats import Player
from web.api.operations import _encoded
from web.ui.naming import by_name
from web.ui.speaking import Markup, speaking

WINS = m("{winners} wins with {total}", winners="the box", total=3)
PLAYERS = {1: Player("the box", "red", "circle")}


def test_a_page_says_messages_and_leaves_names(app: Flask) -> None:
    named = by_name(m("{winners} wins with {total}", winners=Seat(1), total=3), PLAYERS)
    with app.test_request_context("/", headers={"Accept-Language": "de"}), speaking("de"):
        page = render_template_string(
            "{{ named }} {{ word }} {{ name }}", named=named, word=m("and"), name="and"
        )
    assert page == "the box gewinnt: 3 und and"


def test_json_says_messages() -> None:
    told = {
        "message": m("{winners} wins with {total}", winners="the box", total=3),
        "deep": [{"says": m("and")}],
    }
    with speaking("de"):
        assert _encoded(told) == b'{"message":"the box gewinnt: 3","deep":[{"says":"und"}]}'
    assert _encoded(told) == b'{"message":"the box wins with 3","deep":[{"says":"and"}]}'


def test_markup_says_messages_and_escapes_names() -> None:
    wins = m("{winners} wins with {total}", winners="<b>", total=3)
    with speaking("de"):
        assert Markup("<p>{}</p>").format(wins) == "<p>&lt;b&gt; gewinnt: 3</p>"


def test_markup_says_words_by_their_context() -> None:
    """Plain text has none, so a message has to reach the page as a message."""
    with speaking("de"):
        assert Markup('<p title="{}">{side}</p>').format(m("and"), side=pm("side", "left")) == (
            '<p title="und">links</p>'
        )
