"""Results are checked by the rules, a moment after they came, by whichever hub is first."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence

import msgspec

from companion.club.messages import Record
from companion.core.jsontext import JsonObject
from companion.game.registry import GAMES
from companion.service.periodic import Periodic
from hub.foreign.ruling import Ruling, RulingRequest
from hub.house import HubHouse
from hub.intake.ledger import records_size, stored_records
from hub.state import Played, can_be_told
from hub.storage.database import AwayError, next_version

log = logging.getLogger(__name__)

_LOOKS_EVERY = 1.0  # seconds
_TOGETHER = 50
_LARGEST = 5_000_000  # bytes of a match's records; the largest of ours have 200,000
_QUICK = 1.0  # seconds: a box whose matches take longer to judge waits before the next one
_REST = 60.0


class ResultChecker(Periodic):
    """A thread that has every match that is over judged by the rules."""

    def __init__(
        self,
        house: HubHouse,
        rule: Callable[[RulingRequest], Ruling],
        stopping: threading.Event,
        rest: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__("results", _LOOKS_EVERY, stopping)
        self._house = house
        self._rule = rule
        self._rest = rest  # called while there is nothing to judge
        self._resting: dict[str, float] = {}  # boxes, and until when

    def look(self) -> None:
        """Judge what has not been judged yet, and store many rulings together."""
        rulings: list[tuple[Ruling, Played]] = []
        try:
            for played, untold in self._waiting():
                if self._stopping.is_set() or len(rulings) == _TOGETHER:
                    break
                begun = time.monotonic()
                if begun < self._resting.get(played.box, 0.0):
                    continue
                rulings.append((self._ruling(played, untold), played))
                if time.monotonic() > begun + _QUICK:
                    self._resting[played.box] = time.monotonic() + _REST
            self._store(rulings)
            if not rulings:
                self._rest()
        except AwayError as problem:
            log.warning("%s", problem.message)

    def _waiting(self) -> Iterator[tuple[Played, dict[str, JsonObject]]]:
        """Matches that are over, with what their boxes told beside the records."""
        matches = self._house.state.matches
        for key in list(self._house.untold):
            told = self._house.untold.pop(key)
            if key in matches:
                yield matches[key], told.data
        yield from ((one, {}) for one in list(matches.values()) if one.results and not one.checked)

    def _ruling(self, played: Played, untold: dict[str, JsonObject]) -> Ruling:
        if not untold and (played.game not in GAMES or can_be_told(played.game)):
            return "claimed"
        try:
            with self._house.database.reading() as look:
                if records_size(look, played.box, played.match) > _LARGEST:
                    return "unclear"
                records = stored_records(look, played.box, played.match)
        except msgspec.ValidationError:  # an earlier hub took what this one would not
            return "unclear"
        return self._rule(_request(self._house, played, records, untold)) if records else "unclear"

    def _store(self, rulings: Sequence[tuple[Ruling, Played]]) -> None:
        if not rulings:
            return
        with self._house.database.writing() as change:
            version = next_version(change)
            change.many(
                "UPDATE matches SET checked = ?, version = ? WHERE box = ? AND match = ? AND seq = ?",
                [(ruling, version, one.box, one.match, one.seq) for ruling, one in rulings],
            )
        self._house.news.set()


def _request(
    house: HubHouse, played: Played, records: list[Record], untold: dict[str, JsonObject]
) -> RulingRequest:
    """What the rules are asked: with the options of the club's round, or with those that the table told."""
    told = records[0].data.get("duplicate")
    commitment = told.get("commitment") if isinstance(told, dict) else None
    rounds = house.state.evening.rounds
    ours = next((one for one in rounds if commitment and one.commitment == commitment), None)
    if ours is not None:
        return RulingRequest(records, ours.options, True, untold)
    options = played.state.options if played.state is not None else {}
    return RulingRequest(records, options, bool(options), untold)
