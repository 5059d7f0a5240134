"""A second opinion counts only what has two verdicts."""

from agent.coverage import Rejudged


def test_undecided_chunks_count_on_neither_side() -> None:
    each = Rejudged(condition="c1", first=True, size=9, yes=(1, 2), no=(3,), undecided=(4,))
    assert each.drawn == 3
