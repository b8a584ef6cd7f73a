"""The rules' answer to looks at a board: builds found, doubts asked, what cannot be refused in a sentence."""

from __future__ import annotations

import pytest

from companion.games.spike.reader.learnt_colours import seats_by_tracks, still_there
from companion.games.spike.reader.ruling_turn import rule_turn
from companion.games.spike.reader.ruling_whole import rule_whole
from companion.games.spike.reader.verdict import with_settled
from companion.reading.colour_owners import find_players, in_seats
from companion.reading.evidence import MarkProbabilities
from tests.companion.games.spike.reader.boards import BOARD, TO_TULSA, position, probabilities
from vision.pieces.colours import Palette
from vision.pieces.finding import PieceLook

FROM_DULUTH = ("duluth-c3", "c3-d2")
TO_DALLAS = ("tulsa-k1", "k1-l1", "l1-m1", "dallas-m1")
NOBODY = position({1: (), 2: ()})
PLAYERS = {"red": 1, "blue": 2}


def test_a_build_is_found_and_accepted() -> None:
    ruling = rule_turn(probabilities({1: TO_TULSA}), NOBODY, PLAYERS)
    assert ruling.outcome == "accepted"
    assert sorted(ruling.changed) == sorted(TO_TULSA)
    ((seat, build),) = ruling.builds
    assert (seat, build.cities) == (1, ("tulsa",))
    assert set(build.path) == set(TO_TULSA)
    assert ruling.as_json()["tracks"] == {"1": sorted(TO_TULSA)}


def test_a_first_build_needs_nobody_to_say_where_the_train_stood() -> None:
    """Each seat begins in a city of its own choice: without its train the build may begin in any."""
    unsaid = position({1: (), 2: ()}, trains={})
    ruling = rule_turn(probabilities({1: TO_TULSA}), unsaid, PLAYERS)
    assert (ruling.outcome, ruling.doubtful) == ("accepted", ())
    assert sorted(ruling.changed) == sorted(TO_TULSA)
    whole = rule_whole(probabilities({1: TO_TULSA, 2: FROM_DULUTH}), unsaid, PLAYERS, strict=True)
    assert whole.outcome != "accepted", "the second seat's track ends in no city"
    whole = rule_whole(probabilities({1: TO_TULSA}), unsaid, PLAYERS, strict=True)
    assert [seat for seat, _ in whole.builds] == [1]
    nowhere = rule_turn(probabilities({1: TO_TULSA[1:3]}), unsaid, PLAYERS)
    assert nowhere.outcome == "refused"


def test_nothing_new_is_nothing_built() -> None:
    before = position({1: TO_TULSA, 2: ()})
    ruling = rule_turn(probabilities({1: TO_TULSA}), before, PLAYERS)
    assert (ruling.outcome, ruling.builds, ruling.changed) == ("accepted", (), ())


def test_a_faint_piece_in_the_middle_of_a_build_is_believed_or_asked_about() -> None:
    faint = {TO_TULSA[1]: {"": 0.6, "1": 0.38, "2": 0.02}}
    ruling = rule_turn(probabilities({1: TO_TULSA}, faint), NOBODY, PLAYERS)
    assert ruling.outcome == "accepted"
    fainter = {TO_TULSA[1]: {"": 0.96, "1": 0.03, "2": 0.01}}
    ruling = rule_turn(probabilities({1: TO_TULSA}, fainter), NOBODY, PLAYERS)
    assert ruling.outcome == "ask"
    assert ruling.doubtful == (TO_TULSA[1],)
    answered = with_settled(probabilities({1: TO_TULSA}, fainter), BOARD, {"i2-i1": "red"}, PLAYERS)
    assert rule_turn(answered, NOBODY, PLAYERS).outcome == "accepted"


def test_what_was_not_seen_is_filled_in_by_the_rules_only_where_they_need_it() -> None:
    ruling = rule_turn(probabilities({1: TO_TULSA}, {TO_TULSA[2]: None}), NOBODY, PLAYERS)
    assert ruling.outcome == "accepted"
    assert set(ruling.builds[0][1].path) == set(TO_TULSA)
    before = position({1: TO_TULSA, 2: ()})
    ruling = rule_turn(probabilities({1: TO_TULSA}, {TO_TULSA[2]: None}), before, PLAYERS)
    assert (ruling.outcome, ruling.changed) == ("accepted", ())


