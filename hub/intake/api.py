"""The hub's API for boxes: pairing and batches; that for people is :mod:`hub.organising`."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from flask import Blueprint, Flask, Response, current_app, request

from companion.club.limits import check_pairing
from companion.club.messages import LARGEST_BATCH, Batch, PairingRequest, Receipt
from companion.core.errors import NotationError
from companion.core.jsontext import json_of, read_object, shaped
from companion.core.messages import m
from hub.house import HubHouse
from hub.intake.batch_queue import BatchQueue, answer_from_memory, is_known
from hub.intake.ledger import Ledger
from hub.intake.storing import RefusedError
from web.access.limits import CODES_TOGETHER, GUESSES, Limits
from web.exc import WebError

boxes = Blueprint("boxes", __name__, url_prefix="/api/v1")

# Boxes that join with the right code: an evening's come one after the other, and a made-up box costs nothing.
PAIRINGS: Limits = ((20, 60.0), (400, 3600.0))  # of one address
PAIRINGS_TOGETHER: Limits = ((40, 60.0), (600, 3600.0))
BATCHES: Limits = ((60, 10.0), (240, 60.0))  # of one box: a night's matches come in within minutes
STRANGERS: Limits = ((20, 10.0), (60, 60.0))  # batches of one address that were not a box's of this club


def house_of(app: Flask) -> HubHouse:
    """The house of an application."""
    return cast(HubHouse, app.extensions["stationmaster_hub"])


def house() -> HubHouse:
    """The house this request is for."""
    return house_of(current_app)


def as_json(told: object, status: int = 200) -> Response:
    """A response with this object as JSON."""
    return Response(json_of(told), status, mimetype="application/json")


@boxes.post("/boxes")
def pair() -> Response:
    """Pair a box with the club."""
    try:
        wanted = shaped(read_object(request.get_data()), PairingRequest)
        check_pairing(wanted)
    except NotationError as problem:
        raise WebError(422, problem.code, problem.message) from None
    limiter, place = house().limiter, request.remote_addr or ""
    limiter.take("pairing", place, PAIRINGS, PAIRINGS_TOGETHER)
    limiter.take("code", place, GUESSES, CODES_TOGETHER)
    try:
        paired = house().ledger.pair(wanted)
    except RefusedError:
        limiter.forgive("pairing", place, together=True)
        raise
    limiter.forgive("code", place, together=True)
    return as_json(paired, 201)


@boxes.post("/batches")
def take() -> Response:
    """Accept a batch; a refused one counts against its sender's address, others against the box."""
    limiter, place = house().limiter, request.remote_addr or ""
    box = request.headers.get("Stationmaster-Box", "")
    if (request.content_length or 0) > LARGEST_BATCH:
        raise WebError(
            413, "too-large", m("a batch has up to {largest_batch} bytes", largest_batch=f"{LARGEST_BATCH:,}")
        )
    limiter.check("batch", f"box {box[:64]}", BATCHES)  # a flood costs no look at signatures
    try:
        receipt = house().inbox(box, request.headers.get("Stationmaster-Signature", ""), request.get_data())
    except RefusedError as problem:
        if problem.status == 403:
            limiter.take("stranger", place, STRANGERS)
        raise
    return as_json(receipt)


def direct_inbox(ledger: Ledger, house_now: HubHouse) -> None:
    """Let checked batches go straight into the database, those that say something new."""
    queue = BatchQueue(ledger)

    def take_in(box: str, signed: str, body: bytes) -> Receipt:
        batch = ledger.checked(box, signed, body, known=known_boxes(house_now))
        house_now.limiter.take("batch", f"box {box}", BATCHES)
        house_now.hear(box, batch.untold)
        if is_known(house_now.state, box, batch):
            return answer_from_memory(ledger, house_now.state, box, batch)
        take_space(house_now, box, batch)
        receipt = queue.take(box, batch)
        house_now.news.set()
        return receipt

    house_now.inbox = take_in


def take_space(house_now: HubHouse, box: str, batch: Batch) -> None:
    """Refuse for a while what fills the database faster than any game does."""
    if batch.records:
        house_now.space.take(box, len(json_of(batch.records)))


def known_boxes(house_now: HubHouse) -> Callable[[str], bool | None]:
    """Whether a box belongs here, from memory first: True, False for one that left, None for a stranger."""

    def known(box: str) -> bool | None:
        found = house_now.state.boxes.get(box)
        if found is None or found.left:
            house_now.state.refresh()
            found = house_now.state.boxes.get(box)
        return None if found is None else not found.left

    return known
