"""A cache of the changing parts of pages: rendered once per change, and served without Flask.

Two thousand phones that ask whether the standings have changed cost a comparison each: the answer to a page's
parts is kept as bytes until what it shows has changed, and its ETag is the digest of those bytes.
"""

from __future__ import annotations

import gzip
import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias
from urllib.parse import parse_qs

from web.access.guards import HEADERS, is_own_host

PATH = "/api/v1/pieces"
PROGRAMS = "/api/v1/tables"
FOR_PROGRAMS = ("programs", "", "")
_KEPT = 2000  # answers: every table in every language of a large evening
Key: TypeAlias = tuple[str, str, str]  # page, table, language
Start: TypeAlias = Callable[..., Any]
Wsgi: TypeAlias = Callable[[dict[str, Any], Start], Iterable[bytes]]


@dataclass(frozen=True)
class Answer:
    """The parts of a page as JSON."""

    mark: int  # of what it shows
    tag: str
    body: bytes
    packed: bytes


class ResponseCache:
    """``mark_of`` says when what a page shows was changed last; another number means that it was."""

    def __init__(self, mark_of: Callable[[str, str], int]) -> None:
        self._mark_of = mark_of
        self._kept: OrderedDict[Key, Answer] = OrderedDict()
        self._lock = threading.Lock()
        self._making: dict[Key, threading.Lock] = {}

    def answer(self, key: Key, make: Callable[[], bytes]) -> Answer:
        """The kept answer, or a new one; many who ask at once wait for one of them to make it."""
        found = self.kept(key)
        if found is not None:
            return found
        with self._lock:
            making = self._making.setdefault(key, threading.Lock())
        with making:
            found = self.kept(key)
            if found is not None:
                return found
            mark = self._mark_of(key[0], key[1])
            body = make()
            tag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
            made = Answer(mark, tag, body, gzip.compress(body, 5))
            with self._lock:
                self._kept[key] = made
                self._kept.move_to_end(key)
                while len(self._kept) > _KEPT:
                    self._making.pop(self._kept.popitem(last=False)[0], None)
            return made

    def kept(self, key: Key) -> Answer | None:
        """The cached answer if it still holds, else None."""
        found = self._kept.get(key)
        return found if found is not None and found.mark == self._mark_of(key[0], key[1]) else None

    def before(
        self,
        app: Wsgi,
        language_of: Callable[[dict[str, Any]], str],
        names: Callable[[], frozenset[str]],
    ) -> Wsgi:
        """Wrap an application so that cached answers are given before it is asked, under its names only."""

        def shortcut(environ: dict[str, Any], start: Start) -> Iterable[bytes]:
            key = _asked_for(environ, language_of)
            found = self.kept(key) if key is not None else None
            if found is None or not is_own_host(environ.get("HTTP_HOST", ""), names):
                return app(environ, start)
            head = [("ETag", found.tag), ("Cache-Control", "no-cache"), ("Vary", "Accept-Language, Cookie")]
            head += HEADERS.items()
            if environ.get("HTTP_IF_NONE_MATCH") == found.tag:
                start("304 NOT MODIFIED", head)
                return []
            packed = "gzip" in environ.get("HTTP_ACCEPT_ENCODING", "")
            content = found.packed if packed else found.body
            head += [("Content-Type", "application/json"), ("Content-Length", str(len(content)))]
            start("200 OK", [*head, ("Content-Encoding", "gzip")] if packed else head)
            return [content]

        return shortcut


def _asked_for(environ: dict[str, Any], language_of: Callable[[dict[str, Any]], str]) -> Key | None:
    """Which answer this request asks for; None for everything that is not kept here."""
    path = environ.get("PATH_INFO")
    if environ.get("REQUEST_METHOD") != "GET" or path not in (PATH, PROGRAMS):
        return None
    if path == PROGRAMS:
        return FOR_PROGRAMS
    asked = parse_qs(environ.get("QUERY_STRING", ""))
    page, table = (asked.get(name, [""])[0] for name in ("page", "match"))
    return None if page in ("organise", FOR_PROGRAMS[0]) else (page, table, language_of(environ))
