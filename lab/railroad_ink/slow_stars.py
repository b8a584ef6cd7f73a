"""The star box counted again, from the texts of a position alone: every rule in the plainest way, slowly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations, product

from lab.railroad_ink.referee_rules import BOOK

STEPS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
BACK = {"N": "S", "S": "N", "E": "W", "W": "E"}
SIDE_NAMES = {"N": "top", "E": "right", "S": "bottom", "W": "left"}
Texts = dict[str, str]


@dataclass(frozen=True)
class Plan:
    """A board: how many rows and columns, which exits (H or R), which spaces are central."""

    side: int
    exits: dict[tuple[str, str], str]
    centre: frozenset[str]

    @property
    def values(self) -> list[int]:
        """What a network of so many exits is worth, up to all exits of the board."""
        return list(BOOK["network_values"][: len(self.exits) + 1])

    def at(self, x: int, y: int) -> str:
        """The name of a cell; nothing outside the board."""
        inside = 0 <= x < self.side and 0 <= y < self.side
        return f"{'abcdefghijk'[x]}{y + 1}" if inside else ""

    def next_to(self, cell: str, side: str) -> str:
        """The cell on a side of a cell; nothing outside the board."""
        (x, y), (dx, dy) = xy(cell), STEPS[side]
        return self.at(x + dx, y + dy)


def _plan(size: str) -> Plan:
    table = BOOK["layouts"][size]
    exits = {
        (cell, side): kind[0].upper()
        for side, name in SIDE_NAMES.items()
        for cell, kind in table["exits"][name].items()
    }
    middle = table["side"] // 2
    names = [f"{'abcdefghijk'[x]}{y + 1}" for x, y in product(range(middle - 1, middle + 2), repeat=2)]
    return Plan(table["side"], exits, frozenset(names))


PLANS = {size: _plan(size) for size in BOOK["layouts"]}


@dataclass(frozen=True)
class PlannedBoard:
    """A board as texts, and on which plan."""

    cells: Texts
    marks: Texts
    plan: Plan = PLANS["usual"]


def xy(cell: str) -> tuple[int, int]:
    """Column and row from 0."""
    return "abcdefghijk".index(cell[0]), int(cell[1:]) - 1


def beside(one: str, other: str) -> bool:
    """Have two cells a side in common?"""
    (x, y), (u, v) = xy(one), xy(other)
    return abs(x - u) + abs(y - v) == 1


def having(marks: Texts, *signs: str) -> Texts:
    """Cells with a sign, and what stands behind its colon."""
    found = {}
    for place, text in marks.items():
        for word in text.split():
            sign, _, detail = word.partition(":")
            if sign in signs and "-" not in place:
                found[place] = detail
    return found


def merged(groups: list[set[str]]) -> list[set[str]]:
    """Groups with something in common become one, until none have."""
    groups = [set(group) for group in groups]
    while True:
        pair = next(((a, b) for a, b in combinations(groups, 2) if a & b), None)
        if pair is None:
            return groups
        groups.remove(pair[0])
        groups.remove(pair[1])
        groups.append(pair[0] | pair[1])


def areas(cells: list[str] | set[str]) -> list[set[str]]:
    """Groups of cells that have a side in common with another."""
    return merged([{one, *(other for other in cells if beside(one, other))} for one in cells])


def flows(plan: Plan, ends: Texts) -> list[set[str]]:
    """Groups of cells whose sides are open to each other."""
    return merged(
        [
            {one, *(o for s in sides if (o := plan.next_to(one, s)) in ends and BACK[s] in ends[o])}
            for one, sides in ends.items()
        ]
    )


def unanswered(plan: Plan, ends: Texts) -> list[tuple[str, str]]:
    """Open sides that lead to no open side, not to the border."""
    return [
        (cell, side)
        for cell, sides in ends.items()
        for side in sides
        if plan.next_to(cell, side) and BACK[side] not in ends.get(plan.next_to(cell, side), "")
    ]


def ends_of(text: str) -> str:
    """The ends of a route, whatever joins them."""
    return text.replace("|", "").replace("*", "")


def networks(plan: Plan, cells: Texts) -> list[set[str]]:
    """Networks as sets of pieces and exits, each by its name."""
    pieces = {f"{cell} {part}" for cell, text in cells.items() for part in text.replace("*", "").split("|")}
    pairs = [{piece} for piece in pieces]
    for piece in pieces:
        cell, part = piece.split()
        for end in part:
            side = end.upper()
            kind = "H" if end.isupper() else "R"
            if plan.exits.get((cell, side)) == kind:
                pairs.append({piece, f"exit {cell}"})
            for other in pieces:
                other_cell, other_part = other.split()
                back = BACK[side] if end.isupper() else BACK[side].lower()
                if plan.next_to(cell, side) == other_cell and back in other_part:
                    pairs.append({piece, other})
    return merged(pairs)


def exits_in(network: set[str]) -> set[str]:
    """The exits of a network, by their cells."""
    return {name[5:] for name in network if name.startswith("exit ")}


# --- one function an expansion: its points ---


def forest(board: PlannedBoard) -> int:
    """2 for each space of the largest group of trees, 1 for each of the second."""
    sizes = [*sorted((len(area) for area in areas(set(having(board.marks, "trees")))), reverse=True), 0, 0]
    return 2 * sizes[0] + sizes[1]


def trail(board: PlannedBoard) -> int:
    """Stations joined by trails: half of what so many exits are worth."""
    corners = {"nw": (0, 0), "ne": (1, 0), "se": (1, 1), "sw": (0, 1)}
    lies_at = {"nw": "NW", "ne": "NE", "se": "SE", "sw": "SW"}
    touched: dict[str, set[str]] = {}
    for cell, way in having(board.marks, "trail").items():
        sides = {end.upper() for end in ends_of(board.cells.get(cell, ""))}
        if len(sides) == 3:
            (blank,) = {"N", "E", "S", "W"} - sides
            names = [name for name, where in lies_at.items() if blank in where]
        elif len(sides) != 2 or sides in ({"N", "S"}, {"E", "W"}):  # or the route was changed, or taken away
            names = (way or "nw-se").split("-")
        else:
            names = [name for name, where in lies_at.items() if set(where) != sides]
        x, y = xy(cell)
        touched[cell] = {f"{x + corners[name][0]}/{y + corners[name][1]}" for name in names}
    points = set().union(*touched.values())
    groups = list(touched.values())
    for cell, text in board.cells.items():
        if "*" in text:
            x, y = xy(cell)
            groups.append({f"station {cell}", *({f"{x + u}/{y + v}" for u, v in corners.values()} & points)})
    counts = [sum(name.startswith("station") for name in group) for group in merged(groups)]
    return sum(board.plan.values[min(count, len(board.plan.exits))] // 2 for count in counts if count > 1)


def desert(board: PlannedBoard) -> int:
    """1 point for each cactus."""
    return len(having(board.marks, "cactus")) + 2 * len(having(board.marks, "cacti"))


def canyon(board: PlannedBoard) -> int:
    """1 for each piece of the longest, 2 for each from edge to edge."""
    lines = []
    for place in [place for place, text in board.marks.items() if text == "canyon"]:
        one, other = place.split("-")
        (_, y), (u, v) = xy(one), xy(other)
        lines.append({(u, v), (u, v + 1)} if y == v else {(u, v), (u + 1, v)})

    def inside(point: tuple[int, int]) -> bool:
        return 0 < point[0] < board.plan.side and 0 < point[1] < board.plan.side

    named = [
        {f"line {number}", *(f"{x}/{y}" for x, y in line if inside((x, y)))}
        for number, line in enumerate(lines)
    ]
    found = merged(named)
    lengths = [sum(name.startswith("line") for name in group) for group in found]
    edges = [
        sum(not inside(p) for number, line in enumerate(lines) if f"line {number}" in group for p in line)
        for group in found
    ]
    return max(lengths, default=0) + 2 * sum(count == 2 for count in edges)


def river(board: PlannedBoard) -> int:
    """1 a space of one river, 3 more from edge to edge."""
    ends = having(board.marks, "river")
    values = []
    for group in flows(board.plan, ends):
        outside = sum(not board.plan.next_to(cell, side) for cell in group for side in ends[cell])
        values.append(len(group) + (3 if outside == 2 else 0))
    return max(values, default=0)


def lake(board: PlannedBoard) -> int:
    """1 a space of the smallest."""
    return min((len(group) for group in flows(board.plan, having(board.marks, "lake"))), default=0)


def lava(board: PlannedBoard) -> int:
    """5 a closed lake, 1 a space of the largest."""
    ends = having(board.marks, "lava")
    groups = flows(board.plan, ends)
    is_open = {cell for cell, _ in unanswered(board.plan, ends)}
    return 5 * sum(not group & is_open for group in groups) + max(map(len, groups), default=0)


def pointing_at(plan: Plan, cells: Texts, cell: str) -> int:
    """How many ends of routes point at a cell."""
    return sum(
        BACK[side] in ends_of(cells[other]).upper()
        for side in STEPS
        if (other := plan.next_to(cell, side)) in cells
    )


def meteor(board: PlannedBoard) -> int:
    """2 an end that faces a crater."""
    return sum(
        2 * pointing_at(board.plan, board.cells, cell)
        for cell in having(board.marks, "crater")
        if cell not in board.cells
    )


def city_builder(board: PlannedBoard) -> int:
    """1 point for each tower."""
    return sum(int(number) for number in having(board.marks, "tower").values())


def alien_farmer(board: PlannedBoard) -> int:
    """2 for each UFO and sheep in one row or column."""
    pairs = product(having(board.marks, "ufo"), having(board.marks, "sheep"))
    return sum(2 for ufo, sheep in pairs if ufo[0] == sheep[0] or ufo[1:] == sheep[1:])


def weather(board: PlannedBoard) -> int:
    """The largest area of each kind that no other kind touches."""
    total = 0
    for sign in ("cloud", "storm", "snow"):
        others = [
            cell
            for other in ("cloud", "storm", "snow")
            if other != sign
            for cell in having(board.marks, other)
        ]
        sizes = [0]
        for area in areas(set(having(board.marks, sign))):
            near = any(
                max(abs(xy(one)[0] - xy(o)[0]), abs(xy(one)[1] - xy(o)[1])) == 1
                for one in area
                for o in others
            )
            sizes.append(0 if near else len(area))
        total += max(sizes)
    return total


def airline(board: PlannedBoard) -> int:
    """2 a space of the longest airway, less what is open or has no airway."""
    ends, airports = having(board.marks, "air"), having(board.marks, "airport")
    total, best = 0, 0
    for group in flows(board.plan, ends):
        sides = [(cell, side) for cell in group for side in ends[cell]]
        loose = [(c, s) for c, s in sides if BACK[s] not in ends.get(board.plan.next_to(c, s), "")]
        is_open = [
            one for one in loose if board.plan.next_to(*one) and board.plan.next_to(*one) not in airports
        ]
        total -= 2 * len(is_open)
        if loose and not is_open:
            best = max(best, len(group))
    for airport in airports:
        if not any(BACK[side] in ends.get(board.plan.next_to(airport, side), "") for side in STEPS):
            total -= 4
    return total + 2 * best


def street_lamps(board: PlannedBoard) -> int:
    """1 a lit lamp."""
    return len(having(board.marks, "lit"))


def power_grid(board: PlannedBoard) -> int:
    """Charges times exits linked to the accumulator."""
    ((tower, charges),) = having(board.marks, "accumulator").items()
    linked = {
        cell
        for area in areas(set(having(board.marks, "power")))
        if any(beside(c, tower) for c in area)
        for cell in area
    }
    return int(charges or 0) * sum(cell in linked for cell, _ in board.plan.exits)


def galactic_invaders(board: PlannedBoard) -> int:
    """-1 an alien that no route lies over."""
    return -sum(cell not in board.cells for cell in having(board.marks, "alien"))


def pluck_man(board: PlannedBoard) -> int:
    """3 a Pluck-Man's network; its ghosts 2 with a fruit, else -2."""
    signs = {cell: board.marks.get(f"{cell}-{SIDE_NAMES[side]}", "") for cell, side in board.plan.exits}
    total = 0
    for network in networks(board.plan, board.cells):
        there = [signs[name] for name in exits_in(network)]
        if "pluck-man" in there:
            total += 3 + there.count("ghost") * (2 if "fruit" in there else -2)
    return total


