import pytest

from evals.benchmarks.figures import Aim, Figure, Row, Unit, compared, rows_table


def _row(unit: Unit, ours: float, peer: float) -> Row:
    return Row(what="w", unit=unit, ours=Figure("a", ours), peer=Figure("b", peer), note="n")


@pytest.mark.parametrize(("unit", "gain"), [("MB", 2.0), ("MB/s", 0.5)])
def test_the_gain_says_how_many_times_better_ours_is(unit: Unit, gain: float) -> None:
    assert _row(unit, 3.0, 6.0).gain == gain


@pytest.mark.parametrize(
    ("aim", "unit", "told"),
    [
        pytest.param(Aim("at most", 3), "ms", "≤ 3 ms: met", id="at most"),
        pytest.param(Aim("at least", 5), "MB/s", "≥ 5 MB/s: **missed**", id="at least"),
        pytest.param(Aim("times", 3), "ms", "≥ 3 ×: **missed**", id="times the peer"),
    ],
)
def test_the_aim_stands_beside_the_figure_with_whether_it_is_met(
    aim: Aim, unit: Unit, told: str
) -> None:
    row = Row(what="w", unit=unit, ours=Figure("a", 3.0), peer=Figure("b", 6.0), aim=aim)
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
