import pytest

from evals.benchmarks.rows import medians


@pytest.mark.parametrize("rounds", [1, 2, 5])
def test_every_way_runs_once_a_round_and_once_before(rounds: int) -> None:
    ran: list[str] = []
    taken = medians({"a": lambda: ran.append("a"), "b": lambda: ran.append("b")}, rounds)
    assert set(taken) == {"a", "b"}
    assert ran.count("a") == ran.count("b") == rounds + 1
    assert ran[:4] == ["a", "b", "b", "a"]
