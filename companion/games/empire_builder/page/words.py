"""Empire Builder in sentences."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import hypot

from companion.core.messages import listed
from companion.games.contract import Plain
from companion.games.empire_builder.page.plane import spot_of
from companion.games.empire_builder.rules.board import Board
from companion.games.empire_builder.rules.events import EVENTS
from companion.games.empire_builder.rules.rulebook import RULES
from companion.games.empire_builder.rules.state import is_event


def headline(view: Plain) -> str:
    """The round, and what is special about it."""
    if view["finished"]:
        return f"Final score{_decided(view['scores'])}"
    if view["turn"]["building_only"]:
        return f"Round {view['round']}: building only"
    raised = f", up to {view['goal']} million" if view["goal"] > RULES.money.win else ""
    return f"Round {view['round']}{raised}"


def _decided(rows: list[Plain]) -> str:
    """What decided where money alone did not.

    >>> _decided([{"won": True, "total": 255}, {"won": False, "total": 270}])
    ': six cities and the money decide, not the money alone'
    """
    first, others = rows[0], rows[1:]
    if first["won"] and any(row["total"] >= first["total"] for row in others):
        return ": six cities and the money decide, not the money alone"
    if any(row.get("place") == 1 for row in others):
        return ": nobody had six cities, and equal money shares the win"
    return ""


def status(view: Plain, names: Mapping[int, str]) -> str:
    """Whose turn it is, and how far it has come."""
    if view["losing"]:
        waiting = " and ".join(names[int(seat)] for seat in view["losing"])
        return f"{waiting} has to choose which load the derailed train has lost"
    name = names[view["seat"]]
    if view["mode"] == "scorekeeper":
        return f"{name}'s turn on the table"
    return f"{name}'s turn: {_phase(view)}{stuck_words(view, names)}"


def stuck_words(view: Plain, names: Mapping[int, str]) -> str:
    """Who can do nothing any more, if anybody."""
    said = [""]
    for lends in (False, True):
        who = listed(names[seat] for seat in view.get("stuck", ()) if _may_borrow(view, seat) == lends)
        if who and lends:
            said.append(f"{who} can do nothing any more that brings money, unless by borrowing")
        elif who:
            said.append(f"{who} can do nothing any more that brings money")
    return ". ".join(said)


def _may_borrow(view: Plain, seat: int) -> bool:
    return bool(view["players"][str(seat)]["credit"])


def owes_words(player: Plain) -> str:
    """What a player owes the bank; nothing without a debt.

    >>> owes_words({"owed": 12}), owes_words({"owed": 0})
    ('owes 12', '')
    """
    return f"owes {player['owed']}" if player["owed"] else ""


def _phase(view: Plain) -> str:
    turn = view["turn"]
    if turn["phase"] == "stopped":
        return "the train has derailed"
    if turn["upgraded"]:
        return "a better train was bought"
    if turn["phase"] == "build":
        return f"building, {turn['spent']} of {RULES.building.a_turn} million spent"
    return f"running, {_mileposts(turn['moved'])} so far" if turn["moved"] else "running the train"


def _mileposts(count: int) -> str:
    return f"{count} milepost{'' if count == 1 else 's'}"


def train_words(player: Plain) -> str:
    """A train, where it is and what it carries."""
    train = player["train"]
    title, city, loads = train["title"], train["city"], ", ".join(train["loads"])
    if train["at"] is None:
        return f"{title}, not on the map yet"
    if city:
        return f"{title} in {city}, loaded with {loads}" if loads else f"{title} in {city}, without a load"
    return f"{title} on its way, loaded with {loads}" if loads else f"{title} on its way, without a load"


def majors_words(player: Plain) -> str:
    """The major cities that hang together."""
    names = ", ".join(player["majors"]) or "none"
    return f"{len(player['majors'])} of {RULES.match.majors_to_win}: {names}"


def seat_words(player: Plain, segments: int) -> str:
    """Track, cities and train of a seat."""
    owes = f"; {owes_words(player)} million" if player["owed"] else ""
    cities, train = majors_words(player), train_words(player)
    return f"{segments} segments; major cities {cities}; {train}{owes}"


def demand_words(demand: Plain) -> str:
    """One line of a demand card.

    >>> demand_words(("Chicago", "coffee", 34))
    'coffee to Chicago: 34'
    """
    city, load, payout = demand
    return f"{load} to {city}: {payout}"


def event_lasts(event: Plain, names: Mapping[int, str]) -> str:
    """How long an event stays in force."""
    return f"until {names[event['drawn_by']]}'s turn of round {event['until_round']} is over"


# --- places ---

_EDGE = r"\b[a-z]{1,2}\d{1,3}-[a-z]{1,2}\d{1,3}\b"
_EDGES = re.compile(rf"{_EDGE}(?:, {_EDGE})*(?: and \d+ more)?")
_MOST_CITIES = 3  # by which some edges are said to lie
_IN_CITY = re.compile(r"(?<=\w) \([a-z]{1,2}\d{1,3}\)")
_MILEPOST = re.compile(r"\b[a-z]{1,2}\d{1,3}\b")


def plain(words: str, on: Board) -> str:
    """A sentence of the rules without the names of mileposts: a city is enough, others lie near one.

    >>> from companion.games.empire_builder.rules.board import board
    >>> plain("the train cannot get to Mexico City (ad97), nor to aa98", board(""))
    'the train cannot get to Mexico City, nor to a place near Mexico City'
    >>> plain("joined to nothing: aa96-aa98, z97-aa96", board(""))
    'joined to nothing: near Guadalajara and Mexico City'
    """
    words = _EDGES.sub(lambda edges: near_edges(edges[0], on), words)
    words = _IN_CITY.sub("", words)
    return _MILEPOST.sub(lambda name: near_words(name[0], on), words)


def near_edges(names: str, on: Board) -> str:
    """Edges, by the cities they are nearest to."""
    cities = dict.fromkeys(nearest_city(name, on) for name in _MILEPOST.findall(names))
    return f"near {listed(list(cities)[:_MOST_CITIES])}"


def near_words(name: str, on: Board) -> str:
    """A milepost by the city that it is in or near to."""
    city = nearest_city(name, on)
    within = name in on.numbers and on.city_at[on.numbers[name]] is not None
    return city if within or city == name else f"a place near {city}"


def nearest_city(name: str, on: Board) -> str:
    """The city that a milepost is in or nearest to; a name that is none of the map's stays."""
    number = on.numbers.get(name)
    if number is None:
        return name
    city = on.city_at[number]
    if city is not None:
        return city.name
    x, y = spot_of(on.places[number])
    spots = ((one.name, spot_of(on.places[one.middle])) for one in on.cities.values())
    return min(spots, key=lambda one: hypot(one[1][0] - x, one[1][1] - y))[0]


