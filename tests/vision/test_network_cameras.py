"""Cameras in the network: a phone that shows a picture, a film, something else, or sleeps."""

from __future__ import annotations

import platform
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import cv2
import numpy as np
import pytest

from vision.cameras import network as network_cameras
from vision.cameras.network import FilmCamera, HttpCamera, network_camera, shown_name
from vision.cameras.sources import CameraRequest, Turned, open_camera, opened
from vision.cameras.usb_devices import VideoNode, usb_number, video_nodes
from vision.errors import CameraError
from vision.register.rectify import Image


def picture(value: int) -> bytes:
    done, data = cv2.imencode(".jpg", np.full((60, 80, 3), value, np.uint8))
    assert done
    return bytes(data)


class Phone(BaseHTTPRequestHandler):
    """An app that shows a phone's picture in several ways."""

    def do_GET(self) -> None:
        if self.path == "/film":
            self.film()
        elif self.path == "/secret" and self.headers.get("Authorization") != "Basic YW5uYTpwOnc=":
            self.answer(401, "text/plain", b"who are you")
        elif self.path in ("/shot.jpg", "/secret"):
            self.answer(200, "image/jpeg", picture(50))
        elif self.path == "/page":
            self.answer(200, "text/html", b"<html>")
        elif self.path.startswith("/to/"):
            self.send_response(302)
            place = self.path.removeprefix("/to/")
            self.send_header("Location", place if ":" in place else f"/{place}")
            self.end_headers()
        elif self.path == "/file":
            self.send_response(302)
            self.send_header("Location", "file:///etc/passwd")
            self.end_headers()
        else:
            self.answer(404, "text/plain", b"")

    def answer(self, status: int, kind: str, content: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def film(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        try:
            for number in range(1, 1000):
                data = picture(min(number * 20, 250))
                self.wfile.write(b"--frame\r\nContent-Type: image/jpeg\r\n\r\n" + data + b"\r\n")
        except OSError:
            pass  # the camera has what it wanted

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def phone() -> Iterator[str]:
    with ThreadingHTTPServer(("", 0), Phone) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        yield f"127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """The phone that these tests run on this machine stands for one in the network."""
    monkeypatch.setattr(network_cameras, "is_own_address", lambda _: False)


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "localhost",
        "127.1.2.3",
        "0.0.0.0",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "2130706433",
        "127.1",
        "own",
    ],
)
@pytest.mark.parametrize("scheme", ["http", "https", "rtsp"])
def test_nothing_on_the_box_itself_is_a_camera(phone: str, host: str, scheme: str) -> None:
    """Whether a port there is open, or what answers at it, is not told."""
    address = own_address() if host == "own" else host
    for port in (phone.rpartition(":")[2], "9"):
        with pytest.raises(CameraError, match="that address is the box itself"):
            open_camera(f"{scheme}://{address}:{port}/shot.jpg").take()


def own_address() -> str:
    """The address with which this machine goes out; its loopback's where it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])


def test_a_redirection_to_the_box_itself_is_not_followed(phone: str, monkeypatch: pytest.MonkeyPatch) -> None:
    port = phone.rpartition(":")[2]
    monkeypatch.setattr(network_cameras, "is_own_address", lambda address: address == "127.0.0.2")
    assert open_camera(f"http://{phone}/to/http://127.0.0.1:{port}/shot.jpg").take().shape == (60, 80, 3)
    with pytest.raises(CameraError, match="that address is the box itself"):
        open_camera(f"http://{phone}/to/http://127.0.0.2:{port}/shot.jpg").take()
    with pytest.raises(CameraError, match="cannot be reached"):
        open_camera(f"http://{phone}/to/ftp://127.0.0.1/shot.jpg").take()


@pytest.mark.usefixtures("elsewhere")
def test_a_snapshot_and_the_second_picture_of_a_series(phone: str) -> None:
    assert int(open_camera(f"http://{phone}/shot.jpg").take()[30, 40, 0]) == pytest.approx(50, abs=2)
    assert int(open_camera(f"http://{phone}/film").take()[30, 40, 0]) == pytest.approx(40, abs=2)


@pytest.mark.usefixtures("elsewhere")
def test_a_password_is_used_and_never_shown(phone: str) -> None:
    assert open_camera(f"http://anna:p%3Aw@{phone}/secret").take().shape == (60, 80, 3)
    with pytest.raises(CameraError, match="wants a password") as problem:
        open_camera(f"http://anna:wrong@{phone}/secret").take()
    assert "wrong" not in str(problem.value)
    assert shown_name("pi") == "pi"


@pytest.mark.usefixtures("elsewhere")
def test_a_password_goes_to_no_other_camera(phone: str) -> None:
    """One that was taken over leads somewhere else, and would learn there what it was not told."""
    port = phone.rpartition(":")[2]
    assert open_camera(f"http://anna:p%3Aw@{phone}/to/secret").take().shape == (60, 80, 3)
    with pytest.raises(CameraError, match="wants a password"):
        open_camera(f"http://anna:p%3Aw@{phone}/to/http://127.0.0.9:{port}/secret").take()


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize(
    ("path", "says"),
    [("/page", "shows no picture"), ("/none", "it answers 404"), ("/file", "it answers 302")],
)
def test_something_else_is_a_sentence(phone: str, path: str, says: str) -> None:
    with pytest.raises(CameraError, match=says):
        open_camera(f"http://{phone}{path}").take()


@pytest.mark.usefixtures("elsewhere")
def test_a_phone_that_sleeps_or_is_away() -> None:
    with socket.create_server(("127.0.0.1", 0)) as asleep:
        address = f"http://127.0.0.1:{asleep.getsockname()[1]}/shot.jpg"
        camera = network_camera(address)
        assert isinstance(camera, HttpCamera)
        camera._seconds = 0.2
        with pytest.raises(CameraError, match=r"takes too long|does not answer"):
            camera.take()
    with pytest.raises(CameraError, match="cannot be reached"):
        open_camera(address).take()


class RtspDoor:
    """A server that answers every request of a film with the same, and counts who came."""

    def __init__(self, host: str, answer: str = "404 Not Found") -> None:
        self.answer, self.came = answer, 0
        self._listening = socket.create_server((host, 0))
        self.address = f"rtsp://{host}:{self._listening.getsockname()[1]}/live"
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        with suppress(OSError):  # it is closed
            while True:
                opened, _ = self._listening.accept()
                self.came += 1
                with opened:
                    while request := opened.recv(4096).decode():
                        number = re.search(r"CSeq: (\d+)", request)
                        said = f"RTSP/1.0 {self.answer}\r\nCSeq: {number and number[1]}\r\n\r\n"
                        opened.sendall(said.encode())

    def close(self) -> None:
        self._listening.close()


@pytest.mark.skipif(platform.machine() not in ("x86_64", "aarch64"), reason="no seccomp is known there")
@pytest.mark.parametrize("how", ["{}", "{}?udp"])
def test_a_film_that_leads_to_the_box_itself_is_not_followed(
    monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """FFmpeg follows by itself; the kernel asks us before it connects."""
    monkeypatch.setattr(network_cameras, "is_own_address", lambda address: address == "127.0.0.2")
    with closing(RtspDoor("127.0.0.2")) as inside, closing(RtspDoor("127.0.0.3")) as other:
        for target, came in ((other, 1), (inside, 0)):
            with closing(RtspDoor("127.0.0.1", f"302 Found\r\nLocation: {target.address}")) as camera:
                says = "there is no film" if came else "that address is the box itself"
                with pytest.raises(CameraError, match=says):
                    open_camera(how.format(camera.address)).take()
                assert camera.came
                assert bool(target.came) == bool(came)


class Film:
    def __init__(self, frames: int) -> None:
        self.frames = frames
        self.released = False

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return self.frames > 0

    def grab(self) -> bool:
        self.frames -= 1
        return self.frames > 0

    def read(self) -> tuple[bool, Any]:
        return (True, np.full((6, 8, 3), 7, np.uint8)) if self.grab() else (False, None)

    def release(self) -> None:
        self.released = True


def test_a_film_is_opened_once_and_anew_after_a_fault() -> None:
    films = [Film(9), Film(99), Film(0)]
    waiting = list(films)
    camera = FilmCamera("rtsp://a:b@10.0.0.7/live", lambda *_: waiting.pop(0))
    assert camera.take().shape == (6, 8, 3)
    with pytest.raises(CameraError, match=r"rtsp://10\.0\.0\.7/live stopped"):
        camera.take()
    assert films[0].released
    camera.take()
    camera.close()
    with pytest.raises(CameraError, match="there is no film"):
        camera.take()


# --- how it hangs, and which of many ---


class Fixed:
    def take(self) -> Image:
        frame = np.zeros((10, 20, 3), np.uint8)
        frame[0, 0] = 255
        return frame

    def close(self) -> None:
        pass


def test_pictures_are_turned_and_cropped() -> None:
    turned = Turned(Fixed(), 90, (50, 0, 100, 50)).take()
    assert turned.shape == (10, 5, 3)
    assert turned[0, -1, 0] == 255
    assert Turned(Fixed(), 180).take()[-1, -1, 0] == 255
    assert Turned(Fixed(), crop=(99.9, 99.9, 100, 100)).take().size
    assert isinstance(opened(CameraRequest("http://10.0.0.7/", 270)), Turned)


NODES = [
    VideoNode(0, "unicam-image", False),
    VideoNode(10, "bcm2835-codec-decode", False),
    VideoNode(2, "HD Pro Webcam C920", True, 0),
    VideoNode(3, "HD Pro Webcam C920", True, 1),
    VideoNode(4, "Logi 4K", True, 0),
]


def test_usb_cameras_are_found_by_name_and_never_the_pis_raw_node() -> None:
    assert usb_number("", NODES) == 2
    assert usb_number("logi", NODES) == 4
    assert usb_number("7", NODES) == 7
    assert usb_number("", []) == 0
    for wanted, nodes, says in (
        ("0", NODES, "call it pi"),
        ("", NODES[:2], "is called pi"),
        ("zoom", NODES, "there is HD Pro Webcam C920, Logi 4K"),
        ("zoom", [], "plug one in"),
    ):
        with pytest.raises(CameraError, match=says):
            usb_number(wanted, nodes)


def test_nodes_are_read_from_the_system(tmp_path: Any) -> None:
    for number, (name, index) in {0: ("unicam-image", 0), 2: ("Webcam", 0), 3: ("Webcam", 1)}.items():
        place = tmp_path / "devices" / ("usb1" if number else "soc") / f"video{number}"
        place.mkdir(parents=True)
        (place / "name").write_text(f"{name}\n")
        (place / "index").write_text(f"{index}\n")
        (tmp_path / f"video{number}").symlink_to(place)
    (tmp_path / "videos").mkdir()
    assert [(node.number, node.is_camera, node.is_of_the_pi) for node in video_nodes(tmp_path)] == [
        (0, False, True),
        (2, True, False),
        (3, False, False),
    ]
