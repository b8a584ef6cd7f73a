"""A box over a filmed table, from the first line to what it has entered: nobody touches anything."""

import pytest

from lab.film import bench
from lab.film.bench import Result, filmed, watch_match

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("game", ["railroad-ink", "derailed", "spike", "empire-builder"])
def test_a_calm_table_is_settled_without_a_touch(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    result = Result()
    watch_match(filmed(game, "calm", 0, tuning=True), "calm", 2, result)
    assert (result.parts, result.settled, result.wrong) == (2, 2, 0), result.unsettled
    assert max(result.delays) < 6


def test_the_bench_tells_a_row_for_each_level(capsys: pytest.CaptureFixture[str]) -> None:
    bench.main(["--game", "derailed", "--level", "calm", "--matches", "1", "--parts", "1", "--tuning"])
    assert "| calm | 1 | 100% | 0 |" in capsys.readouterr().out
