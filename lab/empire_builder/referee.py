"""``python -m lab.empire_builder.referee``: a second, slow and obvious referee over whole matches.

It is written from the rules text and knows nothing of the engine but the facts of its matches: it reads map,
cards, events and numbers itself, works every event out anew and compares money, track, trains, loads, cards,
events in force and whose turn it is after each of them. What the facts claim (prices, fees, payouts, cards
drawn) it checks.
"""

from __future__ import annotations

import argparse
import json
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from itertools import pairwise
from typing import Any

from companion.game.base import Fact
from companion.games.empire_builder.rules.match.state import State
from lab.bench import say
from lab.empire_builder.rules_bench import played

_DATA = files("companion.games.empire_builder.rules")
SEED = 1830


def _json(name: str) -> Any:
    return json.loads(_DATA.joinpath("data", name).read_text())


def _spot(name: str) -> tuple[int, int]:
    """Column and half row of a milepost."""
    letters = name.rstrip("0123456789")
    column = 0
    for letter in letters:
        column = column * 26 + ord(letter) - 96
    return column - 1, int(name[len(letters) :])


def _apart(one: str, other: str) -> int:
    """Mileposts between two places, whatever lies there."""
    (c1, r1), (c2, r2) = _spot(one), _spot(other)
    across, down = abs(c1 - c2), abs(r1 - r2)
    return across + max(0, (down - across) // 2)


class Land:
    """The map, read from its file."""

    def __init__(self) -> None:
        raw = _json("north_america.json")
        self.terrain = {name: terrain for name, terrain, _ in raw["mileposts"]}
        self.country = {name: country for name, _, country in raw["mileposts"]}
        self.size: dict[str, str] = {}
        self.loads: dict[str, list[str]] = {}
        self.mileposts: dict[str, list[str]] = {}
        self.city: dict[str, str] = {}
        for city in raw["cities"]:
            name = city["name"]
            around = [at for at in self.terrain if _apart(at, city["at"]) <= (city["size"] == "major")]
            self.size[name], self.loads[name] = city["size"], city.get("loads", [])
            self.mileposts[name] = [city["at"], *(at for at in around if at != city["at"])]
            self.city |= dict.fromkeys(self.mileposts[name], name)
        closed = {frozenset(name.split("-")) for name in raw["closed"]}
        self.edges: set[frozenset[str]] = set()
        by_spot = {_spot(name): name for name in self.terrain}
        for (column, row), name in by_spot.items():
            for step in ((0, 2), (1, 1), (1, -1)):
                other = by_spot.get((column + step[0], row + step[1]))
                if other is not None and frozenset((name, other)) not in closed:
                    self.edges.add(frozenset((name, other)))
        self.rivers = {
            river["name"]: {frozenset(edge.split("-")) for edge in river["edges"]} for river in raw["rivers"]
        }
        channels = {frozenset(one["edge"].split("-")) for one in raw["channels"]}
        self.water = channels.union(*self.rivers.values())
        self.coasts = {coast["sea"]: coast["mileposts"] for coast in raw["coasts"]}

    def is_major(self, at: str) -> bool:
        """Does a milepost belong to a major city?"""
        return self.size.get(self.city.get(at, "")) == "major"

    def is_red(self, edge: frozenset[str]) -> bool:
        """Does an edge lie inside a major city?"""
        one, other = edge
        return self.is_major(one) and self.city[one] == self.city.get(other)

    def near(self, places: Iterable[str], radius: int) -> set[str]:
        """Everything at most so many mileposts from one of these places."""
        wanted = list(places)
        return {at for at in self.terrain if any(_apart(at, one) <= radius for one in wanted)}

    def border(self, country: str) -> set[str]:
        """The mileposts with a neighbour on the other side of a country's border."""
        found: set[str] = set()
        for edge in self.edges:
            one, other = edge
            sides = {self.country[one], self.country[other]}
            if country in sides and len(sides) == 2:
                found |= edge
        return found


@dataclass
class Seat:
    """What lies before a player."""

    cash: int
    hand: list[str]
    kind: str = "freight"
    at: str | None = None
    came: str | None = None
    loads: list[str] = field(default_factory=list)
    lost: int = 0


class Referee:
    """One match, told by its facts."""

    def __init__(self, start: State) -> None:
        self.land = Land()
        self.book = tomllib.loads(_DATA.joinpath("rulebook.toml").read_text())
        events = tomllib.loads(_DATA.joinpath("events.toml").read_text())["events"]
        self.events = {event["card"]: event for event in events}
        self.demands = {card["card"]: card["demands"] for card in _json("demand_cards.json")["cards"]}
        self.order, self.deck, self.discards = list(start.order), list(start.deck), list[str]()
        self.seats = {
            seat: Seat(self.book["money"]["start"], list(player.hand))
            for seat, player in start.players.items()
        }
        self.track: dict[frozenset[str], int] = {}
        self.force: list[tuple[str, int, int]] = []
        self.losing: dict[int, int] = {}
        self.round, self.place, self.goal = 1, 0, self.book["money"]["win"]
        self.qualified: list[int] = []
        self.winner: int | None = None
        self.wrong: list[str] = []
        self.areas: dict[str, set[str]] = {}
        self._begin()

    def _begin(self) -> None:
        self.spent = self.outs = self.moved = 0
        self.slowed = self.upgraded = self.stopped = False
        self.built = self.round <= self.book["building"]["building_turns"]
        self.paid: set[int] = set()

    @property
    def mover(self) -> int:
        """Whose turn it is: the second round goes backwards."""
        return (self.order[::-1] if self.round == 2 else self.order)[self.place]

    def expect(self, right: bool, what: str) -> None:
        """Note what the rules do not allow."""
        if not right:
            self.wrong.append(what)

    # --- events in force ---

    def area(self, card: str) -> set[str]:
        """Where an event is felt."""
        if card not in self.areas:
            self.areas[card] = self._area(self.events[card])
        return self.areas[card]

    def _area(self, event: dict[str, Any]) -> set[str]:
        land = self.land
        match event["kind"]:
            case "snow" | "fog":
                return land.near([land.mileposts[event["city"]][0]], event["radius"])
            case "gale":
                return land.near(land.coasts[event["sea"]], event["radius"])
            case "derailment":
                return land.near(
                    [at for city in event["cities"] for at in land.mileposts[city]], event["radius"]
                )
            case "strike" if event["where"] == "coast":
                return land.near({at for coast in land.coasts.values() for at in coast}, event["radius"])
            case "strike":
                return land.near(land.border(event["where"]), event["radius"])
        return set()

    def active(self, *kinds: str) -> Iterator[str]:
        """The cards of these kinds that are in force."""
        return (card for card, _, _ in self.force if self.events[card]["kind"] in kinds)

    def felt(self, at: str, *kinds: str) -> bool:
        """Is a milepost under such an event? Snow closes mountains only."""
        return any(at in self.area(card) for card in self.active(*kinds))

    def flooded(self, edge: frozenset[str]) -> bool:
        """Does a river in flood run under an edge?"""
        return any(edge in self.land.rivers[self.events[card]["river"]] for card in self.active("flood"))

    def snowed_up(self, at: str) -> bool:
        """A mountain in the snow."""
        return self.terrain(at) == "mountain" and self.felt(at, "snow")

    def terrain(self, at: str) -> str:
        """What a milepost is to a builder."""
        return str(self.land.size.get(self.land.city.get(at, ""), self.land.terrain[at]))

    # --- facts ---

    def follow(self, fact: Fact) -> list[str]:
        """Do what a fact says; everything in it that the rules do not allow."""
        self.wrong = []
        seat, data = fact.seat or 0, fact.data
        self.expect(fact.kind == "lose" or (seat == self.mover and not self.losing), "not this seat's turn")
        self.expect(not self.stopped or fact.kind in ("done", "lose"), "a derailed train does something")
        getattr(self, f"_{fact.kind}")(seat, self.seats[seat], data)
        return [f"{fact.kind}: {what}" for what in self.wrong]

    def _place(self, seat: int, own: Seat, data: Any) -> None:
        at = data["at"]
        mine = {end for edge, owner in self.track.items() if owner == seat for end in edge}
        reached = [one for one in self.land.mileposts.get(self.land.city.get(at, ""), []) if one in mine]
        self.expect(own.at is None and bool(reached) and not self.built, "a train cannot begin there")
        own.at = at

    def _move(self, seat: int, own: Seat, data: Any) -> None:
        self.expect(not self.built, "trains run before building")
        speed = self.book["trains"][own.kind]["speed"]
        fees = set()
        for there in data["path"]:
            here = own.at or ""
            edge = frozenset((here, there))
            owner = self.track.get(edge)
            self.expect(edge in self.land.edges and (owner is not None or self.land.is_red(edge)), "no track")
            self.expect(here in self.land.city or there != own.came, "turned round outside a city")
            self.expect(not self.snowed_up(here) and not self.snowed_up(there), "through closed mountains")
            self.slowed |= any(self.felt(at, "snow", "fog", "gale") for at in edge)
            self.moved += 1
            self.expect(self.moved <= ((speed + 1) // 2 if self.slowed else speed), "ran too far")
            if owner not in (None, seat) and owner not in self.paid:
                fees.add(owner)
            own.at, own.came = there, here
        self.expect({int(one) for one in data["fees"]} == fees, f"fees are due to {sorted(map(str, fees))}")
        for owner in fees:
            self.paid.add(owner or 0)
            own.cash -= self.book["money"]["fee"]
            self.seats[owner or 0].cash += self.book["money"]["fee"]
        self.expect(own.cash >= 0, "a fee that could not be paid")

    def _station(self, own: Seat, *, strikes: bool) -> str:
        at = own.at or ""
        self.expect(at in self.land.city and not self.built, "no city to load in")
        self.expect(not strikes or not self.felt(at, "strike"), "a city on strike")
        return self.land.city.get(at, "")

    def _pickup(self, seat: int, own: Seat, data: Any) -> None:
        city = self._station(own, strikes=True)
        under_way = Counter(load for other in self.seats.values() for load in other.loads)
        self.expect(data["load"] in self.land.loads[city], "not supplied there")
        self.expect(under_way[data["load"]] < self.book["chips"][data["load"]], "no chip left")
        own.loads.append(data["load"])
        self.expect(len(own.loads) <= self.book["trains"][own.kind]["loads"], "the train is full")

    def _drop(self, seat: int, own: Seat, data: Any) -> None:
        self._station(own, strikes=False)
        own.loads.remove(data["load"])

    def _lose(self, seat: int, own: Seat, data: Any) -> None:
        self.expect(seat in self.losing, "nothing to lose")
        own.loads.remove(data["load"])
        self.losing[seat] -= 1
        if not self.losing[seat]:
            del self.losing[seat]

    def _deliver(self, seat: int, own: Seat, data: Any) -> None:
        city, card = self._station(own, strikes=True), data["card"]
        asked = [pays for where, load, pays in self.demands[card] if (where, load) == (city, data["load"])]
        self.expect(card in own.hand and asked == [data["payout"]], "no such demand")
        own.loads.remove(data["load"])
        own.cash += data["payout"]
        own.hand.remove(card)
        self.discards.append(card)
        if "chance" in data:
            self.expect(sorted(data["chance"]["deck"]) == sorted(self.discards), "not the discards")
            self.expect(all(one in self.events for one in self.deck), "shuffled although cards were left")
            self.deck, self.discards = [*self.deck, *data["chance"]["deck"]], []
        drew: list[str] = []
        while not drew or drew[-1] in self.events:
            drew.append(self.deck.pop(0))
            self._drawn(seat, drew[-1])
        self.expect(drew == list(data["drew"]), f"the deck gives {drew}")

    def _build(self, seat: int, own: Seat, data: Any) -> None:
        book, price = self.book["building"], 0
        for here, there in pairwise(data["path"]):
            edge = frozenset((here, there))
            self.expect(edge in self.land.edges, "no edge")
            if self.land.is_red(edge) or self.track.get(edge) == seat:
                continue
            mine = {end for one, owner in self.track.items() if owner == seat for end in one}
            self.expect(self.land.is_major(here) or here in mine, "joined to nothing")
            self.expect(edge not in self.track, "somebody else's")
            self.expect(not self.flooded(edge), "over a flood")
            closed = any(self.felt(at, "fog", "gale") or self.snowed_up(at) for at in edge)
            self.expect(not closed, "in bad weather")
            self.outs += self.land.is_major(here)
            price += book[self.terrain(there)] + (book["river"] if edge in self.land.water else 0)
            self.track[edge] = seat
            most = self.book["builders"].get(self.terrain(there), 9)
            there_too = {owner for one, owner in self.track.items() if there in one}
            self.expect(len(there_too) <= most, "the city is full")
        self.expect(price == data["price"], f"costs {price}")
        self.spent += price
        own.cash -= price
        self.built = True
        self.expect(self.spent <= book["a_turn"] and self.outs <= book["out_of_majors"], "too much in a turn")
        self.expect(own.cash >= 0 and not self.upgraded, "no credit, and no track beside a new train")

    def _upgrade(self, seat: int, own: Seat, data: Any) -> None:
        price = self.book["trains"][own.kind].get("upgrades", {}).get(data["to"])
        self.expect(price == data["price"] and not self.spent and not self.upgraded, "no such upgrade now")
        own.kind, own.cash, self.upgraded, self.built = data["to"], own.cash - (price or 0), True, True
        self.expect(own.cash >= 0, "no credit")

    # --- event cards ---

    def _drawn(self, seat: int, card: str) -> None:
        if card not in self.events:
            self.seats[seat].hand.append(card)
            return
        event = self.events[card]
        if event["kind"] in ("tax", "derailment"):
            self.discards.append(card)
        else:
            self.force.append((card, seat, self.round + 1))
        match event["kind"]:
            case "flood":
                river = self.land.rivers[event["river"]]
                self.track = {edge: owner for edge, owner in self.track.items() if edge not in river}
            case "tax":
                for own in self.seats.values():
                    own.cash -= max((tax for least, tax in event["brackets"] if own.cash >= least), default=0)
            case "derailment":
                for other, own in self.seats.items():
                    if own.at in self.area(card):
                        self._derail(other, own)
                        self.stopped |= other == seat

    def _derail(self, seat: int, own: Seat) -> None:
        """A load and a turn; with different loads their owner chooses."""
        own.lost += 1
        due = self.losing.pop(seat, 0) + 1
        if due >= len(own.loads) or len(set(own.loads)) == 1:
            del own.loads[:due]
        else:
            self.losing[seat] = due

    # --- turns and the end ---

    def _done(self, seat: int, own: Seat, data: Any) -> None:
        self._turn_over()
        while self.winner is None and self.seats[self.mover].lost:
            self.seats[self.mover].lost -= 1
            self._turn_over()

    def _turn_over(self) -> None:
        seat = self.mover
        rich = self.seats[seat].cash >= self.goal
        if rich and self.joined(seat) >= self.book["match"]["majors_to_win"] and seat not in self.qualified:
            self.qualified.append(seat)
        over = [one for one in self.force if one[1] == seat and self.round >= one[2]]
        self.force = [one for one in self.force if one not in over]
        self.discards += [card for card, _, _ in over]
        self.place += 1
        if self.place == len(self.order):
            self._judge()
            self.place, self.round = 0, self.round + 1
        self._begin()

    def _judge(self) -> None:
        if not self.qualified:
            return
        most = max(self.seats[seat].cash for seat in self.qualified)
        best = [seat for seat in self.qualified if self.seats[seat].cash == most]
        if len(best) == 1:
            (self.winner,) = best
        else:
            self.qualified, self.goal = [], self.book["money"]["win_after_tie"]

    def joined(self, seat: int) -> int:
        """The most major cities that one piece of a seat's track connects."""
        ways: dict[str, set[str]] = {}
        for edge in (edge for edge, owner in self.track.items() if owner == seat):
            one, other = (self.land.city[at] if self.land.is_major(at) else at for at in edge)
            ways.setdefault(one, set()).add(other)
            ways.setdefault(other, set()).add(one)
        best, left = 0, set(ways)
        while left:
            group, waiting = set(), [next(iter(left))]
            while waiting:
                here = waiting.pop()
                if here not in group:
                    group.add(here)
                    waiting += ways[here]
            left -= group
            best = max(best, sum(self.land.size.get(place) == "major" for place in group))
        return best

    # --- beside the engine ---

    def differences(self, state: State) -> Iterator[str]:
        """Where the engine's state is another one."""
        names = state.board.names
        laid = {
            frozenset(names[end] for end in state.board.edges[edge]): seat
            for edge, seat in state.track.items()
        }
        yield from _unequal("track", self.track, laid)
        for seat, own in self.seats.items():
            player, train = state.players[seat], state.players[seat].train
            at, came = (None if one is None else names[one] for one in (train.at, train.came))
            yield from _unequal(f"cash of seat {seat}", own.cash, player.cash)
            yield from _unequal(f"hand of seat {seat}", sorted(own.hand), sorted(player.hand))
            yield from _unequal(f"loads of seat {seat}", sorted(own.loads), sorted(train.loads))
            mine, theirs = (own.kind, own.at, own.came, own.lost), (train.kind, at, came, player.lost_turns)
            yield from _unequal(f"train of seat {seat}", mine, theirs)
        yield from _unequal("deck", self.deck, list(state.deck))
        yield from _unequal("discards", sorted(self.discards), sorted(state.discards))
        in_force = [(one.card, one.seat, one.round) for one in state.in_force]
        yield from _unequal("events in force", self.force, in_force)
        yield from _unequal("loads to lose", self.losing, dict(state.losing))
        yield from _unequal("winner", self.winner, state.winner)
        if self.winner is None:
            turn = (state.round, state.seat, state.goal)
            yield from _unequal("whose turn it is", (self.round, self.mover, self.goal), turn)
            spent = (state.turn.spent, state.turn.moved, state.turn.out_of_majors)
            yield from _unequal("what the turn has used", (self.spent, self.moved, self.outs), spent)


def _unequal(what: str, mine: object, theirs: object) -> list[str]:
    return [] if mine == theirs else [f"{what}: by the rules {mine!r:.200}, in the match {theirs!r:.200}"]


def refereed(seats: int, seed: int, odd: int, rounds: int) -> Iterator[tuple[Fact, list[str]]]:
    """A match event by event, each with what is wrong about it."""
    referee: Referee | None = None
    for before, fact, after in played(seats, seed, odd):
        referee = referee or Referee(before)
        yield fact, [*referee.follow(fact), *referee.differences(after)]
        if after.round > rounds:
            return


def main(arguments: Sequence[str] | None = None) -> int:
    """Referee so many matches; 1 if anything differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=5, help="matches of 2 to 6 players")
    parser.add_argument("--rounds", type=int, default=150, help="after so many rounds a match is left")
    parser.add_argument("--seed", type=int, default=SEED)
    options = parser.parse_args(arguments)
    kinds: Counter[str] = Counter()
    faults = 0
    for number in range(options.matches):
        odd = (0, 25, 8)[number % 3]  # now and then anything that is legal instead of what was planned
        for fact, wrong in refereed(2 + number % 5, options.seed + number, odd, options.rounds):
            kinds[fact.kind] += 1
            kinds["event cards"] += sum(card.startswith("event-") for card in fact.data.get("drew", ()))
            for what in wrong:
                say(f"match {options.seed + number}: {what}")
            if wrong:
                faults += 1
                break
    seen = ", ".join(f"{kind} {count:,}" for kind, count in sorted(kinds.items()))
    say(f"{options.matches} matches refereed, {faults} differ ({seen})")
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
