"""The pieces of pages about a camera over the table: who is done, what is asked, why it sees nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from flask import render_template

from companion.core.messages import m
from companion.service.watching.news import SeatNews, TableNews
from companion.service.watching.recording import RecordedBoard
from companion.table.match import Match
from companion.table.seats import Player
from companion.table.sitting import taken_seats
from web.access.people import person
from web.site import site
from web.ui import presenter_of
from web.ui.parts import Presenter
from web.ui.progress import Step
from web.ui.speaking import Markup, said_json
from web.ui.wording import for_people

_MOST_OPTIONS = 4


@dataclass(frozen=True)
class Choice:
    """One of the answers to a question, as a button."""

    mark: str
    words: str
    picture: Markup


@dataclass(frozen=True)
class WatchedLine:
    """A seat's line: whose, what is said, and what can be tapped. ``slot`` is the one that is asked about."""

    news: SeatNews
    player: Player
    says: str
    slot: str = ""
    choices: tuple[Choice, ...] = ()
    speaks: bool = False


class Utterance(msgspec.Struct, frozen=True):
    """What the table's screen says aloud, once for each ``key``; ``cue``: the sound instead of a voice."""

    key: str
    says: str
    cue: str


def watching_piece(match: Match, seats: Sequence[int] | None = None) -> str:
    """What the camera sees of these seats' boards (none: of all); empty where none watches this match."""
    watch = site().service.watch
    news = watch.news if watch is not None else None
    if news is None or news.match != match.id:
        return ""
    presenter = presenter_of(match.game)
    lines = [
        _line(presenter, match, one)
        for one in news.seats
        if one.state != "drawing" and (seats is None or one.seat in seats)
    ]
    spoken = said_json(_utterances(presenter, match, news, lines)).decode() if seats is None else ""
    return render_template(
        "pieces/watching.html",
        trouble=news.trouble,
        lines=lines,
        own=seats is not None,
        spoken=spoken,
        throws=seats is None and news.throws,
        match=match,
    )


def film_piece(match: Match) -> str:
    """A small picture of a demonstration's table, beside the boards that follow it."""
    watch = site().service.watch
    film = watch is not None and bool(watch.picture) and watch.news.match == match.id
    return render_template("pieces/film.html", film=film, match=match)


def _line(presenter: Presenter[Any], match: Match, news: SeatNews) -> WatchedLine:
    player = match.players[news.seat]
    says, slot = "", ""
    choices: tuple[Choice, ...] = ()
    if news.state == "unclear" and news.questions:
        slot, options = next(iter(news.questions.items()))
        choices = tuple(
            Choice(mark or "", presenter.mark_words(mark or ""), presenter.mark_picture(mark or ""))
            for mark, _ in options[:_MOST_OPTIONS]
        )
        says = m("what is in {slot}?", slot=slot)
    elif news.says:
        says = for_people(news.says[0], match)
    return WatchedLine(news, player, says, slot, choices, may_speak_for(match, news.seat))


def _utterances(
    presenter: Presenter[Any], match: Match, news: TableNews, lines: Sequence[WatchedLine]
) -> list[Utterance]:
    """What matters now; the page says what it has not said yet."""
    told = []
    stage = sum(event.kind == "roll" for event in match.events)
    for line in lines:
        name, key = line.player.name, f"{stage} {line.news.seat} {line.news.state}"
        if line.news.state == "done":
            told.append(Utterance(key, m("{name} is done", name=name), "turn"))
        elif line.news.state == "unclear" and line.choices:
            first = line.choices[0].words
            asks = m("{name}, what is in {slot}: {what}?", name=name, what=first, slot=line.slot)
            told.append(Utterance(f"{key} {line.slot}", asks, "late"))
        elif line.news.state == "covered":
            told.append(Utterance(key, m("{name}, is your hand on the board?", name=name), "late"))
        elif line.news.state == "against":
            told.append(Utterance(key, m("{name}, look at the screen, please", name=name), "late"))
        elif line.news.state == "proposed":
            told.append(Utterance(f"{key} {line.news.photo}", m("{name}, is that right?", name=name), "late"))
    if news.trouble:
        told.append(Utterance(f"trouble {news.trouble}", news.trouble, "late"))
    milestone = presenter.milestone(match.game.view(match.state, None))
    if milestone:
        told.append(Utterance(f"{stage} milestone", milestone, "goal"))
    if news.throws:
        told.append(Utterance(f"{stage} throw", m("Throw the dice"), "turn"))
    return told


@dataclass(frozen=True)
class RecordedRound:
    """A round of a recording: its boards, and the totals at its end."""

    label: str
    boards: tuple[RecordedBoard, ...]
    totals: dict[int, int]


def recorded_rounds(match: Match, steps: Sequence[Step]) -> list[RecordedRound]:
    """What a camera recorded of a match, beside its score."""
    found = [one for one in site().service.recording.boards(match.id) if one.seat in match.players]
    rounds = [
        RecordedRound(step.label, tuple(one for one in found if str(one.round) == step.label), step.totals)
        for step in steps
    ]
    return [one for one in rounds if one.boards]


def may_speak_for(match: Match, seat: int) -> bool:
    """Return True if this browser may answer for a seat: its own, one without a phone, or as the table's."""
    who = person()
    if who.host or who.screen:
        return True
    return who.seat_in(match) is not None and (seat in who.seats or seat not in taken_seats(match))
