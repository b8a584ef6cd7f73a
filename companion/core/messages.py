"""What is said, before it has a language: an English text with named places, and what stands in them.

Rules, readers and services make messages with :func:`m`, :func:`nm` (a number with its noun) and :func:`pm`
(a word that means different things in different contexts); words of a game's data are a :func:`vocabulary`.
Where something is shown, a :class:`Speaker` says them in the language of whoever reads, and calls players by
their names.

>>> taken = m("{cell} is taken: the {route} is drawn there", cell="b3", route=m("curve"))
>>> taken
'b3 is taken: the curve is drawn there'
>>> german = Texts({
...     "{cell} is taken: the {route} is drawn there": "{cell} ist belegt: dort liegt {route}",
...     "curve": "Kurve",
... })
>>> Speaker(german).say(taken)
'b3 ist belegt: dort liegt Kurve'

A message *is* its English sentence: programs, logs and tests read it as any other text. What is done to that
text (joining, cutting, formatting into another string) gives a plain string that nobody can translate, so
messages are put together from messages: with places, :func:`listed`, :func:`joined` and :func:`sentence`.

A plain string in a place is said as it is. So names of people and places on a map, cells and notations can
be neither translated nor mistaken, whatever they are:

>>> Speaker(Texts({"{who} wins": "{who} gewinnt", "the box": "die Box"})).say(m("{who} wins", who="the box"))
'the box gewinnt'
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, Protocol, Self

PLACE = re.compile(r"\{(\w+)\}")
_LONGEST = 10_000  # characters of a message that was stored or sent


class Catalogue(Protocol):
    """The messages of one language, as gettext knows them; a message that is missing is said in English."""

    def gettext(self, message: str, /) -> str:
        """The translation of a message."""

    def ngettext(self, one: str, many: str, n: int, /) -> str:
        """Of a message with a number the form that the language has for it."""

    def pgettext(self, context: str, message: str, /) -> str:
        """The translation of a message in a context."""


class Texts:
    """A catalogue of a few messages, without plurals and contexts."""

    def __init__(self, texts: Mapping[str, str] | None = None) -> None:
        self._texts = texts or {}

    def gettext(self, message: str) -> str:
        """The text, or the English one."""
        return self._texts.get(message, message)

    def ngettext(self, one: str, many: str, n: int) -> str:
        """As English has it."""
        return self.gettext(one if n == 1 else many)

    def pgettext(self, context: str, message: str) -> str:
        """Whatever the context is."""
        return self.gettext(message)


class Speaker:
    """Says messages in one language, to somebody who knows players by their names.

    >>> Speaker(names={2: "Ben"}).say(m("it is the turn of {seat}", seat=Seat(2)))
    'it is the turn of Ben'
    """

    def __init__(self, catalogue: Catalogue | None = None, names: Mapping[int, str] | None = None) -> None:
        self.catalogue: Catalogue = catalogue or Texts()
        self.names = names or {}

    def say(self, value: object) -> str:
        """A message in this language; anything else as it is."""
        return value.said_by(self) if isinstance(value, Message) else str(value)

    def place(self, name: str, value: object) -> str:
        """The text of a value that stands in a place of a message."""
        if isinstance(value, float):
            return str(value).replace(".", self.say(DECIMAL_MARK))
        return self.say(value)


class Message(str):
    """A text with places: ``id`` is its key in the catalogues, the English text itself."""

    id: str
    places: Mapping[str, Any]
    context: str
    many: str  # the text for several, of a message with a number, which is its place ``n``; else empty

    def __new__(
        cls, id_: str, places: Mapping[str, Any] | None = None, context: str = "", many: str = ""
    ) -> Self:
        """Made by :func:`m` and its sisters."""
        text = many if many and (places or {})["n"] != 1 else id_
        shown = {name: str(value) for name, value in places.items()} if places else {}
        made = super().__new__(cls, _filled(text, shown))
        made.id, made.places, made.context, made.many = id_, places or {}, context, many
        return made

    def __getnewargs__(self) -> tuple[Any, ...]:
        """Pickled as it was made: messages go from process to process."""
        return (self.id, self.places, self.context, self.many)

    def said_by(self, speaker: Speaker) -> str:
        """The sentence in the speaker's language."""
        catalogue = speaker.catalogue
        if not self.id:
            return ""  # gettext's own id for what stands in the head of a catalogue
        if self.many:
            text = catalogue.ngettext(self.id, self.many, self.places["n"])
        elif self.context:
            text = catalogue.pgettext(self.context, self.id)
        else:
            text = catalogue.gettext(self.id)
        return _filled(text, {name: speaker.place(name, value) for name, value in self.places.items()})

    def with_places(self, change: Callable[[Any], Any]) -> Message:
        """The same message with everything in its places as ``change`` makes it."""
        places = {name: change(value) for name, value in self.places.items()}
        return type(self)(self.id, places, self.context, self.many)


