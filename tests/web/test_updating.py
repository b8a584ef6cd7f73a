"""Updates on the host's page: a package comes in parts or is fetched, lies ready, is wished for."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.service.service import Service
from companion.service.system.updates import FOLDER, Updates
from companion.updates.installing import PACKAGE, STATE, WISH
from tests.companion.updates.packages import Signer
from tests.web.people import get, good, post, problem, the_host

PART = 3000


@pytest.fixture(scope="module")
def signer(tmp_path_factory: pytest.TempPathFactory) -> Signer:
    return Signer(tmp_path_factory.mktemp("signer"))


@pytest.fixture
def told(house: Service, signer: Signer, tmp_path: Path) -> Path:
    """A house that was installed as a package; where root's program writes."""
    folder = tmp_path / "own"
    folder.mkdir()
    house.updates = Updates(house.store.folder, folder, (signer.keys,), "arm64", port=8080)
    return folder


def send(host: FlaskClient, content: bytes, at: int = 0) -> Any:
    return host.post(
        f"/api/v1/host/update/parts?at={at}", data=content, content_type="application/octet-stream"
    )


def send_all(host: FlaskClient, content: bytes) -> Any:
    for at in range(0, len(content), PART):
        assert good(send(host, content[at : at + PART], at)) == {"there": min(at + PART, len(content))}
    return post(host, "/host/update/complete", {})


def wish_of(house: Service) -> Any:
    return json.loads((house.store.folder / FOLDER / WISH).read_text())


def test_a_package_is_sent_in_parts_and_installed(
    app: Flask, house: Service, told: Path, signer: Signer, tmp_path: Path
) -> None:
    host = the_host(app, house)
    content = signer.package(tmp_path, "9.1.0").read_bytes()
    assert "9.1.0 is complete and its signature is valid" in good(send_all(host, content))["message"]
    assert get(host, "/host/update")["ready"] == "9.1.0"
    assert "Install version 9.1.0" in host.get("/host/box").get_data(as_text=True)
    good(post(host, "/host/update/install", {}))
    assert wish_of(house) == {"do": "install", "port": 8080}
    assert get(host, "/host/update")["under_way"]
    assert "data-updating" in host.get("/host/box").get_data(as_text=True)
    problem(post(host, "/host/update/install", {}), 409, "under-way")


def test_what_root_did_is_shown_and_one_tap_goes_back(app: Flask, house: Service, told: Path) -> None:
    host = the_host(app, house)
    assert "Go back" not in host.get("/host/box").get_data(as_text=True)
    problem(post(host, "/host/update/back", {}), 409, "no-way-back")
    state = {"phase": "taken-back", "says": "0.4 was not installed: it did not answer", "back_to": "0.1.0"}
    (told / STATE).write_text(json.dumps(state))
    page = host.get("/host/box").get_data(as_text=True)
    assert "it did not answer" in page
    assert "Go back to version 0.1.0" in page
    good(post(host, "/host/update/back", {}))
    assert wish_of(house)["do"] == "back"


def test_what_is_not_signed_by_us_is_refused_and_gone(
    app: Flask, house: Service, told: Path, tmp_path: Path, signer: Signer
) -> None:
    host = the_host(app, house)
    strange = Signer(tmp_path / "strange").package(tmp_path, "9.1.0").read_bytes()
    problem(send_all(host, strange), 409, "bad-signature")
    problem(send_all(host, b"no package at all"), 409, "no-package")
    problem(send_all(host, signer.package(tmp_path, "9.1.0", "amd64").read_bytes()), 409, "wrong-machine")
    problem(post(host, "/host/update/complete", {}), 409, "no-update")
    problem(post(host, "/host/update/install", {}), 409, "no-update")
    assert list((house.store.folder / FOLDER).iterdir()) == []


def test_parts_out_of_order_are_told_where_to_go_on(app: Flask, house: Service, told: Path) -> None:
    host = the_host(app, house)
    good(send(host, b"12345"))
    problem(send(host, b"89", 7), 409, "part-missing")
    assert good(send(host, b"67", 5)) == {"there": 7}
    assert good(send(host, b"1")) == {"there": 1}


def test_only_the_host_and_only_a_package(app: Flask, house: Service) -> None:
    somebody = app.test_client()
    for path in ("complete", "fetch", "install", "back"):
        problem(post(somebody, f"/host/update/{path}", {}), 403, "host-only")
    problem(send(somebody, b"x"), 403, "host-only")
    host = the_host(app, house)
    assert not get(host, "/host/update")["possible"]
    problem(send(host, b"x"), 409, "no-package")
    assert "not installed as a package" in host.get("/host/box").get_data(as_text=True)


class Net:
    """An address with files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.asked: list[str] = []

    def __call__(self, address: str, patience: float) -> Any:
        self.asked.append(address)
        path = self.folder / address.rpartition("/")[2]
        if not path.exists():
            raise OSError("nothing there")
        return io.BytesIO(path.read_bytes())


@pytest.mark.parametrize("address", ["https://example.org/box", "http://example.org/box/"])
def test_the_newest_is_fetched_from_an_address(
    app: Flask, house: Service, told: Path, signer: Signer, tmp_path: Path, address: str
) -> None:
    host = the_host(app, house)
    problem(post(host, "/host/update/fetch", {}), 409, "no-address")
    good(post(host, "/host/settings", {"settings": {"updates": {"address": address}}}))
    net = Net(tmp_path / "net")
    house.updates.opener = net
    problem(post(host, "/host/update/fetch", {}), 409, "no-answer")
    signer.package(tmp_path / "net", "0.0.1")
    assert "newest" in good(post(host, "/host/update/fetch", {}))["message"]
    signer.package(tmp_path / "net", "9.1.0")
    assert "9.1.0" in good(post(host, "/host/update/fetch", {}))["message"]
    assert net.asked[-1] == "https://example.org/box/stationmaster_9.1.0_arm64.deb".replace(
        "https", address.partition(":")[0]
    )
    assert house.updates.ready is not None
    assert (house.store.folder / FOLDER / PACKAGE).exists()


def test_an_address_is_an_address(app: Flask, house: Service) -> None:
    host = the_host(app, house)
    wrong = {"settings": {"updates": {"address": "file:///etc/shadow"}}}
    problem(post(host, "/host/settings", wrong), 422, "bad-settings")
