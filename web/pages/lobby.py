"""The parts of pages about the room: guests, the join code, requests to be let in, own seats.

These pieces change without any event of a match, so they are drawn for each request and are small.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from flask import render_template

from companion.core.messages import m
from companion.table.fairplay import duplicate_of, words_of, words_open
from companion.table.match import Match
from companion.table.requests import admit_fault, followed, last_roll
from companion.table.seats import Player, default_player
from companion.table.sitting import taken_seats
from web.access.people import Person, person
from web.api.room import answerable, code_here, may_see_code, seats_kept
from web.pages.addresses import base_address, is_reachable, join_link, qr, short_address
from web.pages.rematch import waiting_guests
from web.pages.watching import film_piece, watching_piece
from web.site import playing, site
from web.ui import presenter_of
from web.ui.dice import dice_entry


@dataclass(frozen=True)
class SeatOffer:
    """A seat that somebody who is here may take, and in which words."""

    seat: int | None  # none: one more
    player: Player | None
    says: str


def offers(match: Match) -> list[SeatOffer]:
    """The seats that can be taken now: nobody sits there, or a bot; else one more where that is legal.

    Whoever has no phone, and is played by somebody else's, sits there: a guest is not asked to push them off.
    """
    found = _without_phone(match, site().joining.looked_after(match))
    if not found and admit_fault(match) is None:
        found.append(SeatOffer(None, None, m("one more seat")))
    return found


def _without_phone(match: Match, minded: frozenset[int] = frozenset()) -> list[SeatOffer]:
    taken, found = taken_seats(match) | seats_kept(match) | minded, []
    alone = m("a bot plays") if site().demonstration else m("has no phone")
    for seat, player in match.players.items():
        if seat in taken:
            continue
        by, unnamed = match.holder(seat).by, player.name == default_player(seat).name
        says = m("free") if unnamed else {"bot": m("a bot plays"), "nobody": m("got up")}.get(by, alone)
        found.append(SeatOffer(seat, player, says))
    return found


def sitting(match: Match) -> dict[int, Player]:
    """Return who sits at the table with a phone, their own or somebody else's."""
    seats = taken_seats(match) | site().joining.looked_after(match)
    return {seat: match.players[seat] for seat in sorted(seats)}


def room_pieces(page: str, match: Match | None) -> dict[str, str]:
    """The pieces of a page that are about the room; ``match`` is the one that the page shows."""
    return {"storage": _storage(page), **_pieces_of_page(page, match)}


def _storage(page: str) -> str:
    """Tell everybody if the disk does not accept writes; empty otherwise."""
    return render_template("pieces/storage.html", storage=site().service.storage, page=page)


def _pieces_of_page(page: str, match: Match | None) -> dict[str, str]:
    who = person()
    if page == "play" and match is not None:
        # Entering dice that people threw
        plays = not match.finished and match.holder(who.seat or 0).by == "person"
        by_hand = site().service.dice.policy.source == "hand" and duplicate_of(match) is None
        late = match.game.catches_up(match.state, who.seat or 0)
        entry = dice_entry(match) if plays and not late else None
        return {
            "door": _door(),
            "seats": _own_seats(who, match),
            "hand-dice": render_template("pieces/hand-dice.html", entry=entry, by_hand=by_hand),
            "fair": _fair(who, match),
            "correct-dice": _correct_dice(who, match),
            "watching": watching_piece(match, who.seats),
        }
    drawn: dict[str, Callable[[], dict[str, str]]] = {
        "lobby": lambda: {"people": _people(), "door": _door(), "way": _way()},
        "guest": lambda: {"people": _people(), "door": _door(), "mine": _mine(who)},
        "host": lambda: {
            "door": _door(),
            "present": _present(),
            "host-match": _host_match(match),
            "club-round": _club(match)["club-round"],
        },
        "box": lambda: {"door": _door(), "host-club": _club(match)["host-club"]},
        "tv": lambda: {
            "corner": _corner(),
            "coach": _coached(match),
            **_watched(match),
        },
        "watch": lambda: {"between": _between(who), "sit": _sit(who, match)},
        "report": lambda: {"begun": _begun(who, match)},
    }
    return drawn[page]() if page in drawn else {}


def _watched(match: Match | None) -> dict[str, str]:
    if match is None:
        return {"watching": "", "film": ""}
    return {"watching": watching_piece(match), "film": film_piece(match)}


def _club(match: Match | None) -> dict[str, str]:
    """Tell the host about the box's club, first of all what the table has to play."""
    service, names = site().service, ("club-round", "host-club")
    if not person().host:
        return dict.fromkeys(names, "")
    titles = {name: game.title for name, game in service.games.items()}
    club = service.club.news(match.id if match else "")
    told: dict[str, Any] = {"club": club, "match": match, "titles": titles}
    return {name: render_template(f"pieces/{name}.html", **told) for name in names}


def _coached(match: Match | None) -> str:
    """What the latest round that is over cost, for everybody at the table, where that was chosen."""
    coach = site().service.coach
    if match is None or coach.coaching(match) != "screen":
        return ""
    found, _ = coach.rounds(match)
    latest = max((one.told["round"] for one in found), default=0)
    told = [(match.players[one.seat].name, one.told) for one in found if one.told["round"] == latest]
    return render_template("pieces/coach.html", told=told)


def _people() -> str:
    match = playing()
    return render_template("pieces/people.html", guests=site().room.guests, match=match, host=person().host)


