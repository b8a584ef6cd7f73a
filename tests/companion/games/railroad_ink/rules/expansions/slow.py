"""The star box counted again, from the texts of a position alone: every rule in the plainest way, slowly."""

from __future__ import annotations

from itertools import combinations, product

NETWORK = [0, 0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 45]
EXITS = {
    ("b1", "N"): "H", ("d1", "N"): "R", ("f1", "N"): "H",
    ("b7", "S"): "H", ("d7", "S"): "R", ("f7", "S"): "H",
    ("g2", "E"): "R", ("g4", "E"): "H", ("g6", "E"): "R",
    ("a2", "W"): "R", ("a4", "W"): "H", ("a6", "W"): "R",
}  # fmt: skip
SIDE_NAMES = {"N": "top", "E": "right", "S": "bottom", "W": "left"}
STEPS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
BACK = {"N": "S", "S": "N", "E": "W", "W": "E"}
EVERY = [f"{letter}{number}" for number in range(1, 8) for letter in "abcdefg"]
CENTRE = {"c3", "d3", "e3", "c4", "d4", "e4", "c5", "d5", "e5"}
Texts = dict[str, str]


def xy(cell: str) -> tuple[int, int]:
    return "abcdefg".index(cell[0]), int(cell[1]) - 1


def at(x: int, y: int) -> str:
    return f"{'abcdefg'[x]}{y + 1}" if 0 <= x < 7 and 0 <= y < 7 else ""


def next_to(cell: str, side: str) -> str:
    (x, y), (dx, dy) = xy(cell), STEPS[side]
    return at(x + dx, y + dy)


def beside(one: str, other: str) -> bool:
    (x, y), (u, v) = xy(one), xy(other)
    return abs(x - u) + abs(y - v) == 1


def having(marks: Texts, *signs: str) -> Texts:
    """Cells with a sign, and what stands behind its colon."""
    found = {}
    for place, text in marks.items():
        for word in text.split():
            sign, _, detail = word.partition(":")
            if sign in signs and place in EVERY:
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
    return merged([{one, *(other for other in cells if beside(one, other))} for one in cells])


def flows(ends: Texts) -> list[set[str]]:
    """Groups of cells whose sides are open to each other."""
    return merged(
        [
            {one, *(o for s in sides if (o := next_to(one, s)) in ends and BACK[s] in ends[o])}
            for one, sides in ends.items()
        ]
    )


def unanswered(ends: Texts) -> list[tuple[str, str]]:
    return [
        (cell, side)
        for cell, sides in ends.items()
        for side in sides
        if next_to(cell, side) and BACK[side] not in ends.get(next_to(cell, side), "")
    ]


def ends_of(text: str) -> str:
    return text.replace("|", "").replace("*", "")


def networks(cells: Texts, joined: list[set[str]] | None = None) -> list[set[str]]:
    """Networks as sets of pieces and exits, each by its name; ``joined`` are pieces that belong together."""
    pieces = {f"{cell} {part}" for cell, text in cells.items() for part in text.replace("*", "").split("|")}
    pairs = [{piece} for piece in pieces] + (joined or [])
    for piece in pieces:
        cell, part = piece.split()
        for end in part:
            side = end.upper()
            kind = "H" if end.isupper() else "R"
            if EXITS.get((cell, side)) == kind:
                pairs.append({piece, f"exit {cell}"})
            for other in pieces:
                other_cell, other_part = other.split()
                back = BACK[side] if end.isupper() else BACK[side].lower()
                if next_to(cell, side) == other_cell and back in other_part:
                    pairs.append({piece, other})
    return merged(pairs)


def exits_in(network: set[str]) -> set[str]:
    return {name[5:] for name in network if name.startswith("exit ")}


# --- one function an expansion: its points ---


def forest(cells: Texts, marks: Texts) -> int:
    sizes = [*sorted((len(area) for area in areas(set(having(marks, "trees")))), reverse=True), 0, 0]
    return 2 * sizes[0] + sizes[1]


