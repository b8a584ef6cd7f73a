import numpy as np
import pytest

from companion.reading.evidence import SlotReading
from tests.vision.pieces.boards import PAINTS, small_board, with_pieces
from vision.pieces.against_blank import compared
from vision.pieces.colours import Palette, learn_colours, name_colours, palette_of, slot_readings
from vision.pieces.finding import PieceLook, colours_seen, lab_of, look_for_pieces
from vision.pieces.strays import with_strays


def some_pieces(seed: int, count: int = 24) -> dict[str, str]:
    rng = np.random.default_rng(seed)
    return {
        str(name): str(rng.choice(list(PAINTS)))
        for name in rng.choice(list(small_board().quads), count, replace=False)
    }


def test_light_and_tone_are_taken_out() -> None:
    board = small_board()
    whole = compared(with_pieces(board, some_pieces(1)), board.blank)
    differs = np.abs(whole.even.astype(float) - whole.expected(board.blank).astype(float)).max(axis=2)
    assert np.median(differs) < 8
    assert (differs > 40).mean() > 0.005  # the pieces


def test_pieces_and_their_colours_are_seen() -> None:
    board, pieces = small_board(), some_pieces(2)
    seen = look_for_pieces(with_pieces(board, pieces), board)
    palette = learn_colours(list(seen.looks.values()))
    readings = slot_readings(seen.looks, palette)
    assert set(palette.colours) == set(pieces.values())
    assert {name: reading.best for name, reading in readings.items() if reading.best} == pieces
    for reading in readings.values():
        assert sum(reading.probabilities.values()) == pytest.approx(1, abs=1e-3)


def test_an_empty_board_is_empty() -> None:
    board = small_board()
    seen = look_for_pieces(with_pieces(board, {}), board)
    readings = slot_readings(seen.looks, learn_colours(list(seen.looks.values())))
    assert not any(reading.best for reading in readings.values())


def test_a_piece_beside_its_segment_is_on_the_nearest_free_one_and_doubtful() -> None:
    board, pieces = small_board(), some_pieces(3)
    pushed = [name for name in sorted(pieces) if pieces[name] != "white"][::4]  # the board is nearly white
    seen = look_for_pieces(with_pieces(board, pieces, pushed=pushed), board)
    palette = learn_colours(list(seen.looks.values()))
    lost = [
        name for name, slot in slot_readings(seen.looks, palette).items() if name in pushed and not slot.best
    ]
    assert len(lost) >= len(pushed) - 1  # what the network makes of them alone
    lean = np.zeros((len(board.quads), 2), np.float32)
    readings = slot_readings(with_strays(seen, board, palette, lean), palette)
    found = {name: slot.best for name, slot in readings.items() if slot.best}
    assert {name: found.get(name) for name in pushed} == {name: pieces[name] for name in pushed}
    assert all(readings[name].doubtful for name in lost)
    assert {name: colour for name, colour in found.items() if name not in lost}.items() <= pieces.items()
    bare = look_for_pieces(with_pieces(board, some_pieces(2)), board)
    assert with_strays(bare, board, learn_colours(list(bare.looks.values())), lean) == bare.looks


