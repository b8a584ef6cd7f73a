"""The pages. Each is complete as it is sent; JavaScript keeps it fresh and talks to the API."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from companion.core.messages import m
from companion.game.base import Game, Option
from companion.game.packages import packages
from companion.game.parts import DECK_ORDER
from companion.game.teaching import games_with_decks, segmented_printables
from companion.service.export.elsewhere import kept_here, numbered
from companion.service.system.settings_form import LANGUAGES, settings_form
from companion.sheets.decks import DEAL
from companion.sheets.seat_marks import SEAT_MARKS
from companion.table.match import Match
from companion.table.records import StoredMatch
from companion.table.seats import Player, default_player
from companion.table.sitting import taken_seats
from web.access.guessing import guessed
from web.access.people import Person, person
from web.access.room import EVENING, with_free_mark
from web.api.room import code_here, is_code_here, may_see_code
from web.api.setup import listed_backups
from web.exc import WebError
from web.pages.addresses import join_link, qr, short_address
from web.pages.history import Played, note_setting, players_over_time
from web.pages.lobby import idle_seats, is_stranger, offers, room_pieces, sitting
from web.pages.owners import kept_deal, kept_options
from web.pages.records import picture_of
from web.pages.watching import recorded_rounds
from web.site import find_match, known_match, photos_of, pieces_of, playing, site
from web.ui import presenter_of
from web.ui.charts import MOST_CURVES, line_chart, results_chart
from web.ui.costs import seat_costs
from web.ui.languages import SCREEN_LANGUAGE
from web.ui.moments import moments
from web.ui.progress import rounds, step_of
from web.ui.scene import scene_of
from web.ui.timeline import event_line

pages = Blueprint("pages", __name__)


def _with_match(template: str, page: str, match: Match, seat: int | None, **more: Any) -> str:
    presenter = presenter_of(match.game)
    return render_template(
        template,
        scene=scene_of(match, seat),
        pieces={**pieces_of(match, page, seat).html, **room_pieces(page, match)},
        presenter=presenter,
        followed=match.id if request.args.get("match") or page == "play" else "",
        **more,
    )


@pages.get("/")
def watch() -> str:
    """Everybody's boards and scores; before the first match of an evening how one joins, and who is there."""
    asked = request.args.get("match")
    if not asked and _nothing_tonight():
        return _lobby("watch")
    match = find_match(asked)
    return _with_match("watch.html", "watch", match, None, stranger=is_stranger(person(), match))


@pages.get("/tv")
def tv() -> str:
    """The table's screen: readable from three metres, and the QR code for joining."""
    if _nothing_tonight():
        return _lobby("tv")
    return _with_match("tv.html", "tv", find_match(None), None)


def _nothing_tonight() -> bool:
    """Return True if no match was played this evening: yesterday's result is not shown then."""
    match = site().service.table.current
    if match is None or not match.finished:
        return match is None
    over = datetime.fromisoformat(match.events[-1].at)
    return (site().service.clock.now() - over).total_seconds() > EVENING


def _lobby(look: Literal["watch", "tv", "guest"]) -> str:
    """The room around the table, as a phone, the table's screen, or somebody who is in it sees it."""
    code = code_here() if may_see_code() else ""
    link = join_link(code)
    return render_template(
        "lobby.html",
        look=look,
        pieces=room_pieces("guest" if look == "guest" else "lobby", None),
        playing=playing(),
        last=known_match(None),
        guest=person().guest,
        screen=person().screen,
        code=code,
        picture=qr(link) if code else "",
        address=short_address(),
    )


def _own(who: Person) -> Player | None:
    return who.guest.player if who.guest is not None else None


def _is_code(code: str) -> bool:
    """Check a code in the address; guesses count against the same limit as typed ones."""
    return guessed("code", lambda: is_code_here(code) or None) is not None


@pages.get("/join")
@pages.get("/j/<code>")
def join(code: str = "") -> str | Response:
    """Say who one is, and before a match that is all; in one choose a free seat."""
    match, who = playing(), person()
    if match is not None and who.seat_in(match) is not None:
        return redirect(url_for("pages.play"))
    renaming = who.guest is not None and "name" in request.args
    if who.guest is not None and not renaming:
        return redirect(url_for("pages.play"))
    open_to_all = renaming or who.host or site().demonstration
    known = code_here() if open_to_all else code
    right = open_to_all or (bool(code) and _is_code(code))
    others = [one.player for one in site().room.guests if one != who.guest]
    seated = list(match.players.values()) if match else []
    found = offers(match) if match and not renaming else []
    kept = [one.player for one in found if one.player is not None]  # seats whose colours can be had
    return render_template(
        "join.html",
        playing=match,
        code=known if right else "",
        wrong=bool(code) and not right,
        brings=who.host,  # whoever scanned or typed the table's code is asked for no other
        offers=found,
        sitting=sitting(match) if match and not renaming else {},
        marks=() if site().demonstration and kept else SEAT_MARKS,
        guest=who.guest,
        taken_colours=set() if kept else {one.colour for one in (*others, *seated) if one != _own(who)},
        free_mark=with_free_mark(default_player(1), [*others, *seated]),
    )