def test_a_vanished_piece_is_told() -> None:
    before = position({1: TO_TULSA, 2: ()})
    ruling = rule_turn(probabilities({1: TO_TULSA[:2] + TO_TULSA[3:]}), before, PLAYERS)
    assert ruling.outcome in ("ask", "refused")
    assert TO_TULSA[2] in (*ruling.gone, *ruling.doubtful)
    both = rule_turn(probabilities({1: TO_TULSA[:2]}), before, PLAYERS)
    assert both.outcome == "ask"
    assert set(both.doubtful) == {*both.gone} == {*TO_TULSA[2:]}


def test_a_piece_that_was_pushed_aside_does_not_spoil_the_turn() -> None:
    """It cannot be gone, so it is asked about; whoever says that it is gone hears that this cannot be."""
    before = position({1: TO_TULSA, 2: ("duluth-c3", "c3-d2", "d2-d3", "green-bay-d3")})
    away = {name: {"": 1.0, "1": 1e-9} for name in (TO_TULSA[1], "d2-d3")}
    seen = probabilities({1: (*TO_TULSA, *TO_DALLAS), 2: before.players[2].tracks}, away)
    ruling = rule_turn(seen, before, PLAYERS)
    assert ruling.outcome == "ask"
    assert set(ruling.doubtful) == set(away)
    assert ruling.builds == ((1, ruling.builds[0][1]),)
    assert set(ruling.changed) == set(TO_DALLAS)
    lies = rule_turn({**seen, **{TO_TULSA[1]: {"1": 1.0}, "d2-d3": {"2": 1.0}}}, before, PLAYERS)
    assert (lies.outcome, set(lies.changed)) == ("accepted", set(TO_DALLAS))
    gone = rule_turn({**seen, **{TO_TULSA[1]: {"": 1.0}, "d2-d3": {"2": 1.0}}}, before, PLAYERS)
    assert gone.outcome != "accepted"


def test_many_pieces_that_were_pushed_aside_are_asked_about_and_not_refused() -> None:
    others = ("duluth-c3", "c3-d2", "d2-d3", "green-bay-d3", *TO_DALLAS)
    before = position({1: TO_TULSA, 2: others})
    away = {name: {"": 1.0, "1": 1e-9} for name in (TO_TULSA[0], TO_TULSA[2], *others[1:3])}
    ruling = rule_turn(probabilities({1: TO_TULSA, 2: others}, away), before, PLAYERS)
    assert (ruling.outcome, set(ruling.doubtful)) == ("ask", set(away))


def test_an_old_piece_that_is_seen_on_the_track_beside_its_own_does_not_refuse_the_turn() -> None:
    """Nobody but whose turn it is can have built, so another's piece there is the one that is missing."""
    before = position({1: TO_TULSA, 2: ("duluth-c3", "c3-d2", "d2-d3", "green-bay-d3")})
    away: dict[str, MarkProbabilities] = {"d2-d3": {"": 0.998, "2": 0.002}, "d2-e3": {"2": 0.998, "": 0.002}}
    seen = probabilities({1: (*TO_TULSA, *TO_DALLAS), 2: before.players[2].tracks}, away)
    ruling = rule_turn(seen, before, PLAYERS)
    assert (ruling.outcome, ruling.gone) == ("accepted", ())
    assert set(ruling.changed) == set(TO_DALLAS)
    said = rule_turn({**seen, "d2-d3": {"2": 1.0}}, before, PLAYERS)
    assert (said.outcome, set(said.changed)) == ("accepted", set(TO_DALLAS))
    elsewhere = {**away, "d2-e3": probabilities({})["d2-e3"], "h1-i2": {"2": 0.998, "": 0.002}}
    assert rule_turn({**seen, **elsewhere}, before, PLAYERS).outcome != "accepted"


def test_ones_own_piece_that_is_seen_beside_its_track_is_nothing_new() -> None:
    before = position({1: TO_TULSA, 2: ()})
    away: dict[str, MarkProbabilities] = {
        TO_TULSA[3]: {"": 0.998, "1": 0.002},
        "tulsa-k1": {"1": 0.998, "": 0.002},
    }
    ruling = rule_turn(probabilities({1: TO_TULSA}, away), before, PLAYERS)
    assert (ruling.outcome, ruling.changed) == ("accepted", ())
    built = rule_turn(probabilities({1: (*TO_TULSA, *TO_DALLAS)}, away), before, PLAYERS)
    assert (built.outcome, built.doubtful) == ("ask", (TO_TULSA[3],)), "there is a piece, and one is missing"
    assert set(built.changed) == set(TO_DALLAS)


def test_another_board_is_refused() -> None:
    before = position({1: (*TO_TULSA, *TO_DALLAS), 2: ()})
    ruling = rule_turn(probabilities({}), before, PLAYERS)
    assert ruling.outcome == "refused"
    assert "it is gone" in ruling.against[0]


