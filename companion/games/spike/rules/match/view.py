"""The match as a seat may see it: its own hand and route, and of the others only how many cards they hold."""

from __future__ import annotations

from functools import lru_cache

from companion.core.jsontext import JsonObject, builtins_of
from companion.core.records import replaced
from companion.game.base import Fact
from companion.games.spike.rules.boards.board import SHIPPED, Board, board_called
from companion.games.spike.rules.match.dealing import HIDDEN, dealt_so_far
from companion.games.spike.rules.match.results import scores
from companion.games.spike.rules.match.state import Player, State, right_of
from companion.games.spike.rules.moves.builds import connected_cities
from companion.games.spike.rules.moves.offers import city_offers
from companion.games.spike.rules.moves.rail_cards import suits_of
from companion.games.spike.rules.rulebook import BOOK
from companion.sheets.decks import concealed

# Keys of facts that only the acting seat (and for a card that was given, its receiver) may read.
HAND_KEY = "card"


@lru_cache(maxsize=8)
def map_view(board_name: str) -> JsonObject:
    """What never changes in a match: the board, its places in millimetres."""
    board = board_called(board_name)
    return {
        "title": board.heading.board,
        "size": list(board.heading.size),
        "suits": [builtins_of(suit) for suit in board.suits.values()],
        "goods": {name: good.name for name, good in board.goods.items()},
        "cities": {
            name: {"name": city.name, "good": city.good, "at": list(city.at)}
            for name, city in board.cities.items()
        },
        "points": {name: list(point.at) for name, point in board.points.items()},
        "tracks": {
            name: {"ends": list(track.track), "suit": track.suit, **_aside(board, name)}
            for name, track in board.tracks.items()
        },
    }


def _aside(board: Board, name: str) -> JsonObject:
    """The offset of a track beside others between the same places."""
    return {"aside": board.aside[name]} if name in board.aside else {}


def table_view(state: State, seat: int | None) -> JsonObject:
    """The whole match for the pages: what everybody sees, what this seat sees besides, and the scores."""
    own = _own_view(dealt_so_far(state), seat) if seat in state.players else {}
    return {**open_view(state), "you": seat, **own, "scores": scores(state)}


def open_view(state: State) -> JsonObject:
    """What lies open on the table."""
    state = dealt_so_far(state)
    return {
        "mode": state.mode,
        "options": _options(state),
        "map": map_view(state.options.board),
        "phase": state.phase,
        "turn": state.turn if state.phase in ("give", "place", "play") else None,
        "waiting": list(state.waiting),
        "round": state.round,
        "rounds": BOOK.rounds,
        "time_cards": state.times,
        "deck": len(state.deck),
        "shown": list(state.shown),
        "discards": dict(zip(suits_of(state), state.discards, strict=True)),
        "market": [list(column) for column in state.market],
        "prices": list(BOOK.prices),
        "moved": state.moved,
        "acted": state.acted,
        "drawing": state.drawing,
        "last_turns": state.last_turns,
        "finished": state.finished,
        "seats": {str(number): _seat_view(state, player) for number, player in state.players.items()},
    }


def _options(state: State) -> JsonObject:
    """An owner's whole file is not repeated in every view."""
    chosen: JsonObject = builtins_of(state.options)
    return {
        key: "own" if key in ("board", "cards") and value not in SHIPPED else value
        for key, value in chosen.items()
    }


def _seat_view(state: State, player: Player) -> JsonObject:
    board = state.options.on
    return {
        "money": player.money,
        "tracks": list(player.tracks),
        "tracks_left": player.pieces,
        "cities": connected_cities(board, player),
        "cards": player.held,
        "train": builtins_of(player.train) if player.train else None,
        "contracts": [_contract_view(state, player, held.name, held.delivered) for held in player.contracts],
        "route": player.route if state.finished else None,
        "route_card": _route_view(state, player.route) if state.finished else None,
    }


def _contract_view(state: State, player: Player, name: str, delivered: str | None) -> JsonObject:
    contract = state.options.pack.contracts[name]
    taken = player.delivered_to
    return {
        "name": name,
        "good": contract.contract,
        "pays": contract.pays,
        "delivered": delivered,
        "aboard": player.train is not None and contract.contract in player.train.aboard,
        "open": [] if delivered else [city for city in contract.pays if city not in taken],
    }


def _own_view(state: State, seat: int | None) -> JsonObject:
    """What is hidden from everybody else."""
    player = state.players[seat or 0]
    dealt = state.phase not in ("sides", "give")  # routes are dealt after the card to the right
    turn = state.phase == "play" and state.turn == seat and not state.acted
    return {
        "hand": dict(zip(suits_of(state), player.hand, strict=True)) if player.hand else None,
        "own_route": _route_view(state, player.route) if dealt else None,
        "offered": [_route_view(state, card) for card in player.offered] if dealt else [],
        "builds": _builds_view(state) if turn and state.mode == "umpire" else [],
    }


def _route_view(state: State, card: str | None) -> JsonObject | None:
    return {"start": card, "pays": state.options.pack.routes[card].pays} if card else None


def _builds_view(state: State) -> list[JsonObject]:
    """The cheapest builds to every city within reach, the best paying city first."""
    return [
        {
            "city": offer.city,
            "brings": offer.brings,
            "path": list(offer.path),
            "cards": offer.cost,
            "ways": [_spelled(state, way) for way in offer.ways],
        }
        for found in city_offers(state)
        for offer in found.offers
        if offer.cost == found.best.cost
    ]


def _spelled(state: State, counts: tuple[int, ...]) -> JsonObject:
    return {suit: count for suit, count in zip(suits_of(state), counts, strict=True) if count}


# --- events ---


def seen(state: State, fact: Fact, seat: int | None) -> Fact:
    """An event as a seat may see it. At the end everything may be seen."""
    if state.finished:
        return fact
    if fact.kind == "give" and seat is not None and seat in (fact.seat, right_of(state, state.first)):
        return fact
    shown = concealed(fact, *HIDDEN)
    if fact.kind in ("give", "route", "correct") and seat != fact.seat:
        return replaced(shown, data=_without_secrets(shown.data))
    if fact.kind == "correct":
        return replaced(shown, data={**shown.data, "data": _without(shown.data.get("data", {}), "chance")})
    return shown


def _without_secrets(data: JsonObject) -> JsonObject:
    """The data without the hidden card, also inside a correction."""
    inner = data.get("data")
    plain = {key: value for key, value in data.items() if key != HAND_KEY}
    return (
        {**plain, "data": _without_secrets(_without(inner, "chance"))} if isinstance(inner, dict) else plain
    )


def _without(data: JsonObject, name: str) -> JsonObject:
    return {key: value for key, value in data.items() if key != name}
