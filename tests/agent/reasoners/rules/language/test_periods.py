import pytest

from agent.reasoners.rules.language.periods import read_period
from agent.reasoners.rules.language.words import tokenize


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("in the 18th century", ("1701", "1800")),
        ("of the 1990s", ("1990", "1999")),
        ("first half of 2020", ("2020-01", "2020-06")),
        ("the third quarter of 2021", ("2021-07", "2021-09")),
        ("in Q4 2021", ("2021-10", "2021-12")),
        ("in the last quarter of 2019", ("2019-10", "2019-12")),
    ],
)
def test_named_stretches_of_time_have_bounds(text: str, expected: tuple[str, str]) -> None:
    found = read_period(tokenize(text), 0)
    assert found is not None
    assert found[:2] == expected
    assert found[2] == len(tokenize(text))


@pytest.mark.parametrize("text", ["in 2020", "first half", "the 3rd century", "in"])
def test_anything_else_is_no_period(text: str) -> None:
    assert read_period(tokenize(text), 0) is None
