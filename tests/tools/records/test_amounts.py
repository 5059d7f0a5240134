"""Amounts: numbers with their signs, scales and units."""

from decimal import Decimal

import pytest

from tools.records.amounts import Amount, read_amount, read_digits


@pytest.mark.parametrize(
    ("text", "number", "unit"),
    [
        ("2 hundred thousand", "200000", ""),
        ("half a dozen eggs", "6", "eggs"),
        ("minus five", "-5", ""),
        ("US$seventy", "70", "US$"),
        ("EUR two million", "2000000", "EUR"),
        ("−5.5%", "-5.5", "%"),
        ("3rd", "3", ""),
        ("third", "3", ""),
        ("USD -5", "-5", "USD"),
        ("a total of 35", "35", ""),
        ("5 (five) days", "5", "days"),
        ("12.5k", "12500", ""),
        ("250 m²", "250", "m²"),
        ("300 m2", "300", "m2"),
        ("fifty-two thousand four hundred people", "52400", "people"),
        ("two hundred and fifty-six", "256", ""),
        ("1 1/2 cups", "1.5", "cups"),
        ("¾ cup", "0.75", "cup"),
    ],
)
def test_an_amount_has_a_number_and_a_unit(text: str, number: str, unit: str) -> None:
    found = read_amount(text)
    assert isinstance(found, Amount)
    assert (found.number, found.unit) == (Decimal(number), unit)


@pytest.mark.parametrize("text", ["one in three", "1 of 2 3", "12 September 2012", "5 (six)"])
def test_several_numbers_are_no_amount(text: str) -> None:
    assert isinstance(read_amount(text), str)


@pytest.mark.parametrize("text", ["at least 5", "up to 5", "5 or more", "≥ 5", "fewer than 5"])
def test_a_bound_is_no_amount(text: str) -> None:
    assert read_amount(text) == f"{text!r} is a bound, not a value"


def test_a_sentence_is_no_amount() -> None:
    assert "says more than an amount" in str(read_amount("(5 " * 100_000))


def test_what_the_column_measures_tells_metres_from_millions() -> None:
    assert read_amount("5 m", wanted="km") == Amount(Decimal(5), "m")
    assert read_amount("5 m", wanted="EUR") == Amount(Decimal(5_000_000), scaled=True)
    assert isinstance(read_amount("5 m"), str)


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
    assert isinstance(read_digits(written), str)
