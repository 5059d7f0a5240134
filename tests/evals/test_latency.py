from hypothesis import given
from hypothesis import strategies as st

from evals.latency import Percentiles, percentiles


def test_nobody_waited_for_nothing() -> None:
    assert percentiles([]) == Percentiles(None, None, None)


@given(st.lists(st.floats(0, 1e6), min_size=1))
def test_they_are_ordered_and_within_what_was_measured(seconds: list[float]) -> None:
    found = percentiles(seconds)
    assert found.p50 is not None
    assert found.p95 is not None
    assert found.p99 is not None
    assert min(seconds) <= found.p50 <= found.p95 <= found.p99 <= max(seconds)
