"""Five walks through the code, each done for real and drawn as it was done::

    python -m tests.walks docs/walks

While a walk is done a profiler notes the first call of every function of ours, on every thread. A walk names
its stations; ``test_walks.py`` finds them called in this order, and the pictures in ``docs/walks`` as they
would be drawn now. What a picture says of a station is the first sentence of its docstring.
"""

from __future__ import annotations

import html
import importlib
import inspect
import sys
import tempfile
import textwrap
import threading
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from functools import reduce
from io import StringIO
from pathlib import Path
from types import CodeType, FrameType, TracebackType
from typing import Any, TypeAlias

import pytest

import hub.app  # noqa: F401 - before what refers to it
from companion.cli import main as command
from companion.game.base import Action
from companion.game.bots import greedy_action
from companion.service.devices.dice import TableDice
from companion.service.devices.dice_policy import DicePolicy
from companion.service.photos.eye import Answer, Eye, Given
from companion.service.photos.worker import Worker
from companion.table.chance import SeededChance
from firmware_bridge.log import RollLog
from firmware_bridge.ports import Port
from firmware_bridge.roller import DiceRoller
from firmware_bridge.simulator import VirtualPort, VirtualRoller
from tests.hub.houses import embedded, sent_all
from tests.web.houses import accepted, begin, play_rounds, small_house, with_eye
from tests.web.people import good, post, seated
from web import create_app
from web.site import site_of

_OURS = ("companion.", "firmware_bridge.", "hub.", "vision.", "web.")
_GAME = "companion.games.railroad_ink"
_WIDTH, _ROW, _TOP = 760, 62, 16
_COLOURS = {
    "companion": "#2b6cb0",
    "firmware_bridge": "#b7791f",
    "hub": "#805ad5",
    "vision": "#2f855a",
    "web": "#c05621",
}


@dataclass
class Trace:
    """The first call of every function of ours, by thread, while it is entered as a context."""

    calls: list[tuple[str, str]] = field(default_factory=list)  # the thread, and module:function
    _seen: set[CodeType] = field(default_factory=set)

    def __enter__(self) -> Trace:
        threading.setprofile(self._heard)
        sys.setprofile(self._heard)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        sys.setprofile(None)
        threading.setprofile(None)

    def forget(self) -> None:
        """The walk begins only now."""
        self.calls.clear()
        self._seen.clear()

    def _heard(self, frame: FrameType, what: str, _: Any) -> None:
        if what == "call" and frame.f_code not in self._seen:
            self._seen.add(frame.f_code)
            module = str(frame.f_globals.get("__name__", ""))
            if module.startswith(_OURS):
                name = f"{module}:{frame.f_code.co_qualname}"
                self.calls.append((threading.current_thread().name, name))


class EyeHere(Eye):
    """Reads in this process, where the calls are heard."""

    def start(self, game: str = "") -> None:
        """Nothing to load."""

    def stop(self) -> None:
        """Nothing to end."""

    def call(
        self, function: Callable[[Worker, *Given], Answer], *given: *Given, plays: bool = True
    ) -> Answer:
        """Call it at once."""
        return function(Worker(), *given)


def a_roll(folder: Path, trace: Trace) -> None:
    """Somebody presses the button of the dice roller; every phone shows the dice."""
    port, stopping = VirtualPort(VirtualRoller(seed=5)), threading.Event()
    name = port.plug()
    with small_house(folder / "table") as house:
        begin(house)
        app = create_app(house, stopping=stopping)
        live, connected = site_of(app).live, threading.Event()
        with trace:
            live.start()
            roller = DiceRoller(lambda: [Port(name)], log=RollLog(folder / "rolls.jsonl"))
            told = lambda state: connected.set() if state.connected else None  # noqa: E731
            dice = TableDice(house.table, roller, DicePolicy(house.store.setting), told)
            dice.start()
            assert connected.wait(60)
            seen = iter(app.test_client().get("/api/v1/stream").response)
            next(seen)
            trace.forget()
            port.roller.press()
            assert any(b"event: changed" in part for part in seen)
        dice.stop()
        stopping.set()
        live.join()
    port.unplug()


