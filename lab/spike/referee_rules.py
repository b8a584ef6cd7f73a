"""The rules of SPIKE a second time: slow, obvious, written from the rules text alone.

Nothing of the engine is used. Board and cards are read from their files, every way of laying track and of
paying for it is gone through.
"""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from typing import Any

from companion.core.jsontext import JsonObject
from companion.game.base import Fact

_DATA = files("companion.games.spike.rules")
BOOK: dict[str, Any] = tomllib.loads(_DATA.joinpath("rulebook.toml").read_text())
TIME = "time"


def _lines(name: str, what: str) -> list[JsonObject]:
    """The lines of a shipped file, or of an owner's, which is given as its text."""
    text = name if "{" in name else _DATA.joinpath("data", f"{name}.{what}.jsonl").read_text()
    return [json.loads(line) for line in text.splitlines() if line.strip() and not line.startswith("#")]


def _name(track: JsonObject) -> str:
    """A track's ends; of those that join the same two places all but the first have a number."""
    number = track.get("number", 1)
    return "-".join(track["track"]) + (f":{number}" if number > 1 else "")


class Land:
    """Board and cards, read from their files."""

    def __init__(self, board: str, cards: str) -> None:
        lines = _lines(board, "board")
        self.suits = [line["suit"] for line in lines if "suit" in line and "track" not in line]
        self.supplies = {line["city"]: line["good"] for line in lines if "city" in line}
        tracks = [(_name(line), line) for line in lines if "track" in line]
        self.ends = {name: tuple(line["track"]) for name, line in tracks}
        self.suit = {name: line["suit"] for name, line in tracks}
        self.at: dict[str, list[str]] = {}
        for track, ends in self.ends.items():
            for end in ends:
                self.at.setdefault(end, []).append(track)
        told = _lines(cards, "cards")
        self.contracts = {
            f"{line['contract']}-{line['card']}{line['side']}": line for line in told if "contract" in line
        }
        self.routes = {line["route"]: line["pays"] for line in told if "route" in line}

    def other(self, track: str, end: str) -> str:
        """The end of a track that is not this one."""
        return next(str(one) for one in self.ends[track] if one != end)


class Seat:
    """What lies before a player."""

    def __init__(self) -> None:
        self.money, self.tracks, self.hand = 0, list[str](), Counter[str]()
        self.contracts: dict[str, str | None] = {}  # and where to it was delivered
        self.routes: list[str] = []
        self.at, self.aboard = "", list[str]()
        self.level = {"speed": 0, "power": 0, "cargo": 0}

    def part(self, name: str) -> int:
        """What a part of the train counts."""
        return int(BOOK["parts"][name][self.level[name]])


