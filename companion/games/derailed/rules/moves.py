"""The rule for every action: the fact it becomes, or the sentence against it; and the list of legal ones."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.core.jsontext import JsonObject, shaped
from companion.core.messages import Seat, joined, m
from companion.game.base import Action, Chance, Fact, Refusal
from companion.game.pictures import Picture, picture_fact
from companion.games.derailed.rules.cards import card_of, deck_of, parse_face
from companion.games.derailed.rules.network import cell_number
from companion.games.derailed.rules.placement import open_placements, placement_refusal
from companion.games.derailed.rules.reports import reported, too_many
from companion.games.derailed.rules.rounds import can_take, wanted
from companion.games.derailed.rules.rulebook import BETWEEN_DISCARD, HAND
from companion.games.derailed.rules.state import State
from companion.sheets.decks import Cards, holds, shuffle_fault, shuffled


class _Place(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    cell: str
    card: str
    picture: Picture | None = None


class _Chosen(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What chance decided, and where it came from: in facts only."""

    chance: dict[str, list[str]] | None = None
    source: JsonObject = {}


class _Discard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    cards: tuple[str, ...] = ()
    chance: dict[str, list[str]] | None = None
    source: JsonObject = {}


class _Turns(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    count: int


class _Nothing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pass


# --- whose turn ---


def _not_now(state: State, seat: int | None, phases: Sequence[str] = ("place",)) -> Refusal | None:
    """Why a seat cannot act for its turn at this moment."""
    if seat is None:
        return Refusal("no-seat", m("say for which seat"))
    closed = _no_turns(state)
    if closed is not None:
        return closed
    if seat != state.turn:
        name = state.company(state.turn).name
        return Refusal(
            "not-your-turn", m("it is the turn of {turn}", turn=joined(", ", [Seat(state.turn), name]))
        )
    if state.phase not in phases:
        return Refusal("take-first", m("your card is laid: take a card from the deck to end your turn"))
    return None


def _no_turns(state: State) -> Refusal | None:
    """The refusal where nobody is on turn."""
    if state.mode == "scorekeeper":
        return Refusal("not-umpire", m("in this match the cards are reported as they lie, not move by move"))
    if state.phase == "over":
        return Refusal("finished", m("the match is over"))
    if state.phase == "between":
        return Refusal(
            "between-rounds", m("round {round} is over: set up the next round first", round=state.round)
        )
    return None


# --- laying a card ---


def decide_place(state: State, action: Action, _chance: Chance) -> Fact | Refusal:
    """Lay a card in a cell, as it lies."""
    request = shaped(action.data, _Place, "bad-action")
    face = parse_face(request.card)
    refusal = _not_now(state, action.seat)
    if refusal is not None:
        return refusal
    seat = action.seat or 0
    cell = cell_number(len(state.starts), request.cell)
    lane, company = state.start_lane(seat), state.company(seat)
    nowhere = placement_refusal(state.area(), lane, company, cell, face, state.options.dead_ends)
    not_there = _card_refusal(state, seat, face.card)
    # Of a dealt hand nobody learns by impossible places what is in it.
    refusal = (nowhere or not_there) if state.dealt else (not_there or nowhere)
    told = {"cell": request.cell, "card": face.text, **picture_fact(request.picture)}
    return refusal or Fact("place", seat, told)


def _card_refusal(state: State, seat: int, card: str) -> Refusal | None:
    """Why a seat cannot have this card to lay."""
    if state.dealt:
        return (
            None
            if card in state.hands[seat]
            else Refusal("not-in-hand", m("{card} is not in your hand", card=card))
        )
    copies = deck_of(state.options.tunnels)[card]
    there = state.laid.count(card)
    return None if there < copies else too_many(card, there + 1, copies)


def decide_pass(state: State, action: Action, _chance: Chance) -> Fact | Refusal:
    """Pass: only with a hand that has no legal card; about paper hands the player is believed."""
    shaped(action.data, _Nothing, "bad-action")
    refusal = _not_now(state, action.seat)
    if refusal is not None:
        return refusal
    seat = action.seat or 0
    if state.dealt and can_take(state, seat):
        return Refusal(
            "take-first", m("you hold fewer than {hand} cards: take from the deck first", hand=HAND)
        )
    if state.dealt and placements(state, seat):
        # Which one is not said: the host, too, may pass for somebody else's hand.
        return Refusal(
            "can-place", m("a card of this hand can be laid: only players who cannot lay any pass")
        )
    return Fact("pass", seat, {})


def placements(state: State, seat: int) -> list[tuple[str, str]]:
    """Every legal (cell, face) for a seat, in turn or not; with paper hands, of all cards not laid yet."""
    cards = state.hands[seat] if state.dealt else _not_all_laid(state)
    return open_placements(state.area(), state.start_lane(seat), sorted(cards), state.options.dead_ends)


def _not_all_laid(state: State) -> list[str]:
    laid = state.laid
    return [card for card, copies in deck_of(state.options.tunnels).items() if laid.count(card) < copies]


# --- taking cards ---


def decide_take(state: State, action: Action, chance: Chance) -> Fact | Refusal:
    """Take cards: after laying one, or at the start of a turn with cards missing from the hand."""
    given = shaped(action.data, _Chosen, "bad-action")
    refusal = _not_now(state, action.seat, ("place", "take"))
    if refusal is not None:
        return refusal
    if not state.dealt:
        return Refusal("paper-hands", m("in this match you draw your cards from the deck on the table"))
    seat = action.seat or 0
    if state.phase == "place" and not can_take(state, seat):
        return Refusal("place-first", m("lay a card first, then take one"))
    data = _reshuffled(state, wanted(state, seat), state.discards, given, chance)
    return data if isinstance(data, Refusal) else Fact("take", seat, data)


def _reshuffled(
    state: State, count: int, discards: tuple[str, ...], given: _Chosen | _Discard, chance: Chance
) -> JsonObject | Refusal:
    """What the fact says of chance: the discard pile's new order, if the deck is too small."""
    if len(state.deck) >= count or not discards:
        return {} if given.chance is None else Refusal("no-shuffle", m("the deck does not run out here"))
    if given.chance is None:
        return {"chance": {"deck": shuffled(sorted(discards), chance)}, "source": chance.source}
    fault = shuffle_fault(given.chance.get("deck"), discards, m("the new deck"))
    return fault or {"chance": {"deck": given.chance["deck"]}, "source": given.source}


# --- between rounds ---


def decide_discard(state: State, action: Action, chance: Chance) -> Fact | Refusal:
    """Change up to two cards for new ones, once between two rounds."""
    request = shaped(action.data, _Discard, "bad-action")
    refusal = _discard_refusal(state, action.seat, request.cards)
    if refusal is not None:
        return refusal
    seat = action.seat or 0
    cards = [card_of(card) for card in request.cards]
    lacking = wanted(state, seat) + len(cards)
    data = _reshuffled(state, lacking, (*state.discards, *cards), request, chance)
    return data if isinstance(data, Refusal) else Fact("discard", seat, {"cards": cards, **data})


def _discard_refusal(state: State, seat: int | None, cards: tuple[str, ...]) -> Refusal | None:
    if seat is None:
        return Refusal("no-seat", m("say for which seat"))
    if not state.options.between_discard or not state.dealt:
        return Refusal("no-discard", m("in this match no cards are changed between rounds"))
    if state.phase != "between":
        return Refusal("not-between-rounds", m("cards are changed only between two rounds"))
    if seat in state.changed:
        return Refusal("changed-already", m("you have changed cards already"))
    return _choice_refusal(state.hands[seat], cards)


def _choice_refusal(hand: Cards, cards: Cards) -> Refusal | None:
    if not 1 <= len(cards) <= BETWEEN_DISCARD:
        return Refusal("bad-count", m("change 1 to {between_discard} cards", between_discard=BETWEEN_DISCARD))
    if not holds(hand, map(card_of, cards)):
        return Refusal("not-in-hand", m("you can change only cards of your own hand"))
    return None


def decide_round(state: State, action: Action, chance: Chance) -> Fact | Refusal:
    """Set the next round up, when this one is over; a scorekeeper is told that it is."""
    given = shaped(action.data, _Chosen, "bad-action")
    if state.mode == "umpire" and state.phase != "between":
        return Refusal("round-not-over", m("round {round} is not over yet", round=state.round))
    if given.chance is None:
        known = {"destinations": shuffled(sorted(state.starts), chance)}
        return Fact("round", action.seat, {"chance": known, "source": chance.source})
    destinations = given.chance.get("destinations")
    fault = shuffle_fault(destinations, state.starts, m("the destination column"))
    data = {"chance": {"destinations": destinations}, "source": given.source}
    return fault or Fact("round", action.seat, data)


# --- the scorekeeper ---


def decide_report(state: State, action: Action, _chance: Chance) -> Fact | Refusal:
    """Report the whole railway area as it lies."""
    if state.mode == "umpire":
        return Refusal("not-scorekeeper", m("in this match every card is laid through the rules, one by one"))
    return reported(state, action.seat, action.data)


def decide_extra_turns(state: State, action: Action, _chance: Chance) -> Fact | Refusal:
    """How many turns a company that has arrived has had since."""
    request = shaped(action.data, _Turns, "bad-action")
    if state.mode == "umpire":
        return Refusal("not-scorekeeper", m("in this match the turns are counted"))
    if action.seat is None:
        return Refusal("no-seat", m("say for which seat"))
    if not state.has_arrived(action.seat):
        name = state.company(action.seat).name
        return Refusal(
            "not-arrived", m("{name} has not arrived in round {round}", name=name, round=state.round)
        )
    if not 0 <= request.count <= _MOST_TURNS:
        return Refusal("bad-count", m("turns are 0 to {most_turns}", most_turns=_MOST_TURNS))
    if request.count and not _may_have_turns(state, action.seat):
        message = m(
            "the round was over when {name} arrived: no turn came after it",
            name=state.company(action.seat).name,
        )
        return Refusal("round-over", message)
    return Fact("turns", action.seat, {"count": request.count})


def _may_have_turns(state: State, seat: int) -> bool:
    """True if a seat has arrived, and before the arrival that ended the round (older matches did not ask)."""
    arrived = [arrival.seat for arrival in state.arrived]
    return seat in (arrived if state.revision < 2 else arrived[: state.needed - 1])


_MOST_TURNS = 99


# --- the list of legal actions ---


def legal_actions(state: State, seat: int) -> list[Action]:
    """Every action open to a seat now."""
    if state.phase == "over" or seat not in state.seats:
        return []
    if state.mode == "scorekeeper":
        return _scorekeeper_actions(state, seat)
    if state.phase == "between":
        return [*_discards(state, seat), Action("round", seat)]
    if seat != state.turn:
        return []
    return [Action("take", seat)] if state.phase == "take" else _turn_actions(state, seat)


def _turn_actions(state: State, seat: int) -> list[Action]:
    laying = [Action("place", seat, {"cell": cell, "card": face}) for cell, face in placements(state, seat)]
    if state.dealt and can_take(state, seat):
        return [*laying, Action("take", seat)]
    passing = not state.dealt or not laying
    return [*laying, Action("pass", seat)] if passing else laying


def _discards(state: State, seat: int) -> list[Action]:
    """Each card alone; two at once are legal, too, but a list of pairs helps nobody."""
    return [
        action
        for card in dict.fromkeys(state.hands.get(seat, ()))
        if not _discard_refusal(state, seat, (card,))
        for action in [Action("discard", seat, {"cards": [card]})]
    ]


def _scorekeeper_actions(state: State, seat: int) -> list[Action]:
    kinds = ["report", "round", *(["turns"] if _may_have_turns(state, seat) else [])]
    return [Action(kind, seat) for kind in kinds]