def trail(cells: Texts, marks: Texts) -> int:
    corners = {"nw": (0, 0), "ne": (1, 0), "se": (1, 1), "sw": (0, 1)}
    lies_at = {"nw": "NW", "ne": "NE", "se": "SE", "sw": "SW"}
    touched: dict[str, set[str]] = {}
    for cell, way in having(marks, "trail").items():
        sides = {end.upper() for end in ends_of(cells[cell])}
        if len(sides) == 3:
            (blank,) = {"N", "E", "S", "W"} - sides
            names = [name for name, where in lies_at.items() if blank in where]
        elif sides in ({"N", "S"}, {"E", "W"}):
            names = way.split("-")
        else:
            names = [name for name, where in lies_at.items() if set(where) != sides]
        x, y = xy(cell)
        touched[cell] = {f"{x + corners[name][0]}/{y + corners[name][1]}" for name in names}
    points = set().union(*touched.values())
    groups = list(touched.values())
    for cell, text in cells.items():
        if "*" in text:
            x, y = xy(cell)
            groups.append({f"station {cell}", *({f"{x + u}/{y + v}" for u, v in corners.values()} & points)})
    counts = [sum(name.startswith("station") for name in group) for group in merged(groups)]
    return sum(NETWORK[min(count, 12)] // 2 for count in counts if count > 1)


def desert(cells: Texts, marks: Texts) -> int:
    return len(having(marks, "cactus")) + 2 * len(having(marks, "cacti"))


def canyon(cells: Texts, marks: Texts) -> int:
    lines = []
    for place in marks:
        one, other = place.split("-")
        (_, y), (u, v) = xy(one), xy(other)
        lines.append({(u, v), (u, v + 1)} if y == v else {(u, v), (u + 1, v)})

    def inside(point: tuple[int, int]) -> bool:
        return 0 < point[0] < 7 and 0 < point[1] < 7

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


def river(cells: Texts, marks: Texts) -> int:
    ends = having(marks, "river")
    values = []
    for group in flows(ends):
        outside = sum(not next_to(cell, side) for cell in group for side in ends[cell])
        values.append(len(group) + (3 if outside == 2 else 0))
    return max(values, default=0)


def lake(cells: Texts, marks: Texts) -> int:
    return min((len(group) for group in flows(having(marks, "lake"))), default=0)


def lava(cells: Texts, marks: Texts) -> int:
    ends = having(marks, "lava")
    groups = flows(ends)
    is_open = {cell for cell, _ in unanswered(ends)}
    return 5 * sum(not group & is_open for group in groups) + max(map(len, groups), default=0)


def pointing_at(cells: Texts, cell: str) -> int:
    return sum(
        BACK[side] in ends_of(cells[other]).upper()
        for side in STEPS
        if (other := next_to(cell, side)) in cells
    )


def meteor(cells: Texts, marks: Texts) -> int:
    return sum(2 * pointing_at(cells, cell) for cell in having(marks, "crater") if cell not in cells)


def city_builder(cells: Texts, marks: Texts) -> int:
    return sum(int(number) for number in having(marks, "tower").values())


def alien_farmer(cells: Texts, marks: Texts) -> int:
    pairs = product(having(marks, "ufo"), having(marks, "sheep"))
    return sum(2 for ufo, sheep in pairs if ufo[0] == sheep[0] or ufo[1] == sheep[1])


def weather(cells: Texts, marks: Texts) -> int:
    total = 0
    for sign in ("cloud", "storm", "snow"):
        others = [
            cell for other in ("cloud", "storm", "snow") if other != sign for cell in having(marks, other)
        ]
        sizes = [0]
        for area in areas(set(having(marks, sign))):
            near = any(
                max(abs(xy(one)[0] - xy(o)[0]), abs(xy(one)[1] - xy(o)[1])) == 1
                for one in area
                for o in others
            )
            sizes.append(0 if near else len(area))
        total += max(sizes)
    return total


def airline(cells: Texts, marks: Texts) -> int:
    ends, airports = having(marks, "air"), having(marks, "airport")
    total, best = 0, 0
    for group in flows(ends):
        sides = [(cell, side) for cell in group for side in ends[cell]]
        loose = [(c, s) for c, s in sides if BACK[s] not in ends.get(next_to(c, s), "")]
        is_open = [one for one in loose if next_to(*one) and next_to(*one) not in airports]
        total -= 2 * len(is_open)
        if loose and not is_open:
            best = max(best, len(group))
    for airport in airports:
        if not any(BACK[side] in ends.get(next_to(airport, side), "") for side in STEPS):
            total -= 4
    return total + 2 * best


def street_lamps(cells: Texts, marks: Texts) -> int:
    return len(having(marks, "lit"))


def power_grid(cells: Texts, marks: Texts) -> int:
    ((tower, charges),) = having(marks, "accumulator").items()
    linked = {
        cell
        for area in areas(set(having(marks, "power")))
        if any(beside(c, tower) for c in area)
        for cell in area
    }
    return int(charges or 0) * sum(cell in linked for cell, _ in EXITS)


def galactic_invaders(cells: Texts, marks: Texts) -> int:
    return -sum(cell not in cells for cell in having(marks, "alien"))


def pluck_man(cells: Texts, marks: Texts) -> int:
    signs = {cell: marks.get(f"{cell}-{SIDE_NAMES[side]}", "") for cell, side in EXITS}
    total = 0
    for network in networks(cells):
        there = [signs[name] for name in exits_in(network)]
        if "pluck-man" in there:
            total += 3 + there.count("ghost") * (2 if "fruit" in there else -2)
    return total


def rainbow(cells: Texts, marks: Texts) -> int:
    rainbows = having(marks, "rainbow")
    return sum(2 for clover in having(marks, "clover") if any(beside(clover, one) for one in rainbows))


def tetromino(cells: Texts, marks: Texts) -> int:
    return sum(1 if cell in cells else -1 for cell in having(marks, "outline"))


def ritual(cells: Texts, marks: Texts) -> int:
    best = 0
    for network in networks(cells):
        pieces = [name.split() for name in network if not name.startswith("exit ")]
        rituals = {cell for cell, _ in pieces} & set(having(marks, "ritual"))
        places = {
            f"{cell}-{SIDE_NAMES[end.upper()]}"
            for cell in {c for c, _ in pieces}
            for end in ends_of(cells[cell])
        }
        gates = sum("gate" in marks.get(place, "") for place in places)
        if rituals:
            best = max(best, len(rituals) + gates)
    return NETWORK[min(best, 12)]


def tentacle(cells: Texts, marks: Texts) -> int:
    found = having(marks, "tentacle")
    starts = sum(any(not next_to(cell, side) for side in sides) for cell, sides in found.items())
    return 2 * starts + sum(cell in cells for cell in found)


def investigation(cells: Texts, marks: Texts) -> int:
    clues, found = set(having(marks, "clue")), set(having(marks, "found"))
    return len(found) + (4 if clues and clues <= found else 0)


def nothing(cells: Texts, marks: Texts) -> int:
    return 0


COUNTED = {
    "forest": forest, "trail": trail, "desert": desert, "canyon": canyon, "river": river, "lake": lake,
    "lava": lava, "meteor": meteor, "superconnection": nothing, "city-builder": city_builder,
    "alien-farmer": alien_farmer, "weather": weather, "airline": airline, "street-lamps": street_lamps,
    "power-grid": power_grid, "construction": nothing, "renovation": nothing, "separation": nothing,
    "special": nothing, "galactic-invaders": galactic_invaders, "pluck-man": pluck_man, "rainbow": rainbow,
    "tetromino": tetromino, "portal": nothing, "ritual": ritual, "tentacle": tentacle,
    "investigation": investigation,
}  # fmt: skip
