"""Trains: where they may move, what they may load, dump and deliver, and what an upgrade costs."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.spike.rules.boards.board import Board
from companion.games.spike.rules.match.state import Held, Options, Player, State, Train
from companion.games.spike.rules.moves.builds import network_places
from companion.games.spike.rules.rulebook import BOOK, PARTS, Part


def reachable(options: Options, player: Player, steps: int) -> dict[str, int]:
    """The cities and tracks within so many spaces of a train, with their distances (label correction).

    A train stops in a city it enters. It may skip one instead, going straight on to a track behind it.
    """
    if player.train is None:
        return {}
    found = {player.train.at: 0}
    waiting = [player.train.at]
    for here in waiting:
        if here in options.on.cities and here != player.train.at:
            continue
        for there, spaces in _next_spaces(options, player, here):
            taken = found[here] + spaces
            if taken <= steps and taken < found.get(there, steps + 1):
                found[there] = taken
                waiting.append(there)
    del found[player.train.at]
    return found


def _next_spaces(options: Options, player: Player, here: str) -> Iterator[tuple[str, int]]:
    board, own = options.on, set(player.tracks)
    if here in board.cities:
        yield from ((way.track, 1) for way in board.ways[here] if way.track in own)
        return
    for end in board.tracks[here].track:
        ahead = [way.track for way in board.ways[end] if way.track in own and way.track != here]
        if end not in board.cities:
            yield from ((track, 1) for track in ahead)
            continue
        yield end, 1
        skipping = 2 if options.skipped_city == "counts" else 1
        yield from ((track, skipping) for track in ahead)


def in_city(board: Board, train: Train | None) -> str | None:
    """The city a train stands in."""
    return train.at if train is not None and train.at in board.cities else None


def contract_of(state: State, player: Player, good: str) -> Held | None:
    """The player's contract for a good."""
    contracts = state.options.pack.contracts
    return next((held for held in player.contracts if contracts[held.name].contract == good), None)


def goods_of(state: State, player: Player) -> list[str]:
    """The goods a player has contracts for."""
    return [state.options.pack.contracts[held.name].contract for held in player.contracts]


def loadable(state: State, player: Player) -> str | None:
    """The good that the train could take in its city if it has room."""
    city = in_city(state.options.on, player.train)
    if city is None or player.train is None:
        return None
    good = state.options.on.cities[city].good
    held = contract_of(state, player, good)
    wanted = held is not None and held.delivered is None and good not in player.train.aboard
    return good if wanted else None


def has_room(train: Train) -> bool:
    """True if a freight car is empty."""
    return len(train.aboard) < train.cargo


def deliverable(state: State, player: Player) -> list[str]:
    """The goods that can be delivered where the train is."""
    city = in_city(state.options.on, player.train)
    if city is None or player.train is None or city in player.delivered_to:
        return []
    return [good for good in player.train.aboard if price_of(state, player, good, city) is not None]


def price_of(state: State, player: Player, good: str, city: str) -> int | None:
    """What a delivery would bring; nothing where the player's contract does not name the city."""
    held = contract_of(state, player, good)
    if held is None or held.delivered is not None:
        return None
    return state.options.pack.contracts[held.name].pays.get(city)


def upgrades(player: Player) -> Iterator[Part]:
    """The parts whose next upgrade a player can pay for."""
    if player.train is not None:
        for part in PARTS:
            cost = BOOK.upgrade_cost(player.train.level(part))
            if cost is not None and cost <= player.money:
                yield part


def has_nothing_left(state: State, player: Player) -> bool:
    """True if all track is placed and the network allows no further delivery."""
    return player.pieces == 0 and not any(_still_possible(state, player, held) for held in player.contracts)


def _still_possible(state: State, player: Player, held: Held) -> bool:
    if held.delivered is not None:
        return False
    board, contract = state.options.on, state.options.pack.contracts[held.name]
    mine = network_places(board, player)
    aboard = player.train is not None and contract.contract in player.train.aboard
    supplied = aboard or any(city in mine for city in board.suppliers[contract.contract])
    return supplied and any(city in mine and city not in player.delivered_to for city in contract.pays)