def rainbow(board: PlannedBoard) -> int:
    """2 a clover beside a rainbow."""
    rainbows = having(board.marks, "rainbow")
    return sum(2 for clover in having(board.marks, "clover") if any(beside(clover, one) for one in rainbows))


def tetromino(board: PlannedBoard) -> int:
    """1 an outlined space that is filled, -1 an empty one."""
    return sum(1 if cell in board.cells else -1 for cell in having(board.marks, "outline"))


def ritual(board: PlannedBoard) -> int:
    """The network with most rituals and gates, as if they were exits."""
    best = 0
    for network in networks(board.plan, board.cells):
        pieces = [name.split() for name in network if not name.startswith("exit ")]
        rituals = {cell for cell, _ in pieces} & set(having(board.marks, "ritual"))
        places = {
            f"{cell}-{SIDE_NAMES[end.upper()]}"
            for cell in {c for c, _ in pieces}
            for end in ends_of(board.cells[cell])
        }
        gates = sum("gate" in board.marks.get(place, "") for place in places)
        if rituals:
            best = max(best, len(rituals) + gates)
    return board.plan.values[min(best, len(board.plan.exits))]


def tentacle(board: PlannedBoard) -> int:
    """2 a tentacle, 1 a space that it shares."""
    found = having(board.marks, "tentacle")
    starts = sum(any(not board.plan.next_to(cell, side) for side in sides) for cell, sides in found.items())
    return 2 * starts + sum(cell in board.cells for cell in found)


