"""Units and their conversion."""

from decimal import Decimal

import pytest

from agent.units import column_units, converted, is_money, parse_unit


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


def test_spellings_of_one_unit_are_one_and_what_is_counted_is_none_and_beside_no_measure() -> None:
    assert column_units({"kg": 1, "kilograms": 2}).unit == "kilograms"
    assert column_units({"rooms": 2, "suites": 1, "": 3}).unit is None
    assert not column_units({"rooms": 2, "suites": 1}).mixed
    assert column_units({"rooms": 2, "kg": 1}).mixed


@pytest.mark.parametrize(("largest", "mixed"), [(0.41, False), (41, True)])
def test_a_bare_number_beside_shares_is_a_share_only_below_one(largest: float, mixed: bool) -> None:
    assert column_units({"%": 2, "": 1}, largest).mixed is mixed
