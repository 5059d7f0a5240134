"""Values: what documents write, in a column's type and unit."""

import math
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.records.record import Cell
from agent.records.record_schema import Attribute
from tests.tools.records.league import table
from tools.records.record_values import (
    Unreadable,
    elapsed,
    normalise,
    read_date,
    read_time,
    same_cell,
)


def number(unit: str | None = None) -> Attribute:
    return Attribute(name="amount", type="number", unit=unit)


INTEGER = Attribute(name="count", type="integer")
DATE = Attribute(name="day", type="date")
TIME = Attribute(name="hour", type="time")
TEXT = Attribute(name="words", type="text")
BOOLEAN = Attribute(name="whether", type="boolean")


@pytest.mark.parametrize(
    ("written", "unit", "apart", "value"),
    [
        ("$1.2M", "USD", None, 1_200_000.0),
        ("1.2", "USD", "USD million", 1_200_000.0),
        ("US$ 3.4 billion", "million USD", None, 3400.0),
        ("$5", "CAD", None, 5.0),
        ("(2,500)", "EUR", None, -2500.0),
        ("250-", None, None, -250.0),
        ("41%", "%", None, 0.41),
        ("0.41", "%", None, 0.41),
        ("41", "%", "%", 0.41),
        ("90 minutes", "hours", None, 1.5),
        ("2 h 30 min", "hours", None, 2.5),
        ("from 14:05 to 15:20", "minutes", None, 75.0),
        ("2 pm–3:30 pm", "hours", None, 1.5),
        ("between 23:50 and 00:20", "minutes", None, 30.0),
        ("2023-01-14 23:50 to 2023-01-16 00:20", "hours", None, 24.5),
        ("5'6\"", "feet", None, 5.5),
        ("68 °F", "°C", None, 20.0),
        ("5 m", "feet", None, 16.404199475065617),
        ("5m", "GBP", None, 5_000_000.0),
        ("4.5 out of 5", None, None, 4.5),
        ("4.5/5", "/10", None, 9.0),
        ("thirty (30) days", "days", None, 30.0),
        ("1.234,56 €", "EUR", None, 1234.56),
        ("1 1/2 cups", "cups", None, 1.5),
        ("5 m 30 cm", "m", None, 5.3),
        ("minus five", None, None, -5.0),
        ("US$seventy", "USD", None, 70.0),
        ("−5.5%", "%", None, -0.055),
        ("a total of 35", None, None, 35.0),
        ("300 m2", "m2", None, 300.0),
        ("fifty-two thousand four hundred people", None, None, 52_400.0),
    ],
)
def test_an_amount_is_brought_to_the_columns_unit(
    written: str, unit: str | None, apart: str | None, value: float
) -> None:
    assert normalise(written, number(unit), apart)[0] == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize(
    ("written", "attribute", "why"),
    [
        ("1.234 €", number("EUR"), "decimals or thousands"),
        ("5m", number(), "metres or millions"),
        ("over 300", number(), "bound"),
        ("5 or more", number(), "bound"),
        ("10-12", number(), "range"),
        ("09:00 to 05:00", number("minutes"), "ends before it begins"),
        ("2 hours and 3 hours", number("hours"), "several numbers"),
        ("one in three", number(), "several numbers"),
        ("1 of 2 3", number(), "several numbers"),
        ("12 September 2012", number(), "several numbers"),
        ("(5 " * 100_000, number(), "says more than an amount"),
        ("1.2.3", number(), "neither thousands nor decimals"),
        ("1,234,56", number(), "neither thousands nor decimals"),
        ("about three quarters of an hour", number("minutes"), "fraction in words"),
        ("half a million", number(), "fraction in words"),
        ("a million and a half", number(), "fraction in words"),
        ("1/2", number(), "fraction or points"),
        ("Room 12", INTEGER, "stands before"),
        ("120 rooms, of which 30 suites", INTEGER, "several numbers"),
        ("3.5", INTEGER, "not a whole number"),
        ("0042", INTEGER, "leading zeros"),
        ("12 rooms", number("%"), "cannot be converted"),
        ("1", number("%"), "percent or a factor"),
        ("5 JPY", number("EUR"), "cannot be converted"),
        ("00/00/2020", DATE, "no day of the calendar"),
        ("n/a", INTEGER, "states no value"),
        ("9" * 30, INTEGER, "larger"),
        ("1e400", number(), "larger"),
        ("perhaps", BOOLEAN, "neither yes nor no"),
        ("the 1990s", DATE, "four digits"),
        ("—", TEXT, "states no value"),
        ("MWF 8:00-8:50 a.m.", TIME, "four digits"),
        ("25:10", TIME, "no time of day"),
    ],
)
def test_what_is_not_certain_is_no_value_and_says_why(
    written: str, attribute: Attribute, why: str
) -> None:
    with pytest.raises(Unreadable, match=why):
        normalise(written, attribute)


@pytest.mark.parametrize(
    ("written", "unit"),
    [("$5", "USD"), ("5 euros", "EUR"), ("5 kg", "kg"), ("5", None), ("5 francs", "francs")],
)
def test_a_currency_is_named_by_its_code(written: str, unit: str | None) -> None:
    assert normalise(written, number())[1] == unit


