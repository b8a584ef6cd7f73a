"""The measurements themselves work; the full figures come from `python -m firmware_bridge.bench`."""

import pytest

from firmware_bridge import bench


def test_latency_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    """The promise is a median under 5 ms; on a busy machine only the bench by itself can judge it."""
    bench.main(["latency", "--rolls", "200"])
    assert capsys.readouterr().out.startswith("latency: Latency(median=")


def test_five_percent_garbled_bytes_lose_and_double_nothing() -> None:
    wire = bench.garbled(rolls=30)
    assert (wire.distinct, wire.in_order) == (30, True)
    assert wire.dropped_lines > 1000


def test_every_fault_together_loses_and_doubles_nothing() -> None:
    wire = bench.garbled(rolls=30, share=0.01, mixed=True)
    assert (wire.distinct, wire.in_order, wire.restarts) == (30, True, 1)


def test_pulled_cables_lose_and_double_nothing() -> None:
    result = bench.unplugged(times=5)
    assert result.lost == 0
    assert result.rolls_heard == result.distinct >= 5  # one that both rollers threw is told as two rolls
    assert result.slowest_notice < 3
    assert result.slowest_recovery < 3
