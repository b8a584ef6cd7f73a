"""Who may do what: watchers look, players act for their seat, the host for all, devices state facts."""

from __future__ import annotations

from companion.core.messages import m
from companion.game.base import Action, Refusal
from companion.table.events import Actor
from companion.table.match import TABLE_KINDS

HOST_KINDS = ("start", "end", "admit")
_HOST_ONLY = {
    **dict.fromkeys(("start", "end"), m("only the host can begin or end a match")),
    "admit": m("a late guest joins with the join code, or the host lets somebody in"),
}
ROLLER_KINDS = ("commit", "mix", "reveal")
# A camera takes back or corrects what it read, as people go on drawing: its own entries alone.
DEVICE_KINDS = (*ROLLER_KINDS, "first", "undo", "correct")
STAND_IN = Actor("service", name="stand-in")  # the bots that play for people who have left
# Only a device or the service itself may say where a number came from, or what chance decided.
CLAIMS = ("source", "chance")


def authority_fault(action: Action, actor: Actor) -> Refusal | None:
    """Explain why this actor may not request this, whatever the rules say; None if it may."""
    return _seat_fault(action, actor) or _kind_fault(action.kind, actor)


def _seat_fault(action: Action, actor: Actor) -> Refusal | None:
    if actor.role == "watcher":
        return Refusal("watching", m("you are watching: take a seat to play"))
    if actor.role == "player" and actor.seat is None:
        return Refusal("no-seat", m("take a seat first"))
    if actor.role == "player" and action.seat != actor.seat:
        return Refusal(
            "not-your-seat", m("you sit at seat {seat} and cannot act for another seat", seat=actor.seat)
        )
    return None


def _kind_fault(kind: str, actor: Actor) -> Refusal | None:
    if kind in HOST_KINDS and actor.role not in ("host", "service"):
        return Refusal("host-only", _HOST_ONLY[kind])
    if kind in ROLLER_KINDS and actor.role not in ("device", "service"):
        return Refusal("device-only", m("only the dice roller can say this"))
    if actor.role == "device" and kind in TABLE_KINDS and kind not in DEVICE_KINDS:
        return Refusal("device", m("a device can report only a roll or a reading"))
    return None


def as_asked(action: Action, actor: Actor) -> Action:
    """The action with the actor's own seat filled in and without claims it may not make."""
    seat = actor.seat if action.seat is None and actor.role == "player" else action.seat
    trusted = actor.role in ("device", "service")
    data = action.data if trusted else {key: value for key, value in action.data.items() if key not in CLAIMS}
    return Action(action.kind, seat, data)
