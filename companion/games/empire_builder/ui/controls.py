"""What a player of Empire Builder may do on a phone, from the one list of legal actions."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import Literal, TypeAlias

from companion.core.jsontext import JsonObject
from companion.core.messages import joined, m, table_text
from companion.game.base import Action
from companion.games.empire_builder.rules.boards.position import print_track
from companion.games.empire_builder.rules.boards.tracks import connected_majors, edges_of
from companion.games.empire_builder.rules.match.game import EmpireBuilder
from companion.games.empire_builder.rules.match.reports import MOST_CASH
from companion.games.empire_builder.rules.match.state import State, hand_of, supply
from companion.games.empire_builder.rules.match.turns import not_now
from companion.games.empire_builder.rules.moves.borrowing import credit, to_the_bank
from companion.games.empire_builder.rules.moves.freight import city_of
from companion.games.empire_builder.rules.moves.moving import half_rate, reachable, steps_left
from companion.games.empire_builder.rules.moves.trips import stuck, trips
from companion.games.empire_builder.rules.rulebook import LOAD_WORDS, RULES
from web.ui.parts import Controls

_GAME = EmpireBuilder()
Doing: TypeAlias = Literal["lose", "wait", "place", "run", "build", "over", "report"]
_Saying: TypeAlias = Doing | Literal["first"]

_SAY: dict[_Saying, str] = {
    "lose": m("Your train has derailed: choose the load it has lost."),
    "wait": m("You can plan meanwhile: tap the map to hear what track would cost."),
    "place": m("Put your train on the map: tap a lit city of your track."),
    "run": m("Tap a lit milepost to run there, or build: that ends running for this turn."),
    "build": m("Tap where your track should lead; tap on to lead it further."),
    "first": m(
        "Your first track begins in a big city, a red one. Tap a demand below to see its cities on the "
        "map, then tap where the track should lead."
    ),
    "over": m("Nothing more can be built in this turn: end it."),
    "report": m("Keep the page like the table: draw your track, count your money, say where your train is."),
}


@dataclass(frozen=True)
class Button:
    """Something to do with one tap."""

    action: JsonObject
    words: str
    note: str = ""
    at_hand: bool = False  # offered in the bar: it is done where the train stands, and pays or is asked for


def controls(state: State, seat: int) -> Controls:
    """What the template of the controls shows to this seat."""
    legal = _GAME.legal(state, seat)
    doing = _doing(state, seat, legal)
    saying: _Saying = "first" if doing == "build" and not state.players[seat].linked else doing
    told = {
        "mode": state.mode,
        "doing": doing,
        "mine": seat == state.seat,
        "say": joined(" ", [_SAY[saying], *([_stuck(state, seat)] if seat in stuck(state) else [])]),
        "may": sorted({action.kind for action in legal}),
        "lit": _lit(state, seat, legal),
        "buttons": [button for action in legal for button in _button(state, seat, action)],
        "undone": _undone(state, legal),
        "train": _train(state, seat),
        "turn": _turn(state, seat),
        "cards": _cards(state, seat) if state.mode == "umpire" else [],
        "table": _own_cards(state, seat, doing) if state.mode == "umpire" and not state.box_deals else None,
        "supply": [(load, LOAD_WORDS[load], left) for load, left in supply(state).items()],
        "bank": _bank(state, seat, legal) if state.options.borrow != "never" else None,
        **(_report(state, seat) if state.mode == "scorekeeper" else {}),
    }
    return Controls("empire-builder/play.html", told)


def _stuck(state: State, seat: int) -> str:
    """What is left to somebody whom no trip pays any more."""
    ways = [m("No trip is within your means: only the rent that others pay you can help")]
    if state.options.new_hand == "turn":
        ways.append(m("or a new hand for this turn"))
    if lent := credit(state, seat):
        ways.append(m("or up to {lent} million borrowed before you build", lent=lent))
    return m("{ways}.", ways=joined(", ", ways))


def _doing(state: State, seat: int, legal: list[Action]) -> Doing:
    """What a tap on the map is about, unless the player chooses otherwise."""
    kinds = {action.kind for action in legal}
    if state.mode == "scorekeeper":
        return "report"
    if "lose" in kinds:
        return "lose"
    if "done" not in kinds:
        return "wait"
    order: tuple[tuple[str, Doing], ...] = (("place", "place"), ("move", "run"), ("build", "build"))
    found = next((doing for kind, doing in order if kind in kinds), None)
    if found is None and not_now(state, seat, "move") is None:
        return "run"
    return found or "over"


def _undone(state: State, legal: list[Action]) -> str:
    """What somebody who ends the turn now has probably forgotten; nothing: it can be ended at once."""
    kinds = {action.kind for action in legal}
    if "done" not in kinds or state.mode == "scorekeeper":
        return ""
    if "deliver" in kinds:
        load = next(action.data["load"] for action in legal if action.kind == "deliver")
        return m("You have not delivered {load}. Tap again to end your turn.", load=LOAD_WORDS[load])
    turn = state.turn
    if turn.moved or turn.spent or turn.upgraded or not kinds & {"move", "build"}:
        return ""
    return m("You have done nothing in this turn. Tap again to end it.")


# --- the map ---


def _lit(state: State, seat: int, legal: list[Action]) -> JsonObject:
    """Where a tap is legal: cities to begin in, mileposts to run to with their fees, segments to build."""
    lit: JsonObject = {"place": [], "run": {}, "build": {}}
    if any(action.kind == "move" for action in legal):
        names = state.board.names
        lit["run"] = {names[at]: run.price for at, run in reachable(state, seat).items()}
    for action in legal:
        if action.kind == "place":
            lit["place"].append(action.data["at"])
        elif action.kind == "build":
            one, other = action.data["path"]
            lit["build"].setdefault(other, []).append(one)
    return lit


# --- what takes one tap ---


def _button(state: State, seat: int, action: Action) -> list[Button]:
    """Deliveries, loads and trains; what is done on the map has no button."""
    plain: JsonObject = {"kind": action.kind, "data": action.data}
    load = action.data.get("load", "")
    match action.kind:
        case "deliver":
            words = m("Deliver {load}", load=LOAD_WORDS[load])
            button = Button(plain, words, _pays(state, seat, action), at_hand=True)
        case "pickup":
            note = m("{chips} remaining", chips=supply(state)[load])
            button = Button(
                plain, m("Pick up {load}", load=LOAD_WORDS[load]), note, _is_asked(state, seat, load)
            )
        case "drop":
            button = Button(plain, m("Drop {load}", load=LOAD_WORDS[load]), m("its chip goes back"))
        case "lose":
            button = Button(plain, m("Lose {load}", load=LOAD_WORDS[load]), at_hand=True)
        case "new_hand":
            button = Button(plain, m("Take a new hand"), m("this whole turn is given up for it"))
        case "upgrade":
            button = _upgrade(state, seat, plain)
        case _:
            return []
    return [button]


def _pays(state: State, seat: int, action: Action) -> str:
    payout = _payout(state, seat, action)
    debt = to_the_bank(state, seat, payout).get("repaid")
    if debt:
        return m("+{payout} million, {debt} of it to the bank", payout=payout, debt=debt)
    return m("+{payout} million", payout=payout)


def _is_asked(state: State, seat: int, load: str) -> bool:
    """Return True if one of the player's demands asks for the load, or the player's cards are not known."""
    hand = hand_of(state, seat)
    return not hand or any(demand.load == load for card in hand for demand in card.demands)


def _payout(state: State, seat: int, action: Action) -> int:
    city = city_of(state, seat)
    return next(
        demand.payout
        for card in hand_of(state, seat)
        if card.card == action.data["card"]
        for demand in card.demands
        if city is not None and (demand.load, demand.city) == (action.data["load"], city.name)
    )


def _upgrade(state: State, seat: int, plain: JsonObject) -> Button:
    card = RULES.trains[plain["data"]["to"]]
    price = state.players[seat].train.card.upgrades[plain["data"]["to"]]
    what = m(
        "{price} million: {speed} mileposts, {loads} loads", price=price, speed=card.speed, loads=card.loads
    )
    return Button(plain, m("Buy a {title}", title=table_text(card.title)), what)


# --- where the seat stands ---


def _train(state: State, seat: int) -> JsonObject:
    train, city = state.players[seat].train, city_of(state, seat)
    return {
        "kind": train.kind,
        "title": table_text(train.card.title),
        "at": None if train.at is None else state.board.names[train.at],
        "city": city.name if city else "",
        "came": None if train.came is None else state.board.names[train.came],
        "loads": [(load, LOAD_WORDS[load]) for load in train.loads],
        "capacity": train.card.loads,
        "speed": train.card.speed,
        "half": half_rate(train.card.speed) if state.turn.slowed and seat == state.seat else 0,
    }


def _turn(state: State, seat: int) -> JsonObject:
    """Mileposts, money and cities: what is left, and how near the end is."""
    player, mine = state.players[seat], seat == state.seat
    running = mine and not_now(state, seat, "move") is None and player.train.at is not None
    allowance = RULES.building.a_turn - (state.turn.spent if mine else 0)
    return {
        "steps": steps_left(state, seat) if running else None,
        "spend": 0 if mine and state.turn.upgraded else min(player.cash, allowance),
        "cash": player.cash,
        "goal": state.goal,
        "majors": [city.name for city in connected_majors(state.board, player.linked)],
        "wanted": RULES.match.majors_to_win,
        "cities": [city.name for city in state.board.majors],
        "lost": player.lost_turns,
    }


def _bank(state: State, seat: int, legal: list[Action]) -> JsonObject:
    """What is owed, and the most that may be borrowed and paid back now."""
    most = {kind: sum(action.kind == kind for action in legal) for kind in ("borrow", "repay")}
    return {"owed": state.players[seat].owed, "each": RULES.borrowing.owed_for_each, **most}


def _cards(state: State, seat: int) -> list[JsonObject]:
    """The demand cards with what each demand would take, and where it leads on the map."""
    found = []
    for card, demands in groupby(trips(state, seat), key=lambda trip: trip["card"]):
        found.append({"card": card, "demands": [_demand(state, trip) for trip in demands]})
    return found


def _own_cards(state: State, seat: int, doing: Doing) -> JsonObject:
    """People's own cards: what may be delivered here, and the events that may be drawn."""
    city, mine = city_of(state, seat), seat == state.seat
    loads = sorted({*state.players[seat].train.loads}) if mine and doing in ("run", "build") and city else []
    in_force = {event.card for event in state.in_force}
    events = [(card, event.title) for card, event in state.events.items() if card not in in_force]
    return {
        "city": city.name if city else "",
        "loads": [(load, LOAD_WORDS[load]) for load in loads if city is not None and load not in city.loads],
        "priced": bool(state.options.cards.strip()),
        "events": events if mine else [],
    }


def _demand(state: State, trip: JsonObject) -> JsonObject:
    best = trip["rest"] or (trip["from"][0] if trip["from"] else None)
    sources = [city for city in state.board.cities.values() if trip["load"] in city.loads]
    return {
        **trip,
        "words": LOAD_WORDS[trip["load"]],
        "best": best,
        "net": None if best is None else trip["payout"] - best["build"] - best["rent"],
        "goal": state.board.names[state.board.cities[trip["city"]].middle],
        "sources": {city.name: state.board.names[city.middle] for city in sources},
    }


def _report(state: State, seat: int) -> JsonObject:
    """What a scorekeeper's page fills its form with."""
    return {
        "lines": print_track(state.board, edges_of(state.track, seat)),
        "kinds": [(kind, table_text(card.title)) for kind, card in RULES.trains.items()],
        "loads": LOAD_WORDS,
        "most_cash": MOST_CASH,
    }
