"""Which message of a catalogue a finished sentence is, and what stands in its places."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

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
class _Pattern:
    """A message with places: the regular expression of its sentences, and text that each of them has."""

    literal: str
    sentence: re.Pattern[str]
    meaning: str
    weight: int  # letters that are not places: the message that says most of a sentence itself is it


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
    """

    def __init__(self, messages: Mapping[str, str]) -> None:
        self.messages = messages
        self._patterns = sorted(_patterns(messages), key=lambda one: -one.weight)
        self.say = lru_cache(_REMEMBERED)(self._say) if messages else _as_it_is

    def _say(self, words: str) -> str:
        return self._found(words, _DEEPEST) or words

    def word(self, word: str) -> str:
        """A single word or a whole message; no recognition."""
        return self.messages.get(word, word)

    def _found(self, words: str, deep: int) -> str | None:
        """The sentence in this language, or None where nothing of it is known."""
        if not deep or not any(letter.isalpha() for letter in words):
            return None
        bare = words.strip()
        if bare != words:
            found = self._whole(words, deep) or self._found(bare, deep)
            return (
                found
                if found is None or found[:1].isspace() or found[-1:].isspace()
                else words.replace(bare, found)
            )
        return self._whole(words, deep) or self._otherwise_begun(words, deep) or self._parts(words, deep)

    def _whole(self, words: str, deep: int) -> str | None:
        exact = self.messages.get(words)
        if exact is not None or len(words) > _LONGEST:
            return exact
        bracketed = words.endswith(")") and " (" in words
        for one in self._patterns:
            if bracketed and one.weight < _SAYS_LITTLE:
                break  # a message that says so little itself does not reach into brackets
            if one.literal in words and (found := one.sentence.fullmatch(words)):
                if apart := self._several(words, one, found.groupdict().values(), deep):
                    return apart
                places = {name: self._placed(name, said, deep) for name, said in found.groupdict().items()}
                return PLACE.sub(lambda place: places.get(place[1], place[0]), one.meaning)  # noqa: B023
        return None

    def _several(self, words: str, one: _Pattern, placed: Collection[str], deep: int) -> str | None:
        """Where a place of this message would hold half of another sentence: each, if all are known."""
        for joint in ("; ", ", ") if one.weight < _SAYS_LITTLE else ("; ",):
            if any(joint in said for said in placed):
                found = [self._found(part, deep - 1) for part in words.split(joint)]
                known = [part for part in found if part is not None]
                if len(known) == len(found):
                    return joint.join(known)
        return None

    def _placed(self, name: str, said: str, deep: int) -> str:
        """What stands in a place; names of people stay, whatever they mean."""
        if name.rstrip("0123456789") not in _PEOPLE:
            return self._found(said, deep - 1) or said
        for joint in (", ", " and "):
            if joint in said:
                return self._joint(joint).join(self._placed(name, one, deep) for one in said.split(joint))
        return self._whole(said, deep - 1) or said if " " in said else said

    def _otherwise_begun(self, words: str, deep: int) -> str | None:
        """With the other kind of first letter, or a full stop at its end."""
        if words.endswith(".") and (found := self._whole(words[:-1], deep)):
            return f"{found}."
        if " " not in words:
            return None  # a name may be a word: Mark, Bill
        first = words[0]
        other = first.lower() if first.isupper() else first.upper()
        if other == first:
            return None
        turned = f"{other}{words[1:]}"
        found = self._whole(turned, deep)
        ending = ""
        if found is None and words.endswith("."):
            found, ending = self._whole(turned[:-1], deep), "."
        if found is None:
            return None
        begun = found[0].upper() if first.isupper() else found[0] if found[0].isupper() else found[0].lower()
        return f"{begun}{found[1:]}{ending}"

    def _parts(self, words: str, deep: int) -> str | None:
        """Sentences that were put together: each part by itself, if any of them is known."""
        if words.endswith(")"):
            before, _, within = words[:-1].rpartition(" (")
            first, second = self._found(before, deep - 1), self._found(within, deep - 1)
            if before and (first or second):
                return f"{first or before} ({second or within})"
        for joint in _JOINTS:
            parts = words.split(joint)
            if len(parts) == 1:
                continue
            found = [self._found(part, deep - 1) for part in parts]
            if any(one is not None for one in found):
                said = [part if one is None else one for part, one in zip(parts, found, strict=True)]
                return self._joint(joint).join(said)
        return self._listed(words)

    def _listed(self, words: str) -> str | None:
        """Names that nobody translates, but the word before the last of them.

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


def _as_it_is(words: str) -> str:
    return words


def places(message: str) -> list[str]:
    """The names of its places, in their order.

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
        yield _Pattern(max(literals, key=len), sentence, meaning, sum(map(len, literals)))
