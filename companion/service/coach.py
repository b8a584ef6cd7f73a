"""The coach of the box: what drawings cost, found out beside everything else and remembered."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from typing import Any

from companion.game.base import Bot, Coaching, Fact, Game
from companion.game.bots import own_bot
from companion.table.coaching import Priced, price, prices
from companion.table.events import Event, is_move
from companion.table.match import Match, fact_of

log = logging.getLogger(__name__)

_KEPT = 400  # rounds of seats


class Coach:
    """It thinks about one match at a time, in a thread of its own that ends with the match's last round."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, Priced | None] = OrderedDict()  # by the hash of an event
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def knows(self, game: Game[Any]) -> bool:
        """True if the game's bot can tell of drawings, at least in some matches."""
        bot = own_bot(game)
        return bot is not None and type(bot).coach is not Bot.coach

    def coaching(self, match: Match) -> Coaching:
        """What was chosen before the match: whom it tells what, and whether there are hints."""
        bot = own_bot(match.game)
        return bot.coaching(match.state) if bot is not None else "seats"

    def hint(self, match: Match, seat: int) -> Any | None:
        """The match as it would be with the best moves for a seat that are found; None: nobody can tell.

        Where no hints were chosen before the match, there are none.
        """
        bot = own_bot(match.game)
        if bot is None or bot.coaching(match.state) != "hints":
            return None
        moves = bot.hint(match.state, seat)
        return None if moves is None else bot.instead(match.state, seat, moves)

    def rounds(self, match: Match, *, think: bool = True) -> tuple[list[Priced], int]:
        """What is known of the rounds that are over for everybody, and of how many drawings nothing is yet.

        Nothing is told of a round in which anybody is still drawing with its dice. With ``think`` what is
        missing is thought about from now on.
        """
        bot = own_bot(match.game)
        if bot is None:
            return [], 0
        found: list[Priced] = []
        missing = 0
        with self._lock:
            for event in match.events[1:]:
                fact = fact_of(event)
                if is_move(fact) and event.seat is not None and bot.ends_moves(fact):
                    missing += event.hash not in self._known
                    if (priced := self._known.get(event.hash)) is not None:
                        found.append(priced)
        if missing and think:
            self._begin(match, bot)
        now = match.game.view(match.state, None).get("round")
        over = [one for one in found if match.finished or now is None or one.told["round"] < now]
        return over, missing

    def _begin(self, match: Match, bot: Bot[Any]) -> None:
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(
                    target=self._think, args=(match, bot), name="coach", daemon=True
                )
                self._thread.start()

    def _think(self, match: Match, bot: Bot[Any]) -> None:
        def ask(event: Event, before: Any, fact: Fact) -> Priced | None:
            if not bot.ends_moves(fact):
                return None
            with self._lock:
                if event.hash in self._known:
                    return self._known[event.hash]
            found = price(bot, event, before, fact)
            with self._lock:
                self._known[event.hash] = found
                while len(self._known) > _KEPT:
                    self._known.popitem(last=False)
            return found

        try:
            bot.prepare(wait=True)
            list(prices(match.events, match.game, ask))
        except Exception:  # a page that tells nothing is better than one that thinks for ever
            log.exception("The coach could not tell of the match %s.", match.id)
