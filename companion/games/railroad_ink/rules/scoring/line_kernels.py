"""Lines of JSON as boards, and scores as lines of JSON, in machine code: the two ends of batch scoring.

Only what programs usually write is read here; a line with anything else in it, right or wrong, is left to the
ordinary reader, which knows every sentence about it. Nothing here calls a function of another file: what
Numba keeps on disk would not notice when that changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from companion.games.railroad_ink.rules.scoring.kernels import compiled

Bytes: TypeAlias = NDArray[np.uint8]
Ints: TypeAlias = NDArray[np.int64]

CELLS, SIDE = 49, 7
PADDING = 16  # bytes of nothing after the text, so that no look ahead leaves it
KEYS = ("cells", "edition", "rounds", "goals", "expansion", "longest", "id")
_CELLS, _EDITION, _ROUNDS, _GOALS, _EXPANSION, _LONGEST, _ID = range(7)
# What is known of a line: was it read, how many cells, which edition and reading, expansion points, where its
# id begins and ends.
READ, COUNT, EDITION, LONGEST, EXPANSION, ID_START, ID_END = range(7)
FACTS = 7
# A score's columns as `kernels.score_boards` has them; behind them, by exit, the network that it belongs to.
EXITS, HIGHWAY, RAILWAY, CENTRE, VILLAGES, ERRORS, TOTAL, NETWORKS = range(8)
LABELS = (
    *("exits", "highway", "railway", "centre", "villages"),
    *("goals", "errors", "expansion", "total", "networks"),
)
MOST_ANSWERED = 512  # bytes of an answer without its id
SPREAD = 0x9E3779B97F4A7C1  # odd and without pattern, to scatter the texts over the slots
_MOST_DIGITS = 15
_QUOTE, _COMMA, _COLON, _MINUS, _NOUGHT = 34, 44, 58, 45, 48
_BRACE, _BRACE_END, _BRACKET, _BRACKET_END, _NEWLINE = 123, 125, 91, 93, 10


@dataclass
class Tables:
    """Words are rows of bytes, the first of which says how many there are."""

    keys: Ints
    editions: Ints
    readings: Ints
    points: Ints  # the one key of an expansion
    labels: Ints  # with quotes and colon
    slots: Ints  # hash table of route texts, packed: see route_key
    routes: Ints  # by slot: route number, from 1
    ends: Ints  # by type and route: directions of its ends
    specials: Ints  # by route: which special route it is, from 1; else 0
    universities: Ints  # by edition and cell: 1 where one is printed
    limits: Ints  # of special routes in a match, and of universities until there is another one
    against: Ints  # by type and cell: directions in which there is an exit of the other type
    exit_cells: Ints  # by exit, in the order of a score's columns
    exits_at: Ints  # by cell: the number of its exit, else -1
    clockwise: Ints  # the exits in the order in which a network names them


@compiled
def read_lines(text: Bytes, starts: Ints, tables: Tables, boards: Bytes, orders: Bytes, facts: Ints) -> None:
    """Read the line between each two ``starts``: its board, its cells as they are written, what is known."""
    rounds = np.zeros(CELLS, np.uint8)
    for line in range(starts.shape[0] - 1):
        at = _read_line(text, starts[line], tables, boards[line], orders[line], facts[line], rounds)
        readable = 0 < at <= starts[line + 1]
        while readable and at < starts[line + 1]:
            readable = _is_space(text[at])
            at += 1
        if readable:
            board, order, count = boards[line], orders[line], facts[line, COUNT]
            readable = not _types_meet(tables, board, order, count)
            readable = readable and _specials_fit(tables, board, order, count, facts[line, EDITION])
            readable = readable and _all_joined(tables, board, order, count)
        facts[line, READ] = readable


@compiled
def _is_space(byte: int) -> bool:
    return byte == 32 or 9 <= byte <= 10 or byte == 13


@compiled
def _skip(text: Bytes, at: int) -> int:
    while _is_space(text[at]):
        at += 1
    return at


@compiled
def _word(text: Bytes, at: int, words: Ints) -> int:
    """The index of the word that starts here and ends at a quotation mark, or -1."""
    for number in range(words.shape[0]):
        length = words[number, 0]
        same = text[at + length] == _QUOTE
        for place in range(length):
            if not same:
                break
            same = text[at + place] == words[number, 1 + place]
        if same:
            return number
    return -1


@compiled
def _read_line(
    text: Bytes, at: int, tables: Tables, board: Bytes, order: Bytes, facts: Ints, rounds: Bytes
) -> int:
    """The place behind the object, or -1 for one that is left to the ordinary reader."""
    rounds[:] = 0
    at = _skip(text, at)
    if text[at] != _BRACE:
        return -1
    seen = 0
    while True:
        at = _skip(text, at + 1)
        key = _word(text, at + 1, tables.keys) if text[at] == _QUOTE else -1
        if key < 0 or seen >> key & 1:
            return -1
        seen |= 1 << key
        at = _skip(text, at + tables.keys[key, 0] + 2)
        if text[at] != _COLON:
            return -1
        at = _skip(text, at + 1)
        if key == _CELLS:
            at = _read_cells(text, at, tables, board, order, facts)
        elif key == _ROUNDS:
            at = _read_rounds(text, at, rounds)
        elif key == _EXPANSION:
            at = _read_expansion(text, at, tables, facts)
        elif key == _GOALS:
            inside = _skip(text, at + 1)
            at = inside + 1 if text[at] == _BRACKET and text[inside] == _BRACKET_END else -1
        elif key == _ID:
            at = _read_id(text, at, facts)
        elif key == _EDITION:
            facts[EDITION], at = _read_choice(text, at, tables.editions)
        else:
            facts[LONGEST], at = _read_choice(text, at, tables.readings)
        if at < 0:
            return -1
        at = _skip(text, at)
        if text[at] == _BRACE_END:
            break
        if text[at] != _COMMA:
            return -1
    for cell in range(CELLS):
        if rounds[cell] and not board[cell]:
            return -1
    return at + 1 if seen >> _CELLS & 1 else -1


@compiled
def _read_choice(text: Bytes, at: int, words: Ints) -> tuple[int, int]:
    """The index of the quoted word here and the place behind it; -1 if it is none of them."""
    found = _word(text, at + 1, words) if text[at] == _QUOTE else -1
    return found, at + words[found, 0] + 2 if found >= 0 else -1


@compiled
def _cell(text: Bytes, at: int) -> int:
    """The cell whose name, a letter and a digit, stands here in quotation marks, or -1."""
    column, row = int(text[at + 1]) - 97, int(text[at + 2]) - 49
    if text[at] != _QUOTE or text[at + 3] != _QUOTE or not (0 <= column < SIDE and 0 <= row < SIDE):
        return -1
    return row * SIDE + column


@compiled
def _read_cells(text: Bytes, at: int, tables: Tables, board: Bytes, order: Bytes, facts: Ints) -> int:
    if text[at] != _BRACE:
        return -1
    count = 0
    at = _skip(text, at + 1)
    if text[at] == _BRACE_END:
        return at + 1
    while True:
        cell = _cell(text, at)
        if cell < 0 or board[cell]:
            return -1
        at = _skip(text, at + 4)
        if text[at] != _COLON:
            return -1
        at = _skip(text, at + 1)
        if text[at] != _QUOTE:
            return -1
        key, length = 0, 0
        while text[at + 1 + length] != _QUOTE and length < 8:
            key = key << 8 | int(text[at + 1 + length])
            length += 1
        route = _route(tables, key) if 0 < length < 8 else 0
        if not route:
            return -1
        board[cell] = route
        order[count] = cell
        count += 1
        at = _skip(text, at + length + 2)
        if text[at] == _BRACE_END:
            facts[COUNT] = count
            return at + 1
        if text[at] != _COMMA:
            return -1
        at = _skip(text, at + 1)


@compiled
def _route(tables: Tables, key: int) -> int:
    mask = tables.slots.shape[0] - 1
    slot = route_slot(key, mask)
    while tables.slots[slot]:
        if tables.slots[slot] == key:
            return int(tables.routes[slot])
        slot = (slot + 1) & mask
    return 0


@compiled
def route_slot(key: int, mask: int) -> int:
    """The first slot to probe in the hash table for a route's text, packed eight bits a character."""
    return (key * SPREAD >> 40) & mask


