"""A backup from another box brings matches, and nothing that opens this one."""

from __future__ import annotations

import tomllib
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest

from companion.service.system.settings import Settings, read_settings
from companion.table.archive import MANIFEST
from companion.table.backup import FROM_ELSEWHERE, automatic_backup, backup, restore, stage
from companion.table.folder import BACKUPS, BOX_KEY, DATABASE, SECOND_COPY, SETTINGS
from companion.table.provenance import ACCESS, ACCESS_OF_MATCHES, box_key
from companion.table.recovery import open_store
from companion.table.seats import token_digest
from companion.table.store import Store
from tests.companion.table.chains import chain, filled
from web.access import joining, people, room, setup

NOW = datetime(2026, 5, 1, 22, 0, tzinfo=UTC)
COMMAND = '[power]\noff = ["sh", "-c", "id > taken"]\n'
THEIRS = (
    '[box]\nname = "The cellar"\nnames = ["evil.example"]\n'
    '[network]\npassword = "known to me"\n[updates]\naddress = "http://evil.example/"\n'
    '[mqtt]\nbroker = "mqtt://evil.example"\n[camera]\nrotation = 90\n' + COMMAND
)


def table(folder: Path, secret: str, text: str = "", count: int = 5) -> Path:
    """A table with a host, a guest, a match and a seat, and settings."""
    with Store(folder) as store:
        filled(store, chain("m1", count))
        store.put_token("m1", 1, token_digest(secret))
        for name in (*ACCESS, f"{ACCESS_OF_MATCHES}m1"):
            store.put_setting(name, f"{name} of {secret}")
        store.put_setting("dice-source", f"dice of {secret}")
    if text:
        (folder / SETTINGS).write_text(text)
    return folder


def backed_up(folder: Path, file: Path) -> Path:
    with Store(folder) as store:
        return backup(store, file, NOW)


def what_opens(folder: Path) -> dict[str, str | None]:
    with Store(folder, read_only=True) as store:
        found = {name: store.setting(name) for name in sorted({*ACCESS, f"{ACCESS_OF_MATCHES}m1"})}
    return {name: value for name, value in found.items() if value is not None}


def seat_of(folder: Path, secret: str) -> int | None:
    with Store(folder, read_only=True) as store:
        return store.seat_of_token("m1", token_digest(secret))


def test_every_secret_of_the_pages_is_left_outside() -> None:
    """Whoever keeps another one says so there."""
    kept = {
        people.PIN_SETTING,
        people.KEY_SETTING,
        people._SESSIONS,
        people._PHONES,
        setup.SETUP_SETTING,
        room._SETTING,
    }
    assert kept == ACCESS
    assert 'f"join-code:{match.id}"' in Path(joining.__file__).read_text()
    assert ACCESS_OF_MATCHES == "join-code:"


def test_of_its_own_everything_comes_back(tmp_path: Path) -> None:
    own = table(tmp_path / "own", "mine", THEIRS)
    file = backed_up(own, tmp_path / "own.zip")
    with Store(own) as store:
        store.put_setting("host-pin", "another one since")
        store.put_token("m1", 1, token_digest("another one since"))
    (own / SETTINGS).write_text("")
    assert FROM_ELSEWHERE not in restore(file, own, NOW)
    assert what_opens(own)["host-pin"] == "host-pin of mine"
    assert seat_of(own, "mine") == 1
    assert (own / SETTINGS).read_text() == THEIRS


def test_into_a_new_box_nothing_comes_that_opens_it(tmp_path: Path) -> None:
    file = backed_up(table(tmp_path / "theirs", "theirs", THEIRS), tmp_path / "theirs.zip")
    new = tmp_path / "new"
    assert FROM_ELSEWHERE in restore(file, new, NOW)
    assert what_opens(new) == {}, "it has no PIN: it waits to be set up"
    assert seat_of(new, "theirs") is None
    settings = read_settings(new)
    assert (settings.box.name, settings.camera.rotation) == ("The cellar", 90), "what is harmless comes along"
    assert (settings.power, settings.network, settings.updates) == (
        Settings().power,
        Settings().network,
        Settings().updates,
    )
    assert settings.box.names == ()
    with Store(new, read_only=True) as store:
        assert store.events("m1") == chain("m1", 5)
        assert store.setting("dice-source") == "dice of theirs"