def a_photograph(folder: Path, trace: Trace) -> None:
    """A phone sends a photograph of a board; it is read, ruled, entered and counted."""
    with redirect_stdout(StringIO()):
        asked = ["--count", "1", "--seed", "3", "--level", "clean"]
        assert command(["studio", "railroad-ink", "--out", str(folder), *asked]) == 0
    (picture,) = folder.glob("*.jpg")
    with small_house(folder / "table") as house:
        begin(house, *"ABCDEF", mode="scorekeeper")
        with_eye(house, EyeHere())
        phone = seated(create_app(house), house, 4, "D")  # whose board the studio photographs
        with trace:
            sent = phone.post(
                "/api/v1/matches/current/photos", data=picture.read_bytes(), content_type="image/jpeg"
            )
        assert good(sent)["done"]


def a_tap(folder: Path, trace: Trace) -> None:
    """A player taps what is drawn; the table's screen shows it."""
    with small_house(folder / "table") as house:
        begin(house)
        accepted(house, Action("roll"))
        app = create_app(house)
        phone, screen, match = seated(app, house, 1, "East"), app.test_client(), house.table.current
        assert match is not None
        drawn = greedy_action(match.game, match.state, 1, SeededChance(1))
        assert drawn is not None
        with trace:
            good(
                post(
                    phone,
                    "/matches/current/actions",
                    {"kind": drawn.kind, "seat": 1, "data": dict(drawn.data)},
                )
            )
            assert screen.get("/api/v1/pieces?page=tv").status_code == 200


def an_event(folder: Path, trace: Trace) -> None:
    """What happens at a club's table comes to its hub, and onto the hub's page."""
    with small_house(folder / "table") as house, pytest.MonkeyPatch.context() as patch:
        night = embedded(folder / "hub")
        outbox = night.joined(house, night.wire(), patch)
        outbox.memberships.count(begin(house), True)
        sent_all(outbox)
        play_rounds(house, 1)
        with trace:
            sent_all(outbox)
            assert night.client.get("/").status_code == 200
        night.stop()


def a_command(folder: Path, trace: Trace) -> None:
    """A board is scored on the command line."""
    board = folder / "board.json"
    board.write_text('{"cells": {"b1": "NS", "b2": "NeS*", "c2": "ew", "d2": "nw", "d1": "ns"}}')
    with redirect_stdout(StringIO()), trace:
        assert command(["score", "railroad-ink", str(board), "--explain"]) == 0


_SUBMITTED = (  # wherever it comes from
    "companion.table.table:Table.submit",
    "companion.table.requests:decide_in_match",
    f"{_GAME}.rules.match.game:RailroadInk.decide",
    f"{_GAME}.rules.match.game:RailroadInk.apply",
    "companion.table.store:Store.append",
    "companion.table.journal:Journals.write",
    "companion.table.feed:Feed.publish",
)
Walk: TypeAlias = Callable[[Path, Trace], None]
WALKS: dict[Walk, Sequence[str]] = {
    a_roll: (
        "firmware_bridge.simulator:VirtualRoller.press",
        "firmware_bridge.conversation:Conversation.receive",
        "firmware_bridge.ledger:Ledger.offer",
        "companion.service.devices.dice:TableDice._take",
        *_SUBMITTED,
        "web.app:_describe",
        f"{_GAME}.ui.presenter:RailroadInkPresenter.dice_view",
        "web.live.streams:message",
    ),
    a_photograph: (
        "web.api.photos:send_photo",
        "companion.service.photos.board_photos:BoardPhotos.read",
        "companion.service.photos.reading_boards:read_boards",
        "vision.decoding:checked_header",
        f"{_GAME}.reader.reader:RailroadInkReader.read",
        "vision.find.seeing:see",
        "vision.register.placing:by_tags",
        "vision.register.print_register:on_print",
        "vision.nets:scores",
        "companion.reading.base:Reader.answer",
        f"{_GAME}.reader.seats:rule_seat",
        "companion.reading.evidence:Ruling.summary",
        *_SUBMITTED,
    ),
    a_tap: (
        "web.access.people:person",
        "web.api.matches:act",
        *_SUBMITTED,
        "web.api.matches:pieces",
        "web.ui.scene:FragmentCache.pieces",
        "companion.table.standings:seen_match",
        f"{_GAME}.ui.presenter:RailroadInkPresenter.board",
        f"{_GAME}.ui.presenter:RailroadInkPresenter.score_rows",
    ),
    an_event: (
        "companion.club.outbox:Outbox.send",
        "companion.club.records:RecordBuilder.records",
        "companion.club.messages:record_hash",
        "web.live.club_night:table_state",
        "companion.club.messages:batch_text",
        "companion.club.keys:signature",
        "hub.intake.api:take",
        "companion.club.keys:is_signed",
        "hub.house:HubHouse.hear",
        "hub.intake.batch_queue:BatchQueue.take",
        "hub.intake.storing:store_batches",
        "hub.storage.database:put_version",
        "hub.pages:tables",
        "hub.pieces:tables_pieces",
    ),
    a_command: (
        "companion.cli:main",
        "companion.cli:parsed",
        "companion.cli.score:run",
        "companion.game.registry:find_game",
        "companion.game.packages:loaded",
        "companion.cli.judging:explain_stream",
        "companion.core.jsontext:read_json",
        f"{_GAME}.rules.match.game:RailroadInk.explain_position",
        f"{_GAME}.rules.boards.position:read_position",
        f"{_GAME}.rules.scoring.scores:score",
        f"{_GAME}.rules.scoring.explained:explain",
        "companion.cli.output:NamedOutput.write",
    ),
}


