import pytest

from evals.benchmarks.figures import Aim, Figure, Row, Unit, compared, rows_table


@pytest.mark.parametrize(
    ("aim", "unit", "told"),
    [
        (Aim("at most", 3), "ms", "≤ 3 ms: met"),
        (Aim("at least", 5), "MB/s", "≥ 5 MB/s: **missed**"),
        (Aim("times", 3), "ms", "≥ 3 ×: **missed**"),
    ],
)
def test_the_gain_and_the_aim_stand_beside_the_figure(aim: Aim, unit: Unit, told: str) -> None:
    row = Row(what="w", unit=unit, ours=Figure("a", 3.0), peer=Figure("b", 6.0), aim=aim)
    assert row.gain == 2.0
    assert told in rows_table([row])


def test_without_a_peer_no_multiple_is_reached() -> None:
    row = Row(what="w", unit="s", ours=Figure("a", 3.0), aim=Aim("times", 1))
    assert (row.gain, row.met) == (None, False)


@pytest.mark.parametrize("rounds", [1, 2, 5])
def test_every_way_runs_once_a_round_and_once_before(rounds: int) -> None:
    ran: list[str] = []
    row = compared("w", ("a", lambda: ran.append("a")), ("b", lambda: ran.append("b")), rounds)
    assert (row.ours.name, row.unit) == ("a", "ms")
    assert ran.count("a") == ran.count("b") == rounds + 1
    assert ran[:4] == ["a", "b", "b", "a"]
