"""What a game and the table promise each other.

The table keeps events; a game is a set of pure functions that give them a meaning::

    setup(request, chance)     -> everything the first event has to hold, chance included
    start(data)                -> the state after that first event
    decide(state, action, ..)  -> the fact to store, or a Refusal with a reason
    apply(state, fact)         -> the next state (never refuses, never looks at a clock, never rolls)

**A fact is an action with nothing left to chance.** ``decide`` fills in what only chance or a device can say
(faces, the order of a shuffled deck) and leaves the rest. Deciding a stored fact again, with
:class:`NoChance`, must give the same fact: that is how a recorded match is replayed strictly, and how undo
and correction find out whether what came later still stands.

How the four games map onto it:

==================  ===================  ===================  ====================  ===================
what is needed      Railroad Ink         SPIKE                Empire Builder        Derailed!
==================  ===================  ===================  ====================  ===================
whose move          every seat at once;  ``state.turn`` seat; ``state.turn`` seat;  ``state.turn`` seat;
                    ``done`` ends a      ``decide`` refuses   build, then move      one card, then draw
                    seat's round         the others
dice                ``roll`` faces from  none                 none                  none
                    a device or chance
hidden hands        none                 ``state.hands``      demand cards lie      ``state.hands``
                                                              open
decks               goals, drawn in      order in ``setup``;  order in ``setup``;   order in ``setup``;
                    ``setup``            a reshuffle is a     a reshuffle is a      a reshuffle is a
                                         fact with its order  fact with its order   fact with its order
money               none                 in the state         in the state          none
camera              a seat's board       the one shared map   the one shared map    the one shared lane
                    (``report``)         (``report``)         (``report``)          grid (``report``)
what others see     everything           ``seen`` and         everything            ``seen`` and
                                         ``view`` hide hands                        ``view`` hide hands
==================  ===================  ===================  ====================  ===================

What nobody may claim for himself, such as the order of a reshuffled deck, lies in the fact's data under
``chance``: the table takes that key, like ``source``, out of everything that people ask for.

People leave, and come late. Who plays a seat is the table's word (``hold``, ``admit``), and what follows from
it the game's own: :meth:`Game.leave`, :meth:`Game.admit`, :meth:`Game.close`.

Two modes, for every game: as *umpire* every action is checked as it happens; as *scorekeeper* people play on
their own and ``report`` whole positions at any time: what can be checked is checked, and the score is kept.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, NoReturn, Protocol, TypeAlias, TypeVar

import msgspec

from companion.core.jsontext import JsonObject
from companion.core.messages import m

Mode: TypeAlias = Literal["umpire", "scorekeeper"]
S = TypeVar("S")


@dataclass(frozen=True)
class Refusal:
    """The rules say no: a code for programs, a sentence for people, and places to point at."""

    code: str
    message: str
    detail: JsonObject = field(default_factory=dict)


class Action(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody wants to do."""

    kind: str
    seat: int | None = None
    data: JsonObject = {}


Fact: TypeAlias = Action  # the same shape, with nothing left to chance


class Option(msgspec.Struct, frozen=True):
    """One thing that can be chosen before a match."""

    name: str
    default: Any
    help: str
    choices: tuple[Any, ...] = ()
    several: bool = False  # any number of the choices, as a list; else one of them
    words: tuple[str, ...] = ()  # of each choice, as people read it on pages; none: the choice itself
    each: bool = False  # one of the choices for every seat, as a list by seat
    written: str = ""  # how it is written, where somebody writes it

    def words_of(self, choice: Any) -> str:
        """What people read for a choice.

        >>> Option("deal", "box", "who", ("box", "table"), words=("the box", "people")).words_of("table")
        'people'
        >>> [Option("dig", False, "tunnels", (False, True)).words_of(yes) for yes in (False, True)]
        ['no', 'yes']
        """
        if self.words:
            return self.words[self.choices.index(choice)]
        if isinstance(choice, bool):
            return m("yes") if choice else m("no")
        return str(choice) if choice else m("none")


class MatchRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is asked for when a match begins."""

    seats: int
    mode: Mode = "umpire"
    options: JsonObject = {}


class Chance(Protocol):
    """A source of randomness; every use ends up in an event together with ``source``."""

    @property
    def source(self) -> JsonObject:
        """What an event says of where its numbers came from."""

    def below(self, bound: int) -> int:
        """A fair number from 0 to ``bound`` - 1."""


class NoChance:
    """For replays: everything random is already in the fact, and asking again is an error."""

    @property
    def source(self) -> JsonObject:
        """Nothing: no number is drawn in a replay."""
        return {}

    def below(self, bound: int) -> NoReturn:
        """Raise LookupError: a stored fact leaves nothing to chance."""
        raise LookupError(f"a number below {bound} was asked for, but a stored fact leaves nothing to chance")


def drawn(items: Sequence[S], count: int, chance: Chance) -> list[S]:
    """``count`` different items in the order they come up.

    >>> class Last:
    ...     source = {}
    ...     def below(self, bound): return bound - 1
    >>> drawn("abc", 2, Last())
    ['c', 'b']
    """
    left = list(items)
    return [left.pop(chance.below(len(left))) for _ in range(count)]


# Lines of JSON in, a position each. Out, for each: the line that encoding the reply of `score_position`
# gives, or an empty one where that has to be asked, for the position is wrong or unusual.
LineScorer: TypeAlias = Callable[[bytes], bytes]


class Game(ABC, Generic[S]):
    """One game. ``S`` is its state: a frozen :class:`msgspec.Struct`, so that a snapshot is plain JSON.

    What is abstract every game says; what it may leave out has a default. Where whoever hosts the game has to
    know beforehand whether it does something, an attribute says so, beside the methods that do it.
    """

    name: str
    title: str
    seats: tuple[int, int]
    options: tuple[Option, ...] = ()
    die_faces: Mapping[str, tuple[str, ...]] = {}
    edition_names: Mapping[str, str] = {}  # of the choices of the option "edition", as people read them
    die_pictures: Mapping[str, str] = {}  # a face's eight by eight dots as 16 hex digits; none: its number
    state_type: type[S]

    # a match

    @abstractmethod
    def setup(self, request: MatchRequest, chance: Chance) -> JsonObject | Refusal:
        """The data of the first event: the options filled up, and everything drawn or shuffled."""

    @abstractmethod
    def setup_fault(self, data: JsonObject, request: MatchRequest) -> Refusal | None:
        """Why this could not have come out of :meth:`setup` for so many seats in this mode."""

    @abstractmethod
    def start(self, data: JsonObject) -> S:
        """The state after the first event."""

    @abstractmethod
    def decide(self, state: S, action: Action, chance: Chance) -> Fact | Refusal:
        """Accept or refuse; the seat in the action has already been proved to be the actor's."""

    @abstractmethod
    def apply(self, state: S, fact: Fact) -> S:
        """The state after an accepted fact."""

    @abstractmethod
    def lasting(self, fact: Fact) -> bool:
        """True for what undo never crosses: rolls, drawn cards, anything somebody has seen."""

    @abstractmethod
    def legal(self, state: S, seat: int) -> list[Action]:
        """Every action open to a seat now."""

    def dice(self, state: S) -> tuple[str, ...]:
        """The dice the table should roll next, by name; empty when no roll is due."""
        return ()

    @abstractmethod
    def finished(self, state: S) -> bool:
        """Return True if the match is over."""

    @abstractmethod
    def score(self, state: S) -> list[JsonObject]:
        """One explained score a seat, best first, with the places shared where the rules share them."""

    @abstractmethod
    def view(self, state: S, seat: int | None) -> JsonObject:
        """The state as that seat (None: a watcher) may see it."""

    @abstractmethod
    def seen(self, state: S, fact: Fact, seat: int | None) -> Fact:
        """A fact as that seat (None: a watcher) may see it; the start comes as a fact of kind ``start``."""

    @abstractmethod
    def faults(self, state: S) -> list[str]:
        """What is impossible about a state: the invariants, checked after every event of a strict replay."""

    # positions and moves without a match, in the game's notation

    @abstractmethod
    def score_position(self, position: JsonObject, /) -> JsonObject:
        """The score of a position; raises a GameError for one that cannot be."""

    @abstractmethod
    def explain_position(self, position: JsonObject, /) -> list[str]:
        """The score of a position as lines that people can follow."""

    @abstractmethod
    def check_moves(self, moves: JsonObject, /) -> JsonObject:
        """``{"valid": true}``, or the first illegal move and why; raises a GameError when unreadable."""

    scores_lines = False

    def line_scorer(self) -> LineScorer | None:
        """What scores very many positions at once, or None where something is missing that it needs."""
        return None

    lists_turns = False

    def complete_turns(self, position: JsonObject, /) -> JsonObject:
        """A position with what was rolled in, every complete turn out; raises a GameError when unreadable."""
        raise NotImplementedError

    # who plays

    skips_empty_seats = (
        False  # does a match go on without them? Else the box makes their moves, as a bot would
    )

    def leave(self, state: S, seat: int) -> S:
        """The state when nobody plays a seat any more: it is not waited for, and does not rank."""
        return state

    def come_back(self, state: S, seat: int) -> S:
        """The state when somebody plays it again; nothing changes for a seat that has not left."""
        return state

    def admit_fault(self, state: S) -> Refusal | None:
        """Why nobody can join late, as things stand; None when somebody can."""
        return Refusal("too-late", m("nobody can join a match of {title} that has begun", title=self.title))

    def admit(self, state: S, seat: int) -> S:
        """The state with one seat more."""
        return state

    def catches_up(self, state: S, seat: int) -> bool:
        """True for a late guest who plays what was missed: with other dice than those that lie there."""
        return False

    judges_end = False

    def close(self, state: S) -> S:
        """The state in which all that was finished counts, when the host ends a match before its time."""
        return state

    def bots_fault(self, options: JsonObject) -> Refusal | None:
        """Why no bot can play with these options (real cards in people's hands); None when one can."""
        return None

    def ends_pause(self, action: Action) -> bool:
        """Return True if this action ends a pause in which people look at a result; bots wait before it."""
        return False

    # more that a game may do

    file_options: tuple[str, ...] = ()  # the names of the options that are whole files of the owner's

    def option_faults(self, options: JsonObject) -> list[str]:
        """Everything that is wrong with such files, each fault a sentence with its line."""
        return []

    duplicable = False  # can tables apart play the same match? After its setup only its dice are chance

    def settled(self, request: MatchRequest, chance: Chance) -> JsonObject | Refusal:
        """Options with which every setup is the same: whatever a setup would draw is in them."""
        raise NotImplementedError

    def rolls(self, options: JsonObject) -> list[tuple[str, ...]]:
        """The names of the dice of every roll of such a match, in order."""
        raise NotImplementedError

    answers_questions = False

    def ask(self, state: S, seat: int, question: Action) -> JsonObject | Refusal:
        """What something would cost, or which way it would be, from what this seat may see: for plans."""
        raise NotImplementedError

    def readable(self, state: S) -> bool:
        """Return True if boards of this match can be read from photographs, if the game has a reader."""
        return True