@pages.get("/play")
def play() -> str | Response:
    """A seat's own page; for a guest without a seat the room."""
    who, current = person(), site().service.table.current
    if who.match is None or who.seat is None or current is None:
        return redirect(url_for("pages.join")) if who.guest is None else _lobby("guest")
    match = find_match(who.match)
    taken = taken_seats(current)
    free = [seat for seat in (who.seat, *who.seats) if seat not in taken]
    same = any(match.players.get(seat) == current.players.get(seat) for seat in free)
    follows = current.id != match.id and (same or _kept_seat(current) is not None)
    if current.id != match.id and not current.finished and not follows and who.guest is not None:
        return _lobby("guest")  # other people play now: straight to what can be done about it
    code = code_here()
    return _with_match(
        "play.html",
        "play",
        match,
        who.seat,
        own=who.seat,
        photos=photos_of(match),
        has_dice=bool(match.game.die_faces),
        coached=site().service.coach.knows(match.game),
        hints=site().service.coach.coaching(match) == "hints",
        follows=follows,
        current=current.id,
        idle=idle_seats(match),
        code=code,
        link=join_link(code),
        code_picture=qr(join_link(code)),
    )


def _kept_seat(match: Match) -> int | None:
    """The seat that was kept for this guest when the match was begun."""
    guest = person().guest
    return site().joining.seat_for(match, guest.person) if guest is not None else None


@pages.get("/camera")
def camera() -> str:
    """A phone on a stand as the table's camera."""
    if not person().host:
        return render_template("host_pin.html")
    match = playing()
    return render_template("camera.html", match=match, looks=presenter_of(match.game) if match else None)


@pages.get("/host/boards")
def boards() -> str:
    """Boards of the owner's own: how one is taught, and those the box knows."""
    if not person().host:
        return render_template("host_pin.html")
    service = site().service
    games = [
        (
            name,
            service.games[name].title,
            bool(kept_options(service.store, service.games[name]).get(printables.described_by)),
        )
        for name, printables in segmented_printables().items()
        if name in service.games
    ]
    decks = [
        (
            name,
            service.games[name].title,
            [
                (one, printables.edition_words(one), printables.deck_photographs(one))
                for one in printables.editions
            ],
        )
        for name, printables in games_with_decks().items()
        if name in service.games
    ]
    most = max((count for _, _, editions in decks for _, _, count in editions), default=0)
    known = {"taught": service.taught.boards(), "known_decks": service.taught.decks()}
    return render_template(
        "boards.html", games=games, decks=decks, order=DECK_ORDER, most_photographs=most, **known
    )


@pages.get("/host")
def host() -> str:
    """The host's page; the PIN first."""
    if not person().host:
        return render_template("host_pin.html")
    service, match = site().service, site().service.table.current
    with_cards = {name: one for name, game in service.games.items() if (one := _deal_of(game)) is not None}
    return render_template(
        "host.html",
        service=service,
        match=match,
        pieces=room_pieces("host", match),
        usual_game=match.game.name if match else next(iter(service.games), ""),
        guest=person().guest,
        games=service.games.values(),
        presenters={name: presenter_of(game) for name, game in service.games.items()},
        parts=[part for part in service.parts() if part.state == "bad"],
        fair=service.fair,
        files={name: kept_options(service.store, game) for name, game in service.games.items()},
        deal=next(iter(with_cards.values()), None),
        deals={name: kept_deal(service.store, name) or one.default for name, one in with_cards.items()},
        editors={name: presenter_of(game).editor_links for name, game in service.games.items()},
    )


def _deal_of(game: Game[Any]) -> Option | None:
    """Who deals, where a game has cards: the same choice in each of them."""
    return next((option for option in game.options if option.name == DEAL), None)


