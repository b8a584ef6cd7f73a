"""``score`` and ``check``: positions or moves in, one answer a line out, in order."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import msgspec

from companion.commands.exits import BAD_INPUT, FINE, NOT_SO
from companion.commands.lines import opened, values
from companion.games.contract import Plain
from companion.games.kit.errors import GameError
from companion.games.kit.jsontext import as_object


def answer_stream(file_name: str, answer: Callable[[Plain], Plain]) -> int:
    """Answer each entry of the input; a bad one gets an error of its own and the stream goes on."""
    worst = FINE
    with opened(file_name) as file:
        for value in values(file):
            reply = _reply(value, answer)
            worst = max(worst, _exit_code(reply))
            sys.stdout.buffer.write(msgspec.json.encode(reply) + b"\n")
    sys.stdout.buffer.flush()
    return worst


def explain_stream(file_name: str, explain: Callable[[Plain], list[str]]) -> int:
    """The same for people: the lines behind each score, a blank line between two."""
    worst = FINE
    with opened(file_name) as file:
        for value in values(file):
            reply = _reply(value, lambda given: {"lines": explain(given)})
            worst = max(worst, _exit_code(reply))
            lines = reply.get("lines") or [reply["error"]["message"]]
            print("\n".join([f"{reply['id']}:" if "id" in reply else "", *lines]).lstrip("\n"), end="\n\n")
    return worst


def _reply(value: Any, answer: Callable[[Plain], Plain]) -> Plain:
    try:
        if isinstance(value, GameError):
            raise value
        reply = answer(as_object(value))
    except GameError as problem:
        reply = {"error": {"code": problem.code, "message": problem.message}}
    return {"id": value["id"], **reply} if _has_id(value) else reply


def _has_id(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("id"), str | int)


def _exit_code(reply: Plain) -> int:
    if "error" in reply:
        return BAD_INPUT
    return NOT_SO if reply.get("valid") is False else FINE
