"""Cards of pictures to learn from are laid on patterns of any kind."""

from __future__ import annotations

import numpy as np

from lab.derailed.training.backgrounds import laid_on, make_pattern


def test_cards_stay_and_the_table_becomes_a_pattern_in_the_same_light() -> None:
    picture = np.full((200, 240, 3), 90, np.uint8)
    picture[:, 120:] = 45  # a shadow
    card = np.array([[(60, 50), (100, 50), (100, 110), (60, 110)]], np.float64)
    picture[50:110, 60:100] = 230
    for seed in range(12):
        rng = np.random.default_rng(seed)
        pattern = make_pattern(rng)
        lain = laid_on(rng, picture, card, [np.full_like(pattern, 150)])
        assert (lain[55:105, 65:95] == 230).all()
        assert lain[:, :30].mean() > 1.4 * lain[:, 210:].mean()
        assert (lain[:, :30] != 90).any()


def test_patterns_are_each_another_one() -> None:
    patterns = [make_pattern(np.random.default_rng([seed, 7])) for seed in range(8)]
    assert len({pattern.tobytes() for pattern in patterns}) == 8
    assert all(pattern.shape == (512, 512, 3) for pattern in patterns)
