"""Units and their conversion."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.records.conversion import converted, is_money
from tools.records.units import parse_unit

SAME = [("km", "miles"), ("kg", "lb"), ("hours", "weeks"), ("°C", "°F"), ("m²", "acres"),
        ("km/h", "knots"), ("GB", "MiB"), ("kWh", "MJ"), ("l", "m³"),
        ("years", "months")]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), SAME)
@given(number=st.decimals(-(10**6), 10**6, places=3))
def test_there_and_back_is_the_same(number: Decimal, one: str, other: str) -> None:
    there = converted(number, one, other)
    assert isinstance(there, Decimal)
    back = converted(there, other, one)
    assert isinstance(back, Decimal)
    assert float(back) == pytest.approx(float(number), abs=1e-9)


@pytest.mark.parametrize(
    ("written", "wanted"),
    [("EUR", "USD"), ("months", "days"), ("tons", "tonnes"), ("kg", "rooms"), ("rooms", "kg"),
     ("USD per hour", "USD"), ("hours a week", "hours"), ("%", "USD")],
)  # fmt: skip
def test_what_measures_something_else_is_refused(written: str, wanted: str) -> None:
    assert "cannot be converted" in str(converted(Decimal(1), written, wanted))


@pytest.mark.parametrize(
    ("written", "wanted"),
    [("USD per night", "USD"), ("USD", "USD per hour"), ("guest rooms", "rooms"), ("tons", "tons"),
     ("staff", "employees"), ("", "kg"), ("$", "CAD"), ("pounds", "GBP")],
)  # fmt: skip
def test_what_is_counted_or_left_to_the_column_does_not_matter(written: str, wanted: str) -> None:
    assert converted(Decimal(7), written, wanted) == 7


def test_currencies_are_money_scaled_or_not() -> None:
    assert all(map(is_money, ["USD", "million USD", "€ per m²", "US dollars"]))
    assert not any(map(is_money, ["kg", "", "GB", "rooms"]))


def test_words_that_only_look_like_units_are_counted() -> None:
    for word in ("points", "stars", "units", "sets"):
        unit = parse_unit(word)
        assert unit is not None
        assert unit.counted
