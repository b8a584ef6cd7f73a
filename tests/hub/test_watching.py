"""What a hub shows of a table, as its box would draw it."""

from __future__ import annotations

from pathlib import Path

import msgspec

from companion.core.messages import with_messages
from companion.game.base import Action
from companion.table.events import canonical
from hub.foreign.watching import watch_scene
from tests.web.houses import accepted, small_house
from web.live.club_night import table_state
from web.ui.speaking import speaking


def test_a_map_has_the_language_of_each_reader(tmp_path: Path) -> None:
    with small_house(tmp_path) as house:
        accepted(house, Action("start", data={"game": "spike", "players": ["Ada", "Ben"]}))
        match = house.table.current
        assert match is not None
        state = table_state(match, whole=True)
    view = with_messages(msgspec.json.decode(canonical(state.view)))
    grounds = []
    for language in ("de", "en", "de"):
        with speaking(language):
            grounds.append(watch_scene(state, view).ground)
    assert grounds[0] == grounds[2] != grounds[1]
