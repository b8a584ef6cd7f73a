"""The web server: waitress, extended so that idle connections cannot keep others out.

At the limit of connections the one that idles longest, at the address that has the most of them, makes room
for the next; so silent sockets, slow headers and slow bodies cost their owner and not the table. Bodies that
are still on their way are kept up to a limit, too: beyond it the address that holds the most makes room. One
that is too large is read to its end without being kept, so that its sender hears why it was refused.
"""

from __future__ import annotations

import logging
import re
import signal
import socket
import threading
import time
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from types import FrameType
from typing import Any

from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.server import TcpWSGIServer
from waitress.task import ThreadedTaskDispatcher, WSGITask

from web.access.limits import neighbourhood

SPARE_THREADS = 16  # for requests, beside one for every stream
CONNECTIONS = 600  # phones keep two or three open
MOST_HEADERS = 32_768  # bytes of a request's first line and headers, cookies of the machine's other pages too
MOST_HELD = 150_000_000  # bytes of all bodies that are on their way: they lie in memory and temporary files
_LOOKS_AGAIN = 2_000_000  # bytes of one body, between two looks at all of them
MOST_DRAINED = 256 * 2**20  # bytes of a body that is too large; a larger one is cut off
_LENGTH = re.compile(rb"^content-length[ \t]*:", re.IGNORECASE | re.MULTILINE)
_ENCODING = re.compile(rb"^transfer-encoding[ \t]*:", re.IGNORECASE | re.MULTILINE)
_SILENT = 60  # seconds after which a connection without a request is closed


def begin_log() -> None:
    """Warnings go to standard error, but for two of the server's that are no news to anybody.

    A hundred phones that ask at the same moment wait for each other some milliseconds; and what somebody asks
    in the moment in which the server ends is let go: the phone asks again.
    """
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    logging.getLogger("waitress").addFilter(lambda record: record.msg != "Canceling %d pending task(s)")


class Drain:
    """Stands where the body of a request would be kept: counts it and forgets it."""

    error = None

    def __init__(self, length: int) -> None:
        self._left = length

    @property
    def completed(self) -> bool:
        """Return True if the whole body has been read."""
        return self._left <= 0

    def received(self, data: bytes) -> int:
        """How much of this belongs to the body."""
        taken = min(len(data), self._left)
        self._left -= taken
        return taken

    def getfile(self) -> BytesIO:
        """Nothing: the application refuses the request by its length."""
        return BytesIO()

    getbuf = getfile

    def __len__(self) -> int:
        return 0


class _Parser(HTTPRequestParser):  # type: ignore[misc]
    """Reads a request; one with too large a body is handed on without it."""

    body_rcv: Any
    error: Any

    def parse_header(self, header_plus: bytes) -> None:
        """See waitress, which would go by one of two lengths; whoever stands before it by the other."""
        if _LENGTH.search(header_plus) and _ENCODING.search(header_plus):
            raise ParsingError("Content-Length and Transfer-Encoding in one request")
        super().parse_header(header_plus)

    def received(self, data: bytes) -> int:
        """Handle received data as waitress does, but drain a body that is somewhat too large."""
        if isinstance(self.body_rcv, Drain):
            taken = self.body_rcv.received(data)
            self.completed = self.body_rcv.completed
            return taken
        consumed: int = super().received(data)
        too_large = self.adj.max_request_body_size <= self.content_length <= MOST_DRAINED
        if too_large and self.error is not None and self.body_bytes_received == 0:
            self.error = None
            self.body_rcv = Drain(self.content_length)
            self.completed = False
        return consumed


class _Task(WSGITask):  # type: ignore[misc]
    """Answers a request; a "not changed" leaves the connection open, as pages that poll ask again at once."""

    def set_close_on_finish(self) -> None:
        """See waitress, which closes after every answer that has no body."""
        asked = self.request.headers.get("CONNECTION", "").lower()
        if self.version != "1.1" or self.has_body or asked == "close":
            super().set_close_on_finish()


