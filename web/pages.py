"""The pages. Each is complete as it is sent; JavaScript keeps it fresh and talks to the API."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import Any

import segno
from flask import Blueprint, redirect, render_template, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response

from companion.box.dice_policy import DicePolicy
from companion.games.contract import Game
from companion.games.packages import packages
from companion.table.match import Match
from companion.table.records import StoredMatch
from companion.table.seats import COLOURS, SHAPES
from web.charts import MOST_CURVES, line_chart, results_chart
from web.exc import WebError
from web.guessing import guessed
from web.history import Played, players_over_time
from web.joining import is_join_code, join_code, taken_seats
from web.owners import kept_options
from web.people import person
from web.progress import progress
from web.scene import scene_of
from web.show import show_of
from web.show.parts import Editing, EditorLink, QuickScoring
from web.site import find_match, pieces_of, site
from web.timeline import event_line

pages = Blueprint("pages", __name__)


def qr(text: str) -> Markup:
    """A QR code as a picture in the page."""
    picture = BytesIO()
    segno.make(text, micro=False).save(
        picture,
        kind="svg",
        xmldecl=False,
        svgns=True,
        nl=False,
        omitsize=True,
        svgclass="qr",
        lineclass=None,
        title=f"QR code: {text}",
    )
    return Markup(picture.getvalue().decode())


def _with_match(template: str, page: str, match: Match, seat: int | None, **more: Any) -> str:
    show = show_of(match.game)
    return render_template(
        template,
        scene=scene_of(match, seat),
        pieces=pieces_of(match, page, seat).html,
        show=show,
        followed=match.id if request.args.get("match") or page == "play" else "",
        **more,
    )


@pages.get("/")
def watch() -> str:
    """Everybody's boards and scores."""
    if site().house.table.current is None:
        return render_template("empty.html")
    match = find_match(request.args.get("match"))
    return _with_match("watch.html", "watch", match, None)


@pages.get("/tv")
def tv() -> str:
    """The table's screen: readable from three metres, and the QR code for joining."""
    if site().house.table.current is None:
        return render_template("empty.html")
    match = find_match(None)
    free = sorted(set(match.players) - taken_seats(match))
    shown = person().screen and bool(free) and not match.finished
    link = _join_link(match)
    return _with_match(
        "tv.html",
        "tv",
        match,
        None,
        code=join_code(site().house, match) if shown else "",
        code_picture=qr(link) if shown else "",
        link=link if shown else "",
        screen=person().screen,
    )


def _join_link(match: Match) -> str:
    """With the address as the phone has to use it: the one this page was opened with, or the box's own."""
    links = site().house.links
    base = links[0] if links else request.host_url
    return f"{base}j/{join_code(site().house, match)}"


def _is_code(match: Match, code: str) -> bool:
    """Guesses in the address are limited like typed ones."""
    return guessed("code", lambda: is_join_code(site().house, match, code) or None) is not None


@pages.get("/join")
@pages.get("/j/<code>")
def join(code: str = "") -> str | Response:
    """Choose a free seat, a name, a colour and a shape."""
    match = site().house.table.current
    if match is not None and person().seat_in(match) is not None:
        return redirect(url_for("pages.play"))
    right = match is not None and bool(code) and _is_code(match, code)
    taken = taken_seats(match) if match else frozenset()
    return render_template(
        "join.html",
        match=match,
        code=code if right else "",
        wrong=bool(code) and not right,
        free=[(seat, player) for seat, player in match.players.items() if seat not in taken] if match else [],
        sitting=[player for seat, player in match.players.items() if seat in taken] if match else [],
        colours=COLOURS,
        shapes=SHAPES,
    )


@pages.get("/play")
def play() -> str | Response:
    """A seat's own page."""
    who, current = person(), site().house.table.current
    if who.match is None or who.seat is None or current is None:
        return redirect(url_for("pages.join"))
    match = find_match(who.match)
    follows = current.id != match.id and match.players.get(who.seat) == current.players.get(who.seat)
    return _with_match(
        "play.html", "play", match, who.seat, own=who.seat, follows=follows, current=current.id
    )


@pages.get("/host")
def host() -> str:
    """The host's page; the PIN first."""
    if not person().host:
        return render_template("host_pin.html")
    house, match = site().house, site().house.table.current
    taken = taken_seats(match) if match else frozenset()
    return render_template(
        "host.html",
        house=house,
        match=match,
        games=house.games.values(),
        taken=taken,
        parts=house.parts(),
        backups=house.backups(),
        code=join_code(house, match) if match else "",
        code_picture=qr(_join_link(match)) if match else "",
        link=_join_link(match) if match else "",
        streams=site().live.open,
        dice=DicePolicy(house.setting).source,
        taught=house.taught_boards(),
        files={name: kept_options(house, game) for name, game in house.games.items()},
        editors={name: _editor_links(game) for name, game in house.games.items()},
    )


def _editor_links(game: Game[Any]) -> Sequence[EditorLink]:
    show = show_of(game)
    return show.editor_links if isinstance(show, Editing) else ()


@pages.get("/match/<match_id>")
def report(match_id: str) -> str:
    """How a match went: on a screen or on paper."""
    match = find_match(match_id)
    show = show_of(match.game)
    steps = progress(match)
    events = [event_line(match, event, None) for event in match.events]
    return render_template(
        "report.html",
        scene=scene_of(match, None),
        show=show,
        began=match.events[0].at,
        steps=steps,
        chart=line_chart(steps, match.players),
        events=events,
        photos=[event for event in events if "picture" in event.data],
        bgstats=site().house.bgstats_link(match) if match.finished else "",
        may_rematch=match.finished and (person().host or person().seat_in(match) is not None),
    )


@pages.get("/history")
def history() -> str:
    """Finished matches, and players over time."""
    stored: list[StoredMatch] = site().house.matches()
    newest = list(reversed(stored))[:_MOST_LISTED]
    found: list[Played] = [site().history.line(one, find_match) for one in newest]
    return render_template(
        "history.html",
        played=found,
        more=len(stored) - len(newest),
        records=[(record, results_chart(record)) for record in players_over_time(found)],
        most_curves=MOST_CURVES,
    )


_MOST_LISTED = 100


@pages.get("/score")
def quick_score() -> str:
    """A board without a match: of the game asked for, or of the first that offers it."""
    shows = {game.name: show_of(game) for game in site().house.games.values()}
    offered = {name: show for name, show in shows.items() if isinstance(show, QuickScoring)}
    wanted = request.args.get("game") or next(iter(offered), "")
    if wanted not in offered:
        raise WebError(404, "not-found", "no such game's boards can be counted here without a match")
    games = [site().house.games[name] for name in offered]
    quick = offered[wanted].quick()
    game = site().house.games[wanted]
    photographs = bool(packages()[wanted].eye)
    return render_template(
        "quick.html", show=shows[wanted], game=game, games=games, quick=quick, photographs=photographs
    )


@pages.get("/help")
def help_page() -> str:
    """The rules in brief, and what each page is for."""
    return render_template("help.html", games=site().house.games.values())


@pages.get("/favicon.ico")
def favicon() -> Response:
    """Some browsers ask for it whatever the page says."""
    raise WebError(404, "not-found", "the icon is a picture named in every page")
