"""Loads: picking up, dropping, delivering, and losing them."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.core.errors import quoted
from companion.core.jsontext import JsonObject, shaped
from companion.core.messages import joined, m, table_text
from companion.core.records import replaced
from companion.game.base import Action, Chance, Fact, Refusal
from companion.games.empire_builder.rules.boards.board import City
from companion.games.empire_builder.rules.cards.demands import Demand
from companion.games.empire_builder.rules.cards.draws import drawn_cards, with_drawn
from companion.games.empire_builder.rules.cards.ownhands import told_delivery
from companion.games.empire_builder.rules.match.state import (
    State,
    hand_of,
    supply,
    with_money,
    with_player,
    with_train,
)
from companion.games.empire_builder.rules.moves.borrowing import to_the_bank
from companion.games.empire_builder.rules.rulebook import LOAD_WORDS
from companion.sheets.decks import shuffle_fault, shuffled, without


class _Load(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    load: str


class _Shuffle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    deck: tuple[str, ...]


class _Deliver(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    load: str
    card: str = ""
    payout: int = 0
    city: str = ""
    drew: tuple[str, ...] = ()
    repaid: int = 0
    chance: _Shuffle | None = None
    source: JsonObject = {}


def city_of(state: State, seat: int) -> City | None:
    """The city a seat's train stands in."""
    at = state.players[seat].train.at
    return None if at is None else state.board.city_at[at]


def _station(state: State, seat: int, doing: str, *, strikes: bool = True) -> City | Refusal:
    """The city where something is loaded or unloaded, unless there is none or it is on strike."""
    city, at = city_of(state, seat), state.players[seat].train.at
    if city is None or at is None:
        where = (
            m("your train is not on the board yet")
            if at is None
            else m("{at} is none", at=state.board.names[at])
        )
        return Refusal(
            "no-city", m("loads are {doing} in cities only, and {where}", doing=doing, where=where)
        )
    card = state.effects.strikes.get(at)
    if strikes and card is not None:
        message = m(
            "{title}: nothing is {doing} in {name} until that is over",
            title=state.events[card].title,
            doing=doing,
            name=city.name,
        )
        return Refusal("event", message, {"card": card})
    return city


# --- picking up and dropping ---


def decide_pickup(state: State, action: Action, _chance: Chance) -> Fact | Refusal:
    """Take a load that the city supplies, if a chip is left and there is room."""
    load, seat = shaped(action.data, _Load, "bad-action").load, action.seat or 0
    city = _station(state, seat, m("picked up"))
    if isinstance(city, Refusal):
        return city
    train = state.players[seat].train
    if load not in city.loads:
        has = (
            m("it has {loads}", loads=joined(", ", [LOAD_WORDS[one] for one in city.loads]))
            if city.loads
            else m("it has nothing to pick up")
        )
        return Refusal(
            "not-here", m("{name} does not supply {load}: {has}", name=city.name, load=quoted(load), has=has)
        )
    if len(train.loads) >= train.card.loads:
        return Refusal(
            "full",
            m(
                "a {title} carries {loads} loads, and it is full",
                title=table_text(train.card.title),
                loads=train.card.loads,
            ),
        )
    if supply(state)[load] < 1:
        carriers = [other for other, player in state.players.items() if load in player.train.loads]
        message = m(
            "every {load} chip is under way: wait until somebody delivers or drops one", load=LOAD_WORDS[load]
        )
        return Refusal("shortage", message, {"carriers": carriers})
    return Fact("pickup", seat, {"load": load})


def after_pickup(state: State, fact: Fact) -> State:
    """The state with the load on the train."""
    seat = fact.seat or 0
    loads = state.players[seat].train.loads
    return with_train(state, seat, loads=tuple(sorted((*loads, fact.data["load"]))))


def decide_drop(state: State, action: Action, _chance: Chance) -> Fact | Refusal:
    """Leave a load in a city: its chip goes back to the supply."""
    load, seat = shaped(action.data, _Load, "bad-action").load, action.seat or 0
    city = _station(state, seat, m("dropped"), strikes=False)
    if isinstance(city, Refusal):
        return city
    return _carried_refusal(state, seat, load) or Fact("drop", seat, {"load": load})


def _carried_refusal(state: State, seat: int, load: str) -> Refusal | None:
    loads = state.players[seat].train.loads
    if load in loads:
        return None
    return Refusal(
        "not-carried",
        m(
            "your train carries {carried}, no {load}",
            carried=joined(", ", [LOAD_WORDS[one] for one in loads]) or m("nothing"),
            load=quoted(load),
        ),
    )


def after_drop(state: State, fact: Fact) -> State:
    """The state with the load taken off the train."""
    seat = fact.seat or 0
    return with_train(state, seat, loads=without(state.players[seat].train.loads, fact.data["load"]))


# --- derailed ---


