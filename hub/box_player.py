"""What a box's own bot comes to, alone, with the dice of an opened round: a line to compare oneself with.

A match is played once, beside everything else, when somebody first looks at the round; until then there is no
such line.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Sequence

from companion.game.bots import points_alone
from companion.game.registry import GAMES
from hub.evening import Round

log = logging.getLogger(__name__)
_KEPT = 100  # rounds


class BoxPlayer:
    """It plays one round at a time, in a thread of its own."""

    def __init__(self) -> None:
        self._points: OrderedDict[str, int | None] = OrderedDict()  # by the commitment of the round
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self.played = 0  # rounds so far: what pages show has changed when this has

    def points(self, one: Round, rolls: Sequence[Sequence[str]]) -> int | None:
        """The points with these rolls; None as long as they are not known, or nobody can tell."""
        with self._lock:
            if one.commitment in self._points or not rolls:
                return self._points.get(one.commitment)
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(
                    target=self._play, args=(one, rolls), name="box-player", daemon=True
                )
                self._thread.start()
        return None

    def wait(self) -> None:
        """Until the match that is played now is over."""
        if self._thread is not None:
            self._thread.join()

    def _play(self, one: Round, rolls: Sequence[Sequence[str]]) -> None:
        points = None
        try:
            points = points_alone(GAMES[one.game], one.options, rolls)
        except Exception:  # a round without this line is better than none
            log.exception("The dice of round %d could not be played alone.", one.number)
        with self._lock:
            self._points[one.commitment] = points
            self.played += 1
            while len(self._points) > _KEPT:
                self._points.popitem(last=False)
