"""``python -m lab.derailed.referee``: a second, slow and obvious referee over whole matches of Derailed!.

It is written from the rules text and knows nothing of the engine but the facts of its matches: it has its
own cards, tracks, hands, columns, turns and points. After every event it compares them with the engine's, and
with them everything that the seat to move may do.
"""

from __future__ import annotations

import argparse
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files
from itertools import product
from random import Random
from typing import Any, NamedTuple

from companion.core.chance import SeededChance
from companion.core.jsontext import JsonObject
from companion.game.base import Fact, MatchRequest, Refusal
from companion.games.derailed.rules.game import Derailed
from companion.games.derailed.rules.state import State
from lab.bench import say_refereed
from lab.derailed.rules_bench import chosen_move, random_options

BOOK: dict[str, Any] = tomllib.loads(
    files("companion.games.derailed.rules").joinpath("rulebook.toml").read_text()
)
GAME = Derailed()
SEED = 90
TURNED = {"T": "B", "B": "T", "L": "R", "R": "L", "U": "U"}
STEP = {"T": (0, -1), "B": (0, 1), "L": (-1, 0), "R": (1, 0)}


class Face(NamedTuple):
    """A card as it lies: what is joined with what, and the dead ends."""

    joined: frozenset[frozenset[str]]
    dead: frozenset[str]

    def on_from(self, port: str) -> set[str]:
        """Where a train may leave that came in by a port: never where it came in."""
        return {end for piece in self.joined if port in piece for end in piece} - {port}


Card = frozenset[Face]  # both ways in which it may lie


def face_of(text: str) -> Face:
    """A face from its notation."""
    parts = text.split("|")
    joined = frozenset(frozenset(part) for part in parts if part.isupper())
    return Face(joined, frozenset(port.upper() for part in parts if part.islower() for port in part))


def half_turned(face: Face) -> Face:
    """The card turned by half; the tunnel stays where it is."""
    joined = frozenset(frozenset(TURNED[port] for port in piece) for piece in face.joined)
    return Face(joined, frozenset(TURNED[port] for port in face.dead))


def card_of(text: str) -> Card:
    """The card that shows a face."""
    return frozenset({face_of(text), half_turned(face_of(text))})


def cards(texts: Iterable[str]) -> Counter[Card]:
    """How many there are of each card."""
    return Counter(map(card_of, texts))


class Lanes:
    """The uppermost cards by lane and row, and where trains can go on them."""

    def __init__(self, count: int, faces: dict[tuple[int, int], Face]) -> None:
        self.count, self.faces = count, faces

    def comes_in(self, place: tuple[int, int], port: str) -> tuple[tuple[int, int], str] | None:
        """Where a train comes in that leaves a card by a port; none at the rim and in a lonely tunnel."""
        if port == "U":
            others = [
                at for at, face in self.faces.items() if at != place and any("U" in p for p in face.joined)
            ]
            return (others[0], "U") if others else None
        there = (place[0] + STEP[port][0], place[1] + STEP[port][1])
        inside = 0 <= there[0] < self.count and 0 <= there[1] < BOOK["rows"]
        return (there, TURNED[port]) if inside else None

    def reached(self, lane: int) -> set[tuple[tuple[int, int], str]]:
        """Every place that a train from a lane's station comes into, and by which port."""
        found: set[tuple[tuple[int, int], str]] = set()
        waiting = [((lane, 0), "T")]
        while waiting:
            here = waiting.pop()
            if here in found:
                continue
            found.add(here)
            place, port = here
            ends = self.faces[place].on_from(port) if place in self.faces else ()
            waiting += [there for end in ends if (there := self.comes_in(place, end)) is not None]
        return found

    def arrives(self, lane: int, destination: int) -> bool:
        """Does a train from a lane's station leave the last card of another lane towards its station?"""
        last = (destination, BOOK["rows"] - 1)
        return last in self.faces and any(
            "B" in self.faces[last].on_from(port) for place, port in self.reached(lane) if place == last
        )

    def may_lay(self, lane: int, place: tuple[int, int], face: Face, dead_ends: str) -> bool:
        """Is a card, once it lies there, joined with the lane's station?"""
        laid = Lanes(self.count, {**self.faces, place: face})
        ports = frozenset().union(*face.joined) | (face.dead if dead_ends == "connect" else frozenset())
        return any(at == place and port in ports for at, port in laid.reached(lane))


