"""Which crayon drew a line: what is asked of the second network, and what becomes of its answers."""

import numpy as np
import pytest

from companion.games.empire_builder.reader.crayons import Crayons, continued, learn_crayons, wax_on
from companion.games.empire_builder.reader.edges import smears_doubted
from companion.games.empire_builder.reader.looking import coded
from companion.games.empire_builder.reader.places import VIEW
from companion.games.empire_builder.reader.whose import _pooled, answers, questions
from vision.register.rectify import Image

WIDTH, HEIGHT = VIEW
RED, BLUE = (40, 40, 180), (160, 60, 40)
PAPER = 190


def view(*strokes: tuple[tuple[int, int, int], slice, slice]) -> Image:
    """White paper with bars of wax on it."""
    paper = np.full((HEIGHT, WIDTH, 3), PAPER, np.uint8)
    for colour, rows, columns in strokes:
        paper[rows, columns] = colour
    return paper


ALONG, EVERYWHERE = slice(11, 14), slice(None)
CROSSING = slice(14, 24)


def views() -> tuple[Image, Image]:
    """Eight red lines, eight blue ones, and a thin red one that a broad blue one crosses; and bare paper."""
    even = [view((RED, ALONG, EVERYWHERE))] * 8 + [view((BLUE, ALONG, EVERYWHERE))] * 8
    even.append(view((RED, ALONG, EVERYWHERE), (BLUE, EVERYWHERE, CROSSING)))
    return np.stack(even), np.full((len(even), HEIGHT, WIDTH, 3), PAPER, np.uint8)


def learnt(even: Image, expected: Image) -> Crayons:
    return learn_crayons(wax_on(even, expected), np.ones(len(even)), even, ["red", "blue"])


def test_a_broad_line_that_crosses_a_thin_one_does_not_give_it_its_colour() -> None:
    even, expected = views()
    line = np.full(len(even), 0.999)
    crayons = learnt(even, expected)
    assert sorted(crayons.names) == ["blue", "red"]
    inputs = coded(even, expected, np.ones(len(even), np.float32))
    asked = questions(inputs, even, expected, crayons, line, crayons.by_tint(wax_on(even, expected)))
    assert set(asked.lines) == {16}  # the others are clear
    assert len(asked.crayons) == 2
    said = answers(asked, crayons.by_tint(wax_on(even, expected)), line)
    np.testing.assert_allclose(said.sum(axis=1), 1)
    best = np.array(["", *crayons.names])[said.argmax(axis=1)]
    assert best.tolist() == ["red"] * 8 + ["blue"] * 8 + ["red"]


def test_a_pale_crayon_is_asked_about_where_its_tint_is_that_of_the_line() -> None:
    blue, green, red = (int(PAPER - 0.25 * (PAPER - code)) for code in RED)
    even = np.stack(
        [view(((blue, green, red), ALONG, EVERYWHERE))] * 8 + [view((BLUE, ALONG, EVERYWHERE))] * 8
    )
    noisy = np.clip(even + np.random.default_rng(1).normal(0, 14, even.shape), 0, 255).astype(np.uint8)
    expected = np.full_like(even, PAPER)
    wax = wax_on(noisy, expected)
    crayons = learn_crayons(wax, np.ones(16), noisy, ["pink", "blue"])
    nats, line = crayons.by_tint(wax), np.full(16, 0.9)  # not so sure that tint alone says it
    inputs = coded(noisy, expected, np.ones(16, np.float32))
    asked = questions(inputs, noisy, expected, crayons, line, nats)
    own = set(zip(asked.lines.tolist(), asked.crayons.tolist(), strict=True))
    assert {(n, int(crayon)) for n, crayon in enumerate(nats.argmax(axis=1))} <= own


def test_faint_marks_of_which_no_crayon_is_learnt_are_nobodys() -> None:
    even, expected = views()
    line = np.full(len(even), 0.3)
    wax = wax_on(even, expected)
    crayons = learn_crayons(wax, np.zeros(len(even)), even)
    assert crayons.names == ()
    inputs, nats = coded(even, expected, np.ones(len(even), np.float32)), crayons.by_tint(wax)
    asked = questions(inputs, even, expected, crayons, line, nats)
    assert answers(asked, nats, line).shape == (len(even), 1)


def test_crayons_that_are_drawn_lightly_are_named_by_their_hue() -> None:
    paler = [tuple(int(PAPER - 0.35 * (PAPER - code)) for code in colour) for colour in (RED, BLUE)]
    even = np.stack([view(((b, g, r), ALONG, EVERYWHERE)) for b, g, r in paler for _ in range(8)])
    crayons = learn_crayons(wax_on(even, np.full_like(even, PAPER)), np.ones(16), even)
    assert sorted(crayons.names) == ["blue", "red"]


def test_a_line_goes_on_in_its_own_colour() -> None:
    marks = np.array([[0.98, 0.01], [0.45, 0.54], [0.98, 0.01]])
    ends = np.array([[0, 1], [1, 2], [2, 3]])
    shares = continued(marks, ends)
    assert shares.argmax(axis=1).tolist() == [0, 0, 0]
    np.testing.assert_allclose(shares.sum(axis=1), marks.sum(axis=1))


def test_what_has_hardly_any_wax_may_have_been_rubbed_out() -> None:
    marks = np.array([[0.02, 0.97, 0.01], [0.02, 0.97, 0.01], [0.02, 0.97, 0.01], [0.97, 0.03, 0.0]])
    pressed = np.array([[0.9, 3.0], [0.4, 3.0], [0.1, 3.0], [0.1, 3.0]])
    doubted = smears_doubted(marks, pressed)
    np.testing.assert_allclose(doubted.sum(axis=1), 1)
    np.testing.assert_allclose(doubted[0], marks[0])
    assert doubted[1, 1] < 0.2  # asked about
    assert doubted[2, 1] <= doubted[3, 1] < 0.03


def test_a_line_that_somebody_began_and_left_is_told_from_one_that_goes_on() -> None:
    begun = view((RED, ALONG, slice(0, 17)))
    even = np.stack([view((RED, ALONG, EVERYWHERE)), begun, begun[:, ::-1]])
    bare = wax_on(even, np.full_like(even, PAPER)).bare
    assert bare[0] == 0
    assert min(bare[1:]) >= 3


@pytest.mark.parametrize("p", [0.02, 0.5, 0.9])
def test_two_networks_that_agree_say_together_what_each_says(p: float) -> None:
    agreed, opposed = np.full(1, p), np.full(1, 1 - p)
    assert _pooled(agreed, agreed) == pytest.approx(p)
    assert _pooled(agreed, opposed) == pytest.approx(1 - _pooled(opposed, agreed))
