"""Empire Builder in sentences."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from math import hypot

from companion.core.jsontext import JsonObject
from companion.core.messages import Message, joined, listed, m, nm, pm, replaced, table_text
from companion.games.empire_builder.rules.boards.board import IN_CITY, Board
from companion.games.empire_builder.rules.boards.names import Edges
from companion.games.empire_builder.rules.cards.events import EVENTS, PREFIX
from companion.games.empire_builder.rules.match.state import is_event
from companion.games.empire_builder.rules.rulebook import LOAD_WORDS, RULES
from companion.games.empire_builder.ui.plane import spot_of


def headline(view: JsonObject) -> str:
    """The round, and what is special about it."""
    if view["finished"]:
        decided = _decided(view["scores"])
        return joined(": ", [m("Final score"), decided]) if decided else m("Final score")
    if view["turn"]["building_only"]:
        return m("Round {round}: building only", round=view["round"])
    if view["goal"] > RULES.money.win:
        return m("Round {round}, up to {goal} million", round=view["round"], goal=view["goal"])
    return m("Round {round}", round=view["round"])


def _decided(rows: list[JsonObject]) -> str:
    """What decided where money alone did not.

    >>> _decided([{"won": True, "total": 255}, {"won": False, "total": 270}])
    'six cities and the money decide, not the money alone'
    """
    first, others = rows[0], rows[1:]
    if first["won"] and any(row["total"] >= first["total"] for row in others):
        return m("six cities and the money decide, not the money alone")
    if any(row.get("place") == 1 for row in others):
        return m("nobody had six cities, and equal money shares the win")
    return ""


def status(view: JsonObject, names: Mapping[int, str]) -> str:
    """Whose turn it is, and how far it has come."""
    if view["losing"]:
        waiting = listed(names[int(seat)] for seat in view["losing"])
        return m("{waiting} has to choose which load the derailed train has lost", waiting=waiting)
    name = names[view["seat"]]
    if view["mode"] == "scorekeeper":
        return m("{name}'s turn on the table", name=name)
    turn = m("{name}'s turn: {phase}", name=name, phase=_phase(view))
    return joined(". ", [turn, *stuck_words(view, names)])


def stuck_words(view: JsonObject, names: Mapping[int, str]) -> list[str]:
    """The players who can no longer do anything, in a sentence."""
    said: list[str] = []
    for lends in (False, True):
        who = listed(names[seat] for seat in view.get("stuck", ()) if _may_borrow(view, seat) == lends)
        if who and lends:
            said.append(m("{who} can do nothing any more that brings money, unless by borrowing", who=who))
        elif who:
            said.append(m("{who} can do nothing any more that brings money", who=who))
    return said


def _may_borrow(view: JsonObject, seat: int) -> bool:
    return bool(view["players"][str(seat)]["credit"])


def owes_words(player: JsonObject) -> str:
    """What a player owes the bank; nothing without a debt.

    >>> owes_words({"owed": 12}), owes_words({"owed": 0})
    ('owes 12', '')
    """
    return m("owes {owed}", owed=player["owed"]) if player["owed"] else ""


def _phase(view: JsonObject) -> str:
    turn = view["turn"]
    if turn["phase"] == "stopped":
        return m("the train has derailed")
    if turn["upgraded"]:
        return m("a better train was bought")
    if turn["phase"] == "build":
        return m("building, {spent} of {most} million spent", spent=turn["spent"], most=RULES.building.a_turn)
    if turn["moved"]:
        return nm("running, {n} milepost so far", "running, {n} mileposts so far", turn["moved"])
    return m("running the train")


def train_words(player: JsonObject) -> str:
    """A train, where it is and what it carries."""
    train = player["train"]
    title, city, loads = (
        table_text(train["title"]),
        train["city"],
        joined(", ", [LOAD_WORDS[load] for load in train["loads"]]),
    )
    if train["at"] is None:
        return m("{title}, not on the map yet", title=title)
    if city and loads:
        return m("{title} in {city}, loaded with {loads}", title=title, city=city, loads=loads)
    if city:
        return m("{title} in {city}, without a load", title=title, city=city)
    if loads:
        return m("{title} on its way, loaded with {loads}", title=title, loads=loads)
    return m("{title} on its way, without a load", title=title)


def majors_words(player: JsonObject) -> str:
    """The major cities that hang together."""
    names = ", ".join(player["majors"]) or pm("city", "none")
    wanted = RULES.match.majors_to_win
    return m("{joined} of {wanted}: {names}", joined=len(player["majors"]), wanted=wanted, names=names)


def seat_words(player: JsonObject, segments: int) -> str:
    """Track, cities and train of a seat."""
    owes = [m("owes {owed} million", owed=player["owed"])] if player["owed"] else []
    built = nm("{n} segment", "{n} segments", segments)
    cities = m("major cities {cities}", cities=majors_words(player))
    return joined("; ", [built, cities, train_words(player), *owes])


def demand_words(demand: JsonObject) -> str:
    """One line of a demand card.

    >>> demand_words(("Chicago", "coffee", 34))
    'coffee to Chicago: 34'
    """
    city, load, payout = demand
    return m("{load} to {city}: {payout}", load=LOAD_WORDS[load], city=city, payout=payout)


def event_lasts(event: JsonObject, names: Mapping[int, str]) -> str:
    """The player who drew an event, and how long it stays in force."""
    return m(
        "Drawn by {name}, until {name}'s turn of round {round} is over.",
        name=names[event["drawn_by"]],
        round=event["until_round"],
    )


# --- places ---

_EDGE = r"\b[a-z]{1,2}\d{1,3}-[a-z]{1,2}\d{1,3}\b"
_EDGES = re.compile(rf"{_EDGE}(?:, {_EDGE})*(?: and \d+ more)?")
_MOST_CITIES = 3  # by which some edges are said to lie
_MILEPOST = re.compile(r"\b[a-z]{1,2}\d{1,3}\b")


def plain(words: str, on: Board) -> str:
    """A sentence of the rules without the names of mileposts: a city is enough, others lie near one.

    >>> from companion.games.empire_builder.rules.boards.board import board
    >>> on = board("")
    >>> here, goal = on.spoken(on.numbers["ad97"]), on.spoken(on.numbers["aa98"])
    >>> plain(m("there is no track from {here} to {goal}", here=here, goal=goal), on)
    'there is no track from Mexico City to a place near Mexico City'
    >>> plain(m("joined to nothing: {edges}", edges=Edges(["aa96-aa98", "z97-aa96"])), on)
    'joined to nothing: near Guadalajara and Mexico City'
    """

    def named(value: object) -> object | None:
        if isinstance(value, Edges):
            return near_edges(value.names, on)
        if isinstance(value, Message):
            return value.places["city"] if value.id == IN_CITY else None
        if value in on.numbers:
            return near_words(str(value), on)
        if not isinstance(value, str):
            return None
        # The remarks on a report are kept with it, and edges in them as text.
        if _EDGES.fullmatch(value):
            return near_edges([value], on)
        return _EDGES.sub(lambda edges: near_edges([edges[0]], on), value)

    return replaced(words, named) if isinstance(words, Message) else words


def near_edges(names: Iterable[str], on: Board) -> str:
    """Edges, by the cities they are nearest to."""
    ends = [end for name in names for end in _MILEPOST.findall(name)]
    cities = dict.fromkeys(nearest_city(end, on) for end in ends)
    return m("near {cities}", cities=listed(list(cities)[:_MOST_CITIES]))


def near_words(name: str, on: Board) -> str:
    """A milepost by the city that it is in or near to."""
    city = nearest_city(name, on)
    within = name in on.numbers and on.city_at[on.numbers[name]] is not None
    return city if within or city == name else m("a place near {city}", city=city)


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


def event_words(kind: str, data: JsonObject) -> str:
    """Something that happened, as it follows a name."""
    told = _EVENT_WORDS.get(kind)
    return told(data) if told else m("did something")


def _moved(data: JsonObject) -> str:
    fees, count, city = sum(data.get("fees", {}).values()), len(data["path"]), data["path"][-1]
    ran = nm("ran {n} milepost to {city}", "ran {n} mileposts to {city}", count, city=city)
    return joined(", ", [ran, m("for {fees} million", fees=fees)]) if fees else ran


def _then(data: JsonObject) -> list[str]:
    """The events that came up with a new card."""
    drawn = [title_of(card) for card in data.get("drew", ()) if is_event(card)]
    return [m("then: {events}", events=joined(", ", drawn))] if drawn else []


def _delivered(data: JsonObject) -> str:
    what = {"load": LOAD_WORDS[data["load"]], "city": data["city"], "payout": data["payout"]}
    if data.get("repaid"):
        delivered = m(
            "delivered {load} to {city} for {payout} million, {repaid} of it to the bank",
            **what,
            repaid=data["repaid"],
        )
    else:
        delivered = m("delivered {load} to {city} for {payout} million", **what)
    return joined("; ", [delivered, *_then(data)])


def _changed(data: JsonObject) -> str:
    return joined("; ", [m("gave up the turn for a new hand"), *_then(data)])


def _repaid(data: JsonObject) -> str:
    owed = data["owed"]
    left = m("{owed} million are still owed", owed=owed) if owed else m("nothing is owed any more")
    return m("paid {amount} million back to the bank: {left}", amount=data["amount"], left=left)


def title_of(card: str) -> str:
    """What an event is called; of an owner's cards the timeline knows the number only."""
    if card in EVENTS:
        return EVENTS[card].title
    return m("event {number}", number=card.removeprefix(PREFIX).replace("-", " "))


