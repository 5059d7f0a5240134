import json

import pytest

from evals.benchmarks.row import Figure, Row, Unit
from evals.benchmarks.table import report, rows_table


def _row(unit: Unit, ours: float, peer: float) -> Row:
    return Row(what="w", unit=unit, ours=Figure("a", ours), peer=Figure("b", peer), note="n")


@pytest.mark.parametrize(
    ("unit", "gain"),
    [
        pytest.param("ms", 2.0, id="less time is better"),
        pytest.param("MB", 2.0, id="less memory is better"),
        pytest.param("MB/s", 0.5, id="more speed is better"),
    ],
)
def test_the_gain_says_how_many_times_better_ours_is(unit: Unit, gain: float) -> None:
    assert _row(unit, 3.0, 6.0).gain == gain


def test_the_table_has_a_line_a_row() -> None:
    told = rows_table([_row("ms", 3.0, 6.0), _row("kB", 1.0, 12_345.0)])
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in told.splitlines()]
    assert lines[0] == ["what", "ours", "peer", "better", "note"]
    assert lines[2] == ["w", "3 ms (a)", "6 ms (b)", "2 ×", "n"]
    assert lines[3] == ["w", "1 kB (a)", "12,345 kB (b)", "12,345 ×", "n"]


def test_the_report_is_json_with_what_the_figures_depend_on() -> None:
    told = json.loads(json.dumps(report([_row("ms", 3.0, 6.0)], 200, 5)))
    assert set(told) == {"chunks_asked", "rounds", "cores", "python", "rows"}
    assert told["rows"][0]["ours"] == {"name": "a", "value": 3.0}
    assert told["rows"][0]["gain"] == 2.0