def decide_lose(state: State, action: Action, _chance: Chance) -> Fact | Refusal:
    """Choose which load a derailed train has lost."""
    load, seat = shaped(action.data, _Load, "bad-action").load, action.seat or 0
    if seat not in state.losing:
        return Refusal("nothing-to-lose", m("your train has not derailed"))
    return _carried_refusal(state, seat, load) or Fact("lose", seat, {"load": load})


def after_lose(state: State, fact: Fact) -> State:
    """The state without the lost load, with one loss fewer to choose."""
    seat = fact.seat or 0
    left = state.losing[seat] - 1
    others = {other: count for other, count in state.losing.items() if other != seat}
    return replaced(after_drop(state, fact), losing={**others, seat: left} if left else others)


# --- delivering ---


def deliverable(state: State, seat: int) -> list[tuple[str, Demand]]:
    """The demands (card, demand) that a train can fulfil where it stands."""
    city, loads = city_of(state, seat), state.players[seat].train.loads
    if city is None or state.players[seat].train.at in state.effects.strikes:
        return []
    return [
        (card.card, demand)
        for card in hand_of(state, seat)
        for demand in card.demands
        if demand.city == city.name and demand.load in loads
    ]


def decide_deliver(state: State, action: Action, chance: Chance) -> Fact | Refusal:
    """Deliver a load for one demand; what is drawn for it stands in the fact."""
    request, seat = shaped(action.data, _Deliver, "bad-action"), action.seat or 0
    city = _station(state, seat, "delivered")
    if isinstance(city, Refusal):
        return city
    carried = _carried_refusal(state, seat, request.load)
    if carried is not None:
        return carried
    if not state.box_deals:
        told = told_delivery(state, city, request.load, request.card, request.payout)
        return told if isinstance(told, Refusal) else _paid(state, seat, told)
    asked = [found for found in deliverable(state, seat) if found[1].load == request.load]
    fitting = [found for found in asked if request.card in ("", found[0])]
    if not fitting:
        return _no_demand(state, seat, city, request)
    card, demand = max(fitting, key=lambda found: found[1].payout)
    return _with_draw(state, request, chance, _paid(state, seat, _delivery(card, demand)))


def _paid(state: State, seat: int, delivery: JsonObject) -> Fact:
    """The delivery, with what of its payout goes to the seat's debt."""
    return Fact("deliver", seat, {**delivery, **to_the_bank(state, seat, delivery["payout"])})


def _delivery(card: str, demand: Demand) -> JsonObject:
    return {"card": card, "load": demand.load, "city": demand.city, "payout": demand.payout}


def _no_demand(state: State, seat: int, city: City, request: _Deliver) -> Refusal:
    if request.card and request.card not in state.players[seat].hand:
        return Refusal("no-card", m("demand card {card} does not lie before you", card=quoted(request.card)))
    wanted = [
        f"{demand.city} ({demand.payout})"
        for card in hand_of(state, seat)
        for demand in card.demands
        if demand.load == request.load
    ]
    asked = {"load": LOAD_WORDS[request.load], "name": city.name}
    if wanted:
        message = m(
            "no card of yours asks for {load} in {name}: {load} is wanted in {wanted}",
            **asked,
            wanted=", ".join(wanted),
        )
    else:
        message = m("no card of yours asks for {load} in {name}: none asks for {load}", **asked)
    return Refusal("no-demand", message)


def _with_draw(state: State, request: _Deliver, chance: Chance, fact: Fact) -> Fact | Refusal:
    """The cards that come up; when the deck runs out, the discards are shuffled into a new one."""
    drew = drawn_cards(state.deck)
    if drew is not None:
        return Fact(fact.kind, fact.seat, {**fact.data, "drew": drew})
    pile = [*state.discards, fact.data["card"]]
    source = request.source
    if request.chance is not None:
        deck = list(request.chance.deck)
    else:
        deck, source = shuffled(pile, chance), chance.source
    fault = shuffle_fault(deck, pile, m("the reshuffled deck"))
    if fault is not None:
        return fault
    drew = drawn_cards([*state.deck, *deck])
    return Fact(fact.kind, fact.seat, {**fact.data, "drew": drew, "chance": {"deck": deck}, "source": source})


def after_deliver(state: State, fact: Fact) -> State:
    """The state after a delivery: chip returned, payout received (a debt paid first), card replaced."""
    seat, data = fact.seat or 0, fact.data
    state = with_train(state, seat, loads=without(state.players[seat].train.loads, data["load"]))
    state = with_money(state, seat, payouts=data["payout"], repaid=data.get("repaid", 0))
    if not state.box_deals:
        return state
    state = with_player(state, seat, hand=without(state.players[seat].hand, data["card"]))
    state = replaced(state, discards=(*state.discards, data["card"]))
    order: Sequence[str] = data.get("chance", {}).get("deck", ())
    return with_drawn(state, seat, order)
