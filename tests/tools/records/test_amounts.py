"""Amounts: numbers with their signs, scales and units."""

from decimal import Decimal

import pytest

from tools.records.amounts import Unreadable, read_amount, read_digits


@pytest.mark.parametrize(
    ("text", "number", "unit"),
    [
        ("2 hundred thousand", "200000", ""),
        ("half a million", "500000", ""),
        ("a million and a half", "1500000", ""),
        ("1 1/2 cups", "1.5", "cups"),
        ("an hour", "1", "hour"),
        ("a year and a half", "1.5", "year"),
        ("5 m 30 cm", "5.3", "m"),
        ("minus five", "-5", ""),
        ("US$seventy", "70", "US$"),
        ("−5.5%", "-5.5", "%"),
        ("3rd", "3", ""),
        ("a total of 35", "35", ""),
        ("300 m2", "300", "m2"),
        ("fifty-two thousand four hundred people", "52400", "people"),
    ],
)
def test_an_amount_has_a_number_and_a_unit(text: str, number: str, unit: str) -> None:
    found = read_amount(text)
    assert (found.number, found.unit) == (Decimal(number), unit)


@pytest.mark.parametrize("text", ["one in three", "1 of 2 3", "12 September 2012", "5 (six)"])
def test_several_numbers_are_no_amount(text: str) -> None:
    with pytest.raises(Unreadable, match="several numbers"):
        read_amount(text)


def test_a_long_text_is_no_amount_and_costs_nothing() -> None:
    with pytest.raises(Unreadable, match="says more than an amount"):
        read_amount("(5 " * 100_000)


@pytest.mark.parametrize(
    ("written", "number"),
    [("1,234", "1234"), ("1,23", "1.23"), ("0,234", "0.234"), ("1.234.567,8", "1234567.8"),
     ("1,23,45,678", "12345678"), ("1 234", "1234"), (".5", "0.5"), ("1e5", "1e5"),
     ("1234.567", "1234.567"), ("1,234.567", "1234.567"), ("0.234", "0.234")],
)  # fmt: skip
def test_marks_part_thousands_or_decimals(written: str, number: str) -> None:
    assert read_digits(written) == Decimal(number)


@pytest.mark.parametrize("written", ["1.2.3", "1,234,56", "0042", "1.234,56,7", "1.23.456"])
def test_marks_that_part_neither_are_no_number(written: str) -> None:
    with pytest.raises(Unreadable):
        read_digits(written)
