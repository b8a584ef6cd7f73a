"""Borrowing from the bank, a house rule (``borrow: double``): whoever borrows owes twice as much.

Nothing is kept beside the ledger: what was borrowed and what was paid back say what is owed. Payouts go to
the debt first (``to_the_bank``), and nobody wins while he owes (``turns.has_won``).
"""

from __future__ import annotations

import msgspec

from companion.core.jsontext import JsonObject, shaped
from companion.core.messages import m
from companion.game.base import Action, Chance, Fact, Refusal
from companion.games.empire_builder.rules.match.state import State, with_money
from companion.games.empire_builder.rules.rulebook import RULES


class _Amount(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    amount: int
    owed: int = 0  # in a fact: what is owed then


def credit(state: State, seat: int) -> int:
    """How many millions the bank still lends a seat, whoever's turn it is."""
    if state.options.borrow == "never" or state.finished:
        return 0
    rules = RULES.borrowing
    return (rules.most * rules.owed_for_each - state.players[seat].owed) // rules.owed_for_each


def to_borrow(state: State, seat: int) -> int:
    """The most that a seat whose turn it is may borrow now: nothing once it has built or bought a train."""
    return 0 if state.turn.spent or state.turn.upgraded else credit(state, seat)


def to_repay(state: State, seat: int) -> int:
    """The most that a seat can pay back now."""
    player = state.players[seat]
    return min(player.cash, player.owed)


def to_the_bank(state: State, seat: int, payout: int) -> JsonObject:
    """What the fact of a delivery adds where a debt takes some of the payout; nothing without a debt."""
    owed = state.players[seat].owed
    return {"repaid": min(payout, owed)} if owed else {}


def _refusal(state: State, amount: int, doing: str) -> Refusal | None:
    if state.options.borrow == "never":
        return Refusal("no-borrowing", m("in this match the bank lends nothing: borrowing was not agreed on"))
    if amount < 1:
        return Refusal(
            "bad-amount",
            m("{amount} million cannot be {doing}: say 1 million or more", amount=amount, doing=doing),
        )
    return None


def decide_borrow(state: State, action: Action, _chance: Chance) -> Fact | Refusal:
    """Take whole millions from the bank before building."""
    amount, seat = shaped(action.data, _Amount, "bad-action").amount, action.seat or 0
    refusal = _refusal(state, amount, m("borrowed"))
    if refusal is not None:
        return refusal
    if state.turn.spent or state.turn.upgraded:
        return Refusal("too-late", m("you have built or bought a train: money is borrowed before that"))
    left, owed = credit(state, seat), state.players[seat].owed
    if amount > left:
        most = RULES.borrowing.most
        message = m("the bank lends {most} million at a time", most=most)
        if owed:
            message = m(
                "the bank lends {most} million at a time, and you still owe {owed}: {left} more at most",
                most=most,
                owed=owed,
                left=left,
            )
        return Refusal("too-much", message, {"left": left})
    return Fact("borrow", seat, {"amount": amount, "owed": owed + RULES.borrowing.owed_for_each * amount})


def after_borrow(state: State, fact: Fact) -> State:
    """The state with the money before the seat."""
    return with_money(state, fact.seat or 0, borrowed=fact.data["amount"])


def decide_repay(state: State, action: Action, _chance: Chance) -> Fact | Refusal:
    """Pay back some of what is owed."""
    amount, seat = shaped(action.data, _Amount, "bad-action").amount, action.seat or 0
    refusal = _refusal(state, amount, m("paid back"))
    if refusal is not None:
        return refusal
    player = state.players[seat]
    if amount > player.owed:
        owes = (
            m("you owe the bank {owed} million", owed=player.owed)
            if player.owed
            else m("you owe the bank nothing")
        )
        return Refusal(
            "not-owed",
            m("{owes}: {amount} cannot be paid back", owes=owes, amount=amount),
            {"owed": player.owed},
        )
    if amount > player.cash:
        return Refusal(
            "no-money",
            m("you have {cash} million: {amount} cannot be paid back", cash=player.cash, amount=amount),
        )
    return Fact("repay", seat, {"amount": amount, "owed": player.owed - amount})


def after_repay(state: State, fact: Fact) -> State:
    """The state with so much less owed."""
    return with_money(state, fact.seat or 0, repaid=fact.data["amount"])


def legal_banking(state: State, seat: int) -> list[Action]:
    """Every amount that may be borrowed or paid back in this moment of the seat's turn."""
    most = 0 if state.turn.phase == "stopped" else to_borrow(state, seat)
    borrows = [Action("borrow", seat, {"amount": amount}) for amount in range(1, most + 1)]
    repays = [Action("repay", seat, {"amount": amount}) for amount in range(1, to_repay(state, seat) + 1)]
    return [*borrows, *repays]
