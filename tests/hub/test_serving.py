"""``stationmaster hub`` as a process: it says where it is, takes a real box's matches, stops cleanly."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
from pathlib import Path
from urllib.request import urlopen

from companion.club.desk import ClubDesk
from companion.club.outbox import Outbox
from companion.game.registry import GAMES
from companion.service.service import Service
from hub.intake.ledger import CODE
from hub.storage.database import setting
from hub.storage.migrations import opened_database
from tests.hub.houses import needs_signing
from tests.web.houses import begin, play_rounds
from web.live.club_night import table_state

pytestmark = needs_signing


def test_a_hub_and_a_box_over_a_real_connection(house: Service, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "companion", "hub", "--host", "127.0.0.1", "--port", "0", "--json"]
    process = subprocess.Popen(
        [*command, "--folder", str(tmp_path), "--name", "The Yard"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        told = json.loads(process.stdout.readline())
        assert len(told["pin"]) == 6
        database = opened_database("", tmp_path)
        with database.reading() as look:
            code = setting(look, CODE) or ""
        stopping = threading.Event()
        outbox = Outbox(house.store, house.table, GAMES, table_state, stopping)
        assert ClubDesk(house.store, outbox).pair(told["links"][0], code, "Window").name == "The Yard"
        stream = urlopen(f"{told['links'][0]}api/v1/stream", timeout=60)
        outbox.start()
        begin(house)
        play_rounds(house, 1)
        match = house.table.current
        assert match is not None
        arrived = threading.Event()

        def seen() -> bool:
            with database.reading() as look:
                return look.rows("SELECT seq FROM matches") == [(match.version,)]

        for _ in range(200):
            if seen():
                break
            arrived.wait(0.05)
        assert seen()
        assert any(line.startswith(b"event: changed") for line in stream)
        stopping.set()
        outbox.join()
        database.close()
    finally:
        process.send_signal(signal.SIGTERM)
        _, complaints = process.communicate(timeout=20)
    assert process.returncode == 0
    assert complaints == ""  # the stream that somebody still listens to holds nobody up
    stream.close()
