"""What a player of Derailed! may do on a phone, from the game's own view and its list of legal actions."""

from __future__ import annotations

from dataclasses import dataclass

from companion.core.jsontext import JsonObject
from companion.core.messages import m
from companion.games.derailed.rules.cards import card_of, deck_of, face_words, faces_of
from companion.games.derailed.rules.game import Derailed
from companion.games.derailed.rules.network import lane_name
from companion.games.derailed.rules.rounds import how_it_ended
from companion.games.derailed.rules.rulebook import BETWEEN_DISCARD, COMPANIES
from companion.games.derailed.rules.state import State
from companion.games.derailed.ui import art
from web.ui.parts import Controls
from web.ui.speaking import Markup

_GAME = Derailed()


@dataclass(frozen=True)
class Card:
    """A card to be chosen: of a hand, or of all the deck's."""

    name: str
    faces: tuple[str, ...]
    picture: Markup
    words: str
    places: int


def controls(state: State, seat: int) -> Controls:
    """What the template of the controls shows to this seat."""
    view = _GAME.view(state, seat)
    kinds = {action.kind for action in _GAME.legal(state, seat)}
    open_places = _by_card(view["open"])
    told = {
        "mode": state.mode,
        "phase": state.phase,
        "dealt": state.dealt,
        "turn": state.mode == "umpire" and state.phase in ("place", "take") and state.turn == seat,
        "kinds": kinds,
        "says": _says(state, seat, kinds),
        "hand": [_card(name, open_places) for name in view["hand"] or ()],
        "open": open_places,
        "grid": view["grid"],
        "palette": []
        if state.dealt
        else [_card(name, open_places) for name in deck_of(state.options.tunnels)],
        "discards": BETWEEN_DISCARD if "discard" in kinds else 0,
        "turns": _extra_turns(view, seat) if "turns" in kinds else None,
        "layers": _layers(state),
        "may_undo": not state.dealt or _may_undo(state, seat),
        "company": state.company(seat).letter,
        "round": state.round,
        "rounds": view["rounds"],
        "lanes": [
            (lane_name(n), *ends) for n, ends in enumerate(zip(state.starts, state.destinations, strict=True))
        ],
        "companies": [(letter, COMPANIES[letter].name) for letter in sorted(state.options.companies)],
    }
    return Controls("derailed/play.html", told)


def _layers(state: State) -> list[tuple[int, str]]:
    """The seats that may have laid a reported card; asked only where points depend on it."""
    asked = state.mode == "scorekeeper" and state.options.first_together == "placer"
    return [(seat, state.company(seat).name) for seat in state.seats] if asked else []


def _may_undo(state: State, seat: int) -> bool:
    """With dealt cards: one's own card before the next is taken, one's own pass before anybody goes on."""
    laid = state.phase == "take" and state.turn == seat
    passed = state.phase == "place" and state.idle > 0 and state.turn == state.after(seat)
    return laid or passed


def _by_card(places: dict[str, list[str]]) -> dict[str, dict[str, list[str]]]:
    """For each card the places that the rules allow, with the ways round: ``{card: {cell: [face, ..]}}``."""
    found: dict[str, dict[str, list[str]]] = {}
    for cell, faces in places.items():
        for face in faces:
            found.setdefault(card_of(face), {}).setdefault(cell, []).append(face)
    return found


def _card(name: str, open_places: dict[str, dict[str, list[str]]]) -> Card:
    places = len(open_places.get(name, {}))
    return Card(name, faces_of(name), art.card_picture(name), face_words(name), places)


def _extra_turns(view: JsonObject, seat: int) -> int:
    return next(int(one["turns"]) for one in view["arrived"] if one["seat"] == seat)


def _says(state: State, seat: int, kinds: set[str]) -> str:
    """What to do now, in a sentence."""
    if state.mode == "scorekeeper" and state.enough_arrived:
        return m("The round is over: {ending}.", ending=how_it_ended(state))
    if state.mode == "scorekeeper":
        return m("Tap a place and enter the card that lies there; the box finds out who has arrived.")
    if state.phase == "between":
        ending = how_it_ended(state)
        return m("The round is over: {ending}. Whoever is ready sets up the next one.", ending=ending)
    if state.has_arrived(seat):
        return m("You have arrived: every turn of yours brings a point until the round is over.")
    if state.turn != seat:
        company = state.company(state.turn).short
        return m("It is {company}'s turn. Choose a card to see where it could go.", company=company)
    return _turn_says(state, kinds)


def _turn_says(state: State, kinds: set[str]) -> str:
    if state.phase == "take":
        return m(
            "Your card is laid. The next one comes by itself in a moment; until then you can take it back."
        )
    if "take" in kinds:
        return m("There are cards again: fill up your hand, or lay a card first.")
    if "place" not in kinds:
        return m("Nothing you hold leads back to your station: you pass.")
    if state.dealt:
        return m("Your turn: lead your track to your station. Choose a card, then a lit place.")
    return m("Your turn: say which of your paper cards you lay, then where.")
