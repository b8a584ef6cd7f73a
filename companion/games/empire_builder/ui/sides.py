"""What stands beside the map of Empire Builder: lines and players, events, money over the turns, progress."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from companion.core.jsontext import JsonObject
from companion.core.messages import joined, m
from companion.games.empire_builder.rules.boards.board import marked_board
from companion.games.empire_builder.rules.rulebook import LOAD_WORDS, RULES
from companion.games.empire_builder.ui import words
from companion.games.empire_builder.ui.art import line_sample, sample
from companion.table.seats import Player
from web.ui.charts import line_chart
from web.ui.progress import Step
from web.ui.speaking import Markup
from web.ui.words import seat_mark

_LEGEND = Markup('<ul class="eb-legend">{}</ul>')
_WHO = Markup(
    '<li class="colour-{}{}">{} {} <span class="eb-who">{}</span> <b>{}</b> <span class="soft">{}</span></li>'
)
_EVENT = Markup('<li class="eb-event eb-event-{}"><h3>{}</h3><p>{}</p><p class="soft">{}</p></li>')
_EVENTS = Markup('<ul class="eb-events" aria-label="{}">{}</ul>')
_MONEY = Markup(
    '<details class="words" id="eb-money"><summary>{}</summary>'
    '<div class="scrolls" tabindex="0" role="region" aria-label="{}">{}</div></details>'
)
_SIGNS = Markup('<details class="words" id="eb-signs"><summary>{}</summary><p>{}</p></details>')
_TURNS = m("Money over the turns")
_SIGNS_SAY = m(
    "Dot: clear ground, 1 million. Peak: mountain, 2. Circle: small city, square: medium city, 3. Red "
    "hexagon: major city, 5; inside it everybody runs freely. A river or a dashed channel under the way: "
    "2 more. A bar: open water, no way."
)
_CITY = Markup('<li class="{}"><abbr title="{}">{}</abbr></li>')
_PROGRESS = Markup(
    '<div class="eb-progress">{}<ul class="eb-majors" aria-label="{}">{}</ul>'
    '<svg class="eb-gauge" viewBox="0 0 100 6" preserveAspectRatio="none" role="img" '
    'aria-label="{}"><rect class="eb-gauge-all" width="100" height="6"/>'
    '<rect class="eb-gauge-had" width="{}" height="6"/></svg>'
    '<p class="eb-train-line">{}</p></div>'
)
_CARD = Markup('<li><ul aria-label="{}">{}</ul></li>')
_HAND = Markup('<ul class="eb-hand">{}</ul>')
_LINE = Markup("<li>{}</li>")
_ORDERS = Markup('<ul class="eb-orders">{}</ul>')
_ORDER = Markup("<li><b>{}</b> {} › {}</li>")


def _joined(parts: Iterable[Markup]) -> Markup:
    return Markup("").join(parts)


# --- beside the map ---


def beside_map(view: JsonObject, players: Mapping[int, Player]) -> Markup:
    """The owners of the lines, the events in force, and everybody's money."""
    names = {seat: player.name for seat, player in players.items()}
    who = _LEGEND.format(_joined(_who(view, seat, player) for seat, player in players.items()))
    in_force = [_event(event, names) for event in view["events"]]
    events = _EVENTS.format(m("Events in force"), _joined(in_force)) if in_force else Markup("")
    steps = money_steps({seat: view["players"][str(seat)] for seat in players})
    return (
        who
        + events
        + _MONEY.format(_TURNS, _TURNS, line_chart(steps, players))
        + _SIGNS.format(m("What the map shows"), _SIGNS_SAY)
    )


def _who(view: JsonObject, seat: int, player: Player) -> Markup:
    told = view["players"][str(seat)]
    turn = " eb-turn" if seat == view["seat"] else ""
    wanted = RULES.match.majors_to_win
    cities = m("{joined} of {wanted} cities", joined=len(told["majors"]), wanted=wanted)
    money = m("{cash} of {goal}", cash=told["cash"], goal=view["goal"])
    if told["owed"]:
        money = joined(", ", [money, words.owes_words(told)])
    return _WHO.format(
        player.colour, turn, seat_mark(player.shape), sample(seat, player), player.name, money, cities
    )


def _event(event: JsonObject, names: Mapping[int, str]) -> Markup:
    kind = event["card"].split("-")[1]
    return _EVENT.format(kind, event["title"], event["text"], words.event_lasts(event, names))


def money_steps(seats: Mapping[int, JsonObject]) -> list[Step]:
    """Everybody's cash at the start, after each turn, and now.

    >>> money_steps({1: {"history": [45, 30], "cash": 30}, 2: {"history": [40], "cash": 38}})[1:]
    [Step(label='1', totals={1: 45, 2: 40}), Step(label='2', totals={1: 30, 2: 38})]
    """
    most = max(len(told["history"]) for told in seats.values())
    paths = {seat: [RULES.money.start, *told["history"]] for seat, told in seats.items()}
    return [
        Step(
            str(turn),
            {seat: path[turn] if turn < len(path) else seats[seat]["cash"] for seat, path in paths.items()},
        )
        for turn in range(most + 1)
    ]


# --- one seat ---


def progress(view: JsonObject, seat: int) -> Markup:
    """Connected major cities, money on the way to the goal, the train."""
    told = view["players"][str(seat)]
    cities = [city.name for city in marked_board(view["board"]["corrections"]).majors]
    marks = _joined(
        _CITY.format("on" if city in told["majors"] else "off", city, short_name(city)) for city in cities
    )
    share = f"{min(100, 100 * told['cash'] / view['goal']):.1f}"
    train = words.train_words(told)
    majors = m("Major cities: {cities}", cities=words.majors_words(told))
    money = m("{cash} of {goal} million", cash=told["cash"], goal=view["goal"])
    return _PROGRESS.format(line_sample(seat), majors, marks, money, share, train)


def short_name(city: str) -> str:
    """A city in two or three letters.

    >>> short_name("Mexico City"), short_name("Seattle")
    ('MC', 'SEA')
    """
    parts = city.split()
    return "".join(part[0] for part in parts) if len(parts) > 1 else city[:3].upper()


def hand(cards: Sequence[JsonObject]) -> Markup:
    """Demand cards, which lie open."""
    if not cards:
        return Markup("")
    return _HAND.format(_joined(_card(card) for card in cards))


def orders(cards: Sequence[JsonObject]) -> Markup:
    """Demand cards in as few words as can be, for a screen across the room."""
    if not cards:
        return Markup("")
    found = (
        _ORDER.format(payout, LOAD_WORDS[load], city)
        for card in cards
        for city, load, payout in card["demands"]
    )
    return _ORDERS.format(_joined(found))


def _card(card: JsonObject) -> Markup:
    lines = (_LINE.format(words.demand_words(demand)) for demand in card["demands"])
    return _CARD.format(m("Demand card {card}", card=card["card"]), _joined(lines))
