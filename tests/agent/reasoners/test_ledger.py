"""The ledger: sums, reservations, limits, and time that is not counted twice."""

import threading
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.cost import Budget, Cost
from agent.errors import LimitReached
from agent.reasoners.ledger import Ledger
from agent.reasoners.rate import RateLimit
from agent.reasoners.usage import Usage, estimate_tokens


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def test_an_answered_call_is_booked() -> None:
    ledger = Ledger(Budget(), Cost(), price=(1.0, 10.0))
    with ledger.call(5) as call:
        call.usage = Usage(1000, 100)
    spent = ledger.spent()
    assert (spent.model_calls, spent.input_tokens, spent.output_tokens) == (1, 1000, 100)
    assert spent.usd == pytest.approx(0.002)


def test_an_unanswered_call_is_not() -> None:
    ledger = Ledger(Budget(calls=1), Cost())
    with pytest.raises(KeyError), ledger.call(5):
        raise KeyError
    assert ledger.spent().model_calls == 0
    with ledger.call(5):
        pass


def test_a_call_in_flight_is_reserved() -> None:
    ledger = Ledger(Budget(calls=1), Cost())
    with ledger.call(5), pytest.raises(LimitReached, match="calls"), ledger.call(5):
        pass


@pytest.mark.parametrize(
    ("budget", "price"),
    [(Budget(tokens=100), None), (Budget(usd=1e-4), (1.0, 1.0))],
    ids=["tokens", "usd"],
)
def test_what_is_left_is_without_the_calls_in_flight(
    budget: Budget, price: tuple[float, float] | None
) -> None:
    ledger = Ledger(budget, Cost(), price=price)
    assert ledger.affords(Usage(80, 20))
    assert not ledger.affords(Usage(80, 21))
    with ledger.call(40):
        assert ledger.affords(Usage(50, 10))
        assert not ledger.affords(Usage(51, 10))


@pytest.mark.parametrize(
    ("budget", "price"),
    [(Budget(tokens=100), None), (Budget(usd=1e-4), (1.0, 1.0))],
    ids=["tokens", "usd"],
)
def test_a_prompt_that_breaks_a_limit_is_not_sent(
    budget: Budget, price: tuple[float, float] | None
) -> None:
    ledger = Ledger(budget, Cost(), price=price)
    with ledger.call(60), pytest.raises(LimitReached, match="next prompt"), ledger.call(60):
        pass


def test_calls_in_parallel_take_their_time_once() -> None:
    clock = Clock()
    ledger = Ledger(Budget(seconds=10), Cost(), clock=clock)
    with ledger.call(1):
        clock.now += 2
        with ledger.call(1):
            clock.now += 3
        assert ledger.spent().seconds == 5
    clock.now += 50
    assert ledger.spent().seconds == 5
    with ledger.call(1):
        clock.now += 6
    with pytest.raises(LimitReached, match="seconds"), ledger.call(1):
        pass


def test_estimates_are_counted() -> None:
    ledger = Ledger(Budget(), Cost())
    with ledger.call(1) as call:
        call.usage = Usage(1, 1, estimated=True)
    assert ledger.estimated_calls == 1


@given(st.lists(st.tuples(st.integers(0, 999), st.integers(0, 999), st.booleans()), max_size=20))
def test_the_sum_of_the_calls_is_the_bill(calls: list[tuple[int, int, bool]]) -> None:
    before = Cost(model_calls=2, input_tokens=7, output_tokens=8)
    ledger = Ledger(Budget(), before)
    for into, out, answered in calls:
        with ledger.call(into) as call:
            call.usage = Usage(into, out) if answered else None
    answered_calls = [(into, out) for into, out, answered in calls if answered]
    spent = ledger.spent() - before
    assert spent.model_calls == len(answered_calls)
    assert spent.input_tokens == sum(into for into, _ in answered_calls)
    assert spent.output_tokens == sum(out for _, out in answered_calls)


def test_threads_never_exceed_the_limit() -> None:
    ledger = Ledger(Budget(calls=7), Cost())
    refused = []

    def work() -> None:
        try:
            with ledger.call(1) as call:
                call.usage = Usage(1, 1)
        except LimitReached as error:
            refused.append(error)

    threads = [threading.Thread(target=work) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (ledger.spent().model_calls, len(refused)) == (7, 13)


def test_requests_leave_evenly_spaced() -> None:
    clock = Clock()
    rate = RateLimit(4.0, clock=clock, sleep=clock.sleep)
    left = []
    for _ in range(5):
        rate.wait()
        left.append(clock.now)
    assert [later - earlier for earlier, later in pairwise(left)] == [0.25] * 4


def test_no_idle_time_is_saved_up() -> None:
    clock = Clock()
    rate = RateLimit(1.0, clock=clock, sleep=clock.sleep)
    rate.wait()
    clock.now += 10
    start = clock.now
    rate.wait()
    rate.wait()
    assert clock.now == start + 1


def test_without_a_limit_nothing_waits() -> None:
    RateLimit(None, sleep=lambda seconds: pytest.fail("slept")).wait()


@given(st.text(alphabet=st.characters(), max_size=50))
def test_an_estimate_exists_for_every_text(text: str) -> None:
    assert (estimate_tokens(text) == 0) == (text == "")
