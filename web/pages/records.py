"""Pages about what was played, and about what is printed: a match's dice and their proof, sheets as PDF."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from io import BytesIO
from typing import cast

from flask import Blueprint, Response, render_template, request

from companion.core.messages import m, vocabulary
from companion.core.remembering import remembered
from companion.game.parts import Printables
from companion.game.registry import games_with_printables, printables_of
from companion.service.export.elsewhere import kept_here
from companion.service.export.proving import prove_rolls
from companion.sheets.printing.paper import PAPERS, PaperName, printed
from companion.sheets.printing.wording import worded
from companion.table.fairplay import seeds_of
from companion.table.match import Match
from web.access.limits import WORK
from web.access.people import person
from web.exc import WebError
from web.pages.assets import asset_url
from web.pages.dice_statistics import dice_counts
from web.pages.history import KEPT, Played
from web.pages.lobby import room_pieces
from web.pages.people import person_record
from web.site import find_match, site
from web.ui import presenter_of
from web.ui.charts import expected_chart, person_chart
from web.ui.clock import local_time
from web.ui.keepsake import PIXELS, Keepsake, keepsake
from web.ui.scene import scene_of
from web.ui.speaking import Markup, language, spoken

records = Blueprint("records", __name__)
_DEAREST = 3  # drawings that are shown at once
_MOST_PICTURES = 24  # of a person's latest matches
_MOST_MATCHES = 50  # of the same game, of which dice are counted together


@records.get("/match/<match_id>/dice")
def dice(match_id: str) -> str:
    """How the dice of a match fell, beside those of the matches before, and what can be proved of them."""
    match = find_match(match_id)
    site().limiter.take("work", request.remote_addr or "", WORK)
    presenter = presenter_of(match.game)
    return render_template(
        "match_dice.html",
        match=match,
        pieces=room_pieces("report", match),
        presenter=presenter,
        counts=dice_counts([match]),
        others=dice_counts(_matches_like(match)),
        face=presenter.face,
        proof=prove_rolls(match.events, match.game),
        seeds=seeds_of(match.events),
        words=[event for event in match.events if event.kind == "word"],
    )


@records.get("/match/<match_id>/coach")
def coach(match_id: str) -> str:
    """What drawings cost against the best ones that are found: one's own, and after the match everybody's."""
    match = find_match(match_id)
    site().limiter.take("work", request.remote_addr or "", WORK)
    the_coach = site().service.coach
    found, thinking = the_coach.rounds(match)
    own = person().seat_in(match)
    everybody = match.finished or the_coach.coaching(match) == "screen"
    shown = [one for one in found if everybody or one.seat == own]
    presenter = presenter_of(match.game)

    return render_template(
        "coach.html",
        match=match,
        pieces=room_pieces("report", match),
        presenter=presenter,
        seats={seat: [one for one in shown if one.seat == seat] for seat in match.players},
        dearest=sorted(shown, key=lambda one: -one.told["cost"])[:_DEAREST],
        chart=expected_chart(shown, match.players) if shown else "",
        thinking=thinking,
        board=partial(_board, match),
    )


@records.get("/match/<match_id>/hint")
def hint(match_id: str) -> str:
    """The best moves that are found for one's own seat, where hints were chosen before the match."""
    match = find_match(match_id)
    own = person().seat_in(match)
    if own is None or site().service.coach.coaching(match) != "hints":
        raise WebError(404, "no-hint", m("there are hints for players of a match that was begun with hints"))
    site().limiter.take("work", request.remote_addr or "", WORK)
    return render_template(
        "hint.html",
        match=match,
        pieces=room_pieces("report", match),
        presenter=presenter_of(match.game),
        seat=own,
        now=match.state,
        best=site().service.coach.hint(match, own),
        board=partial(_board, match),
    )


def _board(match: Match, state: object, seat: int) -> Markup:
    """A seat's board, as the match could be."""
    return presenter_of(match.game).board(match.game.view(state, None), seat, match.players[seat].name)


def _matches_like(match: Match) -> list[Match]:
    """The latest matches of the same game with the same dice."""
    stored = [one.id for one in site().service.history.matches() if one.game == match.game.name]
    return [find_match(one) for one in stored[-_MOST_MATCHES:]]


@records.get("/history/person")
def person_page() -> str:
    """Everything the history has of one name: by year, by game, with whom, and what was never reached."""
    service = site().service
    site().limiter.take("work", request.remote_addr or "", WORK)
    played = [site().history.line(one, find_match) for one in service.history.matches()[-KEPT:]]
    name = request.args.get("name", "")
    record = person_record(name, played, [game.title for game in service.games.values()])
    if record is None:
        raise WebError(404, "nobody", m("nobody of that name has played here"))
    mine = [one for one in played if any(result.name == name for result in one.results)]
    return render_template(
        "person.html",
        record=record,
        most=max((year.matches for year in record.years), default=0),
        games=[(game, person_chart(record, game)) for game in record.games],
        latest=mine[: -_MOST_PICTURES - 1 : -1],
        picture=picture_of(),
    )


