"""People who answer all that a photograph asks, photograph after photograph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.reading.answer import SeatQuery
from companion.reading.base import Reader
from companion.reading.evidence import EMPTY, Options
from companion.reading.types import SeatAnswer

_MOST_ROUNDS = 30

# What people say who are asked: that nothing lies there, what is likeliest, and what is least likely.
PEOPLE: dict[str, Callable[[Options], str]] = {
    "nothing": lambda options: EMPTY,
    "likeliest": lambda options: options[0][0] or EMPTY,
    "unlikeliest": lambda options: options[-1][0] or EMPTY,
}


def answering(reader: Reader[Any, Any, Any]) -> Callable[..., SeatAnswer[Any, Any]]:
    """What a reader answers to a seat's query, given by its parts."""

    def answer(*asked: Any, **more: Any) -> SeatAnswer[Any, Any]:
        return reader.answer(SeatQuery(*asked, **more))

    return answer


def all_answered(ask: Callable[..., SeatAnswer[Any, Any]], person: str) -> SeatAnswer[Any, Any]:
    """What comes of it when every question is answered; none may come back."""
    answers: dict[str, str] = {}
    for _ in range(_MOST_ROUNDS):
        told = ask(answers=answers)
        assert told.ruling is not None
        if told.ruling.outcome != "ask":
            return told
        questions = told.ruling.questions
        assert questions, "asking nothing"
        assert not set(questions) & set(answers), f"asked again, after {answers}"
        answers |= {slot: PEOPLE[person](options) for slot, options in questions.items()}
    raise AssertionError(f"never done asking: {answers}")
