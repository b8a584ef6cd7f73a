"""A position in JSON: who has track where, and as much of the rest as is known. See the README."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

import msgspec

from companion.core.errors import NotationError, quoted
from companion.core.jsontext import JsonObject, builtins_of, shaped
from companion.core.records import replaced
from companion.games.spike.rules.boards.board import SHIPPED, Board
from companion.games.spike.rules.match.scoring import Final, explain, final, places, row
from companion.games.spike.rules.match.state import (
    Held,
    Options,
    Player,
    Reach,
    Rejoin,
    Segments,
    SkippedCity,
    State,
    Train,
)
from companion.games.spike.rules.moves.builds import connected_cities
from companion.games.spike.rules.moves.market import Market, market_fault
from companion.games.spike.rules.rulebook import BOOK

SEATS = (1, 4)  # a position may be one player's alone
Dollars = Annotated[int, msgspec.Meta(ge=0, le=999)]
CardCount = Annotated[int, msgspec.Meta(ge=0, le=60)]


class PositionJson(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What may stand in a position; only ``tracks`` must."""

    tracks: dict[str, list[str]]
    money: dict[str, Dollars] = {}
    routes: dict[str, str] = {}
    trains: dict[str, Train] = {}
    contracts: dict[str, list[str | Held]] = {}
    hands: dict[str, dict[str, CardCount]] = {}
    held: dict[str, CardCount] = {}
    market: Market = ()
    turn: int = 0
    board: str = SHIPPED[0]
    cards: str = SHIPPED[0]
    segments: Segments = "exclusive"
    skipped_city: SkippedCity = "free"
    reach: Reach = "one"
    rejoin: Rejoin = "no"
    id: str | int | None = None

    @property
    def options(self) -> Options:
        """The rules it is to be judged by."""
        return Options(
            board=self.board,
            cards=self.cards,
            deal="table",
            segments=self.segments,
            skipped_city=self.skipped_city,
            reach=self.reach,
            rejoin=self.rejoin,
        )


def read_position(value: JsonObject) -> State:
    """The state that a position describes; what cannot be is a :class:`NotationError`."""
    said = shaped(value, PositionJson)
    named = {name for part in (said.tracks, said.money, said.routes, said.trains) for name in part}
    named |= {name for part in (said.contracts, said.hands, said.held) for name in part}
    wrong = next((name for name in sorted(named) if name not in {"1", "2", "3", "4"}), None)
    if wrong is not None or not named:
        raise NotationError("bad-seat", f"there is no seat {quoted(wrong or '')}: seats are 1 to {SEATS[1]}")
    seats = sorted(int(name) for name in named)
    options = said.options
    players = {seat: _player(said, options, seat) for seat in seats}
    _refuse_shared(options, players)
    market = said.market or _any_market(options.on)
    fault = market_fault(options.on, market)
    if fault is not None:
        raise NotationError(fault.code, fault.message)
    turn = said.turn or min(seats)
    if turn not in seats:
        raise NotationError(
            "bad-seat", f"it cannot be the turn of seat {turn}: the seats are {_words(seats)}"
        )
    return State("umpire", options, players, "play", first=turn, turn=turn, market=market)


def _words(seats: list[int]) -> str:
    return ", ".join(str(seat) for seat in seats)


def _any_market(board: Board) -> Market:
    """Chips in the order of the board file, where nobody says how they lie."""
    goods, rows = list(board.goods), len(BOOK.prices)
    return tuple(tuple(goods[n * rows : (n + 1) * rows]) for n in range(BOOK.columns))


def _player(said: PositionJson, options: Options, seat: int) -> Player:
    name = str(seat)
    tracks = read_tracks(options.on, said.tracks.get(name, []), seat)
    hand = _hand(options.on, said.hands[name], seat) if name in said.hands else ()
    player = Player(
        money=said.money.get(name, 0),
        tracks=tracks,
        hand=hand,
        held=sum(hand) if hand else said.held.get(name, BOOK.rails * BOOK.suits),
        contracts=tuple(_contract(options, held) for held in said.contracts.get(name, [])),
        route=options.pack.find_route(said.routes[name]).route if name in said.routes else None,
    )
    return replaced(player, train=_train(said, options.on, player, name))


