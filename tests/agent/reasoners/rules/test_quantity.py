import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.question import Measure
from agent.reasoners.rules.quantity import measured, quantities


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("sixty (60) days", 60, "days"),
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


def test_the_nearest_number_in_the_asked_unit_is_the_measure() -> None:
    text = "After 2 years, notice of 60 days is given within 10 days."
    found = measured(
        text, (0, len(text)), text.index("notice"), Measure(text="period", unit="days")
    )
    assert found is not None
    assert found.value == 60


def test_no_number_in_the_asked_unit_is_no_measure() -> None:
    text = "After 2 years."
    assert measured(text, (0, len(text)), 0, Measure(text="period", unit="days")) is None


def test_a_bare_year_is_no_quantity() -> None:
    text = "in 2014, sold 12"
    found = measured(text, (0, len(text)), 0, Measure(text="number sold"))
    assert found is not None
    assert found.value == 12


@given(st.text(max_size=60))
def test_any_text_can_be_read(text: str) -> None:
    for found in quantities(text):
        assert 0 <= found.start < found.end <= len(text)