class Referee:
    """One match in which the box deals, told by its facts."""

    def __init__(self, dealt: JsonObject) -> None:
        self.options = dealt["options"]
        self.land = Land(self.options["board"], self.options["cards"])
        self.order = [(dealt["first"] - 1 + step) % dealt["seats"] + 1 for step in range(dealt["seats"])]
        self.seats = {seat: Seat() for seat in range(1, dealt["seats"] + 1)}
        self.deck: list[str] = list(dealt["rails"])
        self.discards: Counter[str] = Counter()
        advanced = self.options["play"] == "advanced"
        for number, name in enumerate(dealt["contracts"]):
            self.seats[number % dealt["seats"] + 1].contracts[name] = None
        for _ in range(BOOK["hand"]):
            for own in self.seats.values():
                own.hand[self.deck.pop(0)] += 1
        for number, route in enumerate(dealt["routes"][: dealt["seats"] * (1 + advanced)]):
            self.seats[number % dealt["seats"] + 1].routes.append(route)
        self.shown, self.deck = self.deck[: BOOK["shown"]], self.deck[BOOK["shown"] :]
        self.market = [list(column) for column in dealt["market"]]
        self.phases = ["sides", "give", "routes", "place", "play"] if advanced else ["give", "place", "play"]
        self.asked = list(self.order)
        self.turn, self.round, self.times = self.order[0], 1, 0
        self.moved = self.acted = False
        self.drawing, self.last_turns = 0, -1
        self.wrong: list[str] = []

    @property
    def phase(self) -> str:
        """What is done now."""
        return self.phases[0]

    @property
    def own(self) -> Seat:
        """Who is to move."""
        return self.seats[self.turn]

    def expect(self, right: bool, what: str) -> None:
        """Note what the rules do not allow."""
        if not right:
            self.wrong.append(what)

    # --- before the first turn ---

    def follow(self, fact: Fact) -> list[str]:
        """Do what a fact says; everything in it that the rules do not allow."""
        self.wrong = []
        seat = fact.seat or 0
        if self.phase == "play":
            self.expect(seat == self.turn, "not this seat's turn")
        getattr(self, f"_{fact.kind}")(seat, self.seats[seat], fact.data)
        return [f"{fact.kind}: {what}" for what in self.wrong]

    def _asked_done(self, seat: int, phase: str) -> None:
        self.expect(self.phase == phase and seat in self.asked, "not asked for")
        self.asked.remove(seat)
        if not self.asked:
            self._next_phase()

    def _next_phase(self) -> None:
        self.phases.pop(0)
        self.asked = list(self.order)

    def _sides(self, seat: int, own: Seat, data: JsonObject) -> None:
        self.expect(set(data["turned"]) <= set(own.contracts), "somebody else's contract")
        turned = {name: name[:-1] + ("b" if name.endswith("a") else "a") for name in data["turned"]}
        own.contracts = {turned.get(name, name): None for name in own.contracts}
        self._asked_done(seat, "sides")

    def _give(self, seat: int, own: Seat, data: JsonObject) -> None:
        self.expect(self.phase == "give" and seat == self.order[0] and own.hand[data["card"]] > 0, "no gift")
        own.hand[data["card"]] -= 1
        self.seats[self.order[-1]].hand[data["card"]] += 1  # clockwise the last one sits to the right
        self._next_phase()

    def _route(self, seat: int, own: Seat, data: JsonObject) -> None:
        self.expect(data["card"] in own.routes, "not offered")
        own.routes = [data["card"]]
        self._asked_done(seat, "routes")

    def _place(self, seat: int, own: Seat, data: JsonObject) -> None:
        self.expect(seat == self.asked[0] and data["city"] in self.land.supplies, "cannot begin there")
        own.at = data["city"]
        self._asked_done(seat, "place")

    # --- trains ---

    def within(self, own: Seat, steps: int) -> set[str]:
        """Where a train may come within so many spaces, by going every way there is."""
        found: set[str] = set()

        def go(here: str, left: int) -> None:
            if here != own.at:
                found.add(here)
            if left <= 0 or (here in self.land.supplies and here != own.at):
                return
            if here in self.land.supplies:
                for track in self.land.at[here]:
                    if track in own.tracks:
                        go(track, left - 1)
                return
            for end in self.land.ends[here]:
                ahead = [track for track in self.land.at[end] if track in own.tracks and track != here]
                is_city = end in self.land.supplies
                if is_city and end != own.at:
                    go(end, left - 1)
                price = 2 if is_city and self.options["skipped_city"] == "counts" else 1
                for track in ahead if left >= price else ():
                    go(track, left - price)

        go(own.at, steps)
        return found

    def in_city(self, own: Seat) -> bool:
        """Does the train stand in a city?"""
        return own.at in self.land.supplies

    def movements(self, kind: str) -> set[str]:
        """Where a movement of a kind may lead now."""
        own = self.own
        if self.acted or self.in_city(own) != (kind == "motion") or (kind == "move" and self.moved):
            return set()
        return self.within(own, 1 if kind == "boost" else own.part("speed"))

    def _move(self, seat: int, own: Seat, data: JsonObject) -> None:
        self.expect(data["to"] in self.movements("move"), "too far")
        own.at, self.moved = data["to"], True

    def _motion(self, seat: int, own: Seat, data: JsonObject) -> None:
        self.expect(data["to"] in self.movements("motion"), "too far")
        own.at = data["to"]
        self._action_done()

    def _boost(self, seat: int, own: Seat, data: JsonObject) -> None:
        self.expect(data["to"] in self.movements("boost"), "too far")
        own.at = data["to"]
        self._action_done()

    def upgrades(self) -> dict[str, int]:
        """What may be bought now, and for how much."""
        costs = {part: BOOK["upgrade_costs"][level] for part, level in self.own.level.items() if level < 2}
        return {part: cost for part, cost in costs.items() if cost <= self.own.money and not self.acted}

    def _upgrade(self, seat: int, own: Seat, data: JsonObject) -> None:
        self.expect(data["part"] in self.upgrades(), "cannot be bought")
        own.money -= self.upgrades().get(data["part"], 0)
        own.level[data["part"]] += 1
        self._action_done()

    # --- cargo ---

    def good_of(self, contract: str) -> str:
        """What a contract is about."""
        return str(self.land.contracts[contract]["contract"])

    def held(self, own: Seat, good: str) -> str | None:
        """The contract for a good that is not fulfilled yet."""
        names = (name for name, to in own.contracts.items() if to is None and self.good_of(name) == good)
        return next(names, None)

    def cargo(self, kind: str) -> set[str]:
        """What may be loaded, dumped or delivered now."""
        own = self.own
        if not self.in_city(own) or self.drawing:
            return set()
        if kind == "deliver":
            if own.at in own.contracts.values():
                return set()
            return {good for good in own.aboard if own.at in self._pays(own, good)}
        here = self.land.supplies[own.at]
        wanted = self.held(own, here) is not None and here not in own.aboard
        full = len(own.aboard) >= own.part("cargo")
        if kind == "load":
            return {here} if wanted and not full else set()
        return set(own.aboard) if wanted and full else set()

    def _pays(self, own: Seat, good: str) -> Mapping[str, int]:
        contract = self.held(own, good)
        return self.land.contracts[contract]["pays"] if contract is not None else {}

    def _load(self, seat: int, own: Seat, data: JsonObject) -> None:
        self.expect(data["good"] in self.cargo("load"), "not to be had here")
        own.aboard.append(data["good"])

    def _dump(self, seat: int, own: Seat, data: JsonObject) -> None:
        self.expect(data["good"] in self.cargo("dump"), "no need")
        own.aboard.remove(data["good"])

    def _deliver(self, seat: int, own: Seat, data: JsonObject) -> None:
        self.expect(data["good"] in self.cargo("deliver"), "not wanted here")
        own.money += self._pays(own, data["good"]).get(own.at, 0)
        own.contracts[self.held(own, data["good"]) or ""] = own.at
        own.aboard.remove(data["good"])
        if self.acted:
            self._action_done()

    # --- building ---

    def network(self, own: Seat) -> set[str]:
        """What a player's track touches; before the first track where the train is."""
        return {end for track in own.tracks for end in self.land.ends[track]} or {own.at}

    def closed(self, own: Seat) -> set[str]:
        """Where a player cannot lay a piece."""
        shared = self.options["segments"] == "shared"
        others = [] if shared else [track for seat in self.seats.values() for track in seat.tracks]
        return {*own.tracks, *others}

    def builds(self) -> dict[frozenset[str], int]:
        """Every set of tracks that may be built now, with the fewest cards that pay for it."""
        own, found = self.own, dict[frozenset[str], int]()
        mine, closed, pieces = self.network(own), self.closed(own), BOOK["tracks"] - len(own.tracks)

        def lay(here: str, path: list[str], seen: set[str]) -> None:
            for track in self.land.at[here]:
                there = self.land.other(track, here)
                if track in closed or track in path or there in seen or len(path) == pieces:
                    continue
                longer = [*path, track]
                cards = min((sum(one.values()) for one in self.payments(own.hand, longer)), default=None)
                if cards is None:
                    continue
                is_city = there in self.land.supplies
                if is_city and (there not in mine or self.options["rejoin"] == "yes"):
                    found[frozenset(longer)] = cards
                if there not in mine and (not is_city or self.options["reach"] == "several"):
                    lay(there, longer, {*seen, there})

        for place in mine if not self.acted else ():
            lay(place, [], {place})
        return found

    def payments(self, hand: Counter[str], path: Iterable[str]) -> list[Counter[str]]:
        """Every way to pay: cards of the suit, and n equal ones for n - 1 of one other suit."""
        need = Counter(self.land.suit[track] for track in path)
        spare, lacking = hand - need, need - hand
        return [need - lacking + sets for sets in _sets_for(spare, lacking)]

    def new_cities(self, path: Sequence[str]) -> list[str] | None:
        """The cities that a path connects, in their order; none at all if it is no build."""
        mine = self.network(self.own)
        for begin in [end for end in self.land.ends[path[0]] if end in mine]:
            places = [begin]
            for track in path:
                if places[-1] in self.land.ends[track]:
                    places.append(self.land.other(track, places[-1]))
            if len(places) == len(path) + 1 and places[-1] in self.land.supplies:
                return [place for place in places if place in self.land.supplies and place not in mine]
        return None

    def _build(self, seat: int, own: Seat, data: JsonObject) -> None:
        path: list[str] = list(data["path"])
        cards: Counter[str] = Counter(data["cards"])
        cities = self.new_cities(path)
        self.expect(frozenset(path) in self.builds(), "no such build")
        self.expect(cards <= own.hand and cards in self.payments(cards, path), "not paid for")
        for city in cities or ():
            good = self.land.supplies[city]
            column = next(column for column in self.market if good in column)
            own.money += BOOK["prices"][column.index(good)]
            column.remove(good)
            column.append(good)
        own.tracks += path
        own.hand -= cards
        self.discards += cards
        self._action_done()

    # --- cards ---

    def _draw(self, seat: int, own: Seat, data: JsonObject) -> None:
        orders = [list(order) for order in data.get("chance", {}).get("decks", [])]
        self.expect(bool(self.drawing) or not self.acted, "a second action")
        self._round_over(orders)
        self.drawing, self.acted = (self.drawing or own.part("power")) - 1, True
        if data["from"] == "deck":
            card = self._turned_over()
        else:
            self.shown.remove(data["from"])
            card = data["from"]
        if card is not None:
            own.hand[card] += 1
        self._round_over(orders)
        if not self.drawing or not self.can_draw:
            self._row(orders)
        self._drawn(orders)

    def _stop(self, seat: int, own: Seat, data: JsonObject) -> None:
        orders = [list(order) for order in data.get("chance", {}).get("decks", [])]
        self.expect(self.drawing > 0, "not drawing")
        self._row(orders)
        self._drawn(orders)

    def _drawn(self, orders: list[list[str]]) -> None:
        self.expect(not orders, "shuffled too often")
        if self.times == BOOK["time_cards"]:
            self.phases, self.drawing = ["over"], 0
        elif not self.drawing:
            self._action_done()

    @property
    def can_draw(self) -> bool:
        """Is there a card, or will there be one after a shuffle?"""
        return bool(self.shown or self.deck or (self.discards.total() and self.round < BOOK["rounds"]))

    def _turned_over(self) -> str | None:
        """The next rail card of the deck; time cards on the way go to the board, the third ends the match."""
        while self.times < BOOK["time_cards"]:
            card = self.deck.pop(0)
            if card != TIME:
                return card
            self.times += 1
        return None

    def _row(self, orders: list[list[str]]) -> None:
        self.drawing = 0
        while len(self.shown) < BOOK["shown"] and self.deck and self.times < BOOK["time_cards"]:
            card = self.deck.pop(0)
            if card == TIME:
                self.times += 1
            else:
                self.shown.append(card)
            self._round_over(orders)

    def _round_over(self, orders: list[list[str]]) -> None:
        """The deck is exhausted: row and discards are shuffled, and before the last round the time cards."""
        if self.deck or self.round == BOOK["rounds"] or not (self.shown or self.discards.total()):
            return
        left = Counter(self.shown) + self.discards
        self.round += 1
        order = orders.pop(0)
        last = self.round == BOOK["rounds"]
        self.expect(Counter(order) == left + Counter({TIME: BOOK["time_cards"] * last}), "not these cards")
        upper = min(left.total(), BOOK["shown"]) + max(0, left.total() - BOOK["shown"]) // 2
        self.expect(TIME not in order[:upper], "a time card in the upper half")
        cut = next(
            (number for number, card in enumerate(order[: BOOK["shown"]]) if card == TIME), BOOK["shown"]
        )
        self.shown, self.deck, self.discards = order[:cut], order[cut:], Counter()
        self._round_over(orders)

    # --- turns ---

    def _action_done(self) -> None:
        self.acted = True
        if not self.cargo("deliver"):
            self._turn_over()

    def _finish(self, seat: int, own: Seat, data: JsonObject) -> None:
        self.expect(self.acted and not self.drawing, "no action yet")
        self._turn_over()

    def _pass(self, seat: int, own: Seat, data: JsonObject) -> None:
        self.expect(not self.acted and not self.something_to_do, "there is something to be done")
        self._turn_over()

    @property
    def something_to_do(self) -> bool:
        """Is any of the five actions possible?"""
        moving = self.movements("motion") or self.movements("boost")
        return bool(self.can_draw or moving or self.upgrades() or self.builds())

    def _turn_over(self) -> None:
        """All track placed and nothing to deliver any more: everybody else has one more turn."""
        if self.last_turns >= 0:
            self.last_turns -= 1
        elif len(self.own.tracks) == BOOK["tracks"] and not self._may_still_deliver(self.own):
            self.last_turns = len(self.seats) - 1
        self.moved = self.acted = False
        self.drawing = 0
        if self.last_turns == 0:
            self.phases = ["over"]
        else:
            self.turn = self.turn % len(self.seats) + 1

    def _may_still_deliver(self, own: Seat) -> bool:
        mine = self.network(own)
        for contract in [name for name, to in own.contracts.items() if to is None]:
            good = self.good_of(contract)
            fetched = good in own.aboard or any(self.land.supplies.get(place) == good for place in mine)
            open_to = set(self.land.contracts[contract]["pays"]) & mine - set(own.contracts.values())
            if fetched and open_to:
                return True
        return False


def _sets_for(spare: Counter[str], lacking: Counter[str]) -> list[Counter[str]]:
    """Every choice of wild sets that stands for the missing cards."""
    wanted = next((suit for suit in sorted(lacking) if lacking[suit] > 0), None)
    if wanted is None:
        return [Counter()]
    found = []
    for suit in sorted(spare):
        for count in range(1, min(lacking[wanted], spare[suit] - 1) + 1):
            rest = lacking - Counter({wanted: count})
            for others in _sets_for(spare - Counter({suit: count + 1}), rest):
                found.append(others + Counter({suit: count + 1}))
    return found
