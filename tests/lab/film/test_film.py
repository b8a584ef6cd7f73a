"""A film of a table: what its truth says is what its frames show, and sheets in it can be followed."""

from typing import Any

import cv2
import numpy as np
import pytest

from companion.core.chance import SeededChance
from companion.game.base import Fact, MatchRequest, NoChance, Refusal
from companion.game.registry import find_game
from companion.sheets.drawing import Quad, rectangle
from lab.empire_builder.film import FilmedEmpireBuilder
from lab.film.film import Film, FilmFrame
from lab.film.levels import FILM_LEVELS, film_level
from lab.railroad_ink.film import FilmedRailroadInk
from lab.spike.film import FilmedSpike
from vision.errors import StudioError
from vision.watch.follower import TableFollower, small
from vision.watch.views import SeenSheet

CALM = 500_000  # the seed of a film in which nothing happens but drawing


def filmed(level: str = "calm", seed: int = CALM, seats: int = 1) -> Film:
    """A film whose first round has just begun."""
    match, game = FilmedRailroadInk(level, seed, seats=seats), find_game("railroad-ink")
    setup = game.setup(MatchRequest(seats, "umpire", match.options), SeededChance(seed))
    assert not isinstance(setup, Refusal)
    state: Any = game.start(setup)
    match.lay_out(state)
    rolled = match.before(state)
    assert rolled is not None
    fact = game.decide(state, rolled, NoChance())
    assert isinstance(fact, Fact)
    match.begin(game.apply(state, fact))
    return match.film


def seen_in(frame: FilmFrame) -> list[SeenSheet]:
    """The sheets where the truth has them."""
    sheets = frame.film.sheets
    return [SeenSheet(sheet.sheet.key, sheet.size, frame.corners(seat)) for seat, sheet in sheets.items()]


def from_above(frame: FilmFrame, seat: int, quad: Quad) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """A place on a sheet as the small frame shows it, 24 pixels wide, in grey."""
    picture = small(frame.small())
    share = picture.shape[1] / frame.film.size[0]
    corners = (frame.pixels(seat, np.array(quad)) * share).astype(np.float32)
    square = np.array([[0, 0], [24, 0], [24, 24], [0, 24]], np.float32)
    straight = cv2.warpPerspective(picture, cv2.getPerspectiveTransform(corners, square), (24, 24))
    return np.asarray(straight, np.float64)


def test_what_is_drawn_is_seen_where_the_truth_has_it() -> None:
    film = filmed()
    while (first := film.next()).moment.things:
        pass  # until nobody's arm is in the picture
    assert not first.lines[1]
    empty = first.small()
    cells = {name: slot.quad for name, slot in film.sheets[1].sheet.slots.items() if slot.kind == "cell"}
    before = {name: from_above(first, 1, quad) for name, quad in cells.items()}
    while film.at < film.last_line(1) + 4:
        last = film.next()
    assert not last.drawing
    assert last.hidden_share(1, cells["d4"]) == 0
    drawn = {mark.place for mark in film.sheets[1].marks}
    assert len(drawn) >= 4
    changed = {
        name for name, quad in cells.items() if np.abs(from_above(last, 1, quad) - before[name]).mean() > 5
    }
    assert changed == drawn
    assert empty.shape == last.small().shape
    assert max(last.whole().shape[:2]) > max(empty.shape[:2])


def test_lines_come_one_after_another_under_a_hand() -> None:
    film = filmed()
    counts, hidden = [], []
    whole = rectangle((0.0, 0.0), film.sheets[1].size)
    while film.drawing:
        frame = film.next()
        counts.append(frame.lines[1])
        hidden.append(frame.hidden_share(1, whole))
    assert counts == sorted(counts)
    assert len(set(counts)) > 8
    assert counts[-1] == sum(len(mark.ways) for mark in film.sheets[1].marks)
    assert min(hidden) == 0
    assert max(hidden) > 0.1


def test_the_same_seed_makes_the_same_film() -> None:
    def hundredth(seed: int) -> FilmFrame:
        film = filmed("chaos", seed, 2)
        return [film.next() for _ in range(20)][-1]

    one, same, other = hundredth(7), hundredth(7), hundredth(8)
    assert one.corners(1) == same.corners(1) != other.corners(1)
    np.testing.assert_array_equal(one.small(), same.small())


def test_sheets_are_followed_through_a_restless_film() -> None:
    film: Film = filmed("family", 3, 2)
    first = film.next()
    follower = TableFollower()
    follower.place(seen_in(first), film.size, small(first.small()), first.at)
    off = []
    for _ in range(24):
        frame = film.next()
        for view in follower.see(small(frame.small()), frame.at):
            miss = view.corners(film.size) - np.array(frame.corners(view.key[2]))
            off.append(float(np.hypot(*miss.T).max()))
    assert np.quantile(off, 0.9) < 4, "pixels of the whole frame, of which a mm has four"


def test_levels_are_told() -> None:
    assert list(FILM_LEVELS) == ["calm", "family", "chaos"]
    with pytest.raises(StudioError, match="choose from calm, family, chaos"):
        film_level("wild")


@pytest.mark.parametrize("made", [FilmedSpike, FilmedEmpireBuilder])
def test_what_is_built_on_a_map_is_seen_on_the_film(made: type[FilmedSpike | FilmedEmpireBuilder]) -> None:
    match, chance = made("calm", CALM), SeededChance(CALM)
    game = find_game(match.game)
    setup = game.setup(MatchRequest(match.seats, "umpire", match.options), chance)
    assert not isinstance(setup, Refusal)
    state: Any = game.start(setup)
    match.lay_out(state)
    while (said := match.before(state)) is not None:
        fact = game.decide(state, said, chance)
        assert isinstance(fact, Fact), fact
        state = game.apply(state, fact)
    match.begin(state)
    assert not any(match.entered(state).values())
    film = match.film
    before = film.next().small().astype(np.int16)
    ((seat, _),) = match.entered(state).items()
    while film.at < film.last_line(seat) + 2:
        last = film.next()
    assert not last.drawing
    assert len(film.sheets[0].marks) > 0
    changed = np.abs(last.small() - before).max(axis=-1) > 40
    places = [mark.box for mark in film.sheets[0].marks]
    share = changed.shape[1] / film.size[0]
    for low, high in places:
        middle = last.pixels(0, (low + high)[None] / 2)[0] * share
        reach = int(np.ceil(np.hypot(*(high - low)) / 2 * share)) + 4
        x, y = np.rint(middle).astype(int)
        assert changed[max(0, y - reach) : y + reach, max(0, x - reach) : x + reach].any(), (low, high)
    for tapped in match.by_hand(state, seat):
        fact = game.decide(state, tapped, NoChance())
        assert isinstance(fact, Fact), fact
        state = game.apply(state, fact)
    assert match.right(state) == {seat: True}