class Referee:
    """One match, told by its facts."""

    def __init__(self, setup: JsonObject) -> None:
        self.options, self.count = setup["options"], setup["seats"]
        self.seats = range(1, self.count + 1)
        self.company = dict(zip(self.seats, self.options["companies"], strict=True))
        self.starts, self.destinations = list(setup["starts"]), list(setup["destinations"])
        self._solve_conflicts()
        self.dealt = self.options["deal"] == "box"
        self.deck = list(setup["deck"])
        self.hands: dict[int, list[str]] = {seat: [] for seat in self.seats}
        for _, seat in product(range(BOOK["hand"] if self.dealt else 0), self.seats):
            self.hands[seat].append(self.deck.pop(0))
        self.discards: list[str] = []
        self.piles: dict[tuple[int, int], list[str]] = {}
        self.round, self.turn, self.idle, self.phase = 1, self.options["first"], 0, "place"
        self.points = [dict.fromkeys(self.seats, 0) for _ in range(BOOK["rounds"])]
        self.arrived: list[int] = []
        self.changed: set[int] = set()
        self.wrong: list[str] = []

    def _solve_conflicts(self) -> None:
        """A destination in its own company's lane changes places with the next company's, again and again."""
        alphabet = sorted(self.starts)
        while True:
            lanes = range(self.count)
            bad = [lane for lane in lanes if self.starts[lane] == self.destinations[lane]]
            if not bad:
                return
            company = self.starts[bad[0]]
            other = alphabet[(alphabet.index(company) + 1) % self.count]
            place = self.destinations.index(other)
            self.destinations[bad[0]], self.destinations[place] = other, company

    @property
    def lanes(self) -> Lanes:
        """The railway area: the face on top of every pile."""
        return Lanes(self.count, {place: face_of(pile[-1]) for place, pile in self.piles.items()})

    def ends_of(self, seat: int) -> tuple[int, int]:
        """The lanes of a seat's station and destination."""
        return self.starts.index(self.company[seat]), self.destinations.index(self.company[seat])

    def places(self, seat: int) -> set[tuple[tuple[int, int], Face]]:
        """Everything that a seat could lay, by place and face."""
        lanes, (lane, _) = self.lanes, self.ends_of(seat)
        held = {face for card in self.cards_of(seat) for face in card}
        everywhere = product(range(self.count), range(BOOK["rows"]))
        return {
            (place, face)
            for place, face in product(everywhere, held)
            if lanes.may_lay(lane, place, face, self.options["dead_ends"])
        }

    def cards_of(self, seat: int) -> Counter[Card]:
        """A seat's hand; of people's own cards all that do not lie in the lanes."""
        if self.dealt:
            return cards(self.hands[seat])
        table = BOOK["deck"] | (BOOK["tunnels"] if self.options["tunnels"] else {})
        every: Counter[Card] = Counter()
        for text, copies in table.items():
            every[card_of(text)] += copies
        return every - cards(text for pile in self.piles.values() for text in pile)

    # --- facts ---

    def expect(self, right: bool, what: str) -> None:
        """Note what the rules do not allow."""
        if not right:
            self.wrong.append(what)

    def follow(self, fact: Fact) -> list[str]:
        """Do what a fact says; everything in it that the rules do not allow."""
        self.wrong = []
        between = fact.kind in ("round", "discard")
        self.expect((self.phase == "between") == between, "not at this time")
        self.expect(between or fact.seat == self.turn, "not this seat's turn")
        getattr(self, f"_{fact.kind}")(fact.seat or 0, fact.data)
        return [f"{fact.kind}: {what}" for what in self.wrong]

    def _place(self, seat: int, data: JsonObject) -> None:
        place = (ord(data["cell"][0]) - 97, int(data["cell"][1:]) - 1)
        face, lane = face_of(data["card"]), self.ends_of(seat)[0]
        self.expect(self.phase == "place", "a second card")
        self.expect(self.cards_of(seat)[card_of(data["card"])] > 0, "a card that the hand does not have")
        self.expect(self.lanes.may_lay(lane, place, face, self.options["dead_ends"]), "not joined")
        if self.dealt:
            lies = next(text for text in self.hands[seat] if card_of(text) == card_of(data["card"]))
            self.hands[seat].remove(lies)
        self.piles.setdefault(place, []).append(data["card"])
        self.idle = 0
        self._arrivals(seat)
        the_end = self.round == BOOK["rounds"] and self.enough
        if self.dealt and not the_end:
            self.phase = "take"
        else:
            self._turn_over()

    def _arrivals(self, by: int) -> None:
        """Anybody's path may have been completed; the first of the round get a point more."""
        new = [
            seat
            for seat in self.seats
            if seat not in self.arrived and self.lanes.arrives(*self.ends_of(seat))
        ]
        first = [] if self.arrived else list(new)
        if self.options["first_together"] == "placer" and first:
            clockwise = [(by - 1 + step) % self.count + 1 for step in range(self.count)]
            first = [next(seat for seat in clockwise if seat in new)]
        for seat in new:
            self._score(seat, BOOK["points"]["arrival"] + BOOK["points"]["first"] * (seat in first))
        self.arrived += new

    def _score(self, seat: int, points: int) -> None:
        self.points[self.round - 1][seat] += points

    @property
    def enough(self) -> bool:
        """True if so many companies have arrived that the round ends."""
        return len(self.arrived) >= int(BOOK["arrivals"][str(self.count)])

    def _turn_over(self) -> None:
        while not self.enough and self.idle < self.count:
            self.turn, self.phase = self.turn % self.count + 1, "place"
            if self.turn not in self.arrived:
                return
            self._score(self.turn, BOOK["points"]["turn"])
            self.idle += 1
        self.phase = "over" if self.round == BOOK["rounds"] else "between"

    def _pass(self, seat: int, data: JsonObject) -> None:
        self.expect(self.phase == "place", "the turn is over")
        self.expect(not self.dealt or not self.places(seat), "a card of the hand can be laid")
        self.idle += 1
        self._turn_over()

    def _take(self, seat: int, data: JsonObject) -> None:
        self.expect(self.dealt, "no card to take")
        over = self.phase == "take"
        self._filled(seat, data)
        if over:
            self._turn_over()

    def _filled(self, seat: int, data: JsonObject) -> None:
        lacking = BOOK["hand"] - len(self.hands[seat])
        if "chance" in data:
            self.expect(len(self.deck) < lacking, "shuffled although cards were left")
            self.expect(cards(data["chance"]["deck"]) == cards(self.discards), "not the discards")
            self.deck, self.discards = [*self.deck, *data["chance"]["deck"]], []
        self.expect(len(self.deck) >= lacking or not self.discards, "the discards were not shuffled")
        self.hands[seat] += self.deck[:lacking]
        self.deck = self.deck[lacking:]

    def _discard(self, seat: int, data: JsonObject) -> None:
        allowed = self.dealt and self.options["between_discard"] and seat not in self.changed
        self.expect(allowed and len(data["cards"]) <= BOOK["between_discard"], "no cards are changed")
        for text in data["cards"]:
            self.hands[seat].remove(next(one for one in self.hands[seat] if card_of(one) == card_of(text)))
            self.discards.append(text)
        self.changed.add(seat)
        self._filled(seat, data)

    def _round(self, seat: int, data: JsonObject) -> None:
        """The destinations become the starts, the old starts are shuffled and become the destinations."""
        following, made = self.turn % self.count + 1, self.points[self.round - 1]
        if self.options["next_start"] == "fewest":
            clockwise = [(following - 1 + step) % self.count + 1 for step in range(self.count)]
            following = min(clockwise, key=lambda one: made[one])
        shuffled = list(data["chance"]["destinations"])
        self.expect(sorted(shuffled) == sorted(self.starts), "not the old starting column")
        self.starts, self.destinations = self.destinations, shuffled
        self._solve_conflicts()
        if self.dealt:
            self.discards += [text for pile in self.piles.values() for text in pile]
        self.piles, self.arrived, self.changed = {}, [], set()
        self.round, self.turn, self.idle, self.phase = self.round + 1, following, 0, "place"

    # --- beside the engine ---

    def differences(self, state: State) -> Iterator[str]:
        """Where the engine's state is another one."""
        columns = (self.starts, self.destinations)
        yield from _unequal("columns", columns, (list(state.starts), list(state.destinations)))
        theirs = {f"{chr(97 + lane)}{row + 1}": tuple(pile) for (lane, row), pile in self.piles.items()}
        yield from _unequal("lanes", theirs, dict(state.grid))
        yield from _unequal("phase", (self.round, self.phase), (state.round, state.phase))
        if self.phase in ("place", "take"):
            yield from _unequal("turn", (self.turn, self.idle), (state.turn, state.idle))
        if self.dealt:
            mine = {seat: cards(hand) for seat, hand in self.hands.items()}
            yield from _unequal("hands", mine, {seat: cards(hand) for seat, hand in state.hands.items()})
            yield from _unequal("deck", list(map(card_of, self.deck)), list(map(card_of, state.deck)))
            yield from _unequal("discards", cards(self.discards), cards(state.discards))
        rows = GAME.score(state)
        total = {seat: sum(made[seat] for made in self.points) for seat in self.seats}
        yield from _unequal("points", total, {row["seat"]: row["total"] for row in sorted(rows, key=_seat)})
        places = {seat: 1 + sum(other > points for other in total.values()) for seat, points in total.items()}
        yield from _unequal("places", places, {row["seat"]: row["place"] for row in sorted(rows, key=_seat)})
        if self.phase == "place":
            yield from self._legal_differences(state)

    def _legal_differences(self, state: State) -> Iterator[str]:
        legal = GAME.legal(state, self.turn)
        laying = [one.data for one in legal if one.kind == "place"]
        theirs = {
            ((ord(one["cell"][0]) - 97, int(one["cell"][1:]) - 1), face_of(one["card"])) for one in laying
        }
        mine = self.places(self.turn)
        if mine != theirs:
            only = f"{len(mine - theirs)} only by the rules, {len(theirs - mine)} only by the engine"
            yield f"what may be laid: {only}"
        short = self.dealt and len(self.hands[self.turn]) < BOOK["hand"] and bool(self.deck or self.discards)
        passing = not short and (not self.dealt or not mine)
        yield from _unequal("passing", passing, any(one.kind == "pass" for one in legal))


