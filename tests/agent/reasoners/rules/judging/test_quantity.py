import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.reasoners.rules.judging.quantity import quantities


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("sixty (60) days", 60, "days"),
        ("1 h 15 min", 75, "min"),
        ("2 hours and 5 minutes", 125, "minutes"),
        ("Ninety days", 90, "days"),
        ("thirty-day notice", 30, "day"),
        ("twenty-five years", 25, "years"),
        ("$1.2 million", 1_200_000, "USD"),
        ("1,944,165,000.00 US dollars", 1_944_165_000, "dollars"),
        ("12.5%", 12.5, "%"),
        ("3 percent", 3, "percent"),
        ("€40", 40, "EUR"),
        ("-4 degrees", -4, "degrees"),
    ],
)
def test_a_number_is_read_with_its_unit(text: str, value: float, unit: str) -> None:
    [found] = quantities(text)
    assert (found.value, found.unit) == (value, unit)


@given(st.text(max_size=60))
def test_any_text_can_be_read(text: str) -> None:
    for found in quantities(text):
        assert 0 <= found.start < found.end <= len(text)
