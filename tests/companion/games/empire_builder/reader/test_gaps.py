"""Lines that are hardly seen between two ends of the same crayon's track, and lines joined to nothing."""

import numpy as np

from companion.games.empire_builder.reader.gaps import Marks, bridged, loose_doubted
from companion.games.empire_builder.reader.places import edge_places
from companion.games.empire_builder.rules.boards.position import read_track

RED, BLUE = 1, 2


def edges(path: str) -> list[int]:
    places = edge_places()
    return [places.numbers[edge] for edge in read_track(places.on, {1: [path]})]


def drawn(path: str, p: float, crayon: int = RED) -> dict[int, Marks]:
    marks = np.array([1 - p, 0.0, 0.0])
    marks[crayon] = p
    return {edge: marks.copy() for edge in edges(path)}


def test_a_faint_piece_between_two_ends_is_a_line_and_one_that_leads_nowhere_is_none() -> None:
    found = drawn("ao38 an39", 0.99) | drawn("an39 am40 al39", 0.2) | drawn("al39 ak38", 0.99)
    found |= drawn("ak38 aj39", 0.2)
    marks = bridged(found, edge_places(), ())
    assert all(marks[edge][RED] > 0.5 for edge in edges("an39 am40 al39"))
    assert marks[edges("ak38 aj39")[0]][RED] == 0.2
    assert all(abs(own.sum() - 1) < 1e-9 for own in marks.values())


def test_the_gap_of_one_crayon_is_no_line_of_another() -> None:
    found = drawn("ao38 an39", 0.99) | drawn("an39 am40", 0.2) | drawn("am40 al39", 0.99, BLUE)
    assert bridged(found, edge_places(), ())[edges("an39 am40")[0]][RED] == 0.2


def test_what_is_blank_or_cannot_be_seen_stays_so() -> None:
    found = drawn("ao38 an39", 0.99) | drawn("am40 al39", 0.99)
    (gap,) = edges("an39 am40")
    assert gap not in bridged(found, edge_places(), ())
    assert bridged(found | drawn("an39 am40", 0.2), edge_places(), {gap})[gap][RED] == 0.2


def test_nobody_builds_the_third_side_of_a_triangle() -> None:
    found = drawn("ak38 aj39 aj37", 0.99) | drawn("ak38 aj37", 0.2)
    assert bridged(found, edge_places(), ())[edges("ak38 aj37")[0]][RED] == 0.2


def test_an_edge_by_itself_is_doubted_and_a_line_is_not() -> None:
    alone, pair = drawn("v57 v59", 0.98), drawn("ag40 ah39 ai38", 0.98, BLUE)
    line = drawn("t51 t53 t55 t57", 0.98)
    marks = loose_doubted(alone | pair | line, edge_places(), ())
    assert all(marks[edge][0] > 0.5 for edge in alone)
    assert all(0.5 < marks[edge][BLUE] < 0.9 for edge in pair)
    assert all(marks[edge][RED] == 0.98 for edge in line)
    assert all(abs(own.sum() - 1) < 1e-9 for own in marks.values())


def test_an_edge_at_a_major_city_or_beside_what_cannot_be_seen_is_not_doubted() -> None:
    major = next(
        n
        for n, ends in enumerate(edge_places().ends.tolist())
        if len(set(edge_places().on.major_mileposts).intersection(ends)) == 1
    )
    found = {major: np.array([0.02, 0.98, 0.0])}
    assert loose_doubted(found, edge_places(), ())[major][RED] == 0.98
    alone = drawn("v57 v59", 0.98)
    (beside,) = edges("v59 v61")
    assert all(own[RED] == 0.98 for own in loose_doubted(alone, edge_places(), {beside}).values())