def read_tracks(board: Board, names: list[str], seat: int) -> tuple[str, ...]:
    """Tracks by their names, said from either end."""
    tracks = tuple(board.find_track(name) for name in names)
    twice = next((track for track, count in Counter(tracks).items() if count > 1), None)
    if twice is not None:
        raise NotationError("twice", f"seat {seat} has the track {twice} twice")
    if len(tracks) > BOOK.tracks:
        raise NotationError(
            "too-many", f"seat {seat} has {len(tracks)} tracks: there are {BOOK.tracks} of each colour"
        )
    return tracks


def _refuse_shared(options: Options, players: dict[int, Player]) -> None:
    if options.segments == "shared":
        return
    owners: dict[str, int] = {}
    for seat, player in players.items():
        for track in player.tracks:
            if owners.setdefault(track, seat) != seat:
                message = (
                    f"the seats {owners[track]} and {seat} both have {track}: a segment is for one player"
                )
                raise NotationError("taken", message)


def _hand(board: Board, cards: dict[str, int], seat: int) -> tuple[int, ...]:
    unknown = next((suit for suit in cards if suit not in board.suits), None)
    if unknown is not None:
        raise NotationError(
            "unknown-suit",
            f"the hand of seat {seat} has {quoted(unknown)}: suits are {', '.join(board.suits)}",
        )
    return tuple(cards.get(suit, 0) for suit in board.suits)


def _contract(options: Options, held: str | Held) -> Held:
    contract = Held(held) if isinstance(held, str) else held
    card = options.pack.find_contract(contract.name)
    if contract.delivered is not None and contract.delivered not in card.pays:
        raise NotationError("not-named", f"{contract.name} does not name {quoted(contract.delivered)}")
    return contract


def _train(said: PositionJson, board: Board, player: Player, name: str) -> Train | None:
    given = said.trains.get(name)
    if given is None:
        home = connected_cities(board, player)
        return Train(home[0]) if home else None
    for part, values in BOOK.parts.items():
        if getattr(given, part) not in values:
            raise NotationError("bad-train", f"the {part} of a train is one of {_words(list(values))}")
    if len(given.aboard) > given.cargo:
        raise NotationError("bad-train", f"{len(given.aboard)} goods on {given.cargo} freight cars")
    at = given.at if given.at in board.cities else board.find_track(given.at)
    return replaced(given, at=at)


# --- writing ---


def print_position(state: State) -> JsonObject:
    """A state as a position: everything that lies open on the table.

    >>> print_position(read_position({"tracks": {"1": []}, "money": {"1": 3}}))["money"]
    {'1': 3}
    """
    players = {str(seat): player for seat, player in state.players.items()}
    written = PositionJson(
        tracks={seat: list(player.tracks) for seat, player in players.items()},
        money={seat: player.money for seat, player in players.items()},
        trains={seat: player.train for seat, player in players.items() if player.train},
        contracts={seat: list(player.contracts) for seat, player in players.items() if player.contracts},
        held={seat: player.held for seat, player in players.items()},
        market=state.market,
        turn=state.turn,
        board=state.options.board,
        cards=state.options.cards,
        segments=state.options.segments,
        skipped_city=state.options.skipped_city,
        reach=state.options.reach,
        rejoin=state.options.rejoin,
    )
    plain: JsonObject = builtins_of(written)
    return plain


# --- scoring ---


def _finals(state: State) -> list[tuple[int, Final]]:
    board, routes = state.options.on, state.options.pack.routes
    return places(
        final(board, seat, player.money, player.tracks, routes[player.route] if player.route else None)
        for seat, player in state.players.items()
    )


def score_position(value: JsonObject) -> JsonObject:
    """Every seat's money, route and place.

    >>> score_position({"tracks": {"1": []}, "money": {"1": 7}})["seats"][0]["total"]
    7
    """
    state = read_position(value)
    rows = [row(state.options.on, place, one) for place, one in _finals(state)]
    return {"seats": [{key: said for key, said in one.items() if key != "lines"} for one in rows]}


def explain_position(value: JsonObject) -> list[str]:
    """The score of a position as lines that people can follow."""
    state = read_position(value)
    board = state.options.on
    found: list[str] = []
    for place, one in _finals(state):
        found += [f"place {place}: seat {one.seat}", *(f"  {line}" for line in explain(board, one))]
    return found
