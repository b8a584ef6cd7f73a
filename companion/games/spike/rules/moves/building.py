"""The action of building: the path is judged, paid for with rail cards, and scored at the market."""

from __future__ import annotations

import msgspec

from companion.core.errors import quoted
from companion.core.jsontext import shaped
from companion.core.messages import joined, m
from companion.core.records import replaced
from companion.game.base import Action, Chance, Fact, Refusal
from companion.game.pictures import Picture, picture_fact
from companion.games.spike.rules.match.flow import acted, action_refusal
from companion.games.spike.rules.match.state import State, with_player
from companion.games.spike.rules.moves.build_search import nearest_builds, priced_builds
from companion.games.spike.rules.moves.builds import Build, ground_of, judge_build
from companion.games.spike.rules.moves.market import all_sold
from companion.games.spike.rules.moves.payment import NONE, Counts, payable, payments, pays_exactly
from companion.games.spike.rules.moves.rail_cards import cards_words, not_played, suits_of
from companion.games.spike.rules.rulebook import BOOK
from companion.games.spike.rules.words import suit_words


class _Build(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    path: tuple[str, ...]
    cards: dict[str, int] | None = None
    picture: Picture | None = None


def decide_build(state: State, action: Action, _chance: Chance) -> Fact | Refusal:
    """Build a path of tracks with these cards; without cards the cheapest payment is taken."""
    request = shaped(action.data, _Build, "bad-action")
    refusal = action_refusal(state, action.seat)
    if refusal is not None:
        return refusal
    build = judge_build(ground_of(state, state.turn), request.path)
    if isinstance(build, Refusal):
        return build
    paid = _paid(state, build, request.cards)
    if isinstance(paid, Refusal):
        return paid
    fact = build_action(state, build, paid)
    return replaced(fact, data={**fact.data, **picture_fact(request.picture)})


def build_action(state: State, build: Build, paid: Counts) -> Fact:
    """The fact that a build becomes with this payment."""
    cards = {suit: count for suit, count in zip(suits_of(state), paid, strict=True) if count}
    return Fact("build", state.turn, {"path": list(build.path), "cards": cards})


def _paid(state: State, build: Build, cards: dict[str, int] | None) -> Counts | Refusal:
    if cards is None:
        return _cheapest(state, build)
    suits = suits_of(state)
    unknown = next((suit for suit in cards if suit not in suits), None)
    if unknown is not None:
        return Refusal(
            "unknown-suit",
            m(
                "there is no suit {unknown}: they are {suits}",
                unknown=quoted(unknown),
                suits=joined(", ", map(suit_words, suits)),
            ),
        )
    paid = tuple(cards.get(suit, 0) for suit in suits)
    excess = _excess(state, paid)
    if excess is not None:
        return excess
    if min(paid) < 0 or not _holds(state, paid):
        return Refusal("not-in-hand", m("you do not have these cards"))
    if not pays_exactly(paid, build.need):
        return Refusal(
            "wrong-cards",
            m("these cards do not pay for it: it takes {need}", need=_card_words(state, build.need)),
        )
    return paid


def _cheapest(state: State, build: Build) -> Counts | Refusal:
    if not state.player.hand:
        held = _holds(state, build.need)
        short = None if held else Refusal("not-in-hand", m("you do not have so many cards"))
        return _excess(state, build.need) or short or build.need
    if not payable(state.player.hand, build.need):
        words = _card_words(state, build.need)
        message = m("your hand does not pay for it, not even with wild sets: it takes {words}", words=words)
        return Refusal("cannot-pay", message)
    return payments(state.player.hand, build.need)[0]


def _holds(state: State, paid: Counts) -> bool:
    """True if the player has these cards; of people's own cards only the number is known."""
    if not state.player.hand:
        return sum(paid) <= state.player.held and max(paid) <= BOOK.rails
    return all(used <= have for used, have in zip(paid, state.player.hand, strict=True))


def _excess(state: State, paid: Counts) -> Refusal | None:
    """Why so many cards of people's own deck cannot be in a hand at all."""
    if not state.counts_cards:
        return None
    for suit, played, left, lie in zip(suits_of(state), paid, not_played(state), state.discards, strict=True):
        if played > left:
            shuffled = m("; was the deck shuffled anew, say first that a time card was turned") if lie else ""
            there = m(
                "there are {lie}, and {lie2} lie on the discard pile{shuffled}",
                lie=left + lie,
                lie2=lie,
                shuffled=shuffled,
            )
            return Refusal(
                "not-in-hand",
                m(
                    "{played} {suit} cards cannot be played: {there}",
                    played=played,
                    suit=suit_words(suit),
                    there=there,
                ),
            )
    return None


def _card_words(state: State, need: Counts) -> str:
    return cards_words(dict(zip(suits_of(state), need, strict=True)))


def apply_build(state: State, fact: Fact) -> State:
    """The state with the tracks laid, the cards discarded and every new city scored at the market."""
    player, board = state.player, state.options.on
    paid = tuple(fact.data["cards"].get(suit, 0) for suit in suits_of(state))
    cities = _new_cities(state, fact.data["path"])
    earned, market = all_sold(state.market, [board.cities[city].good for city in cities])
    state = with_player(
        state,
        state.turn,
        tracks=(*player.tracks, *fact.data["path"]),
        hand=tuple(have - used for have, used in zip(player.hand, paid, strict=True)) if player.hand else (),
        held=player.held - sum(paid),
        money=player.money + earned,
        scored=player.scored + earned,
    )
    discards = tuple(lie + used for lie, used in zip(state.discards, paid, strict=True))
    known = state.by_box or state.counts_cards
    return acted(replaced(state, market=market, discards=discards if known else NONE))


def _new_cities(state: State, path: list[str]) -> list[str]:
    ground = ground_of(state, state.turn)
    build = judge_build(ground, path)
    assert isinstance(build, Build), "apply is told only what decide has accepted"
    return list(build.cities)


def legal_builds(state: State) -> list[Action]:
    """Every build, each with its cheapest payment."""
    if state.acted:
        return []
    ground = ground_of(state, state.turn)
    if not state.by_box:
        near = [
            build
            for build in nearest_builds(ground)
            if sum(build.need) <= state.player.held and _excess(state, build.need) is None
        ]
        return [build_action(state, build, build.need) for build in near]
    return [build_action(state, build, ways[0]) for build, ways in priced_builds(ground, state.player.hand)]
