"""What lies in front of a player of SPIKE: train, contracts, route; and what lies beside the map."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.jsontext import JsonObject
from companion.core.messages import joined, listed, m, nm
from companion.games.spike.rules.rulebook import BOOK, PARTS
from companion.games.spike.rules.words import good_words, suit_words
from companion.games.spike.ui import art
from companion.games.spike.ui.words import near_cities, place_words
from web.ui.speaking import Markup

_SIGNS = {"speed": "▸", "power": "▮", "cargo": "□"}
_TILES = {"speed": m("Speed"), "power": m("Power"), "cargo": m("Cargo")}
_STATES = {"delivered": m("delivered"), "aboard": m("aboard"), "open": m("open")}


def _list(name: str, label: str, lines: list[Markup]) -> Markup:
    return Markup('<ul class="{}" aria-label="{}">{}</ul>').format(name, label, Markup("").join(lines))


# --- a seat ---


def panel(view: JsonObject, seat: int) -> Markup:
    """The train and the goods to deliver, small enough for the table's screen."""
    player = view["seats"][str(seat)]
    train = player["train"]
    parts = [
        train_strip(view, train) if train else Markup(""),
        _goods(view, player) if player["contracts"] else Markup(""),
        Markup('<p class="counts">{}</p>').format(counts_words(view, player)),
    ]
    look = "rail-seat turn" if view["turn"] == seat else "rail-seat"
    return Markup('<div class="{}">{}</div>').format(look, Markup("").join(parts))


def counts_words(view: JsonObject, player: JsonObject) -> str:
    """How much there is of what can be counted."""
    words = [
        nm("{n} city", "{n} cities", len(player["cities"])),
        nm("{n} track remaining", "{n} tracks remaining", player["tracks_left"]),
    ]
    if view["mode"] == "umpire":
        words.append(nm("{n} card", "{n} cards", player["cards"]))
    return joined(" · ", words)


def train_strip(view: JsonObject, train: JsonObject) -> Markup:
    """The three parts of a train, and where it is."""
    tiles = [_tile(view, train, part) for part in PARTS]
    plan, at = view["map"], train["at"]
    in_city = at in plan["cities"]
    return Markup('{}<p class="at-place">{}</p>').format(
        _list("train-tiles", m("Train"), tiles),
        m("In {city}", city=place_words(plan, at))
        if in_city
        else m("In motion on the track between {names}", names=listed(near_cities(plan, at))),
    )


def _tile(view: JsonObject, train: JsonObject, part: str) -> Markup:
    level = train[part]
    inside = Markup(_SIGNS[part] * level)
    if part == "cargo":
        aboard = [_aboard(good) for good in train["aboard"]]
        inside = Markup("").join([*aboard, *[Markup('<i class="car"></i>')] * (level - len(aboard))])
    aboard_words = _aboard_words(view, train) if part == "cargo" else ""
    name = _TILES[part]
    return Markup(
        '<li><span class="sr">{} {}: </span><b aria-hidden="true">{}</b>{}<span>{}</span></li>'
    ).format(name, level, inside, aboard_words, name)


def _aboard(name: str) -> Markup:
    return Markup('<i class="car full">{}</i>').format(art.good(name))


def _aboard_words(view: JsonObject, train: JsonObject) -> Markup:
    names = joined(", ", [good_words(view["map"]["goods"][good]) for good in train["aboard"]]) or m("empty")
    return Markup('<span class="sr">{}</span>').format(names)


def _goods(view: JsonObject, player: JsonObject) -> Markup:
    return _list("freight", m("Contracts"), [_freight(view, contract) for contract in player["contracts"]])


def contract_state(contract: JsonObject) -> str:
    """The state of a contract: delivered, aboard or open."""
    return "delivered" if contract["delivered"] else "aboard" if contract["aboard"] else "open"


def _freight(view: JsonObject, contract: JsonObject) -> Markup:
    state = contract_state(contract)
    words = joined(": ", [good_words(view["map"]["goods"][contract["good"]]), _STATES[state]])
    return Markup('<li class="{}" title="{}">{}<span class="sr">{}</span></li>').format(
        state, words, art.good(contract["good"]), words
    )


def papers(view: JsonObject, seat: int) -> Markup:
    """Contracts with what they pay, and the route card if it may be seen."""
    player = view["seats"][str(seat)]
    contracts = [contract_card(view, contract) for contract in player["contracts"]]
    own = view.get("own_route") if view["you"] == seat else None
    route = own or player["route_card"]
    return Markup("").join(
        [
            _list("contracts", m("Contracts"), contracts) if contracts else Markup(""),
            route_card(view, route, m("My route") if own and not view["finished"] else m("Route"))
            if route
            else Markup(""),
        ]
    )


