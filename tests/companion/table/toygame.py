"""A tiny card game with everything Railroad Ink lacks: turns, a hidden hand, a reshuffled deck, money.

Each seat holds two cards. In its turn a seat plays one, earns its value, and draws the next of the deck; when
the deck is empty somebody has to shuffle the discards. The first with 20 wins. ``roll`` rolls one die.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from companion.core.jsontext import JsonObject
from companion.game.base import Action, Chance, Fact, Game, MatchRequest, Refusal, drawn

CARDS = (1, 2, 3, 4, 5, 6, 7, 8)


class State(msgspec.Struct, frozen=True):
    hands: dict[int, tuple[int, ...]]
    deck: tuple[int, ...]
    discards: tuple[int, ...] = ()
    money: dict[int, int] = {}
    turn: int = 1
    rolled: int = 0


class ToyGame(Game[State]):
    name = "toy"
    title = "Toy"
    seats = (1, 4)
    die_faces: Mapping[str, tuple[str, ...]] = {"die": ("1", "2", "3", "4", "5", "6")}
    state_type = State

    def setup(self, request: MatchRequest, chance: Chance) -> JsonObject | Refusal:
        if request.options:
            return Refusal("bad-option", "there are no options")
        return {"seats": request.seats, "deck": drawn(CARDS * 2, len(CARDS) * 2, chance)}

    def setup_fault(self, data: JsonObject, request: MatchRequest) -> Refusal | None:
        fine = data["seats"] == request.seats and sorted(data["deck"]) == sorted(CARDS * 2)
        return None if fine else Refusal("bad-setup", "these are not the cards")

    def start(self, data: JsonObject) -> State:
        deck = tuple(data["deck"])
        seats = range(1, data["seats"] + 1)
        hands = {seat: deck[2 * (seat - 1) : 2 * seat] for seat in seats}
        return State(hands, deck[2 * data["seats"] :], money=dict.fromkeys(seats, 0))

    def decide(self, state: State, action: Action, chance: Chance) -> Fact | Refusal:
        if action.kind == "roll":
            face = action.data.get("face") or 1 + chance.below(6)
            return Fact("roll", None, {"face": face, "source": action.data.get("source") or chance.source})
        if action.kind == "shuffle":
            return self._decide_shuffle(state, action, chance)
        if action.kind != "play":
            return Refusal("unknown-action", "play, roll or shuffle")
        if action.seat != state.turn:
            return Refusal("not-your-turn", f"it is seat {state.turn}'s turn")
        if action.data.get("card") not in state.hands[action.seat or 0]:
            return Refusal("not-in-hand", "that card is not in your hand")
        return action

    def _decide_shuffle(self, state: State, action: Action, chance: Chance) -> Fact | Refusal:
        if state.deck or not state.discards:
            return Refusal("not-empty", "the deck is not empty")
        known = action.data.get("chance") or {"order": drawn(state.discards, len(state.discards), chance)}
        return Fact("shuffle", None, {"chance": known})

    def apply(self, state: State, fact: Fact) -> State:
        if fact.kind == "roll":
            return msgspec.structs.replace(state, rolled=fact.data["face"])
        if fact.kind == "shuffle":
            return msgspec.structs.replace(state, deck=tuple(fact.data["chance"]["order"]), discards=())
        seat, card = fact.seat or 0, fact.data["card"]
        hand = list(state.hands[seat])
        hand.remove(card)
        return State(
            {**state.hands, seat: (*hand, *state.deck[:1])},
            state.deck[1:],
            (*state.discards, card),
            {**state.money, seat: state.money[seat] + card},
            state.turn % len(state.hands) + 1,
            state.rolled,
        )

    def lasting(self, fact: Fact) -> bool:
        return fact.kind in ("roll", "shuffle")

    def legal(self, state: State, seat: int) -> list[Action]:
        return (
            [Action("play", seat, {"card": card}) for card in state.hands[seat]] if seat == state.turn else []
        )

    def score(self, state: State) -> list[JsonObject]:
        return [
            {"seat": seat, "place": 1, "total": money, "lines": []} for seat, money in state.money.items()
        ]

    def view(self, state: State, seat: int | None) -> JsonObject:
        hands = {who: list(hand) if who == seat else len(hand) for who, hand in state.hands.items()}
        return {"hands": hands, "deck": len(state.deck), "money": state.money, "turn": state.turn}

    def seen(self, state: State, fact: Fact, seat: int | None) -> Fact:
        return Fact("shuffle", None, {}) if fact.kind == "shuffle" else fact

    def finished(self, state: State) -> bool:
        return max(state.money.values()) >= 20

    def dice(self, state: State) -> tuple[str, ...]:
        return ("die",)

    def score_position(self, position: JsonObject) -> JsonObject:
        raise NotImplementedError

    def explain_position(self, position: JsonObject) -> list[str]:
        raise NotImplementedError

    def check_moves(self, moves: JsonObject) -> JsonObject:
        raise NotImplementedError

    def faults(self, state: State) -> list[str]:
        held = sum(len(hand) for hand in state.hands.values()) + len(state.deck) + len(state.discards)
        return [] if held == len(CARDS) * 2 else [f"{held} cards instead of {len(CARDS) * 2}"]