def test_a_track_that_only_one_may_have_never_gets_a_second_mark() -> None:
    suits = {track: BOARD.tracks[track].suit for track in BOARD.tracks}
    name = next(name for name, suit in suits.items() if suit == "white")
    for seen in ({"1+3": 0.9, "1": 0.1}, {"3": 0.999, "": 0.001}, {"?": 0.999, "1": 0.001}, {"": 1.0}):
        marks = still_there({name: seen}, {1: [name], 3: ()}, suits, {1: "white"}, most=1)[name]
        assert marks is not None
        assert set(marks) <= {"", "1", "3", "?"}
        assert sum(marks.values()) == pytest.approx(1)
    stranger = still_there({name: {"?": 0.999, "": 0.001}}, {1: [name]}, suits, {1: "red"})[name]
    assert stranger is not None
    assert set(stranger) <= {"", "1", "?"}


def test_an_unlikely_board_is_never_taken_without_a_question() -> None:
    """Loose ends and tracks that were there before speak for tracks that the picture shows otherwise."""
    before = position({1: (*TO_TULSA, *TO_DALLAS), 2: ()})
    faint: dict[str, MarkProbabilities] = {
        name: {"": 0.98, "1": 0.02} for name in (*TO_TULSA[1:3], *TO_DALLAS[1:3])
    }
    ruling = rule_whole(probabilities({1: (*TO_TULSA, *TO_DALLAS)}, faint), before, PLAYERS, strict=False)
    assert ruling.p > 0.5 or ruling.outcome == "ask"
    assert set(ruling.doubtful) <= {*TO_TULSA, *TO_DALLAS}


def test_a_seat_whose_colour_is_not_seen_takes_no_colour_of_another() -> None:
    pieces = {name: piece() for name in BOARD.tracks} | {name: piece(RED) for name in TO_TULSA}
    pieces |= {TO_TULSA[2]: piece((14.0, 22.0, 8.0))}  # in the shade
    palette = Palette({"red": RED}, 4.0)
    known = seats_by_tracks(pieces, palette, {1: TO_TULSA, 2: ()}, {}, None)
    assert set(known.palette.colours) == {"red"}
    new = pieces | {"duluth-c3": piece((40.0, 8.0, -42.0))}
    known = seats_by_tracks(new, palette, {1: TO_TULSA, 2: ()}, {}, None)
    assert set(known.palette.colours) == {"red", "blue"}


@pytest.mark.parametrize(
    ("seen", "words"),
    [
        ({1: TO_TULSA[:3]}, "no build explains the track on"),
        ({2: TO_TULSA}, "it is the turn of seat 1"),
    ],
)
def test_what_is_against_the_rules_is_refused_in_a_sentence(
    seen: dict[int, tuple[str, ...]], words: str
) -> None:
    ruling = rule_turn(probabilities(seen), NOBODY, PLAYERS)
    assert ruling.outcome == "refused"
    assert words in ruling.against[0]


def test_what_the_cards_cannot_pay_for_is_refused() -> None:
    poor = position({1: (), 2: ()}, hands={"1": {"red": 1}})
    ruling = rule_turn(probabilities({1: TO_TULSA}), poor, PLAYERS)
    assert ruling.outcome == "refused"
    assert "hand does not pay" in ruling.against[0]


def test_without_a_turn_any_builds_explain_the_board() -> None:
    ruling = rule_whole(probabilities({1: TO_TULSA}), NOBODY, PLAYERS, strict=True)
    assert ruling.outcome == "accepted"
    assert ruling.builds[0][0] == 1
    loose = rule_whole(probabilities({1: TO_TULSA[:2]}), NOBODY, PLAYERS, strict=True)
    assert loose.outcome != "accepted"


def test_a_loose_end_makes_a_faint_piece_likelier() -> None:
    faint = {TO_TULSA[3]: {"": 0.7, "1": 0.3}}
    ruling = rule_whole(probabilities({1: TO_TULSA[:3]}, faint), NOBODY, PLAYERS, strict=False)
    assert ruling.cells[TO_TULSA[3]] == "1"


def test_as_scorekeeper_the_board_is_taken_as_it_lies() -> None:
    ruling = rule_whole(probabilities({1: TO_TULSA[:2]}), NOBODY, PLAYERS, strict=False)
    assert ruling.cells == dict.fromkeys(TO_TULSA[:2], "1")


