"""How a match begins: companies, shuffled columns, the deck, and who starts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from companion.core.errors import quoted
from companion.core.jsontext import JsonObject, as_plain, shaped
from companion.core.messages import Seat, m
from companion.core.records import replaced
from companion.game.base import Chance, MatchRequest, Mode, Refusal
from companion.games.derailed.rules.cards import deck_of
from companion.games.derailed.rules.columns import settled
from companion.games.derailed.rules.rulebook import COMPANIES, HAND
from companion.games.derailed.rules.state import Options, State
from companion.sheets.decks import dealt, shuffle_fault, shuffled


class _Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The data of the first event; the destinations are as shuffled, before conflicts are solved."""

    mode: Mode
    seats: int
    options: Options
    starts: tuple[str, ...]
    destinations: tuple[str, ...]
    deck: tuple[str, ...]
    source: JsonObject = {}
    drawn: bool = False  # chance has named the seat that starts
    revision: int = 1


# What is small in the rules and has changed. 1: matches begun up to version 0.2.0. 2: a scorekeeper's
# arrivals count only while the round goes on, and a card is not taken to be of who reports;
# `next_start: fewest` counts the points of the round.
REVISION = 2


def setup(request: MatchRequest, chance: Chance) -> JsonObject | Refusal:
    """Fill up the options, shuffle both columns and the deck."""
    chosen = _chosen_companies(request.options, request.seats)
    options = _filled(shaped(chosen, Options, "bad-option"), request)
    if isinstance(options, Refusal):
        return options
    drawn = options.first == 0
    if drawn:
        options = replaced(options, first=1 + chance.below(request.seats))
    companies = sorted(options.companies)
    begun = {
        "starts": shuffled(companies, chance),
        "destinations": shuffled(companies, chance),
        "deck": shuffled(_deck(options), chance),
        "source": chance.source,
    }
    asked = {"mode": request.mode, "seats": request.seats, "options": as_plain(options)}
    return {**asked, **as_plain(begun), "drawn": drawn, "revision": REVISION}


def _chosen_companies(options: JsonObject, seats: int) -> JsonObject:
    """Companies may be chosen seat by seat, in a list; seats without one get those that are left."""
    chosen = options.get("companies")
    if not isinstance(chosen, list):
        return options
    own = [one if isinstance(one, str) else "" for one in [*chosen, *[""] * seats][:seats]]
    left = (letter for letter in COMPANIES if letter not in own)
    return {**options, "companies": "".join(letter or next(left, "") for letter in own)}


def _filled(options: Options, request: MatchRequest) -> Options | Refusal:
    letters = options.companies or "".join(COMPANIES)[: request.seats]
    if len(set(letters)) != len(letters):
        return Refusal("bad-option", m("two seats cannot have the same company"))
    if not set(letters) <= set(COMPANIES):
        message = m(
            "{letters}: companies are letters of {companies}",
            letters=quoted(letters),
            companies="".join(COMPANIES),
        )
        return Refusal("bad-option", message)
    if len(letters) != request.seats:
        message = m(
            "{letters} names {letters2} companies, but there are {seats} players",
            letters=quoted(letters),
            letters2=len(letters),
            seats=request.seats,
        )
        return Refusal("bad-option", message)
    if not 0 <= options.first <= request.seats:
        return Refusal(
            "bad-option",
            m("{first} cannot start: seats are 1 to {seats}", first=Seat(options.first), seats=request.seats),
        )
    deal = "table" if request.mode == "scorekeeper" else options.deal
    return replaced(options, companies=letters, deal=deal)


def _deck(options: Options) -> list[str]:
    """The cards the box shuffles: none when people hold paper cards."""
    return sorted(deck_of(options.tunnels).elements()) if options.deal == "box" else []


def setup_fault(data: JsonObject, request: MatchRequest) -> Refusal | None:
    """Why a stored setup could not have come out of :func:`setup`."""
    stored = shaped(data, _Setup)
    if (stored.mode, stored.seats) != (request.mode, request.seats):
        return Refusal("bad-setup", m("the setup is for another mode or another number of seats"))
    filled = _filled(stored.options, request)
    if isinstance(filled, Refusal):
        return filled
    if filled != stored.options or not stored.options.first:
        return Refusal("bad-setup", m("by the rules these options make another setup"))
    if not 1 <= stored.revision <= REVISION:
        return Refusal(
            "bad-setup", m("there is no revision {revision} of the rules here", revision=stored.revision)
        )
    return (
        shuffle_fault(stored.starts, filled.companies, m("the starting column"))
        or shuffle_fault(stored.destinations, filled.companies, m("the destination column"))
        or shuffle_fault(stored.deck, _deck(filled), m("the deck"))
    )


def begun(data: JsonObject) -> State:
    """The state after the first event: hands dealt, conflicts solved."""
    stored = shaped(data, _Setup)
    destinations, swaps = settled(stored.starts, stored.destinations)
    hands, deck = dealt(stored.deck, stored.seats, HAND) if stored.deck else ({}, ())
    return State(
        mode=stored.mode,
        options=stored.options,
        starts=stored.starts,
        destinations=destinations,
        swaps=swaps,
        hands=hands,
        deck=deck,
        turn=stored.options.first,
        revision=stored.revision,
    )


def admit_fault(state: State) -> Refusal | None:
    """Why nobody can join late: a lane more fits as long as no card lies in any."""
    if state.round > 1 or state.grid or state.phase != "place":
        return Refusal(
            "too-late",
            m("cards lie already: players can join before the first one; the next match has a place"),
        )
    return None


def admit(state: State, seat: int) -> State:
    """One lane more, below the others, for the next company; its hand comes from the deck."""
    letter = min(set(COMPANIES) - set(state.options.companies))
    starts = (*state.starts, letter)
    destinations, swaps = settled(starts, (*state.destinations, letter))
    hands = {**state.hands, seat: state.deck[:HAND]} if state.dealt else state.hands
    return replaced(
        state,
        options=replaced(state.options, companies=state.options.companies + letter),
        starts=starts,
        destinations=destinations,
        swaps=(*state.swaps, *swaps),
        hands=hands,
        deck=state.deck[HAND:] if state.dealt else state.deck,
    )


def columns_fault(starts: Sequence[Any], destinations: Sequence[Any], companies: str) -> Refusal | None:
    """Why these cannot be the two columns of a table with these companies."""
    return shuffle_fault(list(starts), companies, m("the starting column")) or shuffle_fault(
        list(destinations), companies, m("the destination column")
    )
