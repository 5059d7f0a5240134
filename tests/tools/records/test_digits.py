"""Digits with marks."""

from decimal import Decimal

import pytest

from tools.records.digits import read_digits


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
