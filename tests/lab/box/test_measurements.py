"""Every measurement of the whole box really measures: short ones of each."""

from __future__ import annotations

import re

import pytest

from lab.box import flood, photographs
from lab.box.__main__ import main
from lab.box.footprint import PAGES

pytestmark = pytest.mark.slow  # benches of the laboratory

FIGURE = re.compile(r"median (\d+\.\d) ms")


def test_throws_of_the_roller_arrive_on_every_phone(capsys: pytest.CaptureFixture[str]) -> None:
    main(["throws", "--throws", "2", "--listeners", "3"])
    said = capsys.readouterr().out
    assert "2 throws, 3 phones connected" in said
    assert all(0 < float(found) < 5000 for found in FIGURE.findall(said))


def test_a_load_is_measured_and_survives_the_restart(capsys: pytest.CaptureFixture[str]) -> None:
    main(["load", "--minutes", "0.05", "--phones", "3"])
    said = capsys.readouterr().out
    assert "before the restart: 3 phones live, 1 polling, 0 without the box" in said
    assert "all 4 phones found it" in said
    assert "at the end: 3 phones live, 1 polling, 0 without the box; all show the same version" in said
    assert re.search(r"first half: \d+\.\d MB", said)


def test_photographs_get_their_score(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(photographs, "MEGAPIXELS", 1.5)
    main(["photographs", "--photographs", "1"])
    said = capsys.readouterr().out
    assert "from the phone to the score on it: median" in said
    assert re.search(r"service \d+ \d+ MB.*reader \d+ \d+ MB", said)


def test_pages_are_weighed_as_they_come(capsys: pytest.CaptureFixture[str]) -> None:
    main(["pages"])
    weights = re.findall(r"pages: (/\S*): (\d+\.\d) kB .* 200\n", capsys.readouterr().out)
    assert tuple(page for page, _ in weights) == PAGES
    assert all(1 < float(weight) < 60 for _, weight in weights)


def test_idling_is_watched(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(photographs, "MEGAPIXELS", 1.5)
    main(["idle", "--seconds", "0.2"])
    said = capsys.readouterr().out
    assert re.search(r"idle for 0 s with 4 phones connected: \d+\.\d\d % of a core", said)
    assert re.search(r"resident, the reader loaded and used: \d+ MB", said)


def test_rude_neighbours_are_borne(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    few = {name: (2, rude) for name, (_, rude) in flood.NEIGHBOURS.items()}
    monkeypatch.setattr(flood, "NEIGHBOURS", few)
    main(["flood", "--rude", "0.1"])
    said = capsys.readouterr().out.splitlines()
    assert [line.split(": ")[1] for line in said] == ["nobody else", *few]
    assert all(re.search(r"[1-9]\d* actions, median \d+ ms, 95 % under \d+ ms", line) for line in said)