def _built(data: JsonObject) -> str:
    lines = [data["path"], *data.get("more", ())]
    ways = joined(", ", [m("from {start} to {end}", start=path[0], end=path[-1]) for path in lines])
    price = data["price"]
    return nm("built {ways} for {n} million", "built {ways} for {n} million", price, ways=ways)


_REPORTED = {"track": m("track"), "cash": m("cash"), "trains": m("trains")}


def _reported(data: JsonObject) -> str:
    told = joined(", ", [words for key, words in _REPORTED.items() if data.get(key)])
    reported = m("reported {told}", told=told) if told else m("reported nothing new")
    remarks = data.get("remarks", ())
    return joined(": ", [reported, joined("; ", remarks)]) if remarks else reported


def _bought(data: JsonObject) -> str:
    title = table_text(RULES.trains[data["to"]].title)
    return m("bought a {title} for {price} million", title=title, price=data["price"])


def _borrowed(data: JsonObject) -> str:
    amount, owed = data["amount"], data["owed"]
    return m("borrowed {amount} million and owes the bank {owed}", amount=amount, owed=owed)


_EVENT_WORDS: Mapping[str, Callable[[JsonObject], str]] = {
    "place": lambda data: m("put the train on the map at {city}", city=data["at"]),
    "move": _moved,
    "pickup": lambda data: m("picked up {load}", load=LOAD_WORDS[data["load"]]),
    "drop": lambda data: m("dropped {load}", load=LOAD_WORDS[data["load"]]),
    "deliver": _delivered,
    "lose": lambda data: m("lost {load} in the derailment", load=LOAD_WORDS[data["load"]]),
    "build": _built,
    "upgrade": _bought,
    "done": lambda _data: m("ended the turn"),
    "report": _reported,
    "event": lambda data: m("drew {event}", event=title_of(data["card"])),
    "new_hand": _changed,
    "borrow": _borrowed,
    "repay": _repaid,
}
