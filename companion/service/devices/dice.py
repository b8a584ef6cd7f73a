"""The dice roller at the table: turns its throws into events and shows the dice needed next.

A roll asked for on a phone, by the panel's button or by the roller's own button is the same event. The
roller's log keeps every throw; the table takes those that a match is waiting for, if the table's policy lets
the roller throw at all. A throw counts only for the request it answers, or for the moment in which the button
was pressed: what arrives later (after a broken cable, a restart, another match) was thrown, and is not used.
"""

from __future__ import annotations

import hashlib
import logging
import threading
from collections import Counter, deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from companion.core.jsontext import JsonObject
from companion.core.messages import joined, m
from companion.game.base import Action, Game
from companion.service.devices.committed_seeds import CommittedSeeds
from companion.service.devices.dice_policy import DicePolicy
from companion.service.devices.roll_deduplication import RollDeduplication
from companion.table.authority import authority_fault
from companion.table.events import Actor, Device
from companion.table.fairplay import duplicate_of
from companion.table.match import Match
from companion.table.table import Accepted, Refused, Table
from firmware_bridge.bluetooth.hand_roller import BY_HAND
from firmware_bridge.dice import Die, Roll, names_and_faces
from firmware_bridge.exc import BridgeError, RollRefused
from firmware_bridge.roller import DiceRoller, RollerState

logger = logging.getLogger(__name__)

ANSWER_SECONDS = 4.0
REMEMBERED = 8  # throws that were not used
_NO_KEY = "-"  # at the end of a request's id
_LONGEST_NAME = 16  # of a match in a request's id, which has room for 40 characters
_PRESSED_EARLIER = Refused(
    "late-roll", m("the roller's button was pressed while the box did not hear it: press again")
)
_THROW_THEM = Refused("by-hand", m("these dice are thrown by hand: throw them"))
_ASKED_EARLIER = Refused("late-roll", m("it was thrown for an earlier roll"))


def dice_for(game: Game[Any], names: Sequence[str]) -> list[Die]:
    """The dice of a game as the roller knows and shows them; of two equal dice each has a name of its own.

    >>> from types import SimpleNamespace
    >>> game = SimpleNamespace(die_faces={"A": ("1", "2"), "C": ("x", "y", "z")}, die_pictures={"x": "ew"})
    >>> [(die.name, die.faces, die.glyphs) for die in dice_for(game, ["A", "A", "C"])]
    [('A1', 2, ()), ('A2', 2, ()), ('C', 3, ('ew',))]
    """
    copies, numbers = Counter(names), Counter[str]()
    dice = []
    for name in names:
        numbers[name] += 1
        own_name = f"{name}{numbers[name]}" if copies[name] > 1 else name
        faces = game.die_faces[name]
        pictures = tuple(game.die_pictures[face] for face in faces if face in game.die_pictures)
        dice.append(Die(own_name, len(faces), pictures))
    return dice


def faces_of(game: Game[Any], names: Sequence[str], numbers: Sequence[int]) -> list[str]:
    """Return what is printed on the faces that came up."""
    return [game.die_faces[name][number] for name, number in zip(names, numbers, strict=True)]


def source_of(roll: Roll) -> JsonObject:
    """Return the source of a roll as events state it."""
    source: JsonObject = {"kind": "virtual" if roll.virtual else "roller", "uid": roll.uid, "by": roll.by}
    if roll.fair is not None:
        source["fair"] = roll.fair
    if roll.late:
        source["late"] = True
    return source


@dataclass(eq=False)
class _Request:
    """A roll that is being thrown: for whom, and what came of it. Whoever asks meanwhile gets the same.

    It stays the match's request until its throw is entered: a second one of the same moment would have the
    same id, and get the throw that is being entered as an old one.
    """

    id: str
    match: Match
    first: Actor
    askers: list[tuple[Actor, str]] = field(default_factory=list)  # those who sent a key, and the key
    entered: Future[Accepted | Refused] = field(default_factory=Future)  # what the table said to the throw
    answer: Future[Accepted | Refused] = field(default_factory=Future)  # what everybody is told
    came: bool = False  # its throw is being entered, or has been


