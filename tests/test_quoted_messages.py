"""What the documents for players quote is what the program says: every “sentence” and every **button**."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache

import pytest

from companion.core.messages import PLACE
from lab.languages.keeping import messages
from tests.test_documents import DOCUMENTS, ROOT

PAGES = ("evening", "troubleshooting")
# What says sentences to owners alone, in English: no catalogue has it.
TO_OWNERS = (
    "firmware_bridge/**/*.py",
    "vision/cameras/*.py",
    "companion/cli/*.py",
    "companion/table/folder.py",
)
QUOTED = re.compile(r"“([^”]+)”")
LABEL = re.compile(r"\*\*([^*]+)\*\*")
TAG = re.compile(r"<span class=\"sr\">.*?</span>|<[^>]*>")
BOLD = re.compile(r"<b>([^<]+)</b>")
ANYTHING = "…"


def strings(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.JoinedStr):
            yield "".join(
                str(part.value) if isinstance(part, ast.Constant) else ANYTHING for part in node.values
            )


@cache
def known() -> str:
    """Every text of the program, and what stands out in one, one a line: tags gone, places as ``…``."""
    texts = {text for folder in messages().values() for message in folder for text in message[:2]}
    for pattern in TO_OWNERS:
        for file in sorted(ROOT.glob(pattern)):
            texts |= {*strings(ast.parse(file.read_text()))}
    texts |= {bold for text in texts for bold in BOLD.findall(text)}
    return "\n".join(sorted({PLACE.sub(ANYTHING, TAG.sub("", text)).strip() for text in texts}))


def is_known(quote: str) -> bool:
    """A quotation is a whole text; ``…`` in it stands for a place, or for what is left out."""
    pattern = ".*".join(re.escape(part) for part in re.sub(r"\s+", " ", quote).split(ANYTHING))
    return re.search(rf"^{pattern}$", known(), re.MULTILINE) is not None


def quotes(text: str, pattern: re.Pattern[str]) -> list[str]:
    return [re.sub(r"\s+", " ", quote) for quote in pattern.findall(text)]


@pytest.mark.parametrize("page", PAGES)
def test_what_is_quoted_is_said(page: str) -> None:
    text = (ROOT / "docs" / f"{page}.md").read_text()
    shown = quotes(text, QUOTED) + quotes(text, LABEL)
    assert len(shown) > 20
    assert [quote for quote in shown if not is_known(quote)] == []


TABLE = re.compile(r"^\| sentence[^\n]*\n\|[-|]+\n((?:\|[^\n]*\n)+)", re.MULTILINE)


def test_tables_of_sentences_begin_as_they_do() -> None:
    """In other documents: ``| sentence | means |``, of each at least the beginning."""
    told = {
        row.split("|")[1].strip().replace("...", ANYTHING)
        for document in DOCUMENTS
        for table in TABLE.findall(document.read_text())
        for row in table.splitlines()
    }
    assert len(told) > 10
    assert [sentence for sentence in sorted(told) if not is_known(f"{sentence}{ANYTHING}")] == []


def test_a_sentence_that_nobody_says_is_noticed() -> None:
    assert is_known("another Stationmaster works in …: stop it, or choose another folder")
    assert not is_known("another Stationmaster works in …: stop it")
    assert not is_known("The box is out of order.")