def _seat(row: JsonObject) -> int:
    return int(row["seat"])


def _unequal(what: str, mine: object, theirs: object) -> list[str]:
    return [] if mine == theirs else [f"{what}: by the rules {mine!r:.200}, in the match {theirs!r:.200}"]


def refereed(seed: int, options: JsonObject | None = None) -> Iterator[tuple[Fact, list[str]]]:
    """A whole match of random legal moves; what differs after every fact, up to the first difference."""
    random = Random(seed)
    chance, seats = SeededChance(random), 2 + seed % 5
    chosen = random_options(random, seats) if options is None else options
    setup = GAME.setup(MatchRequest(seats, "umpire", chosen), chance)
    assert not isinstance(setup, Refusal), setup
    state, referee = GAME.start(setup), Referee(setup)
    assert not list(referee.differences(state)), "they differ before the first card"
    while not GAME.finished(state):
        seat = random.choice(referee.seats) if referee.phase == "between" else referee.turn
        fact = GAME.decide(state, chosen_move(state, GAME.legal(state, seat), random), chance)
        assert not isinstance(fact, Refusal), fact
        state = GAME.apply(state, fact)
        wrong = [*referee.follow(fact), *referee.differences(state)]
        yield fact, wrong
        if wrong:
            return


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the report; 1 if anything differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=10)
    asked = parser.parse_args(arguments)
    events = [event for seed in range(SEED, SEED + asked.matches) for event in refereed(seed)]
    return say_refereed(asked.matches, events)


if __name__ == "__main__":
    raise SystemExit(main())