def investigation(board: PlannedBoard) -> int:
    """1 a clue found, 4 more for all."""
    clues, found = set(having(board.marks, "clue")), set(having(board.marks, "found"))
    return len(found) + (4 if clues and clues <= found else 0)


def underground(board: PlannedBoard) -> int:
    """The board below: subways are written as highways, pipes as railways."""
    below = having(board.marks, "below")
    hubs = {cell for cell, text in below.items() if "*" in text and "*" in board.cells.get(cell, "")}
    total = sum(cell in below for cell in board.plan.centre)
    for network in networks(board.plan, below):
        pieces = [name.split() for name in network if not name.startswith("exit ")]
        is_subway = pieces[0][1].isupper()
        meeting = {cell for cell, _ in pieces} & hubs if is_subway else set()
        total += board.plan.values[min(len(exits_in(network)) + len(meeting), len(board.plan.exits))]
    links = {True: set[frozenset[str]](), False: set[frozenset[str]]()}
    for one, other in combinations(
        {f"{c} {p}" for c, t in below.items() for p in t.replace("*", "").split("|")}, 2
    ):
        (cell, part), (other_cell, other_part) = one.split(), other.split()
        for end in part:
            back = BACK[end] if end.isupper() else BACK[end.upper()].lower()
            if board.plan.next_to(cell, end.upper()) == other_cell and back in other_part:
                links[end.isupper()].add(frozenset((one, other)))
    for is_subway, times in ((True, 1), (False, 2)):
        some = any(
            part.isupper() == is_subway for t in below.values() for part in t.replace("*", "").split("|")
        )
        total += times * max(longest_trail(links[is_subway]), int(some))
    total -= 2 * sum(
        "*" in board.cells.get(cell, "") and any(end.islower() for end in text)
        for cell, text in below.items()
    )
    for cell, text in below.items():
        for end in ends_of(text):
            there = board.plan.next_to(cell, end.upper())
            back = BACK[end] if end.isupper() else BACK[end.upper()].lower()
            total -= bool(there) and back not in below.get(there, "")
    return total


