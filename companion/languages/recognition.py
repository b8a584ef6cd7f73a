"""Recognises which catalogue message a finished sentence is, and what its placeholders hold."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from companion.games.kit.remembering import remembered

PLACE = re.compile(r"\{(\w+)\}")  # of a message, by its name
_REMEMBERED = 20_000  # sentences: a few matches in all their positions
_DEEPEST = 6  # sentences within sentences
_LONGEST = 1000  # letters of a sentence with places: looking for one in whole pages would take minutes
_SAYS_LITTLE = 6  # letters of a message that are not places, below which nearly every sentence could be it
_NAME = re.compile(r"(?:[^\W\d_a-z][\w.'-]*)(?: [^\W\d_a-z][\w.'-]*){0,2}")  # of a city: up to three words
# Places in which people's names stand, as the house writes its sentences.
_PEOPLE = frozenset(
    {"drawing", "drawn_by", "first", "name", "names", "other", "others", "owner", "player", "players", "seat"}
    | {"seats", "short", "taken", "to", "turn", "usual", "waiting", "who", "winners"}
)
_UNKNOWN = re.compile(
    r"(?<![\w'-])[a-z]{2,}(?![\w'-])"
)  # an English word; names are written large, places have digits
_BRACKETS = {"(": 1, ")": -1}
_JOINTS = (
    "\n",
    "; ",
    ". ",
    " · ",
    ": ",
    " (",
    ", ",
    " and ",
    " or ",
    "/",
)  # where parts of a sentence are put together


@dataclass(frozen=True)
class _Said:
    """A sentence in this language, and how many English words are left in it."""

    text: str
    left: int


@dataclass(frozen=True)
class _Pattern:
    """A message with places: the regular expression of its sentences, and text that each of them has."""

    literal: str
    sentence: re.Pattern[str]
    meaning: str
    weight: int  # letters that are not places: the message that says most of a sentence itself is it
    begins: bool  # with words, not with a place


class Speech:
    """One language.

    >>> german = Speech({
    ...     "{cell} is taken: {why}": "{cell} ist belegt: {why}", "a lake": "ein See",
    ...     "{who} wins": "{who} gewinnt", "{place}th": "{place}.",
    ... })
    >>> german.say("b3 is taken: a lake")
    'b3 ist belegt: ein See'
    >>> german.say("Ada wins; nobody knows why.")
    'Ada gewinnt; nobody knows why.'
    >>> german.say("4th"), german.say("Duluth")
    ('4.', 'Duluth')

    Who plays under a name that is a message keeps it:

    >>> german.say("a lake wins", frozenset(["a lake"]))
    'a lake gewinnt'
    """

    def __init__(self, messages: Mapping[str, str]) -> None:
        self.messages = messages
        self._patterns = sorted(_patterns(messages), key=lambda one: -one.weight)
        self._say = remembered(_REMEMBERED)(self._best)

    def say(self, words: str, names: frozenset[str] = frozenset()) -> str:
        """The sentence; whatever is one of the ``names`` stays as it is, wherever it stands."""
        if not self.messages:
            return words
        found = self._say(words, names, _DEEPEST)
        return found.text if found else words

    def word(self, word: str) -> str:
        """A single word or a whole message; no recognition."""
        return self.messages.get(word, word)

    def _found(self, words: str, names: frozenset[str], deep: int) -> _Said | None:
        """The sentence in this language, or None where nothing of it is known."""
        return self._say(words, names, deep)

    def _best(self, words: str, names: frozenset[str], deep: int) -> _Said | None:
        """Return the first reading that leaves no English word, else one that leaves the fewest."""
        if not deep or not any(letter.isalpha() for letter in words):
            return None
        if words in names:
            return _Said(words, 0)
        best: _Said | None = None
        for found in self._ways(words, names, deep):
            if best is None or found.left < best.left:
                best = found
            if not best.left:
                break
        return best

    def _ways(self, words: str, names: frozenset[str], deep: int) -> Iterator[_Said]:
        bare = words.strip()
        yield from self._whole(words, names, deep)
        if bare != words:
            found = self._found(bare, names, deep)
            if found is not None:
                spaced = found.text[:1].isspace() or found.text[-1:].isspace()
                yield found if spaced else _Said(words.replace(bare, found.text), found.left)
            return
        yield from self._otherwise_begun(words, names, deep)
        yield from self._parts(words, names, deep)

    def _whole(self, words: str, names: frozenset[str], deep: int, *, begun: bool = False) -> Iterator[_Said]:
        """Yield matches of ``words`` with one message; if ``begun``, one that begins with fixed text."""
        exact = self.messages.get(words)
        if exact is not None:
            yield _Said(exact, 0)
        if exact is not None or len(words) > _LONGEST:
            return
        bracketed = words.endswith(")") and " (" in words
        for one in self._patterns:
            if bracketed and one.weight < _SAYS_LITTLE:
                break  # a message that says so little itself does not reach into brackets
            if begun and not one.begins:
                continue
            if one.literal in words and (match := one.sentence.fullmatch(words)):
                apart = self._several(words, one, match.groupdict().values(), names, deep)
                yield apart or self._filled(one, match.groupdict(), names, deep)

    def _filled(self, one: _Pattern, placed: dict[str, str], names: frozenset[str], deep: int) -> _Said:
        """A message with what stands in its places."""
        places = {name: self._placed(name, said, names, deep) for name, said in placed.items()}
        text = PLACE.sub(lambda place: places[place[1]].text if place[1] in places else place[0], one.meaning)
        return _Said(text, sum(said.left for said in places.values()))

    def _several(
        self, words: str, one: _Pattern, placed: Collection[str], names: frozenset[str], deep: int
    ) -> _Said | None:
        """Translate joined sentences one by one if a placeholder would span two; None if one is unknown."""
        for joint in ("; ", ", ") if one.weight < _SAYS_LITTLE else ("; ",):
            if any(joint in said for said in placed):
                found = [self._found(part, names, deep - 1) for part in words.split(joint)]
                known = [part for part in found if part is not None]
                if len(known) == len(found):
                    return _joined(joint, known)
        return None

    def placed(self, name: str, words: str, names: frozenset[str]) -> str:
        """What stands in a message's place of that name."""
        return self._placed(name, words, names, _DEEPEST).text if self.messages else words

    def _placed(self, name: str, said: str, names: frozenset[str], deep: int) -> _Said:
        """What stands in a place; names of people stay, whatever they mean."""
        if name.rstrip("0123456789") not in _PEOPLE:
            return self._found(said, names, deep - 1) or _as_it_is(said)
        if said in names:
            return _Said(said, 0)
        for joint in (", ", " and "):
            if joint in said:
                people = [self._placed(name, one, names, deep) for one in said.split(joint)]
                return _joined(self._joint(joint), people)
        whole = next(self._whole(said, names, deep - 1), None) if " " in said else None
        return whole or _as_it_is(said)

    def _otherwise_begun(self, words: str, names: frozenset[str], deep: int) -> Iterator[_Said]:
        """Try the sentence with its first letter's case changed, or without its final full stop."""
        endings = [(words, "")] + ([(words[:-1], ".")] if words.endswith(".") else [])
        for bare, ending in endings[1:]:
            for found in self._whole(bare, names, deep):
                yield _Said(f"{found.text}{ending}", found.left)
        if " " not in words:
            return  # a name may be a word: Mark, Bill
        first = words[0]
        other = first.lower() if first.isupper() else first.upper()
        if other == first:
            return
        for bare, ending in endings:
            turned = f"{other}{bare[1:]}"
            for found in self._whole(turned, names, deep, begun=True):
                large = first.isupper() or found.text[0].isupper()
                begun = f"{found.text[0].upper() if large else found.text[0]}{found.text[1:]}"
                yield _Said(f"{begun}{ending}", found.left)

    def _parts(self, words: str, names: frozenset[str], deep: int) -> Iterator[_Said]:
        """Translate the parts of a joined sentence separately, if any of them is known."""
        if words.endswith(")"):
            before, _, within = words[:-1].rpartition(" (")
            first, second = self._found(before, names, deep - 1), self._found(within, names, deep - 1)
            if before and (first or second):
                first, second = first or _as_it_is(before), second or _as_it_is(within)
                yield _Said(f"{first.text} ({second.text})", first.left + second.left)
        for joint in _JOINTS:
            parts = _split(words, joint)
            # Then two by two: one of the sentences may have such a joint itself.
            pairs = ((parts[0], joint.join(parts[1:])), (joint.join(parts[:-1]), parts[-1]))
            for apart in (parts, *pairs) if len(parts) > 2 else [parts] if len(parts) > 1 else []:
                found = [self._found(part, names, deep - 1) for part in apart]
                if any(one is not None for one in found):
                    said = [one or _as_it_is(part) for part, one in zip(apart, found, strict=True)]
                    yield _joined(self._joint(joint), said)
        if listed := self._listed(words):
            yield _Said(listed, 0)

    def _listed(self, words: str) -> str | None:
        """Translate the word before the last item in a list of names that stay as they are.

        >>> Speech({"and": "und"})._listed("Little Rock, Topeka and Tulsa")
        'Little Rock, Topeka und Tulsa'
        """
        *before, last = words.split(" and ")
        names = [*", ".join(before).split(", "), last]
        if len(before) != 1 or not all(_NAME.fullmatch(name) for name in names):
            return None
        return self._joint(" and ").join([*before, last])

    def _joint(self, joint: str) -> str:
        word = joint.strip()
        return f" {self.messages.get(word, word)} " if word.isalpha() else joint