def marked(text: str) -> str:
    """A text that is said, marked for the collector of catalogues where no message is made of it at once."""
    return text


_SEAT, _SEAT_BEGINS = marked("seat {number}"), marked("Seat {number}")
_SEATS, _EVENT = marked("the seats {numbers}"), marked("event {number}")
_AND, _ = marked("and"), marked("or")


class Seat(Message):
    """A player, who is called by name where the names are known.

    >>> Seat(2), Speaker(names={2: "Ben"}).say(Seat(2)), Seat(3, begins=True)
    ('seat 2', 'Ben', 'Seat 3')
    """

    def __new__(cls, number: int, *, begins: bool = False) -> Self:
        """The player of the seat with this number, perhaps at the beginning of a sentence."""
        return super().__new__(cls, _SEAT_BEGINS if begins else _SEAT, {"number": number})

    def __getnewargs_ex__(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        return (self.number,), {"begins": self.id.startswith("S")}

    @property
    def number(self) -> int:
        """The number of the seat."""
        return int(self.places["number"])

    def said_by(self, speaker: Speaker) -> str:
        """The player's name, or the seat where no name is known."""
        return speaker.names.get(self.number) or super().said_by(speaker)

    def with_places(self, change: Callable[[Any], Any]) -> Message:
        """A seat has nothing in it that could change."""
        return self


class EventRef(Message):
    """Something that happened in a match; a page that knows the match says what it was.

    >>> EventRef(7), EventRef(7).number
    ('event 7', 7)
    """

    def __new__(cls, number: int) -> Self:
        """The event with this number."""
        return super().__new__(cls, _EVENT, {"number": number})

    def __getnewargs__(self) -> tuple[Any, ...]:
        return (self.number,)

    @property
    def number(self) -> int:
        """Which event of the match, from 1."""
        return int(self.places["number"])

    def with_places(self, change: Callable[[Any], Any]) -> Message:
        """A reference has nothing in it that could change."""
        return self


class Seats(Message):
    """Several players, who are called by name where the names are known.

    >>> Seats([2, 5]), Speaker(names={2: "Ben"}).say(Seats([2, 5])), Seats([3])
    ('the seats 2 and 5', 'Ben and seat 5', 'seat 3')
    """

    def __new__(cls, numbers: Iterable[int]) -> Self:
        """The players of the seats with these numbers."""
        numbers = tuple(numbers)
        several = (_SEATS, {"numbers": listed(numbers)})
        made = super().__new__(cls, *(several if len(numbers) != 1 else (_SEAT, {"number": numbers[0]})))
        made.numbers = numbers
        return made

    numbers: tuple[int, ...]

    def __getnewargs__(self) -> tuple[Any, ...]:
        return (self.numbers,)

    def called(self, names: Mapping[int, str]) -> Message:
        """Each by name, or by the seat where there is none."""
        return listed([names.get(number) or Seat(number) for number in self.numbers])

    def said_by(self, speaker: Speaker) -> str:
        """The players' names; where none is known, the seats."""
        known = any(number in speaker.names for number in self.numbers)
        return speaker.say(self.called(speaker.names)) if known else super().said_by(speaker)

    def with_places(self, change: Callable[[Any], Any]) -> Message:
        """Seats have nothing in them that could change."""
        return self


class _Several(Message):
    """Messages put together; the items are the places, called by their numbers."""

    def __new__(cls, items: Iterable[object], joint: str) -> Self:
        items = tuple(items)
        places = {f"n{at}": item for at, item in enumerate(items)}
        made = super().__new__(cls, cls.pattern(list(places), joint), places)
        made.joint = joint
        return made

    joint: str

    def __getnewargs__(self) -> tuple[Any, ...]:
        return (tuple(self.places.values()), self.joint)

    @staticmethod
    def pattern(names: list[str], joint: str) -> str:
        """The English text: the places with what joins them."""
        raise NotImplementedError

    def with_places(self, change: Callable[[Any], Any]) -> Message:
        return type(self)([change(item) for item in self.places.values()], self.joint)


class _Joined(_Several):
    @staticmethod
    def pattern(names: list[str], joint: str) -> str:
        return joint.join(f"{{{name}}}" for name in names)

    def said_by(self, speaker: Speaker) -> str:
        return self.joint.join(speaker.say(item) for item in self.places.values())


class _Listed(_Several):
    @staticmethod
    def pattern(names: list[str], joint: str) -> str:
        return _enumerated([f"{{{name}}}" for name in names], joint)

    def said_by(self, speaker: Speaker) -> str:
        items = [speaker.say(item) for item in self.places.values()]
        return _enumerated(items, speaker.catalogue.gettext(self.joint))


class _Sentence(Message):
    """A message at the beginning of a line: its first letter is large."""

    def __new__(cls, message: str) -> Self:
        made = super().__new__(cls, "{said}", {"said": _begun(message)})
        made.message = message
        return made

    message: str

    def __getnewargs__(self) -> tuple[Any, ...]:
        return (self.message,)

    def said_by(self, speaker: Speaker) -> str:
        return _begun(speaker.say(self.message))

    def with_places(self, change: Callable[[Any], Any]) -> Message:
        return type(self)(change(self.message))


def m(text: str, /, **places: object) -> Message:
    """A message; each ``{place}`` of the text is given by its name."""
    return Message(text, places)


def table_text(text: str, /, **places: object) -> Message:
    """A message whose text stands in a TOML table of the rules, from which the collector has it."""
    return Message(text, places)


def nm(one: str, many: str, n: int, /, **places: object) -> Message:
    """A message with a number, which is its place ``n``, in the form that each language has for it.

    >>> nm("{n} card", "{n} cards", 1), nm("{n} card", "{n} cards", 0)
    ('1 card', '0 cards')
    """
    return Message(one, {**places, "n": n}, many=many)


def pm(context: str, text: str, /, **places: object) -> Message:
    """A message whose English text means different things: *left* as a side, and *left* as what remains."""
    return Message(text, places, context)


def vocabulary(context: str, /, *texts: str) -> Mapping[str, Message]:
    """Words of a game's data, each a message in the context: by the word as the data has it.

    >>> loads = vocabulary("load", "corn", "lead")
    >>> loads["lead"].context, loads.get("moonstone", "moonstone")  # what an owner invented is a name
    ('load', 'moonstone')
    """
    return {text: pm(context, text) for text in texts}


def listed(items: Iterable[object], last: str = _AND) -> Message:
    """An enumeration, with ``last`` before the last of several items.

    >>> listed(["East"]), listed(["East", "North", "South"]), listed(["a1", "b2"], "or")
    ('East', 'East, North and South', 'a1 or b2')
    >>> Speaker(Texts({"and": "und", "curve": "Kurve"})).say(listed([m("curve"), "a1"]))
    'Kurve und a1'
    """
    return _Listed(items, last)


def joined(joint: str, items: Iterable[object]) -> Message:
    """Messages one after the other, with signs between them that every language has.

    >>> joined("; ", [m("one"), m("two")])
    'one; two'
    """
    return _Joined(items, joint)


def sentence(message: str) -> Message:
    """The message with a large first letter, in whatever language it is said.

    >>> sentence(m("it is over"))
    'It is over'
    """
    return _Sentence(message)


def replaced(message: Message, change: Callable[[object], object | None]) -> Message:
    """The message with what ``change`` makes of it, or of anything in it; None leaves that as it is.

    >>> waits = m("{who} waits for {other}", who=Seat(1), other=Seat(2))
    >>> replaced(waits, lambda value: "Ada" if value == Seat(1) else None)
    'Ada waits for seat 2'
    """

    def deep(value: Any) -> Any:
        changed = change(value)
        if changed is None:
            return value.with_places(deep) if isinstance(value, Message) else value
        return changed

    changed = deep(message)
    return changed if isinstance(changed, Message) else m("{it}", it=changed)


# What is stored of a message, so that it can be said in every language later.

MESSAGE_ID = "message_id"  # the key that no other data has


def data_of(message: Message) -> dict[str, Any]:
    """The message as JSON data: its id, and what stands in its places.

    >>> data_of(m("{seat} has {n} cards", seat=Seat(2), n=7))["places"]
    {'seat': {'message_id': 'seat {number}', 'seat': 2}, 'n': 7}
    """
    for kind, (made, parts, _) in _KINDS.items():
        if isinstance(message, made):
            return {MESSAGE_ID: message.id, kind: _as_data(parts(message))}
    more = {"context": message.context, "many": message.many, "places": _as_data(message.places)}
    return {MESSAGE_ID: message.id, **{key: value for key, value in more.items() if value}}


def _as_data(value: Any) -> Any:
    if isinstance(value, Message):
        return data_of(value)
    if isinstance(value, Mapping):
        return {name: _as_data(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_as_data(one) for one in value]
    return value if isinstance(value, bool | int | float) else str(value)


def with_messages(data: Any) -> Any:
    """JSON data with its messages as such again, however deep they stand.

    >>> with_messages({"remarks": [data_of(m("{seat} waits", seat=Seat(2))), "as it was stored once"]})
    {'remarks': ['seat 2 waits', 'as it was stored once']}

    What a stranger sent, and only looks like a message or would be endless, stays as it is.
    """
    try:
        return _read(data)
    except (TypeError, ValueError, LookupError, AttributeError, RecursionError):
        return data


def _read(data: Any) -> Any:
    if isinstance(data, list):
        return [_read(one) for one in data]
    if not isinstance(data, dict):
        return data
    read = {key: _read(value) for key, value in data.items()}
    return _read_message(read) if MESSAGE_ID in read else read


def _read_message(read: dict[str, Any]) -> Message:
    made = _made(read)
    if len(made) > _LONGEST:  # a message in each place of a message in each place ...
        raise ValueError("the message is too long")
    return made


def _made(read: dict[str, Any]) -> Message:
    for kind, (_, _, make) in _KINDS.items():
        if kind in read:
            return make(read[kind], read[MESSAGE_ID])
    places, many = read.get("places", {}), read.get("many", "")
    if not isinstance(places, dict):
        raise TypeError("places have names")
    if many:
        _whole(places["n"])
    return Message(_text(read[MESSAGE_ID]), places, _text(read.get("context", "")), _text(many))


def _whole(value: Any) -> int:
    """A number as gettext wants it; TypeError for anything else, which could never be said."""
    if type(value) is not int:
        raise TypeError(f"{value!r} is no whole number")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value


# Messages with more than an id and places: what is stored of them, and how they are made of that and the id.
_KINDS: Mapping[str, tuple[type[Message], Callable[[Any], Any], Callable[[Any, str], Message]]] = {
    "seat": (
        Seat,
        lambda it: it.number,
        lambda number, text: Seat(_whole(number), begins=text.startswith("S")),
    ),
    "seats": (Seats, lambda it: it.numbers, lambda numbers, _: Seats(map(_whole, numbers))),
    "event": (EventRef, lambda it: it.number, lambda number, _: EventRef(_whole(number))),
    "sentence": (_Sentence, lambda it: it.message, lambda message, _: sentence(_text(message))),
    "listed": (
        _Listed,
        lambda it: [it.joint, *it.places.values()],
        lambda items, _: listed(items[1:], _text(items[0])),
    ),
    "joined": (
        _Joined,
        lambda it: [it.joint, *it.places.values()],
        lambda items, _: joined(_text(items[0]), items[1:]),
    ),
}


def _filled(text: str, places: Mapping[str, str]) -> str:
    if not places:
        return text
    pieces = list(_pieces(text))
    for at in range(1, len(pieces), 2):
        pieces[at] = places.get(pieces[at], f"{{{pieces[at]}}}")
    return "".join(pieces)


@lru_cache(maxsize=1024)  # rules refuse by the thousand while a bot thinks
def _pieces(text: str) -> tuple[str, ...]:
    """Literal text and names of places, alternately."""
    return tuple(PLACE.split(text))


def _begun(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}"


def _enumerated(items: list[str], last: str) -> str:
    return f"{', '.join(items[:-1])} {last} {items[-1]}" if len(items) > 1 else "".join(items)


DECIMAL_MARK = pm("decimal mark", ".")  # of numbers with a fraction, as the language writes them
