"""People's own cards on the table, the box as umpire of everything else; and a hand given up for a turn.

Where people deal their own cards (``deal: table``) a delivery says what the card pays, and an event that
somebody draws is told to the box, which then does it. With the cards imported, it has to stand on one.
"""

from __future__ import annotations

import msgspec

from companion.core.errors import quoted
from companion.core.jsontext import JsonObject, shaped
from companion.core.messages import m
from companion.core.records import replaced
from companion.game.base import Action, Chance, Fact, Refusal
from companion.games.empire_builder.rules.boards.board import City
from companion.games.empire_builder.rules.cards.demands import HIGHEST_PAYOUT
from companion.games.empire_builder.rules.cards.draws import after_event, with_drawn
from companion.games.empire_builder.rules.match.state import State, Turn, is_event, with_player
from companion.games.empire_builder.rules.match.turns import after_done
from companion.games.empire_builder.rules.rulebook import LOAD_WORDS, RULES
from companion.sheets.decks import shuffle_fault, shuffled


class _Card(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    card: str


class _Shuffle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    deck: tuple[str, ...]


class _NewHand(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    chance: _Shuffle | None = None
    source: JsonObject = {}


# --- people's own cards ---


def told_delivery(state: State, city: City, load: str, card: str, payout: int) -> JsonObject | Refusal:
    """A delivery for a card that lies on the table, as its fact says it."""
    if load in city.loads:
        return Refusal(
            "no-demand",
            m(
                "{name} supplies {load} itself, so no card asks for it there",
                name=city.name,
                load=LOAD_WORDS[load],
            ),
        )
    if state.options.cards.strip():
        return _on_a_card(state, city, load, card, payout)
    if not 1 <= payout <= HIGHEST_PAYOUT:
        return Refusal(
            "no-payout",
            m("say what your card pays: 1 to {highest_payout} million", highest_payout=HIGHEST_PAYOUT),
        )
    return _told(city, load, card, payout)


def _told(city: City, load: str, card: str, payout: int) -> JsonObject:
    return {"card": card, "load": load, "city": city.name, "payout": payout, "drew": []}


def _on_a_card(state: State, city: City, load: str, card: str, payout: int) -> JsonObject | Refusal:
    """Find the demand on the imported cards; nothing else is paid."""
    found = {
        (one.card, demand.payout)
        for one in state.cards.values()
        for demand in one.demands
        if (demand.city, demand.load) == (city.name, load)
        and card in ("", one.card)
        and payout in (0, demand.payout)
    }
    if not found:
        named = m("card {card}", card=quoted(card)) if card else m("none of your cards")
        asked = {"named": named, "load": LOAD_WORDS[load], "name": city.name}
        return Refusal(
            "no-demand",
            m("{named} asks for {load} in {name} for {payout} million", **asked, payout=payout)
            if payout
            else m("{named} asks for {load} in {name}", **asked),
        )
    if len({pays for _, pays in found}) > 1:
        names = ", ".join(sorted(f"{name} ({pays})" for name, pays in found))
        return Refusal("which-card", m("say which card this is for: {names}", names=names))
    return _told(city, load, *min(found))


def decide_event(state: State, action: Action, _chance: Chance) -> Fact | Refusal:
    """Tell the box of an event card that was drawn on the table."""
    card = shaped(action.data, _Card, "bad-action").card
    if state.box_deals:
        return Refusal("not-yours", m("in this match the box draws the cards"))
    if card not in state.events:
        return Refusal(
            "no-card",
            m("there is no event {card}: {events}", card=quoted(card), events=", ".join(state.events)),
        )
    if any(event.card == card for event in state.in_force):
        return Refusal("in-force", m("{title}: that is in force already", title=state.events[card].title))
    return Fact("event", action.seat, {"card": card})


def after_told_event(state: State, fact: Fact) -> State:
    """The event has taken effect."""
    return after_event(state, fact.seat or 0, state.events[fact.data["card"]])


# --- a new hand ---


def may_change_hand(state: State) -> bool:
    """Return True at the beginning of a turn that may be given up for a new hand."""
    allowed = state.options.new_hand == "turn" and not state.building_only
    return allowed and state.turn == Turn()


def decide_new_hand(state: State, action: Action, chance: Chance) -> Fact | Refusal:
    """Give up the whole turn for three new cards."""
    request = shaped(
        {name: entry for name, entry in action.data.items() if name != "drew"}, _NewHand, "bad-action"
    )
    if state.options.new_hand != "turn":
        return Refusal("no-new-hand", m("in this match hands change by deliveries only"))
    if not may_change_hand(state):
        message = m("a new hand costs the whole turn: it is taken before anything else, once trains run")
        return Refusal("too-late", message)
    if not state.box_deals:
        return Fact("new_hand", action.seat, {"drew": []})
    drew = _demands(state.deck)
    if drew is not None:
        return Fact("new_hand", action.seat, {"drew": drew})
    pile = [*state.discards, *state.players[action.seat or 0].hand]
    source = request.source
    if request.chance is None:
        deck, source = shuffled(pile, chance), chance.source
    else:
        deck = list(request.chance.deck)
    fault = shuffle_fault(deck, pile, m("the reshuffled deck"))
    if fault is not None:
        return fault
    drew = _demands((*state.deck, *deck))
    return Fact("new_hand", action.seat, {"drew": drew, "chance": {"deck": deck}, "source": source})


def _demands(deck: tuple[str, ...]) -> list[str] | None:
    """The cards from the top down to the third demand; None if there are not so many."""
    found: list[str] = []
    for card in deck:
        found.append(card)
        if sum(not is_event(one) for one in found) == RULES.match.hand:
            return found
    return None


def after_new_hand(state: State, fact: Fact) -> State:
    """Three other cards, the events among them done, and the turn is over."""
    seat = fact.seat or 0
    if state.box_deals:
        state = replaced(state, discards=(*state.discards, *state.players[seat].hand))
        state = with_player(state, seat, hand=())
        order = tuple(fact.data.get("chance", {}).get("deck", ()))
        if order:
            state = replaced(state, deck=(*state.deck, *order), discards=())
        for _ in range(RULES.match.hand):
            state = with_drawn(state, seat)
    return after_done(state, fact)