@compiled
def _read_rounds(text: Bytes, at: int, rounds: Bytes) -> int:
    if text[at] != _BRACE:
        return -1
    at = _skip(text, at + 1)
    if text[at] == _BRACE_END:
        return at + 1
    while True:
        cell = _cell(text, at)
        if cell < 0 or rounds[cell]:
            return -1
        at = _skip(text, at + 4)
        if text[at] != _COLON:
            return -1
        number, at = _integer(text, _skip(text, at + 1))
        if at < 0 or not 1 <= number <= 99:
            return -1
        rounds[cell] = number
        at = _skip(text, at)
        if text[at] == _BRACE_END:
            return at + 1
        if text[at] != _COMMA:
            return -1
        at = _skip(text, at + 1)


@compiled
def _read_expansion(text: Bytes, at: int, tables: Tables, facts: Ints) -> int:
    if text[at] != _BRACE:
        return -1
    at = _skip(text, at + 1)
    if text[at] == _BRACE_END:
        return at + 1
    if text[at] != _QUOTE or _word(text, at + 1, tables.points) < 0:
        return -1
    at = _skip(text, at + tables.points[0, 0] + 2)
    if text[at] != _COLON:
        return -1
    facts[EXPANSION], at = _integer(text, _skip(text, at + 1))
    if at < 0:
        return -1
    at = _skip(text, at)
    return at + 1 if text[at] == _BRACE_END else -1