# The seats, of their own rounds that are over; everybody, on the table's screen; the seats, with hints, too.
Coaching: TypeAlias = Literal["seats", "screen", "hints"]


class Bot(ABC, Generic[S]):
    """A game's own bot: a pure function of what its seat may see, and of chance.

    It is handed the whole state, as the rules are, but what is hidden from the seat (other hands, the order
    of decks) must make no difference to what it decides. The same state and the same numbers from ``chance``
    give the same action, on every machine: how long it searches is counted in steps, never in seconds.
    Dice are the table's affair: it never rolls.
    """

    @abstractmethod
    def decide(self, state: S, seat: int, chance: Chance) -> Action | None:
        """A legal action of the seat; None when it has nothing to do now."""

    def prepare(self, *, wait: bool = False) -> None:
        """Begin to get ready for quick decisions; it decides before that is done, too.

        Whoever measures how it plays waits.
        """

    def coach(self, before: S, fact: Fact, /) -> JsonObject | None:
        """What the moves of a seat cost that a fact brings to an end; None: it ends none, or nobody can tell.

        ``before`` is the match before that fact. The answer has ``round``, ``cost`` (points fewer than with
        the best moves that were found) with its standard ``error``, ``worth`` (points expected with the best
        ones), ``made`` and ``best`` (moves), and ``why`` (sentences).
        """
        return None

    def coaching(self, state: S, /) -> Coaching:
        """What was chosen for a match: whom :meth:`coach` speaks to, and whether there are hints."""
        return "seats"

    def hint(self, state: S, seat: int, /) -> Sequence[JsonObject] | None:
        """The moves that it would make for a seat now, after those of this round that it has made.

        None: the seat has none to make, or nobody can tell.
        """
        return None

    def ends_moves(self, fact: Fact, /) -> bool:
        """True if a fact brings moves to an end of which :meth:`coach` may tell."""
        return False

    def instead(self, before: S, seat: int, moves: Sequence[JsonObject], /) -> S:
        """The match with these moves instead of those that the seat has made in this round."""
        return before

    def advice(self, position: JsonObject, /) -> JsonObject | None:
        """As :meth:`coach` tells, for the latest round that is noted on a board without a match.

        Raises a GameError when the position is unreadable, or no round is noted. None: nobody can tell.
        """
        return None

    def best_turns(self, position: JsonObject, /) -> JsonObject | None:
        """A position with what was rolled in, its best turns out; None: it cannot say what turns are worth.

        Raises a GameError when the position is unreadable.
        """
        return None
