"""Sheets followed one by one: each rests by itself; hands hide, paper is pushed, the light goes out."""

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from companion.sheets.drawing import Quad
from companion.sheets.sheet import SheetKey
from vision.register.rectify import Image, Matrix
from vision.watch.follower import TableFollower, small
from vision.watch.shots import Shots
from vision.watch.views import SeenSheet, SheetView

SIZE = (200.0, 200.0)
KEYS: tuple[SheetKey, ...] = (("board", "", 1), ("board", "", 2))
STEP = 1 / 3  # seconds between two frames
STROKE = [(80, 90), (150, 96)]


def print_of_board(seat: int) -> Image:
    """A board as it is printed: a grid, dots in its squares, and corner marks that differ."""
    board = np.full((400, 400), 235, np.uint8)
    for n in range(8):
        cv2.line(board, (40 + n * 45, 40), (40 + n * 45, 355), 120, 2)
        cv2.line(board, (40, 40 + n * 45), (355, 40 + n * 45), 120, 2)
    rng = np.random.default_rng(seat)
    for y in (4, 366):
        for x in (4, 366):
            mark = (rng.random((6, 6)) < 0.5).astype(np.uint8) * 255
            board[y : y + 30, x : x + 30] = cv2.resize(mark, (30, 30), interpolation=cv2.INTER_NEAREST)
    return board


class Table:
    """Two boards on a table, as a fixed camera sees them."""

    def __init__(self) -> None:
        self.places = [pushed(60, 90), pushed(440, 110, 4)]
        self.boards = [print_of_board(seat) for seat in (1, 2)]
        self.light, self.hand, self.camera = 1.0, None, np.eye(3)
        self.shadow = False
        self.at = 0.0
        self.texture = np.random.default_rng(5).normal(0, 1, (480, 800))

    hand: tuple[int, int] | None

    def draw(self, seat: int, line: Sequence[tuple[int, int]] = STROKE) -> None:
        """Draw a line, in mm of the board."""
        (x, y), (right, bottom) = ((2 * a, 2 * b) for a, b in line)
        cv2.line(self.boards[seat - 1], (x, y), (right, bottom), 40, 4, cv2.LINE_AA)

    def frame(self) -> Image:
        """One frame, with noise of its own."""
        picture = (90 + 6 * self.texture).clip(0, 255).astype(np.uint8)
        for board, place in zip(self.boards, self.places, strict=True):
            matrix = place @ np.diag([0.5, 0.5, 1])
            laid = cv2.warpPerspective(board, matrix, (800, 480), flags=cv2.INTER_AREA)
            there = cv2.warpPerspective(np.full_like(board, 255), matrix, (800, 480))
            picture = np.where(there > 127, laid, picture)
        if self.shadow:
            dark = cv2.GaussianBlur(
                cv2.circle(np.zeros((480, 800), np.float32), (200, 150), 90, 0.5, -1), (0, 0), 20
            )
            picture = (picture * (1 - dark)).astype(np.uint8)
        if self.hand is not None:
            x, y = self.hand
            cv2.line(picture, (x, y), (x + 60, 479), 135, 46, cv2.LINE_AA)
            cv2.ellipse(picture, (x, y), (32, 40), 20, 0, 360, 150, -1, cv2.LINE_AA)
        picture = np.asarray(cv2.warpPerspective(picture, self.camera, (800, 480), borderValue=70), np.uint8)
        noise = np.random.default_rng(round(self.at * 1000)).normal(0, 2, picture.shape)
        return np.asarray(np.clip(picture * self.light + noise, 0, 255), np.uint8)

    def seen(self) -> list[SeenSheet]:
        """Where the boards lie now."""
        return [
            SeenSheet(key, SIZE, quad(self.camera @ place))
            for key, place in zip(KEYS, self.places, strict=True)
        ]


def pushed(x: float, y: float, turn: float = 0.0, scale: float = 1.5) -> Matrix:
    """The homography of a board that lies so."""
    c, s = np.cos(np.radians(turn)) * scale, np.sin(np.radians(turn)) * scale
    return np.array([[c, -s, x], [s, c, y], [0, 0, 1]])