def contract_card(view: JsonObject, contract: JsonObject) -> Markup:
    """A contract: the good, and what each city pays; what is gone is crossed out."""
    state = contract_state(contract)
    lines = [
        Markup('<li class="{}" data-cells="{}"><span>{}</span><b>${}</b></li>').format(
            _pay_state(contract, city), city, place_words(view["map"], city), dollars
        )
        for city, dollars in contract["pays"].items()
    ]
    name = good_words(view["map"]["goods"][contract["good"]])
    return Markup('<li class="contract {}"><h3>{}{}<small>{}</small></h3>{}</li>').format(
        state,
        art.good(contract["good"]),
        name,
        "" if state == "open" else _STATES[state],
        _list("pays", name, lines),
    )


_MOST_PAID = 2  # cities that are named beside a contract


def orders(view: JsonObject, seat: int) -> Markup:
    """The open contracts in few words, for a screen across the room: what is aboard comes first."""
    contracts = [one for one in view["seats"][str(seat)]["contracts"] if one["open"]]
    lines = [
        Markup('<li class="{}">{}{}</li>').format(
            contract_state(contract), art.good(contract["good"]), _best_paying(view, contract)
        )
        for contract in sorted(contracts, key=lambda one: not one["aboard"])
    ]
    return Markup('<ul class="rail-orders">{}</ul>').format(Markup("").join(lines)) if lines else Markup("")


def _best_paying(view: JsonObject, contract: JsonObject) -> Markup:
    pays = contract["pays"]
    best = sorted(contract["open"], key=lambda city: -pays[city])[:_MOST_PAID]
    return Markup(", ").join(
        Markup("{} <b>${}</b>").format(place_words(view["map"], city), pays[city]) for city in best
    )


def _pay_state(contract: JsonObject, city: str) -> str:
    if contract["delivered"]:
        return "paid" if contract["delivered"] == city else "gone"
    return "open-city" if city in contract["open"] else "gone"


def route_card(view: JsonObject, route: JsonObject, title: str) -> Markup:
    """A route card: the start, and what the others are worth."""
    lines = [
        Markup('<li data-cells="{}"><span>{}</span><b>${}</b></li>').format(
            city, place_words(view["map"], city), dollars
        )
        for city, dollars in route["pays"].items()
    ]
    start = place_words(view["map"], route["start"])
    return Markup('<div class="route-card"><h3 data-cells="{}">{}</h3>{}</div>').format(
        " ".join((route["start"], *route["pays"])),
        m("{title}: from {city}", title=title, city=start),
        _list("pays", title, lines),
    )


# --- beside the map ---


def beside_map(view: JsonObject) -> Markup:
    """Market, the row of cards, rounds."""
    parts = [market(view) if view["market"] else Markup(""), _tableau(view), _rounds(view)]
    return Markup('<div class="rail-table">{}</div>').format(Markup("").join(parts))


def market(view: JsonObject) -> Markup:
    """The chips in their rows."""
    goods = view["map"]["goods"]
    rows = [
        Markup('<tr><th scope="row">${}</th>{}</tr>').format(
            dollars,
            Markup("").join(
                Markup("<td>{}<span>{}</span></td>").format(
                    art.good(column[row]), good_words(goods[column[row]])
                )
                for column in view["market"]
            ),
        )
        for row, dollars in enumerate(view["prices"])
    ]
    return Markup('<table class="market"><caption>{}</caption><tbody>{}</tbody></table>').format(
        m("Commodity market"), Markup("").join(rows)
    )


def _tableau(view: JsonObject) -> Markup:
    if view["mode"] != "umpire" or view["options"]["deal"] != "box":
        return Markup("")
    suits = suits_of(view)
    cards = [
        Markup("<li>{}</li>").format(art.rail_card(suits[name], suit_words(name))) for name in view["shown"]
    ]
    return Markup('<div class="tableau"><h2>{}</h2>{}<p>{}</p></div>').format(
        m("Face up"),
        _list("row-cards", m("Rail cards face up"), cards),
        m("Deck {deck} · discarded {discarded}", deck=view["deck"], discarded=sum(view["discards"].values())),
    )


def suits_of(view: JsonObject) -> Mapping[str, JsonObject]:
    """The suits of the match by name."""
    return {suit["suit"]: suit for suit in view["map"]["suits"]}


def _rounds(view: JsonObject) -> Markup:
    if view["mode"] != "umpire":
        return Markup("")
    rounds = [
        Markup('<li class="{}"{}>{}</li>').format(
            "now" if number == view["round"] else "past" if number < view["round"] else "",
            Markup(' aria-current="step"') if number == view["round"] else "",
            number,
        )
        for number in range(1, view["rounds"] + 1)
    ]
    times = (
        m("Time cards out: {out} of {all}", out=view["time_cards"], all=BOOK.time_cards)
        if view["round"] == view["rounds"]
        else ""
    )
    return Markup('<div class="rounds"><h2>{}</h2>{}<p>{}</p></div>').format(
        m("Round"),
        Markup("<ol>{}</ol>").format(Markup("").join(rounds)),
        times,
    )
