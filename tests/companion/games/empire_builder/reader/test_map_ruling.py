"""The ruling on a map: the likeliest track that the rules allow."""

from time import process_time

import numpy as np
import pytest

from companion.games.empire_builder.reader.ruling import (
    RulingContext,
    likeliest_turn,
    rule_position,
    rule_turn,
)
from companion.games.empire_builder.reader.wholes import Limits
from companion.games.empire_builder.rules.boards.board import board
from companion.games.empire_builder.rules.boards.position import read_track
from companion.reading.evidence import EMPTY, Look
from lab.empire_builder.studio.networks import played

ON = board()
TURN = Limits(20, 2)
BEFORE = read_track(ON, {1: ["ao38 an39 am40 al39"], 2: ["ai48 ai50 ai52"]})


def line(path: str, seat: str = "1", p: float = 0.999) -> dict[int, Look]:
    """Looks at the edges of a line, which are this seat's with that probability."""
    edges = read_track(ON, {1: [path]})
    return {edge: {seat: p, EMPTY: 1 - p} for edge in edges}


def all_of(*looks: dict[int, Look]) -> dict[int, Look]:
    """Those of several lines, and of the position before."""
    known: dict[int, Look] = {edge: {str(seat): 0.999, EMPTY: 0.001} for edge, seat in BEFORE.items()}
    for one in looks:
        known |= one
    return known


def test_what_is_clearly_drawn_is_accepted_with_its_price() -> None:
    ruling = rule_turn(all_of(line("al39 ak38 aj39")), RulingContext(ON, BEFORE), 1, TURN)
    assert ruling.outcome == "accepted"
    assert ruling.changed == ("aj39-ak38", "ak38-al39")
    assert ruling.builds == (("al39", "ak38", "aj39"),)
    assert ruling.price > 0
    assert ruling.cells["aj39-ak38"] == "1"


def test_nothing_new_is_nothing_new() -> None:
    ruling = rule_turn(all_of(), RulingContext(ON, BEFORE), 1, TURN)
    assert (ruling.outcome, ruling.changed, ruling.vanished) == ("accepted", (), ())


def test_a_gap_in_a_line_is_closed_where_the_line_goes_on() -> None:
    seen = all_of(line("al39 ak38 aj39"), line("aj39 ai38", p=0.2), line("ai38 ah39 ag38"))
    ruling = rule_turn(seen, RulingContext(ON, BEFORE), 1, TURN)
    assert "ai38-aj39" in ruling.changed


def test_a_hidden_edge_is_asked_about_when_a_line_must_lead_over_it() -> None:
    seen = all_of(line("al39 ak38 aj39"), line("ai38 ah39"))
    seen |= dict.fromkeys(line("aj39 ai38"))
    ruling = rule_turn(seen, RulingContext(ON, BEFORE), 1, TURN)
    assert "ai38-aj39" in ruling.changed
    assert ruling.outcome in ("accepted", "ask")


def test_one_edge_that_nobody_saw_is_asked_about_rather_than_the_turn_refused() -> None:
    seen = all_of(line("al39 ak38 aj39"), line("ai38 ah39 ag38 af37"))
    ruling = rule_turn(seen, RulingContext(ON, BEFORE), 1, TURN)
    assert ruling.outcome == "ask"
    assert {"ai38-aj39", "ag38-ah39", "af37-ag38"} <= set(ruling.changed)
    assert "ai38-aj39" in ruling.doubtful


def test_where_a_new_line_ends_below_a_pawn_it_is_asked_whether_it_goes_on() -> None:
    seen = all_of(line("al39 ak38 aj39")) | dict.fromkeys(line("aj39 ai38"))
    ruling = rule_turn(seen, RulingContext(ON, BEFORE), 1, TURN)
    assert (ruling.outcome, ruling.doubtful) == ("ask", ("ai38-aj39",))
    assert "ai38-aj39" not in ruling.changed


def test_an_edge_for_somebody_else_is_asked_about_and_more_are_refused() -> None:
    own = line("al39 ak38 aj39")
    few = rule_turn(all_of(own, line("ai52 ai54", "2")), RulingContext(ON, BEFORE), 1, TURN)
    assert (few.outcome, few.doubtful) == ("ask", ("ai52-ai54",))
    assert few.changed == ("aj39-ak38", "ak38-al39")
    said: dict[int, Look] = {edge: {"2": 1.0} for edge in line("ai52 ai54")}
    told = rule_turn(all_of(own, said), RulingContext(ON, BEFORE), 1, TURN)
    assert (told.outcome, told.doubtful) == ("refused", ())
    assert "whose turn it is: ai52-ai54" in told.against[0]
    many = rule_turn(all_of(own, line("ai52 ai54 ai56 ai58", "2")), RulingContext(ON, BEFORE), 1, TURN)
    assert many.outcome == "refused"


def test_a_faint_line_that_nothing_speaks_for_is_asked_about() -> None:
    ruling = rule_turn(all_of(line("al39 ak38", p=0.6)), RulingContext(ON, BEFORE), 1, TURN)
    assert ruling.outcome == "ask"
    assert ruling.doubtful == ("ak38-al39",)


def test_too_much_for_one_turn_is_refused_with_the_sum() -> None:
    ruling = rule_turn(
        all_of(
            line("al39 ak38 aj39 ai38 ah39 ag38 af39 ae38 ad39 ac38 ab39 aa38 z39 y38 x39 w38 v39 u38 t39")
        ),
        RulingContext(ON, BEFORE),
        1,
        TURN,
    )
    assert ruling.outcome == "refused"
    assert any("million" in sentence for sentence in ruling.against)


