"""What a match has come to: scores, places, the view for the pages, and what can never be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from companion.core.jsontext import JsonObject, builtins_of
from companion.core.messages import Seat, m
from companion.games.empire_builder.rules.boards.board import Board, map_mark
from companion.games.empire_builder.rules.boards.position import city_problems
from companion.games.empire_builder.rules.boards.tracks import (
    connected_majors,
    edges_of,
    groups,
    searched_groups,
)
from companion.games.empire_builder.rules.match.state import Player, State, hand_of, supply
from companion.games.empire_builder.rules.match.turns import has_won
from companion.games.empire_builder.rules.moves.borrowing import credit
from companion.games.empire_builder.rules.moves.moving import half_rate
from companion.games.empire_builder.rules.moves.trips import stuck
from companion.games.empire_builder.rules.rulebook import RULES
from companion.sheets.decks import missing_cards

# --- scores ---


def scores(state: State) -> list[JsonObject]:
    """The winner first, then by cash less what is owed; equal totals share a place."""
    rows = [_row(state, seat, player) for seat, player in state.players.items()]
    rows.sort(key=lambda row: (row["seat"] != state.winner, -row["total"], row["seat"]))
    for row in rows:
        ahead = [other for other in rows if _before(state, other, row)]
        row["place"] = 1 + len(ahead)
    return rows


def _before(state: State, one: JsonObject, other: JsonObject) -> bool:
    if state.winner in (one["seat"], other["seat"]):
        return bool(one["seat"] == state.winner and other["seat"] != state.winner)
    return bool(one["total"] > other["total"])


def _row(state: State, seat: int, player: Player) -> JsonObject:
    majors = connected_majors(state.board, player.linked)
    return {
        "seat": seat,
        "place": 0,
        "total": player.cash - player.owed,
        "majors": [city.name for city in majors],
        "won": state.winner == seat,
        "lines": _lines(state, seat, player, len(majors)),
        "ledger": builtins_of(player.ledger),
        **({} if state.options.borrow == "never" else {"owed": player.owed}),
    }


def _lines(state: State, seat: int, player: Player, majors: int) -> list[str]:
    wanted = RULES.match.majors_to_win
    ledger = player.ledger
    lines = [
        m("{majors} of {wanted} major cities connected", majors=majors, wanted=wanted),
        m(
            "{start} at the start, {payouts} for deliveries, {rent_had} rent received",
            start=ledger.start,
            payouts=ledger.payouts,
            rent_had=ledger.rent_had,
        ),
        m("{track} for track, {trains} for trains", track=ledger.track, trains=ledger.trains),
        m("{rent_paid} rent paid, {tax} tax", rent_paid=ledger.rent_paid, tax=ledger.tax),
    ]
    if ledger.borrowed:
        lines.append(
            m(
                "{borrowed} borrowed, {repaid} paid back, {owed} still owed",
                borrowed=ledger.borrowed,
                repaid=ledger.repaid,
                owed=ledger.owed,
            )
        )
    if ledger.counted:
        lines.append(m("{counted} as counted on the table", counted=f"{ledger.counted:+}"))
    if seat in state.qualified or state.winner == seat:
        lines.append(
            m("has {goal} million and {wanted} major cities", goal=state.goal, wanted=wanted)
            if has_won(state, seat)
            else m(
                "had {goal} million and {wanted} major cities at the end of a turn: what is lost "
                "later in that round does not count against it",
                goal=state.goal,
                wanted=wanted,
            )
        )
    if ledger.owed:
        return [*lines, m("{cash} million less {owed} owed to the bank", cash=player.cash, owed=ledger.owed)]
    return [*lines, m("{cash} million", cash=player.cash)]


# --- what everybody sees ---


def table_view(state: State) -> JsonObject:
    """The whole match for the pages; edges and mileposts by number, as ``board_view`` lists them."""
    return {
        "mode": state.mode,
        "board": {"name": state.board.data.name, "corrections": map_mark(state.options.map)},
        "round": state.round,
        "seat": None if state.finished else state.seat,
        "order": list(state.order),
        "goal": state.goal,
        "finished": state.finished,
        "winner": state.winner,
        "qualified": list(state.qualified),
        "turn": {
            **builtins_of(state.turn),
            "building_only": state.building_only,
            "left": RULES.building.a_turn - state.turn.spent,
        },
        "players": {str(seat): _player_view(state, seat) for seat in state.players},
        "track": {str(seat): edges_of(state.track, seat) for seat in state.players},
        "supply": supply(state),
        "events": [_event_view(state, number) for number in range(len(state.in_force))],
        "effects": _effects_view(state),
        "losing": {str(seat): count for seat, count in state.losing.items()},
        "deck": len(state.deck),
        "stuck": stuck(state),
        "scores": scores(state),
    }


def _player_view(state: State, seat: int) -> JsonObject:
    player = state.players[seat]
    train, card = player.train, player.train.card
    return {
        "cash": player.cash,
        "owed": player.owed,
        "credit": credit(state, seat),
        "ledger": builtins_of(player.ledger),
        "history": list(player.history),
        "lost_turns": player.lost_turns,
        "train": {
            **builtins_of(train),
            "title": card.title,
            "speed": card.speed,
            "half": half_rate(card.speed),
            "capacity": card.loads,
            "city": _city_name(state, train.at),
        },
        "majors": [city.name for city in connected_majors(state.board, player.linked)],
        "hand": [builtins_of(demand) for demand in hand_of(state, seat)],
    }


def _city_name(state: State, at: int | None) -> str | None:
    city = None if at is None else state.board.city_at[at]
    return city.name if city else None


def _event_view(state: State, number: int) -> JsonObject:
    lasting = state.in_force[number]
    event = state.events[lasting.card]
    return {
        "card": event.card,
        "title": event.title,
        "text": event.text,
        "drawn_by": lasting.seat,
        "until_round": lasting.round,
    }


def _effects_view(state: State) -> JsonObject:
    effects = state.effects
    return {
        "half_rate": sorted(effects.half_rate),
        "no_entry": sorted(effects.no_entry),
        "no_building": sorted(effects.no_building),
        "flooded": sorted(effects.flooded),
        "strikes": sorted(effects.strikes),
    }


def board_view(board: Board) -> JsonObject:
    """The board for the pages: asked for once, it never changes in a match."""
    return {
        "name": board.data.name,
        "mileposts": list(board.names),
        "terrain": list(board.terrain),
        "price": list(board.price),
        "edges": [list(edge) for edge in board.edges],
        "surcharge": list(board.surcharge),
        "red": [number for number, red in enumerate(board.red) if red],
        "rivers": {river: list(edges) for river, edges in board.river_edges.items()},
        "cities": [
            {
                "name": city.name,
                "size": city.size,
                "mileposts": list(city.mileposts),
                "loads": list(city.loads),
            }
            for city in board.cities.values()
        ],
    }


# --- what can never be ---


def faults(state: State) -> list[str]:
    """The invariants of a match."""
    found = track_faults(state)
    return [*found, *umpire_faults(state)] if state.mode == "umpire" else found


def track_faults(state: State) -> list[str]:
    """Faults where the groups kept in the state differ from those of the track."""
    board, seats = state.board, set(state.players)
    found: list[str] = []
    if any(board.red[edge] or seat not in seats for edge, seat in state.track.items()):
        found.append("there is track in a red area, or of nobody")
    for seat, player in state.players.items():
        if groups(player.linked) != searched_groups(board, edges_of(state.track, seat)):
            found.append(f"{Seat(seat)}: what hangs together is not what was built")
    return found


def umpire_faults(state: State) -> Iterator[str]:
    """Faults in cards, money, chips, trains and the limits of the turn."""
    yield from city_problems(state.board, state.track)
    if state.box_deals:
        yield from _card_faults(state)
    yield from _money_faults(state)
    yield from _turn_faults(state)
    for load, left in supply(state).items():
        if left < 0:
            yield f"more {load} is under way than there are chips"
    for seat, player in state.players.items():
        if len(player.train.loads) > player.train.card.loads:
            yield f"{Seat(seat)}: the train carries too much"
    flooded = set(state.effects.flooded)
    if flooded.intersection(state.track):
        yield "there is a bridge over a river in flood"


def _card_faults(state: State) -> Iterator[str]:
    hands = [player.hand for player in state.players.values()]
    in_force = [event.card for event in state.in_force]
    yield from missing_cards([*state.cards, *state.events], state.deck, state.discards, in_force, *hands)
    if any(len(hand) != RULES.match.hand for hand in hands):
        yield "somebody does not hold three demand cards"


def _money_faults(state: State) -> Iterator[str]:
    had = Counter[str]()
    for seat, player in state.players.items():
        had.update({"had": player.ledger.rent_had, "paid": player.ledger.rent_paid})
        if player.cash < 0:
            yield f"{Seat(seat)} has spent more than it had"
        if not 0 <= player.owed <= RULES.borrowing.most * RULES.borrowing.owed_for_each:
            yield f"{Seat(seat)} owes the bank what cannot be owed"
        if player.ledger.borrowed and state.options.borrow == "never":
            yield f"{Seat(seat)} has borrowed where that was not agreed on"
    if had["had"] != had["paid"]:
        yield "the rent that was paid is not the rent that was had"


def _turn_faults(state: State) -> Iterator[str]:
    turn, speed = state.turn, state.players[state.seat].train.card.speed
    if turn.spent > RULES.building.a_turn or turn.out_of_majors > RULES.building.out_of_majors:
        yield "more was built in this turn than may be"
    if turn.moved > speed or (turn.slowed and turn.moved > half_rate(speed)):
        yield "the train has run further than it can"
    if turn.upgraded and turn.spent:
        yield "in one turn track was built and the train upgraded"
    if set(state.losing) - set(state.players):
        yield "somebody loses a load who is not in the match"