class _Channel(HTTPChannel):  # type: ignore[misc]
    """A client connection that knows whether it is idle."""

    parser_class = _Parser
    task_class = _Task
    request: Any
    _looked_at = 0

    def received(self, data: bytes) -> bool:
        """See waitress, which would keep the half of a body for every connection there is."""
        taken: bool = super().received(data)
        if self.held < self._looked_at:  # of the next request
            self._looked_at = 0
        if self.held > self._looked_at + _LOOKS_AGAIN:
            self._looked_at = self.held
            self.server.make_space()
        return taken

    def handle_close(self) -> None:
        """See waitress, which leaves the temporary file of half a body to the garbage collector."""
        if self.request is not None:
            self.request.close()
            self.request = None
        super().handle_close()

    @property
    def held(self) -> int:
        """Bytes of the body that is on its way; one that has come is answered at once."""
        body = self.request.body_rcv if self.request is not None else None
        return len(body) if body is not None else 0

    @property
    def idle(self) -> bool:
        """Nothing is being answered or sent, nor being closed; a request may be half received."""
        return not (self.requests or self.total_outbufs_len or self.will_close or self.close_when_flushed)


class FairServer(TcpWSGIServer):  # type: ignore[misc]
    """The server of the pages."""

    channel_class = _Channel
    accepting: bool
    next_channel_cleanup: float

    def readable(self) -> bool:
        """Asked before every wait: the moment to make room for whoever knocks next."""
        now = time.time()
        if now >= self.next_channel_cleanup:
            self.next_channel_cleanup = now + self.adj.cleanup_interval
            self.maintenance(now)
        self.make_room()
        return self.accepting and len(self._map) < self.adj.connection_limit

    def make_space(self) -> None:
        """Beyond the limit, let the largest bodies go of the address that holds the most of them."""
        channels = [one for one in list(self.active_channels.values()) if not one.will_close]
        held = Counter[str]()
        for one in channels:
            held[neighbourhood(one.addr[0])] += one.held
        over = held.total() - MOST_HELD
        channels.sort(key=lambda one: (-held[neighbourhood(one.addr[0])], -one.held))
        for one in channels:
            if over <= 0:
                return
            over -= one.held
            one.will_close = True

    def make_room(self) -> None:
        """At the limit, let the idle ones of the address that holds the most go."""
        over = len(self._map) - self.adj.connection_limit + 1
        if over <= 0:
            return
        channels = list(self.active_channels.values())
        held = Counter(neighbourhood(channel.addr[0]) for channel in channels)
        idle = [channel for channel in channels if channel.idle]
        idle.sort(key=lambda one: (-held[neighbourhood(one.addr[0])], one.last_activity))
        for channel in idle[:over]:
            channel.will_close = True


class _LatestFirst(threading.Condition):
    """Wakes whoever began to wait last."""

    _waiters: deque[Any]

    def notify(self, n: int = 1) -> None:
        """See the base class, which wakes those that wait longest."""
        self._waiters.rotate(n)
        super().notify(n)


class _Dispatcher(ThreadedTaskDispatcher):  # type: ignore[misc]
    """Gives requests to the few threads that had the last ones, instead of to all by turns.

    The C library keeps memory for each thread that it has ever served: a hundred of them filled theirs for
    dozens of matches.
    """

    def __init__(self) -> None:
        super().__init__()
        self.queue_cv = _LatestFirst(self.lock)


def made_server(
    app: Any,
    opened: socket.socket,
    *,
    threads: int,
    largest_body: int,
    connections: int = CONNECTIONS,
) -> FairServer:
    """A server on a socket that is open already; ``run`` serves."""
    adjustments = Adjustments(
        sockets=[opened],
        threads=threads,
        connection_limit=connections,
        channel_timeout=_SILENT,
        asyncore_use_poll=True,
        channel_request_lookahead=1,  # so that a phone that left is noticed
        max_request_body_size=largest_body,
        max_request_header_size=MOST_HEADERS,
        clear_untrusted_proxy_headers=True,
        ident=None,
    )
    dispatcher = _Dispatcher()
    dispatcher.set_thread_count(threads)
    return FairServer(
        app,
        {},
        True,
        opened,
        dispatcher=dispatcher,
        adj=adjustments,
        bind_socket=False,
        sockinfo=(opened.family, opened.type, opened.proto, opened.getsockname()),
    )


@contextmanager
def stopped_by_signals(stopping: threading.Event) -> Iterator[None]:
    """SIGTERM and Ctrl-C end the server's loop; the event lets streams and threads go at the same moment."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        if not stopping.is_set():  # a second signal must not interrupt the tidying up
            stopping.set()
            raise KeyboardInterrupt

    before = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
