"""What a match has come to: its scores, and what can never be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from companion.core.jsontext import JsonObject
from companion.core.messages import Seat
from companion.games.spike.rules.boards.board import Board
from companion.games.spike.rules.match.scoring import Final, final, joined_to, places, row
from companion.games.spike.rules.match.state import Player, State
from companion.games.spike.rules.moves.rail_cards import suits_of
from companion.games.spike.rules.moves.trains import contract_of, goods_of
from companion.games.spike.rules.rulebook import BOOK, TIME


def scores(state: State) -> list[JsonObject]:
    """Best first. The routes are secret until the end, so until then only the money counts."""
    board = state.options.on
    ranked = places(_finals(state, board))
    return [
        {
            **row(board, place, one),
            "route_cities": one.route.cities if one.route else [],
            **_earned(state, state.players[one.seat]),
        }
        for place, one in ranked
    ]


def _earned(state: State, player: Player) -> JsonObject:
    """The sources of a player's money, which a scorekeeper does not know."""
    if state.mode == "scorekeeper":
        return {}
    contracts = state.options.pack.contracts
    delivered = [(contracts[held.name], held.delivered) for held in player.contracts if held.delivered]
    return {
        "market": player.scored,
        "deliveries": [
            {"good": contract.contract, "city": city, "pays": contract.pays[city]}
            for contract, city in delivered
        ],
        "upgrades": player.train.spent if player.train else 0,
    }


def _finals(state: State, board: Board) -> Iterator[Final]:
    shown = state.finished or state.mode == "scorekeeper"
    for seat, player in state.players.items():
        card = state.options.pack.routes[player.route] if player.route and shown else None
        yield final(board, seat, player.money, player.tracks, card)


# --- what can never be ---


def faults(state: State) -> list[str]:
    """The invariants: cards, money, pieces, chips, tokens are conserved. No sentence tells a hidden card."""
    found = [] if state.mode == "scorekeeper" else [*_card_faults(state), *_market_faults(state)]
    found += _track_faults(state)
    if state.mode == "umpire":
        for seat, player in state.players.items():
            found += [f"{Seat(seat)}: {fault}" for fault in _player_faults(state, player)]
    return found


def _failed(checks: dict[str, bool]) -> list[str]:
    return [fault for fault, holds in checks.items() if not holds]


def _card_faults(state: State) -> list[str]:
    if not state.by_box:
        return []
    each = BOOK.rails_of_a_suit(len(state.players))
    lying = Counter((*state.deck, *state.shown))
    hands = [player.hand for player in state.players.values()]
    counts = [
        lying[suit] + state.discards[number] + sum(hand[number] for hand in hands)
        for number, suit in enumerate(suits_of(state))
    ]
    times = BOOK.time_cards if state.round == BOOK.rounds else state.times
    return _failed(
        {
            f"there are not {each} rail cards of each suit": all(count == each for count in counts),
            "the time cards do not add up": lying[TIME] + state.times == times,
            "too many cards are face up": len(state.shown) <= BOOK.shown,
            "a number of cards is below 0": min(map(min, (*hands, state.discards))) >= 0,
            "a hand is not as big as its count": all(
                sum(player.hand) == player.held for player in state.players.values()
            ),
            "a route card is there twice": _all_different(
                card for player in state.players.values() for card in (player.route, *player.offered) if card
            ),
        }
    )


def _all_different(things: Iterator[str]) -> bool:
    return max(Counter(things).values(), default=1) == 1


def _market_faults(state: State) -> list[str]:
    chips = sorted(chip for column in state.market for chip in column)
    declared = state.phase != "declare"
    goods = [good for player in state.players.values() for good in goods_of(state, player)]
    return _failed(
        {
            "the market does not hold every chip once": not declared
            or chips == sorted(state.options.on.goods),
            "two contracts are for the same good": _all_different(iter(goods)),
            "contracts are missing": not declared
            or (bool(state.out) and not state.by_box)
            or sorted(goods) == sorted(state.options.on.goods),
        }
    )


def _track_faults(state: State) -> list[str]:
    built = Counter(name for player in state.players.values() for name in player.tracks)
    alone = state.options.segments == "exclusive" and state.mode == "umpire"
    return _failed(
        {
            "track is laid where there is none": set(built) <= set(state.options.on.tracks),
            "two players have track on the same segment": not alone or max(built.values(), default=1) == 1,
        }
    )


def _player_faults(state: State, player: Player) -> list[str]:
    board, train = state.options.on, player.train
    checks = {
        "more track than there are pieces": player.pieces >= 0,
        "the network is in pieces": _in_one_piece(board, player),
        "money that came from nowhere": player.money == _ledger(state, player),
        "money below 0": player.money >= 0,
        "two deliveries to the same city": _all_different(
            held.delivered for held in player.contracts if held.delivered
        ),
    }
    if train is not None:
        checks |= {
            "too much aboard": len(train.aboard) <= train.cargo,
            "a good aboard that is not waiting for delivery": all(
                (held := contract_of(state, player, good)) is not None and held.delivered is None
                for good in train.aboard
            ),
            "a good is aboard twice": _all_different(iter(train.aboard)),
            "the train is not on its own network": train.at in player.tracks or train.at in board.cities,
        }
    return _failed(checks)


def _in_one_piece(board: Board, player: Player) -> bool:
    if not player.tracks:
        return True
    touched = {end for name in player.tracks for end in board.tracks[name].track}
    return joined_to(board, player.tracks, next(iter(touched))) == touched


def _ledger(state: State, player: Player) -> int:
    """What the player should have: market and deliveries, less upgrades."""
    earned = _earned(state, player)
    delivered: int = sum(delivery["pays"] for delivery in earned["deliveries"])
    spent: int = earned["upgrades"]
    return player.scored + delivered - spent