def underground_alone(board: PlannedBoard) -> int:
    """All its points: those of the board below with nothing above it."""
    below = {cell: f"below:{text}" for cell, text in board.cells.items()}
    return underground(PlannedBoard({}, below, board.plan))


MOST_STEPS = 200_000


def longest_trail(links: set[frozenset[str]]) -> int:
    """Most pieces on a walk that takes no link twice: every walk is tried."""
    near: dict[str, list[str]] = {}
    for link in links:
        one, other = sorted(link)
        near.setdefault(one, []).append(other)
        near.setdefault(other, []).append(one)
    best = steps = 0
    waiting: list[tuple[tuple[str, ...], frozenset[frozenset[str]]]] = [
        ((start,), frozenset()) for start in near
    ]
    while waiting:
        walked, used = waiting.pop()
        best = max(best, len(set(walked)))
        steps += 1
        if steps > MOST_STEPS:
            raise TooManyWalksError
        for there in near[walked[-1]]:
            link = frozenset((walked[-1], there))
            if link not in used:
                waiting.append(((*walked, there), used | {link}))
    return best


class TooManyWalksError(Exception):
    """There are more walks than it is worth trying."""


def nothing(_board: PlannedBoard) -> int:
    """Expansions without points of their own."""
    return 0


COUNTED = {
    "forest": forest, "trail": trail, "desert": desert, "canyon": canyon, "river": river, "lake": lake,
    "lava": lava, "meteor": meteor, "superconnection": nothing, "city-builder": city_builder,
    "alien-farmer": alien_farmer, "weather": weather, "airline": airline, "street-lamps": street_lamps,
    "power-grid": power_grid, "construction": nothing, "renovation": nothing, "separation": nothing,
    "special": nothing, "galactic-invaders": galactic_invaders, "pluck-man": pluck_man, "rainbow": rainbow,
    "tetromino": tetromino, "portal": nothing, "ritual": ritual, "tentacle": tentacle,
    "investigation": investigation, "underground": underground,
    "underground-alone": underground_alone,
}  # fmt: skip
WHOLE = frozenset({"underground-alone"})  # counted with the rest of the board, which is like no other


def second_count(expansion: str) -> Callable[[PlannedBoard], int]:
    """What counts the points of an expansion for the second time; every expansion needs one."""
    if expansion not in COUNTED:
        raise LookupError(f"lab/railroad_ink/slow_stars.py: add {expansion} to COUNTED, from its rules text")
    return COUNTED[expansion]