def test_into_a_box_with_an_owner_the_owners_stays(tmp_path: Path) -> None:
    file = backed_up(table(tmp_path / "theirs", "theirs", THEIRS, 9), tmp_path / "theirs.zip")
    mine = '[power]\noff = ["poweroff"]\n[box]\nname = "The attic"\nnames = ["trains.home"]\n'
    own = table(tmp_path / "own", "mine", mine)
    before = {name: value for name, value in what_opens(own).items() if name in ACCESS}
    restore(file, own, NOW)
    assert what_opens(own) == before
    assert (seat_of(own, "mine"), seat_of(own, "theirs")) == (None, None)
    settings = read_settings(own)
    assert settings.power.off == ("poweroff",)
    assert (settings.box.name, settings.box.names) == ("The cellar", ("trains.home",))
    store, _ = open_store(own, NOW)
    with store:
        assert len(store.events("m1")) == 9
    assert what_opens(own) == before, "the second copy of what was before brings nothing back"


@pytest.mark.parametrize("part", [SETTINGS, DATABASE])
def test_of_its_own_that_somebody_changed_counts_as_elsewhere(tmp_path: Path, part: str) -> None:
    own = table(tmp_path / "own", "mine", "[camera]\nrotation = 90\n")
    file, changed = backed_up(own, tmp_path / "own.zip"), tmp_path / "changed.zip"
    other = table(tmp_path / "other", "other")
    with Store(other) as store:
        store.copy_to(tmp_path / "other.db")
    content = COMMAND.encode() if part == SETTINGS else (tmp_path / "other.db").read_bytes()
    with zipfile.ZipFile(file) as parts, zipfile.ZipFile(changed, "x") as made:
        for name in parts.namelist():
            made.writestr(name, content if name == part else parts.read(name))
    assert not stage(changed, own).own
    assert FROM_ELSEWHERE in restore(changed, own, NOW)
    assert read_settings(own).power == Settings().power
    assert seat_of(own, "other") is None


@pytest.mark.parametrize("seal", [None, "", "é", "0" * 64])
def test_without_a_good_seal_it_was_made_elsewhere_but_in_the_boxs_own_folder(
    tmp_path: Path, seal: str | None
) -> None:
    """As those of the versions before, which had none."""
    own = table(tmp_path / "own", "mine")
    with Store(own) as store:
        automatic = automatic_backup(store, NOW)
    changed = tmp_path / "changed.zip"
    with zipfile.ZipFile(automatic) as parts, zipfile.ZipFile(changed, "x") as made:
        for name in parts.namelist():
            text = parts.read(name)
            if name == MANIFEST:
                told = text.decode().partition(',"seal"')[0]
                text = (told + ("}" if seal is None else f',"seal":"{seal}"}}')).encode()
            made.writestr(name, text)
    assert not stage(changed, own).own
    automatic.write_bytes(changed.read_bytes())
    assert stage(automatic, own).own
    assert automatic.parent == own / BACKUPS


def test_no_folder_of_this_machine_becomes_a_camera(tmp_path: Path) -> None:
    text = '[camera]\nname = "/home"\nrotation = 90\n'
    file = backed_up(table(tmp_path / "theirs", "theirs", text), tmp_path / "theirs.zip")
    restore(file, tmp_path / "new", NOW)
    assert tomllib.loads((tmp_path / "new" / SETTINGS).read_text())["camera"] == {"rotation": 90}


@pytest.mark.parametrize(
    "text",
    [
        'power.off = ["id"]\n',
        'power = {off = ["id"]}\n',
        '["power"]\n"off" = ["id"]\n',
        '["po\\u0077er"]\noff = ["id"]\n',
        '[camera]\nname = "a\\n[power]\\noff = [\\"id\\"]"\n',
        '["x]\\n[power"]\noff = ["id"]\n',
        '[camera]\n"x = 1\\n[power]\\noff" = ["id"]\n',
        "[" * 3000,
        "\x00",
    ],
)
def test_however_a_command_is_written_it_stays_outside(tmp_path: Path, text: str) -> None:
    file = backed_up(table(tmp_path / "theirs", "theirs", text), tmp_path / "theirs.zip")
    restore(file, tmp_path / "new", NOW)
    assert tomllib.loads((tmp_path / "new" / SETTINGS).read_text()).get("power") is None


def test_the_key_is_in_no_backup_and_for_its_owner_only(tmp_path: Path) -> None:
    own = table(tmp_path / "own", "mine")
    file = backed_up(own, tmp_path / "own.zip")
    key = box_key(own)
    assert key == (own / BOX_KEY).read_bytes()
    assert len(key) == 64
    assert (own / BOX_KEY).stat().st_mode & 0o077 == 0
    with zipfile.ZipFile(file) as parts:
        assert BOX_KEY not in parts.namelist()
        assert all(key not in parts.read(name) for name in parts.namelist())
    assert (own / SECOND_COPY).exists()
    assert key.decode() not in (own / SECOND_COPY).read_text()