def wifi_code() -> str:
    """The QR code that brings a phone into the box's own network, while that is open."""
    own = site().service.own_network
    return qr(own.code) if own is not None else ""


def _way() -> str:
    """Show how to get here with a phone: the current address and code."""
    code = code_here() if may_see_code() else ""
    return render_template(
        "pieces/way.html",
        reachable=is_reachable(),
        code=code,
        picture=qr(join_link(code)) if code else "",
        address=short_address(),
        setup=site().setup.state,
        wifi=site().service.own_network,
        wifi_picture=wifi_code(),
    )


def _door() -> str:
    return render_template("pieces/door.html", knocks=answerable())


def _present() -> str:
    who = person()
    return render_template(
        "pieces/present.html",
        guests=site().room.guests,
        code=code_here(),
        under_way=playing() is not None,
        joins=who.guest is None,
    )


def _host_match(match: Match | None) -> str:
    """The match with its seats, as the host changes them."""
    last = last_roll(match) if match is not None and not match.finished else None
    link = join_link(code_here())
    return render_template(
        "pieces/host-match.html",
        match=match,
        sprite=presenter_of(match.game).sprite if match else "",
        camera=site().service.camera.is_there,
        readable=match is not None and site().service.photos.can_read(match),
        taken=taken_seats(match) if match else frozenset(),
        code=code_here(),
        link=link,
        code_picture=qr(link),
        last=last,
        again=dice_entry(match, last) if match is not None and last is not None else None,
        waiting=waiting_guests(match, site().room.guests) if match else [],
    )


def _mine(who: Person) -> str:
    """What a guest can do: wait, or sit down in the match that is being played."""
    match = playing()
    own = None
    if match is not None and who.guest is not None:
        own = site().joining.seat_for(match, who.guest.person)
    return render_template(
        "pieces/mine.html",
        guest=who.guest,
        host=who.host,
        match=match,
        claim=own is not None,
        seated=match is not None and who.seat_in(match) is not None,
        offers=offers(match) if match else [],
        sitting=sitting(match) if match else {},
        fault=admit_fault(match) if match else None,
    )


def _corner() -> str:
    """A small corner of a match's page: the code for latecomers on known screens, else how to watch."""
    shown, between = may_see_code(), playing() is None
    link = join_link(code_here()) if shown else base_address()
    code = code_here() if shown else ""
    return render_template("pieces/corner.html", link=link, code=code, picture=qr(link), between=between)


def _between(who: Person) -> str:
    """After a match, show how to join the next one."""
    if playing() is not None:
        return ""
    link = join_link(code_here())
    return render_template(
        "pieces/between.html", code=code_here(), link=link, picture=qr(link), guest=who.guest
    )


def is_stranger(who: Person, match: Match) -> bool:
    """Return True if this browser belongs to no guest, player, host or table screen."""
    return not (who.guest or who.host or who.screen) and who.seat_in(match) is None


def _sit(who: Person, match: Match | None) -> str:
    """Tell a stranger's browser that the current match has a free place."""
    free = match is not None and match == playing() and is_stranger(who, match) and offers(match)
    return render_template("pieces/sit.html", free=free and not site().demonstration)


def _begun(who: Person, match: Match | None) -> str:
    """Tell readers of a finished match that the next one has begun, and where their seat in it is."""
    new, known = playing(), [one.id for one in site().service.history.matches()]
    follows = new is not None and match is not None and known[-2:] == [match.id, new.id]
    belongs = who.guest is not None or (match is not None and who.seat_in(match) is not None)
    return render_template("pieces/begun.html", follows=follows, belongs=belongs)


def _own_seats(who: Person, match: Match) -> str:
    """The seats that this phone plays, and whether somebody plays the one before it at all."""
    seat = who.seat or 0
    mine = {number: match.players[number] for number in who.seats}
    holder = match.holder(seat).by
    return render_template("pieces/own-seats.html", match=match, seat=seat, mine=mine, holder=holder)


def idle_seats(match: Match) -> dict[int, Player]:
    """The seats of people without a phone, which somebody else's phone may look after."""
    if match.finished:
        return {}
    return {
        offer.seat: offer.player
        for offer in _without_phone(match)
        if offer.seat and offer.player and offer.player.name != default_player(offer.seat).name
    }


def _fair(who: Person, match: Match) -> str:
    """Offer to add a word to provable dice, as long as that is possible."""
    waits = not match.finished and match.holder(who.seat or 0).by == "person" and words_open(match.events)
    return render_template(
        "pieces/fair.html", waits=waits, match=match, said=words_of(match.events), seat=who.seat
    )


def _correct_dice(who: Person, match: Match) -> str:
    """Changing a roll that was entered wrongly, for who entered it and for the host."""
    last = None if match.finished else last_roll(match)
    if last is not None and not may_correct(match, last, who):
        last = None
    return render_template(
        "pieces/correct-dice.html",
        correct=last is not None,
        fresh=last is not None and not followed(match, last),
        as_host=last is not None and match.events[last - 1].actor.seat != who.seat,
        last=last,
        again=dice_entry(match, last) if last is not None else None,
    )


def may_correct(match: Match, roll: int, who: Person) -> bool:
    """Return True if this person may correct a roll that was entered by hand."""
    event = match.events[roll - 1]
    return who.host or (event.actor.role == "player" and event.actor.seat == who.seat)