# --- the timeline ---


def event_words(kind: str, data: Plain) -> str:
    """Something that happened, as it follows a name."""
    told = _EVENT_WORDS.get(kind)
    return told(data) if told else "did something"


def _moved(data: Plain) -> str:
    fees = sum(data.get("fees", {}).values())
    paid = f", for {fees} million" if fees else ""
    return f"ran {_mileposts(len(data['path']))} to {data['path'][-1]}{paid}"


def _delivered(data: Plain) -> str:
    drawn = [title_of(card) for card in data.get("drew", ()) if is_event(card)]
    then = f"; then: {', '.join(drawn)}" if drawn else ""
    debt = f", {data['repaid']} of it to the bank" if data.get("repaid") else ""
    return f"delivered {data['load']} to {data['city']} for {data['payout']} million{debt}{then}"


def _changed(data: Plain) -> str:
    drawn = [title_of(card) for card in data.get("drew", ()) if is_event(card)]
    then = f"; then: {', '.join(drawn)}" if drawn else ""
    return f"gave up the turn for a new hand{then}"


def _repaid(data: Plain) -> str:
    left = f"{data['owed']} million are still owed" if data["owed"] else "nothing is owed any more"
    return f"paid {data['amount']} million back to the bank: {left}"


def title_of(card: str) -> str:
    """What an event is called; of an owner's cards the timeline knows the number only."""
    return EVENTS[card].title if card in EVENTS else card.replace("-", " ")


def _built(data: Plain) -> str:
    lines = [data["path"], *data.get("more", ())]
    ways = ", ".join(f"from {path[0]} to {path[-1]}" for path in lines)
    return f"built {ways} for {data['price']} million"


def _reported(data: Plain) -> str:
    told = [name for name in ("track", "cash", "trains") if data.get(name)]
    remarks = "; ".join(data.get("remarks", ()))
    return f"reported {', '.join(told) or 'nothing new'}{f': {remarks}' if remarks else ''}"


_EVENT_WORDS = {
    "place": lambda data: f"put the train on the map at {data['at']}",
    "move": _moved,
    "pickup": lambda data: f"picked up {data['load']}",
    "drop": lambda data: f"dropped {data['load']}",
    "deliver": _delivered,
    "lose": lambda data: f"lost {data['load']} in the derailment",
    "build": _built,
    "upgrade": lambda data: f"bought a {RULES.trains[data['to']].title} for {data['price']} million",
    "done": lambda _data: "ended the turn",
    "report": _reported,
    "event": lambda data: f"drew {title_of(data['card'])}",
    "new_hand": _changed,
    "borrow": lambda data: f"borrowed {data['amount']} million and owes the bank {data['owed']}",
    "repay": _repaid,
}
