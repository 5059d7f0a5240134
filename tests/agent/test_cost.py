import pytest

from agent.cost import Budget, Cost


@pytest.mark.parametrize(
    ("one", "other", "total"),
    [(None, None, None), (1.0, None, 1.0), (None, 2.0, 2.0), (1.0, 2.0, 3.0)],
)
def test_money_is_unknown_only_where_nobody_knows_it(
    one: float | None, other: float | None, total: float | None
) -> None:
    assert (Cost(usd=one) + Cost(usd=other)).usd == total


SPENT = Cost(model_calls=1_000_000, input_tokens=60, output_tokens=40, usd=0.12345, seconds=7.5)


@pytest.mark.parametrize(
    ("budget", "told"),
    [
        (Budget(calls=1_000_000), "calls (limit 1,000,000, spent 1,000,000)"),
        (Budget(calls=1_000_001), None),
        (Budget(calls=0), "calls (limit 0, spent 1,000,000)"),
        (Budget(tokens=100), "tokens (limit 100, spent 100)"),
        (Budget(tokens=101), None),
        (Budget(usd=0.1), "usd (limit 0.1, spent 0.1235)"),
        (Budget(usd=0.2), None),
        (Budget(seconds=7.5), "seconds (limit 7.5, spent 7.5)"),
        (Budget(seconds=7.6), None),
        (Budget(tokens=1, usd=0.1), "tokens (limit 1, spent 100)"),
    ],
    ids=lambda each: None if isinstance(each, str) else str(each) or "within",
)
def test_a_limit_is_exceeded_once_it_is_reached(budget: Budget, told: str | None) -> None:
    assert budget.exceeded_by(SPENT) == told
