"""Network cameras, such as an old phone on a stand with an app that serves its picture.

``http(s)://`` is one picture (a snapshot) or an endless series (MJPEG), ``rtsp://`` a film. Never from this
machine itself, wherever a name or a redirection leads: what answers only to the box is no camera, and whoever
may name one on the page would look behind its doors.
"""

from __future__ import annotations

import base64
import http.client
import re
import socket
import ssl
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from time import monotonic
from typing import Any, BinaryIO
from urllib.parse import SplitResult, unquote, urlsplit, urlunsplit

import cv2

from companion.core.seccomp import ConnectionGuard
from vision.cameras.captures import CapturedCamera
from vision.decoding import decoded
from vision.errors import CameraError, PictureError
from vision.register.rectify import Image

SCHEMES = ("http", "https", "rtsp", "rtsps")
_SECONDS = 8.0
_MOST_BYTES = 40_000_000
OWN_ADDRESS = "that address is the box itself: a camera has one of its own"
_STALE = 5  # frames of a film that were waiting already
_JPEG_BEGIN, _JPEG_END = b"\xff\xd8", b"\xff\xd9"


def is_network_name(name: str) -> bool:
    """Return True if this is the address of a network camera.

    >>> is_network_name("http://192.168.1.30:8080/shot.jpg"), is_network_name("pi")
    (True, False)
    """
    return urlsplit(name).scheme.lower() in SCHEMES if "://" in name else False


def shown_name(name: str) -> str:
    """The address without its user name and password, so that it may be shown.

    >>> shown_name("rtsp://anna:secret@192.168.1.30/live")
    'rtsp://192.168.1.30/live'
    """
    parts = urlsplit(name)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))


def network_camera(name: str) -> HttpCamera | FilmCamera:
    """The camera at this address."""
    try:
        parts = urlsplit(name)
        if not parts.hostname:
            raise ValueError(name)
        _ = parts.port
    except ValueError:
        raise CameraError(
            f"{name!r} is no address of a camera: write http://192.168.1.30:8080/shot.jpg"
        ) from None
    return FilmCamera(name) if parts.scheme.lower().startswith("rtsp") else HttpCamera(parts)


def is_own_address(address: str) -> bool:
    """Return True if this IP address belongs to this machine: a socket can be bound to no other.

    >>> is_own_address("127.0.0.1"), is_own_address("127.4.5.6"), is_own_address("0.0.0.0")
    (True, True, True)
    >>> is_own_address("192.0.2.1")
    False
    """
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.bind((address, 0))
        except OSError:
            return False
    return True


def _connected(
    place: tuple[str, int], timeout: float | None = None, source: tuple[str, int] | None = None
) -> socket.socket:
    """Connect to the host at the very address that was checked, not at one resolved anew."""
    del source
    failed = OSError("no such machine")
    for family, kind, protocol, _, address in socket.getaddrinfo(*place, type=socket.SOCK_STREAM):
        if is_own_address(str(address[0])):
            raise CameraError(OWN_ADDRESS)
        opened = socket.socket(family, kind, protocol)
        opened.settimeout(timeout)
        try:
            opened.connect(address)
        except OSError as problem:
            opened.close()
            failed = problem
        else:
            return opened
    raise failed


class _Handler(urllib.request.HTTPHandler, urllib.request.HTTPSHandler):
    """A URL opener that refuses addresses of this machine, at every redirection."""

    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        """Open an HTTP address, unless it is on this machine (called by ``urllib``)."""
        return self.do_open(partial(_guarded, http.client.HTTPConnection), req)

    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        """Open an HTTPS address, unless it is on this machine (called by ``urllib``)."""
        return self.do_open(partial(_guarded, http.client.HTTPSConnection), req)


def _guarded(kind: type[http.client.HTTPConnection], host: str, **given: Any) -> http.client.HTTPConnection:
    made = kind(host, **given)
    made._create_connection = _connected  # type: ignore[attr-defined]  # the place that the library leaves for it
    return made


class _Redirections(urllib.request.HTTPRedirectHandler):
    """Follows a camera elsewhere, and tells its password to nobody else."""

    def redirect_request(
        self, req: urllib.request.Request, fp: Any, code: int, msg: str, headers: Any, newurl: str
    ) -> urllib.request.Request | None:
        """Return the next request (called by ``urllib``, which would repeat the password in it)."""
        found = super().redirect_request(req, fp, code, msg, headers, newurl)
        if found is not None and (found.type, found.host) != (req.type, req.host):
            found.remove_header("Authorization")
        return found


