"""The bench of bots: what it measures, and that a second referee judges what they did."""

from __future__ import annotations

from companion.core.records import replaced
from lab.bots_bench import _timing, _verified, played, wrong_in


def test_every_action_of_a_match_is_judged_by_a_second_referee() -> None:
    match = played("railroad-ink", 1, {"edition": "classic", "bots": "casual"}, 5)
    assert not list(wrong_in(match))
    drawn = next(at for at, fact in enumerate(match.facts) if fact.kind == "draw")
    fact = match.facts[drawn]
    elsewhere = "d4" if fact.data["cell"] != "d4" else "c3"
    match.facts[drawn] = replaced(fact, data={**fact.data, "cell": elsewhere})
    assert f"'{elsewhere}'" in next(wrong_in(match))
    assert "0 of 1 verified" in _verified([match])


def test_what_a_round_takes_is_the_sum_of_its_decisions() -> None:
    match = played("railroad-ink", 2, {"edition": "classic", "bots": "casual"}, 6)
    assert match.rounds.keys() == {(number, seat) for number in range(1, 8) for seat in (1, 2)}
    assert abs(sum(match.rounds.values()) - sum(match.took)) < 1e-9
    assert f"most {1e3 * max(match.rounds.values()):.0f} ms" in _timing([match])
