"""Signatures of packages: what is let through, and every way in which one is not."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from companion.updates.signed import Statement, UpdateError, check_package, note_of, read_note
from tests.companion.updates.packages import Signer


@pytest.fixture(scope="module")
def signer(tmp_path_factory: pytest.TempPathFactory) -> Signer:
    return Signer(tmp_path_factory.mktemp("signer"))


def keys(signer: Signer) -> list[Path]:
    return sorted(signer.keys.glob("*.pem"))


def refusal(path: Path, signer: Signer) -> str:
    with pytest.raises(UpdateError) as caught:
        check_package(path, keys(signer))
    return caught.value.code


def test_a_signed_package_is_told_whole_and_dpkg_passes_over_the_signature(
    signer: Signer, tmp_path: Path
) -> None:
    path = signer.package(tmp_path, "0.3.0")
    told = check_package(path, keys(signer))
    assert (told.version, told.arch, told.file) == ("0.3.0", "arm64", path.name)
    assert read_note((tmp_path / "stationmaster_arm64.update").read_bytes(), keys(signer)) == told
    for question in ("-I", "-c"):
        subprocess.run(["dpkg-deb", question, path], capture_output=True, check=True)


def test_the_same_key_signs_the_same_byte_for_byte(signer: Signer, tmp_path: Path) -> None:
    made = [signer.package(tmp_path / name, "0.3.0").read_bytes() for name in ("a", "b")]
    assert made[0] == made[1]


def test_any_changed_byte_is_noticed(signer: Signer, tmp_path: Path) -> None:
    path = signer.package(tmp_path, "0.3.0")
    whole = path.read_bytes()
    header = whole.index(b"_stationmaster")  # of which only the name and the length mean anything
    for place in {*range(0, header, header // 30), *range(header + 60, len(whole), 17)}:
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert refusal(path, signer) in ("bad-package", "bad-signature", "no-signature", "no-package"), place


@pytest.mark.parametrize("cut", [0, 5, 8, 30, -2, -3, -300])
def test_a_package_that_was_cut_off_is_refused(signer: Signer, tmp_path: Path, cut: int) -> None:
    path = signer.package(tmp_path, "0.3.0")
    path.write_bytes(path.read_bytes()[:cut])
    assert refusal(path, signer).startswith(("no-", "bad-"))


def test_something_after_the_signature_is_refused(signer: Signer, tmp_path: Path) -> None:
    path = signer.package(tmp_path, "0.3.0")
    with path.open("ab") as file:
        file.write(b"data.tar        0           0     0     100644  4         `\nevil")
    assert refusal(path, signer) == "no-signature"


def test_somebody_elses_key_and_a_signature_of_another_package(signer: Signer, tmp_path: Path) -> None:
    other = Signer(tmp_path / "other")
    assert refusal(other.package(tmp_path, "0.3.0"), signer) == "bad-signature"
    one, two = signer.package(tmp_path / "1", "0.3.0"), signer.package(tmp_path / "2", "0.3.1")
    end = one.read_bytes().index(b"_stationmaster")
    end2 = two.read_bytes().index(b"_stationmaster")
    one.write_bytes(one.read_bytes()[:end] + two.read_bytes()[end2:])
    assert refusal(one, signer) == "bad-package"


def test_an_unsigned_package_and_no_package(signer: Signer, tmp_path: Path) -> None:
    path = signer.package(tmp_path, "0.3.0")
    path.write_bytes(path.read_bytes()[: path.read_bytes().index(b"_stationmaster")])
    assert refusal(path, signer) == "no-signature"
    path.write_bytes(b"PK\x03\x04 something else")
    assert refusal(path, signer) == "no-package"


@pytest.mark.parametrize(
    "change",
    [{"version": "../../x"}, {"arch": "riscv"}, {"file": "../x.deb"}, {"size": 0}, {"sha256": "x"}],
)
def test_what_is_signed_is_looked_at_all_the_same(
    signer: Signer, tmp_path: Path, change: dict[str, object]
) -> None:
    good = Statement("0.3.0", "arm64", "a.deb", 5, "0" * 64)
    odd = replace(good, **change)  # type: ignore[arg-type]
    said = tmp_path / "text"
    for text in (odd.text(), json.dumps({"purpose": "another"}).encode()):
        said.write_bytes(text)
        command = ["openssl", "pkeyutl", "-sign", "-inkey", str(signer.key), "-rawin", "-in", str(said)]
        signature = subprocess.run(command, capture_output=True, check=True).stdout
        with pytest.raises(UpdateError):
            read_note(text + note_of(good, signature)[len(good.text()) :], keys(signer))