def test_what_is_not_in_the_picture_is_not_empty() -> None:
    board = small_board()
    picture = with_pieces(board, {})
    outside = np.zeros(picture.shape[:2], np.bool_)
    outside[:, : picture.shape[1] // 3] = True
    picture[outside] = 0
    looks = look_for_pieces(picture, board, outside=outside).looks
    assert looks["a1"].cannot_see == "outside the picture"
    assert looks["a9"].cannot_see is None


def test_two_colours_never_get_one_name() -> None:
    codes = np.array([[170, 90, 40], [220, 170, 110]], np.uint8)  # two blues
    names = name_colours([(float(light), float(a), float(b)) for light, a, b in lab_of(codes, 255)])
    assert "blue" in names
    assert len(set(names)) == 2


def labs(*codes: tuple[int, int, int]) -> list[tuple[float, float, float]]:
    """Of codes, red first."""
    pixels = np.array(codes, np.uint8)[:, ::-1]
    return [(float(light), float(a), float(b)) for light, a, b in lab_of(pixels, 255)]


def some_of(seed: int, colours: list[tuple[float, float, float]], count: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.repeat(np.array(colours), count, axis=0) + rng.normal(0, 1.5, (count * len(colours), 3))


def test_names_that_are_not_sure_are_told_with_their_probabilities() -> None:
    between, red = labs((236, 170, 50), (200, 40, 40))  # between orange and yellow
    palette = palette_of(some_of(1, [between, red], 9))
    (unsure,) = (name for name in palette.colours if name != "red")
    other = {"orange": "yellow", "yellow": "orange"}[unsure]
    assert 0.05 < palette.also[unsure][other] < 0.7
    told = palette.in_words(SlotReading({f"{unsure}+red": 0.9, "": 0.1}))
    assert set(told.probabilities) >= {"orange+red", "red+yellow", ""}
    assert sum(told.probabilities.values()) == pytest.approx(1, abs=1e-3)
    assert max(told.probabilities.values()) < 0.9
    assert palette.in_words(SlotReading({"red": 1.0})).p > 0.95


def test_whoever_says_which_colours_there_are_hears_no_others() -> None:
    washed_red, washed_green, pure_red = labs((190, 110, 105), (120, 165, 130), (205, 40, 40))
    points = np.concatenate([some_of(2, [washed_red, washed_green], 20), some_of(3, [pure_red], 2)])
    palette = palette_of(points, ["red", "green"])
    assert set(palette.colours) == {"red", "green"}
    assert palette.shares(washed_red)["red"] > 0.9


def test_dark_and_light_pieces_of_one_paint_are_one_colour() -> None:
    lit, shaded, other = labs((40, 140, 70), (25, 100, 48), (40, 90, 170))
    palette = palette_of(some_of(4, [lit, shaded, other], 8))
    assert set(palette.colours) == {"green", "blue"}


def test_a_palette_without_doubts_leaves_readings_alone() -> None:
    slot = SlotReading({"red": 0.7, "": 0.3})
    assert Palette({"red": (50.0, 60.0, 40.0)}, 4.0).in_words(slot) is slot


def test_halves_of_two_known_colours_are_two_pieces() -> None:
    red, blue, purple = labs((200, 40, 40), (40, 90, 170), (110, 60, 110))
    palette = Palette({"red": red, "blue": blue}, 4.0)
    lone = {f"red {n}": PieceLook(0.99, 0.0, (red,)) for n in range(9)}
    pairs = {f"both {n}": PieceLook(0.95, 0.02, (purple, red, blue), minor=0.45) for n in range(3)}
    shaded = {"shaded": PieceLook(0.7, 0.3, (red, red, red), minor=0.4)}
    readings = slot_readings(lone | pairs | shaded, palette)
    assert {readings[name].best for name in pairs} == {"blue+red"}
    assert {readings[name].best for name in (*lone, *shaded)} == {"red"}
    for reading in readings.values():
        assert sum(reading.probabilities.values()) == pytest.approx(1, abs=1e-3)


def test_names_are_given_so_that_all_fit_together() -> None:
    # The first two might both be yellow; the first may be orange, the second nothing else.
    between, yellow, red = labs((240, 185, 45), (255, 240, 50), (220, 70, 60))
    assert name_colours([between, yellow, red], weights=[6.0, 5.9, 6.1]) == ["orange", "yellow", "red"]


def test_grey_and_turquoise_are_words_too() -> None:
    assert name_colours([(47.0, -1.0, 0.0), (9.0, 0.0, 0.0), (90.0, 1.0, 5.0)]) == ["grey", "black", "white"]
    assert name_colours([(59.0, -21.0, -23.0), (45.0, 5.0, -45.0)]) == ["turquoise", "blue"]


def test_two_halves_of_a_view_are_its_two_colours() -> None:
    rng = np.random.default_rng(3)
    seen = np.full((4, 24, 40, 3), 120, np.uint8)
    shares = (0.5, 0.4, 0.3, 0.25)
    for view, share in zip(seen, shares, strict=True):
        view[:, : round(40 * share)], view[:, round(40 * share) :] = (30, 30, 190), (180, 60, 20)
    noisy = np.clip(seen + rng.normal(0, 4, seen.shape), 0, 255).astype(np.uint8)
    tops = np.ones((4, 12 * 20))
    for (_, *halves), minor in colours_seen(noisy, tops, np.ones(4)):
        reds = sorted(halves, key=lambda lab: lab[1])
        assert reds[0][2] < -20 < 20 < reds[1][1]
        assert min(abs(minor - share) for share in shares) < 0.03


def test_no_more_people_have_pieces_than_play() -> None:
    rng = np.random.default_rng(4)
    paints = {
        (45, 60, 40): 20,
        (40, 10, -45): 20,
        (80, 0, 70): 15,
        (20, 2, 1): 12,
        (96, 0, 3): 12,
        (62, 1, 2): 9,
    }
    pieces = np.concatenate([rng.normal(paint, 1.2, (count, 3)) for paint, count in paints.items()])
    assert len(palette_of(pieces).colours) == 6
    few = palette_of(pieces, most_colours=5).colours
    assert len(few) == 5
    assert not {"grey"} & set(few), "white in the shade is white"
    assert len(palette_of(np.concatenate([pieces, [[50, 40, -60]]]), most_colours=6).colours) == 6


def test_a_told_colour_is_one_in_sun_and_shade() -> None:
    rng = np.random.default_rng(5)
    lit, shaded, other = (
        rng.normal(paint, 1.0, (14, 3)) for paint in ((51, 39, 48), (37, 31, 41), (37, -34, 24))
    )
    pieces = np.concatenate([lit, shaded, other])
    assert set(palette_of(pieces, ["orange", "green"]).colours) == {"orange", "green"}
    assert len(palette_of(pieces, ["orange"]).colours) == 2, "what nobody spoke of is there all the same"
