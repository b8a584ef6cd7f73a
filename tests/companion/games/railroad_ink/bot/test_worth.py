"""The weights of the bot: kept by edition and round, and in the last round the score."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from companion.games.railroad_ink.bot.worth import SCORE, Weight, strategy, written


@pytest.mark.parametrize("edition", ["classic", "challenge"])
def test_every_round_has_its_weights_and_the_last_one_the_score(edition: str) -> None:
    weights = strategy(edition)
    assert weights.shape == (7, len(Weight))
    assert {place: weights[6, place] for place in np.flatnonzero(weights[6])} == SCORE
    assert (weights[:, Weight.LOST] < 0).all()


def test_a_written_file_is_read_again() -> None:
    weights = strategy("classic")
    text = written({"classic": weights}, "made by hand")
    assert text.startswith("# made by hand\n")
    rows = msgspec.toml.decode(text)["classic"]
    assert np.allclose([rows[weight.name.lower()] for weight in Weight], weights[:6].T)
