"""Each roll once, in order, whatever order they arrive in."""

from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.ledger import MOST_POWER_UPS, Ledger
from firmware_bridge.protocol import KEPT_ROLLS, RollMessage


def roll(n: int) -> RollMessage:
    return RollMessage("b0", n, (("A", 6, n % 6),))


def met(last_seen: int = 0) -> Ledger:
    ledger = Ledger(lambda uid, boot: last_seen)
    ledger.meet("uid", "b0")
    return ledger


def numbers(rolls: list[RollMessage]) -> list[int]:
    return [roll.n for roll in rolls]


def test_in_order_is_handed_on_at_once() -> None:
    ledger = met()
    assert [numbers(ledger.offer(roll(n))) for n in (1, 2, 3)] == [[1], [2], [3]]
    assert not ledger.gap


def test_after_a_gap_rolls_wait_for_the_missing_one() -> None:
    ledger = met()
    assert ledger.offer(roll(2)) == []
    assert ledger.gap
    assert numbers(ledger.offer(roll(1))) == [1, 2]
    assert not ledger.gap


def test_a_restarted_table_goes_on_where_it_was() -> None:
    ledger = met(last_seen=7)
    assert ledger.offer(roll(7)) == []
    assert ledger.duplicates == 1
    assert numbers(ledger.offer(roll(8))) == [8]


def test_what_the_roller_forgot_is_lost_and_counted() -> None:
    ledger = met()
    ledger.offer(roll(3))
    ledger.offer(roll(9))
    assert numbers(ledger.forgotten_before(8)) == [3]
    assert (ledger.lost, ledger.last) == (6, 7)
    assert numbers(ledger.offer(roll(8))) == [8, 9]


def test_a_number_far_ahead_is_not_kept() -> None:
    ledger = met()
    for n in range(10**9, 10**9 + 1000):
        ledger.offer(roll(n))
    assert ledger._early == {}
    ledger.complete_to(0)
    assert not ledger.gap


def test_forgetting_a_thousand_million_rolls_takes_no_time() -> None:
    ledger = met()
    assert ledger.forgotten_before(10**9) == []
    assert ledger.lost == 10**9 - 1


def test_a_roller_that_comes_back_is_remembered() -> None:
    ledger = met()
    ledger.offer(roll(1))
    ledger.meet("other", "b1")
    assert ledger.last == 0
    ledger.meet("uid", "b0")
    assert ledger.offer(roll(1)) == []
    assert numbers(ledger.offer(roll(2))) == [2]


def test_restarts_for_ever_take_no_memory() -> None:
    ledger = met()
    for k in range(1000):
        ledger.meet("uid", f"{k:x}")
    assert len(ledger._lasts) <= MOST_POWER_UPS


@given(st.permutations(range(1, KEPT_ROLLS + 1)), st.data())
def test_any_order_with_duplicates_comes_out_in_order(order: list[int], data: st.DataObject) -> None:
    ledger = met()
    extra = data.draw(st.lists(st.sampled_from(order), max_size=20))
    out = [n for arriving in [*order, *extra] for n in numbers(ledger.offer(roll(arriving)))]
    assert out == list(range(1, KEPT_ROLLS + 1))
    assert ledger.duplicates == len(extra)