def quad(homography: Matrix) -> Quad:
    """The corners of a board in pixels."""
    mapped = np.array([[0, 0, 1], [200, 0, 1], [200, 200, 1], [0, 200, 1]]) @ homography.T
    a, b, c, d = ((float(x), float(y)) for x, y in mapped[:, :2] / mapped[:, 2:])
    return a, b, c, d


class Watch:
    """A table and its follower."""

    def __init__(self) -> None:
        self.table, self.follower = Table(), TableFollower()
        self.follower.place(self.table.seen(), (800, 480), small(self.table.frame()), 0.0)
        self.views: Sequence[SheetView] = ()

    def look(self, seconds: float = STEP) -> Sequence[SheetView]:
        """Go on for a while; the views of the last frame."""
        for _ in range(max(1, round(seconds / STEP))):
            self.table.at += STEP
            self.views = self.follower.see(small(self.table.frame()), self.table.at)
        return self.views

    def settled(self) -> "Watch":
        """Go on until everything was read."""
        for view in self.look(2.0):
            assert view.due
            self.follower.settle(view.key, self.table.at)
        assert not any(view.changed for view in self.look(1.0))
        return self

    def says(self) -> str:
        """How the table as a whole is seen."""
        return self.follower.table

    def off(self, seat: int) -> float:
        """By how many pixels the corners of a board are off."""
        there = np.array(quad(self.table.camera @ self.table.places[seat - 1]))
        return float(np.hypot(*(self.views[seat - 1].corners() - there).T).max())


@pytest.fixture
def watch() -> Watch:
    return Watch().settled()


def test_a_stroke_makes_its_own_board_due_and_no_other(watch: Watch) -> None:
    watch.table.hand = (640, 260)
    busy = watch.look(1.0)
    assert [view.state for view in busy] == ["resting", "busy"]
    assert busy[1].covered_share(((125, 80), (145, 80), (145, 110), (125, 110))) > 0.5
    assert busy[1].covered_share(((0, 0), (60, 0), (60, 60), (0, 60))) < 0.1
    watch.table.draw(2)
    watch.table.hand = None
    first, second = watch.look(1.4)
    assert not first.changed
    assert second.due
    assert second.differing_share(((75, 85), (155, 85), (155, 101), (75, 101))) > 0.3
    assert second.differing_share(((20, 130), (180, 130), (180, 190), (20, 190))) == 0
    watch.follower.settle(KEYS[1], watch.table.at)
    assert not any(view.changed for view in watch.look())


def test_light_shadows_and_noise_change_nothing(watch: Watch) -> None:
    for light in (0.9, 0.7, 0.8, 1.1, 0.5):
        watch.table.light = light
        assert not any(view.due for view in watch.look(1.4))
    watch.table.shadow = True
    assert not any(view.due for view in watch.look(2.0))


def test_a_pushed_board_is_followed_and_the_others_stay(watch: Watch) -> None:
    for step in range(8):
        watch.table.places[0] = pushed(60 + 3 * step, 90 - 4 * step, 2.0 * step)
        watch.look()
    watch.look(1.4)
    assert watch.off(1) < 1.0
    assert watch.off(2) < 1.0
    assert [view.state for view in watch.views] == ["resting", "resting"]
    assert not any(view.changed for view in watch.views)


def test_a_board_that_was_moved_at_once_is_found_again(watch: Watch) -> None:
    watch.table.places[0] = pushed(110, 20, 24)
    watch.look(4.0)
    assert watch.off(1) < 1.5
    assert watch.views[0].state == "resting"


def test_a_camera_that_is_nudged_or_trembles_loses_nothing(watch: Watch) -> None:
    watch.table.camera = pushed(9, -7, 1.0, 1.0)
    watch.look(2.0)
    assert max(watch.off(1), watch.off(2)) < 1.0
    rng = np.random.default_rng(3)
    watch.table.draw(1)
    for _ in range(8):
        watch.table.camera = pushed(9 + rng.normal(0, 1.5), -7 + rng.normal(0, 1.5), 1.0, 1.0)
        watch.look()
    assert [view.due for view in watch.views] == [True, False]