def test_track_that_joins_nothing_is_refused() -> None:
    ruling = rule_turn(all_of(line("z61 z63 z65 z67 z69")), RulingContext(ON, BEFORE), 1, TURN)
    assert ruling.outcome == "refused"
    assert any("joined to no major city" in sentence for sentence in ruling.against)


def test_a_crumb_of_the_seats_colour_is_asked_about() -> None:
    seen = all_of(line("al39 ak38"), line("z61 z63"))
    ruling = rule_turn(seen, RulingContext(ON, BEFORE), 1, TURN)
    assert (ruling.outcome, ruling.doubtful) == ("ask", ("z61-z63",))
    seen |= {edge: {EMPTY: 1.0} for edge in line("z61 z63")}
    ruling = rule_turn(seen, RulingContext(ON, BEFORE), 1, TURN)
    assert (ruling.outcome, ruling.changed) == ("accepted", ("ak38-al39",))


def test_a_pawn_in_anothers_colour_far_from_their_line_is_no_line() -> None:
    ruling = rule_turn(all_of(line("al39 ak38"), line("z61 z63", "2")), RulingContext(ON, BEFORE), 1, TURN)
    assert (ruling.outcome, ruling.changed) == ("accepted", ("ak38-al39",))


def test_another_seats_new_track_is_refused() -> None:
    seen = all_of(line("ai52 ai54 ai56", "2"))
    ruling = rule_turn(seen, RulingContext(ON, BEFORE), 1, TURN)
    assert ruling.outcome == "refused"
    assert any("whose turn it is" in sentence for sentence in ruling.against)
    assert likeliest_turn(seen, RulingContext(ON, BEFORE), (1, 2), TURN).seat == 2


def test_what_has_vanished_is_told_and_stays() -> None:
    seen = all_of()
    gone = next(iter(line("an39 am40")))
    seen[gone] = {EMPTY: 0.999, "1": 0.001}
    ruling = rule_turn(seen, RulingContext(ON, BEFORE), 1, TURN)
    assert ruling.vanished == (ON.edge_names[gone],)
    assert ON.edge_names[gone] in ruling.cells
    seen[gone] = None
    assert rule_turn(seen, RulingContext(ON, BEFORE), 1, TURN).vanished == ()


def test_a_scorekeeper_is_asked_about_what_has_vanished() -> None:
    seen = all_of(line("al39 ak38"))
    gone = next(iter(line("an39 am40")))
    seen[gone] = {EMPTY: 0.999, "1": 0.001}
    ruling = rule_position(seen, RulingContext(ON, BEFORE), (1, 2))
    assert ruling.outcome == "ask"
    assert ON.edge_names[gone] in ruling.doubtful
    seen[gone] = {EMPTY: 1.0}
    answered = rule_position(seen, RulingContext(ON, BEFORE), (1, 2))
    assert answered.outcome == "accepted"
    assert ON.edge_names[gone] not in answered.cells
    assert "ak38-al39" in answered.cells


@pytest.mark.parametrize("seed", range(6))
def test_every_turn_of_a_match_is_ruled_as_it_was_played(seed: int) -> None:
    match = played(np.random.default_rng(seed), 3, 3 + 4 * seed)
    random = np.random.default_rng([seed, 1])
    seen: dict[int, Look] = {}
    for edge, seat in match.after.track.items():
        p = float(random.choice([0.999, 0.97, 0.9]))
        seen[edge] = {str(seat): p, EMPTY: 1 - p}
    for edge in random.integers(0, len(ON.edges), 40).tolist():
        if edge not in seen and not ON.red[edge]:
            seen[edge] = {EMPTY: 0.98, "1": 0.02}
    new = {ON.edge_names[edge] for edge in match.after.track if edge not in match.before.track}
    ruling = rule_turn(seen, RulingContext(ON, match.before.track), match.before.seat, TURN)
    assert ruling.outcome != "refused"
    assert set(ruling.changed) == new


def test_what_looks_more_like_anothers_crayon_is_no_track_of_the_seat_to_move() -> None:
    stray: dict[int, Look] = {
        edge: {"2": 0.57, "3": 0.13, "1": 0.15, EMPTY: 0.15} for edge in read_track(ON, {1: ["aj39 ai38"]})
    }
    ruling = rule_turn(all_of(line("al39 ak38 aj39")) | stray, RulingContext(ON, BEFORE), 1, TURN)
    assert ruling.changed == ("aj39-ak38", "ak38-al39")


def test_a_whole_map_with_many_doubts_is_ruled_in_a_moment() -> None:
    match = played(np.random.default_rng(11), 4, 60)
    random = np.random.default_rng(12)
    seen: dict[int, Look] = {}
    for edge, seat in match.after.track.items():
        p = float(random.uniform(0.6, 0.95)) if random.random() < 0.1 else 0.999
        seen[edge] = {str(seat): p, EMPTY: 1 - p}
    assert len(seen) > 400
    began = process_time()
    ruling = rule_position(seen, RulingContext(match.after.board, {}), sorted(match.after.players))
    assert process_time() - began < 2
    assert ruling.outcome == "ask"
    assert len(ruling.doubtful) > 10
    assert len(ruling.changed) > 0.95 * len(seen)
