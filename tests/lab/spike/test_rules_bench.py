"""The bench runs, and its random matches are whole."""

from __future__ import annotations

from companion.games.spike.rules.moves.build_search import open_builds
from companion.games.spike.rules.moves.builds import ground_of
from lab.spike.rules_bench import HAND, Tally, play, report, timed_listing, wishes
from tests.companion.games.spike.rules.matches import playing


def test_a_short_bench_reports_every_figure() -> None:
    lines = list(report(2))
    assert lines[0].startswith("2 random matches")
    assert "faults: 0" in lines[0]
    assert "deliveries " in lines[0]
    assert f"hands of {HAND} random cards" in lines[2]
    assert lines[3].startswith("1 planned matches")


def test_players_who_plan_deliver_and_upgrade() -> None:
    tally = Tally()
    for number in range(3):
        play(number, tally, planned=True)
    assert tally.faults == []
    assert tally.kinds["deliver"] >= 10
    assert tally.kinds["upgrade"] >= 10


def test_matches_of_every_size_and_with_every_option_are_played() -> None:
    assert {wishes(number).seats for number in range(3)} == {2, 3, 4}
    chosen = [tuple(wishes(number).options.values()) for number in range(96)]
    assert len(set(chosen)) == 32


def test_a_match_ends_one_way_or_the_other() -> None:
    tally = Tally()
    play(0, tally)
    assert sum(tally.ends.values()) == 1
    assert tally.faults == []
    assert tally.events > 50


def test_what_is_timed_is_the_whole_listing() -> None:
    state, hand = playing("nashville", "norfolk"), (2, 2, 2, 2, 2, 2)
    seconds, count = timed_listing(state, hand)
    assert seconds > 0
    assert count == len(open_builds(ground_of(state, 1), hand))
