"""A recording of boards: only if wanted, bounded, and gone with its match."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.game.base import Action
from companion.service.watching import recording
from companion.service.watching.recording import Recording
from tests.companion.service.watching.filmed import FilmedTable
from tests.web.houses import accepted, begin, small_house
from tests.web.people import good, the_host
from web.app import create_app

ANNA = {"b1": "NS", "d1": "ne", "f1": "N*", "b2": "NS|ew"}


@pytest.mark.parametrize("wanted", [True, False])
def test_a_round_is_looked_at_again_beside_its_score(tmp_path: Path, wanted: bool) -> None:
    with small_house(tmp_path) as house:
        match = begin(house, "Anna", "Ben", options={"goals": "none"})
        accepted(house, Action("roll", data={"faces": ["NS", "ne", "N*", "NS|ew"]}))
        table, app = FilmedTable(house, record=wanted), create_app(house)
        table.filmed({1: ANNA, 2: ANNA})
        assert [(one.round, one.seat) for one in house.recording.boards(match)] == [(1, 1), (1, 2)] * wanted
        page, picture = app.test_client().get(f"/match/{match}"), f"/api/v1/matches/{match}/recording/1/1"
        assert (picture in page.get_data(as_text=True)) is wanted
        with app.test_client().get(picture) as answer:
            assert answer.status_code == (200 if wanted else 404)
        assert app.test_client().get(picture.replace("/1/1", "/9/9")).status_code == 404
        accepted(house, Action("end"))
        good(the_host(app, house).delete(f"/api/v1/matches/{match}"))
        assert house.recording.boards(match) == []


def test_it_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "MOST_MATCHES", 2)
    monkeypatch.setattr(recording, "MOST_PICTURES", 3)
    kept = Recording(tmp_path, lambda: True)
    for number in range(5):
        kept.keep("m1", number, 1, b"jpeg")
    assert len(kept.boards("m1")) == 3
    kept.keep("m1", 0, 1, b"another")
    assert kept.boards("m1")[0].path.read_bytes() == b"another"
    kept.keep("m1", 1, 2, bytes(recording.LARGEST + 1))
    kept.keep("../m1", 1, 1, b"jpeg")
    kept.keep("m2", 1, 1, b"")
    assert [one.name for one in tmp_path.rglob("*.jpg") if one.parent.name != "m1"] == []
    for name in ("m2", "m3"):
        kept.keep(name, 1, 1, b"jpeg")
    assert sum(bool(kept.boards(name)) for name in ("m1", "m2", "m3")) == 2
