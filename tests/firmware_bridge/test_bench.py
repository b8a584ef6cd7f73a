"""The measurements themselves work; the full figures come from `python -m firmware_bridge.bench`."""

import pytest

from firmware_bridge import bench


def test_a_few_of_everything(capsys: pytest.CaptureFixture[str]) -> None:
    bench.main(["latency", "--rolls", "200"])
    assert capsys.readouterr().out.startswith("latency: Latency(median=")


def test_request_to_answer_takes_less_than_five_milliseconds() -> None:
    assert bench.latency(rolls=300).median < 5


def test_five_percent_garbled_bytes_lose_and_double_nothing() -> None:
    wire = bench.garbled(rolls=30)
    assert (wire.distinct, wire.in_order) == (30, True)
    assert wire.dropped_lines > 1000


def test_every_fault_together_loses_and_doubles_nothing() -> None:
    wire = bench.garbled(rolls=30, share=0.01, mixed=True)
    assert (wire.distinct, wire.in_order, wire.restarts) == (30, True, 1)


def test_pulled_cables_lose_and_double_nothing() -> None:
    result = bench.unplugged(times=5)
    assert (result.rolls_heard, result.distinct, result.lost) == (5, 5, 0)
    assert result.slowest_notice < 3
    assert result.slowest_recovery < 3
