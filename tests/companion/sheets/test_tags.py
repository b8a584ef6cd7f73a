from companion.sheets.tags import CORNERS, KINDS, PATTERNS, SEATS, tag_number, tag_place


def test_every_kind_seat_and_corner_has_a_number_of_its_own() -> None:
    numbers = [
        tag_number(kind, seat, corner)
        for kind in KINDS
        for seat in range(1, SEATS + 1)
        for corner in range(len(CORNERS))
    ]
    assert len(set(numbers)) == len(numbers)
    assert max(numbers) < len(PATTERNS)


def test_a_number_says_what_it_was_made_from() -> None:
    for kind in KINDS:
        for seat in range(1, SEATS + 1):
            for corner in range(len(CORNERS)):
                place = tag_place(tag_number(kind, seat, corner))
                assert place is not None
                assert (place.kind, place.seat, place.corner) == (kind, seat, corner)


def test_numbers_of_no_sheet_say_nothing() -> None:
    assert tag_place(23 * 24) is None
    assert tag_place(586) is None


def test_patterns_are_far_apart_however_they_are_turned() -> None:
    turned = [_turn(pattern) for pattern in PATTERNS[:60]]
    for number, pattern in enumerate(PATTERNS[:60]):
        others = PATTERNS[:number] + PATTERNS[number + 1 :] + (turned[number],)
        assert min((pattern ^ other).bit_count() for other in others) >= 11


def _turn(pattern: int) -> int:
    bits = f"{pattern:036b}"
    return int("".join(bits[(5 - x) * 6 + y] for y in range(6) for x in range(6)), 2)
