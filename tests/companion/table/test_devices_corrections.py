"""What a camera has entered it may change, until the dice are thrown again; nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.game.base import Action
from companion.table.events import Actor
from companion.table.replay import replayed
from companion.table.table import Accepted, Refused
from tests.web.houses import accepted, begin, small_house

CAMERA = Actor("device", name="camera")
FACES = ["NS", "ne", "N*", "NS|ew"]
MOVES = [{"cell": "b1", "route": "NS"}, {"cell": "d1", "route": "ne"}]
OTHERS = [{"cell": "b1", "route": "NS", "from": "die"}, {"cell": "d1", "route": "nw", "from": "die"}]


@pytest.mark.parametrize(
    ("kind", "more", "undone"),
    [("undo", {}, []), ("correct", {"data": {"moves": OTHERS}}, ["NS", "nw"])],
)
def test_a_camera_changes_its_own_entries_until_the_next_roll(
    tmp_path: Path, kind: str, more: dict[str, object], undone: list[str]
) -> None:
    with small_house(tmp_path) as house:
        begin(house, "Anna", options={"goals": "none"})
        accepted(house, Action("roll", data={"faces": FACES}))
        taken = house.table.submit(Action("turn", 1, {"moves": MOVES}), CAMERA)
        assert isinstance(taken, Accepted)
        change = Action(kind, 1, {"seq": taken.event.seq, **more})
        assert isinstance(house.table.submit(change, CAMERA), Accepted)
        match = house.table.current
        assert match is not None
        assert [one.route for one in match.state.boards[1].drawings] == undone
        assert replayed(match.events, house.games).state == match.state
        # Neither a roll nor what people did
        for seq in (2,):
            roll = house.table.submit(Action(kind, None, {"seq": seq, **more}), CAMERA)
            assert isinstance(roll, Refused), roll
            assert roll.code == "device"
        drawn = accepted(house, Action("draw", 1, {"cell": "f1", "route": "N*", "from": "die"}))
        theirs = house.table.submit(Action(kind, 1, {"seq": drawn.event.seq, **more}), CAMERA)
        assert isinstance(theirs, Refused), theirs
        assert theirs.code == "device"


def test_after_the_next_roll_only_people_can(tmp_path: Path) -> None:
    with small_house(tmp_path) as house:
        begin(house, "Anna", options={"goals": "none"})
        accepted(house, Action("roll", data={"faces": FACES}))
        moves = [*MOVES, {"cell": "f1", "route": "N*"}, {"cell": "b2", "route": "NS|ew"}]
        taken = house.table.submit(Action("turn", 1, {"moves": moves}), CAMERA)
        assert isinstance(taken, Accepted), taken
        accepted(house, Action("done", 1))
        accepted(house, Action("roll", data={"faces": FACES}))
        late = house.table.submit(Action("undo", 1, {"seq": taken.event.seq}), CAMERA)
        assert isinstance(late, Refused)
        assert late.code == "everybody"
