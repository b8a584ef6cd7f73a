"""Every way in which a board file can contradict itself: one clear sentence each, with its line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from collections.abc import Set as AbstractSet
from typing import TypeAlias

from companion.core.errors import quoted
from companion.core.messages import m
from companion.games.spike.rules.boards.entries import Entry, LineFault, of_kind, repeated
from companion.games.spike.rules.rulebook import BOOK

Check: TypeAlias = Callable[[list[Entry]], Iterator[LineFault]]


def _heading(entries: list[Entry]) -> Iterator[LineFault]:
    headings = of_kind(entries, "board")
    if not entries or entries[0].kind != "board":
        line = entries[0].line if entries else 1
        yield LineFault(line, "no-heading", 'the first line begins with "board": title and size')
    for extra in headings[1:]:
        yield LineFault(
            extra.line, "twice", m("the board already has its heading on line {line}", line=headings[0].line)
        )


def _counts(entries: list[Entry]) -> Iterator[LineFault]:
    """Six suits and twelve goods: what is missing is said at the last line of its kind."""
    for kind, wanted in (("suit", BOOK.suits), ("good", BOOK.goods)):
        found = of_kind(entries, kind)
        if len(found) != wanted:
            line = found[-1].line if found else 1
            yield LineFault(
                line,
                f"bad-{kind}s",
                m(
                    "a board has {wanted} {kind}s, here are {found}",
                    wanted=wanted,
                    kind=kind,
                    found=len(found),
                ),
            )


def _names(entries: list[Entry]) -> Iterator[LineFault]:
    for kind in ("suit", "good", "city", "point", "market", "space", "time"):
        yield from repeated(of_kind(entries, kind), kind)
    first = {entry.says.city: entry.line for entry in of_kind(entries, "city")}
    for entry in of_kind(entries, "point"):
        if entry.says.point in first:
            message = m(
                "{point} is already a city, on line {point2}",
                point=entry.says.point,
                point2=first[entry.says.point],
            )
            yield LineFault(entry.line, "twice", message)


def _looks(entries: list[Entry]) -> Iterator[LineFault]:
    """Two suits must not look alike to somebody who cannot tell colours apart."""
    first: dict[str, Entry] = {}
    for entry in of_kind(entries, "suit"):
        other = first.setdefault(entry.says.pattern, entry)
        if other is not entry:
            message = m(
                "the suits {suit} and {suit2} both have the pattern {pattern}: every suit needs its own",
                suit=other.says.suit,
                suit2=entry.says.suit,
                pattern=entry.says.pattern,
            )
            yield LineFault(entry.line, "same-pattern", message)


def _goods(entries: list[Entry]) -> Iterator[LineFault]:
    goods = {entry.says.good for entry in of_kind(entries, "good")}
    supplied = Counter(entry.says.good for entry in of_kind(entries, "city"))
    for entry in of_kind(entries, "city"):
        if entry.says.good not in goods:
            message = m(
                "{name} supplies {good}, which is none of the goods",
                name=entry.says.name,
                good=quoted(entry.says.good),
            )
            yield LineFault(entry.line, "unknown-good", message)
    for entry in of_kind(entries, "good"):
        if not supplied[entry.says.good]:
            yield LineFault(entry.line, "no-supply", m("no city supplies {good}", good=entry.says.good))


def _tracks(entries: list[Entry]) -> Iterator[LineFault]:
    places = _places(entries)
    suits = {entry.says.suit for entry in of_kind(entries, "suit")}
    first: dict[tuple[frozenset[str], int], int] = {}
    for entry in of_kind(entries, "track"):
        one, other = entry.says.track
        for end in (one, other):
            if end not in places:
                message = m(
                    "the track {name} joins nothing: there is no city or point {end}",
                    name=entry.says.name,
                    end=quoted(end),
                )
                yield LineFault(entry.line, "joins-nothing", message)
        if one == other:
            yield LineFault(
                entry.line, "joins-nothing", m("the track from {one} to itself joins nothing", one=one)
            )
        if entry.says.suit not in suits:
            message = m(
                "the track {name} has the suit {suit}, which is none",
                name=entry.says.name,
                suit=quoted(entry.says.suit),
            )
            yield LineFault(entry.line, "unknown-suit", message)
        ends, number = (frozenset((one, other)), entry.says.number), entry.says.number + 1
        if first.setdefault(ends, entry.line) != entry.line:
            message = m(
                "{one} and {other} are already joined on line {ends}: a track beside it has "
                '"number": {number}',
                one=one,
                other=other,
                ends=first[ends],
                number=number,
            )
            yield LineFault(entry.line, "twice", message)


def _places(entries: list[Entry]) -> dict[str, Entry]:
    cities = {entry.says.city: entry for entry in of_kind(entries, "city")}
    return cities | {entry.says.point: entry for entry in of_kind(entries, "point")}


def _unused(entries: list[Entry]) -> Iterator[LineFault]:
    ends = Counter(end for entry in of_kind(entries, "track") for end in entry.says.track)
    used = {entry.says.suit for entry in of_kind(entries, "track")}
    for name, entry in _places(entries).items():
        if not ends[name]:
            yield LineFault(
                entry.line, "no-track", m("no track leads to the {kind} {name}", kind=entry.kind, name=name)
            )
        elif ends[name] == 1 and entry.kind == "point":
            message = m("only one track leads to the point {name}: tracks lead from city to city", name=name)
            yield LineFault(entry.line, "dead-end", message)
    for entry in of_kind(entries, "suit"):
        if entry.says.suit not in used:
            yield LineFault(
                entry.line, "unused-suit", m("no track has the suit {suit}", suit=entry.says.suit)
            )


def _in_one_piece(entries: list[Entry]) -> Iterator[LineFault]:
    places = _places(entries)
    joined: dict[str, set[str]] = {name: set() for name in places}
    for entry in of_kind(entries, "track"):
        one, other = entry.says.track
        if one in joined and other in joined:
            joined[one].add(other)
            joined[other].add(one)
    start = next(iter(places), None)
    reached = _reached(joined, start) if start is not None else set()
    for name, entry in places.items():
        if joined[name] and name not in reached:
            message = m(
                "no way leads from {start} to {name}: the board has to be in one piece",
                start=start,
                name=name,
            )
            yield LineFault(entry.line, "cut-off", message)
            return


def _reached(joined: dict[str, set[str]], start: str) -> set[str]:
    found, waiting = {start}, [start]
    while waiting:
        new = joined[waiting.pop()] - found
        found |= new
        waiting += new
    return found


def _on_the_board(entries: list[Entry]) -> Iterator[LineFault]:
    headings = of_kind(entries, "board")
    if not headings:
        return
    width, height = headings[0].says.size
    if width <= 0 or height <= 0:
        yield LineFault(headings[0].line, "bad-size", m("width and height of a board are more than 0 mm"))
    for entry in entries:
        at = getattr(entry.says, "at", None)
        if at is not None and not (0 <= at[0] <= width and 0 <= at[1] <= height):
            message = m(
                "{at}, {at2} is not on a board of {width} x {height} mm",
                at=f"{at[0]:g}",
                at2=f"{at[1]:g}",
                width=f"{width:g}",
                height=f"{height:g}",
            )
            yield LineFault(entry.line, "off-the-board", message)


def _fixtures(entries: list[Entry]) -> Iterator[LineFault]:
    """Places for chips, pawns and time cards may be left out; where some are given, all have to be."""
    chips = {(column, price) for column in range(1, BOOK.columns + 1) for price in BOOK.prices}
    yield from _complete(entries, "market", chips, m("columns 1 to 4 with the prices 3, 2 and 1"))
    yield from _complete(entries, "time", set(range(1, BOOK.time_cards + 1)), m("1 to 3"))
    spaces = of_kind(entries, "space")
    yield from _complete(entries, "space", set(range(len(spaces))), m("numbered from 0 without a gap"))


def _complete(
    entries: list[Entry], kind: str, wanted: AbstractSet[object], words: str
) -> Iterator[LineFault]:
    found = of_kind(entries, kind)
    odd = [entry for entry in found if getattr(entry.says, kind) not in wanted]
    for entry in odd:
        yield LineFault(entry.line, f"bad-{kind}", m("the {kind} places are {words}", kind=kind, words=words))
    if found and not odd and len({getattr(entry.says, kind) for entry in found}) < len(wanted):
        yield LineFault(
            found[-1].line,
            f"bad-{kind}",
            m("not all {kind} places are here: they are {words}", kind=kind, words=words),
        )


CHECKS: tuple[Check, ...] = (
    _heading,
    _counts,
    _names,
    _looks,
    _goods,
    _tracks,
    _unused,
    _in_one_piece,
    _on_the_board,
    _fixtures,
)