@compiled
def _read_id(text: Bytes, at: int, facts: Ints) -> int:
    """A whole number, or plain characters in quotation marks: what is repeated as it stands."""
    facts[ID_START] = at
    if text[at] == _QUOTE:
        at += 1
        while text[at] != _QUOTE:
            if text[at] < 32 or text[at] > 126 or text[at] == 92:
                return -1
            at += 1
        at += 1
    else:
        _, at = _integer(text, at)
    facts[ID_END] = at
    return at


@compiled
def _integer(text: Bytes, at: int) -> tuple[int, int]:
    """A number as it is usually written, and the place behind it, or -1."""
    negative = text[at] == _MINUS
    start = at + negative
    at, value = start, 0
    while _NOUGHT <= text[at] <= _NOUGHT + 9 and at - start <= _MOST_DIGITS:
        value = 10 * value + int(text[at]) - _NOUGHT
        at += 1
    digits = at - start
    unusual = text[start] == _NOUGHT and (digits > 1 or negative)
    # A fraction or an exponent would follow here; whoever reads on only knows commas and ends.
    if digits == 0 or digits > _MOST_DIGITS or unusual:
        return 0, -1
    return (-value if negative else value), at


@compiled
def _types_meet(tables: Tables, board: Bytes, order: Bytes, count: int) -> bool:
    """Return True if a highway faces a railway anywhere, on the board or at an exit."""
    for place in range(count):
        cell = order[place]
        highway, railway = tables.ends[0, board[cell]], tables.ends[1, board[cell]]
        if highway & tables.against[0, cell] or railway & tables.against[1, cell]:
            return True
        # Each pair of neighbours once, from the cell to the west or north of the other.
        if cell % SIDE < SIDE - 1:
            other = board[cell + 1]
            if (highway >> 1 & tables.ends[1, other] >> 3 | railway >> 1 & tables.ends[0, other] >> 3) & 1:
                return True
        if cell + SIDE < CELLS:
            other = board[cell + SIDE]
            if (highway >> 2 & tables.ends[1, other] | railway >> 2 & tables.ends[0, other]) & 1:
                return True
    return False


@compiled
def _specials_fit(tables: Tables, board: Bytes, order: Bytes, count: int, edition: int) -> bool:
    """Return True if a match can have produced these special routes."""
    drawn, seen, marked = 0, 0, 0
    for place in range(count):
        cell = order[place]
        marked += tables.universities[edition, cell]
        special = tables.specials[board[cell]]
        if special:
            if seen >> special & 1:
                return False
            seen |= 1 << special
            drawn += 1
    return bool(drawn <= tables.limits[0] + (marked >= tables.limits[1]))


@compiled
def _all_joined(tables: Tables, board: Bytes, order: Bytes, count: int) -> bool:
    """Return True if all routes can be drawn in some order.

    Types do not meet, so each route only has to join another one or an exit.
    """
    joined = np.zeros(CELLS, np.uint8)
    waiting = np.zeros(CELLS, np.int64)
    size, taken = 0, 0
    for place in range(count):
        cell = order[place]
        highway, railway = tables.ends[0, board[cell]], tables.ends[1, board[cell]]
        # An exit of one type is where the other type may not go.
        if highway & tables.against[1, cell] or railway & tables.against[0, cell]:
            joined[cell] = 1
            waiting[size] = cell
            size += 1
    while taken < size:
        cell = waiting[taken]
        taken += 1
        column, row = cell % SIDE, cell // SIDE
        for way in range(4):
            across = column + (way == 1) - (way == 3)
            down = row + (way == 2) - (way == 0)
            if not (0 <= across < SIDE and 0 <= down < SIDE):
                continue
            other = down * SIDE + across
            back = (way + 2) % 4
            for kind in range(2):
                ends, beyond = tables.ends[kind, board[cell]], tables.ends[kind, board[other]]
                if not joined[other] and ends >> way & 1 and beyond >> back & 1:
                    joined[other] = 1
                    waiting[size] = other
                    size += 1
    return size == count


