"""How the table's match stands over MQTT: whose turn it is, the roll, the scores, the end.

One retained topic, ``stationmaster/<box>/match``, with what everybody may see, in the box's language.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

from companion.core.jsontext import JsonObject
from companion.core.messages import m
from companion.service.service import Service
from companion.service.system.mqtt import Broker, BrokerError, Entity, MqttPublisher, broker_at
from companion.table.match import Match
from companion.table.provenance import box_key
from companion.table.standings import has_won, seen_match, standings
from web.live.club_night import table_state
from web.ui import presenter_of
from web.ui.signs import awaited_seats
from web.ui.speaking import said_json, speaking, spoken


class MatchPublisher(MqttPublisher):
    """Tells a broker how the match at the table stands."""

    def __init__(self, broker: Broker, service: Service, stopping: threading.Event) -> None:
        super().__init__(broker, _identity(service.store.folder), stopping)
        self._service = service
        self._said: tuple[object, bytes] = ((), b"")

    @property
    def device(self) -> str:
        """The name of the box."""
        return self._service.settings.now.box.name

    def entities(self) -> Iterator[Entity]:
        """What automations act on; the match has everything as its attributes."""
        with speaking(self._language):
            for key, name, template, icon in _SENSORS:
                yield Entity(
                    key, spoken(name), self.topic("match"), template, icon, attributes=key == "match"
                )
            playing = "{{ 'ON' if value_json.playing else 'OFF' }}"
            words = spoken(m("A match is played"))
            yield Entity("playing", words, self.topic("match"), playing, "mdi:dice-multiple", "binary_sensor")

    def states(self) -> Mapping[str, bytes]:
        """How the match stands; said anew when something has happened."""
        match = self._service.table.current
        key = (match and (match.id, match.version), self._language)
        if self._said[0] != key:
            with speaking(self._language):
                self._said = key, said_json(match_news(match))
        return {self.topic("match"): self._said[1]}

    @property
    def _language(self) -> str:
        return self._service.settings.now.box.language or "en"


# Home Assistant takes 255 letters of a state.
_SENSORS = (
    ("match", m("Match"), "{{ value_json.headline[:255] }}", "mdi:train"),
    ("turn", m("Awaited"), "{{ (value_json.turn | join(', '))[:255] }}", "mdi:account-clock"),
    ("roll", m("Dice"), "{{ (value_json.roll | join(', '))[:255] }}", "mdi:dice-5"),
    (
        "scores",
        m("Points"),
        "{% set told = namespace(all=[]) %}{% for one in value_json.seats %}"
        "{% set told.all = told.all + [one.name ~ ' ' ~ one.total] %}{% endfor %}"
        "{{ (told.all | join(', '))[:255] }}",
        "mdi:counter",
    ),
    ("winners", m("Winner"), "{{ (value_json.winners | join(', '))[:255] }}", "mdi:trophy"),
)


def match_publisher(service: Service, stopping: threading.Event) -> MatchPublisher | None:
    """What tells the broker of the settings; None where there is none, or what it needs is missing."""
    address = service.settings.now.mqtt.broker
    if not address:
        return None
    try:
        return MatchPublisher(broker_at(address, service.store.folder), service, stopping)
    except BrokerError as problem:
        service.notes = [*service.notes, problem.message]
        return None


def _identity(folder: Path) -> str:
    """Tells this box from others at the same broker; a backup of it that comes to another box does not."""
    return hashlib.sha256(b"mqtt" + box_key(folder)).hexdigest()[:12]


def match_news(match: Match | None) -> JsonObject:
    """What automations want to know of a match, as everybody may see it."""
    if match is None:
        nothing: JsonObject = {"match": "", "game": "", "headline": m("nothing is played"), "status": ""}
        empty = dict.fromkeys(("turn", "roll", "seats", "winners"), ())
        return {**nothing, "round": None, "playing": False, "finished": False, **empty}
    presenter, view = presenter_of(match.game), seen_match(match, None)
    state = table_state(match, whole=False).with_words()
    names = {number: player.name for number, player in match.players.items()}
    return {
        "match": match.id,
        "game": match.game.title,
        "headline": state.headline,
        "status": state.status,
        "round": state.round,
        "playing": not match.finished,
        "finished": match.finished,
        "turn": [names[seat] for seat in awaited_seats(presenter, view, match)],
        "roll": [die.words for die in presenter.dice(view)],
        "seats": [{"name": one.name, "total": one.total, "place": one.place} for one in state.seats],
        "winners": [names[row["seat"]] for row in standings(match) if has_won(match, row)],
    }
