"""``score``, ``check`` and ``turn``: positions or moves in, one answer a line out, in order."""

from __future__ import annotations

import sys
from collections.abc import Callable
from io import BytesIO
from typing import Any

from companion.cli.lines import beginning, blocks, line_entry, opened, value_of, values
from companion.cli.output import BAD_INPUT, FINE, NOT_SO
from companion.core.errors import GameError, NotationError, quoted
from companion.core.jsontext import JsonObject, as_object, json_of
from companion.game.base import Game
from companion.game.bots import own_bot

_ONE_BY_ONE = 500  # entries before batches are worth the time that it takes to get ready for them
_BLOCK = 1 << 19  # bytes of a batch


def answer_stream(file_name: str, answer: Callable[[JsonObject], JsonObject]) -> int:
    """Answer each entry of the input; a bad one gets an error of its own and the stream goes on."""
    worst = FINE
    with opened(file_name) as file:
        for value in values(file):
            worst = max(worst, _write(_reply(value, answer)))
    sys.stdout.buffer.flush()
    return worst


def score_stream(file_name: str, game: Game[Any]) -> int:
    """Score each position of the input; games that can score long inputs in batches, with equal answers."""
    if not game.scores_lines:
        return answer_stream(file_name, game.score_position)
    worst = FINE
    with opened(file_name) as file:
        begun = beginning(file, _ONE_BY_ONE)
        for entry in begun:
            worst = max(worst, _write(_reply(value_of(entry), game.score_position)))
        score_lines = game.line_scorer() if len(begun) >= _ONE_BY_ONE else None
        for block in blocks(file, _BLOCK):
            answers = score_lines(block) if score_lines else b"\n" * (block.count(b"\n") + 1)
            if answers[:1] != b"\n" and b"\n\n" not in answers:
                sys.stdout.buffer.write(answers)
                continue
            for line, answer in zip(BytesIO(block), answers.split(b"\n"), strict=False):
                asked = None if answer else line_entry(line)
                if answer:
                    sys.stdout.buffer.write(answer + b"\n")
                elif asked is not None:
                    worst = max(worst, _write(_reply(value_of(asked), game.score_position)))
    sys.stdout.buffer.flush()
    return worst


def turns_of(game: Game[Any], wanted: JsonObject) -> Callable[[JsonObject], JsonObject]:
    """Return the function that lists a game's turns; raise an error if it has none.

    ``wanted`` are for every position that does not say otherwise: how many are asked for (``best``), and
    ``by`` what: the points that the board then has, or (``worth``) what the game's bot expects of it.
    """
    if not game.lists_turns:
        raise GameError("no-turns", f"{game.title} cannot list complete turns")

    def answer(position: JsonObject) -> JsonObject:
        asked = {**wanted, **position}
        if asked.get("by", "score") == "score":
            return game.complete_turns(asked)
        if asked["by"] != "worth":
            raise NotationError("bad-by", f"turns by {quoted(asked['by'])}: say by score, or by worth")
        if "best" not in asked:
            raise NotationError("bad-best", "turns by worth: say how many of the best ones")
        bot = own_bot(game)
        turns = bot.best_turns(asked) if bot is not None else None
        if turns is None:
            raise GameError("no-worth", f"nothing here knows what turns of {game.title} are worth")
        return turns

    return answer


def explain_stream(file_name: str, explain: Callable[[JsonObject], list[str]]) -> int:
    """Print the explanation of each position's score as lines of text, with blank lines between them."""
    worst = FINE
    with opened(file_name) as file:
        for value in values(file):
            reply = _reply(value, lambda given: {"lines": explain(given)})
            worst = max(worst, _exit_code(reply))
            lines = reply.get("lines") or [reply["error"]["message"]]
            print("\n".join([f"{reply['id']}:" if "id" in reply else "", *lines]).lstrip("\n"), end="\n\n")
    return worst


def _write(reply: JsonObject) -> int:
    """Write an answer; return the exit code that it calls for."""
    sys.stdout.buffer.write(json_of(reply) + b"\n")
    return _exit_code(reply)


def _reply(value: Any, answer: Callable[[JsonObject], JsonObject]) -> JsonObject:
    try:
        if isinstance(value, GameError):
            raise value
        reply = answer(as_object(value))
    except GameError as problem:
        reply = {"error": {"code": problem.code, "message": problem.message}}
    return {"id": value["id"], **reply} if _has_id(value) else reply


def _has_id(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("id"), str | int)


def _exit_code(reply: JsonObject) -> int:
    if "error" in reply:
        return BAD_INPUT
    return NOT_SO if reply.get("valid") is False else FINE