# --- answers ---


@compiled
def write_lines(text: Bytes, tables: Tables, facts: Ints, orders: Bytes, scores: Ints, out: Bytes) -> int:
    """Write an answer for each line that was read, an empty line for any other; how many bytes that is."""
    at = 0
    for line in range(facts.shape[0]):
        if facts[line, READ]:
            at = _write_line(text, tables, facts[line], orders[line], scores[line], out, at)
        out[at] = _NEWLINE
        at += 1
    return at


@compiled
def _write_line(
    text: Bytes, tables: Tables, facts: Ints, order: Bytes, score: Ints, out: Bytes, at: int
) -> int:
    out[at] = _BRACE
    at += 1
    if facts[ID_END]:
        for byte in (34, 105, 100, 34, 58):
            out[at] = byte
            at += 1
        for place in range(facts[ID_START], facts[ID_END]):
            out[at] = text[place]
            at += 1
        out[at] = _COMMA
        at += 1
    columns = (EXITS, HIGHWAY, RAILWAY, CENTRE, VILLAGES, -1, ERRORS, -2, TOTAL)
    for number in range(len(columns)):
        column = columns[number]
        value = score[column] if column >= 0 else 0 if column == -1 else facts[EXPANSION]
        if column == TOTAL:
            value += facts[EXPANSION]
        at = _write_label(tables, number, out, at)
        at = _write_integer(value, out, at)
        out[at] = _COMMA
        at += 1
    at = _write_label(tables, len(columns), out, at)
    at = _write_networks(tables, order, facts[COUNT], score, out, at)
    out[at] = _BRACE_END
    return at + 1


@compiled
def _write_label(tables: Tables, number: int, out: Bytes, at: int) -> int:
    for place in range(tables.labels[number, 0]):
        out[at] = tables.labels[number, 1 + place]
        at += 1
    return at


@compiled
def _write_integer(value: int, out: Bytes, at: int) -> int:
    if value < 0:
        out[at] = _MINUS
        at += 1
        value = -value
    digits, more = 1, 10
    while value >= more:
        digits += 1
        more *= 10
    for place in range(digits - 1, -1, -1):
        out[at + place] = _NOUGHT + value % 10
        value //= 10
    return at + digits


@compiled
def _write_networks(tables: Tables, order: Bytes, count: int, score: Ints, out: Bytes, at: int) -> int:
    """Write the networks with two exits or more: largest first, ties by the first exit's cell."""
    exits = tables.exit_cells.shape[0]
    found = np.zeros(exits, np.int64)
    sizes = np.zeros(exits, np.int64)
    networks = 0
    for place in range(count):
        exit = tables.exits_at[order[place]]
        if exit >= 0 and score[NETWORKS + exit]:
            label, number = score[NETWORKS + exit], 0
            while number < networks and found[number] != label:
                number += 1
            if number == networks:
                found[number] = label
                networks += 1
            sizes[number] += 1
    out[at] = _BRACKET
    at += 1
    first = True
    for size in range(exits, 1, -1):
        for number in range(networks):
            if sizes[number] == size:
                if not first:
                    out[at] = _COMMA
                    at += 1
                first = False
                at = _write_exits(tables, score, found[number], out, at)
    out[at] = _BRACKET_END
    return at + 1


@compiled
def _write_exits(tables: Tables, score: Ints, label: int, out: Bytes, at: int) -> int:
    out[at] = _BRACKET
    at += 1
    for place in range(tables.clockwise.shape[0]):
        exit = tables.clockwise[place]
        if score[NETWORKS + exit] == label:
            if out[at - 1] != _BRACKET:
                out[at] = _COMMA
                at += 1
            cell = tables.exit_cells[exit]
            for byte in (_QUOTE, 97 + cell % SIDE, 49 + cell // SIDE, _QUOTE):
                out[at] = byte
                at += 1
    out[at] = _BRACKET_END
    return at + 1
