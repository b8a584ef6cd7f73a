"""What people with phones do: draw on paper, photograph it, answer what is asked, or enter it by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
from playwright.sync_api import FilePayload, Page, expect

from companion.game.base import Action
from companion.game.registry import find_studio
from companion.games.railroad_ink.rules.boards.routes import parse_route, shape_of
from companion.table.match import Match
from lab.railroad_ink.studio.boards import GivenBoard, SheetMarks
from lab.railroad_ink.studio.camera import StudioCamera
from tests.web.browser.table import next_draw

MEGAPIXELS = 1.5
_READ_WITHIN = 240_000  # milliseconds; the first picture finds a reader that is still loading
_TRIES = 3  # photographs of one build, as people take another one


@dataclass(frozen=True)
class Turn:
    """What somebody drew on paper in one round, and the board afterwards."""

    seat: int
    moves: tuple[Action, ...]
    state: Any

    @property
    def routes(self) -> dict[str, str]:
        """The new routes by cell."""
        return {move.data["cell"]: move.data["route"] for move in self.moves}

    @property
    def written(self) -> dict[str, str]:
        """The whole board."""
        return {drawing.cell: drawing.route for drawing in self.state.boards[self.seat].drawings}


def drawn_on_paper(match: Match, seat: int) -> Turn:
    """Every die that fits, one after the other."""
    moves: list[Action] = []
    state = match.state
    while (move := next_draw(match, seat, state)) is not None:
        moves.append(move)
        state = match.game.apply(state, move)
    return Turn(seat, tuple(moves), state)


def photograph(turn: Turn, number: int) -> FilePayload:
    """The board as this seat's phone sees it; every picture has its own light, every seat its own hand."""
    board = turn.state.boards[turn.seat]
    marks = SheetMarks(turn.state.options.edition, board.cells(), board.rounds())
    camera = StudioCamera(
        lambda: [GivenBoard(turn.seat, marks, turn.seat)], seed=number, megapixels=MEGAPIXELS
    )
    _, packed = cv2.imencode(".jpg", camera.take())
    return {"name": "board.jpg", "mimeType": "image/jpeg", "buffer": packed.tobytes()}


def send_photo(page: Page, photo: FilePayload) -> None:
    """Tap the camera on the page, and take the picture; of a map one says with another tap what of it."""
    camera = page.locator("[data-do=photo]").first
    if page.locator("[data-photo][data-large]").count():
        camera.click()
        camera = page.locator(".photo-ways >> text=Take a picture")
    with page.expect_file_chooser() as chosen:
        camera.click()
    chosen.value.set_files(photo)


def photograph_turn(page: Page, turn: Turn, number: int, right: str = "Looks right") -> str:
    """Send the photograph and do what the page asks: ``entered``, ``asked``, or why it ended ``by hand``.

    ``right`` is the button for a picture that was read rightly.
    """
    send_photo(page, photograph(turn, number))
    title = page.locator("dialog[open] h2")
    expect(title).to_be_visible(timeout=_READ_WITHIN)
    asked = False
    while title.inner_text().startswith("What is drawn in"):
        asked = True
        if not _answer(page, title.inner_text(), turn):
            page.click("text=Never mind")
            return _by_hand(page, turn, "the right answer was not offered")
        expect(title).to_be_visible(timeout=_READ_WITHIN)
    if not title.inner_text().startswith("Entered"):
        said = page.locator("dialog[open] .says").all_inner_texts()
        page.click('dialog[open] button:has-text("Close")')
        return _by_hand(page, turn, "; ".join(said) or title.inner_text())
    if not _is_right(page, turn):
        page.click("text=Take it back")
        expect(page.locator("dialog[open]")).to_have_count(0)
        return _by_hand(page, turn, "it was read wrongly, and taken back")
    page.click(f"dialog[open] >> text={right}")
    return "asked" if asked else "entered"


def _answer(page: Page, title: str, turn: Turn) -> bool:
    cell = title.removeprefix("What is drawn in ").removesuffix("?")
    route = turn.written.get(cell, "empty")
    option = page.locator(f'dialog[open] .options .choice[aria-label^="{route},"]')
    if option.count() == 0:
        return False
    option.click()
    expect(page.locator("dialog[open] h2", has_text=title)).to_have_count(0)
    return True


def _is_right(page: Page, turn: Turn) -> bool:
    """What a person sees at a glance: the new cells, and what the page says was read there."""
    seen = page.locator("dialog[open] .reading .new")
    words = [one.get_attribute("aria-label") or "" for one in seen.all()]
    return sorted(words) == sorted(f"{cell}: {route}" for cell, route in turn.routes.items())


def _by_hand(page: Page, turn: Turn, why: str) -> str:
    draw_by_hand(page, turn.moves)
    return f"by hand: {why}"


def draw_by_hand(page: Page, moves: Sequence[Action]) -> None:
    """Choose the die, tap the cell, turn the route as often as needed, draw it."""
    for move in moves:
        cell, route = move.data["cell"], move.data["route"]
        shape = shape_of(parse_route(route))
        page.locator(f'.choice[data-source="die"][data-shape="{shape}"]:not(:disabled)').first.click()
        page.locator(f'.mine .board g[data-cell="{cell}"]').click()
        wanted = page.locator(f'symbol[data-mark="{route}"]').get_attribute("id")
        for _ in range(8):
            if page.locator(".ghost use").get_attribute("href") == f"#{wanted}":
                break
            page.click('button:has-text("Turn it")')
        page.click("text=Draw it")
        expect(page.locator(f'.mine .board g.drawn:not(.ghost)[data-cell="{cell}"]')).to_have_count(1)


# --- track on a map ---


def photograph_build(page: Page, game: str, after: Any, number: int, names: Mapping[int, str]) -> str:
    """Photograph a map as it lies ``after`` a build and answer what is asked, until the build is proposed.

    ``number`` makes pictures differ. ``entered``: nothing was asked of the first picture.
    """
    said: list[str] = []
    for attempt in range(_TRIES):
        picture = find_studio(game).picture(after, number + attempt)
        send_photo(page, {"name": "map.jpg", "mimeType": "image/jpeg", "buffer": picture})
        title = page.locator("dialog[open] h2")
        expect(title.filter(has_text="Photograph the map")).to_have_count(0)
        expect(title).to_be_visible(timeout=_READ_WITHIN)
        asked = _places_answered(page, after, names)
        if title.inner_text().endswith("is that right?"):
            return "asked" if asked else f"entered at try {attempt + 1}" if attempt else "entered"
        said.append(page.locator("dialog[open]").inner_text())
        page.click("dialog[open] >> text=Close")
    raise AssertionError(f"no photograph of the build was read: {said}")


def _places_answered(page: Page, after: Any, names: Mapping[int, str]) -> bool:
    """Every doubtful place, as it is; was anything asked?"""
    asked, track = False, marks(after)
    while page.locator(".map-option").count():
        asked = True
        slot = page.locator(".badge.chosen").get_attribute("data-slot") or ""
        words = names[track[slot]] if slot in track else "Nothing"
        page.locator(".map-option", has_text=words).first.click()
        page.wait_for_function(
            "slot => document.querySelector('.badge.chosen')?.dataset.slot !== slot", arg=slot
        )
        expect(page.locator("dialog[open] h2")).to_be_visible(timeout=_READ_WITHIN)
    return asked


def marks(state: Any) -> dict[str, int]:
    """Whose track lies on each slot of a map."""
    if hasattr(state, "track"):
        return {state.board.edge_names[edge]: seat for edge, seat in state.track.items()}
    return {name: seat for seat, player in state.players.items() for name in player.tracks}