class TableDice:
    """A dice roller that serves one table."""

    def __init__(
        self,
        table: Table,
        roller: DiceRoller,
        policy: DicePolicy,
        on_state: Callable[[RollerState], None] | None = None,
        on_refused: Callable[[Refused], None] | None = None,
    ) -> None:
        """``on_refused`` is told why a press on the roller's own button was no roll of the match."""
        self.roller = roller
        self._table = table
        self._policy = policy
        self._on_state = on_state
        self._on_refused = on_refused
        self._one_roll = RollDeduplication(table)
        self._seeds = CommittedSeeds(table, roller)
        self._requests: dict[str, _Request] = {}  # by match
        self._requests_lock = threading.Lock()
        self._unused: deque[str] = deque(maxlen=REMEMBERED)
        self._subscription = table.subscribe()
        self._follower = threading.Thread(target=self._follow, name="table-dice", daemon=True)

    def start(self) -> None:
        """Look for the roller and keep it informed."""
        self.roller.start(self._take, self._on_state)
        self._follower.start()

    def stop(self) -> None:
        """Stop serving and release the roller."""
        self._subscription.close()
        self.roller.stop()
        if self._follower.is_alive():
            self._follower.join()

    # Rolling

    def roll(
        self,
        actor: Actor,
        key: str | None = None,
        match_id: str | None = None,
        seen: int | None = None,
    ) -> Accepted | Refused:
        """Throw the dice a match (usually the current one) waits for, with the roller or virtual dice.

        ``seen`` is the version of the match that the asker looks at: see :mod:`.roll_deduplication`.
        """
        match = self._table.match(match_id) if match_id else self._table.current
        if match is None:
            return self._roll(actor, key, match_id)
        return self._one_roll.throw(match, actor, key, seen, lambda: self._roll(actor, key, match_id))

    def _roll(self, actor: Actor, key: str | None, match_id: str | None) -> Accepted | Refused:
        match = self._table.current
        duplicate = match is not None and duplicate_of(match) is not None
        refusal = None if duplicate else self._policy.refusal("box")
        if refusal is not None:
            return refusal
        action = Action("roll", actor.seat)
        fault = authority_fault(action, actor)
        if fault is not None:
            return Refused(fault.code, fault.message)
        names = match.game.dice(match.state) if match else ()
        is_current = match is not None and match_id in (None, match.id)
        if match is None or not names or not is_current or duplicate or not self._roller_may_throw():
            return self._table.submit(action, actor, key, match=match_id)
        request, is_new = self._requested(match, actor, key)
        if is_new:
            try:
                request.answer.set_result(self._thrown(request, names))
            except BaseException as problem:
                request.answer.set_exception(problem)
                raise
            finally:
                with self._requests_lock:
                    self._forget(request)
        return request.answer.result()

    def _requested(self, match: Match, actor: Actor, key: str | None) -> tuple[_Request, bool]:
        """The roll under way in this match, or a new one.

        Its id ends in a digest of the key it was asked with: so a roll that arrives after a restart is still
        the answer to that key.
        """
        with self._requests_lock:
            request = self._requests.get(match.id)
            is_new = request is None
            if request is None:
                claim = self._table.claim(actor, key, match.id) if key else _NO_KEY
                request = self._requests[match.id] = _Request(f"{_request_id(match)}{claim}", match, actor)
            if key and (actor, key) not in request.askers:
                request.askers.append((actor, key))
            return request, is_new

    def _give_up(self, request: _Request) -> bool:
        """Abandon a request, so that no later throw answers it; False if it was answered already."""
        with self._requests_lock:
            if not request.came:
                self._forget(request)
            return not request.came

    def _forget(self, request: _Request) -> None:
        if self._requests.get(request.match.id) is request:
            del self._requests[request.match.id]

    def _thrown(self, request: _Request, names: Sequence[str]) -> Accepted | Refused:
        match = request.match
        try:
            self._seeds.prepare(match)
            thrown = self.roller.roll(dice_for(match.game, names), request.id, ANSWER_SECONDS)
        except BridgeError as problem:
            if not self._give_up(request):  # it came at the last moment, and is being entered
                return request.entered.result()
            if isinstance(problem, RollRefused) and problem.code == BY_HAND:
                return _THROW_THEM
            logger.warning("The roller did not throw (%s); virtual dice instead.", problem)
            return self._by_the_box(request)
        if self._give_up(request):  # the table was not told of it: it had a throw of that number before
            logger.warning("The roller counts from the start again: %s is an old roll.", thrown.key)
            return self._by_the_box(request)
        answer = request.entered.result()
        if isinstance(answer, Accepted) and answer.again and answer.event.seq <= match.version:
            logger.warning("The roller counts from the start again: %s is an old roll.", thrown.key)
            return self._by_the_box(request)
        return answer

    def _by_the_box(self, request: _Request) -> Accepted | Refused:
        """Throw virtual dice, as the answer for everybody who asked."""
        match, action = request.match, Action("roll")
        return self._table.submit(action, request.first, match=match.id, also_for=request.askers)

    def _roller_may_throw(self) -> bool:
        return self._policy.refusal("roller") is None and self.roller.state().connected

    def _take(self, roll: Roll) -> None:
        """A roll, for the first and only time: asked for, or thrown by the roller's own button."""
        match = self._table.current
        if match is None:
            logger.info("Roll %s is for no match: it stays in the roller's log.", roll.key)
            return
        with self._requests_lock:
            request = self._requests.get(match.id)
            if request is not None and request.id == roll.request_id and not request.came:
                request.came = True
            else:
                request = None
        if request is not None:
            try:
                request.entered.set_result(self._asked_for(request, roll))
            except BaseException as problem:
                request.entered.set_exception(problem)
                raise
            return
        answer = self._untimely(match, roll) or self._entered(match, roll, self._claim(match, roll))
        if isinstance(answer, Refused):
            self._note_unused(roll, answer)
            if roll.by == "button" and not roll.late and self._on_refused is not None:
                self._on_refused(answer)

    def _asked_for(self, request: _Request, roll: Roll) -> Accepted | Refused:
        match = self._table.match(request.match.id) or request.match
        if any(event.kind == "roll" for event in match.events[request.match.version :]):
            answer: Accepted | Refused = Refused(
                "already-rolled", m("the dice were thrown in another way meanwhile")
            )
        else:
            answer = self._entered(match, roll, request.askers)
        if isinstance(answer, Refused):
            self._note_unused(roll, answer)
        return answer

    def _untimely(self, match: Match, roll: Roll) -> Refused | None:
        """Explain why a throw for which nobody waits (any more) is not a roll of this match."""
        if roll.request_id is None:
            return _PRESSED_EARLIER if roll.late else None
        # It answers a request of before a restart; that still counts if nothing has happened since.
        return None if roll.request_id.startswith(_request_id(match)) else _ASKED_EARLIER

    def _claim(self, match: Match, roll: Roll) -> Sequence[str]:
        """Return the key of the request from before a restart that this roll answers, if there was one."""
        claim = (roll.request_id or "").removeprefix(_request_id(match))
        return [claim] if claim not in ("", _NO_KEY) else []

    def _note_unused(self, roll: Roll, why: Refused) -> None:
        faces = " ".join(f"{die.name} {die.face + 1}" for die in roll.dice)
        logger.info("Thrown, not used: %s (roll %s): %s", faces, roll.key, why.message)
        self._unused.append(joined("", [faces, " (", why.message, ")"]))

    @property
    def unused(self) -> Sequence[str]:
        """Return the last unused throws with the reasons, newest first."""
        return list(reversed(self._unused))

    def _entered(
        self, match: Match, roll: Roll, keys: Sequence[tuple[Actor, str]] | Sequence[str]
    ) -> Accepted | Refused:
        """Hand the roll to the table, if the policy lets the roller throw and the match waits for it."""
        refusal = self._policy.refusal("roller")
        if refusal is not None:
            return refusal
        names = match.game.dice(match.state)
        if not names or names_and_faces(dice_for(match.game, names)) != names_and_faces(roll.dice):
            return Refused("already-rolled", m("the dice of this round lie already"))
        faces = faces_of(match.game, names, [die.face for die in roll.dice])
        return self._table.submit(
            Action("roll", None, {"faces": faces, "source": source_of(roll)}),
            Actor("device", name=roll.uid),
            match=match.id,
            device=Device(*roll.key),
            also_for=keys,
        )

    # Keeping the roller informed

    def _follow(self) -> None:
        self._show()
        for event in self._subscription:
            self._seeds.follow(event)
            self._show()

    def _show(self) -> None:
        """Set the roller's dice, so that its own button throws what the match waits for."""
        match = self._table.current
        names = match.game.dice(match.state) if match else ()
        if match and names:
            self.roller.show(dice_for(match.game, names))


def _request_id(match: Match) -> str:
    """How requests for the roll that this match waits for begin."""
    name = match.id if len(match.id) <= _LONGEST_NAME else hashlib.sha256(match.id.encode()).hexdigest()[:12]
    return f"{name}-{match.version}-"
