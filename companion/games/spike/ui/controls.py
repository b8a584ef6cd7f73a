"""What a player of SPIKE may do on a phone: every legal action by what a person wants to do.

The template writes the lists; ``plan`` is what the script lights on the map. What a tap would cost and what
would follow is said before anything is sent; all of it comes from the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.core.jsontext import JsonObject, builtins_of
from companion.core.messages import joined, m, nm, sentence
from companion.game.base import Action
from companion.games.spike.rules.boards.cards import Contract
from companion.games.spike.rules.match.dealing import dealt_so_far
from companion.games.spike.rules.match.opening_actions import legal_before
from companion.games.spike.rules.match.state import Player, State, right_of
from companion.games.spike.rules.match.turn import LEGAL
from companion.games.spike.rules.match.view import open_view
from companion.games.spike.rules.moves.market import price
from companion.games.spike.rules.moves.offers import CityOffers, Offer, city_offers
from companion.games.spike.rules.moves.payment import Counts
from companion.games.spike.rules.moves.rail_cards import DECK
from companion.games.spike.rules.moves.trains import contract_of, has_room, price_of, reachable
from companion.games.spike.rules.rulebook import BOOK, PARTS
from companion.games.spike.rules.words import PART_WORDS, good_words, suit_words
from companion.games.spike.ui import art, seats
from companion.games.spike.ui.words import on_board
from web.ui.parts import Controls
from web.ui.speaking import Markup

TEMPLATE = "spike/play.html"
_NO_PICTURE = Markup("")


@dataclass(frozen=True)
class Choice:
    """A button: what it sends, what it says, perhaps a picture; ``after`` is what follows from it."""

    kind: str
    data: JsonObject
    words: str
    picture: Markup = _NO_PICTURE
    after: str = ""
    open: bool = True


@dataclass(frozen=True)
class Task:
    """Something one can set about: its lists and its places on the map are shown alone."""

    name: str
    title: str
    says: str
    choices: list[Choice] = field(default_factory=list)
    cities: list[CityOffers] = field(default_factory=list)


@dataclass(frozen=True)
class CardCount:
    """Cards of one suit in the hand."""

    suit: str
    words: str
    count: int
    picture: Markup


def controls(state: State, seat: int) -> Controls:
    """What the template of the controls shows to this seat."""
    view = open_view(state)
    tasks = _tasks(state, seat)
    train = view["seats"][str(seat)]["train"]
    told = {
        "mode": state.mode,
        "phase": state.phase,
        "mine": state.turn == seat and state.phase == "play",
        "waited_for": seat in state.waiting,
        "by_box": state.by_box,
        "hand": _hand(dealt_so_far(state), seat),
        "held": view["seats"][str(seat)]["cards"],
        "train": (seats.train_strip(view, train) if train else Markup("")),
        "market": seats.market(view) if view["market"] else Markup(""),
        "now": _now(state, seat),
        "tasks": tasks,
        "plan": _plan(state, seat, tasks),
        "preparing": _preparing(state, seat, view),
        "report": _report(state, seat),
        "pictures": {suit["suit"]: art.rail_card(suit) for suit in view["map"]["suits"]},
    }
    return Controls(TEMPLATE, told)


def _hand(state: State, seat: int) -> list[CardCount]:
    hand = state.players[seat].hand
    suits = state.options.on.suits
    return [
        CardCount(name, suit_words(name), count, art.rail_card(builtins_of(suits[name])))
        for name, count in zip(suits, hand, strict=bool(hand))
        if count
    ]


# --- in a turn ---

_TASKS = ("move", "build", "draw", "motion", "boost", "upgrade")
_NOW = ("deliver", "load", "dump", "stop", "finish", "pass", "time")


def _tasks(state: State, seat: int) -> list[Task]:
    if state.mode == "scorekeeper":
        return []
    if state.phase == "place" and state.turn == seat:
        return [_placing(state, seat)]
    if state.phase != "play" or state.turn != seat:
        return []
    return [task for name in _TASKS if (task := _MAKERS[name](state)) is not None]


def _moving(name: str, title: str, says: str) -> Any:
    def made(state: State) -> Task | None:
        actions = LEGAL[name](state)
        steps = 1 if name == "boost" else _speed(state)
        spaces = reachable(state.options, state.player, steps)
        choices = [_going(state, action, spaces) for action in actions]
        return Task(name, title, says, choices) if choices else None

    return made


def _speed(state: State) -> int:
    return state.player.train.speed if state.player.train else 0


def _going(state: State, action: Action, spaces: Mapping[str, int]) -> Choice:
    to = action.data["to"]
    place = sentence(on_board(state.options.on, to))
    words = joined(", ", [place, nm("{n} space", "{n} spaces", spaces[to])])
    return Choice(action.kind, dict(action.data), words, after=_arrival(state, to))


def _arrival(state: State, place: str) -> str:
    """What could be done there."""
    board = state.options.on
    if place not in board.cities:
        return m("the train stays in motion")
    told = [*_deliveries(state, place), *_loading(state, place)]
    return joined("; ", told) or m("nothing to deliver or load there")


def _deliveries(state: State, city: str) -> list[str]:
    player = state.player
    if city in player.delivered_to or player.train is None:
        return []
    paid = [(good, price_of(state, player, good, city)) for good in player.train.aboard]
    return [
        m("deliver {good} for ${dollars}", good=_good(state, good), dollars=dollars)
        for good, dollars in paid
        if dollars is not None
    ]


def _loading(state: State, city: str) -> list[str]:
    player, good = state.player, state.options.on.cities[city].good
    held = contract_of(state, player, good)
    if held is None or held.delivered or player.train is None or good in player.train.aboard:
        return []
    if has_room(player.train):
        return [m("load {good}", good=_good(state, good))]
    return [m("load {good}, after dumping something", good=_good(state, good))]


def _good(state: State, name: str) -> str:
    return good_words(state.options.on.goods[name].name.lower())


def _building(state: State) -> Task | None:
    if state.acted:
        return None
    cities = list(city_offers(state))
    if not cities:
        return None
    says = m("Tap a lit city. $3·4 means: the market pays $3, at least 4 cards are needed.")
    return Task("build", m("Build"), says, cities=cities)


def _drawing(state: State) -> Task | None:
    actions = LEGAL["draw"](state)
    if not actions:
        return None
    left = state.drawing or (state.player.train.power if state.player.train else 0)
    if state.drawing:
        cards = nm("{n} more card", "{n} more cards", left)
    else:
        cards = nm("{n} card", "{n} cards", left)
    says = m("{cards} to draw. A drawn card stays drawn.", cards=cards)
    return Task("draw", m("Draw cards"), says, [_draw_choice(state, action) for action in actions])


def _draw_choice(state: State, action: Action) -> Choice:
    if "count" in action.data:
        words = nm("I drew {n} card", "I drew {n} cards", action.data["count"])
        return Choice("draw", dict(action.data), words)
    where = action.data["from"]
    if where == DECK:
        return Choice("draw", dict(action.data), m("From the deck ({cards})", cards=len(state.deck)))
    suit = builtins_of(state.options.on.suits[where])
    shown = state.shown.count(where)
    return Choice(
        "draw",
        dict(action.data),
        nm("{suit} ({n} lies there)", "{suit} ({n} lie there)", shown, suit=suit_words(where)),
        art.rail_card(suit),
    )


def _upgrading(state: State) -> Task | None:
    train = state.player.train
    if state.acted or train is None:
        return None
    legal = {action.data["part"] for action in LEGAL["upgrade"](state)}
    choices = []
    for part in PARTS:
        cost = BOOK.upgrade_cost(train.level(part))
        if cost is not None:
            now = getattr(train, part)
            words = m(
                "{part}: {now} → {better} for ${cost}",
                part=sentence(PART_WORDS[part]),
                now=now,
                better=BOOK.parts[part][train.level(part) + 1],
                cost=cost,
            )
            money = state.player.money
            enough = m("you have ${left} left", left=money - cost)
            after = enough if part in legal else m("you have only ${money}", money=money)
            choices.append(Choice("upgrade", {"part": part}, words, after=after, open=part in legal))
    return Task("upgrade", m("Upgrade"), m("One part, one step a turn."), choices) if choices else None


_MAKERS = {
    "move": _moving(
        "move", m("Free move"), m("The train is rolling: tap where it goes, before your action.")
    ),
    "build": _building,
    "draw": _drawing,
    "motion": _moving("motion", m("Set out"), m("Tap where the train goes.")),
    "boost": _moving("boost", m("Boost"), m("One space further, as your action.")),
    "upgrade": _upgrading,
}


def _now(state: State, seat: int) -> list[Choice]:
    """What needs no looking around: one tap, and Undo takes it back."""
    if state.phase != "play" or state.mode == "scorekeeper" or (state.turn != seat and state.by_box):
        return []
    if state.turn != seat:
        return [_now_choice(state, Action("time", seat))]
    return [_now_choice(state, action) for kind in _NOW for action in LEGAL[kind](state)]


def _now_choice(state: State, action: Action) -> Choice:
    good = action.data.get("good", "")
    words: dict[str, Callable[[], str]] = {
        "deliver": lambda: sentence(_paid_words(state, good)),
        "load": lambda: m("Load {good}", good=_good(state, good)),
        "dump": lambda: m("Put {good} back on its contract", good=_good(state, good)),
        "stop": lambda: m("Draw no more"),
        "finish": lambda: m("End my turn"),
        "pass": lambda: m("Pass: nothing can be done"),
        "time": lambda: m("A time card was turned over"),
    }
    return Choice(
        action.kind, dict(action.data), words[action.kind](), art.good(good) if good else _NO_PICTURE
    )


def _paid_words(state: State, good: str) -> str:
    at = state.player.train.at if state.player.train else ""
    dollars = price_of(state, state.player, good, at)
    return m("deliver {good} here for ${dollars}", good=_good(state, good), dollars=dollars)


# --- what the script lights ---


def _plan(state: State, seat: int, tasks: Iterable[Task]) -> JsonObject:
    board = state.options.on
    return {
        "seat": seat,
        "phase": state.phase,
        "mode": state.mode,
        "box": state.by_box,
        "suits": list(board.suits),
        "hand": list(state.players[seat].hand) or None,
        "held": state.players[seat].held,
        "suit_of": {} if state.by_box else {name: track.suit for name, track in board.tracks.items()},
        "names": {name: city.name for name, city in board.cities.items()},
        "places": {task.name: _places(task) for task in tasks},
        "offers": {one.city: _city_plan(one) for task in tasks for one in task.cities},
    }


def _places(task: Task) -> JsonObject:
    """For each place, the short sign on the map and the whole sentence."""
    going = {
        choice.data[key]: {"sign": "", "says": joined(": ", [choice.words, choice.after])}
        for choice in task.choices
        for key in ("to", "city")
        if key in choice.data
    }
    return going | {one.city: {"sign": f"${one.best.brings}·{one.best.cost}"} for one in task.cities}


def _city_plan(one: CityOffers) -> JsonObject:
    return {"total": one.total, "paths": [_path_plan(offer) for offer in one.offers]}


def _path_plan(offer: Offer) -> JsonObject:
    return {"path": offer.path, "brings": offer.brings, "need": offer.need, "ways": _compact(offer.ways)}


def _compact(ways: tuple[Counts, ...]) -> list[list[int]]:
    return [list(way) for way in ways]


# --- before the first turn, and after the last ---


def _placing(state: State, seat: int) -> Task:
    choices = [_place_choice(state, seat, name) for name in state.options.on.cities]
    return Task("place", m("Place"), m("Tap the city where your locomotive begins."), choices)


def _place_choice(state: State, seat: int, name: str) -> Choice:
    city, player = state.options.on.cities[name], state.players[seat]
    good, dollars = _good(state, city.good), price(state.market, city.good)
    says = m("supplies {good} at ${dollars}", good=good, dollars=dollars)
    if contract_of(state, player, city.good) is not None:
        says = m("supplies {good} at ${dollars}, which you have a contract for", good=good, dollars=dollars)
    return Choice("place", {"city": name}, city.name, art.good(city.good), says)


def _preparing(state: State, seat: int, view: JsonObject) -> JsonObject:
    """What is chosen in the other phases; empty when nothing is."""
    player = state.players[seat]
    makers: dict[str, Callable[[], JsonObject]] = {
        "declare": lambda: _declaring(state, seat),
        "sides": lambda: {"contracts": [_two_sides(state, view, held.name) for held in player.contracts]},
        "give": lambda: {"to": right_of(state, seat)} if state.turn == seat else {},
        "routes": lambda: {"routes": _routes(state, seat, view)},
        "reveal": lambda: {"starts": _starts(state, seat)},
    }
    awaited = seat in state.waiting or state.phase in ("give", "declare")
    return makers[state.phase]() if awaited and state.phase in makers and state.mode == "umpire" else {}


def _declaring(state: State, seat: int) -> JsonObject:
    board, taken = state.options.on, _taken_goods(state)
    each = len(board.goods) // len(state.players)
    by_good = {
        good_words(good.name): _sides_of(state, name)
        for name, good in board.goods.items()
        if name not in taken
    }
    return {
        "each": range(1, each + 1) if seat in state.waiting else (),
        "contracts": by_good,
        "goods": {name: good_words(good.name) for name, good in board.goods.items()},
        "columns": range(BOOK.columns),
        "prices": BOOK.prices,
        "market": bool(state.market),
    }


def _taken_goods(state: State) -> set[str]:
    contracts = state.options.pack.contracts
    return {contracts[held.name].contract for player in state.players.values() for held in player.contracts}


def _sides_of(state: State, good: str) -> list[tuple[str, str]]:
    found = [one for one in state.options.pack.contracts.values() if one.contract == good]
    return [
        (
            one.name,
            m("card {card}: {pays}", card=f"{one.card}{one.side}", pays=_pays_words(state, one)),
        )
        for one in found
    ]


def _pays_words(state: State, contract: Contract) -> str:
    cities = state.options.on.cities
    return joined(
        ", ",
        [
            m("{city} ${dollars}", city=cities[city].name, dollars=dollars)
            for city, dollars in contract.pays.items()
        ],
    )


def _two_sides(state: State, view: JsonObject, name: str) -> JsonObject:
    contracts = state.options.pack.contracts
    return {
        "name": name,
        "good": view["map"]["goods"][contracts[name].contract],
        "sides": [
            (turned, seats.contract_card(view, _bare(contracts[side])))
            for turned, side in (("", name), (name, contracts[name].turned))
        ],
    }


def _bare(contract: Contract) -> JsonObject:
    return {
        "name": contract.name,
        "good": contract.contract,
        "pays": contract.pays,
        "delivered": None,
        "aboard": False,
        "open": list(contract.pays),
    }


def _routes(state: State, seat: int, view: JsonObject) -> list[tuple[str, Markup]]:
    cards = [action.data["card"] for action in legal_before(state, seat)]
    return [
        (
            card,
            seats.route_card(view, {"start": card, "pays": state.options.pack.routes[card].pays}, m("Route")),
        )
        for card in cards
    ]


def _starts(state: State, seat: int) -> list[tuple[str, str]]:
    cities = state.options.on.cities
    return [(action.data["card"], cities[action.data["card"]].name) for action in legal_before(state, seat)]


# --- scorekeeper ---


def _report(state: State, seat: int) -> JsonObject:
    """My own network, money and route, to be entered as they are on the table."""
    if state.mode != "scorekeeper":
        return {}
    player: Player = state.players[seat]
    return {
        "tracks": list(player.tracks),
        "money": player.money,
        "route": player.route,
        "routes": [(name, state.options.on.cities[name].name) for name in state.options.pack.routes],
        "open": seat in state.waiting,
        "left": player.pieces,
    }