@pytest.mark.parametrize(
    ("start", "end", "seconds"),
    [
        ("14:05", "15:20:30", 4530),
        ("23:50", "00:20", 1800),
        ("2023-01-15 02:00", "2023-01-14 02:00", -86400),
        ("2023-01-14", "2023-01-16", 172800),
        ("2023-01-14", "2023-01-16 02:00", None),
        (None, "15:20", None),
    ],
)
def test_the_time_between_two_is_told_where_both_have_one_form(
    start: str | None, end: str | None, seconds: int | None
) -> None:
    assert elapsed(start, end) == seconds


def test_an_approximate_value_is_taken_and_text_keeps_its_words() -> None:
    assert normalise("circa 1850", DATE)[0] == "1850"
    assert normalise("~40", INTEGER)[0] == 40
    assert normalise("  Caf\u0065\u0301\0 du\nNord ", TEXT)[0] == "Caf\u00e9 du Nord"
    assert normalise("None", TEXT)[0] == "None"


@pytest.mark.parametrize(
    ("written", "unit", "examples", "value"),
    [
        ("1.234", "EUR", ("12.50",), 1.234),
        ("1.234", "million EUR", (), 1.234),
        ("1.234", "EUR per kWh", (), 1.234),
        ("5 km", None, ("7 EUR",), 5.0),
    ],
)
def test_examples_and_rates_tell_what_a_bare_number_is(
    written: str, unit: str | None, examples: tuple[str, ...], value: float
) -> None:
    attribute = number(unit).model_copy(update={"examples": examples})
    assert normalise(written, attribute)[0] == value


@given(st.text(max_size=30), st.sampled_from([INTEGER, number("USD"), number("%"), DATE, BOOLEAN]))
def test_any_text_has_a_finite_value_or_is_refused(text: str, attribute: Attribute) -> None:
    with suppress(Unreadable):
        value, _ = normalise(text, attribute)
        assert value is not None
        assert not isinstance(value, float) or math.isfinite(value)


@pytest.mark.parametrize(
    ("written", "value"),
    [("1,234", 1234), ("1,23", 1.23), ("0,234", 0.234), ("1.234.567,8", 1234567.8),
     ("1,23,45,678", 12345678), ("1 234", 1234), (".5", 0.5), ("1e5", 1e5),
     ("1234.567", 1234.567), ("1,234.567", 1234.567), ("0.234", 0.234)],
)  # fmt: skip
def test_marks_part_thousands_or_decimals(written: str, value: float) -> None:
    assert normalise(written, number())[0] == value


DATES = [
    ("2021-03-04T10:00:00Z", "2021-03-04"),
    ("May 2021", "2021-05"),
    ("fiscal year ended 31 December 2020", "2020-12-31"),
    ("20210331", "2021-03-31"),
    ("03.04.2020", "2020-04-03"),
    ("12/25/2020", "2020-12-25"),
]
ORDERED = [
    ("01/02/2020", ["25/12/2020", "03/04/2020"], "2020-02-01"),
    ("01/02/2020", ["12/25/2020"], "2020-01-02"),
    ("01/02/2020", ["03/04/2020"], "2020"),
    ("01/02/2020", ["25/12/2020", "12/25/2020"], "2020"),
    ("25/12/2020", ["12/25/2020"], "2020-12-25"),
]
"""The order of day and month needs one certain date, and no other against it."""


@pytest.mark.parametrize(
    ("text", "samples", "date"), [*((text, [], date) for text, date in DATES), *ORDERED]
)
def test_a_date_is_as_precise_as_is_certain(text: str, samples: list[str], date: str) -> None:
    assert read_date(text, samples) == date


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("9 am", "09:00"),
        ("12.15 a.m.", "00:15"),
        ("08:00:30 UTC", "08:00:30"),
        ("Wed 21 March 2018 at 4:20 PM", "2018-03-21 16:20"),
        ("21.03.2018", "2018-03-21"),
        ("March 2018, 4 pm", "2018-03"),
    ],
)
def test_a_time_keeps_its_day(text: str, time: str) -> None:
    assert read_time(text) == time


@pytest.mark.parametrize(
    ("kind", "left", "right", "same"),
    [
        ("number", 1.0, 1.0000001, True),
        ("integer", 10**9, 10**9 + 1, False),
        ("date", "2021-03", "2021-03-01", False),
        ("text", "The Café  Royal", "cafe royal", True),
        ("text", "C++", "C", True),
        ("text", "++", "+-", False),
        ("text", None, "x", False),
        ("number", (5.0, "EUR"), (5.0, "JPY"), False),
        ("number", (1.0, "kg"), (1000.0, "g"), True),
        ("number", (1.0, "kg"), (1.0, "g"), False),
        ("number", (5.0, "EUR"), (5.0, None), True),
        ("number kg", (1.0, "kg"), (1.0, "g"), True),
    ],
)
def test_cells_are_the_same_in_their_own_units_or_the_declared_one(
    kind: str, left: Any, right: Any, *, same: bool
) -> None:
    (attribute,) = table("any", any=kind).attributes
    told = (each if isinstance(each, tuple) else (each, None) for each in (left, right))
    one, other = (Cell(attribute="any", value=value, unit=unit) for value, unit in told)
    assert same_cell(one, other, attribute) is same
    assert same_cell(other, one, attribute) is same