def walked(walk: Walk) -> list[tuple[str, str]]:
    """Do a walk: its stations in order, each with the thread on which it was called."""
    trace = Trace()
    with tempfile.TemporaryDirectory() as folder:
        walk(Path(folder), trace)
    stations, found = iter(WALKS[walk]), []
    wanted = next(stations)
    for thread, name in trace.calls:
        if name == wanted:
            found.append((thread, name))
            wanted = next(stations, "")
    if wanted:
        called = "earlier" if wanted in [name for _, name in trace.calls] else "not"
        raise AssertionError(f"{wanted} is {called} called on the walk {walk.__name__}, after {found[-1:]}")
    return found


def drawn(walk: Walk, stations: Sequence[tuple[str, str]]) -> str:
    """The walk as SVG: a box for each station, where it is, and what it does."""
    height = _TOP + 34 + len(stations) * _ROW
    title = html.escape(str(walk.__doc__))
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}"'
        f' height="{height}" font-family="sans-serif" font-size="13">',
        f'<rect width="{_WIDTH}" height="{height}" fill="#fff"/>',
        f'<text x="12" y="{_TOP + 10}" font-size="15" font-weight="bold">{title}</text>',
    ]
    before = stations[0][0]
    for number, (thread, name) in enumerate(stations):
        module, _, function = name.partition(":")
        top = _TOP + 26 + number * _ROW
        colour = _COLOURS[module.partition(".")[0]]
        if number:
            dashed = ' stroke-dasharray="3 3"' if thread != before else ""
            lines.append(f'<path d="M26 {top - 10}v10" stroke="#444" stroke-width="2"{dashed}/>')
        lines.append(
            f'<rect x="12" y="{top}" width="{_WIDTH - 24}" height="{_ROW - 10}" rx="6" fill="#f7f7f7"/>'
        )
        lines.append(f'<rect x="12" y="{top}" width="28" height="{_ROW - 10}" rx="6" fill="{colour}"/>')
        lines.append(f'<text x="26" y="{top + 31}" text-anchor="middle" fill="#fff">{number + 1}</text>')
        where = f'<tspan font-weight="bold">{function}</tspan> <tspan fill="#555">{module}</tspan>'
        lines.append(f'<text x="50" y="{top + 20}">{where}</text>')
        lines.append(f'<text x="50" y="{top + 40}" fill="#222">{html.escape(_told(module, function))}</text>')
        before = thread
    return "\n".join([*lines, "</svg>", ""])


def _told(module: str, function: str) -> str:
    """The first sentence of its docstring, shortened to a line."""
    found = reduce(getattr, function.split("."), importlib.import_module(module))
    text = " ".join((inspect.getdoc(found) or "").split("\n\n")[0].split())
    return textwrap.shorten(text.replace("``", "").partition(". ")[0].rstrip("."), 105, placeholder=" ...")


def main() -> None:
    """Draw all walks into a folder."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for walk in WALKS:
        (folder / f"{walk.__name__.replace('_', '-')}.svg").write_text(drawn(walk, walked(walk)))


if __name__ == "__main__":
    main()
