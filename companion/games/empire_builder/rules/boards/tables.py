"""An owner's tables read kindly: any divider, names as people write them, faults in groups.

A spreadsheet writes semicolons where a comma divides decimals; people write ``chicago``, ``St Louis`` or
``$34``. All of that is understood. What is not is said once for all its lines, with what may be meant.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches

from companion.core.errors import NotationError, quoted
from companion.core.messages import listed, m, vocabulary
from companion.games.empire_builder.rules.rulebook import LOAD_WORDS

_NAMED = 3  # lines that a fault names; of the others it says how many there are

# What cities of this game are usually called otherwise, as `plain` writes them.
# What stands in a column.
_COLUMNS = vocabulary(
    "column",
    *("load", "city", "milepost", "payout", "radius", "number of chips"),
    *("kind of event", "coast or country", "kind of line", "size of a city", "river", "sea", "terrain"),
)
OTHER_NAMES: Mapping[str, str] = {
    "washington": "washington dc",
    "washington d c": "washington dc",
    "new york city": "new york",
    "nyc": "new york",
    "la": "los angeles",
    "slc": "salt lake city",
    "mexico": "mexico city",
    "ciudad de mexico": "mexico city",
    "mexico df": "mexico city",
    "ciudad juarez": "juarez",
    "cd juarez": "juarez",
    "san fran": "san francisco",
    "philly": "philadelphia",
    "okc": "oklahoma city",
    "portland oregon": "portland or",
    "portland maine": "portland me",
}


def plain(name: str) -> str:
    """A name without capitals, accents, dots and double spaces.

    >>> plain("  St. Louis"), plain("Ciudad Juárez")
    ('st louis', 'ciudad juarez')
    """
    letters = unicodedata.normalize("NFKD", name)
    kept = "".join(sign for sign in letters if not unicodedata.combining(sign))
    kept = re.sub(r"[^a-z0-9]+", " ", kept.casefold()).strip()
    return re.sub(r"^saint ", "st ", kept)


def meant(name: str, known: Iterable[str], what: str) -> str:
    """Which of the known names this is; otherwise the fault, with the nearest ones."""
    by_plain = {plain(one): one for one in known}
    wanted = plain(name)
    found = by_plain.get(wanted) or by_plain.get(OTHER_NAMES.get(wanted, ""))
    if found is not None:
        return found
    near = [by_plain[one] for one in get_close_matches(wanted, by_plain, 3, 0.7)]
    if near:
        likely = listed([LOAD_WORDS.get(one, one) for one in near], "or")
        message = m(
            "there is no {what} {name}: is it {near}?", what=_COLUMNS[what], name=quoted(name), near=likely
        )
    else:
        message = m("there is no {what} {name}", what=_COLUMNS[what], name=quoted(name))
    raise NotationError("bad-table", message)


def amount(entry: str, most: int, what: str) -> int:
    """A whole number of millions: ``34``, ``$34``, ``34 M``, ``34.0``, ``$34,000,000``."""
    digits = re.sub(r"(?i)(us)?[$€£]|\b(m|mio|mill?|millions?)\b\.?|(?<=\d)m\b|[\s']", "", entry)
    digits = re.sub(r"[.,]0{1,2}$", "", digits)
    digits = re.sub(r"[.,]000[.,]000$", "", digits)
    if not digits.isascii() or not digits.isdigit() or not 1 <= int(digits[:9]) <= most:
        message = m(
            "the {what} {entry} is not a whole number of millions from 1 to {most}",
            what=_COLUMNS[what],
            entry=quoted(entry),
            most=most,
        )
        raise NotationError("bad-table", message)
    return int(digits)


def rows(
    text: str, columns: tuple[str, ...], also: Mapping[str, str], faults: list[tuple[int, str]]
) -> Iterator[tuple[int, list[str]]]:
    """Every line with something in it as its cells in the order of ``columns``.

    A first line that names the columns (``also`` has other words for them) may put them into another order.
    """
    reader = csv.reader(
        io.StringIO(text.removeprefix("\ufeff")), delimiter=_divider(text), skipinitialspace=True
    )
    order: list[int] | None = None
    first = True
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if not any(cells) or cells[0].startswith("#"):
                continue
            heads = [also.get(plain(cell), plain(cell)) for cell in cells]
            if first and set(columns[:2]) <= set(heads):
                order = [heads.index(name) if name in heads else -1 for name in columns]
            else:
                yield reader.line_num, cells if order is None else _ordered(cells, order)
            first = False
    except csv.Error as problem:
        faults.append((reader.line_num, m("not readable as CSV: {problem}", problem=problem)))


def _ordered(cells: list[str], order: list[int]) -> list[str]:
    return [cells[at] if 0 <= at < len(cells) else "" for at in order]


def _divider(text: str) -> str:
    """What stands between the cells: whatever the first lines have most of."""
    head = "\n".join(text.splitlines()[:5])
    return max((",", ";", "\t"), key=head.count)


def grouped(faults: Iterable[tuple[int, str]]) -> list[str]:
    """Each fault once, with the lines it stands in."""
    lines: dict[str, list[int]] = {}
    for line, what in faults:
        lines.setdefault(what, []).append(line)
    return [_in_lines(what, found) for what, found in lines.items()]


def _in_lines(what: str, found: list[int]) -> str:
    if len(found) == 1:
        return m("line {found}: {what}", found=found[0], what=what)
    named = ", ".join(map(str, found[:_NAMED]))
    more = len(found) - _NAMED
    return (
        m("lines {named} and {more} more: {what}", named=named, more=more, what=what)
        if more > 0
        else m("lines {named}: {what}", named=named, what=what)
    )