class HttpCamera:
    """Pictures by HTTP: single snapshots, or frames of an MJPEG stream."""

    def __init__(self, address: SplitResult, seconds: float = _SECONDS) -> None:
        self._shown = shown_name(address.geturl())
        self._seconds = seconds
        self._opener = urllib.request.OpenerDirector()  # no files, no FTP, no proxies
        for handler in (
            _Handler(),
            _Redirections(),
            urllib.request.HTTPDefaultErrorHandler(),
            urllib.request.HTTPErrorProcessor(),
            urllib.request.UnknownHandler(),
        ):
            self._opener.add_handler(handler)
        self._request = urllib.request.Request(self._shown, headers={"Cache-Control": "no-cache"})
        if address.username is not None:
            secret = f"{unquote(address.username)}:{unquote(address.password or '')}".encode()
            self._request.add_header("Authorization", f"Basic {base64.b64encode(secret).decode()}")

    def take(self) -> Image:
        """Take one current picture."""
        until = monotonic() + self._seconds
        try:
            with self._opener.open(self._request, timeout=self._seconds) as answer:
                kind = answer.headers.get_content_type()
                read = _limited(answer, until)
                data = _second_of_series(read) if kind.startswith("multipart/") else b"".join(read)
            return decoded(data, 1).image
        except urllib.error.HTTPError as problem:
            problem.close()
            raise CameraError(self._refusal(problem.code)) from None
        except PictureError:
            raise CameraError(
                f"{self._shown} shows no picture: open it in a browser; there has to be one, and nothing else"
            ) from None
        except TimeoutError:
            raise CameraError(f"the camera at {self._shown} takes too long: is it awake?") from None
        except (urllib.error.URLError, http.client.HTTPException, ssl.SSLError, OSError) as problem:
            why = getattr(problem, "reason", problem)
            if isinstance(why, TimeoutError):
                why = "it does not answer"
            raise CameraError(f"the camera at {self._shown} cannot be reached ({why})") from None

    def _refusal(self, code: int) -> str:
        if code in (401, 403):
            return f"the camera at {self._shown} wants a password: write http://NAME:PASSWORD@ADDRESS"
        return f"the camera at {self._shown} has nothing there (it answers {code}): look at its address"

    def close(self) -> None:
        """Do nothing: no connection is kept open."""


def _limited(answer: BinaryIO, until: float) -> Iterator[bytes]:
    """Yield the data received, until it is too much or takes too long."""
    total = 0
    while part := answer.read1(1 << 16) if hasattr(answer, "read1") else answer.read(1 << 16):
        total += len(part)
        if monotonic() > until:
            raise TimeoutError
        if total > _MOST_BYTES:
            raise PictureError("that is too much for a picture")
        yield part


def _second_of_series(parts: Iterator[bytes]) -> bytes:
    """Return the second whole JPEG of a stream: the first may have waited in a buffer."""
    seen = bytearray()
    first = b""
    for part in parts:
        seen += part
        while found := re.search(_JPEG_BEGIN, seen):
            end = seen.find(_JPEG_END + b"\r\n", found.start())
            if end < 0:
                break
            picture = bytes(seen[found.start() : end + 2])
            del seen[: end + 2]
            if first:
                return picture
            first = picture
    return first


class FilmCamera(CapturedCamera):
    """An RTSP stream, decoded by the FFmpeg in OpenCV, which follows redirections by itself.

    So it works in a thread of its own, which the kernel lets connect to no address of this machine.
    """

    def __init__(self, address: str, open_capture: Callable[..., Any] = cv2.VideoCapture) -> None:
        shown = shown_name(address)
        super().__init__(
            _STALE,
            missing=f"there is no film at {shown}: look at its address, and whether it is on",
            gone=f"the film at {shown} stopped: try again",
        )
        self._address = address
        self._open_capture = open_capture
        self._guard = ConnectionGuard(lambda host: not is_own_address(host))
        self._thread = ThreadPoolExecutor(1, "film", self._guard.watch)

    def take(self) -> Image:
        """Take a current frame."""
        self._guard.refused = False
        try:
            return self._thread.submit(super().take).result()
        except CameraError:
            if self._guard.refused:
                raise CameraError(OWN_ADDRESS) from None
            raise

    def _open(self) -> Any:
        limit = round(_SECONDS * 1000)
        limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, limit, cv2.CAP_PROP_READ_TIMEOUT_MSEC, limit]
        return self._open_capture(self._address, cv2.CAP_FFMPEG, limits)