def picture_of() -> Callable[[Played], str]:
    """The address of each match's picture: the photograph that people took of it, or its game's."""
    memories = site().service.photos.memories()
    covers = {game.title: presenter_of(game).cover for game in site().service.games.values()}

    def picture(one: Played) -> str:
        if one.id in memories:
            return f"/api/v1/photos/{memories[one.id]}"
        return asset_url(covers[one.title]) if covers[one.title] else ""

    return picture


@records.get("/match/<match_id>/picture.png")
def picture_to_keep(match_id: str) -> Response:
    """Return a finished match as one picture, to keep and to send."""
    match = find_match(match_id)
    if not match.finished:
        raise WebError(409, "not-over", m("the picture is made when the match is over"))
    site().limiter.take("work", request.remote_addr or "", WORK)
    from PIL.Image import Dither

    from companion.sheets.printing.png import MM_PER_INCH, picture  # takes a while to load

    presenter, scene = presenter_of(match.game), scene_of(match, None)
    day = local_time(match.events[0].at, site().service.settings.now.box.time_zone)[:10]
    place = kept_here(site().service.store.setting).place
    drawing = keepsake(match, presenter, Keepsake(spoken(scene.title), day, place, spoken(scene.status)))
    file = BytesIO()
    painted = picture(drawing, PIXELS * MM_PER_INCH / drawing.size[0])
    painted.quantize(256, dither=Dither.NONE).save(file, "PNG", optimize=True)
    answer = Response(file.getvalue(), mimetype="image/png")
    answer.headers["Content-Disposition"] = f'inline; filename="{match.game.name}-{day}.png"'
    return answer


@records.get("/sheets")
def sheets() -> str:
    """List the printable parts by game."""
    games = site().service.games
    printable = {name: printables_of(name) for name in games if name in games_with_printables()}
    return render_template("sheets.html", printable=printable, games=games, papers=PAPERS)


def _asked_part(game: str) -> tuple[Printables, str, str]:
    """What a game prints, and which part and edition of it are asked for."""
    if game not in site().service.games or game not in games_with_printables():
        raise WebError(404, "no-sheets", m("there is nothing to print for such a game here"))
    made = printables_of(game)
    part = _chosen("part", tuple(made.parts))
    edition = _chosen("edition", tuple(made.editions))
    return made, part, edition


@records.get("/sheets/<game>.pdf")
def sheet(game: str) -> Response:
    """Return one part as a PDF, in the reader's language."""
    made, part, edition = _asked_part(game)
    paper = cast(PaperName, _chosen("paper", tuple(PAPERS)))
    site().limiter.take("work", request.remote_addr or "", WORK)
    from companion.sheets.printing.pdf import write_pdf  # takes a while to load, and few print

    file = BytesIO()
    pages = [worded(page, spoken) for page in printed(made.leaves(part, edition, paper))]
    write_pdf(pages, file, spoken(m("{title}: {part}", title=made.title, part=made.part_words(part))))
    answer = Response(file.getvalue(), mimetype="application/pdf")
    answer.headers["Content-Disposition"] = f'inline; filename="{game}-{part}-{paper}.pdf"'
    asked = request.args.get("asked", "")
    if _ASKED.fullmatch(asked):  # no other way tells a page that what it asked for has come
        answer.set_cookie(
            "sheet", asked, max_age=60, samesite="Strict", secure=request.is_secure, path="/sheets"
        )
    return answer


_ASKED = re.compile("[a-z0-9]{1,16}")


@records.get("/sheets/<game>.png")
def sheet_look(game: str) -> Response:
    """Return the first page of a part as a small picture, to be seen before it is printed."""
    _, part, edition = _asked_part(game)
    answer = Response(_look_of(game, part, edition, language()), mimetype="image/png")
    answer.headers["Cache-Control"] = "private, max-age=86400"
    return answer


@remembered(128)  # of some kilobytes each
def _look_of(game: str, part: str, edition: str, _language: str) -> bytes:
    site().limiter.take("work", request.remote_addr or "", WORK)
    from PIL.Image import Dither

    from companion.sheets.printing.png import picture  # takes a while to load, and few print

    page = worded(printed(printables_of(game).leaves(part, edition, "a4"))[0], spoken)
    file = BytesIO()
    picture(page, _LOOK_DPI).quantize(64, dither=Dither.NONE).save(file, "PNG", optimize=True)
    return file.getvalue()


_LOOK_DPI = 36

_CHOSEN = vocabulary("sheets", "part", "edition", "paper")


def _chosen(what: str, choices: tuple[str, ...]) -> str:
    wanted = request.args.get(what) or choices[0]
    if wanted not in choices:
        raise WebError(
            404,
            f"unknown-{what}",
            m("there is no such {what}: choose {choices}", what=_CHOSEN[what], choices=", ".join(choices)),
        )
    return wanted