def test_whose_colour_is_whose_follows_from_the_tracks_before() -> None:
    seen = {name: {"purple": 0.9, "blue": 0.1} for name in TO_TULSA}
    players = find_players(seen, ["purple", "blue"], {1: (), 2: TO_TULSA}, {})
    assert players.seats["purple"] == 2
    assert in_seats(seen, players)[TO_TULSA[0]] == {"2": 0.9, "?": 0.1} or players.seats.get("blue") == 1
    usual = find_players({}, ["blue", "red"], {1: (), 2: ()}, {})
    assert usual.seats == {"red": 1, "blue": 2}
    told = find_players({}, ["blue", "red"], {1: (), 2: ()}, {"blue": 1})
    assert told.seats["blue"] == 1


RED, ORANGE = (48.0, 60.0, 42.0), (56.0, 52.0, 50.0)  # alike, and called alike


def piece(*colours: tuple[float, float, float], two: float = 0.0) -> PieceLook:
    return PieceLook(1 - two if colours else 0.0, two, colours)


def test_what_lay_there_before_tells_seats_of_like_colours_apart() -> None:
    pieces = {name: piece() for name in BOARD.tracks}
    pieces |= {name: piece(RED) for name in TO_TULSA} | {name: piece(ORANGE) for name in FROM_DULUTH}
    merged = Palette({"red": (52.0, 56.0, 46.0)}, 5.0)  # the picture alone takes them for one
    known = seats_by_tracks(pieces, merged, {1: TO_TULSA[:2], 2: FROM_DULUTH}, {}, builder=1)
    names = {seat: name for name, seat in known.seats.items()}
    assert set(names) == {1, 2}
    assert known.palette.shares(RED)[names[1]] > 0.9
    assert known.palette.shares(ORANGE)[names[2]] > 0.9


def test_a_new_colour_is_whose_turn_it_is() -> None:
    blue = (40.0, 8.0, -42.0)
    pieces = {name: piece() for name in BOARD.tracks}
    pieces |= {name: piece(RED) for name in FROM_DULUTH} | {name: piece(blue) for name in TO_TULSA}
    palette = Palette({"red": RED, "blue": blue}, 4.0)
    known = seats_by_tracks(pieces, palette, {1: (), 2: FROM_DULUTH, 3: ()}, {}, builder=3)
    assert known.seats == {"red": 2}
    assert set(known.palette.colours) == {"red", "blue"}
    free: dict[int, tuple[str, ...]] = {1: (), 3: ()}
    assert find_players({}, ["blue"], free, {}, builder=3).seats["blue"] == 3
    told = {"turquoise": 3, "red": 2}  # it has the name that people gave it
    known = seats_by_tracks(pieces, palette, {1: (), 2: FROM_DULUTH, 3: ()}, {"blue": 3, "red": 2}, builder=3)
    assert set(known.palette.colours) == {"red", "blue"}
    known = seats_by_tracks(pieces, palette, {1: (), 2: FROM_DULUTH, 3: ()}, told, builder=3)
    assert known.palette.shares(blue)[next(iter(known.palette.colours.keys() - {"red"}))] > 0.9
    nobody = seats_by_tracks(pieces, palette, {1: (), 2: FROM_DULUTH, 3: ()}, {}, builder=2)
    assert set(nobody.palette.colours) == {"red"}  # it is seat 2 that builds: there are no others


def test_what_lay_there_most_probably_still_does() -> None:
    name = next(name for name, track in BOARD.tracks.items() if track.suit == "white")
    suits = {track: BOARD.tracks[track].suit for track in BOARD.tracks}
    faint = still_there({name: {"": 0.7, "1": 0.25, "2": 0.05}}, {1: [name]}, suits, {1: "red"})[name]
    assert faint is not None
    assert faint["1"] == pytest.approx(0.8, abs=0.01)
    assert sum(faint.values()) == pytest.approx(1)
    gone = still_there({name: {"": 0.9999, "1": 0.0001}}, {1: [name]}, suits, {1: "red"})[name]
    assert gone is not None
    assert gone[""] > 0.99


def test_a_piece_on_a_print_of_its_colour_is_easily_overlooked() -> None:
    name = next(name for name, track in BOARD.tracks.items() if track.suit == "white")
    suits = {track: BOARD.tracks[track].suit for track in BOARD.tracks}
    marks = still_there({name: {"": 0.999, "1": 0.001}}, {1: [name]}, suits, {1: "white"})[name]
    assert marks is not None
    assert marks["1"] == pytest.approx(0.1, abs=0.02)
    beside = still_there({name: {"2": 0.999, "": 0.001}}, {1: [name]}, suits, {1: "red"})[name]
    assert beside is not None
    assert beside["1+2"] == pytest.approx(0.1, abs=0.02)  # one of two, and the other one is new
