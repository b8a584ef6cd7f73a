"""Anything at all from the port: no exception, no memory, no roll. The full million is in the bench."""

from firmware_bridge.bench import fuzz


def test_random_and_mutated_lines_are_harmless() -> None:
    result = fuzz(lines=20_000, seed=3)
    assert result.rolls == 0
    assert result.dropped == 20_000
    assert result.most_kept_bytes < 512
    assert result.memory_growth_kb < 100