@pages.get("/host/box")
def box() -> str:
    """The page about the box itself: what it consists of, how it is set up, its backups and updates."""
    if not person().host:
        return render_template("host_pin.html")
    service = site().service
    parts = service.parts()
    never = service.never_there(parts)
    return render_template(
        "box.html",
        service=service,
        pieces=room_pieces("box", service.table.current),
        parts=[part for part in parts if part not in never],
        never=never,
        backups=service.backups.here(),
        streams=site().live.open,
        dice=service.dice.policy.source,
        elsewhere=kept_here(service.store.setting),
        numbered=list(numbered(service.games)),
        taught=service.taught.boards(),
        restorable=listed_backups(),
        screen_language=service.store.setting(SCREEN_LANGUAGE) or "",
    )


@pages.get("/setup")
def setup() -> str:
    """The setup page of a new box: the PIN and the box's name."""
    restorable = listed_backups() if site().setup.state == "open" else ()
    return render_template("setup.html", setup=site().setup, choices=LANGUAGES, restorable=restorable)


@pages.get("/host/settings")
def settings() -> str:
    """The page with all settings."""
    if not person().host:
        return render_template("host_pin.html")
    settings = site().service.settings
    return render_template(
        "settings.html",
        sections=settings_form(settings.now),
        waits=settings.waits_for_restart,
        suggested=settings.suggestions(),
    )


@pages.get("/match/<match_id>")
def report(match_id: str) -> str:
    """How a match went: on a screen or on paper."""
    match = find_match(match_id)
    presenter = presenter_of(match.game)
    played = list(rounds(match))
    steps = [step_of(match, one) for one in played]
    events = [event_line(match, event, None) for event in match.events]
    belongs = person().host or person().seat_in(match) is not None
    return render_template(
        "report.html",
        match=match,
        pieces=room_pieces("report", match),
        scene=scene_of(match, None),
        presenter=presenter,
        began=match.events[0].at,
        steps=steps,
        chart=line_chart(steps, match.players),
        events=events,
        plain=lambda words: presenter.plain(words, match.state),
        photos=[event for event in events if "picture" in event.data],
        of_table=photos_of(match).of_table,
        remembered=match.id in site().service.photos.memories(),
        moments=moments(match, played, steps) if match.finished else [],
        costs=seat_costs(site().service.coach.rounds(match, think=False)[0], match.players, len(steps))
        if match.finished
        else [],
        recorded=recorded_rounds(match, steps),
        bgstats=site().service.export.bgstats_link(match) if match.finished else "",
        note=site().service.store.setting(note_setting(match.id)) or "",
        dice_thrown=bool(match.game.die_faces),
        coached=site().service.coach.knows(match.game),
        may_rematch=match.finished and belongs,
        may_note=belongs,
        may_put_away=match.finished and person().host,
    )


@pages.get("/history")
def history() -> str:
    """Finished matches, and players over time."""
    service = site().service
    stored: list[StoredMatch] = service.history.matches()
    newest = list(reversed(stored))[:_MOST_LISTED]
    found: list[Played] = [site().history.line(one, find_match) for one in newest]
    return render_template(
        "history.html",
        played=found,
        notes={one.id: service.store.setting(note_setting(one.id)) or "" for one in found},
        host=person().host,
        picture=picture_of(),
        away=service.history.hidden() if person().host else [],
        more=len(stored) - len(newest),
        records=[(record, results_chart(record)) for record in players_over_time(found)],
        most_curves=MOST_CURVES,
    )


_MOST_LISTED = 100


@pages.get("/score")
def quick_score() -> str:
    """A board without a match: of the game asked for, or of the first that offers it."""
    presenters = {game.name: presenter_of(game) for game in site().service.games.values()}
    offered = {
        name: quick for name, presenter in presenters.items() if (quick := presenter.quick()) is not None
    }
    wanted = request.args.get("game") or next(iter(offered), "")
    if wanted not in offered:
        raise WebError(404, "not-found", m("no such game's boards can be counted here without a match"))
    games = [site().service.games[name] for name in offered]
    quick = offered[wanted]
    game = site().service.games[wanted]
    photographs = bool(packages()[wanted].reader)
    return render_template(
        "quick.html",
        presenter=presenters[wanted],
        game=game,
        games=games,
        quick=quick,
        photographs=photographs,
    )


@pages.get("/help")
def help_page() -> str:
    """The rules in brief, and what each page is for."""
    return render_template("help.html", games=site().service.games.values())


@pages.get("/favicon.ico")
def favicon() -> Response:
    """Some browsers ask for it whatever the page says."""
    raise WebError(404, "not-found", m("every page links to its icon"))
