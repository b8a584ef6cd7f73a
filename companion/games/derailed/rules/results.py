"""What a match has come to: explained scores, the view for the pages, and what can never be."""

from __future__ import annotations

from collections import Counter

from companion.core.jsontext import JsonObject, builtins_of
from companion.core.messages import Seat, m, nm
from companion.games.derailed.rules.cards import deck_of
from companion.games.derailed.rules.columns import in_conflict
from companion.games.derailed.rules.moves import placements
from companion.games.derailed.rules.network import entered, lane_name, tracks
from companion.games.derailed.rules.rounds import arrival_points, new_arrivals, totals
from companion.games.derailed.rules.rulebook import HAND, ROUNDS, ROWS, Company
from companion.games.derailed.rules.state import Arrival, State, lanes_of
from companion.sheets.decks import missing_cards, shown_hands

# --- scores ---


def scores(state: State) -> list[JsonObject]:
    """Best first: the points, what each came from, and the lines that explain them; ties share a place."""
    points = totals(state)
    rows = [
        {
            "seat": seat,
            "place": 1 + sum(other > points[seat] for other in points.values()),
            "company": state.company(seat).letter,
            "rounds": [_round_row(state, seat, number) for number in range(1, state.round + 1)],
            "total": points[seat],
            "prospect": -cards_missing(state, seat),
            "lines": _lines(state, seat, points[seat]),
        }
        for seat in state.seats
    ]
    return sorted(rows, key=lambda row: (row["place"], row["seat"]))


def _round_row(state: State, seat: int, number: int) -> JsonObject:
    arrival = _arrival(state, seat, number)
    if arrival is None:
        return {"round": number, "points": 0}
    return {
        "round": number,
        **arrival_points(arrival),
        "path": list(arrival.path),
        "cell": arrival.cell,
        "by": arrival.by,
    }


def _arrival(state: State, seat: int, number: int) -> Arrival | None:
    return next((one for one in state.arrivals if (one.seat, one.round) == (seat, number)), None)


def _lines(state: State, seat: int, total: int) -> list[str]:
    company = state.company(seat)
    lines = []
    for number in range(1, state.round + 1):
        arrival = _arrival(state, seat, number)
        if arrival is not None:
            said = arrival_lines(company, list(arrival.path), arrival_points(arrival), arrival.turns)
            lines += [m("Round {number}: {line}", number=number, line=line) for line in said]
        elif number < state.round or state.phase in ("between", "over"):
            lines.append(m("Round {number}: {name} did not arrive: 0", number=number, name=company.name))
    return [*lines, m("Total: {total}", total=total)]


def arrival_lines(company: Company, path: list[str], points: JsonObject, turns: int) -> list[str]:
    """What an arrival brought, one rule a line."""
    said = {"name": company.name, "points": points["arrival"]}
    over = ", ".join(step.partition(":")[0] for step in path)
    lines: list[str] = [
        m("{name} arrives over {path}: {points}", **said, path=over)
        if path
        else m("{name} arrives: {points}", **said)
    ]
    if points["first"]:
        lines.append(m("the first to arrive: {points}", points=points["first"]))
    if turns:
        lines.append(
            nm("{n} later turn: {points}", "{n} later turns: {points}", turns, points=points["turns"])
        )
    return lines


def cards_missing(state: State, seat: int) -> int:
    """A lower bound on the cards a company still needs: the Manhattan distance; 0 when it has arrived."""
    if state.has_arrived(seat):
        return 0
    lanes, destination = len(state.starts), state.destination_lane(seat)
    places = (divmod(entered(place)[0], lanes) for place in state.area().reach(state.start_lane(seat)))
    return min(ROWS - row + abs(lane - destination) for row, lane in places)


# --- what everybody sees ---


def table_view(state: State, seat: int | None) -> JsonObject:
    """The match for the pages: everything open, one's own hand, and what it can do."""
    own = seat if seat in state.seats and state.dealt else None
    return {
        "mode": state.mode,
        "options": builtins_of(state.options),
        "round": state.round,
        "rounds": ROUNDS,
        "phase": state.phase,
        "finished": state.phase == "over",
        "turn": state.turn if state.phase in ("place", "take") else None,
        "companies": {str(one): builtins_of(state.company(one)) for one in state.seats},
        **_area_view(state),
        **shown_hands(state.hands, own),
        "deck": len(state.deck),
        "discards": dict(sorted(Counter(state.discards).items())),
        "arrived": [_arrival_view(state, arrival) for arrival in state.arrived],
        "needed": state.needed,
        "endings": list(state.endings),
        "open": _open_view(state, seat),
        "scores": scores(state),
        "you": seat,
    }