def _as_it_is(words: str) -> _Said:
    """Return text that no message covers unchanged: names, numbers or English words."""
    return _Said(words, len(_UNKNOWN.findall(words)))


def _joined(joint: str, parts: Iterable[_Said]) -> _Said:
    said = list(parts)
    return _Said(joint.join(one.text for one in said), sum(one.left for one in said))


def _split(words: str, joint: str) -> list[str]:
    """Split at every joint outside brackets.

    >>> _split("a curve (top, left), round 2", ", "), _split("a curve (top, left", ", ")
    (['a curve (top, left)', 'round 2'], ['a curve (top', 'left'])
    """
    parts = words.split(joint)
    if "(" in joint or words.count("(") != words.count(")"):
        return parts
    joined: list[str] = []
    depth = 0
    for part in parts:
        if depth:
            joined[-1] += f"{joint}{part}"
        else:
            joined.append(part)
        depth += sum(_BRACKETS.get(letter, 0) for letter in part)
    return joined


def places(message: str) -> list[str]:
    """Return the names of a message's placeholders, in order.

    >>> places("{count} of {most} drawn")
    ['count', 'most']
    """
    return PLACE.findall(message)


def _patterns(messages: Mapping[str, str]) -> Iterator[_Pattern]:
    for message, meaning in messages.items():
        if not places(message) or "%(" in message:
            continue
        pieces = PLACE.split(message)
        literals, names = pieces[::2], pieces[1::2]
        seen: set[str] = set()
        written = [re.escape(literals[0])]
        for at, name in enumerate(names):
            before, literal = literals[at], literals[at + 1]
            # What joins a word without a space may be missing; of two side by side the first has it all.
            joins = not before[-1:].isspace() and (seen or before)
            some = ".*?" if joins else ".+" if not literal and len(names) > len(seen) + 1 else ".+?"
            if literal[:1].isalpha() and sum(map(len, literals)) < _SAYS_LITTLE:
                some = r"\d+"  # 4th, but not Elizabeth
            written.append(f"(?P={name})" if name in seen else f"(?P<{name}>{some})")
            written.append(re.escape(literal))
            seen.add(name)
        sentence = re.compile("".join(written), re.DOTALL)
        weight = sum(map(len, literals))
        yield _Pattern(max(literals, key=len), sentence, meaning, weight, begins=bool(literals[0]))