def test_what_a_hand_hides_stays_as_it_was_settled(watch: Watch) -> None:
    watch.table.hand = (250, 300)
    first = watch.look(5.0)[0]
    assert first.state == "resting", "an arm that lies there does not keep the rest from being read"
    assert first.covered.any()
    watch.follower.settle(KEYS[0], watch.table.at)
    watch.table.hand = None
    assert not watch.look(2.0)[0].changed


def test_what_is_settled_is_what_was_photographed(watch: Watch) -> None:
    watch.table.draw(1)
    taken = 0.0
    for _ in range(3):
        watch.look()
        taken = watch.table.at
    watch.table.hand = (200, 200)
    watch.look(1.0)
    watch.table.draw(1, [(30, 150), (90, 150)])
    watch.table.hand = None
    assert watch.look(2.0)[0].due
    watch.follower.settle(KEYS[0], taken)
    assert watch.look()[0].changed, "the second stroke came after the picture"


def test_lights_out_a_covered_lens_and_another_table_are_said(watch: Watch) -> None:
    watch.table.light = 0.05
    watch.look()
    assert watch.says() == "dark"
    watch.table.light = 1.0
    assert [view.state for view in watch.look(1.4)] == ["resting", "resting"]
    assert watch.says() == "seen"
    at = watch.table.at
    watch.follower.see(np.full((480, 800), 120, np.uint8), at + 1)
    assert watch.says() == "covered"
    watch.follower.miss(at + 2)
    watch.follower.miss(at + 8)
    assert watch.says() == "silent"
    watch.table.at = at + 9
    watch.look(1.4)
    assert watch.says() == "seen"
    watch.table.places = [pushed(60, 2000), pushed(440, 2000)]
    watch.look(7.0)
    assert watch.says() == "moved"
    assert [view.state for view in watch.views] == ["gone", "gone"]
    watch.table.places = [pushed(80, 60), pushed(440, 110, 4)]
    watch.follower.place(watch.table.seen(), (800, 480), small(watch.table.frame()), watch.table.at)
    assert [view.state for view in watch.look(1.4)] == ["resting", "resting"]
    assert not any(view.changed for view in watch.views)


def test_the_best_of_the_last_frames_is_what_is_read(watch: Watch) -> None:
    watch.table.draw(2)
    shots = Shots()
    pictures = []
    for n in range(6):
        views = watch.look()
        whole = cv2.cvtColor(cv2.resize(watch.table.frame(), None, fx=2, fy=2), cv2.COLOR_GRAY2BGR)
        if n == 4:
            whole = cv2.GaussianBlur(whole, (0, 0), 4)
        shots.offer(np.asarray(whole, np.uint8), views)
        pictures.append(whole)
    assert shots.of(KEYS[0]) is None
    best = shots.of(KEYS[1])
    assert best is not None
    assert best.shape[0] < 0.9 * 960
    grey = cv2.cvtColor(best, cv2.COLOR_BGR2GRAY)
    assert float(cv2.Laplacian(grey, cv2.CV_32F).std()) > 5


def test_a_board_is_looked_at_after_a_hand_was_on_it_even_if_nothing_is_seen(watch: Watch) -> None:
    for x in (560, 580, 600, 620, 640):
        watch.table.hand = (x, 260)
        watch.look()
    watch.table.hand = None
    assert [view.due for view in watch.look(1.4)] == [False, True]
    watch.follower.settle(KEYS[1], watch.table.at)
    assert not any(view.changed for view in watch.look(1.4))


def test_a_lost_board_is_found_again_though_the_camera_trembles(watch: Watch) -> None:
    rng = np.random.default_rng(4)
    watch.table.places[0] = pushed(110, 20, 24)
    for _ in range(24):
        watch.table.camera = pushed(rng.normal(0, 2.0), rng.normal(0, 2.0), 0.0, 1.0)
        watch.look()
        if watch.off(1) < 2.0:
            return
    raise AssertionError(watch.off(1))
