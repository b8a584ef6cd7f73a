from companion.sheets.drawing import filled, outline
from companion.sheets.seat_marks import SEAT_MARKS, seat_shape
from companion.sheets.tags import SEATS
from companion.table.seats import COLOURS, SHAPES


def test_printed_seats_are_the_seats_of_the_table() -> None:
    assert tuple(mark.colour for mark in SEAT_MARKS) == COLOURS
    assert tuple(mark.shape for mark in SEAT_MARKS) == SHAPES
    assert len(SEAT_MARKS) == SEATS


def test_every_shape_stays_in_its_circle() -> None:
    for mark in SEAT_MARKS:
        points = outline(seat_shape(mark.shape, (5, 5), 2, filled(mark.ink)))  # type: ignore[arg-type]
        assert max((x - 5) ** 2 + (y - 5) ** 2 for x, y in points) <= 2**2 * 1.3