def _area_view(state: State) -> JsonObject:
    """The lanes, the cards on top, how many lie in each cell, and where each company's trains can go."""
    area = state.area()
    return {
        "lanes": lanes_of(state.starts, state.destinations),
        "swaps": [builtins_of(swap) for swap in state.swaps],
        "grid": state.cells,
        "stacks": {cell: len(stack) for cell, stack in state.grid.items()},
        "last": state.last,
        "reach": {str(seat): tracks(area, state.start_lane(seat)) for seat in state.seats},
    }


def _arrival_view(state: State, arrival: Arrival) -> JsonObject:
    points = arrival_points(arrival)
    return {
        "seat": arrival.seat,
        "first": arrival.first,
        "turns": arrival.turns,
        "points": points["points"],
        "path": list(arrival.path),
        "cell": arrival.cell,
        "by": arrival.by,
        "start": lane_name(state.start_lane(arrival.seat)),
        "destination": lane_name(state.destination_lane(arrival.seat)),
    }


def _open_view(state: State, seat: int | None) -> JsonObject:
    """The placements open to this seat: ``{"a1": ["TB", ..]}``; also while others are on turn."""
    waiting = state.mode == "umpire" and state.phase in ("place", "take")
    if seat not in state.seats or seat is None or not waiting or state.has_arrived(seat):
        return {}
    found: dict[str, list[str]] = {}
    for cell, face in placements(state, seat):
        found.setdefault(cell, []).append(face)
    return found


# --- what can never be ---


def faults(state: State) -> list[str]:
    """The invariants of a match."""
    return [*_card_faults(state), *_column_faults(state), *_round_faults(state), *_arrival_faults(state)]


def _card_faults(state: State) -> list[str]:
    deck = deck_of(state.options.tunnels)
    if not state.dealt:
        counted = Counter(state.laid)
        return [f"{counted[card]} cards {card}" for card in counted if counted[card] > deck[card]]
    hands = [
        f"{Seat(seat)} holds {len(hand)} cards" for seat, hand in state.hands.items() if len(hand) > HAND
    ]
    piles = (state.deck, state.discards, state.laid, *state.hands.values())
    return hands + missing_cards(deck.elements(), *piles)


def _column_faults(state: State) -> list[str]:
    companies = sorted(state.options.companies)
    if sorted(state.starts) != companies or sorted(state.destinations) != companies:
        return ["a column does not hold every company once"]
    conflicts = in_conflict(state.starts, state.destinations) if state.mode == "umpire" else []
    return [f"lane {lane} leads a company to itself" for lane in conflicts]


def _round_faults(state: State) -> list[str]:
    playing = state.mode == "umpire" and state.phase == "place"
    ended = state.round - 1 + (state.phase in ("between", "over"))
    checks = {
        f"round {state.round} is none of 1 to {ROUNDS}": 1 <= state.round <= ROUNDS,
        f"{len(state.endings)} rounds have ended in round {state.round}": len(state.endings) == ended,
        "play goes on though enough have arrived": not playing or not state.enough_arrived,
        "a company is on turn that has arrived": not playing or not state.has_arrived(state.turn),
        "a cell of the grid is empty": all(state.grid.values()),
    }
    return [fault for fault, holds in checks.items() if not holds]


def _arrival_faults(state: State) -> list[str]:
    arrivals = Counter((arrival.seat, arrival.round) for arrival in state.arrivals)
    firsts = {arrival.round for arrival in state.arrivals if arrival.first}
    late = state.mode == "scorekeeper" and state.revision >= 2 and state.enough_arrived
    checks = {
        "a company has arrived twice in a round": all(count == 1 for count in arrivals.values()),
        "nobody was the first to arrive": firsts == {arrival.round for arrival in state.arrivals},
        "a company has a path and has not arrived": late or not new_arrivals(state),
    }
    return [fault for fault, holds in checks.items() if not holds]
